# verdict: exception|illegal
# event: nsoc
# ply: 0
# Answers with objects that exit when somebody asks which number they are.
class Leaving:
    def __index__(self):
        raise SystemExit(0)


def play(board, prev_move, player):
    return Leaving(), Leaving()
