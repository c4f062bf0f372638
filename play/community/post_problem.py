"""Why a server's regular post, its home or the daily, cannot be posted."""

from __future__ import annotations

from enum import StrEnum


class PostProblem(StrEnum):
    """The problem; part of the key of a sentence."""

    CHANNEL = "channel"
    PERMISSION = "permission"
    KIND = "kind"
    REFUSED = "refused"
