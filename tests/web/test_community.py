"""The communities of a player's servers on their home page, and how they take part from there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from loopback import Discord, Permission
from play.community.ban import Ban
from play.ids import GuildId, Millis, UserId
from rules.registry import make_game
from tests.bot.features.competitions.tournaments.cup import begin_tournament, load_tournament, make_tournament
from tests.bot.room import Room, private_message, private_words
from tests.bot.vote_games import begin_votes_at_once
from tests.bot.waiting import skip_confirmations
from tests.clock import DAY, HOUR, StoppedClock
from tests.web.finished import store_game, switch_pages
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.test_private_games import close_to_members
from tests.web.test_rights import silence
from tests.web.visit import Visit

Visits = Callable[..., Visit]

GAME = make_game("zagram", {"size": "9x9", "start": "empty"})


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A server with a site, where Ola manages competitions."""
    async with room_with_activity(discord, url, clock, run_options) as room:
        await skip_confirmations(room)
        await room.pass_time(8 * DAY)  # accounts are old enough for the league
        room.discord.allow(room.channel, Permission.MANAGE_GUILD | Permission.MANAGE_MESSAGES, room.ola)
        yield room


@pytest.fixture
async def kasia(room: Room, visit: Visits) -> AtHome:
    """Kasia's home, in the Activity."""
    return await AtHome.launch(room, room.kasia, room.general, visit())


async def open_all(room: Room) -> None:
    """Opens a league, a ladder and a tournament in #dots."""
    asked = await private_message(room.ola.command(room.channel, "league open", size="5x5"))
    await room.ola.click(asked, "Open the league").followed()
    await private_words(room.ola.command(room.channel, "ladder create"))
    await make_tournament(room)


async def community(home: AtHome) -> dict[str, Any]:
    """Returns the one community that is shown."""
    (server,) = (await home.must("around"))["servers"]
    found: dict[str, Any] = server["community"]
    return found


async def offers(home: AtHome) -> dict[str, dict[str, Any]]:
    """Returns what there is to take part in, by its kind."""
    return {each["kind"]: each for each in (await community(home))["offers"]}


async def join(home: AtHome, offer: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return await home.do("join", kind=offer["kind"], server=offer["server"], number=offer["number"])


async def test_each_competition_is_joined_in_one_step_and_once(room: Room, kasia: AtHome) -> None:
    await open_all(room)
    found = await offers(kasia)
    assert {kind: (each["title"], each["join"]) for kind, each in found.items()} == {
        "tournament": ("Autumn Cup", "Sign up"),
        "league": ("League", "Join"),
        "ladder": ("Ladder", "Join"),
    }
    assert found["ladder"]["line"] == "Players: 0"
    assert found["tournament"]["line"] == "Sign-up is open"
    for offer in found.values():
        status, answer = await join(kasia, offer)
        assert (status, answer["line"]) == (200, "You're in. Discord tells you when you play.")
        status, answer = await join(kasia, offer)
        assert (status, "already" in answer["line"]) == (403, True), answer
    assert {(each["line"], each["join"]) for each in (await offers(kasia)).values()} == {("You're in.", None)}
    user, guild = UserId(room.kasia.id), GuildId(room.discord.guild.id)
    assert (await load_tournament(room)).users == (user,)
    assert [each.user for each in (await room.use_cases.leagues.load(guild)).members] == [user]
    assert (await room.use_cases.ladders.load(guild)).present == (user,)


async def test_what_is_in_a_channel_that_one_does_not_see_is_neither_shown_nor_joined(
    room: Room, kasia: AtHome
) -> None:
    await open_all(room)
    found = await offers(kasia)
    close_to_members(room, room.channel)
    room.clock.advance(61_000)
    assert (await community(kasia))["offers"] == []
    elsewhere = {"kind": "league", "server": "77", "number": 0}
    for offer in (*found.values(), elsewhere, {**found["tournament"], "server": "77"}):
        status, answer = await join(kasia, offer)
        assert (status, answer["line"][:31]) == (403, "That's no longer open, or you d"), offer


async def test_one_who_has_left_the_server_is_told_nothing_of_it(room: Room, visit: Visits) -> None:
    await open_all(room)
    await store_game(room, room.channel, GAME, ("E5", "E6"))
    maksim = await AtHome.enter(room, room.maksim, visit())
    ladder = (await offers(maksim))["ladder"]
    room.maksim.leave()
    room.clock.advance(61_000)
    assert (await maksim.must("around"))["servers"] == []
    assert (await join(maksim, ladder))[0] == 403


async def test_bans_time_outs_and_roles_keep_one_out_as_in_discord(room: Room, kasia: AtHome) -> None:
    await open_all(room)
    found, guild, user = await offers(kasia), GuildId(room.discord.guild.id), UserId(room.kasia.id)
    now = room.clock()
    await room.use_cases.bans.ban(Ban(guild, user, UserId(room.ola.id), now, Millis(now + HOUR)))
    for offer in found.values():
        status, answer = await join(kasia, offer)
        assert (status, "banned" in answer["line"] or "blocked" in answer["line"]) == (403, True), answer
    await silence(room, room.kasia)
    room.clock.advance(61_000)
    status, answer = await join(kasia, found["ladder"])
    assert (status, answer["line"][:40]) == (403, "A moderator has put you in time-out on t")


async def test_a_running_tournament_leads_to_its_post(room: Room, visit: Visits) -> None:
    now = await begin_tournament(room)
    home = await AtHome.launch(room, room.kasia, room.general, visit())
    line = (await offers(home))["tournament"]
    assert (line["line"], line["join"]) == ("round 1", None)
    assert line["url"].endswith(f"/{room.channel.id}/{now.message}")


async def test_a_vote_leads_to_its_board_and_players_are_not_asked_to_vote(room: Room, visit: Visits) -> None:
    await begin_votes_at_once(room)
    member = await AtHome.launch(room, room.kasia, room.general, visit())
    line = (await offers(member))["vote"]
    assert (line["open"], line["join"]) == ("Vote", None)
    assert (await member.must("watch", match=line["match"]))["match"] == line["match"]
    opponent = await AtHome.launch(room, room.maksim, room.general, visit())
    assert "vote" not in await offers(opponent)


async def test_tables_are_public_pages_or_commands_in_discord(room: Room, kasia: AtHome) -> None:
    told = await community(kasia)
    assert told["doors"] == []
    assert "/leaderboard" in told["elsewhere"]
    assert told["url"].endswith(f"/{room.general.id}")
    await open_all(room)
    await switch_pages(room, on=True)
    told = await community(kasia)
    assert told["elsewhere"] is None
    assert [each["label"] for each in told["doors"]] == ["Leaderboard", "League", "Ladder", "Tournaments"]
    for door in told["doors"]:
        assert await kasia.visit.status(door["url"].removeprefix(room.discord.address.rstrip("/"))) == 200, door


async def test_a_profile_has_a_door_once_there_is_something_in_it(room: Room, visit: Visits) -> None:
    await switch_pages(room, on=True)
    await store_game(room, room.channel, GAME, ("E5", "E6"))
    maksim = await AtHome.enter(room, room.maksim, visit())
    profile = next(each for each in (await community(maksim))["doors"] if each["label"] == "My profile")
    assert await maksim.visit.status(profile["url"].removeprefix(room.discord.address.rstrip("/"))) == 200
