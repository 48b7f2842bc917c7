"""Setting a memory up and keeping it well: init, doctor, status, statistics, the demo."""
