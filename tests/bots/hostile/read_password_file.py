# verdict: forbidden
# event: nsoc
# ply: 0
# reason: /etc/passwd
# line: 8
# Reads the list of users.
def play(board, prev_move, player):
    with open("/etc/passwd") as file:
        return len(file.read()) % 9, 0
