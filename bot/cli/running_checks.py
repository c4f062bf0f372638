"""The check of `kropka doctor` that asks the running bot on this machine what Discord has refused lately."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import aiohttp
import yarl
from prometheus_client.parser import text_string_to_metric_families

from bot.cli.findings import Answer, CannotAsk, Check, bad, good, hint
from bot.settings import StatusSettings
from bot.telemetry.metrics import INVALID_REQUESTS, PAUSE
from bot.telemetry.reach import reason

MAX_REFUSALS: Final = 1_000
"""Refusals an hour that call for the operator. After 10,000 in ten minutes Discord shuts an address out."""

ANY_HOST: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - addresses to listen on, and to ask at
"""Where to ask a bot that listens on all addresses."""


class RunningChecks:
    """The check of one examination."""

    def __init__(self, settings: StatusSettings, http: aiohttp.ClientSession) -> None:
        self._settings = settings
        self._http = http

    def checks(self) -> tuple[Check, ...]:
        """Returns the check."""
        return (Check("refusals", "Has Discord refused the running bot much in the last hour?", self._refusals),)

    async def _refusals(self) -> AsyncIterator[Answer]:
        host, port = self._settings.status_host, self._settings.status_port
        if not port:
            raise CannotAsk("KROPKA_STATUS_PORT isn't set, so a running bot can't be asked")
        address = yarl.URL.build(scheme="http", host=ANY_HOST.get(host, host), port=port, path="/metrics")
        try:
            async with self._http.get(address, allow_redirects=False) as answer:
                families = [*text_string_to_metric_families(await answer.text())]
        except (aiohttp.ClientError, OSError) as error:
            raise CannotAsk(f"no bot answers on port {port} ({reason(error)}); start it, and ask again") from error
        except ValueError:
            families = []
        values = {family.name: family.samples for family in families}
        if pause := max((sample.value for sample in values.get(PAUSE, ())), default=0.0):
            yield hint(
                f"for {pause:.0f} s the bot sends nothing that can wait, since what is in front of Discord has answered"
                " in its place; the log says what. Leave it running: it tries again by itself"
            )
        counts = {sample.labels["status"]: int(sample.value) for sample in values.get(INVALID_REQUESTS, ())}
        if not counts:
            yield bad(f"another program answers on port {port}, or an older Kropka; compare KROPKA_STATUS_PORT")
            return
        told = ", ".join(f"{status}: {count:,}" for status, count in sorted(counts.items()))
        where = "the log has Discord's sentence for each, and docs/operators.md, Watch it, says what they mean"
        if sum(counts.values()) >= MAX_REFUSALS:
            yield bad(f"{told}; {where}. Stop the bot before Discord shuts its address out (10,000 in ten minutes)")
        elif any(counts.values()):
            yield hint(f"{told}; {where}")
        else:
            yield good(told)
