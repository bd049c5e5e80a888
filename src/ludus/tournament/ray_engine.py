"""The engine `ray`: any Ray cluster, or one on this machine. Needs the extra `ludus[ray]`."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import redirect_stdout
from typing import Any, ParamSpec, TypeVar

import ray
from ray.exceptions import NodeDiedError, OutOfMemoryError, WorkerCrashedError

from ludus.errors import EngineError
from ludus.search.cores import usable_cores

P = ParamSpec("P")
R = TypeVar("R")


class Ray:
    """A cluster by its address; without one, a cluster of this machine alone."""

    name = "ray"
    lost: tuple[type[BaseException], ...] = (WorkerCrashedError, NodeDiedError, OutOfMemoryError)

    def __init__(self, address: str, *, workers: int | None) -> None:
        here = {} if address else {"num_cpus": workers or usable_cores(), "include_dashboard": False}
        self._most = workers if address else None
        self._printing = redirect_stdout(sys.stderr)  # Ray prints there when a worker dies; the table is to stand alone
        try:
            ray.init(address=address or "local", log_to_driver=False, logging_level=logging.ERROR, **here)
        except Exception as error:  # Ray raises plain ones, as where its processes do not start in time
            where = f"no Ray cluster answers at {address}" if address else "Ray does not start here"
            raise EngineError(f"{where}: {' '.join(str(error).split())[:200]}") from None
        self._printing.__enter__()
        self.executor: Executor = _RayExecutor()

    def slots(self) -> int:
        return self._most or int(ray.cluster_resources().get("CPU", 1))

    def close(self) -> None:
        ray.shutdown()
        self._printing.__exit__(None, None, None)


class _RayExecutor(Executor):
    def __init__(self) -> None:
        # max_retries=0: who tries again, and how often, is the driver's business.
        self._call: Any = ray.remote(_called).options(num_cpus=1, max_retries=0)

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        future: Future[R] = self._call.remote(fn, args, kwargs).future()
        return future


def _called(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)
