"""What forty teams of a course might hand in for cse371: honest variants, broken, late, hostile, copied. For tests."""

from __future__ import annotations

import io
import os
import re
import stat
import zipfile
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples" / "cse371"
IN_TIME, LATE = 1_700_000_000, 2_000_000_000  # seconds since 1970, before and after DEADLINE
DEADLINE = "2030-01-01T12:00:00"

ORIGINAL = '''\
"""Our own idea: count what every line of cells and blocks is still good for, and look one answer ahead."""
TARGET = {0: [1, 3], 1: [0, 2], 2: [1, 5], 3: [0, 6], 4: [4], 5: [2, 8], 6: [3, 7], 7: [6, 8], 8: [5, 7]}
ROWS = ["012", "345", "678", "036", "147", "258", "048", "246"]


class Player31:
    def __init__(self):
        self.history = []

    def move(self, temp_board, temp_block, old_move, flag):
        enemy = "xo"[flag == "x"]
        best, chosen = None, None
        for square in self.options(temp_board, temp_block, old_move):
            gain = self.worth(temp_board, temp_block, square, flag)
            danger = self.worth(temp_board, temp_block, square, enemy)
            key = (2 * gain + danger - self.freedom(temp_block, square), -square[0], square[1])
            if best is None or key > best:
                best, chosen = key, square
        self.history.append(chosen)
        return chosen

    def options(self, grid, status, previous):
        alive = [i for i, sign in enumerate(status) if sign == "-"]
        if previous != (-1, -1):
            wanted = TARGET[previous[0] % 3 * 3 + previous[1] % 3]
            alive = [i for i in wanted if i in alive] or alive
        for i in alive:
            for k in range(9):
                y, x = divmod(i, 3)[0] * 3 + k // 3, i % 3 * 3 + k % 3
                if grid[y][x] == "-":
                    yield y, x

    def worth(self, grid, status, square, who):
        big = square[0] // 3 * 3 + square[1] // 3
        small = square[0] % 3 * 3 + square[1] % 3
        inside = [grid[big // 3 * 3 + k // 3][big % 3 * 3 + k % 3] for k in range(9)]
        total = 0
        for row in ROWS:
            if str(small) in row:
                signs = [inside[int(digit)] for digit in row]
                if all(sign in ("-", who) for sign in signs):
                    total += (1, 5, 60)[signs.count(who)]
        if total >= 60:
            for row in ROWS:
                if str(big) in row:
                    held = [status[int(digit)] for digit in row].count(who)
                    total += 40 * held * held
        return total

    def freedom(self, status, square):
        where = TARGET[square[0] % 3 * 3 + square[1] % 3]
        still = sum(status[i] == "-" for i in where)
        return 25 if still == 0 else 3 * still
'''
RENAMED = {
    "TARGET": "JUMPS", "ROWS": "TRIPLES", "history": "log", "options": "candidates", "worth": "rate", "freedom": "room",
    "enemy": "foe", "best": "top", "chosen": "pick", "square": "spot", "gain": "plus", "danger": "minus", "key": "mark",
    "grid": "cells", "status": "areas", "previous": "last", "alive": "live", "wanted": "sent", "sign": "s",
    "big": "outer", "small": "inner", "inside": "nine", "total": "points", "row": "line", "signs": "marks",
    "held": "mine", "where": "ahead", "still": "left", "digit": "d", "who": "me",
}  # fmt: skip


def copied() -> str:
    """The original with other names, its methods in another order, other comments and numbers."""
    text = ORIGINAL.replace("Our own idea", "Written all by myself")
    for name, other in RENAMED.items():
        text = re.sub(rf"\b{name}\b", other, text)
    text = text.replace("Player31", "Player32").replace("(1, 5, 60)", "(1, 6, 60)").replace("return 25", "return 24")
    head, *methods = re.split(r"(?=^    def )", text, flags=re.MULTILINE)
    methods = [method.rstrip("\n") + "\n" for method in methods]
    return head + "\n".join(["    # the search\n", *methods[::-1]])


def honest(team: int) -> str:
    """One of three examples with a depth, weights and an order of its own."""
    kind, number = team % 3, team // 3
    source = (EXAMPLES / f"team{2 + kind}.py").read_text()
    places = [3 + number % 2, 2, 3 + number % 3, 2 - number % 2, 4 + number % 4, 2, 3, 2 + number % 2, 3]
    source = source.replace("PLACES = [3, 2, 3, 2, 4, 2, 3, 2, 3]", f"PLACES = {places}")
    source = source.replace("SECONDS = 0.2", f"SECONDS = {0.004 + 0.0005 * number}")
    source = source.replace("CURIOSITY = 0.7", f"CURIOSITY = {0.4 + 0.1 * number:.1f}")
    source = source.replace("range(1, 82)", f"range(1, {2 + number % 2})").replace(
        "= stop if best", '= float("inf") if best'
    )
    source = source.replace("value = 30 *", f"value = {20 + 5 * number} *").replace(
        "value += 5 *", f"value += {3 + number} *"
    )
    source = source.replace("3 * PLACES[block]", f"{2 + number % 4} * PLACES[block]")
    return source.replace(f"Player{2 + kind}", f"Player{team}")


def broken(team: int, body: str) -> str:
    """The smallest example, which does something else first."""
    source = (EXAMPLES / "team1.py").read_text().replace("Player1", f"Player{team}")
    return source.replace("        cells = [cell for", f"        {body}\n        cells = [cell for", 1)


FAULTS = {  # by team: what its move does, and a word of the sentence that it must get
    28: ("import os; os.fork()", "start a process"),
    29: ("import threading; threading.Thread(target=print).start()", "thread"),
    30: ("temp_board[0][0] = flag", "temp_board"),
    33: ("return [0, 0]", "a tuple of two ints was expected"),
    34: ("return 1 // 0", "ZeroDivisionError"),
    35: ("while True: pass", "did not answer within 1 s"),
    36: ("import socket; socket.socket()", "network"),
}
RANDOM, WRONG_CLASS, LATE_TEAM, SYNTAX, BOMB = 37, 38, 5, 39, 40
ORIGINAL_TEAM, COPY = 31, 32


def hand_in(folder: Path) -> None:
    """Forty submissions: loose files, archives by student, folders of a platform."""
    folder.mkdir()
    for team in range(1, 41):
        content = source_of(team)
        name = f"team{team}.py"
        if team == BOMB:
            (folder / "team40.zip").write_bytes(_bomb())
        elif team % 10 == 3:
            person = folder / f"Student {team}_{1000 + team}_assignsubmission_file_"
            person.mkdir()
            (person / name).write_text(content)
        elif team % 10 == 4:
            with zipfile.ZipFile(folder / f"team{team}.zip", "w") as archive:
                archive.writestr(f"team{team}/{name}", content)
        else:
            (folder / name).write_text(content)
    for file in folder.rglob("*"):
        when = LATE if file.name == f"team{LATE_TEAM}.py" else IN_TIME
        os.utime(file, (when, when))


def source_of(team: int) -> str:
    if team in FAULTS:
        return broken(team, FAULTS[team][0])
    if team == RANDOM:
        return broken(team, "pass")
    if team == WRONG_CLASS:
        return honest(team).replace("class Player38", "class Machine")
    if team == SYNTAX:
        return honest(team).replace("def move(", "def move((", 1)
    return {ORIGINAL_TEAM: ORIGINAL, COPY: copied()}.get(team) or honest(team)


def _bomb() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("team40.py", b"#" * 40_000_000)
        link = zipfile.ZipInfo("passwords.py")
        link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("../../outside.py", "print('out')")
    return stream.getvalue()
