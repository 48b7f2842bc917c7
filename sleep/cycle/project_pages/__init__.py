"""What a cycle adds to pages."""
