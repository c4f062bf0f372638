"""Drafts fit into custom ids, panels into messages, and forged ones are refused."""

from __future__ import annotations

import asyncio
import base64
import random
from contextlib import suppress
from typing import Any, cast

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.challenges import buttons
from bot.features.help import rulebook
from bot.features.settings import personal
from bot.features.settings import server as house
from bot.features.terms import terms_panel
from bot.features.terms.drafts import decode, encode
from bot.features.terms.terms_panel import read_draft
from bot.interactions.layout import MAX_OPTION
from bot.markup import spoken
from loopback import Message
from opponent.choice import EASIEST, HARDEST
from play.challenge.terms import Order, Terms, Window
from play.clock import TimeControl, parse_control, parse_duration
from play.clock.agreement import NO_LIMIT, TimeAgreement
from play.ids import ChallengeId, GuildId, Millis, UserId
from play.people.settings import ServerSettings
from play.refusal import Refused
from presentation.terms import describe_terms
from presentation.words.words import CATALOGUES
from rules.dots.options import CHOICES
from rules.game import AnyGame, RuleError
from rules.registry import GAMES
from tests.bot.panels import chosen
from tests.bot.room import Room, private_message, private_words
from tests.opponent.quick import Inside

SUFFIXES = ("rules", "extra-move", "agreed", "play_out", "save", "rated", "other-size", "other-play_out", "page-bases")
MAX_CUSTOM_ID = 100
ENGLISH = spoken().of()

OLD = "zagram|20x20|R32|10m+30s|lrqv4|10m|1400-1600"
"""A code of an earlier release, as it hangs on messages."""


@st.composite
def games(draw: st.DrawFn) -> AnyGame:
    """Draws a preset with any of its options changed that it lets be changed."""
    game = GAMES[draw(st.sampled_from(list(GAMES)))]
    sides = st.integers(5, 60)
    width, height = draw(sides), draw(sides)
    wins = st.builds(lambda dots, how: f"{dots} {how}", st.integers(1, 999), st.sampled_from(["captured", "ahead"]))
    values = {option: st.sampled_from(values) for option, values in CHOICES.items()} | {"win": wins | st.just("none")}
    for option in draw(st.permutations(list(values))):
        if draw(st.booleans()):
            game = _possible(game, {option: draw(values[option])})
    return _possible(game, {"size": f"{width}x{height}"} if len(game.options) > 2 else {"size": str(width)})


durations = st.one_of(
    st.integers(10, 9999).map(lambda count: f"{count}s"),
    st.integers(1, 9999).map(lambda count: f"{count}m"),
    st.integers(1, 720).map(lambda count: f"{count}h"),
    st.integers(1, 30).map(lambda count: f"{count}d"),
)


@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    """Draws any clock that can be written."""
    first, second = draw(durations), draw(durations)
    kinds = ("{0}", "{0}+{1}", "{0}+0s", "{0}+{1}max{2}", "{0}/{1}", "{0}random", "none")
    control = draw(st.sampled_from(kinds)).format(first, second, max((first, second), key=parse_duration))
    return parse_control(control)


terms = st.builds(
    Terms,
    games(),
    controls(),
    st.sampled_from(Order),
    st.booleans(),
    st.none() | st.builds(Window, st.integers(0, 9999), st.integers(0, 9999)),
    st.builds(
        TimeAgreement, *[st.booleans()] * 3, play_out=st.none() | st.just(NO_LIMIT) | durations.map(parse_duration)
    ),
    st.sampled_from([None, *range(EASIEST, HARDEST + 1)]),
)


def _possible(game: AnyGame, options: dict[str, str]) -> AnyGame:
    """Returns the game with the options, or as it is where it does not allow them."""
    with suppress(RuleError):
        return game.with_options(options)
    return game


@given(terms)
def test_a_draft_is_decoded_as_it_was_encoded(draft: Terms) -> None:
    assert decode(encode(draft)) == draft


@given(terms, st.integers(1, 10**15 - 1), st.integers(0, 999_999), st.sampled_from(SUFFIXES))
def test_every_draft_fits_into_a_custom_id(draft: Terms, challenge: int, changes: int, suffix: str) -> None:
    for target in (f"c{challenge}.{changes}", f"n{2**64 - 1}", f"t{challenge}", "ladder"):
        custom_id = f"terms:{target}:{encode(draft)}:{suffix}"
        assert len(custom_id) <= MAX_CUSTOM_ID
        templates = [item.__discord_ui_compiled_template__ for item in terms_panel.BUTTONS]
        templates += [form.id_form.pattern for form in terms_panel.FORMS]
        assert any(template.fullmatch(custom_id) for template in templates)


def test_the_code_of_an_earlier_release_is_still_read() -> None:
    assert decode(OLD) == Terms(
        GAMES["zagram"].with_options({"size": "20x20", "start": "random-double", "crosses": "3"}),
        parse_control("10m+30s"),
        Order.LAST,
        rated=True,
        window=Window(1400, 1600),
        agreement=TimeAgreement(quiet=True, vacation=True, play_out=Millis(600_000)),
        level=4,
    )


def test_an_option_that_is_younger_than_a_code_goes_with_the_rules() -> None:
    size_alone = base64.urlsafe_b64encode((20 + 20 * 64).to_bytes(2, "little")).decode().rstrip("=")
    for key in ("zagram", "sport", "paper"):
        assert decode(f"{key}~{size_alone}") == Terms(GAMES[key].with_options({"size": "20x20"}), parse_control("none"))


@given(terms)
def test_every_setting_can_be_described(draft: Terms) -> None:
    lines = describe_terms(draft, "Ola", ENGLISH)
    assert all(0 < len(line) <= MAX_OPTION for line in lines.values())


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
@pytest.mark.parametrize("level", [None, 4])
@pytest.mark.parametrize(
    ("handicap", "told"), [({"komi": "5.5"}, "393"), ({"handicap": "2"}, "5.5"), ({"komi": "8.5"}, "5.5")]
)
def test_a_card_tells_by_how_much_a_handicap_counts_or_that_it_does_not(
    language: str, level: int | None, handicap: dict[str, str], told: str
) -> None:
    rules = GAMES["zagram"].with_options({"size": "15x15"} | handicap)
    line = describe_terms(Terms(rules, parse_control("3d"), rated=True, level=level), "Ola", spoken().of(language))[
        "rated"
    ]
    assert told in line
    assert len(line) <= MAX_OPTION


BUTTONS = (*terms_panel.BUTTONS, *personal.BUTTONS, *house.BUTTONS, *rulebook.BUTTONS, *buttons.BUTTONS)


async def test_no_panel_is_larger_than_a_message_may_be(room: Room) -> None:
    """The stand-in checks Discord's limits; this test counts the components of the largest panels."""

    def size(shown: Message) -> int:
        def count(part: Any) -> int:
            inner = [*part.get("components", ()), *([part["accessory"]] if "accessory" in part else ())]
            return 1 + sum(map(count, inner))

        return sum(map(count, shown.components))

    card = await room.challenge(opponent=room.maksim, clock="3d")
    change = (await room.maksim.click(card, "Change terms").answered()).message
    me = (await room.ola.command(room.general, "settings me").answered()).message
    server = (await room.ola.command(room.general, "settings server").answered()).message
    rules = (await room.ola.command(room.general, "rules").answered()).message
    assert change is not None
    assert me is not None
    assert server is not None
    assert rules is not None
    assert [size(shown) <= 40 for shown in (change, me, server, rules)] == [True] * 4


IDS = st.sampled_from([item.__discord_ui_compiled_template__.pattern for item in BUTTONS]).flatmap(
    lambda pattern: st.from_regex(pattern, fullmatch=True).filter(lambda text: len(text) <= MAX_CUSTOM_ID)
)


@given(st.one_of(st.text(max_size=80), st.from_regex(r"[\w|+\-/~]{1,80}", fullmatch=True)))
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
    ("me:pings", ["25"]),
    ("me:steps", ["1", "3"]),
    ("me:confirm", ["always"]),
    ("server:theme", ["sepia"]),
    ("server:roles", ["x"]),
    ("server:threads0", None),
    ("rules:contents", ["chess"]),
    ("help:purposes", ["chess"]),
    ("rules:on:chess", None),
]


async def test_forged_components_are_answered_and_change_nothing(room: Room) -> None:
    await room.challenge(opponent=room.maksim)
    before = await room.use_cases.challenges.load(ChallengeId(1))
    chance = random.Random(1)
    for custom_id, values in FORGED:
        message = await post_component(room, custom_id, values)
        chosen = None if values is None else [chance.choice(values)]
        told = await private_words(room.kasia.click(message, custom_id, chosen))
        assert "Something went wrong" not in told, custom_id
    assert await room.use_cases.challenges.load(ChallengeId(1)) == before
    async with room.services.store.read() as reader:
        assert (await reader.people.get(UserId(room.kasia.id))).terms is None
        assert await reader.servers.get(GuildId(room.discord.guild.id)) == ServerSettings(
            GuildId(room.discord.guild.id)
        )


@given(IDS)
def test_every_id_that_fits_a_template_is_read(custom_id: str) -> None:
    (item, *_) = (each for each in BUTTONS if each.__discord_ui_compiled_template__.fullmatch(custom_id))
    found = item.__discord_ui_compiled_template__.fullmatch(custom_id)
    assert found is not None
    part: discord.ui.Button[Any] = discord.ui.Button(custom_id=custom_id)
    made = asyncio.run(item.from_custom_id(cast("Any", None), part, found))
    assert item.__discord_ui_compiled_template__.fullmatch(made.custom_id)


async def test_the_panel_of_a_game_against_the_computer_offers_its_levels_by_number_and_name(room: Room) -> None:
    room.thinkers = Inside
    await room.restart()
    asked = room.ola.command(room.channel, "challenge", computer=4, options="panel")
    opened = await private_message(asked)
    menu = next(part for part in opened.controls if part["custom_id"].endswith(":level"))
    assert [option["label"] for option in menu["options"]][:2] == ["Computer: 1 · Newcomer", "Computer: 2 · Beginner"]
    changed = await room.ola.click(opened, menu["custom_id"], "1").followed()
    assert "Computer: 1 · Newcomer" in chosen(changed)


async def test_a_challenge_to_people_offers_no_levels(room: Room) -> None:
    opened = await private_message(room.ola.command(room.channel, "challenge"))
    assert not any(part["custom_id"].endswith(":level") for part in opened.controls)
