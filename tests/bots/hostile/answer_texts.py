# verdict: illegal
# event: term-project
# ply: 0
# Answers with digits that are texts.
def make_your_move(board):
    return "0", "1"
