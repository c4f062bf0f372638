"""A process that makes films, pictures and files: `python -m bot.services.job_worker NICENESS`, started by job_pool.py.

Its input may come from any user. So its memory is bounded, and it ends itself where no parent is left to end it.
Windows can do neither: there the bot ends a job after its time (docs/decisions/proof.md#0064).
"""

import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

from opponent.worker import lower_priority, serve

if sys.platform != "win32":
    import resource

MEMORY_BYTES = 1024 * 1024 * 1024
"""Bytes of address space: ten times what the film of the largest field takes."""


class Exhausted(Exception):
    """The job takes more of the processor than it may."""


def work(cpu: float, alarm: int, job: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Returns what `job` makes of its arguments in at most `cpu` seconds of the processor, however busy that is.

    After `alarm` seconds the process ends, whatever it is doing. Raises Exhausted, and what `job` raises.
    """
    _set_timers(cpu, alarm)
    try:
        return do(job, arguments)
    finally:
        _set_timers(0, 0)


def do(job: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Returns what `job` makes of its arguments. Raises what it raises, with a note of where."""
    try:
        return job(*arguments)
    except Exception as error:
        error.add_note(traceback.format_exc())  # the traceback itself stays behind
        raise


def _set_timers(cpu: float, alarm: int) -> None:
    """Sets both timers where the system has them; 0 stops one."""
    if sys.platform != "win32":
        signal.alarm(alarm)
        signal.setitimer(signal.ITIMER_PROF, cpu)


def _stop(*_: object) -> None:
    raise Exhausted


def main() -> None:
    lower_priority(int(sys.argv[1]))
    if sys.platform != "win32":
        signal.signal(signal.SIGPROF, _stop)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    serve(work)


if __name__ == "__main__":
    from bot.services import job_worker  # by its own name, under which the bot knows Exhausted

    job_worker.main()
