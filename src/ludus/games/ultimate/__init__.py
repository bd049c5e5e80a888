"""Standard Ultimate Tic-Tac-Toe."""
