# verdict: forbidden
# event: cse371
# ply: 0
# reason: thread
# Tries a thread, catches the refusal, and plays on.
import threading


class Player6:
    def move(self, temp_board, temp_block, old_move, flag):
        try:
            threading.Thread(target=print).start()
        except BaseException:
            pass
        return 4, 4
