"""What the store asks of git besides commits and history: what is checked out, listed, stashed, refused or locked."""
