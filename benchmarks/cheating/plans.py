"""The frame of the searches: a plan is a choice in each of some slots, and climbing finds the best ones."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from math import prod
from random import Random
from typing import NamedTuple

from benchmarks.figure import Figure
from tools.program import say

Plan = tuple[str, ...]
"""An act for each slot of a subject, in their order."""

Gains = Mapping[str, float]
"""Gains of a plan, by aim: games ended, boards taken, points made."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A game that is searched: `slots` with the acts of each, of which the first one is honest, and `play`, which tells
    what a plan brings. `limits` are what the best plan may bring, by aim. `play_anew` tells it by other luck: the best
    of many plans owes part of its gain to that."""

    name: str
    slots: Mapping[str, Sequence[str]]
    play: Callable[[Plan], Awaitable[Gains]]
    limits: Gains
    play_anew: Callable[[Plan], Awaitable[Gains]] | None = None

    @property
    def honest(self) -> Plan:
        return tuple(acts[0] for acts in self.slots.values())

    @property
    def size(self) -> int:
        """How many plans there are."""
        return prod(map(len, self.slots.values()))

    def changes(self) -> Iterator[Mapping[str, str]]:
        """Yields each act for its slot; of slots that differ by the number of an account only, for all together and for
        the first one: three may do what one can't."""
        for _, group in groupby(sorted(self.slots, key=_without_number), key=_without_number):
            slots = [*group]
            for act in self.slots[slots[0]]:
                yield dict.fromkeys(slots, act)
                if len(slots) > 1:
                    yield {slots[0]: act}

    def tell(self, plan: Plan) -> str:
        """Returns what a plan does other than honest members."""
        acts = zip(self.slots, plan, self.honest, strict=True)
        return "; ".join(f"{slot}: {act}" for slot, act, honest in acts if act != honest) or "honest"


CONFIRMED = 8
"""The best plans for each aim, which are played anew."""


class Found(NamedTuple):
    """The plan that brings the most for an aim, what it brings, and what honest members have without any."""

    aim: str
    plan: Plan
    gain: float
    honest: float


class Search:
    """Plays the plans of a subject, each once, all of them or by climbing."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.tried: dict[Plan, Gains] = {}
        self._count = 0

    async def gains(self, plan: Plan) -> Gains:
        """Returns what a plan brings."""
        if plan not in self.tried:
            self.tried[plan] = await self.subject.play(plan)
        return self.tried[plan]

    async def try_all(self) -> None:
        """Plays every plan."""
        for plan in product(*self.subject.slots.values()):
            await self.gains(plan)

    async def climb(self, starts: int, seed: int) -> None:
        """Climbs for each aim from the honest plan, and from `starts` random ones, as long as a change brings more."""
        random = Random(seed)  # noqa: S311 - no secret
        slots = [*self.subject.slots.values()]
        for aim in self.subject.limits:
            for start in range(starts + 1):
                plan = tuple(map(random.choice, slots)) if start else self.subject.honest
                await self._climb_from(plan, aim)

    async def _climb_from(self, plan: Plan, aim: str) -> None:
        best, is_rising = (await self.gains(plan))[aim], True
        while is_rising:
            is_rising = False
            for change in self.subject.changes():
                other = tuple(change.get(slot, act) for slot, act in zip(self.subject.slots, plan, strict=True))
                if (gain := (await self.gains(other))[aim]) > best:
                    plan, best, is_rising = other, gain, True

    async def confirm(self) -> None:
        """Plays the best plans anew, and keeps these alone."""
        self._count = len(self.tried)
        if self.subject.play_anew is None:
            return
        best = {self.subject.honest}
        for aim in self.subject.limits:
            best.update(sorted(self.tried, key=lambda plan: -self.tried[plan][aim])[:CONFIRMED])
        self.tried = {plan: await self.subject.play_anew(plan) for plan in best}

    def found(self) -> list[Found]:
        """Returns the best plan for each aim, of equal ones that with the fewest acts that aren't honest."""
        honest, best = self.subject.honest, []
        for aim in self.subject.limits:
            plan = max(self.tried, key=lambda plan: (round(self.tried[plan][aim], 6), _same(plan, honest)))
            best.append(Found(aim, plan, self.tried[plan][aim], self.tried[honest][aim]))
        return best

    def figures(self) -> Iterable[Figure]:
        """Prints what was found as a table, and yields it with its limits."""
        subject = self.subject
        say(f"\n{subject.name}: {self._count or len(self.tried)} of {subject.size} plans\n")
        say("| aim | honest | the best plan | it brings |\n|---|---:|---|---:|")
        for found in self.found():
            say(f"| {found.aim} | {found.honest:.2f} | {subject.tell(found.plan)} | {found.gain:.2f} |")
            yield Figure(f"{subject.name}: {found.aim}", found.gain, "", subject.limits[found.aim])


def _without_number(slot: str) -> str:
    return re.sub(r"\d", "", slot)


def _same(plan: Plan, honest: Plan) -> int:
    return sum(act == other for act, other in zip(plan, honest, strict=True))
