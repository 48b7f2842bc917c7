"""Documents as values: address, entry, journal, records, tiers, main page. Pure: texts in, values out."""
