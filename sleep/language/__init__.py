"""What words mean by their form: words, stems, sentences, dates, names and speech acts, for every room alike. Pure."""
