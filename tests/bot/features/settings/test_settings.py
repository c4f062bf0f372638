"""`/settings`: choices of players and servers are saved at once, and panels show what is stored."""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from bot.markup import spoken
from loopback import Channel, Message, Permission, Person
from play.clock.schedule import Night
from play.ids import GuildId, UserId
from play.people.settings import PlayerSettings as Settings
from play.people.settings import Reminders, ServerSettings
from renderer.theme import THEMES
from tests.bot.panels import choose
from tests.bot.room import Room, private_words


async def open_settings(room: Room, person: Person, which: str = "me", channel: Channel | None = None) -> Message:
    shown = (await person.command(channel or room.general, f"settings {which}").answered()).message
    assert shown is not None
    assert shown.ephemeral
    return shown


async def load_settings(room: Room, person: Person) -> Settings:
    async with room.services.store.read() as reader:
        return await reader.people.get(UserId(person.id))


async def load_server(room: Room) -> ServerSettings:
    async with room.services.store.read() as reader:
        return await reader.servers.get(GuildId(room.discord.guild.id))


async def submit_hours(
    person: Person, shown: Message, zone: str, night: str, label: str = "Set quiet hours"
) -> Message:
    opened = await person.click(shown, label).answered()
    assert opened.modal is not None
    changed: Message = await person.submit(opened.modal, {"zone": zone, "night": night}).followed()
    return changed


async def test_what_is_chosen_is_saved_and_shown_also_after_a_restart(room: Room) -> None:
    shown = await open_settings(room, room.ola)
    shown = await choose(room.ola, shown, "me:theme", "dark")
    await room.restart()
    shown = await choose(room.ola, shown, "me:confirm", "live", "days")
    await room.restart()
    shown = await choose(room.ola, shown, "me:reminders", "dm")
    stored = await load_settings(room, room.ola)
    assert (stored.theme, stored.confirm_live, stored.confirm_days) == ("dark", True, True)
    assert stored.reminders is Reminders.DM
    held = [option["label"] for part in shown.controls for option in part.get("options", ()) if option.get("default")]
    assert "My boards: Dark" in held
    assert "Remind me by direct message" in held


async def test_a_move_opens_the_next_game_only_for_those_who_have_chosen_that(room: Room) -> None:
    shown = await open_settings(room, room.ola)
    for choice, opens in (("open", True), ("stay", False)):
        shown = await choose(room.ola, shown, "me:next", choice)
        assert (await load_settings(room, room.ola)).opens_next == opens


async def test_no_choice_of_confirmations_means_never(room: Room) -> None:
    await choose(room.ola, await open_settings(room, room.ola), "me:confirm")
    stored = await load_settings(room, room.ola)
    assert (stored.confirm_live, stored.confirm_days) == (False, False)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("features", "locale", "said"),
    [
        ((), "pl", "Discord names no language for this server, because it isn't a Community server. Games are in"),
        (("COMMUNITY",), "pl", "Language of boards and challenges: Polski, that of this Community server in Discord."),
        (("COMMUNITY",), "ja", "English, because I don't speak the language of this Community server yet."),
        (("COMMUNITY",), "en-GB", "Language of boards and challenges: English, that of this Community server"),
    ],
)
async def test_the_panel_of_a_server_says_in_which_language_boards_are_and_why(
    room: Room, features: tuple[str, ...], locale: str, said: str
) -> None:
    room.discord.world.guild = replace(room.discord.guild, locale=locale, features=features)
    shown = await open_settings(room, room.ola, "server")
    assert said in shown.text
    shown = await choose(room.ola, shown, "server:language", "uk")
    assert "Language of boards and challenges: Українська, as chosen below." in shown.text


async def test_every_theme_is_shown_on_a_small_board(room: Room) -> None:
    shown = await open_settings(room, room.ola)
    drawn = set()
    for theme in THEMES:
        shown = await choose(room.ola, shown, "me:theme", theme)
        (sample,) = shown.attachments
        assert (sample.filename, bool(sample.description)) == (f"theme-{theme}.png", True)
        drawn.add(sample.data)
    assert len(drawn) == len(THEMES)


async def test_a_players_own_language_wins_over_that_of_discord(room: Room) -> None:
    room.ola.speak("ru")
    shown = await choose(room.ola, await open_settings(room, room.ola), "me:language", "en")
    assert (await load_settings(room, room.ola)).language == "en"
    await choose(room.ola, shown, "me:language", "-")
    assert (await load_settings(room, room.ola)).language is None


async def test_the_time_zone_is_asked_for_and_the_time_there_is_shown(room: Room) -> None:
    shown = await submit_hours(room.ola, await open_settings(room, room.ola), "warsaw", "22-7:30")
    assert "**Time zone**: Warsaw" in shown.text
    assert "10:00\u202fPM–7:30\u202fAM" in shown.text
    assert "5:06" in shown.text  # the tests begin at 15:06:40 UTC
    stored = await load_settings(room, room.ola)
    assert (stored.zone, stored.night) == (ZoneInfo("Europe/Warsaw"), Night(22 * 60, 7 * 60 + 30))


async def test_an_empty_form_forgets_zone_and_night(room: Room) -> None:
    shown = await submit_hours(room.ola, await open_settings(room, room.ola), "warsaw", "22-7")
    shown = await submit_hours(room.ola, shown, "", "")
    stored = await load_settings(room, room.ola)
    assert (stored.zone, stored.night) == (None, None)
    assert "not set" in shown.text


@pytest.mark.parametrize(
    ("zone", "night", "sentence"),
    [
        ("Nowhere at all", "", "I can't find that time zone."),
        ("warsaw", "at night", "Those quiet hours aren't valid."),
        ("", "22-7", "Quiet hours need a time zone."),
    ],
)
async def test_what_cannot_be_read_is_explained_and_changes_nothing(
    room: Room, zone: str, night: str, sentence: str
) -> None:
    shown = await submit_hours(room.ola, await open_settings(room, room.ola), zone, night)
    assert sentence in shown.text
    assert shown.labels == ["Try again"]
    assert await load_settings(room, room.ola) == Settings(UserId(room.ola.id))


@pytest.mark.parametrize(("language", "night"), [("en", "10:00\u202fPM–7:30\u202fAM"), ("pl", "22:00–07:30")])
async def test_quiet_hours_are_in_the_notation_of_the_language(room: Room, language: str, night: str) -> None:
    hours = Night(22 * 60, 7 * 60 + 30)
    await room.change_settings(room.ola, language=language, zone=ZoneInfo("Europe/Warsaw"), night=hours)
    assert night in (await open_settings(room, room.ola)).text


async def test_a_digest_speaks_of_quiet_hours_only_where_it_waits_for_their_end(room: Room) -> None:
    await room.change_settings(room.ola, zone=ZoneInfo("Europe/Warsaw"), digest=8)
    shown = await open_settings(room, room.ola)
    assert "one digest by direct message at 8:00\u202fAM (" in shown.text
    assert "quiet hours" not in shown.text.partition("**Pings**")[2]
    await room.change_settings(room.ola, night=Night(22 * 60, 7 * 60))
    assert "quiet hours" not in (await open_settings(room, room.ola)).text.partition("**Pings**")[2]
    await room.change_settings(room.ola, digest=5)
    shown = await open_settings(room, room.ola)
    assert "one digest by direct message at 7:00\u202fAM (" in shown.text
    assert "), when your quiet hours end." in shown.text


async def test_a_city_is_understood_in_the_players_language(room: Room) -> None:
    room.ola.speak("ru")
    shown = await submit_hours(
        room.ola, await open_settings(room, room.ola), "Краков", "", spoken().of("ru")("me.button.clock")
    )
    assert (await load_settings(room, room.ola)).zone == ZoneInfo("Europe/Warsaw")
    assert "Варшава" in shown.text


async def test_an_unchanged_zone_stays_while_the_quiet_hours_change(room: Room) -> None:
    await room.change_settings(room.ola, zone=ZoneInfo("America/Indiana/Knox"))
    opened = await room.ola.click(await open_settings(room, room.ola), "Set quiet hours").answered()
    assert opened.modal is not None
    held = next(field["value"] for field in opened.modal.fields if field["custom_id"] == "zone")
    await room.ola.submit(opened.modal, {"zone": held, "night": "22-7"}).followed()
    stored = await load_settings(room, room.ola)
    assert (stored.zone, stored.night) == (ZoneInfo("America/Indiana/Knox"), Night(22 * 60, 7 * 60))


async def test_a_name_of_several_places_offers_them_and_keeps_the_quiet_hours_until_one_is_chosen(room: Room) -> None:
    shown = await submit_hours(room.ola, await open_settings(room, room.ola), "birmingham", "22-7")
    assert "Which time zone do you mean by “birmingham”?" in shown.text
    assert await load_settings(room, room.ola) == Settings(UserId(room.ola.id))
    (menu,) = [part for part in shown.controls if part.get("custom_id") == "me:zone:22:00-07:00"]
    labels = [(option["label"], option["description"]) for option in menu["options"]]
    assert labels == [
        ("Birmingham, United Kingdom", "4:06\u202fPM now · London"),
        ("Birmingham, United States", "10:06\u202fAM now · Chicago"),
    ]
    await room.restart()
    shown = await choose(room.ola, shown, "me:zone:22:00-07:00", "America/Chicago")
    stored = await load_settings(room, room.ola)
    assert (stored.zone, stored.night) == (ZoneInfo("America/Chicago"), Night(22 * 60, 7 * 60))
    assert "Which time zone" not in shown.text


async def test_a_players_default_terms_are_put_together_kept_and_deleted(room: Room) -> None:
    shown = await room.ola.click(await open_settings(room, room.ola), "Change defaults").followed()
    shown = await choose(room.ola, shown, "Rules", "paper")
    await room.restart()
    shown = await choose(room.ola, shown, "Clock", "7d")
    shown = await room.ola.click(shown, "Save as my default").followed()
    assert "Rules: On paper" in shown.text
    await room.ola.command(room.channel, "challenge", colour="drawn").answered()
    card = room.discord.messages(room.channel)[-1]
    assert "Rules: On paper" in card.content
    assert "7 days" in card.content
    shown = await room.ola.click(shown, "Reset defaults").followed()
    assert (await load_settings(room, room.ola)).terms is None


async def test_settings_work_in_a_direct_message(room: Room) -> None:
    shown = await open_settings(room, room.ola, channel=room.ola.open_dm())
    await choose(room.ola, shown, "me:theme", "notebook")
    assert (await load_settings(room, room.ola)).theme == "notebook"


async def test_only_players_who_may_manage_a_server_open_its_panel(room: Room) -> None:
    words = await private_words(room.maksim.command(room.general, "settings server"))
    assert "**Manage Server**" in words
    room.discord.allow(room.general, Permission.MANAGE_GUILD, room.maksim)
    assert "Settings of this server" in (await open_settings(room, room.maksim, "server")).text


async def test_a_player_who_may_no_longer_manage_the_server_changes_nothing_by_an_old_panel(room: Room) -> None:
    room.discord.allow(room.general, Permission.MANAGE_GUILD, room.maksim)
    shown = await open_settings(room, room.maksim, "server")
    room.discord.deny(room.general, Permission.MANAGE_GUILD, room.maksim)
    assert "Manage Server" in await private_words(room.maksim.click(shown, "Thread for each game: on"))
    assert await load_server(room) == ServerSettings(GuildId(room.discord.guild.id))


async def test_there_are_no_server_settings_in_a_direct_message(room: Room) -> None:
    words = await private_words(room.ola.command(room.ola.open_dm(), "settings server"))
    assert "This works only on a server" in words


async def test_a_server_without_threads_plays_in_the_channel(room: Room) -> None:
    shown = await open_settings(room, room.ola, "server")
    shown = await room.ola.click(shown, "Thread for each game: on").followed()
    assert "Thread for each game: off" in shown.labels
    await room.restart()
    card = await room.challenge(opponent=room.maksim)
    await room.maksim.click(card, "Accept").followed()
    await room.wait_for_board(room.channel, 0)
    assert room.discord.threads == []


async def test_challenges_are_made_only_in_the_channels_of_the_server(room: Room) -> None:
    shown = await choose(room.ola, await open_settings(room, room.ola, "server"), "server:channels", room.channel)
    part = shown.control("server:channels")
    assert [each["id"] for each in part["default_values"]] == [str(room.channel.id)]
    words = await private_words(room.maksim.command(room.general, "challenge"))
    assert f"challenges belong in <#{room.channel.id}>" in words
    card = await room.challenge(opponent=room.maksim)
    assert card.labels
    shown = await choose(room.ola, shown, "server:channels")
    await room.maksim.command(room.general, "challenge", colour="drawn").answered()
    assert room.discord.messages(room.general)[-1].labels


async def test_only_players_with_a_role_of_the_server_play(room: Room) -> None:
    role = room.discord.guild.bot_role_id
    await choose(room.ola, await open_settings(room, room.ola, "server"), "server:roles", role)
    assert "Only members with one of these roles can play" in await private_words(
        room.ola.command(room.channel, "challenge")
    )
    room.ola.add_role(role)
    card = await room.challenge(opponent=room.maksim)
    for button in ("Accept", "Change terms"):
        assert "Only members with one of these roles" in await private_words(room.maksim.click(card, button))
    room.maksim.add_role(role)
    await room.maksim.click(card, "Accept").followed()
    await room.wait_for_thread(card)


async def test_a_server_has_default_terms_which_a_players_own_replace(room: Room) -> None:
    shown = await room.ola.click(await open_settings(room, room.ola, "server"), "Change defaults").followed()
    shown = await choose(room.ola, shown, "Rules", "quick")
    shown = await room.ola.click(shown, "Save for the server").followed()
    assert "Rules: Quick" in shown.text
    await room.maksim.command(room.channel, "challenge", colour="drawn").answered()
    assert "Rules: Quick" in room.discord.messages(room.channel)[-1].content
    mine = await room.maksim.click(await open_settings(room, room.maksim), "Change defaults").followed()
    mine = await choose(room.maksim, mine, "Rules", "sport")
    await room.maksim.click(mine, "Save as my default").followed()
    await room.maksim.command(room.channel, "challenge", colour="drawn").answered()
    assert "Rules: Sport Dots" in room.discord.messages(room.channel)[-1].content
    await room.ola.click(shown, "Reset defaults").followed()
    assert (await load_server(room)).terms is None


async def test_dot_dash_can_be_switched_off_in_a_server(room: Room) -> None:
    shown = await room.ola.click(await open_settings(room, room.ola, "server"), "Dot Dash: on").followed()
    assert "Dot Dash: off" in shown.labels
    words = await private_words(room.ola.command(room.channel, "challenge", rules="dot-dash"))
    assert "Dot Dash is switched off on this server" in words
    mine = await room.maksim.click(await open_settings(room, room.maksim), "Change defaults").followed()
    rules = next(part for part in mine.controls if part["custom_id"].endswith(":rules"))
    assert not [option for option in rules["options"] if option["value"].startswith("dot-dash")]
    await room.ola.command(room.channel, "challenge", rules="sport", colour="drawn").answered()
    assert "Rules: Sport Dots" in room.discord.messages(room.channel)[-1].content


async def test_defaults_of_dot_dash_challenge_nobody_where_it_is_switched_off(room: Room) -> None:
    mine = await room.maksim.click(await open_settings(room, room.maksim), "Change defaults").followed()
    await room.maksim.click(await choose(room.maksim, mine, "Rules", "dot-dash"), "Save as my default").followed()
    await room.ola.click(await open_settings(room, room.ola, "server"), "Dot Dash: on").followed()
    words = await private_words(room.maksim.command(room.channel, "challenge", colour="drawn"))
    assert "Dot Dash is switched off on this server" in words


async def test_the_panel_of_a_server_names_what_the_bot_lacks_in_the_channel(room: Room) -> None:
    assert "✅" in (await open_settings(room, room.ola, "server")).text
    room.discord.deny(room.general, Permission.CREATE_PUBLIC_THREADS)
    assert "For threads, allow me **Create Public Threads**" in (await open_settings(room, room.ola, "server")).text
    room.discord.deny(room.general, Permission.ATTACH_FILES)
    text = (await open_settings(room, room.ola, "server")).text
    assert "I'm missing **Attach Files**, **Create Public Threads**" in text


async def test_two_panels_of_one_player_do_not_undo_each_other(room: Room) -> None:
    first, second = await open_settings(room, room.ola), await open_settings(room, room.ola)
    await choose(room.ola, first, "me:theme", "dark")
    shown = await choose(room.ola, second, "me:reminders", "off")
    stored = await load_settings(room, room.ola)
    assert (stored.theme, stored.reminders) == ("dark", Reminders.OFF)
    assert shown.attachments[0].filename == "theme-dark.png"
