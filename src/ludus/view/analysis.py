"""An analysis as people read it in a terminal: who is ahead, the best lines, what it took, and the board beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from ludus.picture import SEAT_TONES, Seat
from ludus.rules import Game
from ludus.view.canvas import Canvas, Pencil, cut, printable, text_width
from ludus.view.scene import Hint, plain_status
from ludus.view.terminal import sign_of
from ludus.view.theme import Palette

if TYPE_CHECKING:
    from ludus.agents.analysis import Analysis, Variation

Row = Sequence[tuple[str, Pencil]]

LONGEST_ON_BOARD = 9  # moves of the best line that are numbered on the board
NARROWEST, COMFORTABLE, WIDEST = 36, 60, 100  # columns of the panel
GAP = 2  # columns between the board and the panel, and between those of the table
LONGEST_BAR = 30
NARROW_LINE = 16  # columns; with fewer left, the moves of a line stand on a row of their own
NUMBERS = (True, False, True, False, True)  # columns of the table that are flush right
EVEN, SLIGHT, CLEAR = 0.53, 0.65, 0.9  # chances of the side that is ahead, up to which that is the word


def hints_of(analysis: Analysis) -> list[Hint]:
    """The chances of the best moves, to stand on the board; none looks better than the one that was found best."""
    return [Hint(line.move, min(line.chance, analysis.lines[0].chance)) for line in analysis.lines]


def line_on_board(analysis: Analysis) -> tuple[int, ...]:
    """The beginning of the best line, to be numbered on the board."""
    return analysis.lines[0].line[:LONGEST_ON_BOARD] if analysis.lines else ()


def analysis_canvas(
    game: Game,
    seats: tuple[Seat, Seat],
    board: Canvas,
    analysis: Analysis,
    palette: Palette,
    *,
    agent: str,
    columns: int,
    rows: int,
    may_scroll: bool = False,
) -> Canvas:
    """Board and findings side by side, one above the other, or the findings alone: whatever fits.

    `agent` says who thinks. What may scroll has more rows than that rather than no board.
    """

    def panel(width: int) -> Canvas:
        return _sheet(_panel(game, seats, analysis, palette, agent, width - 1), width, palette)

    beside, below = columns - board.width - GAP, panel(min(columns, WIDEST))
    if beside >= NARROWEST:
        right = panel(min(beside, WIDEST))
        fits_beside = max(board.height, right.height) <= rows
        if fits_beside and (beside >= COMFORTABLE or board.height + below.height > rows):
            return _together(board, right, board.width + GAP, 0)
    if board.width <= columns and (may_scroll or board.height + below.height <= rows):
        return _together(board, below, 0, board.height)
    return below


def verdict(seats: tuple[Seat, Seat], analysis: Analysis) -> tuple[str, int | None]:
    """Who is ahead in a few words, and the seat that is; None if neither."""
    if not analysis.lines:
        return analysis.doing or "thinking", None
    best = analysis.lines[0]
    if best.is_exact:
        status = plain_status(seats, None, best.score // 1000)
        return f"{status} with best play", None if best.score == 0 else int(best.score < 0)
    ahead = analysis.turn if best.chance >= 0.5 else 1 - analysis.turn
    chance, name = max(best.chance, 1 - best.chance), seats[ahead].name
    if chance < EVEN:
        return "Even", None
    return f"{name} is {'slightly ahead' if chance < SLIGHT else 'ahead' if chance < CLEAR else 'winning'}", ahead


# ---- the panel


def _panel(
    game: Game, seats: tuple[Seat, Seat], analysis: Analysis, palette: Palette, agent: str, width: int
) -> list[Row]:
    dim = Pencil(palette.dim)
    words, ahead = verdict(seats, analysis)
    tone = palette.ink if ahead is None else palette[f"{SEAT_TONES[ahead]}_deep"]
    rows: list[Row] = [[], [(cut(words, width), Pencil(tone, bold=True))]]
    if analysis.lines:
        rows += [_bar(seats, analysis, palette, width), []]
        rows += _table(game, seats, analysis, palette, width)
    rows += [[]] + [[(text, dim)] for text in _flowing([agent, *_effort(analysis)], width)]
    return rows + [[(text, dim)] for text in wrap(analysis.note, width)]


def _bar(seats: tuple[Seat, Seat], analysis: Analysis, palette: Palette, width: int) -> Row:
    """The chances of both seats as a bar, the first seat's on the left."""
    chance = analysis.lines[0].chance if analysis.turn == 0 else 1 - analysis.lines[0].chance
    ends = [f"{_sign(seats, 0)} {_percent(chance)} ", f" {_percent(1 - chance)} {_sign(seats, 1)}"]
    length = min(LONGEST_BAR, width - sum(map(text_width, ends)))
    first = round(length * chance)
    inks = [Pencil(palette[tone], bold=True) for tone in SEAT_TONES]
    left, right = Pencil(palette.first, ascii="#"), Pencil(palette.second, ascii="-")
    return [(ends[0], inks[0]), ("█" * first, left), ("░" * (length - first), right), (ends[1], inks[1])]


def _table(game: Game, seats: tuple[Seat, Seat], analysis: Analysis, palette: Palette, width: int) -> list[Row]:
    dim, ink = Pencil(palette.dim), Pencil(palette.ink)
    has_visits = analysis.lines[0].visits is not None
    heads = ("", "move", f"{_sign(seats, analysis.turn)} wins", "margin", "visits" if has_visits else "depth")
    names = [printable(game.move_name(line.move)) for line in analysis.lines]
    cells = [
        (str(number), name, _percent(line.chance), _margin(seats, line), _effort_of(line))
        for number, (name, line) in enumerate(zip(names, analysis.lines, strict=True), 1)
    ]
    widths = [max(map(text_width, column)) for column in zip(heads, *cells, strict=True)]
    room = width - sum(widths) - GAP * len(widths)
    is_narrow = room < NARROW_LINE
    rows: list[Row] = [[*((text, dim) for text in _flush(heads, widths)), ("" if is_narrow else "then", dim)]]
    for line, texts in zip(analysis.lines, cells, strict=True):
        move = Pencil(palette.good_deep if line is analysis.lines[0] else palette.ink, bold=True)
        looks = (dim, move, ink, Pencil(_colour(palette, line.score)), dim)
        row = list(zip(_flush(texts, widths), looks, strict=True))
        indent = " " * (widths[0] + GAP)
        if not is_narrow:
            rows.append([*row, (_then(game, line, room), dim)])
        else:
            rows += [row, [(indent + _then(game, line, width - len(indent)), dim)]]
    return rows


def _flush(texts: Sequence[str], widths: Sequence[int]) -> list[str]:
    """The texts as wide as their columns, each with a gap after it."""
    flushed = []
    for text, width, is_number in zip(texts, widths, NUMBERS, strict=True):
        blank = " " * (width - text_width(text))
        flushed.append((blank + text if is_number else text + blank) + " " * GAP)
    return flushed


def _then(game: Game, line: Variation, width: int) -> str:
    """The moves after the first one, as many as there is room for."""
    names = [printable(game.move_name(move)) for move in line.line[1:]]
    text = ""
    for number, name in enumerate(names):
        longer = f"{text} {name}".strip()
        is_last = number == len(names) - 1
        if text_width(longer) > width - (0 if is_last else 2):
            return f"{text} …".strip() if width > 0 else ""
        text = longer
    return text


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def _margin(seats: tuple[Seat, Seat], line: Variation) -> str:
    """By how much somebody is ahead: "X +0.42", and "X by 3" once that is proven."""
    sign, amount = _sign(seats, int(line.score < 0)), abs(line.score) / 1000
    if line.is_exact:
        return "draw" if line.score == 0 else f"{sign} by {amount:.0f}"
    text = f"{amount:+.1f}" if amount >= 9.95 else f"{amount:+.2f}"
    return "0.00" if text == "+0.00" else f"{sign} {text}"


def _effort_of(line: Variation) -> str:
    if line.is_exact:
        return "solved"
    return f"{line.visits:,}" if line.visits is not None else str(line.depth or "")


def _effort(analysis: Analysis) -> list[str]:
    """What it took, in pieces that stay together."""
    counts, is_tree = analysis.counts, "playouts" in analysis.counts
    pieces = [
        f"depth {analysis.depth}",
        f"{analysis.nodes:,} {'playouts' if is_tree else 'nodes'}",
        f"{_short(analysis.nodes_per_second)}/s",
        f"{analysis.seconds:.1f} s",
    ]
    if analysis.table_hits is not None and analysis.nodes:
        pieces.append(f"table hits {_percent(analysis.table_hits / analysis.nodes)}")
    if analysis.cut_off_rate is not None:
        first = analysis.first_move_cut_rate
        pieces.append(f"cut-offs {_percent(analysis.cut_off_rate)}")
        pieces += [] if first is None else [f"by the first move {_percent(first)}"]
    if is_tree:
        pieces.append(f"memory {_percent(counts['tree'] / counts['tree_capacity'])}")
    return pieces


def _short(number: float) -> str:
    """Three digits and a unit."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:.0f}"


def _sign(seats: tuple[Seat, Seat], seat: int) -> str:
    """A seat in one character, as the board shows it."""
    return cut(sign_of(seats[seat].mark, SEAT_TONES[seat]), 8)


def _colour(palette: Palette, score: int) -> str:
    return palette.ink if score == 0 else palette.first_deep if score > 0 else palette.second_deep


def _flowing(pieces: Iterable[str], width: int) -> list[str]:
    """Pieces in as few rows as they need, none of them broken."""
    rows: list[str] = []
    for piece in pieces:
        longer = f"{rows[-1]}   {piece}" if rows else piece
        if rows and text_width(longer) <= width:
            rows[-1] = longer
        else:
            rows.append(cut(piece, width))
    return rows


# ---- sheets


def _sheet(rows: Sequence[Row], width: int, palette: Palette) -> Canvas:
    """The rows on a sheet, a blank before each."""
    canvas = Canvas(width, len(rows), palette.board)
    for y, row in enumerate(rows):
        x = 1
        for text, look in row:
            canvas.write(x, y, text, look)
            x += text_width(printable(text))
    return canvas


def _together(one: Canvas, other: Canvas, x: int, y: int) -> Canvas:
    """Both on one sheet, the other one from (x, y) on."""
    size = max(one.width, x + other.width), max(one.height, y + other.height)
    canvas = Canvas(*size, one.ground)
    for part, left, top in ((one, 0, 0), (other, x, y)):
        for name in ("letters", "colours", "grounds", "bolds", "instead", "joints"):
            for row, line in enumerate(getattr(part, name)):
                getattr(canvas, name)[top + row][left : left + part.width] = line
    return canvas
