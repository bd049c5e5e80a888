"""How each kind of player is spoken to: bots in the interfaces of the events, programs, agents of ours, people."""
