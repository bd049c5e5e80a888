# verdict: forbidden|exception
# event: nsoc
# ply: 0
# Reads where everything lies in its memory; the file may also not be there for it.
def play(board, prev_move, player):
    with open("/proc/self/maps") as file:
        return len(file.read()) % 9, 0
