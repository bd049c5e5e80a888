"""A semester: templates, the hand-out, checks of bots, submissions, similarity, feedback."""
