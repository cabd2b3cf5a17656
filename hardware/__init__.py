"""The metal and its fakes: buttons, lamps, cameras, displays. Knows no game."""
