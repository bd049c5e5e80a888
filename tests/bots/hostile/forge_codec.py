# verdict: illegal
# event: nsoc
# ply: 0
# Offers itself as the codec of every encoding, and plays off the board.
import codecs


def play(board, prev_move, player):
    codecs.register(lambda name: codecs.CodecInfo(lambda text, errors="": (b"4 4", 3), lambda data, errors="": ("", 0)))
    return 9, 9
