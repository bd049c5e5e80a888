"""Results -> ratings with intervals: of a duel of two, of a whole tournament, and what its table is worth."""
