"""Machine code on disk, keyed by everything it depends on, so that a stale or foreign file is never run.

numba's own cache will not do: it keys a function by its own file, so an edited callee goes unnoticed, and
two games can end up with one symbol. Here the name of a file is a hash of rules, search, compiler and CPU,
and its content carries a checksum: a damaged file is compiled afresh.

    <cache home>/<fingerprint of everything>/<entry point>-<hash of signature and CPU>.bin
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import pickle
import platform
import re
import secrets
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult

from ludus.compile.news import compiling_begins

KEEP = 400  # folders; the oldest go first, as every edit of a rules file leaves one behind


def renumber_functions() -> None:
    """Start numba's function numbers somewhere random.

    Every process numbers its functions from 1, and the number is part of their symbols. Code cached by two
    processes and loaded into a third can then share symbols, the linker keeps one body for both, and one
    game silently plays by the rules of another (numba issue 10486).
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))


renumber_functions()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=renumber_functions)


def cache_home() -> Path:
    """LUDUS_CACHE, or `ludus` in the user's cache folder."""
    if os.environ.get("LUDUS_CACHE"):
        return Path(os.environ["LUDUS_CACHE"])
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludus"
    except RuntimeError:  # a user without a home: a folder of this process alone, since code is run from it
        return _private_folder()


@cache
def _private_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="ludus-"))


@cache
def toolchain() -> str:
    """A hash of the compiler and of our own part of it."""
    versions = (numba.__version__, llvmlite.__version__, np.__version__, platform.python_version())
    digest = hashlib.sha256(repr(versions).encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def has_hole(compiled: Any) -> bool:
    """Whether machine code calls through an address that is filled in only in the process that compiled it.

    Recursion between two specialisations of one function does that (numba issue 6061): loaded into another
    process, such code aborts. `bits.plain` around literals avoids it in our searches.
    """
    return any(".numba.unresolved" in v.name for v in compiled.library._final_module.global_variables)


class CodeOnDisk(_Cache):  # type: ignore[misc]  # numba is untyped
    """The cache of one entry point. It never raises for what it finds on disk, or for a disk that is full."""

    def __init__(self, name: str, fingerprint: str) -> None:
        key = hashlib.sha256((fingerprint + toolchain()).encode()).hexdigest()[:32]
        self.folder, self.name = cache_home() / key, name

    @property
    def cache_path(self) -> str:
        return str(self.folder)

    def _file(self, signature: Any, codegen: Any) -> Path:
        key = hashlib.sha256(repr((signature, codegen.magic_tuple())).encode()).hexdigest()
        return self.folder / f"{self.name}-{key[:16]}.bin"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        loaded = self._loaded(sig, target_context)
        if loaded is None:
            compiling_begins()
        return loaded

    def _loaded(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        try:
            content = self._file(sig, target_context.codegen()).read_bytes()
            checksum, payload = content[:32], content[32:]
            if hashlib.sha256(payload).digest() != checksum:
                return None
            return CompileResult._rebuild(target_context, *pickle.loads(payload))  # noqa: S301  # our own file
        except OSError:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if has_hole(data) or data.library.has_dynamic_globals:
            return  # it works here and now, and would not elsewhere
        payload = pickle.dumps(data._reduce(), protocol=pickle.HIGHEST_PROTOCOL)
        with contextlib.suppress(OSError):  # a full or read-only disk must not stop a game
            is_new = not self.folder.exists()
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(self._file(sig, data.codegen), hashlib.sha256(payload).digest() + payload)
            if is_new:
                forget_oldest(self.folder.parent)

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def write_whole(file: Path, content: bytes) -> None:
    """Put a file in place at once, so that a process beside us reads all of it or nothing."""
    descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=".writing-")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        Path(temporary).replace(file)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


def forget_oldest(home: Path) -> None:
    """Keep the cache from growing with every edit of every rules file."""
    ours = [folder for folder in home.iterdir() if re.fullmatch("[0-9a-f]{32}", folder.name)]
    folders = sorted(ours, key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEEP:]:
        shutil.rmtree(folder, ignore_errors=True)
