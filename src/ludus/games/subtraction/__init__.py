"""The 3x3 subtraction game with costs."""
