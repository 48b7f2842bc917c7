"""The model of speech acts: what is seen of a sentence or a piece, by name, and what each of these weighs. Pure."""
