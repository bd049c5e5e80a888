# verdict: forbidden
# event: nsoc
# ply: 0
# Makes a temporary file wherever one can be made.
import tempfile


def play(board, prev_move, player):
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"remember me")
    return 4, 4
