# verdict: forbidden
# event: cse371
# ply: 0
# reason: /etc/passwd
# Tries to read a file, catches the refusal, and plays on.
class Player2:
    def move(self, temp_board, temp_block, old_move, flag):
        try:
            open("/etc/passwd").close()
        except OSError:
            pass
        return 4, 4
