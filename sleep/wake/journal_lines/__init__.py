"""Lines of journals as a wake shows them."""
