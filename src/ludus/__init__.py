"""Ludus: write the rules of a board game once, in plain Python; get everything else."""

__version__ = "0.1.0"
