"""Output: what programs print and read, told from what people say by its form alone. Pure."""
