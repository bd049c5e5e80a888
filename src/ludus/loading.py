"""Run a rules file from anywhere, with the helpers beside it, as it stands on disk this moment.

Python's own import would be wrong here in three ways: a helper called `board` of one game would be
handed to the next game that has one; compiled bytecode is only compared by seconds and size, so a quick
edit can go unnoticed; and a file outside the path cannot be imported at all.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.abc
import importlib.util
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from ludus.errors import GameNotFoundError, RulesError

_one_at_a_time = threading.RLock()


class _FreshLoader(SourceFileLoader):
    """Compiles the source every time and leaves no `__pycache__` behind."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class _Beside(importlib.abc.MetaPathFinder):
    """Finds helpers in one folder, as `import helper` and as `from . import helper`."""

    def __init__(self, folder: Path, package: str, names: set[str]) -> None:
        self.folder, self.package, self.names = folder, package, names

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] not in (self.package, *self.names):
            return None  # none of ours: the standard library keeps its names
        place = self.folder.joinpath(*fullname.removeprefix(self.package + ".").split("."))
        for file in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
            if file.is_file():
                return importlib.util.spec_from_file_location(fullname, file, loader=_FreshLoader(fullname, str(file)))
        return None


@contextmanager
def _helpers_from(folder: Path, package: str) -> Iterator[None]:
    """Let imports find the folder's files first, and forget them afterwards for the next game."""
    beside = {f.stem for f in folder.glob("*.py")} | {f.parent.name for f in folder.glob("*/__init__.py")}
    names = {name for name in beside if name not in sys.stdlib_module_names and name != "ludus"}
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]  # what was imported when this file was loaded before
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] in names}
    finder = _Beside(folder, package, names)
    sys.meta_path.insert(0, finder)
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.partition(".")[0] in names]:
            del sys.modules[name]
        sys.modules.update(hidden)


def load_file(file: Path, *, name: str | None = None) -> ModuleType:
    """The module of a rules file; with a `name` it is an ordinary import of ours.

    The file is run: load only what you would run. Errors inside it are RulesErrors with file and line.
    """
    if name is not None:
        return importlib.import_module(name)
    package = f"ludus_rules_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"
    with _one_at_a_time, _helpers_from(file.parent, package):
        parent = ModuleType(package)
        parent.__path__ = [str(file.parent)]
        sys.modules[package] = parent
        full_name = f"{package}.{file.stem}"
        spec = importlib.util.spec_from_file_location(full_name, file, loader=_FreshLoader(full_name, str(file)))
        if spec is None or spec.loader is None:
            raise GameNotFoundError(f"{file}: this is not a Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[full_name] = module  # NamedTuple and dataclass look their module up here
        try:
            with redirect_stdout(sys.stderr):  # the output of a command is the command's
                spec.loader.exec_module(module)
        except SyntaxError as error:
            raise RulesError(f"{error.msg}", path=error.filename or file, line=error.lineno) from None
        except (Exception, SystemExit) as error:
            found = last_line_in(error, file.parent)
            if found is None:
                raise RulesError(f"cannot be read as Python: {error}", path=file) from None
            where, line = found
            raise RulesError(f"{type(error).__name__}: {error}", path=where, line=line) from error
    return module


def last_line_in(error: BaseException, folder: Path) -> tuple[str, int] | None:
    """The innermost file and line of a traceback that lies in the folder."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).is_relative_to(folder) and frame.lineno is not None:
            return frame.filename, frame.lineno
    return None
