"""Figures that a player shares by part: the link shows what is ticked, until it is ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from play.community.shared_figures import FigurePart, read_parts
from play.ids import UserId
from play.refusal import Reason, Refused
from storage import Database
from tests.matches import ANNA, BORIS
from use_cases.own_figures import Told, load_figures
from use_cases.shared_figures import FigureSharing

RESULTS, TIME = frozenset({FigurePart.RESULTS}), frozenset({FigurePart.RESULTS, FigurePart.TIME})


def during_the_count(store: Database, act: Callable[[], Awaitable[object]]) -> FigureSharing:
    """Returns the sharing for a reader while whose figures are counted something happens."""

    async def count(store: Database, user: UserId) -> Told:
        told = await load_figures(store, user)
        await act()
        return told

    return FigureSharing(store, count=count)


async def refusal(sharing: FigureSharing, link: str) -> str:
    """Returns why a link shows nothing."""
    with pytest.raises(Refused) as refused:
        await sharing.load(link)
    return refused.value.key


async def test_a_link_shows_its_players_parts(store: Database) -> None:
    sharing = FigureSharing(store)
    link = (await sharing.share(ANNA, RESULTS)).link
    shown = await sharing.load(link)
    assert (shown.user, shown.parts) == (ANNA, RESULTS)


async def test_other_parts_keep_the_link(store: Database) -> None:
    sharing = FigureSharing(store)
    link = (await sharing.share(ANNA, RESULTS)).link
    assert (await sharing.share(ANNA, TIME)).link == link
    assert (await sharing.load(link)).parts == TIME


async def test_an_ended_link_shows_nothing_and_the_next_one_is_another(store: Database) -> None:
    sharing = FigureSharing(store)
    link = (await sharing.share(ANNA, RESULTS)).link
    await sharing.end_sharing(ANNA)
    assert await refusal(sharing, link) == Reason.NO_PAGE
    assert (await sharing.share(ANNA, RESULTS)).link != link
    assert await refusal(sharing, link) == Reason.NO_PAGE


async def test_nobody_ends_the_link_of_another(store: Database) -> None:
    sharing = FigureSharing(store)
    link = (await sharing.share(ANNA, RESULTS)).link
    await sharing.end_sharing(BORIS)
    assert (await sharing.load(link)).user == ANNA


@pytest.mark.parametrize("guessed", ["", "a", "A" * 16, "' OR 1=1 --", "\N{SNOWMAN}" * 40, "%00"])
async def test_a_guessed_link_shows_nothing(store: Database, guessed: str) -> None:
    sharing = FigureSharing(store)
    await sharing.share(ANNA, RESULTS)
    assert await refusal(sharing, guessed) == Reason.NO_PAGE


async def test_a_link_has_96_bits(store: Database) -> None:
    sharing = FigureSharing(store)
    links = set[str]()
    for _ in range(50):
        links.add((await sharing.share(ANNA, RESULTS)).link)
        await sharing.end_sharing(ANNA)
    assert len(links) == 50
    assert {len(each) for each in links} == {16}


async def test_two_browsers_that_share_at_once_get_one_link(store: Database) -> None:
    sharing = FigureSharing(store)
    one, other = await asyncio.gather(sharing.share(ANNA, RESULTS), sharing.share(ANNA, TIME))
    assert one.link == other.link


async def test_a_part_that_is_taken_back_while_it_is_counted_is_not_shown(store: Database) -> None:
    sharing = FigureSharing(store)
    link = (await sharing.share(ANNA, TIME)).link
    reader = during_the_count(store, lambda: sharing.share(ANNA, RESULTS))
    assert (await reader.load(link)).parts == RESULTS


async def test_a_link_that_ends_while_its_figures_are_counted_shows_nothing(store: Database) -> None:
    sharing = FigureSharing(store)
    link = (await sharing.share(ANNA, TIME)).link
    reader = during_the_count(store, lambda: sharing.end_sharing(ANNA))
    assert await refusal(reader, link) == Reason.NO_PAGE


@pytest.mark.parametrize("names", [["games"], ["results", "everything"], ["RESULTS"]])
def test_a_part_that_there_is_not_is_refused(names: list[str]) -> None:
    with pytest.raises(Refused):
        read_parts(names)
