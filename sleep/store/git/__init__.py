"""What the store asks of git besides commits: what is checked out, listed, stashed, refused or locked."""
