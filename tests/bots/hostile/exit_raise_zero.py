# verdict: exception
# event: cse371
# ply: 0
# line: 8
# Raises SystemExit with the status of success.
class Player7:
    def move(self, temp_board, temp_block, old_move, flag):
        raise SystemExit(0)
