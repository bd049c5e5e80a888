# verdict: forbidden
# event: nsoc
# ply: 0
# Opens a descriptor a second time, through the file system.
def play(board, prev_move, player):
    with open("/proc/self/fd/3", "rb") as file:
        return len(file.read(1)), 0
