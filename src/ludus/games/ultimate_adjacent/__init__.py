"""Ultimate Tic-Tac-Toe with the sending rule of CSE 371."""
