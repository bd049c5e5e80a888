# verdict: illegal
# event: nsoc
# ply: 0
# Answers with a text that would clear a terminal, change a web page and break a line.
def play(board, prev_move, player):
    return "\x1b[2J<script>alert(1)</script>\r\n\x00\ud800"
