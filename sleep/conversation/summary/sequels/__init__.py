"""What came later makes of what was before: replies, choices that replace others, runs of a command, reports. Pure."""
