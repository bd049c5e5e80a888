# verdict: forbidden
# event: nsoc
# ply: 0
# Leaves a note in shared memory that is a folder.
def play(board, prev_move, player):
    with open("/dev/shm/ludus-hostile-bot-was-here", "w") as file:
        file.write("remember me")
    return 4, 4
