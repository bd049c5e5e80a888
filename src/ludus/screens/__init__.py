"""Playing and watching games in a terminal: the full screen, and a dialogue of plain text."""
