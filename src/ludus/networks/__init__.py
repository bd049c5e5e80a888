"""Learned evaluations: what a network sees of a position, its numbers, its file."""
