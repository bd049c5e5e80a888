"""What a bot's file is called, and the class in it, by the hand-outs' conventions. For whoever makes or checks one."""

from __future__ import annotations

import re
from typing import NamedTuple


class Convention(NamedTuple):
    """How the files of one interface are named; N is the number of the team."""

    file: str  # as people say it, such as teamN.py
    meaning: str  # of the letters in it that stand for something
    stem: re.Pattern[str]  # what the name without .py must match; its group "number", where it has one, is N
    prefix: str | None = None  # of the class: Player in PlayerN; None where the file holds a function
    example: str = "my_bot"  # a stem that is right

    @property
    def is_numbered(self) -> bool:
        return self.prefix is not None

    def class_name(self, stem: str) -> str | None:
        """The class that a file of this name must hold; None where it is a function, or the name is wrong."""
        found = self.stem.fullmatch(stem)
        return f"{self.prefix}{found['number']}" if self.prefix and found else None


WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,59}")
NUMBERED = re.compile(r"team(?P<number>[0-9]{1,6})")
STUDENT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")

TEAM_NUMBER = "N is the number of your team."
OF_TEAMS = Convention("TEAM.py", "TEAM is the name of your team.", WORD)
CONVENTIONS = {
    "play": OF_TEAMS,
    "player-class": Convention("teamN.py", TEAM_NUMBER, NUMBERED, "Player", "team1"),
    "team-class": Convention("teamN.py", TEAM_NUMBER, NUMBERED, "Team", "team1"),
    "make-your-move": Convention("STUDENT_ID.py", "STUDENT_ID is your student id.", STUDENT_ID, None, "12345678"),
    "choose": OF_TEAMS,
}


def convention_of(interface: str | None) -> Convention:
    """That of an event's interface; where an event takes any, a file is named after its team."""
    return OF_TEAMS if interface is None else CONVENTIONS[interface]
