"""Players read their own language, by their settings or their Discord; channels read that of their server."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from bot.services.locales import UNKNOWN_SECONDS, Locales
from bot.services.names import Names
from loopback import Channel, Message
from play.challenge.challenge import Challenge
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, UserId
from presentation.words.words import CATALOGUES, Languages
from tests.bot.room import Room, private_words
from tests.bot.vote_games import begin_votes
from tests.clock import NOON
from tests.matches import GAME, a_match, add_match


def translated(language: str, sign: str, without: str = "") -> Catalog:
    """Returns a catalogue in which each sentence begins with a sign, and the one `without` is missing."""
    with (CATALOGUES / "en" / "LC_MESSAGES" / "kropka.po").open("rb") as file:
        english = read_po(file, locale="en")
    other = Catalog(locale=language)
    for message in english:
        if not message.id or message.id == without:
            continue
        if isinstance(message.string, str):
            plain = message.string if str(message.id).startswith("name.") else f"{sign} {message.string}"[:2000]
            other.add(message.id, plain)
        else:
            plural = (message.string or ("",))[-1]
            other.add(message.id, [f"{sign}{form} {plural}" for form in range(other.num_plurals)])
    return other


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Languages:
    """English as it is, and made-up catalogues of Polish and Ukrainian."""
    folder = tmp_path_factory.mktemp("locale")
    for language in ("en", "pl", "uk"):
        (folder / language / "LC_MESSAGES").mkdir(parents=True)
        file = folder / language / "LC_MESSAGES" / "kropka.po"
        if language == "en":
            file.write_bytes((CATALOGUES / "en" / "LC_MESSAGES" / "kropka.po").read_bytes())
        else:
            with file.open("wb") as stream:
                write_po(stream, translated(language, language.upper(), "resign.done" if language == "pl" else ""))
    return Languages.read(folder)


@pytest.fixture
def run_options(spoken: Languages) -> dict[str, Any]:
    return {"spoken": spoken}


def test_discords_names_of_languages_lead_to_catalogues(spoken: Languages) -> None:
    for tag, sign in (
        ("pl", "PL"),
        ("uk", "UK"),
        ("uk-UA", "UK"),
        ("en-GB", "I can"),
        ("ja", "I can"),
        (None, "I can"),
    ):
        assert spoken.of(tag)("error.unavailable").startswith(sign)


def test_languages_are_called_as_those_who_speak_them_do(spoken: Languages) -> None:
    assert spoken.names == {"en": "English", "pl": "Polski", "uk": "Українська"}


def test_a_sentence_that_a_language_lacks_is_english(spoken: Languages) -> None:
    assert spoken.of("pl")("resign.done") == spoken.of("en")("resign.done")


@pytest.mark.sample(3)
@pytest.mark.parametrize(("count", "form"), [(1, 0), (2, 1), (5, 2), (12, 2), (22, 1)])
def test_polish_has_its_own_plural_forms(spoken: Languages, count: int, form: int) -> None:
    assert spoken.of("pl")("turn.captures", count=count).startswith(f"PL{form}")


async def challenge(room: Room) -> Message:
    """Sends a challenge of Ola; returns its card."""
    await room.ola.command(room.channel, "challenge", opponent=room.maksim, size="5x5").answered()
    return room.discord.messages(room.channel)[-1]


async def test_a_card_is_in_the_language_of_the_server_and_the_answer_in_that_of_the_person(room: Room) -> None:
    settle(room, "en-US", "COMMUNITY")
    room.ola.speak("pl")
    assert (await private_words(room.ola.command(room.channel, "challenge", colour="drawn"))).startswith("PL")
    assert not room.discord.messages(room.channel)[-1].content.startswith("PL")


async def test_a_server_that_has_set_a_language_gets_it(room: Room) -> None:
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, language="uk"))
    assert (await challenge(room)).content.startswith("UK")


async def test_a_language_that_a_person_has_set_wins_over_their_discord(room: Room) -> None:
    async with room.services.store.write() as tx:
        person = await tx.people.get(UserId(room.ola.id))
        await tx.people.save(replace(person, language="uk"))
    room.ola.speak("pl")
    assert (await private_words(room.ola.command(room.channel, "games"))).startswith("UK")


def settle(room: Room, locale: str, *features: str) -> None:
    """Makes the server one that says this language, with these features."""
    room.discord.world.guild = replace(room.discord.guild, locale=locale, features=features)


async def test_after_a_restart_discord_is_asked_what_a_community_speaks(room: Room) -> None:
    guild = room.discord.guild
    settle(room, "pl", "COMMUNITY")
    card = await challenge(room)
    assert card.content.startswith("PL")
    await room.restart()
    words = await room.services.locales.for_guild(GuildId(guild.id))
    assert words("resign.ask", opponent="x").startswith("PL")


async def test_what_is_no_community_says_nothing_by_its_locale(room: Room) -> None:
    settle(room, "pl", "NEWS")
    assert not (await challenge(room)).content.startswith("PL")
    await room.restart()
    assert (await room.services.locales.for_guild(GuildId(room.discord.guild.id))).tag == "en"


async def test_without_a_community_a_card_is_in_the_language_of_who_wrote_it(room: Room) -> None:
    room.ola.speak("pl")
    card = await challenge(room)
    assert card.content.startswith("PL")
    await room.restart()
    await room.maksim.click(card, "PL Decline").followed()
    now = await room.discord.until(lambda: (shown := room.discord.message(card)) and not shown.labels and shown)
    assert "PL Declined" in now.content, "also for a bot that does not know them yet"


async def play_in(room: Room, ola: str, maksim: str) -> Channel:
    """Begins a game of Ola and Максим, whose clients have these languages; returns its thread."""
    room.ola.speak(ola)
    room.maksim.speak(maksim)
    card = await challenge(room)
    accept = next(label for label in card.labels if label.endswith("Accept"))
    await room.maksim.click(card, accept).followed()
    return await room.wait_for_thread(card)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("ola", "maksim", "sign"), [("pl", "pl", "PL"), ("pl", "uk", ""), ("ja", "en-GB", ""), ("uk", "uk", "UK")]
)
async def test_without_a_community_a_game_is_in_the_one_language_of_its_players(
    room: Room, ola: str, maksim: str, sign: str
) -> None:
    thread = await play_in(room, ola, maksim)
    (board,) = room.boards(thread)
    for text in (board.content, board.attachments[0].description or ""):
        assert {other for other in ("PL", "UK") if other in text} == {sign} - {""}


async def test_without_a_community_a_game_in_which_the_server_votes_is_in_english(room: Room) -> None:
    room.maksim.speak("pl")
    board = await begin_votes(room)
    assert "PL" not in f"{board.content} {board.attachments[0].description}"


async def test_a_game_keeps_its_language_after_a_restart_and_without_its_players(room: Room) -> None:
    thread = await play_in(room, "pl", "pl")
    await room.restart()
    match = await room.use_cases.matches.load(MatchId(1))
    assert (await room.services.locales.for_match(match)).tag == "pl"
    room.ola.speak("uk")
    assert "PL" in (await room.play(thread, "b2")).content


async def test_a_server_that_sets_a_language_gets_it_in_games_that_go_on(room: Room) -> None:
    thread = await play_in(room, "pl", "pl")
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, language="uk"))
    assert "UK" in (await room.play(thread, "b2")).content


async def test_a_language_that_is_not_known_yet_is_not_settled(room: Room) -> None:
    match = await add_match(room.services.store, a_match(5, (UserId(room.ola.id), UserId(room.maksim.id))))
    assert (await room.services.locales.for_match(match)).tag == "en"
    for person in (room.ola, room.maksim):
        person.speak("pl")
        await private_words(person.command(room.channel, "games"))
    assert (await room.services.locales.for_match(match)).tag == "pl"


@pytest.mark.parametrize("first", [0, 1])
async def test_a_game_in_a_group_is_in_the_language_of_its_challenger(room: Room, first: int) -> None:
    ola, maksim = UserId(room.ola.id), UserId(room.maksim.id)
    for person, language in ((room.ola, "pl"), (room.maksim, "uk")):
        await room.change_settings(person, language=language)
    players = (ola, maksim) if first == 0 else (maksim, ola)
    offered = Challenge(ChallengeId(0), None, ChannelId(77), ola, maksim, Terms(GAME, parse_control("3d")), NOON)
    match = await add_match(room.services.store, replace(a_match(77, players), guild=None, parent=None))
    async with room.services.store.write() as tx:
        added = await tx.challenges.add(offered)
        await tx.challenges.save(replace(added, version=1, match=match.id))
    locales = room.services.locales
    assert {(await locales.for_match(match)).tag, (await locales.for_challenge(offered)).tag} == {"pl"}


async def test_in_a_group_the_language_of_who_is_known_counts_until_the_challengers_is(room: Room) -> None:
    players = (UserId(room.ola.id), UserId(room.maksim.id))
    match = await add_match(room.services.store, replace(a_match(77, players), guild=None, parent=None))
    await room.change_settings(room.maksim, language="uk")
    assert (await room.services.locales.for_match(match)).tag == "uk"
    await room.change_settings(room.ola, language="pl")
    assert (await room.services.locales.for_match(match)).tag == "pl"


async def test_what_a_person_shares_is_in_their_language_without_a_community(room: Room) -> None:
    room.ola.speak("pl")
    await private_words(room.ola.command(room.channel, "games"))
    words = await room.services.locales.for_guild(GuildId(room.discord.guild.id), UserId(room.ola.id))
    assert words.tag == "pl"


async def test_of_whom_nothing_is_known_the_server_speaks(room: Room) -> None:
    settle(room, "pl", "COMMUNITY")
    words = await room.services.locales.for_user(UserId(room.kasia.id), GuildId(room.discord.guild.id))
    assert words("resign.ask", opponent="x").startswith("PL")


async def test_a_server_that_cannot_be_asked_is_spoken_to_in_english(room: Room) -> None:
    words = await room.services.locales.for_guild(GuildId(5))
    assert words("resign.ask", opponent="x").startswith("Resign")


async def test_a_select_offers_every_language_there_is(room: Room) -> None:
    shown = (await room.ola.command(room.general, "settings me").answered()).message
    assert shown is not None
    shown = await room.ola.click(shown, "me:language", ["pl"]).followed()
    assert "PL Your settings" in shown.text
    labels = [option["label"] for option in shown.control("me:language")["options"]]
    assert "PL Language: Українська" in labels


async def test_a_server_that_tells_nothing_is_asked_once_a_minute(room: Room) -> None:
    now, guild = [0.0], GuildId(room.discord.world.guild.id)
    locales = Locales(room.client, room.services.store, room.services.languages, lambda: now[0])
    room.discord.fault("GET", "/guilds/{guild_id}", 403, times=2)

    async def ask() -> int:
        await asyncio.gather(*(locales.for_guild(guild) for _ in range(20)))
        await locales.for_guild(guild)
        return sum(request.endpoint == "GET /guilds/{guild_id}" for request in room.discord.requests)

    before = await ask()
    now[0] += UNKNOWN_SECONDS
    assert await ask() == before + 1
    assert before == 1


async def test_a_name_is_asked_for_once_however_many_wait_for_it(room: Room) -> None:
    names = Names(room.client, room.services.locales, room.services.store, room.use_cases.absences.note)
    guild, user = GuildId(room.discord.world.guild.id), UserId(room.kasia.id)
    told = await asyncio.gather(*(names.of(user, guild) for _ in range(20)))
    assert set(told) == {"Kasia Wiśniewska"}
    asked = [request.endpoint for request in room.discord.requests]
    assert asked.count("GET /guilds/{guild_id}/members/{user_id}") == 1
