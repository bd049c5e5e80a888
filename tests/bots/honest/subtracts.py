# verdict: win|draw
# event: term-project
# Subtracts one from the first line that allows it.
def make_your_move(board):
    lines = [list(row) for row in board] + [list(column) for column in zip(*board)]
    return next((index, 1) for index, line in enumerate(lines) if 0 not in line)
