"""The games that come with Ludus: every folder here with a `rules.py` is one."""
