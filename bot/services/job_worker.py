"""A process that makes films, pictures and files: `python -m bot.services.job_worker NICENESS`, started by job_pool.py.

Its input may come from any user. So its memory is bounded, and it ends itself where no parent is left to end it.
"""

from __future__ import annotations

import resource
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

from opponent.worker import lower_priority, serve

MEMORY_BYTES = 1024 * 1024 * 1024
"""Bytes of address space: ten times what the film of the largest field takes."""


class Exhausted(Exception):
    """The job takes more of the processor than it may."""


def work(cpu: float, alarm: int, job: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Returns what `job` makes of its arguments in at most `cpu` seconds of the processor, however busy that is.

    After `alarm` seconds the process ends, whatever it is doing. Raises Exhausted, and what `job` raises.
    """
    signal.alarm(alarm)
    signal.setitimer(signal.ITIMER_PROF, cpu)
    try:
        return job(*arguments)
    except Exception as error:
        error.add_note(traceback.format_exc())  # the traceback itself stays behind
        raise
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)


def _stop(*_: object) -> None:
    raise Exhausted


def main() -> None:
    lower_priority(int(sys.argv[1]))
    signal.signal(signal.SIGPROF, _stop)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    serve(work)


if __name__ == "__main__":
    from bot.services import job_worker  # by its own name, under which the bot knows Exhausted

    job_worker.main()
