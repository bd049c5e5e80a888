"""One game between two players: clocks, legality, and a verdict with a reason, every time."""
