# verdict: exception
# event: extreme
# reason: KeyError
# line: 8
# The class cannot be made.
class Team9:
    def __init__(self):
        self.table = {}["openings"]

    def move(self, board, old_move, flag):
        return 0, 0
