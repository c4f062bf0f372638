"""A game of two servers: what costs the other one nothing a server decides alone, everything else both together."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count

import pytest

from play.community.news import LogAction, News, NewsKind
from play.ids import ChannelId, GuildId, IdempotencyKey, Millis, UserId
from play.match.adjudication import RULING_MILLIS, RulingKind
from play.match.match import Match
from play.people.settings import ServerSettings
from play.refusal import Refused
from storage import Database
from tests.clock import HOUR, StoppedClock
from tests.matches import ANNA, BORIS, GUILD, a_match, add_match, away_place, load_match, play_turn, resign, save_match
from use_cases import UseCases

THERE = GuildId(8)
MODERATORS = {GUILD: UserId(901), THERE: UserId(902)}
LOGS = {GUILD: ChannelId(71), THERE: ChannelId(72)}
_sources = map(IdempotencyKey, count(1_000_000))
Deed = Callable[[UseCases, Match, GuildId, Millis], Awaitable[Match]]


async def annul(use_cases: UseCases, match: Match, guild: GuildId, at: Millis) -> Match:
    return await use_cases.moderation.annul(match.id, MODERATORS[guild], guild, at, next(_sources))


async def draw(use_cases: UseCases, match: Match, guild: GuildId, at: Millis) -> Match:
    return await use_cases.moderation.adjudge(match.id, MODERATORS[guild], guild, None, at, next(_sources))


async def anna_wins(use_cases: UseCases, match: Match, guild: GuildId, at: Millis) -> Match:
    return await use_cases.moderation.adjudge(match.id, MODERATORS[guild], guild, ANNA, at, next(_sources))


async def more_for_anna(use_cases: UseCases, match: Match, guild: GuildId, at: Millis) -> Match:
    return await use_cases.moderation.extend(match.id, MODERATORS[guild], guild, ANNA, HOUR, at, next(_sources))


@pytest.fixture
async def match(store: Database) -> Match:
    """Both have moved; Anna is at home here, Boris there."""
    begun = await add_match(store, a_match(1, control="3d", away=away_place(2)))
    async with store.write() as tx:
        for guild, channel in LOGS.items():
            await tx.servers.save(ServerSettings(guild, log_channel=channel))
    return await save_match(store, play_turn(await save_match(store, play_turn(begun))))


async def news(store: Database) -> list[News]:
    async with store.read() as reader:
        found = [await reader.news.get(each) for each in await reader.news.pending(50)]
    return [each for each in found if each is not None]


async def logged(store: Database) -> list[tuple[GuildId, LogAction, UserId, UserId | None]]:
    return [
        (each.guild, each.entry.action, each.entry.by, each.entry.subject) for each in await news(store) if each.entry
    ]


@pytest.mark.parametrize("first", [GUILD, THERE])
@pytest.mark.parametrize("deed", [annul, draw])
async def test_what_costs_both_is_done_when_both_have_asked_for_it(
    store: Database, use_cases: UseCases, match: Match, clock: StoppedClock, first: GuildId, deed: Deed
) -> None:
    second = THERE if first == GUILD else GUILD
    with pytest.raises(Refused, match="ruling_proposed"):
        await deed(use_cases, match, first, clock())
    assert (await load_match(store, match.id)).outcome is None
    [asked] = [each for each in await news(store) if each.kind is NewsKind.RULING]
    assert (asked.guild, asked.channel, asked.about) == (second, 2 if second == THERE else 1, match.id)
    decided = await deed(use_cases, match, second, clock())
    assert decided.outcome is not None
    assert await logged(store) == [
        (first, LogAction.PROPOSED, MODERATORS[first], None),
        (second, LogAction.AGREED, MODERATORS[second], None),
    ]
    async with store.read() as reader:
        assert await reader.rulings.of_match(match.id) is None


async def test_a_server_alone_decides_nothing_however_often_it_asks(
    store: Database, use_cases: UseCases, match: Match, clock: StoppedClock
) -> None:
    for _ in range(5):
        with pytest.raises(Refused, match="ruling_proposed"):
            await anna_wins(use_cases, match, GUILD, clock())
    assert (await load_match(store, match.id)).version == match.version
    assert len([each for each in await news(store) if each.kind is NewsKind.RULING]) == 1


async def test_servers_that_propose_different_things_have_agreed_on_nothing(
    store: Database, use_cases: UseCases, match: Match, clock: StoppedClock
) -> None:
    for deed, guild in ((annul, GUILD), (draw, THERE), (annul, GUILD)):
        with pytest.raises(Refused, match="ruling_proposed"):
            await deed(use_cases, match, guild, clock())
    assert (await load_match(store, match.id)).outcome is None
    with pytest.raises(Refused, match="ruling_proposed"):
        await draw(use_cases, match, THERE, clock())
    assert (await draw(use_cases, match, GUILD, clock())).outcome is not None


async def test_a_proposal_lapses(store: Database, use_cases: UseCases, match: Match, clock: StoppedClock) -> None:
    with pytest.raises(Refused, match="ruling_proposed"):
        await annul(use_cases, match, GUILD, clock())
    late = Millis(clock() + RULING_MILLIS)
    with pytest.raises(Refused, match="ruling_proposed"):
        await annul(use_cases, match, THERE, late)
    assert (await load_match(store, match.id)).outcome is None
    assert (await annul(use_cases, match, GUILD, Millis(late + 1))).outcome is not None


async def test_a_server_gives_up_its_own_game_and_gives_time_to_the_other_alone(
    store: Database, use_cases: UseCases, match: Match, clock: StoppedClock
) -> None:
    longer = await more_for_anna(use_cases, match, THERE, clock())
    assert longer.clock.deadline != match.clock.deadline
    over = await anna_wins(use_cases, match, THERE, clock())
    assert over.outcome is not None
    assert over.outcome.winners == (match.seat_of(ANNA),)
    assert {entry[:2] for entry in await logged(store)} == {(THERE, LogAction.AGREED)}


async def test_more_time_for_its_own_player_needs_the_other_server(
    store: Database, use_cases: UseCases, match: Match, clock: StoppedClock
) -> None:
    with pytest.raises(Refused, match="ruling_proposed"):
        await more_for_anna(use_cases, match, GUILD, clock())
    shown, ruling = await use_cases.moderation.proposed(match.id, THERE)
    assert (shown.version, ruling.kind, ruling.seat, ruling.time) == (match.version, RulingKind.EXTEND, 0, HOUR)
    assert (await more_for_anna(use_cases, match, THERE, clock())).version == match.version + 1


async def test_a_game_that_has_hardly_begun_either_server_calls_off(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    begun = await save_match(store, play_turn(await add_match(store, a_match(1, away=away_place(2)))))
    assert (await annul(use_cases, begun, THERE, clock())).outcome is not None


@pytest.mark.parametrize("guild", [GuildId(9), None])
async def test_a_third_server_has_no_say(
    use_cases: UseCases, match: Match, clock: StoppedClock, guild: GuildId | None
) -> None:
    with pytest.raises(Refused, match="not_of_this_server"):
        await use_cases.moderation.annul(match.id, UserId(9), guild, clock(), next(_sources))


async def test_a_player_proposes_nothing_about_their_own_game(
    store: Database, use_cases: UseCases, match: Match, clock: StoppedClock
) -> None:
    with pytest.raises(Refused, match="own_match"):
        await use_cases.moderation.annul(match.id, BORIS, THERE, clock(), next(_sources))
    assert await news(store) == []


async def test_what_nobody_or_the_own_server_proposes_is_nothing_to_agree_to(
    store: Database, use_cases: UseCases, match: Match, clock: StoppedClock
) -> None:
    with pytest.raises(Refused, match="ruling_over"):
        await use_cases.moderation.proposed(match.id, THERE)
    with pytest.raises(Refused, match="ruling_proposed"):
        await annul(use_cases, match, GUILD, clock())
    with pytest.raises(Refused, match="ruling_over"):
        await use_cases.moderation.proposed(match.id, GUILD)
    await save_match(store, resign(match))
    with pytest.raises(Refused, match="ruling_over"):
        await use_cases.moderation.proposed(match.id, THERE)


async def test_a_finished_game_of_two_servers_keeps_its_result(
    store: Database, use_cases: UseCases, match: Match, clock: StoppedClock
) -> None:
    await save_match(store, resign(match))
    for guild in (GUILD, THERE):
        with pytest.raises(Refused, match="between_servers"):
            await use_cases.moderation.void(match.id, MODERATORS[guild], guild, clock())
        with pytest.raises(Refused, match="between_servers"):
            await use_cases.moderation.check_annulment(match.id, MODERATORS[guild], guild)
