"""Importing: what people already have becomes journals with addresses, nothing lost, and twice is once.

Owns telling what a folder is (`detecting`), one pure reader a form (`adr`, `daily`, `notes`), reading the disk
(`reading`), what was taken in before (`known`), the pages that go to their place (`placing`), writing (`taking`), and
what there is to be taken in (`finding`). Refuses to change, to move or to remove what it reads.
"""
