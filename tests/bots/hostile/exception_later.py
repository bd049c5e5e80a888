# verdict: exception
# event: extreme
# ply: 2
# reason: KeyError
# line: 12
# Plays one good move and fails on the second.
class Team5:
    def __init__(self):
        self.book = {(-1, -1): (5, 5)}

    def move(self, board, old_move, flag):
        return self.book[old_move]
