"""Events: a game, and what a course makes of it."""
