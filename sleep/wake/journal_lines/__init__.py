"""The lines of journals as a wake shows them: what a line says, how it is written, and which record it states."""
