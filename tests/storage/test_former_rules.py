"""Matches and terms that were stored before presets were corrected (decision 0046): the first go on by the rules with
which they began, the others follow their preset."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import IdempotencyKey, Millis, UserId
from play.match import offers
from play.match.events import OfferKind
from play.match.match import Match
from play.people.settings import PlayerSettings
from play.records import sgf
from play.records.transcript import transcript
from rules.dots import FORMER_PRESETS, Dots
from rules.game import Outcome, Seat
from rules.registry import GAMES
from storage import Database
from tests.matches import ANNA, BORIS, CLARA, a_match, add_match, load_match, play_turn, save_match

PLAYERS = (ANNA, BORIS, CLARA, UserId(104))

RING = "0:C5 0:B4 0:D4 1:C4"
"""All but the last dot of a red ring round a blue one. Its top is on the edge."""

HOUSE = "0:B5 0:C5 0:A4 0:D4 0:B3 0:C3"
"""A red ring round two empty crossings."""


def former(key: str, stones: str = "") -> Dots:
    """Returns a preset as it was then, on a small field."""
    return FORMER_PRESETS[key].with_options(
        {"size": "5x5", **({"start": "stones", "stones": stones} if stones else {})}
    )


def begun(game: Dots) -> Match:
    return a_match(game=game, players=PLAYERS[: game.seats], control="10m+30s")


async def stored(url: str, match: Match) -> Match:
    """Stores a match with all its events; returns it as another process reads it."""
    async with Database.open(url) as store:
        kept = await add_match(store, begun_again(match))
        for event in match.events:
            kept = await save_match(store, kept.after(event))
    async with Database.open(url) as store:
        return await load_match(store, kept.id)


def begun_again(match: Match) -> Match:
    assert isinstance(match.game, Dots)
    return begun(match.game)


def agree_to_end(match: Match) -> Match:
    at = Millis(match.clock.since + 1)
    offered = offers.offer(match, ANNA, OfferKind.END, at, IdempotencyKey(7))
    return offers.agree(offered, BORIS, OfferKind.END, at, IdempotencyKey(8))


@pytest.mark.parametrize("key", FORMER_PRESETS)
async def test_a_match_is_stored_without_the_option_reuse_and_read_by_the_rules_of_before(url: str, key: str) -> None:
    read = await stored(url, begun(former(key)))
    assert "reuse" not in read.game.options
    assert read.game == former(key)


async def test_under_sport_territory_of_before_a_player_lands(url: str) -> None:
    match = begun(former("sport-territory", RING))
    for turn in ("C3 paint C4", "E1", "land"):
        match = play_turn(match, turn)
    read = await stored(url, match)
    assert read.outcome == match.outcome == Outcome((Seat(0),), "land")


async def test_on_paper_of_before_an_agreed_end_counts_what_is_closed_without_a_line(url: str) -> None:
    read = await stored(url, agree_to_end(play_turn(play_turn(begun(former("paper", RING)), "C3"), "E1")))
    assert (read.score, read.outcome) == ((1, 0), Outcome((Seat(0),), "agreed"))


async def test_in_zagram_of_before_an_agreed_end_counts_room_to_move(url: str) -> None:
    read = await stored(url, agree_to_end(play_turn(play_turn(begun(former("zagram", HOUSE)), "A1"), "E1")))
    assert (read.score, read.outcome) == ((1, 0), Outcome((Seat(0),), "agreed"))


async def test_in_zagram_of_today_an_agreed_end_counts_captured_dots(url: str) -> None:
    game = GAMES["zagram"].with_options({"size": "5x5", "start": "stones", "stones": HOUSE})
    assert isinstance(game, Dots)
    read = await stored(url, agree_to_end(play_turn(play_turn(begun(game), "A1"), "E1")))
    assert (read.score, read.outcome) == ((0, 0), Outcome((Seat(0), Seat(1)), "agreed"))


async def test_in_classic_of_before_playing_out_keeps_its_four_minutes(url: str) -> None:
    match = await stored(url, play_turn(play_turn(play_turn(begun(former("classic")), "A1"), "E5"), "stop"))
    assert match.clock.countdown == 4 * 60_000


def test_a_record_of_before_is_read_back_by_its_rules() -> None:
    match = begun(former("sport-territory", RING))
    for turn in ("C3 paint C4", "E1", "land"):
        match = play_turn(match, turn)
    record = sgf.read(sgf.write(transcript(match, ("Anna", "Boris"))))
    assert record.history is not None
    assert record.history.game == match.game


@pytest.mark.parametrize("key", FORMER_PRESETS)
async def test_default_terms_of_before_follow_their_preset(url: str, key: str) -> None:
    terms = Terms(former(key), parse_control("3d"), rated=True)
    async with Database.open(url) as store, store.write() as tx:
        await tx.people.save(PlayerSettings(ANNA, terms=terms))
    async with Database.open(url) as store, store.read() as reader:
        read = (await reader.people.get(ANNA)).terms
    assert read == replace(terms, game=GAMES[key].with_options({"size": "5x5"}))
