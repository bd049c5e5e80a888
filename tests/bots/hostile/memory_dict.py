# verdict: memory
# event: cse371
# ply: 0
# limit: 20
# Remembers every position that it can think of, and more.
class Player8:
    def move(self, temp_board, temp_block, old_move, flag):
        table = {}
        for number in range(1 << 26):
            table[number, flag] = [number] * 2000
        return 4, 4
