"""`kropka health`: asks the running bot on this machine how it is.

A container asks every 30 seconds. So this module loads neither discord.py nor the database.
"""

import json
import sys
from http.client import HTTPConnection, HTTPException

from bot.cli.complaint import NEEDS_OPERATOR, complain
from bot.settings import BadSettings, StatusSettings

TIMEOUT_SECONDS = 4.0
"""Seconds that the bot gets to answer: twice what its database gets."""

MAX_BYTES = 64 * 1024
"""Bytes of an answer that are read; a bot answers in some hundred."""


def run() -> int:
    """Runs `kropka health`; returns 1 if a part does not work."""
    try:
        port = StatusSettings.read().status_port
    except BadSettings as error:
        return complain(str(error), NEEDS_OPERATOR)
    if not port:
        return complain(
            "KROPKA_STATUS_PORT: it's missing, so the bot can't be asked. Set it, and restart the bot.", NEEDS_OPERATOR
        )
    well, sentence = query_health(port)
    print(sentence, file=sys.stdout if well else sys.stderr)
    return 0 if well else 1


def query_health(port: int) -> tuple[bool, str]:
    """Returns whether the bot on this machine works, and a sentence for the operator."""
    connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
    try:
        connection.request("GET", "/healthz")
        checks: dict[str, bool] = json.loads(connection.getresponse().read(MAX_BYTES))
        failing = [name for name, works in checks.items() if works is False]
    except (OSError, HTTPException, ValueError, AttributeError) as error:  # the last: JSON, but of something else
        return False, f"no answer on port {port} ({error or type(error).__name__})"
    finally:
        connection.close()
    return not failing, f"not working: {', '.join(failing)}" if failing else "all is well"
