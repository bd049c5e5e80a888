"""A position as people see it: `scene` says what is to be seen, `svg`, `terminal` and `notebook` draw it."""
