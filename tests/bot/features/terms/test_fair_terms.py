"""*Fair?* in the terms panel: a handicap by both ratings."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.terms.terms_panel import read_draft
from loopback import Message
from play.challenge.pool import Pool
from play.challenge.terms import Order, Terms
from play.ids import GuildId, UserId
from play.ratings.glicko import Rating
from play.ratings.settlement import RatingChange, Weight
from tests.bot import forging
from tests.bot.room import Room, private_message
from tests.matches import a_match, add_match
from tests.opponent.quick import Inside

ZAGRAM = {"rules": "zagram", "size": "15x15"}
LIVE, DAYS, COMPUTER = (Pool.parse(text) for text in ("dots-live", "dots-days", "computer-days"))


async def fair_panel(room: Room, **options: Any) -> Message:
    shown = (await room.ola.command(room.channel, "challenge", options="panel", **options).answered()).message
    assert shown is not None
    for label in ("More options…", "Handicap…"):
        shown = await room.ola.click(shown, label).followed()
    return shown


def draft_of(panel: Message) -> Terms:
    return read_draft(panel.controls[-1]["custom_id"].split(":")[2])


async def press_old(room: Room, panel: Message) -> Message:
    """Presses the button that panels had before, also where it can say nothing."""
    custom_id = panel.control("Post challenge")["custom_id"]
    pressed = forging.click(room, room.ola, room.channel, custom_id.replace(":save", ":fair"))
    return await private_message(pressed)


async def rate(room: Room, pool: Pool, values: dict[UserId, float], deviation: float = 60.0) -> None:
    """Stores ratings after a game on the server."""
    match, now = await add_match(room.services.store, a_match(4711, tuple(values))), room.clock()
    before, guild = Rating(), GuildId(room.discord.guild.id)
    changes = [
        RatingChange(
            *(match.id, user, pool, now, 0, 1.0, Weight(), before, Rating(value, deviation, 0.06, now)), guild=guild
        )
        for user, value in values.items()
    ]
    async with room.services.store.write() as tx:
        await tx.ratings.add_changes(changes)


@pytest.mark.parametrize(("own", "theirs", "order"), [(1900, 1500, Order.LAST), (1500, 1900, Order.FIRST)])
async def test_the_weaker_player_gets_komi_and_the_first_move(
    room: Room, own: float, theirs: float, order: Order
) -> None:
    await rate(room, DAYS, {UserId(room.ola.id): own, UserId(room.maksim.id): theirs})
    panel = await room.ola.click(await fair_panel(room, **ZAGRAM, opponent=room.maksim), "Fair?").followed()
    draft = draft_of(panel)
    assert "400 rating points stronger" in panel.text
    assert (draft.order, draft.game.options["komi"] != "0") == (order, True)


async def test_equal_players_need_no_handicap_and_lose_one_that_was_there(room: Room) -> None:
    await rate(room, DAYS, {UserId(room.ola.id): 1550, UserId(room.maksim.id): 1500})
    panel = await fair_panel(room, **ZAGRAM, opponent=room.maksim)
    part = next(part for part in panel.controls if part["custom_id"].endswith(":komi"))
    panel = await room.ola.click(panel, part["custom_id"], ["2.5"]).followed()
    panel = await room.ola.click(panel, "Fair?").followed()
    assert "equally strong" in panel.text
    assert draft_of(panel).game.options["komi"] == "0"


async def test_a_rating_that_is_not_settled_is_not_used(room: Room) -> None:
    await rate(room, DAYS, {UserId(room.ola.id): 1900, UserId(room.maksim.id): 1500}, deviation=200.0)
    panel = await fair_panel(room, **ZAGRAM, opponent=room.maksim)
    assert "Fair?" not in panel.labels
    assert "no settled rating" in (await press_old(room, panel)).text


async def test_a_rating_at_another_speed_is_not_used(room: Room) -> None:
    await rate(room, LIVE, {UserId(room.ola.id): 1900, UserId(room.maksim.id): 1500})
    panel = await fair_panel(room, **ZAGRAM, opponent=room.maksim, clock="3d")
    assert "no settled rating" in (await press_old(room, panel)).text


async def test_a_level_of_the_computer_has_a_known_rating(room: Room) -> None:
    room.thinkers = Inside
    await room.restart()
    await rate(room, COMPUTER, {UserId(room.ola.id): 1000, UserId(room.maksim.id): 1000})
    panel = await room.ola.click(await fair_panel(room, **ZAGRAM, computer=6, clock="3d"), "Fair?").followed()
    assert draft_of(panel).order is Order.FIRST
    assert "800 rating points stronger" in panel.text


async def test_the_second_click_changes_nothing_more(room: Room) -> None:
    await rate(room, DAYS, {UserId(room.ola.id): 1900, UserId(room.maksim.id): 1500})
    once = await room.ola.click(await fair_panel(room, **ZAGRAM, opponent=room.maksim), "Fair?").followed()
    drafts = draft_of(once)
    assert draft_of(await room.ola.click(once, "Fair?").followed()) == drafts


async def test_without_settled_ratings_it_says_so_and_changes_nothing(room: Room) -> None:
    told = await press_old(room, await fair_panel(room, **ZAGRAM, opponent=room.maksim))
    assert "no settled rating" in told.text
    assert draft_of(told).game.options["komi"] == "0"


async def test_an_open_challenge_has_no_button(room: Room) -> None:
    assert "Fair?" not in (await fair_panel(room, **ZAGRAM)).labels


@pytest.mark.parametrize("options", [{"rules": "quick"}, {"rules": "zagram", "size": "39x32"}])
async def test_rules_without_a_measured_handicap_are_named(room: Room, options: dict[str, str]) -> None:
    panel = await fair_panel(room, opponent=room.maksim, **options)
    assert "Fair?" not in panel.labels
    assert "I know no fair handicap" in (await press_old(room, panel)).text


@pytest.mark.parametrize("asks", ["ola", "maksim"])
async def test_each_player_may_ask_on_the_card_and_offers_the_proposal(room: Room, asks: str) -> None:
    await rate(room, DAYS, {UserId(room.ola.id): 1900, UserId(room.maksim.id): 1500})
    card = await room.challenge(opponent=room.maksim, clock="3d", **ZAGRAM)
    panel = await getattr(room, asks).click(card, "Fair?").followed()
    assert "400 rating points stronger" in panel.text
    assert draft_of(panel).order is Order.LAST
    assert draft_of(panel).game.options["komi"] == "5.5"


async def test_a_stranger_gets_no_proposal_from_the_card(room: Room) -> None:
    await rate(room, LIVE, {UserId(room.ola.id): 1900, UserId(room.maksim.id): 1500})
    card = await room.challenge(opponent=room.maksim, **ZAGRAM)
    assert "Fair" not in (await room.kasia.click(card, "Fair?").followed()).text


async def test_a_card_of_players_without_settled_ratings_has_no_such_button(room: Room) -> None:
    await rate(room, LIVE, {UserId(room.ola.id): 1900, UserId(room.maksim.id): 1500}, deviation=200.0)
    card = await room.challenge(opponent=room.maksim, **ZAGRAM)
    assert "Fair?" not in card.labels


async def test_a_card_without_a_measured_handicap_has_no_such_button(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, rules="zagram", size="39x32")
    assert "Fair?" not in [control.get("label") for control in card.controls]
