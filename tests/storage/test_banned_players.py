"""A ban during a tournament: the present game counts, and no further one is paired."""

from __future__ import annotations

from itertools import count

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.ban import Ban
from play.competitions.tournament import Format, Pairing, Tournament, TournamentId
from play.ids import ChannelId, IdempotencyKey, UserId
from play.match.events import OfferKind
from play.match.points import LOST, WON
from storage import Database
from tests.clock import NOON
from tests.director import direct, make_director
from tests.matches import GAME, GUILD, play_turn
from tests.people import person
from use_cases import UseCases
from use_cases.competitions.tournament_director import TournamentDirector

USERS = tuple(person(101 + number) for number in range(4))
BANNED, HOST, MODERATOR = USERS[0], UserId(899), UserId(901)
_keys = count(1)


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4)


@pytest.fixture
def director(use_cases: UseCases) -> TournamentDirector:
    return make_director(use_cases)


async def begin(use_cases: UseCases, format_: Format) -> Tournament:
    """Begins a tournament of all users, whose games the director has yet to open."""
    terms = Terms(GAME, parse_control("1d"))
    made = await use_cases.tournaments.make(
        Tournament(TournamentId(0), GUILD, ChannelId(1), HOST, "Cup", format_, terms, NOON, rounds=3)
    )
    for user in USERS:
        await use_cases.tournaments.sign_up(made.id, user)
    return await use_cases.tournaments.begin(made.id, NOON)


async def ban(use_cases: UseCases) -> None:
    await use_cases.bans.ban(Ban(GUILD, BANNED, MODERATOR, NOON))


def pair_of(tournament: Tournament, user: UserId = BANNED) -> Pairing | None:
    """Returns the player's pair of the present round."""
    return next((pair for pair in tournament.current_pairings if user in (pair.first, pair.second)), None)


def points_of(pair: Pairing | None, user: UserId) -> float:
    assert pair is not None
    assert pair.points is not None
    return pair.points[0] if pair.first == user else pair.points[1]


async def win_all(use_cases: UseCases, tournament: Tournament) -> None:
    """Lets the banned player, and else the first player, win each open game."""
    for pair in tournament.current_pairings:
        if pair.points is None:
            assert pair.match is not None
            assert pair.second is not None
            loser = pair.first if pair.second == BANNED else pair.second
            await use_cases.matches.resign(pair.match, loser, NOON, IdempotencyKey(next(_keys)))


@pytest.mark.parametrize("format_", [each for each in Format if each is not Format.EXHIBITION])  # that has one round
async def test_a_banned_player_finishes_the_present_game_and_is_not_paired_again(
    use_cases: UseCases, director: TournamentDirector, format_: Format
) -> None:
    cup = await direct(director, use_cases, (await begin(use_cases, format_)).id)
    await ban(use_cases)
    opened = pair_of(cup)
    await win_all(use_cases, cup)
    cup = await direct(director, use_cases, cup.id)
    assert cup.round == 2
    first = next(pair for pair in cup.pairings if opened and pair.match == opened.match)
    assert points_of(first, BANNED) == 1
    again = pair_of(cup)
    assert again is None or (again.match is None and again.points in (WON, LOST) and points_of(again, BANNED) == 0)


async def test_a_game_that_was_not_opened_yet_is_lost_by_a_banned_player(
    use_cases: UseCases, director: TournamentDirector
) -> None:
    cup = await begin(use_cases, Format.SWISS)
    await ban(use_cases)
    cup = await direct(director, use_cases, cup.id)
    pair = pair_of(cup)
    assert pair is not None
    assert (pair.match, points_of(pair, BANNED)) == (None, 0)


async def test_a_drawn_game_of_a_knockout_is_not_replayed_by_a_banned_player(
    use_cases: UseCases, director: TournamentDirector
) -> None:
    cup = await direct(director, use_cases, (await begin(use_cases, Format.KNOCK_OUT)).id)
    await ban(use_cases)
    pair = pair_of(cup)
    assert pair is not None
    assert pair.match is not None
    match = await use_cases.matches.load(pair.match)
    for _ in range(2):
        turn = play_turn(match).events[-1]
        player = match.players[turn.seat]
        match = await use_cases.matches.move(match.id, player, turn.text, NOON, IdempotencyKey(next(_keys)))
    await use_cases.actions.propose(match.id, match.players[0], OfferKind.DRAW, NOON, IdempotencyKey(next(_keys)))
    await use_cases.actions.agree(match.id, match.players[1], OfferKind.DRAW, NOON, IdempotencyKey(next(_keys)))
    cup = await direct(director, use_cases, cup.id)
    assert points_of(pair_of(cup), BANNED) == 0


async def test_the_opponent_gets_the_point_of_a_game_that_ends_with_the_ban(
    use_cases: UseCases, director: TournamentDirector
) -> None:
    cup = await direct(director, use_cases, (await begin(use_cases, Format.SWISS)).id)
    await ban(use_cases)
    assert (await use_cases.bans.end_games(GUILD, MODERATOR, BANNED, NOON)).ended == 1
    cup = await direct(director, use_cases, cup.id)
    assert points_of(pair_of(cup), BANNED) == 0


async def test_a_ban_on_another_server_changes_no_tournament(use_cases: UseCases, director: TournamentDirector) -> None:
    cup = await direct(director, use_cases, (await begin(use_cases, Format.SWISS)).id)
    await use_cases.bans.ban(Ban(type(GUILD)(GUILD + 1), BANNED, MODERATOR, NOON))
    assert (await use_cases.tournaments.load(cup.id)).playing == cup.playing
