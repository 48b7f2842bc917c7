"""The index of a memory: rows of documents, the terms that find them, and the SQLite file that holds both."""
