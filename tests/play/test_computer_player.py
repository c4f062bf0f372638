"""The computer at the table: it acts once where it is its turn, whatever happens meanwhile; nothing here sleeps."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChannelId, IdempotencyKey, MatchId, Millis, UserId
from play.match.events import EventKind, OfferKind
from play.match.match import Match
from rules.game import Seat
from rules.registry import make_game
from storage import Database
from tests.clock import NOON, SECOND, StoppedClock
from tests.matches import ANNA, BORIS, GAME, GUILD, a_match, add_match, load_match, play_turn, save_match
from tests.play.naps import Naps, running
from use_cases import UseCases
from use_cases.match_writer import automatic_key
from use_cases.worker import MAX_PLAY_BACKOFF_SECONDS, MIN_BACKOFF_SECONDS
from use_cases.workers.computer_player import Action, ComputerPlayer

COMPUTER = UserId(900)
AGAINST_IT = (ANNA, COMPUTER)
IT_BEGINS = (COMPUTER, ANNA)


class FirstMoves:
    """Plays the first legal move, after what its script spoils or delays; agrees to `wanted`."""

    def __init__(self) -> None:
        self.script: list[Exception | asyncio.Event] = []
        self.wanted: set[OfferKind] = set()
        self.resigns = False
        self.thoughts: list[tuple[MatchId, int, int | None]] = []
        self.began = asyncio.Event()

    async def choose_action(self, match: Match, level: int | None) -> Action:
        self.thoughts.append((match.id, match.version, level))
        self.began.set()
        if self.script:
            step = self.script.pop(0)
            if isinstance(step, Exception):
                raise step
            await step.wait()
        if self.resigns:
            return Action(EventKind.RESIGN)
        return Action(EventKind.MOVE, str(next(iter(match.position.moves()))))

    async def agrees(self, match: Match, seat: Seat, kind: OfferKind, level: int | None) -> bool:
        return kind in self.wanted


@pytest.fixture
def engine() -> FirstMoves:
    return FirstMoves()


@pytest.fixture
def player(use_cases: UseCases, engine: FirstMoves, naps: Naps) -> ComputerPlayer:
    return computer(use_cases, engine, naps)


def computer(use_cases: UseCases, engine: FirstMoves, naps: Naps, pace: int = 0) -> ComputerPlayer:
    store, matches, actions = use_cases.store, use_cases.matches, use_cases.actions
    player = ComputerPlayer(store, matches, actions, engine, COMPUTER, pace=Millis(pace), timing=naps.timing)
    use_cases.events.match_changed.subscribe(player.note_match)
    return player


async def reached(store: Database, match: Match, version: int) -> Match:
    """The match, as soon as it has that version."""
    while (stored := await load_match(store, match.id)).version < version:
        pass
    return stored


async def test_it_plays_where_it_is_its_turn_when_it_starts(store: Database, player: ComputerPlayer) -> None:
    match = await add_match(store, a_match(players=IT_BEGINS))
    async with running(player):
        played = await reached(store, match, 1)
    assert played.last_move is not None
    assert (played.last_move.seat, played.last_move.kind) == (0, EventKind.MOVE)


async def test_it_answers_a_move_at_once(store: Database, player: ComputerPlayer, use_cases: UseCases) -> None:
    match = await add_match(store, a_match(players=AGAINST_IT))
    async with running(player):
        await use_cases.matches.move(match.id, ANNA, "A1", NOON, IdempotencyKey(5))
        answered = await reached(store, match, 2)
    assert [move.seat for move in answered.moves] == [0, 1]


async def test_it_leaves_alone_what_it_does_not_play_in(
    store: Database, player: ComputerPlayer, engine: FirstMoves
) -> None:
    await add_match(store, a_match(1, players=(ANNA, BORIS)))
    own = await add_match(store, a_match(2, players=IT_BEGINS))
    async with running(player):
        await reached(store, own, 1)
    assert {match for match, *_ in engine.thoughts} == {own.id}


async def test_it_plays_at_the_level_of_the_challenge(
    store: Database, player: ComputerPlayer, use_cases: UseCases, engine: FirstMoves
) -> None:
    terms = Terms(GAME, parse_control("1h"), level=3)
    challenge = await use_cases.challenges.challenge(ANNA, COMPUTER, GUILD, ChannelId(1), terms, NOON)
    async with running(player):
        _, match = await use_cases.challenges.accept(challenge.id, COMPUTER, NOON)
        assert match is not None
        if match.to_act == 0 and match.players[0] == ANNA:
            await use_cases.matches.move(match.id, ANNA, "A1", NOON, IdempotencyKey(5))
        await engine.began.wait()
    assert engine.thoughts[0][2] == 3


async def test_what_it_did_before_it_died_is_not_done_twice(
    store: Database, player: ComputerPlayer, use_cases: UseCases, engine: FirstMoves
) -> None:
    match = await add_match(store, a_match(players=IT_BEGINS))
    engine.script = [asyncio.Event()]
    async with running(player):
        await engine.began.wait()
    twin = computer(use_cases, engine, Naps())
    async with running(twin):
        played = await reached(store, match, 1)
    await use_cases.matches.move(match.id, COMPUTER, "A2", NOON, automatic_key(match), version=0)
    assert (await load_match(store, match.id)).version == played.version


async def test_its_sources_are_never_those_of_discord_and_never_the_same() -> None:
    matches = [replace(a_match(), id=MatchId(number)) for number in (1, 2)]
    versions = [*matches, play_turn(matches[0]), play_turn(matches[1])]
    sources = [automatic_key(match) for match in versions]
    assert len(set(sources)) == 4
    assert all(source < 0 for source in sources)


async def test_what_it_thought_out_is_dropped_if_the_match_has_changed(
    store: Database, player: ComputerPlayer, use_cases: UseCases, engine: FirstMoves
) -> None:
    match = await add_match(store, a_match(players=IT_BEGINS))
    thinking = asyncio.Event()
    engine.script = [thinking]
    async with running(player):
        await engine.began.wait()
        await use_cases.matches.resign(match.id, ANNA, NOON, IdempotencyKey(5))
        thinking.set()
    ended = await load_match(store, match.id)
    assert ended.moves == ()
    assert ended.outcome is not None


async def test_a_stop_while_it_thinks_lets_it_go_on_alone(
    store: Database, player: ComputerPlayer, use_cases: UseCases, engine: FirstMoves
) -> None:
    game = make_game("classic", {"size": "5x5"})
    match = await add_match(store, a_match(players=IT_BEGINS, game=game))
    thinking = asyncio.Event()
    engine.script = [thinking]
    async with running(player):
        await engine.began.wait()
        await use_cases.matches.move(match.id, ANNA, "stop", NOON, IdempotencyKey(5))
        thinking.set()
        goes_on = await reached(store, match, 3)
    assert goes_on.moves[0].text == "stop-waiting"
    assert [move.seat for move in goes_on.moves[:3]] == [1, 0, 0]


async def test_a_thought_that_fails_is_tried_again_later_and_later(
    store: Database, player: ComputerPlayer, engine: FirstMoves, naps: Naps
) -> None:
    match = await add_match(store, a_match(players=IT_BEGINS))
    engine.script = [RuntimeError("the worker has died")] * 8
    async with running(player):
        await reached(store, match, 1)
    assert naps.pauses[:3] == [MIN_BACKOFF_SECONDS, 2 * MIN_BACKOFF_SECONDS, 4 * MIN_BACKOFF_SECONDS]
    assert naps.pauses[-1] == MAX_PLAY_BACKOFF_SECONDS


async def test_a_slow_thought_holds_up_no_other_match(
    store: Database, player: ComputerPlayer, engine: FirstMoves
) -> None:
    both = [await add_match(store, a_match(channel, players=IT_BEGINS)) for channel in (1, 2)]
    engine.script = [asyncio.Event()]  # whichever it thinks of first
    async with running(player):
        while (versions := {(await load_match(store, match.id)).version for match in both}) == {0}:
            pass
    assert versions == {0, 1}


async def test_what_another_process_left_is_found_at_the_next_look(
    store: Database, player: ComputerPlayer, engine: FirstMoves, naps: Naps
) -> None:
    match = await add_match(store, a_match(players=AGAINST_IT))
    async with running(player):
        await save_match(store, play_turn(match))
        naps.rescan.set()
        await reached(store, match, 2)


async def test_it_resigns_when_its_engine_says_so(store: Database, player: ComputerPlayer, engine: FirstMoves) -> None:
    match = await add_match(store, a_match(players=IT_BEGINS))
    engine.resigns = True
    async with running(player):
        ended = await reached(store, match, 1)
    assert ended.outcome is not None
    assert ended.outcome.winners == (1,)


@pytest.mark.parametrize(("wanted", "ended"), [({OfferKind.DRAW}, True), (set[OfferKind](), False)])
async def test_it_answers_an_offer_though_it_is_not_its_turn(
    store: Database,
    player: ComputerPlayer,
    use_cases: UseCases,
    engine: FirstMoves,
    wanted: set[OfferKind],
    *,
    ended: bool,
) -> None:
    match = await add_match(store, a_match(players=AGAINST_IT))
    engine.wanted = wanted
    async with running(player):
        await use_cases.actions.propose(match.id, ANNA, OfferKind.DRAW, NOON, IdempotencyKey(5))
        answered = await reached(store, match, 2)
    assert (answered.outcome is not None) is ended
    assert answered.events[-1].kind is (EventKind.AGREE if ended else EventKind.DECLINE)


async def test_what_was_offered_while_it_was_away_is_answered_when_it_starts(
    store: Database, player: ComputerPlayer, use_cases: UseCases
) -> None:
    match = await add_match(store, a_match(players=AGAINST_IT))
    await use_cases.actions.propose(match.id, ANNA, OfferKind.DRAW, NOON, IdempotencyKey(5))
    async with running(player):
        answered = await reached(store, match, 2)
    assert answered.events[-1].kind is EventKind.DECLINE


async def test_an_offer_that_comes_while_it_thinks_is_answered_before_it_moves(
    store: Database, player: ComputerPlayer, use_cases: UseCases, engine: FirstMoves
) -> None:
    match = await add_match(store, a_match(players=IT_BEGINS))
    thinking = asyncio.Event()
    engine.script = [thinking]
    async with running(player):
        await engine.began.wait()
        await use_cases.actions.propose(match.id, ANNA, OfferKind.DRAW, NOON, IdempotencyKey(5))
        thinking.set()
        played = await reached(store, match, 3)
    assert [event.kind for event in played.events] == [EventKind.OFFER, EventKind.DECLINE, EventKind.MOVE]


async def test_it_takes_its_time_if_it_is_asked_to(
    store: Database, use_cases: UseCases, engine: FirstMoves, naps: Naps, clock: StoppedClock
) -> None:
    match = await add_match(store, a_match(players=IT_BEGINS))
    clock.advance(SECOND)
    player = computer(use_cases, engine, naps, pace=4000)
    async with running(player):
        await reached(store, match, 1)
    assert naps.pauses == [3.0]


async def test_its_pace_makes_it_late_in_no_blitz(
    store: Database, use_cases: UseCases, engine: FirstMoves, naps: Naps, clock: StoppedClock
) -> None:
    match = await add_match(store, a_match(players=IT_BEGINS, control="5s random"))
    clock.advance(SECOND)
    player = computer(use_cases, engine, naps, pace=60_000)
    async with running(player):
        await reached(store, match, 1)
    assert naps.pauses == [1.5]
