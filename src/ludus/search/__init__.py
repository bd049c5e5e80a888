"""Searches for any game: they know it only through `compile.interface`."""
