# verdict: forbidden
# event: nsoc
# ply: 0
# Opens a connection from an event loop.
import asyncio


def play(board, prev_move, player):
    asyncio.run(asyncio.open_connection("127.0.0.1", 9))
    return 4, 4
