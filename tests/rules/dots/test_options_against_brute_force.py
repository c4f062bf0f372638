"""Random games of the engine with random options against the brute force of tests/rules, compared after every turn."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from rules.dots import Call, Closing, Dots, Ending, Links, Measure, Offer, Reuse, Scoring, Setup, Turn, Win
from rules.dots.turn import Chain
from rules.game import IllegalMove, Point, Seat
from tests.rules.brute_contest import Contest, Illegal, Rules, within
from tests.rules.brute_force import AROUND, Base, Crossing, Field
from tests.rules.dots.habits import HABITS, SET_UPS

GAMES = 600
"""In all. By hand, from the root: `python -m tests.rules.dots.test_options_against_brute_force 20000`."""

BATCHES = 20
SMOKE = (0, 4)
"""Batches whose games take half a second together."""

MAX_WALLS = 6
"""Dots of a player; beyond, the smallest chains of far links are taken from the engine, and drawn dot by dot."""

SIZES = ((1, 1), (1, 6), (2, 2), (2, 7), (3, 3), (4, 4), (5, 5), (6, 5), (6, 6), (7, 7), (8, 6), (9, 9))
OFTEN = (1, 1, 1, 2, 3, 8, 14, 14, 14, 12, 8, 3)

SHARED_DOTS = {Reuse.NONE: 0, Reuse.ONE: 1, Reuse.ANY: None}

Stones = list[tuple[int, Crossing]]


def crosses(setup: Setup, width: int, height: int) -> Stones:
    """Returns the fixed set-ups of docs/rules-reference.md."""
    if setup is Setup.CROSS:
        corners = [(width // 2 - 1, height // 2 - 1)]
    elif setup is Setup.DOUBLE:
        x, y = width // 2 - 2, height // 2 - 1
        return [(int(seat), (x + dx, y + dy)) for dy, row in enumerate(("0110", "1001")) for dx, seat in enumerate(row)]
    else:
        x, y = (width - 3) // 3, (height - 3) // 3
        corners = [(x, y), (width - 2 - x, y), (width - 2 - x, height - 2 - y), (x, height - 2 - y)]
    pattern = ((0, (0, 0)), (1, (1, 0)), (1, (0, 1)), (0, (1, 1)))
    return [(seat, (x + dx, y + dy)) for x, y in corners for seat, (dx, dy) in pattern]


class Duel:
    """One random game with random options, played by both and compared after every turn."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(seed)
        width, height = chance.choices(SIZES, OFTEN)[0]
        self.seats = chance.choices((2, 3, 4), (8, 2, 1))[0]
        two = self.seats == 2
        closing = chance.choice([Closing.AUTOMATIC, Closing.PAINTED, *([Closing.DRAWN, Closing.DRAWN] if two else [])])
        scorings = [Scoring.DOTS, Scoring.EVERYTHING]
        if closing is Closing.PAINTED and two:
            scorings += [Scoring.TERRITORY] * 2
        endings = [Ending.FULL] + [Ending.GROUND] * two + [Ending.PLAY_OUT] * (two and closing is Closing.AUTOMATIC)
        far = closing is Closing.DRAWN and chance.random() < 0.4
        win = chance.choice((None, None, None, Win(chance.randint(1, 6)), Win(chance.randint(1, 6), ahead=True)))
        setup, stones = self.opening(width, height)
        scoring = chance.choice(scorings)
        drawn = closing is Closing.DRAWN
        self.game = Dots(
            "test",
            width,
            height,
            setup,
            seats=self.seats,
            stones=tuple((Seat(seat), Point(x, height - 1 - y)) for seat, (x, y) in stones)
            if setup is Setup.STONES
            else (),
            closing=closing,
            measure=Measure.AREA if drawn else chance.choice(list(Measure)),
            links=Links.FAR if far else Links.NEAR,
            reuse=chance.choice(list(Reuse)) if drawn else Reuse.ONE,
            scoring=scoring,
            ending=Ending.FULL if far else chance.choice(endings),
            landing=two and not far and scoring is not Scoring.TERRITORY and chance.random() < 0.3,
            extra_move=chance.random() < 0.3,
            win=win,
        )
        self.contest = Contest(
            Rules(
                width,
                height,
                self.seats,
                opening_zone=setup is Setup.EMPTY,
                closing=closing.value,
                chain=self.game.measure.value,
                far_links=far,
                shared_dots=SHARED_DOTS[self.game.reuse],
                scoring=self.game.scoring.value,
                ending=self.game.ending.value.replace("-", "_"),
                landing=self.game.landing,
                extra_move=self.game.extra_move,
                win_captured=win.dots if win and not win.ahead else None,
                win_ahead=win.dots if win and win.ahead else None,
            ),
            stones,
        )
        self.habits = chance.choices(HABITS, k=self.seats)
        self.closes = chance.choice((0.2, 0.6, 0.95))
        self.stops = chance.choice((0, 0, 0.02, 0.1))
        self.broken_off = False
        self.position = self.game.start(0)
        self.compare()

    def opening(self, width: int, height: int) -> tuple[Setup, Stones]:
        chance = self.chance
        setup = chance.choices((Setup.EMPTY, Setup.STONES, Setup.CROSS, Setup.DOUBLE, Setup.FOUR), (2, 6, 2, 1, 1))[0]
        if setup is Setup.STONES:
            return setup, chance.choice(SET_UPS)(chance, Field(width, height, self.seats))
        if setup is Setup.EMPTY or self.seats > 2:
            return Setup.EMPTY, []
        stones = crosses(setup, width, height)
        dots = {at for _, at in stones}
        fits = len(dots) == len(stones) and all(0 <= x < width and 0 <= y < height for x, y in dots)
        return (setup, stones) if fits else (Setup.EMPTY, [])

    def play(self) -> None:
        while self.position.outcome is None and not self.broken_off:
            calls = self.position.calls()
            if calls and self.chance.random() < self.stops:
                self.call(self.chance.choice(calls))
            elif self.position.can_stop_waiting and self.chance.random() < self.stops:
                self.call(Call.STOP_WAITING)
            elif self.chance.random() < 0.05:
                self.nonsense()
            else:
                self.turn()
            self.compare()

    @property
    def too_many_walls(self) -> bool:
        """Returns whether the brute force would take too long to find the smallest chain of far links."""
        field = self.contest.field
        most = max(list(field.placed.values()).count(seat) for seat in range(self.seats))
        return self.game.links is Links.FAR and most > MAX_WALLS

    def call(self, call: Call) -> None:
        self.position = self.position.play(call)
        if call is Call.STOP_WAITING:
            self.contest.stop_waiting()
        elif call is Call.STOP:
            self.contest.stop()
        else:
            self.contest.land()

    def turn(self) -> None:
        """Returns a dot, with some of the areas that may be closed."""
        at = self.choice()
        dot = self.point(at)
        offers = self.position.consequences_of(dot).offers
        if not self.position.play(Turn(dot)).outcome and not self.too_many_walls:
            self.compare_offers(at, offers)
        chosen = [offer for offer in offers if self.chance.random() < self.closes]
        self.chance.shuffle(chosen)
        if self.game.closing is Closing.PAINTED:
            self.attempt(Turn(dot, paints=tuple(offer.point for offer in chosen)))
        else:
            by_hand = 1 if self.too_many_walls else 0.5
            ways = [offer.chain if self.chance.random() < by_hand else (offer.point,) for offer in chosen]
            self.attempt(Turn(dot, chains=tuple(ways)))

    def nonsense(self) -> None:
        """Returns a dot with something that may be refused."""
        dot = self.point(self.choice())
        if self.game.closing is Closing.DRAWN and self.chance.random() < 0.8:
            self.attempt(Turn(dot, chains=(self.scribble(),)))
        else:
            points = tuple(self.point(self.chance.choice(self.contest.field.crossings)) for _ in range(2))
            self.attempt(Turn(dot, paints=points) if self.chance.random() < 0.7 else Turn(dot, chains=(points[:1],)))

    def scribble(self) -> Chain:
        """Returns a closed walk over own dots, now and then with a flaw."""
        seat, chance = self.position.to_act, self.chance
        own = [at for at in self.contest.field.crossings if self.contest.field.placed[at] == seat]
        if not own:
            return (Point(0, 0), Point(0, 0))
        best = [chance.choice(own)]
        for _ in range(30):
            walk = [chance.choice(own)]
            for _ in range(chance.randint(3, 16)):
                x, y = walk[-1]
                around = [(x + dx, y + dy) for dx, dy in self.steps]
                walk.append(chance.choice([at for at in around if at in own and at not in walk] or [walk[-1]]))
                if len(set(walk)) < len(walk):
                    walk.pop()
                    break
                if len(walk) > max(3, len(best)) and walk[0] in [
                    (walk[-1][0] + dx, walk[-1][1] + dy) for dx, dy in self.steps
                ]:
                    best = walk[:]
        return tuple(map(self.point, best))

    def fills(self, turn: Turn) -> bool:
        """Returns whether the game would end, and the last dot be enclosed by the smallest chain."""
        try:
            return not self.position.play(turn).free
        except IllegalMove:
            return False

    @property
    def steps(self) -> Sequence[Crossing]:
        far = [(dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if dx or dy]
        return far if self.game.links is Links.FAR else AROUND

    def attempt(self, turn: Turn) -> None:
        """Plays the turn on both sides; a turn that both refuse changes nothing."""
        seat, contest = self.position.to_act, self.contest
        if self.too_many_walls and any(len(chain) == 1 for chain in turn.chains):
            return
        if self.too_many_walls and self.fills(turn):
            self.broken_off = True
            return
        kept = dict(contest.field.placed), dict(contest.field.owner), list(contest.boundaries)
        try:
            contest.turn(
                self.crossing(turn.dot),
                [self.crossing(point) for point in turn.paints],
                [tuple(map(self.crossing, chain)) for chain in turn.chains],
            )
        except Illegal as illegal:
            contest.field.placed, contest.field.owner, contest.boundaries = kept
            try:
                self.position.play(turn)
            except IllegalMove:
                return
            raise AssertionError(f"seat {seat}: {turn} is illegal: {illegal}") from illegal
        self.position = self.position.play(turn)

    def choice(self) -> Crossing:
        """Returns a legal crossing, mostly one that the player likes, of a few random ones."""
        seat, legal = self.position.to_act, [self.crossing(turn.dot) for turn in self.position.moves()]
        seen = self.chance.sample(legal, min(len(legal), 12))
        likes = self.habits[seat]
        liked = [at for at in seen if likes(self.contest.field, seat, at)] if self.chance.random() < 0.85 else []
        return self.chance.choice(liked or seen)

    def compare(self) -> None:
        contest, position = self.contest, self.position
        assert position.rows() == contest.field.rows()
        assert position.score == contest.scores
        assert position.free == contest.field.free
        outcome = position.outcome
        assert (outcome and (outcome.winners, outcome.reason)) == contest.outcome
        assert {self.crossing(turn.dot) for turn in position.moves()} == contest.legal()
        assert set(map(str, position.calls())) == contest.calls()
        if outcome is None:
            assert position.to_act == contest.to_act
            assert position.stopped == contest.stopped
        if self.seats == 2 and not self.game.counts_pools:
            assert position.agreed_end().scores == contest.agreed()
        for seat in range(self.seats):
            assert position.at_risk(Seat(seat)) == contest.field.at_risk(seat)

    def compare_offers(self, at: Crossing, offers: tuple[Offer, ...]) -> None:
        """Compares the areas that may be closed with a dot there, and their points."""
        contest, seat = self.contest, self.position.to_act
        if self.game.closing is Closing.AUTOMATIC:
            assert not offers
            return
        contest.field.placed[at] = seat
        found = contest.paintable(seat) if self.game.closing is Closing.PAINTED else contest.drawable(seat)
        expected = {(base.inside, self.catch(base)) for base in found}
        contest.field.placed[at] = None
        rings = [tuple(map(self.crossing, offer.chain)) for offer in offers]
        insides = [frozenset(cell for cell in contest.field.crossings if within(cell, ring)) for ring in rings]
        assert {(one, offer.dots) for one, offer in zip(insides, offers, strict=True)} == expected
        assert all(self.crossing(offer.point) in one for one, offer in zip(insides, offers, strict=True))

    def catch(self, base: Base) -> int:
        field = self.contest.field
        return sum(field.placed[at] not in (None, base.seat) and field.owner[at] != base.seat for at in base.inside)

    def point(self, at: Crossing) -> Point:
        return Point(at[0], self.game.height - 1 - at[1])

    def crossing(self, point: Point) -> Crossing:
        return point.x, self.game.height - 1 - point.y


@pytest.mark.contest
@pytest.mark.parametrize(
    "batch", [pytest.param(each, marks=[pytest.mark.smoke] * (each in SMOKE)) for each in range(BATCHES)]
)
def test_random_games_with_random_options_agree_with_the_brute_force(batch: int) -> None:
    for seed in range(batch, GAMES, BATCHES):
        play(seed)


def play(seed: int) -> None:
    try:
        Duel(seed).play()
    except Exception as error:
        error.add_note(f"seed {seed}")
        raise


if __name__ == "__main__":
    import sys

    for number in range(int(sys.argv[1])):
        play(number)
