"""`dev.*`: what those who work on the program run, and what the pages of its documentation are made of."""
