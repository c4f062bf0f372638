"""Searches for a stranger, as the workers find them on every engine."""

from __future__ import annotations

from play.challenge.terms import Terms
from play.clock import Speed, parse_control
from play.community.seek import LIFETIME
from play.ids import ChannelId, Millis
from rules.registry import GAMES
from storage import Database
from tests.clock import NOON
from tests.matches import ANNA, BORIS
from use_cases import UseCases

TERMS = Terms(GAMES["quick"], parse_control("10m+10s"))


async def test_a_search_waits_until_its_time_is_over(store: Database) -> None:
    use_cases = UseCases.over(store, lambda: 0)
    early = await use_cases.seeks.look(ANNA, None, ChannelId(1), TERMS, NOON)
    late = await use_cases.seeks.look(BORIS, None, ChannelId(2), TERMS, Millis(NOON + 1))
    end = Millis(NOON + LIFETIME[Speed.LIVE])
    async with store.read() as reader:
        assert await reader.seeks.waiting(Millis(NOON + 1), 5) == [early, late]
        assert await reader.seeks.waiting(NOON, 5) == [early]
        assert await reader.seeks.expired(Millis(end - 1), 5) == []
        assert await reader.seeks.expired(end, 5) == [early]
