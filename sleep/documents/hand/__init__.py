"""Documents written by hand: pieces, marks, identity. Loads mistune. Pure."""
