"""Our hooks, server and guidance in the settings and pages of clients: put in, taken out, looked at."""
