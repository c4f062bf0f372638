"""The limits of what clients can make the stand-in keep."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits, with defaults above every correct client's needs.

    Attributes:
        body_bytes: the size of a request: ten files of 10 MiB and the JSON.
        problems: the problems in the list; the log has all.
        pages: the open pages; one person has a few.
        unidentified: the gateway connections without a session; a client identifies at once.
        queued_payloads: the payloads that wait for a gateway client; one more aborts its connection.
        queued_frames: the frames that wait for a page; one more aborts its connection, and the page reconnects.
    """

    body_bytes: int = 110 * 1024 * 1024
    problems: int = 1000
    pages: int = 64
    unidentified: int = 64
    queued_payloads: int = 10_000
    queued_frames: int = 1000


DEFAULT_BOUNDS = Bounds()
