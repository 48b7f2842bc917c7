"""`memory.*`: looking after a memory, its figures and its chart."""
