"""Run a bot that nobody trusts: its process, its limits, its lockdown, and what the kernel saw it do."""
