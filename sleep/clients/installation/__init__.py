"""Our hooks, server and guidance in clients' settings and pages: put in and taken out."""
