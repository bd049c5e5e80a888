# verdict: illegal
# event: nsoc
# ply: 0
# Answers with a coroutine, which nobody awaits.
async def play(board, prev_move, player):
    return 0, 0
