"""What of a training survives a kill: a folder beside the network file, written so that every moment leaves it whole.

    FILE.training/
      lock               held by the process that trains
      positions-7.npz    of round 7, for as long as the network learns from them
      standing.npz       written last: the pupil, the round that is over, and what has been said of each round

Arrays and JSON only, and nothing is ever unpickled.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import NetworkError
from ludus.learn.self_play import FACTS, Positions

VERSION = 2
STANDING = "standing.npz"


class Standing(NamedTuple):
    """Where a training is after a round."""

    about: dict[str, Any]  # the game, the plan, the rounds so far
    pupil: dict[str, NDArray[Any]]
    kept: tuple[int, ...]  # the rounds whose positions the network still learns from


def folder_of(file: Path) -> Path:
    """Where the training of the network in that file is kept."""
    return file.with_name(file.name + ".training")


@contextmanager
def opened(folder: Path, *, is_resumed: bool) -> Iterator[None]:
    """Hold the folder, new or to be gone on with, for this process alone."""
    if not is_resumed and (folder / STANDING).exists():
        raise NetworkError(f"{folder}: a training is there already; --resume goes on with it, or delete the folder")
    if is_resumed and not folder.is_dir():
        raise NetworkError(f"{folder}: there is no training to go on with")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NetworkError(f"{folder}: another process is training there") from None
        try:
            yield
        finally:
            if not (folder / STANDING).exists():  # no round was finished: nothing to go on with
                shutil.rmtree(folder)


def save_positions(folder: Path, number: int, positions: Positions) -> None:
    """Keep the positions of a round; they count once a standing names the round."""
    _save(_positions_file(folder, number), positions._asdict())


def save_standing(folder: Path, standing: Standing) -> None:
    """From here on the training goes on from this standing; positions that it does not name are deleted."""
    about = json.dumps({"version": VERSION, "kept": standing.kept, **standing.about})
    _save(folder / STANDING, {"about": np.frombuffer(about.encode(), np.uint8), **standing.pupil})
    wanted = {_positions_file(folder, number) for number in standing.kept}
    for file in set(folder.glob("positions-*.npz")) - wanted:
        file.unlink()


def load_standing(folder: Path) -> Standing | None:
    """The standing that was saved last; None where the first round was never finished."""
    if not (folder / STANDING).exists():
        return None
    arrays = _load(folder / STANDING)
    try:
        about = json.loads(arrays.pop("about").tobytes())
        if about.pop("version") != VERSION:
            raise NetworkError(f"{folder}: the training of another version of Ludus; it cannot be gone on with")
        return Standing(about, arrays, tuple(int(number) for number in about.pop("kept")))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise _damaged(folder / STANDING) from None


def load_positions(folder: Path, number: int, *, width: int) -> Positions:
    """The positions of a round, of so many words each."""
    file = _positions_file(folder, number)
    arrays = _load(file)
    words, facts = arrays.get("words"), arrays.get("facts")
    is_sound = (
        words is not None
        and facts is not None
        and words.dtype == np.int64
        and facts.dtype == np.int32
        and words.shape == (len(words), width)
        and facts.shape == (len(words), FACTS)
    )
    if not is_sound or words is None or facts is None:
        raise _damaged(file)
    return Positions(words, facts)


def _positions_file(folder: Path, number: int) -> Path:
    return folder / f"positions-{number}.npz"


def _save(file: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write the file as a whole, and have it on the disk before it takes its name."""
    new = file.with_name(file.name + ".new")
    with new.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, **arrays)
        stream.flush()
        os.fsync(stream.fileno())
    new.replace(file)


def _load(file: Path) -> dict[str, NDArray[Any]]:
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error, NotImplementedError):
        raise _damaged(file) from None


def _damaged(file: Path) -> NetworkError:
    return NetworkError(f"{file}: damaged; the training cannot go on from it: delete the folder and begin again")
