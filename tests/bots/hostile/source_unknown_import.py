# verdict: exception
# event: nsoc
# reason: no_such_engine
# line: 6
# Imports what is not there.
import no_such_engine


def play(board, prev_move, player):
    return no_such_engine.best(board)
