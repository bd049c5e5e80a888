"""The engine `dask`: any Dask cluster, or one on this machine. Needs the extra `ludus[dask]`."""

from __future__ import annotations

import logging
from concurrent.futures import Executor
from typing import Any

import dask.config
from distributed import Client, KilledWorker, LocalCluster

from ludus.errors import EngineError
from ludus.search.cores import usable_cores
from ludus.tournament.engines import ignoring_interrupts

CONNECTING_S = 30


class Dask:
    """A client of a scheduler; without an address, of one started here with so many workers.

    `workers` is how many the cluster may have where it grows with the work: a queue that is filled for today's
    workers would never make it grow.
    """

    name = "dask"
    lost: tuple[type[BaseException], ...] = (KilledWorker,)

    def __init__(self, address: str, *, workers: int | None) -> None:
        self._most = workers if address else None
        self._cluster = None if address else _cluster(workers or usable_cores())
        try:
            self.client: Any = Client(address or self._cluster, timeout=CONNECTING_S, set_as_default=False)
        except (OSError, ValueError) as error:
            raise EngineError(f"no Dask scheduler answers at {address}: {' '.join(str(error).split())[:200]}") from None
        self.client.run_on_scheduler(_fail_at_once())
        # pure=False: a task that is given out again must not be taken for the one before.
        self.executor: Executor = self.client.get_executor(pure=False)

    def slots(self) -> int:
        return self._most or sum(self.client.nthreads().values())

    def close(self) -> None:
        self.client.close(timeout=5)
        if self._cluster is not None:
            self._cluster.close(timeout=5)


def _cluster(workers: int) -> Any:
    """A process and a thread for each worker, no dashboard, and no limit of memory but the bots' own."""
    settings = {"distributed.worker.profile.enabled": False, "distributed.scheduler.allowed-failures": 0}
    with dask.config.set(settings), ignoring_interrupts():  # workers inherit that
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=0,
            dashboard_address=None,
            silence_logs=logging.ERROR,
        )


def _fail_at_once() -> Any:
    """Makes the scheduler report a task whose worker died, rather than try it on other workers by itself."""

    def fail_at_once(dask_scheduler: Any) -> None:  # sent by value: a scheduler need not have Ludus
        dask_scheduler.allowed_failures = 0

    return fail_at_once
