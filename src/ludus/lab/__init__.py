"""The strength lab: agents played against each other until the difference is known. For whoever improves a bot."""
