"""Sleep debt: how much has happened since the last sleep, from transcripts, in a ledger."""
