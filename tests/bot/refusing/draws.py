"""The draws of the refusing run: by a seed, a request of each journey for each failure, once and for ever."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from bot.edge import NETWORK_ERROR
from bot.services.discord_errors import FORBIDDING, REFUSING_DM, ErrorCode
from loopback import Silence
from loopback.errors import REFUSALS, Page, Refusal, cloudflare_page
from rules.registry import GAMES

CODES = (160006, 160007, 200000, 200001, 240000, 400001, 50024, 50035, 50083, 160005, 20009, 30033, 40333, 50278, 40003)

BLOCK_SECONDS = 2.5
"""Seconds for which what is in front of Discord lets no request through, where that lasts."""

LIMIT_SECONDS = 280.0
"""Seconds of the longest limits that people have reported, as of threads (discord-api-docs#7816)."""

FAILURES: Mapping[str, Refusal | Page | Silence] = {
    **{str(code): REFUSALS[code] for code in CODES},
    "unknown": Refusal(400, 77777, "a refusal that nobody knows"),
    "403": Refusal(403, 0, "403: Forbidden"),
    "404": Refusal(404, 0, "404: Not Found"),
    "page": cloudflare_page(403),
    "429": Refusal(429, 0, "You are being rate limited."),
    "limited": Refusal(429, 0, "You are being rate limited."),
    "500": Refusal(500, 0, "500: Internal Server Error"),
    "503": Refusal(503, 0, "503: Service Unavailable"),
    "closed": Silence.CLOSED,
    "hanging": Silence.HANGING,
}
"""The failures by their names in the table."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A journey, and the request that fails in it: number `first` of those to `endpoint`, from 0, or all from it on.

    What is in front of Discord does not look at endpoints: if its failure lasts, all requests fail for a while.
    """

    journey: str
    failure: str
    lasts: bool
    endpoint: str
    first: int

    def __str__(self) -> str:
        when = "from" if self.lasts else "at"
        if self.shuts_out:
            when = f"of all requests for {BLOCK_SECONDS} s from"
        return f"{self.journey}: {self.failure} {when} number {self.first} of {self.endpoint}"

    @property
    def response(self) -> Refusal | Page | Silence:
        return FAILURES[self.failure]

    @property
    def wait_seconds(self) -> float:
        """The seconds after which a request that came too soon may come again."""
        return LIMIT_SECONDS if self.failure == "limited" else 1.0

    @property
    def is_final(self) -> bool:
        """Whether Discord has said that it doesn't take this request."""
        answer = self.response
        is_refusal = isinstance(answer, Refusal) and not self.is_of_edge
        return isinstance(answer, Refusal) and is_refusal and answer.status < 500 and answer.status != 429

    @property
    def is_of_edge(self) -> bool:
        """Whether what is in front of Discord has answered, which says nothing about the request."""
        return isinstance(self.response, Page) or getattr(self.response, "code", 0) == NETWORK_ERROR

    @property
    def shuts_out(self) -> bool:
        """Whether it lets no request through for a while."""
        return self.is_of_edge and self.lasts

    @property
    def is_about_rights(self) -> bool:
        return isinstance(self.response, Refusal) and self.response.status == 403 and self.response.code in FORBIDDING

    @property
    def is_about_a_place(self) -> bool:
        """Whether Discord has said that it knows no such channel, or none that takes text."""
        return isinstance(self.response, Refusal) and (
            self.response.status == 404 or self.response.code == ErrorCode.WRONG_CHANNEL_KIND
        )

    @property
    def closes_dms(self) -> bool:
        return isinstance(self.response, Refusal) and self.response.code in REFUSING_DM

    @property
    def silences(self) -> bool:
        """Whether no answer reaches the people as long as it lasts."""
        return self.lasts and ("/interactions/" in self.endpoint or "/webhooks/" in self.endpoint)


def draw_all(seed: int, requests: Mapping[str, Sequence[str]]) -> Iterator[Draw]:
    """Draws for each journey and failure one of the journey's `requests`, given by their endpoints: once and for ever.

    In the game of a rule set a failure comes once or for ever, in turn: these games have their requests in common. The
    endpoints come in turn, too, so that each of them fails about as often as the others.
    """
    for journey, made in requests.items():
        chance = random.Random(f"{seed} {journey}")
        endpoints = sorted(set(made))
        turns: list[str] = []
        failures = list(product(FAILURES, (False, True)))
        if journey in GAMES:
            odd = chance.randrange(2)
            failures = [each for number, each in enumerate(failures) if (number // 2 + number) % 2 == odd]
        for failure, lasts in failures:
            turns = turns or chance.sample(endpoints, len(endpoints))
            endpoint = turns.pop()
            yield Draw(journey, failure, lasts, endpoint, chance.randrange(made.count(endpoint)))


def take_part(draws: Iterable[Draw], part: str) -> Iterator[Draw]:
    """Returns a part of the draws, as in `2/5`: each fifth of them, from number 2 on. All five make the whole."""
    number, parts = map(int, part.split("/"))
    return islice(draws, number, None, parts)
