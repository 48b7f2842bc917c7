"""What is measured of a memory: answers, references and facts, and how it reads, by words of its own. Pure."""
