"""The panels of own rule sets: made, listed, changed, renamed, used by default, deleted, by their owner alone."""

from __future__ import annotations

from functools import partial

import pytest

from loopback import Channel, Interaction, Message, Permission, Person
from play.challenge.terms import MAX_RULE_SETS, Owner, RuleSet
from play.ids import GuildId, UserId
from rules.registry import make_game
from tests.bot import forging
from tests.bot.features.settings.test_settings import load_server, load_settings, open_settings
from tests.bot.panels import choose
from tests.bot.room import Room, private_words

EXTRA = make_game("sport", {"size": "20x20", "extra-move": "on", "win": "10 ahead"})


def owner_of(room: Room, whose: Person | str) -> Owner:
    return Owner(guild=GuildId(room.discord.guild.id)) if isinstance(whose, str) else Owner(UserId(whose.id))


async def keep(room: Room, whose: Person | str, name: str = "Grandpa's rules") -> RuleSet:
    """Stores a rule set of a person, or of the server."""
    return await room.use_cases.rule_sets.make(owner_of(room, whose), UserId(1), name, EXTRA, None)


async def names(room: Room, whose: Person | str) -> list[str]:
    return [each.name for each in await room.use_cases.rule_sets.of(owner_of(room, whose))]


async def open_sets(room: Room, person: Person, which: str = "me", channel: Channel | None = None) -> Message:
    settings = await open_settings(room, person, which, channel)
    panel: Message = await person.click(settings, "Rule sets").followed()
    return panel


async def open_page(room: Room, person: Person, own: RuleSet, which: str = "me") -> Message:
    return await choose(person, await open_sets(room, person, which), "Open a rule set", str(own.id))


async def name(person: Person, panel: Message, button: str, typed: str) -> Message:
    """Types a name into the form behind a button; returns the panel after it."""
    opened = await person.click(panel, button).answered()
    assert opened.modal is not None
    changed: Message = await person.submit(opened.modal, {"name": typed}).followed()
    return changed


async def test_a_rule_set_is_made_from_the_list_and_shown_with_its_name(room: Room) -> None:
    panel = await open_sets(room, room.ola)
    assert "none yet" in panel.text
    page = await name(room.ola, panel, "New rule set", "Дедушкины правила 🎲")
    assert "### Дедушкины правила 🎲" in page.text
    assert "Rules: Zagram" in page.text
    assert "Дедушкины правила 🎲" in (await open_sets(room, room.ola)).text
    assert await names(room, room.ola) == ["Дедушкины правила 🎲"]
    assert await names(room, room.maksim) == []


async def test_the_page_says_what_departs_from_the_preset(room: Room) -> None:
    own = await keep(room, room.ola)
    page = await open_page(room, room.ola, own)
    for line in ("Rules: Sport", "20×20", "a capture earns another move", "a lead of 10", "chosen for each game"):
        assert line in page.text
    assert "Landing" not in page.text


async def test_a_rule_set_is_renamed(room: Room) -> None:
    own = await keep(room, room.ola)
    page = await name(room.ola, await open_page(room, room.ola, own), "Rename", "Grandma's")
    assert "### Grandma's" in page.text
    assert await names(room, room.ola) == ["Grandma's"]


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("OTHER", "You already have a rule set called “OTHER”"),
        ("@everyone", "can't contain a mention"),
        ("\u200b", "That name looks empty"),
    ],
)
async def test_a_name_that_is_refused_is_explained_and_changes_nothing(room: Room, typed: str, reason: str) -> None:
    own = await keep(room, room.ola)
    await keep(room, room.ola, "Other")
    page = await name(room.ola, await open_page(room, room.ola, own), "Rename", typed)
    assert reason in page.text
    listed = await name(room.ola, await open_sets(room, room.ola), "New rule set", typed)
    assert reason in listed.text
    assert await names(room, room.ola) == ["Grandpa's rules", "Other"]


@pytest.mark.smoke
async def test_a_deletion_asks_first(room: Room) -> None:
    own = await keep(room, room.ola)
    asked = await room.ola.click(await open_page(room, room.ola, own), "Delete").followed()
    assert "Delete **Grandpa's rules**?" in asked.text
    kept = await room.ola.click(asked, "Keep it").followed()
    assert await names(room, room.ola) == ["Grandpa's rules"]
    again = await room.ola.click(kept, "Delete").followed()
    gone = await room.ola.click(again, "Yes, delete").followed()
    assert "**Grandpa's rules** is deleted" in gone.text
    assert await names(room, room.ola) == []


@pytest.mark.sample(3)
@pytest.mark.parametrize("button", ["Change rules", "Use by default", "Delete", "Rename"])
async def test_an_old_button_of_a_deleted_rule_set_is_answered_in_private(room: Room, button: str) -> None:
    own = await keep(room, room.ola)
    page = await open_page(room, room.ola, own)
    await room.use_cases.rule_sets.delete(own.id, own.owner, UserId(1))
    assert "That rule set no longer exists" in await private_words(room.ola.click(page, button))


async def test_a_form_that_outlived_its_rule_set_is_answered_in_private(room: Room) -> None:
    own = await keep(room, room.ola)
    opened = await room.ola.click(await open_page(room, room.ola, own), "Rename").answered()
    await room.use_cases.rule_sets.delete(own.id, own.owner, UserId(1))
    assert opened.modal is not None
    words = await private_words(room.ola.submit(opened.modal, {"name": "Grandma's"}))
    assert "That rule set no longer exists" in words


async def test_a_rule_set_becomes_the_default_of_ones_challenges(room: Room) -> None:
    own = await keep(room, room.ola)
    panel = await room.ola.click(await open_page(room, room.ola, own), "Use by default").followed()
    assert "Rules: “Grandpa's rules” (Sport Dots)" in panel.text
    terms = (await load_settings(room, room.ola)).terms
    assert terms is not None
    assert (terms.game, terms.rule_set) == (EXTRA, "Grandpa's rules")


async def test_the_rules_of_a_rule_set_are_changed_in_the_panel_of_terms(room: Room) -> None:
    own = await keep(room, room.ola)
    terms = await room.ola.click(await open_page(room, room.ola, own), "Change rules").followed()
    assert "Rules of your rule set" in terms.text
    terms = await choose(room.ola, terms, "Board size", "30x30")
    page = await room.ola.click(terms, "Save rules").followed()
    assert "30×30" in page.text
    stored = await room.use_cases.rule_sets.load(own.id, own.owner)
    assert (stored.game, stored.control) == (EXTRA.with_options({"size": "30x30"}), None)


@pytest.mark.smoke
async def test_a_clock_that_is_chosen_for_a_rule_set_comes_with_it_until_it_is_dropped(room: Room) -> None:
    own = await keep(room, room.ola)
    terms = await room.ola.click(await open_page(room, room.ola, own), "Change rules").followed()
    page = await room.ola.click(await choose(room.ola, terms, "Clock", "7d"), "Save rules").followed()
    assert "7 days" in page.text
    assert str((await room.use_cases.rule_sets.load(own.id, own.owner)).control) == "7d"
    dropped = await room.ola.click(page, "Remove clock").followed()
    assert "chosen for each game" in dropped.text


async def test_a_server_has_rule_sets_of_its_own(room: Room) -> None:
    room.discord.allow(room.general, Permission.MANAGE_GUILD, room.ola)
    page = await name(room.ola, await open_sets(room, room.ola, "server"), "New rule set", "Club rules")
    panel = await room.ola.click(page, "Use by default").followed()
    assert "Rules: “Club rules”" in panel.text
    terms = (await load_server(room)).terms
    assert terms is not None
    assert terms.rule_set == "Club rules"
    assert await names(room, "server") == ["Club rules"]
    assert await names(room, room.ola) == []


PRESSED = ("rules", "clock", "usual", "delete", "sure", "show")


@pytest.mark.sample(6)
@pytest.mark.parametrize("action", PRESSED)
async def test_a_stranger_does_nothing_with_the_rule_set_of_another_person(room: Room, action: str) -> None:
    own = await keep(room, room.ola)
    pressed = forging.click(room, room.maksim, room.channel, f"sets:me:{own.id}:{action}")
    words = await private_words(pressed)
    assert "That rule set no longer exists" in words
    assert "Grandpa" not in words
    assert await room.use_cases.rule_sets.load(own.id, own.owner) == own


async def test_a_stranger_does_not_name_the_rule_set_of_another_person(room: Room) -> None:
    own = await keep(room, room.ola)
    assert "no longer exists" in await private_words(
        forging.click(room, room.maksim, room.channel, f"sets:me:{own.id}:name")
    )
    form = forging.submit(room, room.maksim, room.channel, f"sets:me:{own.id}:name", [forging.input_("name", "Stolen")])
    assert "no longer exists" in await private_words(form)
    assert await names(room, room.ola) == ["Grandpa's rules"]


@pytest.mark.sample(6)
@pytest.mark.parametrize("action", PRESSED)
async def test_who_does_not_manage_a_server_does_nothing_with_its_rule_sets(room: Room, action: str) -> None:
    own = await keep(room, "server")
    words = await private_words(forging.click(room, room.maksim, room.channel, f"sets:server:{own.id}:{action}"))
    assert "Manage Server" in words
    assert await room.use_cases.rule_sets.load(own.id, own.owner) == own


@pytest.mark.parametrize("custom_id", ["sets:server:list", "sets:server:1:sure"])
async def test_a_server_has_no_rule_sets_in_a_direct_message(room: Room, custom_id: str) -> None:
    await keep(room, "server")
    assert await private_words(forging.click(room, room.ola, room.ola.open_dm(), custom_id))
    assert await names(room, "server") == ["Grandpa's rules"]


async def test_a_manager_of_another_server_does_nothing_with_the_rule_sets_of_this_one(room: Room) -> None:
    elsewhere = Owner(guild=GuildId(room.discord.guild.id + 1))
    own = await room.use_cases.rule_sets.make(elsewhere, UserId(1), "Theirs", EXTRA, None)
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)
    for action in PRESSED:
        words = await private_words(forging.click(room, room.ola, room.channel, f"sets:server:{own.id}:{action}"))
        assert "no longer exists" in words
    assert await room.use_cases.rule_sets.of(elsewhere) == [own]


async def test_the_list_is_full_after_so_many(room: Room) -> None:
    for number in range(MAX_RULE_SETS - 1):
        await keep(room, room.ola, f"Set {number}")
    panel = await open_sets(room, room.ola)
    opened = await room.ola.click(panel, "New rule set").answered()
    assert opened.modal is not None
    full = await room.ola.submit(opened.modal, {"name": "The last"}).followed()
    assert "### The last" in full.text
    again = await room.ola.submit(opened.modal, {"name": "One more"}).followed()
    assert f"the limit is {MAX_RULE_SETS}" in again.text
    assert "New rule set" not in (await open_sets(room, room.ola)).labels


def _is_answered(sent: Interaction) -> bool:
    return bool(sent.touched or sent.messages)


async def test_a_form_sent_thirty_times_makes_one_rule_set(room: Room) -> None:
    opened = await room.ola.click(await open_sets(room, room.ola), "New rule set").answered()
    assert opened.modal is not None
    sent = [room.ola.submit(opened.modal, {"name": "Mine"}) for _ in range(30)]
    for each in sent:
        await each.until(partial(_is_answered, each))
    assert await names(room, room.ola) == ["Mine"]
    assert room.discord.problems == []


async def test_a_panel_works_after_a_restart(room: Room) -> None:
    own = await keep(room, room.ola)
    page = await open_page(room, room.ola, own)
    opened = await room.ola.click(page, "Rename").answered()
    await room.restart()
    assert opened.modal is not None
    renamed = await room.ola.submit(opened.modal, {"name": "Grandma's"}).followed()
    assert "### Grandma's" in renamed.text
    assert "Delete **Grandma's**?" in (await room.ola.click(page, "Delete").followed()).text


async def test_a_number_that_no_row_can_have_is_answered(room: Room) -> None:
    assert "no longer exists" in await private_words(
        forging.click(room, room.ola, room.channel, f"sets:me:{10**15 - 1}:show")
    )
