# verdict: forbidden|exception
# event: nsoc
# ply: 0
# Imports the search of those who run the event, and would play perfectly.
def play(board, prev_move, player):
    from ludus.agents.naming import parse_agent

    return parse_agent("best") and (4, 4)
