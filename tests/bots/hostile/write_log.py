# verdict: forbidden
# event: nsoc
# ply: 0
# Logs into a file.
import logging


def play(board, prev_move, player):
    logging.basicConfig(filename="/tmp/ludus-hostile-bot.log")
    logging.warning("thinking")
    return 4, 4
