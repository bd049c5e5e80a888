"""Loopless Slant."""
