# verdict: forbidden
# event: nsoc
# reason: /etc/passwd
# line: 6
# Reads a file while it is loaded.
USERS = open("/etc/passwd").read()


def play(board, prev_move, player):
    return 4, 4
