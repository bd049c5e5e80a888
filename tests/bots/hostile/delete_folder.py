# verdict: forbidden
# event: nsoc
# ply: 0
# Deletes a folder with everything in it, should it be there.
import shutil


def play(board, prev_move, player):
    shutil.rmtree("/tmp/ludus-hostile-folder", ignore_errors=True)
    import os

    os.rmdir("/tmp/ludus-hostile-folder")
    return 4, 4
