"""Drafts fit into custom ids, panels into messages, and forged ones are refused."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

import discord
from hypothesis import given
from hypothesis import strategies as st

from bot.features.challenges import buttons, terms_panel
from bot.features.challenges.terms_code import LETTERS, decode, encode
from bot.features.challenges.terms_panel import read_draft
from bot.features.challenges.terms_text import describe_terms
from bot.features.help import rulebook
from bot.features.settings import personal
from bot.features.settings import server as house
from bot.i18n.words import languages
from bot.interactions.selects import MAX_LABEL
from loopback import Message
from play.challenge.terms import Order, Terms, Window
from play.clock import parse_control
from play.clock.agreement import NO_AGREEMENT
from play.ids import ChallengeId, GuildId, Millis, UserId
from play.people.settings import ServerSettings
from play.refusal import Refused
from rules.game import RuleError
from rules.registry import GAMES
from tests.bot.room import Room, private_words

CLOCKS = ("3d", "9999s", "10m+30s", "5m+10s max 15m", "10m/30s", "5s random", "none")
MAX_CUSTOM_ID = 100
ENGLISH = languages().of()

games = st.builds(
    lambda key, size, start: _possible(key, {"size": size, "start": start}),
    st.sampled_from(list(GAMES)),
    st.sampled_from(["9x9", "60x60", "39x32", "19x19"]),
    st.sampled_from(["empty", "cross", "double", "four", "random", "random-double"]),
)
agreements = st.builds(
    lambda quiet, weekends, vacation, play_out: replace(
        NO_AGREEMENT, quiet=quiet, weekends=weekends, vacation=vacation, play_out=play_out
    ),
    *[st.booleans()] * 3,
    st.sampled_from([None, Millis(600_000), Millis(9_999_000)]),
)
terms = st.builds(
    Terms,
    games,
    st.sampled_from([parse_control(clock) for clock in CLOCKS]),
    st.sampled_from(Order),
    st.booleans(),
    st.sampled_from([None, Window(100, 3500)]),
    agreements,
    st.sampled_from([None, *range(1, 9)]),
)


def _possible(key: str, options: dict[str, str]) -> Any:
    """Returns the preset with as many of the options as it allows."""
    game = GAMES[key]
    for option, value in options.items():
        try:
            game = game.with_options({option: value})
        except RuleError:
            continue
    return game


@given(terms)
def test_a_draft_is_decoded_as_it_was_encoded(draft: Terms) -> None:
    assert decode(encode(draft)) == draft


@given(terms, st.integers(1, 10**12), st.integers(0, 999))
def test_every_draft_fits_into_a_custom_id(draft: Terms, challenge: int, changes: int) -> None:
    custom_id = f"terms:c{challenge}.{changes}:{encode(draft)}:other-clock"
    if draft.agreement.play_out is None or draft.window is None:  # no panel can set both
        assert len(custom_id) <= MAX_CUSTOM_ID
        assert terms_panel.TermsButton.__discord_ui_compiled_template__.fullmatch(custom_id)


@given(terms)
def test_every_setting_can_be_described(draft: Terms) -> None:
    lines = describe_terms(draft, "Ola", ENGLISH)
    assert all(0 < len(line) <= MAX_LABEL for line in lines.values())


ITEMS = (*terms_panel.ITEMS, *personal.ITEMS, *house.ITEMS, *rulebook.ITEMS, *buttons.BUTTONS)


async def test_no_panel_is_larger_than_a_message_may_be(room: Room) -> None:
    """The stand-in checks Discord's limits; this test counts the components of the largest panels."""

    def size(shown: Message) -> int:
        def count(part: Any) -> int:
            inner = [*part.get("components", ()), *([part["accessory"]] if "accessory" in part else ())]
            return 1 + sum(map(count, inner))

        return sum(map(count, shown.components))

    card = await room.challenge(opponent=room.maksim, clock="3d")
    change = (await room.maksim.click(card, "Change...").answered()).message
    me = (await room.ola.command(room.general, "settings me").answered()).message
    server = (await room.ola.command(room.general, "settings server").answered()).message
    rules = (await room.ola.command(room.general, "rules").answered()).message
    assert change is not None
    assert me is not None
    assert server is not None
    assert rules is not None
    assert [size(shown) <= 40 for shown in (change, me, server, rules)] == [True] * 4


IDS = st.sampled_from([item.__discord_ui_compiled_template__.pattern for item in ITEMS]).flatmap(
    lambda pattern: st.from_regex(pattern, fullmatch=True).filter(lambda text: len(text) <= MAX_CUSTOM_ID)
)


@given(st.one_of(st.text(max_size=80), st.from_regex(LETTERS, fullmatch=True)))
def test_a_forged_draft_is_terms_or_refused(text: str) -> None:
    with suppress(Refused):
        draft = read_draft(text)
        assert read_draft(encode(draft)) == draft


async def post_component(room: Room, custom_id: str, values: list[str] | None) -> int:
    """Posts a message with a component that no card and no panel has."""
    view = discord.ui.View(timeout=None)
    if values is None:
        view.add_item(discord.ui.Button(label="?", custom_id=custom_id))
    else:
        options = [discord.SelectOption(label=value) for value in values]
        view.add_item(discord.ui.Select(custom_id=custom_id, options=options))
    view.stop()
    return (await room.client.get_partial_messageable(room.channel.id).send("old", view=view)).id


FORGED: list[tuple[str, list[str] | None]] = [
    ("challenge:1:7:accept", None),
    ("challenge:999:0:change", None),
    ("challenge:1:0:leave", None),
    ("terms:c1.0:zagram|20x20|c12|3d|d-||:save", None),
    ("terms:c9.9:zagram|20x20|c12|3d|d-||:save", None),
    ("terms:c1.0:zagram|20x20|c12|3d|x-||:other-size", None),
    ("terms:you:zagram|20x20|c12|3d|d-||:save", None),
    ("terms:me:nosuch|20x20|c12|3d|d-||:save", None),
    ("terms:c1.0:||||||:save", None),
    ("terms:c1.0:zagram|20x20|c12|3d|d-||:rules", ["chess", "go"]),
    ("terms:c1.0:zagram|20x20|c12|3d|d-||:size", ["99x99", "1"]),
    ("terms:c1.0:zagram|20x20|c12|3d|d-||:order", ["second"]),
    ("terms:c1.0:zagram|20x20|c12|3d|d-||:agreed", ["play_out"]),
    ("me:theme", ["sepia"]),
    ("me:language", ["tlh"]),
    ("me:reminders", ["pigeon"]),
    ("me:confirm", ["always"]),
    ("server:theme", ["sepia"]),
    ("server:roles", ["x"]),
    ("server:threads0", None),
    ("rules:contents", ["chess"]),
    ("rules:on:chess", None),
]


async def test_forged_components_are_answered_and_change_nothing(room: Room) -> None:
    await room.challenge(opponent=room.maksim)
    before = await room.services.challenges.load(ChallengeId(1))
    chance = random.Random(1)
    for custom_id, values in FORGED:
        message = await post_component(room, custom_id, values)
        chosen = None if values is None else [chance.choice(values)]
        told = await private_words(room.kasia.click(message, custom_id, chosen))
        assert "Something went wrong" not in told, custom_id
    assert await room.services.challenges.load(ChallengeId(1)) == before
    async with room.services.store.read() as reader:
        assert (await reader.people.get(UserId(room.kasia.id))).terms is None
        assert await reader.servers.get(GuildId(room.discord.guild.id)) == ServerSettings(
            GuildId(room.discord.guild.id)
        )


@given(IDS)
def test_every_id_that_fits_a_template_is_read(custom_id: str) -> None:
    (item, *_) = (each for each in ITEMS if each.__discord_ui_compiled_template__.fullmatch(custom_id))
    found = item.__discord_ui_compiled_template__.fullmatch(custom_id)
    assert found is not None
    part: discord.ui.Button[Any] = discord.ui.Button(custom_id=custom_id)
    made = asyncio.run(item.from_custom_id(cast("Any", None), part, found))
    assert item.__discord_ui_compiled_template__.fullmatch(made.custom_id)
