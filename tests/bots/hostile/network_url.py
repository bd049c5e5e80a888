# verdict: forbidden
# event: nsoc
# ply: 0
# Downloads its move.
import urllib.request


def play(board, prev_move, player):
    with urllib.request.urlopen("http://127.0.0.1:9/move", timeout=0.2) as answer:
        return tuple(map(int, answer.read().split()))
