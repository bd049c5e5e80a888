"""Training: games that a search plays against itself, a network that learns from them, and what it gains."""
