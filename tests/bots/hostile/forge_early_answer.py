# verdict: protocol|tampering
# event: nsoc
# Writes a good answer to its channel before it returns one, to go on thinking while the opponent is to move.
import json
import os
import time


def play(board, prev_move, player):
    given = json.dumps(board, separators=(",", ":"))
    os.write(3, b'A{"tuple":[4,4]}\n' + given.encode())
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    return 4, 4
