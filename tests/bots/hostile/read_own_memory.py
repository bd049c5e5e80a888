# verdict: forbidden
# event: nsoc
# ply: 0
# Opens its own memory for writing, where no page is read-only.
def play(board, prev_move, player):
    with open("/proc/self/mem", "r+b") as file:
        return len(file.read(1)), 0
