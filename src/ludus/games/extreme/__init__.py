"""Extreme Tic-Tac-Toe: sixteen blocks of sixteen cells."""
