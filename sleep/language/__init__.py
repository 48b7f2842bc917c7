"""Words, stems, sentences, dates, names and speech acts. Pure."""
