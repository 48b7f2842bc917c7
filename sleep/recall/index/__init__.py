"""The index: rows of documents, their terms, and the SQLite file that holds both."""
