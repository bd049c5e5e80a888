"""Tournaments: formats as generators of pairings, tables, grades; running, stopping, resuming; the store."""
