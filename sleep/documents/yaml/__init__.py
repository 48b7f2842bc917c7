"""The YAML of front matter and settings: a small fast reader, and ruamel.yaml where that one has no answer. Pure."""
