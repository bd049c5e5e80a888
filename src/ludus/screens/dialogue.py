"""A game in a dialogue of plain text: over a pipe, a serial line, a screen reader or any terminal."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import wait
from contextlib import ExitStack
from typing import TextIO

from ludus.errors import LudusError, MoveError
from ludus.screens.saving import Files, free_name, write_file
from ludus.sittings.adviser import Adviser
from ludus.sittings.opponent import COMPILED, SOON_S, OpenRoom, Opponent
from ludus.sittings.sitting import Sitting
from ludus.view.analysis import verdict
from ludus.view.canvas import printable
from ludus.view.scene import scene_of_line
from ludus.view.terminal import position_lines

HINT_S = 1.0
MOST_LISTED = 60  # moves that `moves` names
HELP = """\
  4,4          play that move, written as the board counts
  moves        the legal moves
  board        the position again
  hint         what the computer would play
  undo         take back your last move, and the answer to it
  resign       give up
  trace FILE   write the game so far as text, every position and move
  save FILE    write the game so far as a record
  help         this
  quit         leave"""


class Dialogue:
    """One game between somebody who types lines and an opponent; `run` it once."""

    def __init__(
        self, sitting: Sitting, *, open_room: OpenRoom, read: TextIO, write: TextIO, files: Files, echoes: bool
    ) -> None:
        self.sitting, self.open_room, self.files = sitting, open_room, files
        self.read, self.write, self.echoes = read, write, echoes
        self.is_ascii = not (write.encoding or "utf-8").lower().startswith("utf")
        self.opponents: dict[int, Opponent] = {}
        self.adviser: Adviser | None = None
        self.commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self._say(HELP),
            "?": lambda _: self._say(HELP),
            "moves": lambda _: self._list_moves(),
            "board": lambda _: self._show(),
            "hint": lambda _: self._hint(),
            "undo": lambda _: self._undo(),
            "resign": lambda _: self._resign(),
            "trace": self._trace,
            "save": self._save,
        }

    def run(self) -> None:
        """Play until the game is over and left; the files that were asked for are written in any case."""
        sitting = self.sitting
        with ExitStack() as stack:
            stack.callback(self._close)
            try:
                for seat, entrant in enumerate(sitting.agreement.entrants):
                    if not sitting.is_person(seat):
                        self.opponents[seat] = Opponent(sitting.pitch, entrant, seat, self.open_room)
                        self.opponents[seat].get_ready()
                self._say("Type a move, or help.")
                self._show()
                while self._turn():
                    pass
            finally:
                for name in self.files.write(sitting):
                    self._say(f"Written: {name}")

    def _close(self) -> None:
        for opponent in self.opponents.values():
            opponent.close()
        if self.adviser is not None:
            self.adviser.close()

    def _turn(self) -> bool:
        """One move, or one line from the person; whether there is more to do."""
        sitting, seat = self.sitting, self.sitting.turn
        if seat is not None and not sitting.is_person(seat):
            self._answer(self.opponents[seat])
            return True
        text = self._ask()
        if text is None or text in ("quit", "q", "exit") or (seat is None and not text):
            return False
        word, _, rest = text.partition(" ")
        try:
            if word in self.commands:
                self.commands[word](rest.strip())
            elif text:
                self._play(text)
        except LudusError as error:
            self._say(f"{error}")
        return True

    def _ask(self) -> str | None:
        """A line of the person, None at the end of the input."""
        seat = self.sitting.turn
        if seat is None:
            prompt = "Game over. Enter leaves; trace FILE keeps it as text, save FILE as a record; undo goes on: "
        else:
            state = self.sitting.state
            scene = scene_of_line(self.sitting.game, self.sitting.line)
            example = self.sitting.game.move_name(self.sitting.game.legal(state)[0])
            prompt = f"{scene.view.seats[seat].name} ({self.sitting.names[seat]}), your move, such as {example}: "
        self.write.write(prompt)
        self.write.flush()
        line = self.read.readline()
        if self.echoes or not line:
            self.write.write(f"{printable(line.strip())}\n")
        return line.strip() if line else None

    def _play(self, text: str) -> None:
        if self.sitting.turn is None:
            raise MoveError("the game is over")
        self.sitting.play(self.sitting.game.legal_move(self.sitting.state, text))
        self._show()

    def _answer(self, opponent: Opponent) -> None:
        sitting, name = self.sitting, self.sitting.names[opponent.seat]
        self._say(f"{name} is thinking.")
        chosen = opponent.choose(sitting)
        wait([chosen], timeout=sitting.agreement.limit_s + SOON_S)
        if not chosen.done():
            self._say(f"{name} is getting ready; {COMPILED}")
        choice = chosen.result()
        if choice.move is None:
            assert choice.failure is not None
            sitting.fail(choice.failure)
        else:
            self._say(f"{name} plays {sitting.game.move_name(choice.move)} in {choice.spent.wall_s:.1f} s.")
            sitting.play(choice.move, choice.spent)
        self._show()

    def _show(self) -> None:
        sitting = self.sitting
        scene = scene_of_line(sitting.game, sitting.line, players=sitting.names)
        self._say("\n".join(["", *position_lines(scene, ascii=self.is_ascii), ""]))
        if sitting.verdict is not None:
            self._say(f"The game is over: {sitting.ending()}.")

    def _list_moves(self) -> None:
        names = [self.sitting.game.move_name(move) for move in self.sitting.game.legal(self.sitting.state)]
        more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
        self._say(" ".join(names[:MOST_LISTED]) + more if names else "There is none.")

    def _hint(self) -> None:
        sitting, game = self.sitting, self.sitting.game
        if sitting.turn is None:
            self._say("The game is over.")
            return
        if self.adviser is None:
            self.adviser = Adviser(game, sitting.agreement.options)
        analysis = self.adviser.think(sitting.moves, turn=sitting.turn, seconds=HINT_S).result()
        sitting.hints += 1
        seats = scene_of_line(game, sitting.line).view.seats
        self._say(f"{verdict(seats, analysis)[0]}.")
        for line in analysis.lines:
            moves = " ".join(game.move_name(move) for move in line.line[1:6])
            self._say(f"  {game.move_name(line.move)}  {100 * line.chance:.0f} %{f'  then {moves}' if moves else ''}")

    def _undo(self) -> None:
        count = self.sitting.undo()
        self._say(
            f"Taken back: {count} move{'s' if count != 1 else ''}." if count else "There is nothing to take back."
        )
        if count:
            self._show()

    def _resign(self) -> None:
        if self.sitting.turn is None:
            self._say("The game is over.")
            return
        self.sitting.resign()
        self._say(f"The game is over: {self.sitting.ending()}.")

    def _trace(self, name: str) -> None:
        name = name or free_name(f"{self.sitting.game.name}-trace", ".txt")
        write_file(name, self.sitting.trace())
        self._say(f"Written: {name}")

    def _save(self, name: str) -> None:
        name = name or free_name(self.sitting.game.name, ".json")
        write_file(name, self.sitting.record().to_json() + "\n")
        self._say(f"Written: {name}")

    def _say(self, text: str) -> None:
        self.write.write(f"{text}\n")
        self.write.flush()
