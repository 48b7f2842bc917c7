"""Documents that people wrote by hand: their pieces, their marks, their identity. Loads mistune. Pure."""
