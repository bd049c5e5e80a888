"""What the source of a Python bot says without being run: its shape, its imports, and calls that lose games.

Reading proves little: what counts is what a bot does when it runs. Only calls that no bot can make unpunished, in
code that its turns can reach, are held against it; all else is said, so that nobody is surprised later.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef
TREES = (ast.FunctionDef, ast.AsyncFunctionDef)

# Whoever calls one of these loses the game at once, whatever comes back.
CERTAIN = {
    "runs a program": "os.system os.popen os.posix_spawn os.posix_spawnp subprocess.run subprocess.Popen pty.spawn "
    "subprocess.call subprocess.check_call subprocess.check_output subprocess.getoutput subprocess.getstatusoutput "
    "os.execl os.execle os.execlp os.execv os.execve os.execvp os.execvpe os.spawnl os.spawnv os.spawnvp "
    "asyncio.create_subprocess_exec asyncio.create_subprocess_shell webbrowser.open",
    "starts a process": "os.fork os.forkpty pty.fork",
    "starts a thread": "_thread.start_new_thread",
    "uses the network": "socket.socket socket.create_connection socket.create_server urllib.request.urlopen "
    "urllib.request.urlretrieve requests.get requests.post",
    "changes files": "os.remove os.unlink os.rename os.mkdir os.makedirs os.rmdir shutil.rmtree",
}
# These lose it for some arguments, or for what is done next.
LIKELY = {
    "may start a thread": "threading.Thread threading.Timer concurrent.futures.ThreadPoolExecutor asyncio.to_thread "
    "multiprocessing.pool.ThreadPool",
    "may start a process": "multiprocessing.Process multiprocessing.Pool concurrent.futures.ProcessPoolExecutor",
    "opens a file": "open io.open os.open codecs.open",
    "looks into folders": "os.listdir os.scandir os.walk glob.glob",
    "sends a signal": "os.kill os.killpg signal.pthread_kill",
    "waits for somebody to type": "input sys.stdin.read sys.stdin.readline",
    "ends its own process": "exit quit sys.exit os._exit os.abort",
}
# These hide from a reader what is done.
HIDING = {
    "runs code that cannot be read here": "exec eval",
    "imports by a name that cannot be read here": "__import__ importlib.import_module",
    "calls the system past Python": "ctypes.CDLL ctypes.cdll.LoadLibrary",
}
ACTS = {
    name: (kind, what)
    for kind, table in (("certain", CERTAIN), ("likely", LIKELY), ("hiding", HIDING))
    for what, names in table.items()
    for name in names.split()
}
_TEMPTING = (
    "threading _thread multiprocessing subprocess socket ctypes asyncio concurrent http urllib ftplib smtplib ssl "
    "shutil tempfile pty mmap webbrowser socketserver xmlrpc"
)
TEMPTING = frozenset(_TEMPTING.split())  # most of what they do is forbidden; importing them is not


class Import(NamedTuple):
    """A module that the file asks for; `is_optional` where the file says what to do without it."""

    module: str
    line: int
    is_optional: bool

    @property
    def package(self) -> str:
        return self.module.partition(".")[0]


class Act(NamedTuple):
    """A call, what it does, and whether a turn of the bot can come to it."""

    name: str
    line: int
    what: str
    kind: str  # certain, likely or hiding
    is_reached: bool


class Shape(NamedTuple):
    """A class with a method `move`, or a function of the file, and how many arguments it takes."""

    name: str
    line: int
    least: int
    most: int | None  # None for any number

    def takes(self, arguments: int) -> bool:
        return self.least <= arguments and (self.most is None or arguments <= self.most)


class Reading(NamedTuple):
    """What a file's source says of it."""

    lines: int
    classes: tuple[Shape, ...] = ()  # with a method `move`, self not counted
    functions: tuple[Shape, ...] = ()
    imports: tuple[Import, ...] = ()
    acts: tuple[Act, ...] = ()
    mistake: str = ""  # why it is no Python, with its line

    def unknown(self, *, allows_numpy: bool) -> list[Import]:
        """Imports that cannot be had in the sandbox."""
        known = {*sys.stdlib_module_names, *(["numpy"] if allows_numpy else [])}
        return [found for found in self.imports if found.package not in known]


def read_source(source: str) -> Reading:
    """Never raises, whatever the source is."""
    lines = source.count("\n") + (not source.endswith("\n"))
    try:
        tree = ast.parse(source)
        return _reading(tree, lines)
    except SyntaxError as error:
        return Reading(lines, mistake=f"line {error.lineno}: {str(error.msg)[:120]}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Reading(lines, mistake=f"it cannot be read: {type(error).__name__}")


def _reading(tree: ast.Module, lines: int) -> Reading:
    names, imports = _imports(tree)
    reached = {id(node) for node in _reached(tree)}
    acts = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (called := _dotted(node.func, names)) in ACTS:
            kind, what = ACTS[called]
            acts.append(Act(called, node.lineno, what, kind, id(node) in reached))
    return Reading(
        lines,
        classes=tuple(
            _shape(part, name=node.name, drops_self=True)
            for node in tree.body
            if isinstance(node, ast.ClassDef)
            for part in node.body
            if isinstance(part, TREES) and part.name == "move"
        ),
        functions=tuple(_shape(node, name=node.name) for node in tree.body if isinstance(node, TREES)),
        imports=tuple(sorted(imports, key=lambda found: found.line)),
        acts=tuple(sorted(acts, key=lambda act: act.line)),
    )


def _shape(node: Function, *, name: str, drops_self: bool = False) -> Shape:
    arguments = node.args
    most = len(arguments.posonlyargs) + len(arguments.args) - drops_self
    least = most - len(arguments.defaults)
    return Shape(name, node.lineno, least, None if arguments.vararg else most)


def _imports(tree: ast.Module) -> tuple[dict[str, str], list[Import]]:
    """What each name stands for that an import binds, and the modules themselves."""
    optional = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Try) and node.handlers
        for part in node.body
        for inner in ast.walk(part)
    }
    names: dict[str, str] = {}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                names[alias.asname or whole] = whole
                found.append(Import(alias.name, node.lineno, id(node) in optional))
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            names |= {alias.asname or alias.name: f"{module}.{alias.name}" for alias in node.names}
            found.append(Import(module, node.lineno, id(node) in optional))
    return names, found


def _dotted(node: ast.expr, names: dict[str, str]) -> str:
    """os.path.join for what is called, import names resolved; nothing for what is no plain name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([names.get(node.id, node.id), *reversed(parts)])


def _reached(tree: ast.Module) -> Iterator[ast.AST]:
    """Code that loading and turns can come to: all that is named from there on, whoever it belongs to."""
    bodies: dict[str, list[Function]] = {}
    for node in ast.walk(tree):
        if isinstance(node, TREES):
            bodies.setdefault(node.name, []).append(node)
    entries = ("move", "play", "choose", "make_your_move")
    wanted = [name for name in bodies if name in entries or name.startswith("__")]
    seen, waiting = set(wanted), [part for name in wanted for part in bodies[name]]
    code: list[ast.AST] = [tree]
    while code:
        for node in _own(code.pop()):
            yield node
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
            if name in bodies and name not in seen:
                seen.add(name)
                waiting += bodies[name]
        code += waiting
        waiting = []


def _own(root: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a piece of code, without the functions defined in it and without what runs as a script only."""
    waiting: list[ast.AST] = [root]
    while waiting:
        node = waiting.pop()
        yield node
        for child in ast.iter_child_nodes(node):
            if isinstance(child, TREES):
                waiting += [*child.decorator_list, *child.args.defaults]
            elif isinstance(child, ast.If) and _is_script_test(child.test):
                waiting += child.orelse
            else:
                waiting.append(child)


def _is_script_test(test: ast.expr) -> bool:
    """Whether this is `__name__ == "__main__"`."""
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and test.left.id == "__name__"
        and any(isinstance(other, ast.Constant) and other.value == "__main__" for other in test.comparators)
    )
