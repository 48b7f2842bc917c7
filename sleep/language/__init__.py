"""Words, stems, sentences, dates, names and speech acts, for every room alike. Pure."""
