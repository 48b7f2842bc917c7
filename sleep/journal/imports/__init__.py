"""Importing: what people already have becomes journals, nothing lost, and twice is once.

Owns telling what a folder is (`detection`), one pure reader a form (`adr`, `adr_pages`, `daily`, `notes`,
`table_records`), reading the disk (`reader`), what was taken in before (`provenance`), the pages that go to their place
(`placement`), writing (`importer`, `conversion`, `closings`), and what there is to be taken in (`discovery`). Refuses
to change, to move or to remove what it reads.
"""
