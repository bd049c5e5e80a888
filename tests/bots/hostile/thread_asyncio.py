# verdict: forbidden
# event: nsoc
# ply: 0
# Lets asyncio start the thread; its event loop wants a pair of sockets first.
import asyncio


def play(board, prev_move, player):
    return asyncio.run(asyncio.to_thread(lambda: (4, 4)))
