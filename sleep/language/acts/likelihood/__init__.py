"""The model of speech acts: named features, and what each weighs. Pure."""
