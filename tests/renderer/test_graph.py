"""The scores of a game as curves, and the card of its result."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from renderer.card import SIZE as CARD_SIZE
from renderer.card import Card, card
from renderer.graph import HEADER, SIZE, graph, ticks
from renderer.header import Header, Mark, Plate
from renderer.theme import PAPER, THEMES, blend
from rules.game import Picture, Point, Seat, Stone
from tests.renderer.looks import CARD, LAST, NAMES, SCORES, game, header
from tests.renderer.page import INKS, TINTS, decode


def colours(file: bytes, box: tuple[int, int, int, int]) -> set[object]:
    return set(decode(file).crop(box).get_flattened_data())


def test_every_seat_has_a_curve_in_its_ink() -> None:
    plates = tuple(Plate(name, "1") for name in ("Ola", "Max", "Ola", "Zoë"))
    file = graph([(0, 0, 0, 0), (1, 2, 3, 4)], Header(plates))
    assert set(INKS) <= colours(file, (0, 2 * HEADER, *SIZE))


def test_the_lead_is_tinted_with_the_leader_s_ink() -> None:
    file = graph([(0, 0), (9, 0), (9, 0)], NAMES)
    part = decode(file).crop((100, HEADER, SIZE[0] - 100, SIZE[1] - 100))
    pixels = Counter(part.get_flattened_data())
    assert pixels[TINTS[0]] > 50 * pixels[TINTS[1]]


@pytest.mark.parametrize("scores", [[(0.0, 0.0)], [(0, 0), (0.5, 12.5)], [(0, 0)] * 3000, [(900, 1)] * 2])
def test_any_scores_make_a_picture_of_one_size(scores: list[tuple[float, ...]]) -> None:
    assert decode(graph(scores, NAMES)).size == SIZE


@pytest.mark.parametrize("end", [0, 1, 4, 7, 60, 244, 999, 3600])
def test_ticks_are_round_few_and_begin_at_nought(end: int) -> None:
    found = list(ticks(end))
    assert found[0] == 0
    assert found[-1] <= end
    assert len(found) <= 7


@pytest.mark.sample(3)
@pytest.mark.parametrize("key", THEMES)
def test_a_card_shows_the_winner_on_full_ink_with_a_crown(key: str) -> None:
    theme = THEMES[key]
    file = card(CARD, game()[-1][0], header(LAST, over=True), SCORES, theme)
    seen = colours(file, (CARD_SIZE[0] // 2, 0, *CARD_SIZE))
    assert {theme.inks[1].colour, theme.last, theme.text} <= seen
    assert blend(theme.paper, theme.inks[0].colour, theme.house) in seen


def test_a_card_shows_the_last_position() -> None:
    one, other = (card(CARD, Picture(13, 13, (Stone(Point(x, 6), Seat(0)),)), NAMES, [(0, 0)]) for x in (2, 9))
    assert decode(one).crop((0, 0, 600, 630)) != decode(other).crop((0, 0, 600, 630))
    assert INKS[0] in colours(one, (0, 0, 600, 630))


@pytest.mark.sample(5)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("size", [(5, 5), (60, 60), (60, 5), (5, 60)])
def test_a_card_takes_any_field_number_of_seats_and_words(seats: int, size: tuple[int, int]) -> None:
    plates = tuple(Plate("Щ" * 60, "999.5", Mark.WON) for _ in range(seats))
    luck = random.Random(seats)
    scores = [tuple(float(luck.randrange(9)) for _ in plates) for _ in range(40)]
    file = card(Card("W" * 200, "田" * 200), Picture(*size), Header(plates), scores)
    assert decode(file).size == CARD_SIZE
    assert set(decode(file).crop((1166, 0, *CARD_SIZE)).get_flattened_data()) == {PAPER.paper}


def test_a_card_is_small_enough_to_send() -> None:
    assert len(card(CARD, game()[-1][0], header(LAST, over=True), SCORES)) <= 100_000
