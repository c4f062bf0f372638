"""Rating curves, leaderboards, crosstables and brackets as pictures."""

from __future__ import annotations

import pytest

from renderer.bracket import BOX, GAP, Section, Side, bracket
from renderer.crosstable import LABELS, LOW_ROW, MAX_TALL_ROWS, TALL_ROW, Cell, CrossLine, Result, crosstable
from renderer.graph import BOTTOM, LEFT, RIGHT, SIZE, TOP, Caption, Rated, curve
from renderer.table import HEAD, MARGIN, ROW, VALUES, WIDTH, Line, table
from renderer.theme import PAPER, THEMES, Theme, blend, for_seats
from tests.renderer.page import INKS, decode

CAPTION = Caption("Kasia Wiśniewska", "Dots (live) · 1712", "1 Mar 2025", "30 Jun 2026")


@pytest.mark.parametrize("values", [[1500.0], [1500, 1500], [1500, 1662, 1400], [100.0, 3000.0] * 100])
def test_any_ratings_make_a_picture_of_one_size(values: list[float]) -> None:
    history = [Rated(number, value, 350 / (number + 1)) for number, value in enumerate(values)]
    assert decode(curve(history, CAPTION)).size == SIZE


def test_a_curve_is_drawn_in_ink() -> None:
    file = curve([Rated(0, 1500, 300), Rated(1, 1600, 200)], CAPTION)
    assert INKS[1] in set(decode(file).get_flattened_data())


@pytest.mark.parametrize("value", [200, 1500, 3000])
def test_the_band_of_a_newcomers_curve_is_whole(value: float) -> None:
    picture = decode(curve([Rated(0, value, 350), Rated(1, value + 90, 300), Rated(2, value, 250)], CAPTION))
    band = blend(PAPER.paper, for_seats(PAPER, 2).inks[1].colour, PAPER.tint)
    rows = {y for y in range(picture.height) for x in (LEFT + 1, RIGHT - 20) if picture.getpixel((x, y)) == band}
    assert rows
    assert not rows & {TOP + 3, BOTTOM - 3}  # lines across are at the ends themselves


@pytest.mark.sample(3)
@pytest.mark.parametrize("theme", THEMES.values())
def test_a_curve_is_on_the_paper_of_its_theme(theme: Theme) -> None:
    file = curve([Rated(0, 1500, 300)], CAPTION, theme)
    assert decode(file).getpixel((2, 2)) == theme.paper


def lines(count: int) -> list[Line]:
    return [Line(place, f"Player {place}", "?", f"{2000 - place}", "9 games") for place in range(1, count + 1)]


@pytest.mark.parametrize("count", [1, 3, 10])
def test_a_table_is_as_high_as_its_lines(count: int) -> None:
    assert decode(table("Dots", "here", lines(count))).size == (WIDTH, HEAD + ROW * count + MARGIN // 2)


def test_the_first_has_a_crown_of_full_colour_and_the_fourth_has_none() -> None:
    picture = decode(table("Dots", "here", lines(4)))

    def colours(number: int) -> set[object]:
        top = HEAD + ROW * number
        return set(picture.crop((MARGIN, top + 4, MARGIN + 48, top + ROW - 4)).get_flattened_data())

    assert PAPER.last in colours(0)
    assert PAPER.last not in colours(3)


def test_a_player_who_has_not_played_lately_is_faint() -> None:
    def inks(faint: bool) -> set[object]:
        line = Line(4, "Ola", "?", "1500", "9 games", faint=faint)
        picture = decode(table("", "", [line])).crop((MARGIN + 76, HEAD, WIDTH // 2, HEAD + ROW))
        return set(picture.get_flattened_data())

    assert PAPER.text in inks(faint=False)
    assert PAPER.text not in inks(faint=True)


def test_a_line_without_a_place_has_neither_crown_nor_number() -> None:
    page = decode(table("", "", [Line(0, "Ola", "?", "1500 ± 300", "1 game", faint=True)]))
    column = page.crop((MARGIN, HEAD + 4, MARGIN + 48, HEAD + ROW - 4))
    assert set(column.get_flattened_data()) == {PAPER.paper}


def test_a_long_name_stays_clear_of_a_rating_with_its_deviation() -> None:
    def column(name: str) -> list[object]:
        page = decode(table("", "", [Line(0, name, "?", "1500 ± 300", "1 game")]))
        return list(page.crop((WIDTH - VALUES - 150, HEAD, WIDTH - VALUES, HEAD + ROW - 4)).get_flattened_data())

    assert column("W" * 32) == column("W")


def test_a_name_that_the_font_lacks_has_a_stand_in() -> None:
    foreign, plain = (Line(4, name, "No. 4", "1500", "9 games") for name in ("龙之子", "No. 4"))
    assert table("Dots", "here", [foreign]) == table("Dots", "here", [plain])


CELLS = (Cell("", Result.SELF), Cell("1", Result.WON), Cell("½", Result.DRAWN))


@pytest.mark.parametrize("count", [3, 64])
def test_a_crosstable_has_a_line_for_each_player(count: int) -> None:
    rows = [CrossLine(f"{place}.", f"Игрок {place}", "?", CELLS, "1.5") for place in range(1, count + 1)]
    row = TALL_ROW if count <= MAX_TALL_ROWS else LOW_ROW
    assert decode(crosstable("Cup", "", "123", rows)).size[1] == HEAD + LABELS + row * count + MARGIN // 2


@pytest.mark.parametrize("theme", THEMES.values())
def test_a_won_cell_is_marked_on_the_paper_of_its_theme(theme: Theme) -> None:
    picture = decode(crosstable("Cup", "", "123", [CrossLine("1.", "Ola", "?", CELLS, "1.5")], theme))
    assert picture.getpixel((2, 2)) == theme.paper
    assert theme.zone in set(picture.get_flattened_data())


def test_a_bracket_grows_with_its_first_round() -> None:
    def size(rounds: int) -> tuple[int, int]:
        pairs = [("r", [(Side("Ola", "?"), Side())] * 2**number) for number in reversed(range(rounds))]
        width, height = decode(bracket("Cup", "", [Section(pairs)])).size
        return width, height

    assert size(5)[1] - size(4)[1] == 8 * (2 * BOX[1] + GAP[1])
    assert size(6)[0] - size(5)[0] == BOX[0] + GAP[0]


def test_only_the_winner_of_a_pair_is_marked() -> None:
    def marked(side: Side) -> bool:
        picture = decode(bracket("Cup", "", [Section([("r", [(side, Side("Kasia"))])])]))
        return PAPER.zone in set(picture.get_flattened_data())

    assert marked(Side("Ola", won=True))
    assert not marked(Side("Ola", lost=True))
