"""A model as compressor: what it is given, how its reply is read, and the judge of that reply. Pure."""
