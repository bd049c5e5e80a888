# verdict: forbidden
# event: nsoc
# ply: 0
# Keeps what it learns in a database.
import sqlite3


def play(board, prev_move, player):
    with sqlite3.connect("/tmp/ludus-hostile-bot.db") as database:
        database.execute("create table if not exists learned (move text)")
    return 4, 4
