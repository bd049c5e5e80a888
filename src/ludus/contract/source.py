"""What can be seen wrong in the source of rules, before they are played: with file and line."""

from __future__ import annotations

import ast
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from ludus.contract.word import HIGH, LOW
from ludus.errors import RulesError
from ludus.reach import functions_reached, values_used
from ludus.rules import Game

COMPILED = ("turn", "moves", "play", "result", "payoffs", "banked", "core")  # the functions that become machine code
HEAP: dict[type[ast.AST], str] = {
    ast.List: "a list",
    ast.ListComp: "a list",
    ast.Set: "a set",
    ast.SetComp: "a set",
    ast.Dict: "a dict",
    ast.DictComp: "a dict",
    ast.GeneratorExp: "a generator",
    ast.JoinedStr: "a string",
}
STATEMENTS: dict[type[ast.AST], str] = {
    ast.Try: "try",
    ast.With: "with",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.Await: "await",
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.ClassDef: "class",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.Delete: "del",
    ast.Lambda: "lambda",
}
CALLS = {name: f"a {name}" for name in ("list", "set", "dict", "frozenset", "str", "bytes", "bytearray")} | {
    name: f"{name}()"
    for name in ("print", "open", "input", "sorted", "reversed", "map", "filter", "iter", "next", "eval", "exec")
}


def check_source(game: Game) -> None:
    """Raise a RulesError at the first construct that compiled rules cannot have."""
    entries = [getattr(game.module, name) for name in COMPILED if hasattr(game.module, name)]
    entries += [] if game.guess is None else [game.guess]
    for function in functions_reached(entries):
        node = definition(function)
        if node is not None:
            _check_body(function, node, game.module.State)
        for name, value in values_used(function):
            _check_value(function, node, name, value)


def _tree(path: str) -> ast.Module | None:
    try:
        return ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None  # a function without a file of its own


def definition(function: FunctionType) -> ast.FunctionDef | None:
    """The source of a function, where it has one."""
    tree = _tree(function.__code__.co_filename)
    if tree is None:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == function.__name__:
            first_line = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first_line == function.__code__.co_firstlineno:
                return node
    return None


def _check_body(function: FunctionType, definition: ast.FunctionDef, state: Any) -> None:
    if definition.args.kwonlyargs or definition.args.kwarg or definition.args.vararg:
        raise RulesError(
            f"in {function.__name__}(): only plain parameters can be compiled, without * and **",
            path=function.__code__.co_filename,
            line=definition.lineno,
        )
    parameters = {argument.arg for argument in definition.args.args}
    for node in [inner for statement in definition.body for inner in ast.walk(statement)]:
        complaint = _complaint(node, parameters, state)
        if complaint:
            raise RulesError(
                f"in {function.__name__}(): {complaint}",
                path=function.__code__.co_filename,
                line=getattr(node, "lineno", definition.lineno),
            )


def _says_a_constant(node: ast.Assert | ast.Raise) -> bool:
    """Whether what an exception is given is known beforehand."""
    said = [node.msg] if isinstance(node, ast.Assert) else node.exc.args if isinstance(node.exc, ast.Call) else []
    return all(part is None or isinstance(part, ast.Constant) for part in said)


def _complaint(node: ast.AST, parameters: set[str], state: Any) -> str | None:
    """What is wrong with one node of a function that is to be compiled."""
    if type(node) in HEAP:
        return f"{HEAP[type(node)]} cannot be compiled; rules use ints and tuples"
    if type(node) in STATEMENTS:
        return f"{STATEMENTS[type(node)]} cannot be compiled; rules are plain functions over ints"
    if isinstance(node, ast.Assert | ast.Raise) and not _says_a_constant(node):
        return "an exception with a value cannot be compiled; give it a constant text, or none"
    if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        what = "the state is" if name in parameters else f"{name or 'something'} is"
        return f"{what} changed in place; return a new State(...) instead"
    if isinstance(node, ast.Attribute):
        return _about_attribute(node, parameters, state)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "bin":
            return "bin() cannot be compiled; x.bit_count() counts the ones of x"
        return f"{CALLS[node.func.id]} cannot be compiled; rules use ints and tuples" if node.func.id in CALLS else None
    if isinstance(node, ast.Constant) and type(node.value) is int and not LOW <= node.value <= HIGH:
        return f"the number {str(node.value)[:24]} does not fit in 63 bits"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift | ast.RShift):
        return _about_shift(node)
    return None


def _about_attribute(node: ast.Attribute, parameters: set[str], state: Any) -> str | None:
    if node.attr in ("_replace", "_asdict", "_make"):
        return f"{node.attr} cannot be compiled; write State(...) out with all its fields"
    is_of_state = isinstance(node.value, ast.Name) and node.value.id in parameters and hasattr(state, node.attr)
    if is_of_state and node.attr not in (*state._fields, *dir(tuple)):
        return f"{node.attr} is a method or property of State, which cannot be compiled; make it a function"
    return None


def _about_shift(node: ast.BinOp) -> str | None:
    by = node.right.value if isinstance(node.right, ast.Constant) else None
    if type(by) is not int:
        return None
    if not 0 <= by <= 63:
        return f"a shift by {by}: compiled code can shift by 0 to 63 only"
    left = node.left.value if isinstance(node.left, ast.Constant) else None
    if type(left) is int and isinstance(node.op, ast.LShift) and left << by > HIGH:
        return f"the number {ast.unparse(node)} does not fit in 63 bits"
    return None


def _check_value(function: FunctionType, node: ast.FunctionDef | None, name: str, value: object) -> None:
    problem = _problem_with(value)
    if problem:
        first = name.partition(".")[0]
        lines = [n.lineno for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == first] if node else []
        raise RulesError(
            f"in {function.__name__}(): {name} is {problem}",
            path=function.__code__.co_filename,
            line=min(lines, default=function.__code__.co_firstlineno),
        )


def _problem_with(value: object) -> str | None:
    if isinstance(value, type) and not issubclass(value, tuple) and value.__module__ != "builtins":
        return "a class, which cannot be compiled; make its constants plain globals"
    if isinstance(value, bool | float | str | FunctionType | BuiltinFunctionType | ModuleType | type | None):
        return None
    if isinstance(value, int):
        return None if LOW <= value <= HIGH else "a number that does not fit in 63 bits"
    if isinstance(value, tuple):
        return next((problem for item in value if (problem := _problem_with(item))), None)
    if callable(value):
        return "a decorated function, which cannot be compiled; remove the decorator"
    kind = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
    article = "an" if kind[0] in "aeiou" else "a"
    return f"{article} {kind}, which cannot be compiled; make it a tuple of ints"
