"""What the nested-board games share: the 9x9 board of two of them, names of cells, and the picture."""
