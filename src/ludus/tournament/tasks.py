"""What the driver and its workers send each other: games to play, and how they went, as bytes."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ludus.tournament.pairing import Pairing
from ludus.tournament.store import StoredGame


class Numbered(NamedTuple):
    """A game and the key under which it is stored."""

    key: int
    pairing: Pairing


class Task(NamedTuple):
    """Some games of the tournament whose kit has this hash, and the content of files that a worker lacked."""

    kit: str
    games: tuple[Numbered, ...]
    blobs: dict[str, bytes]
    live: str = ""  # the folder for games while they are played, if anybody may watch

    def to_bytes(self) -> bytes:
        return pickle.dumps(self)


class Reply(NamedTuple):
    """The games as they were played; or nothing but the hashes of files that the worker must have first."""

    games: tuple[StoredGame, ...] = ()
    missing: tuple[str, ...] = ()

    def to_bytes(self) -> bytes:
        return pickle.dumps(self)


PlayTask: TypeAlias = Callable[[bytes], bytes]
"""Plays a Task and gives its Reply, both as bytes: some engines take long over anything else."""


def task_of_bytes(content: bytes) -> Task:
    task = pickle.loads(content)  # noqa: S301  # from our own driver
    assert isinstance(task, Task)
    return task


def reply_of_bytes(content: bytes) -> Reply:
    reply = pickle.loads(content)  # noqa: S301  # from our own worker
    assert isinstance(reply, Reply)
    return reply
