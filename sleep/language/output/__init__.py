"""What programs print, told from what people say by its form. Pure."""
