# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Answers, but an object that dies with the call never finishes dying.
class Immortal:
    def __del__(self):
        while True:
            pass


def play(board, prev_move, player):
    kept = Immortal()
    return 0, 0
