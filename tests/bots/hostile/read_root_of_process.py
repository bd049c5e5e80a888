# verdict: forbidden
# event: nsoc
# ply: 0
# Goes to a file by way of its own process.
def play(board, prev_move, player):
    with open("/proc/self/root/etc/passwd") as file:
        return len(file.read()) % 9, 0
