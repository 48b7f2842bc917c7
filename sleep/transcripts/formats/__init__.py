"""The form in which each client writes a conversation down, one module a client. Pure."""
