# verdict: forbidden
# event: nsoc
# ply: 0
# Opens a second interpreter in the process, where no hook was ever set, and reads a file from there.
def interpreters():
    try:
        import _interpreters
    except ImportError:
        import _xxsubinterpreters as _interpreters
    return _interpreters


def play(board, prev_move, player):
    other = interpreters()
    other.run_string(other.create(), "open('/etc/passwd').read()")
    return 4, 4
