"""Bans of a server: what a banned member cannot do, and what ends with the ban."""

from __future__ import annotations

from itertools import count

import pytest

from play.challenge.challenge import ChallengeState
from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.ban import MAX_BANS, Ban
from play.community.news import LogAction, News
from play.competitions.ladder import Ladder
from play.competitions.tournament import Format, Tournament, TournamentId
from play.ids import ChallengeId, ChannelId, GuildId, IdempotencyKey, Millis, UserId
from play.match.match import Match
from play.people.settings import ServerSettings
from play.refusal import Refused
from rules.registry import make_game
from storage import Database
from tests.clock import DAY, NOON
from tests.matches import ANNA, BORIS, CLARA, GUILD
from use_cases import UseCases

MODERATOR = UserId(900)
LOG = ChannelId(77)
TERMS = Terms(make_game("zagram", {"size": "10x10"}), parse_control("1d"))
_channels = map(ChannelId, count(1))
_keys = map(IdempotencyKey, count(1))


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4)


async def ban(use_cases: UseCases, user: UserId = ANNA, until: int | None = None, guild: GuildId = GUILD) -> None:
    end = None if until is None else Millis(until)
    await use_cases.bans.ban(Ban(guild, user, MODERATOR, NOON, end, "rude"))


async def ask(use_cases: UseCases, user: UserId, opponent: UserId | None, at: int = NOON) -> ChallengeId:
    return (await use_cases.challenges.challenge(user, opponent, GUILD, next(_channels), TERMS, Millis(at))).id


async def begin(use_cases: UseCases, moves: int = 2) -> Match:
    offered = await use_cases.challenges.challenge(ANNA, BORIS, GUILD, next(_channels), TERMS, NOON)
    _, match = await use_cases.challenges.accept(offered.id, BORIS, NOON)
    assert match is not None
    for _ in range(moves):
        move = str(next(iter(match.position.moves())))
        mover = match.players[match.position.to_act]
        match = await use_cases.matches.move(match.id, mover, move, NOON, next(_keys))
    return match


async def logged(store: Database) -> list[News]:
    async with store.read() as reader:
        found = [await reader.news.get(each) for each in await reader.news.pending(50)]
    return [news for news in found if news is not None]


async def test_a_banned_member_neither_challenges_nor_accepts(use_cases: UseCases) -> None:
    before = await ask(use_cases, BORIS, None)
    await ban(use_cases)
    with pytest.raises(Refused, match="banned"):
        await ask(use_cases, ANNA, None)
    with pytest.raises(Refused, match="banned"):
        await use_cases.challenges.accept(before, ANNA, NOON)
    with pytest.raises(Refused, match="no_game_with"):
        await ask(use_cases, BORIS, ANNA)


async def test_a_banned_member_joins_neither_ladder_nor_tournament(use_cases: UseCases) -> None:
    await use_cases.ladders.make(Ladder(GUILD, ChannelId(9), TERMS), UserId(1))
    cup = await use_cases.tournaments.make(
        Tournament(TournamentId(0), GUILD, ChannelId(8), BORIS, "Cup", Format.SWISS, TERMS, NOON, rounds=3)
    )
    await ban(use_cases)
    with pytest.raises(Refused, match="banned"):
        await use_cases.ladders.join(GUILD, ANNA, NOON)
    with pytest.raises(Refused, match="banned"):
        await use_cases.ladders.survey(GUILD, ANNA)
    with pytest.raises(Refused, match="banned"):
        await use_cases.tournaments.sign_up(cup.id, ANNA)


async def test_a_ban_ends_by_itself(use_cases: UseCases) -> None:
    await ban(use_cases, until=NOON + DAY)
    with pytest.raises(Refused, match="banned_until"):
        await ask(use_cases, ANNA, None, NOON + DAY - 1)
    assert await ask(use_cases, ANNA, None, NOON + DAY)


async def test_a_ban_holds_on_its_own_server_alone(use_cases: UseCases) -> None:
    await ban(use_cases, guild=GuildId(4242))
    assert await ask(use_cases, ANNA, None)


async def test_moderators_of_another_server_lift_nothing(use_cases: UseCases) -> None:
    await ban(use_cases)
    with pytest.raises(Refused, match="not_banned"):
        await use_cases.bans.lift(GuildId(4242), MODERATOR, ANNA, NOON)
    with pytest.raises(Refused, match="banned"):
        await ask(use_cases, ANNA, None)


async def test_a_lifted_ban_lets_the_member_play(use_cases: UseCases) -> None:
    await ban(use_cases)
    await use_cases.bans.lift(GUILD, MODERATOR, ANNA, NOON)
    assert await ask(use_cases, ANNA, None)
    assert await use_cases.bans.load(GUILD) == []


async def test_moderators_neither_ban_nor_unban_themselves(use_cases: UseCases) -> None:
    with pytest.raises(Refused, match="ban_self"):
        await ban(use_cases, MODERATOR)
    with pytest.raises(Refused, match="ban_self"):
        await use_cases.bans.lift(GUILD, ANNA, ANNA, NOON)


async def test_open_challenges_of_a_banned_member_end(use_cases: UseCases) -> None:
    own, asked = await ask(use_cases, ANNA, None), await ask(use_cases, BORIS, ANNA)
    three = Terms(make_game("three", {}), parse_control("1d"))
    several = await use_cases.challenges.challenge(CLARA, None, GUILD, next(_channels), three, NOON)
    await use_cases.challenges.accept(several.id, ANNA, NOON)
    await ban(use_cases)
    states = [(await use_cases.challenges.load(each)).state for each in (own, asked, several.id)]
    assert states == [ChallengeState.WITHDRAWN, ChallengeState.DECLINED, ChallengeState.OPEN]
    assert (await use_cases.challenges.load(several.id)).joined == ()


async def test_a_banned_member_leaves_the_ladder_and_a_defender_does_not_lose_the_place_to_a_ban(
    use_cases: UseCases,
) -> None:
    await use_cases.ladders.make(Ladder(GUILD, ChannelId(9), TERMS), UserId(1))
    for user in (BORIS, ANNA):
        await use_cases.ladders.join(GUILD, user, NOON)
    duel = await use_cases.ladders.challenge(GUILD, ANNA, BORIS, NOON)
    await ban(use_cases)
    ladder = await use_cases.ladders.load(GUILD)
    assert (ladder.users, ladder.duels) == ((BORIS,), ())
    assert (await use_cases.challenges.load(duel.id)).state is ChallengeState.WITHDRAWN


async def test_running_games_go_on(use_cases: UseCases) -> None:
    match = await begin(use_cases)
    await ban(use_cases)
    mover = match.players[match.position.to_act]
    move = str(next(iter(match.position.moves())))
    assert not (await use_cases.matches.move(match.id, mover, move, NOON, next(_keys))).outcome


async def test_ended_games_are_won_by_the_opponent_or_annulled_before_both_have_moved(use_cases: UseCases) -> None:
    long, short = await begin(use_cases), await begin(use_cases, moves=1)
    await ban(use_cases)
    assert await use_cases.bans.end_games(GUILD, MODERATOR, ANNA, NOON) == (2, 0)
    over = (await use_cases.matches.load(long.id)).outcome
    assert over is not None
    assert [long.players[seat] for seat in over.winners] == [BORIS]
    annulled = (await use_cases.matches.load(short.id)).outcome
    assert annulled is not None
    assert not annulled.winners


async def test_a_moderator_does_not_end_their_own_game_with_a_banned_member(use_cases: UseCases) -> None:
    match = await begin(use_cases)
    assert await use_cases.bans.end_games(GUILD, BORIS, ANNA, NOON) == (0, 1)
    assert not (await use_cases.matches.load(match.id)).outcome


async def test_a_server_has_a_limit_of_bans_and_those_that_are_over_do_not_count(
    use_cases: UseCases, store: Database
) -> None:
    await ban(use_cases, UserId(4999), until=NOON - 1)
    async with store.write() as tx:
        for number in range(1, MAX_BANS):
            await tx.bans.put(Ban(GUILD, UserId(5000 + number), MODERATOR, NOON))
    await ban(use_cases, UserId(5000))
    with pytest.raises(Refused, match="too_many_bans"):
        await ban(use_cases, UserId(9000))
    await ban(use_cases, UserId(5000), until=NOON + DAY)
    assert len(await use_cases.bans.load(GUILD)) == MAX_BANS


async def test_bans_and_decisions_are_logged_with_what_they_decide(use_cases: UseCases, store: Database) -> None:
    match = await begin(use_cases)
    await ban(use_cases)
    assert await logged(store) == []
    async with store.write() as tx:
        await tx.servers.save(ServerSettings(GUILD, log_channel=LOG))
    await ban(use_cases, until=NOON + DAY)
    await use_cases.bans.lift(GUILD, MODERATOR, ANNA, NOON)
    await use_cases.moderation.extend(match.id, MODERATOR, GUILD, ANNA, Millis(60_000), NOON, next(_keys))
    with pytest.raises(Refused):
        await use_cases.moderation.adjudge(match.id, ANNA, GUILD, ANNA, NOON, next(_keys))
    await use_cases.moderation.adjudge(match.id, MODERATOR, GUILD, ANNA, NOON, next(_keys))
    await use_cases.moderation.void(match.id, MODERATOR, GUILD, NOON)
    entries = [news.entry for news in await logged(store) if news.entry is not None]
    assert [entry.action for entry in entries] == [
        LogAction.BANNED,
        LogAction.UNBANNED,
        LogAction.EXTENDED,
        LogAction.ENDED,
        LogAction.ANNULLED,
    ]
    assert {entry.by for entry in entries} == {MODERATOR}
    assert entries[0].detail == ("rude", str(NOON + DAY))
    assert {news.channel for news in await logged(store) if news.entry} == {LOG}
