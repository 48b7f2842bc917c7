"""Speech acts: the forms by which a sentence rules, chooses, asks or reports. Pure."""
