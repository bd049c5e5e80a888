# verdict: exception
# event: nsoc
# reason: IndentationError
# line: 8
# Is indented by three spaces, then by two.
def play(board, prev_move, player):
   row = 0
  return row, 0
