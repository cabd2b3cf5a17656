"""The page for phones: live table, corrections, history. ``server`` starts it; nothing is imported here."""
