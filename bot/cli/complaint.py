"""How a command fails: one sentence for the operator, and an exit status."""

import sys

MAY_PASS, NEEDS_OPERATOR = 1, 2
"""Exit statuses: another start may succeed, or the operator has to act first (see deploy/kropka.service)."""


def complain(sentence: str, status: int) -> int:
    """Prints the sentence, and returns the status."""
    print(sentence, file=sys.stderr)  # noqa: T201
    return status
