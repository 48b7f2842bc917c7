"""Pure text work: tokens, front matter, blocks, edits by span, redaction. No disk, clock or environment."""
