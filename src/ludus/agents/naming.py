"""Agents by name: `alphabeta:time=1.0,threads=2` and the like. For command lines and events.

The name of an agent is a module of this package and a class in it; its options are the keyword arguments of the
class, so that what can be said is written down once.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any

from ludus.agents.agent import Agent
from ludus.errors import AgentError, NetworkError
from ludus.rules import Game

KINDS = {
    "random": "simple:RandomAgent",
    "greedy": "simple:GreedyAgent",
    "minimax": "simple:MinimaxAgent",
    "alphabeta": "searching:AlphaBetaAgent",
    "mcts": "searching:MctsAgent",
    "tricky": "tricky:TrickyAgent",
    "solver": "solving:SolverAgent",
    "pijuns": "pijuns:PijunsAgent",
    "best": "best:best_agent",
    "level": "levels:level_agent",
}
MOST_THREADS, MOST_DIGITS = 256, 18  # a whole number of so many digits fits in 63 bits
MOST_REAL = 1e9
OURS = ("game", "name", "seed")  # given by whoever makes the agent, never as options


def make_agent(game: Game, text: str, *, seed: int = 0) -> Agent:
    """The agent of that name, ready to play: what it compiles, it has compiled. Else an AgentError."""
    kind, options = parse_agent(text)
    factory = _factory(kind)
    try:
        agent: Agent = factory(game=game, name=text, seed=seed, **options)
    except NetworkError as error:
        raise AgentError(f"agent {text[:60]!r}: {error}") from None
    except MemoryError:
        raise AgentError(f"agent {text[:60]!r}: there is not enough memory") from None
    except (ValueError, OverflowError) as error:
        raise AgentError(f"agent {text[:60]!r}: {str(error)[:160]}") from None
    return agent


def parse_agent(text: str) -> tuple[str, dict[str, Any]]:
    """The kind of an agent and its options as values; `level:7` is short for `level:number=7`."""
    kind, colon, rest = text.strip().partition(":")
    if kind not in KINDS:
        raise AgentError(f"there is no agent {kind[:40]!r}; the agents are {', '.join(KINDS)}")
    known = agent_options(kind)
    options: dict[str, Any] = {}
    for word in rest.split(",") if colon else []:
        key, equals, value = (part.strip() for part in word.partition("="))
        if not equals and kind == "level":
            key, value = "number", key
        elif not equals:
            raise AgentError(f"agent {text[:60]!r}: {word[:30]!r} is not KEY=VALUE")
        if key not in known:
            raise AgentError(f"agent {text[:60]!r}: {kind} has no option {key[:30]!r}; {_has(kind, known)}")
        if key in options:
            raise AgentError(f"agent {text[:60]!r}: {key} is given twice")
        options[key] = _value(text, key, value, str(known[key].annotation))
    if kind == "level" and not options:
        raise AgentError(f"agent {text[:60]!r}: it needs a number, as in level:5")
    return kind, options


def amended(text: str, more: str) -> str:
    """The name of an agent with more options; those that it has already give way to them."""
    kind, _, own = text.partition(":")
    words = [word.strip() for word in f"{own},{more}".split(",") if word.strip()]
    by_key = {word.partition("=")[0]: word for word in words}
    return f"{kind}:{','.join(by_key.values())}" if by_key else kind


def agent_options(kind: str) -> dict[str, inspect.Parameter]:
    """The options of a kind of agent, with their types and defaults."""
    parameters = inspect.signature(_factory(kind)).parameters
    return {key: p for key, p in parameters.items() if key not in OURS}


def _factory(kind: str) -> Any:
    module, _, name = KINDS[kind].partition(":")
    return getattr(importlib.import_module(f"ludus.agents.{module}"), name)


def _has(kind: str, known: dict[str, inspect.Parameter]) -> str:
    if kind == "level":
        return "it takes a number only, as in level:5"
    return f"its options are {', '.join(known)}" if known else f"{kind} has no options"


def _value(text: str, key: str, value: str, annotation: str) -> Any:
    """The value as the annotation wants it: int, float, str, any of them `| None`."""
    wanted = annotation.partition(" ")[0]
    if wanted == "int" and value.isascii() and value.isdigit():
        return _whole(text, key, value)
    if wanted == "float":
        try:
            real = float(value)
        except ValueError:
            real = -1.0
        if 0 <= real <= MOST_REAL:  # neither nan nor inf
            return real
    elif wanted == "str" and value:
        return value
    shown = "the level" if key == "number" else key
    raise AgentError(f"agent {text[:60]!r}: {shown} is {value[:20]!r}; {_expected(key, wanted)} was expected")


def _expected(key: str, wanted: str) -> str:
    if key == "number":
        from ludus.agents.levels import LEVELS  # noqa: PLC0415  # levels are made of agents by name

        return f"a number from 1 to {len(LEVELS)}"
    return {"int": "a whole number from 0 up", "float": f"a number from 0 to {MOST_REAL:.0f}", "str": "a word"}[wanted]


def _whole(text: str, key: str, digits: str) -> int:
    """The number that the digits say, within the limits of its option."""
    if len(digits.lstrip("0")) > MOST_DIGITS:
        sentence = f"{key} is {digits[:20]!r}; a number of at most {MOST_DIGITS} digits was expected"
        raise AgentError(f"agent {text[:60]!r}: {sentence}")
    number = int(digits)
    if key == "threads" and not 1 <= number <= MOST_THREADS:
        raise AgentError(f"agent {text[:60]!r}: threads is {number}; a number from 1 to {MOST_THREADS} was expected")
    if key == "mb" and number == 0:
        raise AgentError(f"agent {text[:60]!r}: mb is 0; a number from 1 up was expected")
    return number
