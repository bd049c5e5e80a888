"""What two Python files have in common, whatever their names are: runs of tokens, each told by its hash.

Identifiers, numbers and texts are made alike and comments dropped, so renaming, reordering and reformatting hide
nothing. A run is RUN tokens long; shorter likenesses are how Python is written. Code that everybody was given counts
for nobody.
"""

from __future__ import annotations

import hashlib
import io
import keyword
import tokenize
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

RUN = 24  # tokens: about three lines
LEAST_OWN = 80  # tokens of one's own, below which a share says nothing
WIDELY, LEAST_TEAMS = 0.25, 8  # a run that so many of at least so many files have was given to them, or is the game's
DROPPED = frozenset(
    [tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER]
)
KEPT_NAMES = frozenset([*keyword.kwlist, "self", "range", "len", "max", "min", "sorted", "sum", "abs"])


class Token(NamedTuple):
    """A token as it is compared, and where it stands: lines from 1, columns from 0."""

    text: str
    start: tuple[int, int]
    end: tuple[int, int]


class Fingerprint(NamedTuple):
    """A file's tokens, and the hash of the run that begins at each."""

    tokens: tuple[Token, ...]
    runs: tuple[bytes, ...]

    def covered(self, wanted: frozenset[bytes] | set[bytes]) -> list[bool]:
        """For each token whether it lies in one of these runs."""
        found, until = [], 0
        for at in range(len(self.tokens)):
            if at < len(self.runs) and self.runs[at] in wanted:
                until = at + RUN
            found.append(at < until)
        return found


class Likeness(NamedTuple):
    """The code that two files share, which of it nobody gave them, and how much of each file's own that is."""

    shared: frozenset[bytes]
    tokens: tuple[int, int]  # of each that lie in shared runs
    own: tuple[int, int]  # of each that nobody gave

    @property
    def shares(self) -> tuple[float, float]:
        one, other = (
            tokens / own if own >= LEAST_OWN else 0.0 for tokens, own in zip(self.tokens, self.own, strict=True)
        )
        return one, other

    @property
    def share(self) -> float:
        """Of the file that has more of itself in the other."""
        return max(self.shares)


def fingerprint(source: str) -> Fingerprint:
    """Never raises: of a source that is not Python, as much as can be read."""
    tokens = tuple(_tokens(source))
    texts = [token.text for token in tokens]
    runs = tuple(_hash(texts[at : at + RUN]) for at in range(len(texts) - RUN + 1))
    return Fingerprint(tokens, runs)


def given_runs(prints: Sequence[Fingerprint], templates: Iterable[Fingerprint]) -> frozenset[bytes]:
    """What counts for nobody: code of templates, and what very many files have."""
    given = {run for template in templates for run in template.runs}
    if len(prints) >= LEAST_TEAMS:
        counts = Counter(run for one in prints for run in set(one.runs))
        given |= {run for run, count in counts.items() if count > max(2, WIDELY * len(prints))}
    return frozenset(given)


def likeness(one: Fingerprint, other: Fingerprint, given: frozenset[bytes]) -> Likeness:
    shared = frozenset(one.runs) & frozenset(other.runs) - given
    tokens, own = [], []
    for each in (one, other):
        is_given = each.covered(given)
        is_shared = each.covered(shared) if shared else [False] * len(each.tokens)
        own.append(sum(not known for known in is_given))
        tokens.append(sum(found and not known for found, known in zip(is_shared, is_given, strict=True)))
    return Likeness(shared, (tokens[0], tokens[1]), (own[0], own[1]))


def _tokens(source: str) -> Iterable[Token]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type not in DROPPED:
                yield Token(_alike(token), token.start, token.end)
    except (tokenize.TokenError, SyntaxError, ValueError):
        return


def _alike(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NAME:
        return token.string if token.string in KEPT_NAMES else "n"
    if token.type == tokenize.NUMBER:
        return "0"
    if token.type == tokenize.NEWLINE:
        return "\n"
    # From Python 3.12 on, the parts of an f-string are tokens of their own.
    return "s" if token.type == tokenize.STRING or tokenize.tok_name[token.type].startswith("FSTRING") else token.string


def _hash(texts: Sequence[str]) -> bytes:
    return hashlib.blake2b("\0".join(texts).encode("utf-8", "backslashreplace"), digest_size=8).digest()
