# verdict: crash|exception
# event: nsoc
# ply: 0
# Runs bytecode that no compiler wrote: it reads far outside its constants.
import dis


def play(board, prev_move, player):
    def empty():
        return None

    load, give = dis.opmap["LOAD_CONST"], dis.opmap["RETURN_VALUE"]
    extend = dis.opmap["EXTENDED_ARG"]
    wild = bytes([dis.opmap["RESUME"], 0, extend, 255, extend, 255, load, 255, give, 0])
    empty.__code__ = empty.__code__.replace(co_code=wild, co_consts=())
    return empty()
