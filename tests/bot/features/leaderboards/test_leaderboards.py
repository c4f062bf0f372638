"""Leaderboards in a channel: of the server, of all servers, of a season, page by page."""

from __future__ import annotations

from typing import cast

from bot.features.leaderboards.leaderboards import LINES_PER_PAGE
from loopback import Message, Person
from play.ids import GuildId, UserId
from storage import Database
from tests.bot.panels import public_message
from tests.bot.room import Room, private_words
from tests.clock import DAY
from tests.league import LEAGUE_ROUNDS, add_leaderboard, add_league, add_rated_match

ACCOUNT_DAYS = 30
"""Days after which all accounts are old enough to be rated."""


async def play_league(room: Room, guild: int | None = None) -> None:
    """Makes Ola better than Максим, and Максим better than Kasia, by the day; on this server unless told otherwise."""
    people = [UserId(person.id) for person in (room.ola, room.maksim, room.kasia)]
    await add_league(room.services.store, people, GuildId(guild or room.discord.guild.id), since=ACCOUNT_DAYS)
    await room.pass_time((ACCOUNT_DAYS + LEAGUE_ROUNDS) * DAY)


async def test_a_leaderboard_has_the_best_first_in_words_and_as_a_picture(room: Room) -> None:
    await play_league(room)
    shown = await public_message(room.ola.command(room.channel, "leaderboard"))
    assert "### Ratings: Dots (over days)" in shown.content
    lines = shown.content.splitlines()[1:]
    assert [line.split("**")[1] for line in lines] == ["Ola", "Максим", "Kasia Wiśniewska"]
    assert all(line.startswith(medal) for line, medal in zip(lines, ("🥇", "🥈", "🥉"), strict=True))
    assert "18 games" in lines[0]
    (picture,) = shown.attachments
    assert picture.data[:4] == b"\x89PNG"


async def test_a_leaderboard_mentions_nobody(room: Room) -> None:
    await play_league(room)
    assert (await public_message(room.ola.command(room.channel, "leaderboard"))).mentions == ()


async def test_an_empty_leaderboard_says_how_players_get_on_it(room: Room) -> None:
    shown = await public_message(room.ola.command(room.channel, "leaderboard", pool="quick-live"))
    assert "after 5 rated games" in shown.content
    assert shown.attachments == ()


async def test_the_pages_outlive_the_bot(room: Room) -> None:
    shown = await rank_two_pages(room)
    await room.restart()
    second = await room.kasia.click(shown, "▼ Down").followed()
    assert ("Kasia" in second.content, "Ola" in second.content) == (True, False)
    assert "▼ Down" not in second.labels
    first = await room.kasia.click(second, "▲ Up").followed()
    assert "Ola" in first.content


async def test_ratings_of_other_servers_are_on_the_leaderboard_of_all(room: Room) -> None:
    await play_league(room, 8)
    shown = await public_message(room.ola.command(room.channel, "leaderboard"))
    assert "Ola" not in shown.content
    shown = await room.ola.click(shown, "All servers").followed()
    assert "Ola" in shown.content
    assert "This server" in shown.labels


async def test_a_season_counts_points(room: Room) -> None:
    await play_league(room)
    shown = await public_message(room.ola.command(room.channel, "leaderboard", season="2025q3"))
    assert "Season 2025, quarter 3" in shown.content
    assert "**Ola** 36 · 18 games" in shown.content


async def rank(room: Room, *people: Person) -> Message:
    """Ranks people in this order; returns the leaderboard."""
    users = [UserId(person.id) for person in people]
    await add_leaderboard(cast("Database", room.services.store), *users, guild=GuildId(room.discord.guild.id))
    return await public_message(room.ola.command(room.channel, "leaderboard", pool="dots-days"))


async def rank_two_pages(room: Room) -> Message:
    """Returns a leaderboard with Ola on its first page, and Kasia alone on its second."""
    others = [room.discord.invite(f"Player {number}") for number in range(LINES_PER_PAGE - 1)]
    return await rank(room, room.ola, *others, room.kasia)


async def test_a_player_finds_the_page_with_their_line(room: Room) -> None:
    shown = await rank_two_pages(room)
    page = await room.kasia.click(shown, "Find me").followed()
    assert f"➤ {LINES_PER_PAGE + 1}\\. **Kasia Wiśniewska**" in page.content
    assert "Ola" not in page.content
    assert "▲ Up" in page.labels


async def test_players_on_no_leaderboard_are_told_what_is_missing(room: Room) -> None:
    shown = await rank(room, room.ola, room.maksim, room.kasia)
    guild, people = GuildId(room.discord.guild.id), [UserId(room.discord.invite(name).id) for name in ("Ann", "Bob")]

    async def missing(view: Message = shown) -> str:
        return await private_words(room.discord.people["Ann"].click(view, "Find me"))

    assert "no finished rated game in this class" in await missing()
    await add_rated_match(room.services.store, *people, day=60, guild=guild)
    assert "Play 4 more rated games in this class" in await missing()
    for day in range(61, 65):
        await add_rated_match(room.services.store, *people, day=day, guild=guild)
    assert "still uncertain (±223)" in await missing()
    season = await public_message(room.ola.command(room.channel, "leaderboard", pool="quick-live", season="2025q3"))
    assert "ranked in this season yet" in await missing(season)


async def test_players_ranked_on_other_servers_alone_are_told_so(room: Room) -> None:
    shown = await rank(room, room.ola, room.maksim, room.kasia)
    await add_leaderboard(
        cast("Database", room.services.store), UserId(room.discord.invite("Ann").id), guild=GuildId(8)
    )
    words = await private_words(room.discord.people["Ann"].click(shown, "Find me"))
    assert "no rated game on this server" in words
    everywhere = await room.ola.click(shown, "All servers").followed()
    page = await room.discord.people["Ann"].click(everywhere, "Find me").followed()
    assert "➤" in page.content


async def test_a_season_that_never_was_is_refused(room: Room) -> None:
    assert "`2026q4`" in await private_words(room.ola.command(room.channel, "leaderboard", season="2025q7"))


async def test_players_who_have_not_played_for_long_are_faint(room: Room) -> None:
    await play_league(room)
    await room.pass_time(75 * DAY)
    await add_rated_match(
        room.services.store,
        UserId(room.maksim.id),
        UserId(room.kasia.id),
        day=113,
        guild=GuildId(room.discord.guild.id),
    )
    shown = await public_message(room.ola.command(room.channel, "leaderboard"))
    faint = [line.split("**")[1] for line in shown.content.splitlines() if line.startswith("-#")]
    assert faint == ["Ola"]
