"""Our hooks, server and guidance in the settings and pages of clients: put in and taken out."""
