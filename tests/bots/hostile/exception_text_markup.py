# verdict: exception
# event: nsoc
# ply: 0
# line: 7
# Raises an exception whose text would clear a terminal, change a web page, and forge a second sentence.
def play(board, prev_move, player):
    raise ValueError("\x1b[2J\x1b[1;1H<script>alert(1)</script>\r\nverdict: win \u202e\ud800\x00")
