"""Questions for records by their kind: what is blocked, what was decided on this, what must never be done."""
