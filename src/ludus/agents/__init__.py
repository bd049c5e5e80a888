"""Players of ours: a search, an evaluation and a use of time, by name. For whoever needs an opponent."""
