"""Checks a rules file in plain Python and says what is wrong in one line, for the one who writes it."""

from ludus.contract.check import Findings, check_rules

__all__ = ["Findings", "check_rules"]
