"""Values that no select and no form offers are refused, in every template: nothing is stored, nothing posted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from pydantic import SecretStr

from bot.services.rate_limits import Rate, RateLimits
from bot.settings import Hosting
from loopback import Discord, Interaction, Message, Permission
from loopback.components import (
    CHANNEL_SELECT,
    RADIO_GROUP,
    ROLE_SELECT,
    SELECTS,
    STRING_SELECT,
    TEXT_INPUT,
    USER_SELECT,
)
from play.challenge.terms import MAX_NAME, USUAL_CONTROL, Owner, Terms
from play.community.milestone import Milestone
from play.community.seek import Seek, SeekId, SeekState
from play.competitions.tournament import Format
from play.ids import ChannelId, GuildId, MatchId, UserId
from play.match.match import AwayPlace
from presentation.tournaments import MAX_NAME as MAX_TITLE
from rules.game import Seat
from rules.registry import GAMES
from tests.bot import forging
from tests.bot.features.competitions.tournaments.cup import make_tournament, wait_for
from tests.bot.features.records.test_imports import import_game
from tests.bot.panels import choose
from tests.bot.room import Room, private_message, private_words
from tests.bot.templates import COMPONENTS, FORMS
from tests.bot.test_forged import CUSTOM_IDS, DRAFT
from tests.matches import a_match, add_shown_match
from tests.opponent.quick import Inside

REFUSED = "no longer works"
ELSEWHERE = 4242
"""The number of a server, a channel, a role and a user of which this server has none."""

QUIET_TABLES = ("heartbeat",)
"""Tables that change by themselves."""


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    many = Rate(9000, 0.001)
    hosting = Hosting(feedback=SecretStr(str(discord.open_channel("feedback").id)))
    return {"limits": RateLimits(many, many, cards=many), "hosting": hosting, "thinkers": Inside}


@pytest.fixture(autouse=True)
async def _ready(room: Room) -> None:
    """Lets Ola manage the server, and starts a match."""
    await room.start_match(size="9x9")
    room.discord.allow(room.channel, Permission.MANAGE_GUILD | Permission.MANAGE_MESSAGES, room.ola)


def templates_of(custom_id: str) -> list[Any]:
    return [each for each in COMPONENTS if each.__discord_ui_compiled_template__.fullmatch(custom_id)]


async def follow(room: Room, panel: Message, *buttons: str) -> Message:
    """Presses buttons one after the other; returns the last panel."""
    for button in buttons:
        panel = await room.ola.click(panel, button).followed()
    return panel


async def open_panels(room: Room) -> list[Message]:
    """Returns panels with every select of the program, opened by Ola."""
    for person in (room.maksim, room.ola):
        if person is room.maksim:
            await private_words(room.ola.command(room.channel, "ladder create"))
        await private_words(person.command(room.channel, "ladder join"))
    await private_words(room.maksim.click(await make_tournament(room), "Sign up"))
    await wait_for(room, lambda now: len(now.users) == 1)
    await room.use_cases.rule_sets.make(Owner(UserId(room.ola.id)), UserId(room.ola.id), "Mine", GAMES["paper"], None)
    await room.use_cases.blocks.block(UserId(room.ola.id), UserId(room.kasia.id), room.clock())
    mine = await private_message(room.ola.command(room.channel, "settings me"))
    form = (await room.ola.click(mine, "me:clock").answered()).modal
    assert form is not None
    zones = await room.ola.submit(form, {"zone": "birmingham", "night": "22-7"}).followed()
    server = await private_message(room.ola.command(room.channel, "settings server"))
    home = await follow(room, server, "Home post")
    with_home = await choose(room.ola, home, "home:channel", room.general.id)
    await room.until(lambda: _home_is_posted(room))
    standing = await private_message(room.ola.command(room.channel, "ladder show"))
    final = a_match(channel=room.general.id, players=(UserId(room.maksim.id), UserId(room.kasia.id)))
    here = GuildId(room.discord.guild.id)
    await add_shown_match(room.services.store, replace(final, guild=here, parent=None, predictable=True))
    async with room.services.store.write() as tx:
        await tx.milestones.add(UserId(room.ola.id), [Milestone.GAMES_10, Milestone.STREAK_10], room.clock())
    met = await meet_stranger(room)
    predicted = await private_message(room.ola.command(room.channel, "predict games"))
    again = await private_message(room.ola.command(room.channel, "settings server"))
    daily = await follow(room, again, "dailypost:open")
    return [
        zones,
        with_home,
        await choose(room.ola, daily, "dailypost:channel", room.general.id),
        await follow(room, await private_message(room.ola.command(room.channel, "settings server")), "seats:open"),
        await follow(room, await private_message(room.ola.command(room.channel, "settings server")), "arenapost:open"),
        await follow(room, await private_message(room.ola.command(room.channel, "settings server")), "log:open"),
        await follow(room, await private_message(room.ola.command(room.channel, "settings server")), "podium:open"),
        await private_message(room.ola.command(room.channel, "settings server")),
        await follow(room, await private_message(room.ola.command(room.channel, "settings me")), "blocked:open"),
        await follow(room, await private_message(room.ola.command(room.channel, "settings me")), "sets:me:list"),
        await follow(room, await private_message(room.ola.command(room.channel, "settings me")), "me:usual"),
        await private_message(room.ola.command(room.channel, "challenge")),
        await private_message(room.ola.command(room.channel, "rules")),
        await private_message(room.ola.command(room.channel, "help")),
        await follow(room, standing, "ladder:challenge"),
        await room.ola.click(predicted, "Predict").followed(),
        await private_message(forging.click(room, room.ola, room.channel, "kept:tournament.1.0")),
        await follow(room, await private_message(room.ola.command(room.channel, "profile")), "milestones:open"),
        await private_message(room.ola.command(room.channel, "tournament remove")),
        await private_message(room.ola.click(await private_message(import_game(room)), "Play on from here")),
        await private_message(forging.click(room, room.ola, room.channel, f"match:{met}:0:say")),
    ]


async def meet_stranger(room: Room) -> MatchId:
    """Gives Ola a game with a stranger; returns its number."""
    players, here = (UserId(room.ola.id), UserId(room.maksim.id)), ChannelId(9)
    drawn = a_match(channel=8, players=players)
    game = replace(drawn, guild=GuildId(room.discord.guild.id), parent=None, away=AwayPlace(None, here, None, Seat(1)))
    match = (await add_shown_match(room.services.store, game)).id
    async with room.services.store.write() as tx:
        for user in players:
            seek = Seek(SeekId(0), user, None, here, Terms(GAMES["paper"], USUAL_CONTROL), room.clock(), room.clock())
            await tx.seeks.add(replace(seek, state=SeekState.PLAYED, met=room.clock(), match=match))
    return match


async def _home_is_posted(room: Room) -> bool:
    async with room.services.store.read() as reader:
        home = await reader.homes.get(room.discord.guild.id)  # type: ignore[arg-type]
    return home is not None and home.message is not None


def selects_of(panels: Sequence[Message]) -> Iterator[tuple[Message, dict[str, Any]]]:
    for panel in panels:
        for part in panel.controls:
            if part["type"] in SELECTS:
                yield panel, part


def forge(room: Room, panel: Message, part: Mapping[str, Any], values: Any, **resolved: Any) -> Interaction:
    """Sends values of a select that its panel may not offer."""
    data = {"custom_id": part["custom_id"], "component_type": part["type"], "id": part["id"], "values": values}
    return forging.send(room, room.ola, panel, data | ({"resolved": resolved} if resolved else {}))


def forged_values(room: Room, part: Mapping[str, Any]) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Yields how values are forged, the values, and what Discord may resolve them to."""
    wire = room.discord.wire
    number = str(ELSEWHERE)
    yield "number", [7], {}
    match part["type"]:
        case kind if kind == STRING_SELECT:
            options = [option["value"] for option in part["options"]]
            yield "not offered", ["no such"], {}
            yield "not offered beside", [options[0], "no such"], {}
            yield "too many", options * 2, {}
            yield "twice", options[:1] * 2, {}
            if part["min_values"]:
                yield "too few", [], {}
        case kind if kind == CHANNEL_SELECT:
            thread, private = room.discord.threads[0], room.discord.open_channel("hidden")
            hidden = {str(private.id): wire.channel(private) | {"permissions": "0"}}
            general = wire.channel(room.general, room.ola.id)
            foreign = {number: general | {"id": number, "guild_id": number}}
            direct, stranger = room.ola.open_dm(), room.kasia.open_dm()
            yield "of another server", [number], {"channels": foreign}
            yield (
                "beside one of another server",
                [number, general["id"]],
                {"channels": foreign | {general["id"]: general}},
            )
            for name, channel in {"a thread": thread, "a direct message": direct, "of a stranger": stranger}.items():
                known = wire.channel(channel) | {"permissions": general["permissions"]}
                yield name, [known["id"]], {"channels": {known["id"]: known}}
            yield "not seen", [*hidden], {"channels": hidden}
            yield "not resolved", [str(room.general.id)], {}
            yield "too many", [str(room.general.id)] * 30, {"channels": {general["id"]: general}}
        case kind if kind == ROLE_SELECT:
            everyone = wire.guild(room.discord.guild)["roles"][0]
            yield "of another server", [number], {"roles": {number: everyone | {"id": number}}}
            yield "not resolved", [everyone["id"]], {}
            yield "too many", [everyone["id"]] * 30, {"roles": {everyone["id"]: everyone}}
        case kind if kind == USER_SELECT:
            user = wire.user(room.maksim.user)
            yield "of another server", [number], {"users": {number: user | {"id": number}}}
            yield "not resolved", [user["id"]], {}
            yield "too many", [user["id"]] * 2, {"users": {user["id"]: user}, "members": {user["id"]: {}}}
        case other:
            raise AssertionError(f"the test knows no forged values of component type {other}")


@pytest.mark.contest
@pytest.mark.smoke
async def test_what_a_select_does_not_offer_is_refused(room: Room) -> None:
    panels = await open_panels(room)
    attacked = set()
    for panel, part in selects_of(panels):
        attacked.update(templates_of(part["custom_id"]))
        for how, values, resolved in forged_values(room, part):
            before = await stored(room), posted(room)
            sent = forge(room, panel, part, values, **resolved)
            await sent.answered()
            said = " ".join(message.text for message in sent.messages)
            assert REFUSED in said, (part["custom_id"], how, said)
            assert (await stored(room), posted(room)) == before, (part["custom_id"], how)
    assert attacked == {
        each for custom_id in CUSTOM_IDS for each in templates_of(custom_id) if is_select(each, custom_id)
    }


def is_select(template: Any, custom_id: str) -> bool:
    return template.kind.value in SELECTS


@pytest.mark.contest
async def test_an_option_that_is_offered_no_longer_gets_a_sentence(room: Room) -> None:
    for custom_id in CUSTOM_IDS:
        if any(template.kind.value == STRING_SELECT for template in templates_of(custom_id)):
            for option in ("no such", "999", "own.999", "9" * 40):
                before = await stored(room), posted(room)
                clicked = forging.click(
                    room, room.ola, room.channel, custom_id, STRING_SELECT, options=(option,), values=[option]
                )
                assert (await clicked.answered()).kind != "failed", (custom_id, option)
                words = " ".join(message.text for message in clicked.messages)
                assert "Something went wrong" not in words, (custom_id, option, words)
                assert (await stored(room), posted(room)) == before, (custom_id, option)


class Sheet(NamedTuple):
    """A form: its texts with the characters that fit, those that may stay empty, and its choices."""

    custom_id: str
    texts: Mapping[str, int] = {}
    optional: Sequence[str] = ()
    choices: Mapping[str, Sequence[str]] = {}


SHEETS = (
    Sheet("match:1:0:point", {"point": 1000}),
    Sheet("match:1:0:point", {"one": 10, "other": 10, "single": 10}),
    Sheet("match:1:0:point", choices={"point": ("take single", "take pair")}),
    Sheet("daily:2026-11-26:0:point", {"point": 1000}),
    Sheet("match:1:0:plan", {"line": 1000}),
    Sheet("seek:name", {"name": 32}, optional=("name",)),
    Sheet("me:clock", {"zone": 60, "night": 60}, optional=("zone", "night")),
    Sheet("feedback", {"text": 1500, "contact": 100}, optional=("contact",)),
    Sheet(f"terms:me:{DRAFT}:other-size", {"value": 30}),
    Sheet("sets:me:new", {"name": MAX_NAME}),
    Sheet("sets:me:1:name", {"name": MAX_NAME}),
    Sheet(f"terms:me:{DRAFT}:name", {"name": MAX_NAME}),
    Sheet("replay:1:jump", {"number": 4}),
    Sheet("mistake:1:1:point", {"point": 1000}),
    Sheet("drill:fork:101::point", {"point": 1000}),
    Sheet("train:net:101::point", {"point": 1000}),
    Sheet("learn:capture:point", {"point": 1000}),
    Sheet("taught:1:point", {"point": 1000}),
    Sheet("puzzle:1:point", {"point": 1000}),
    Sheet("begin:tournament:name", {"name": MAX_TITLE}, choices={"format": [each.value for each in Format]}),
)


def filled(sheet: Sheet) -> dict[str, dict[str, Any]]:
    """Returns the fields of a form as a client sends them."""
    texts = {name: {"type": TEXT_INPUT, "id": 2, "custom_id": name, "value": "A1"} for name in sheet.texts}
    chosen = {
        name: {"type": RADIO_GROUP, "id": 2, "custom_id": name, "value": values[0]}
        for name, values in sheet.choices.items()
    }
    return texts | chosen


def forged_forms(sheet: Sheet) -> Iterator[tuple[str, list[Any]]]:
    """Yields how a form is forged, and its fields."""
    fields = filled(sheet)
    extra = {"type": TEXT_INPUT, "id": 2, "custom_id": "extra", "value": "x"}
    yield "no field", []
    yield "one field too many", [*fields.values(), extra]
    yield "labels alone", [None] * len(fields)
    for name, field in fields.items():
        others = [each for each in fields.values() if each is not field]
        yield f"{name} twice", [*fields.values(), field]
        yield f"without {name}", others
        yield f"{name} renamed", [*others, field | {"custom_id": "renamed"}]
        yield f"{name} of another type", [*others, field | {"type": STRING_SELECT, "values": ["x"]}]
        for value in (7, None, ["x"], {"x": 1}, True):
            yield f"{name} is {value!r}", [*others, field | {"value": value}]
    for name, most in sheet.texts.items():
        others = [each for each in fields.values() if each["custom_id"] != name]
        yield f"{name} too long", [*others, fields[name] | {"value": "x" * (most + 1)}]
        if name not in sheet.optional:
            yield f"{name} empty", [*others, fields[name] | {"value": ""}]
    for name in sheet.choices:
        yield f"{name} not offered", [fields[name] | {"value": "K12"}]


@pytest.mark.sample(5)
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: f"{sheet.custom_id} {[*filled(sheet)]}")
async def test_what_a_form_does_not_ask_for_is_refused(room: Room, sheet: Sheet) -> None:
    before = await stored(room), posted(room)
    for how, fields in forged_forms(sheet):
        labels = [{"type": 18, "id": 1, "component": each} for each in fields]
        sent = forging.submit(room, room.ola, room.channel, sheet.custom_id, labels)
        said = await private_words(sent)
        assert REFUSED in said, (how, said)
    assert (await stored(room), posted(room)) == before


def test_every_field_of_every_form_is_attacked() -> None:
    declared = {(form.id_form.template, tuple(field.name for field in form.fields)) for form in FORMS}
    attacked = {
        (form.id_form.template, tuple(filled(sheet)))
        for sheet in SHEETS
        for form in FORMS
        if form.id_form.pattern.fullmatch(sheet.custom_id) and {*filled(sheet)} == {field.name for field in form.fields}
    }
    assert attacked == declared
    assert len(SHEETS) == len(FORMS)


async def stored(room: Room) -> dict[str, list[Any]]:
    """Returns all rows of the database."""
    await room.wait_for_outbox()
    with sqlite3.connect(room.url.removeprefix("sqlite+aiosqlite:///")) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: database.execute(f'SELECT * FROM "{name}"').fetchall()  # noqa: S608 - names of our tables
            for name in names
            if name not in QUIET_TABLES
        }


def posted(room: Room) -> list[tuple[int, str]]:
    """Returns what is in all channels for everyone."""
    messages = room.discord.world.messages.values()
    own = room.discord.bot.id
    return [
        (each.id, each.text)
        for each in messages
        if each.author_id == own and not each.ephemeral and each.content != forging.FORGED
    ]
