# verdict: exception
# event: extreme
# reason: move
# Has the class and not the method.
class Team1:
    def choose(self, board, old_move, flag):
        return 0, 0
