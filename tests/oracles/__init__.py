"""Slow, obvious reference rules of the five games, one module and one class `Oracle` each."""
