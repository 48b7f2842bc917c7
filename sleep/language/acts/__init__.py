"""Speech acts: the phrases and forms by which a sentence lays down a rule, chooses, asks or reports. Pure."""
