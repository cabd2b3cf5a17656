"""The rules as values: no clock, no chance, no files, no threads."""
