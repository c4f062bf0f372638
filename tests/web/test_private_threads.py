"""Games and challenges of a private thread, everywhere: those who are not in it neither see nor take them."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import pytest

from loopback import Channel, Interaction, Permission, Person
from play.ids import MatchId
from rules.registry import make_game
from tests.bot import forging
from tests.bot.features.home.test_home import CAPTURE, posted, refresh, settle, text
from tests.bot.features.match.delivery.test_digests import digests, pass_to_morning, switch_on
from tests.bot.room import Room, private_message, private_words
from tests.web.finished import path_of, store_game, switch_pages
from tests.web.test_rights import pass_a_minute
from tests.web.test_server_pages import profile
from tests.web.visit import Visit, link_for

OVER, RUNNING = MatchId(1), MatchId(2)
NO_CHALLENGE = "no longer exists"


class Secret(NamedTuple):
    """A private thread of Ola and Максим, with a finished game, one that goes on, and an open challenge of Ola."""

    room: Room
    thread: Channel
    page: str

    def forge(self, person: Person, custom_id: str) -> Interaction:
        return forging.click(self.room, person, self.room.general, custom_id)


@pytest.fixture
async def secret(room: Room) -> Secret:
    await switch_pages(room, on=True)
    await settle(room)
    thread = room.ola.open_thread(room.channel, "Secret", private=True)
    room.discord.world.join(thread, [room.discord.bot.id, room.maksim.id])
    match = await store_game(room, thread, make_game("zagram", {"size": "9x9", "start": "empty"}), CAPTURE)
    options = {"size": "5x5", "start": "empty", "clock": "3d"}
    await room.ola.command(thread, "challenge", opponent=room.maksim, **options).answered()
    await room.maksim.click(room.discord.messages(thread)[-1], "Accept").followed()
    await room.wait_for_board(thread, 0)
    await room.ola.command(thread, "challenge", **options).answered()
    await refresh(room)
    return Secret(room, thread, path_of(room, match))


def add_friend(secret: Secret) -> Person:
    """Returns a person who is in the thread and plays none of its games."""
    friend = secret.room.discord.invite("Zofia")
    secret.room.discord.add_to_thread(secret.thread, friend)
    return friend


Look = Callable[[Secret, Person], Awaitable[str]]


async def told(interaction: Interaction) -> str:
    """Returns all that a person reads in private, and the names of the files that they get."""
    await private_message(interaction)
    parts = [f"{each.text} {each.components}" for each in interaction.messages]
    return " ".join((*parts, *(file.filename for each in interaction.messages for file in each.attachments)))


def command(name: str, **options: object) -> Look:
    """Returns a look by a command, in another channel; a `person` among its options is given by name."""

    async def look(secret: Secret, person: Person) -> str:
        people = {"ola": secret.room.ola, "maksim": secret.room.maksim}
        given = {option: people.get(str(value), value) for option, value in options.items()}
        return await told(person.command(secret.room.general, name, **given))

    return look


def button(custom_id: str) -> Look:
    async def look(secret: Secret, person: Person) -> str:
        return await told(secret.forge(person, custom_id))

    return look


async def home_post(secret: Secret, person: Person) -> str:
    return text(await posted(secret.room))


async def suggestions(secret: Secret, person: Person) -> str:
    return str(await person.complete(secret.room.general, "replay", focused="game"))


FOR_MEMBERS: dict[str, Look] = {
    "/history": command("history", player="ola"),
    "/profile": command("profile", player="ola"),
    "/versus": command("versus", opponent="ola", player="maksim"),
    "/replay": command("replay", game=OVER),
    "/export game": command("export game", game=OVER),
    "film": button(f"match:{OVER}:16:film"),
    "record": button(f"match:{OVER}:16:record"),
    "web board": button(f"match:{RUNNING}:0:web"),
}
"""Looks that show a game of a private thread to those who are in it."""

FOR_NOBODY: dict[str, Look] = {
    "/games": command("games"),
    "/leaderboard": command("leaderboard"),
    "/puzzle": command("puzzle"),
    "shared film": button(f"share:film:{OVER}"),
    "shared profile": button("share:profile:{ola}:-"),
    "home post": home_post,
    "suggestions": suggestions,
}


def shows(secret: Secret, seen: str) -> bool:
    """Returns whether something tells of the thread or of one of its games."""
    return re.search(rf"{secret.thread.id}|kropka-[{OVER}{RUNNING}]\b|Watch", seen) is not None


@pytest.mark.sample(5)
@pytest.mark.parametrize("look", [*FOR_MEMBERS.values(), *FOR_NOBODY.values()], ids=[*FOR_MEMBERS, *FOR_NOBODY])
async def test_a_game_of_a_private_thread_is_not_shown_to_others(secret: Secret, look: Look) -> None:
    assert not shows(secret, await look(secret, secret.room.kasia))


@pytest.mark.sample(4)
@pytest.mark.parametrize("look", FOR_MEMBERS.values(), ids=[*FOR_MEMBERS])
async def test_a_game_of_a_private_thread_is_shown_to_those_who_are_in_it(secret: Secret, look: Look) -> None:
    assert shows(secret, await look(secret, add_friend(secret)))


@pytest.mark.sample(4)
@pytest.mark.parametrize("look", FOR_MEMBERS.values(), ids=[*FOR_MEMBERS])
async def test_a_thread_that_is_closed_to_the_bot_counts_as_private(secret: Secret, look: Look) -> None:
    secret.room.discord.fault("GET", "/channels/{channel_id}", 403, code=50001, times=None)
    assert not shows(secret, await look(secret, secret.room.kasia))


async def test_moderators_of_threads_see_the_games_of_private_ones(secret: Secret) -> None:
    secret.room.discord.allow(secret.room.channel, Permission.MANAGE_THREADS, secret.room.kasia)
    assert shows(secret, await FOR_MEMBERS["/history"](secret, secret.room.kasia))


async def test_a_list_says_that_games_of_private_threads_are_left_out(secret: Secret) -> None:
    assert "private threads" in await FOR_MEMBERS["/history"](secret, secret.room.kasia)
    assert "private threads" not in await FOR_MEMBERS["/history"](secret, secret.room.maksim)


async def test_a_player_does_not_share_a_game_of_a_private_thread_elsewhere(secret: Secret) -> None:
    assert not shows(secret, await told(secret.forge(secret.room.maksim, f"share:film:{OVER}")))
    assert not [each for each in secret.room.discord.messages(secret.room.general) if ".gif" in str(each.components)]
    film = await told(secret.room.maksim.command(secret.room.general, "replay", game=OVER))
    assert "Share here" not in film


@pytest.mark.sample(3)
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("subject", ["challenge", "home"])
async def test_a_challenge_of_a_private_thread_is_not_accepted_elsewhere(
    secret: Secret, subject: str, number: int
) -> None:
    said = await private_words(secret.forge(secret.room.kasia, f"{subject}:{number}:0:accept"))
    assert NO_CHALLENGE in said
    async with secret.room.services.store.read() as reader:
        assert await reader.matches.count_begun() == 2


async def test_no_public_page_tells_of_a_private_thread(secret: Secret, visit: Callable[..., Visit]) -> None:
    stranger = visit()
    for part in ("", "/board.png", "/moves.json", "/game.sgf"):
        assert await stranger.status(secret.page + part) == 404
    for person in (secret.room.ola, secret.room.maksim):
        _, page = await stranger.get(profile(secret.room, person))
        assert secret.page not in page


async def test_one_who_has_left_the_thread_watches_no_longer(secret: Secret, visit: Callable[..., Visit]) -> None:
    room, friend, browser = secret.room, add_friend(secret), visit()
    _, answer = await browser.enter(await link_for(room, friend, room.boards(secret.thread)[0]))
    board = await browser.live(answer["to"])
    await board.read()
    friend.leave_thread(secret.thread)
    await pass_a_minute(room)
    assert await board.closed() == 4404


async def test_a_digest_has_no_challenge_of_a_thread_that_its_player_has_left(secret: Secret) -> None:
    room = secret.room
    await room.ola.command(secret.thread, "challenge", opponent=room.kasia, clock="3d").answered()
    room.kasia.leave_thread(secret.thread)
    await room.maksim.command(room.channel, "challenge", opponent=room.kasia, clock="3d").answered()
    await switch_on(room, room.kasia)
    await pass_to_morning(room)
    (digest,) = digests(room, room.kasia)
    assert "1 challenge waits" in digest.text
    assert not shows(secret, digest.text)
