"""Leaderboards in a channel: of the server, of all servers, of a season, page by page."""

from __future__ import annotations

from bot.markup import spoken
from loopback import Message, Person
from loopback.permissions import Permission
from play.ids import GuildId, UserId
from play.ratings.leaderboard import LINES_PER_PAGE, STRANGERS, Scorer
from presentation.leaderboards import MEDALS, write_line
from tests.bot.panels import shared_copy
from tests.bot.room import Room, private_message, private_words
from tests.clock import DAY, NOON
from tests.league import LEAGUE_ROUNDS, add_leaderboard, add_league, add_rated_match

ACCOUNT_DAYS = 30
"""Days after which all accounts are old enough to be rated."""


async def play_league(room: Room, guild: int | None = None) -> None:
    """Makes Ola better than Максим, and Максим better than Kasia, by the day; on this server unless told otherwise."""
    people = [UserId(person.id) for person in (room.ola, room.maksim, room.kasia)]
    here = GuildId(guild or room.discord.guild.id)
    await add_league(room.services.store, people, here, since=ACCOUNT_DAYS)
    await room.pass_time((ACCOUNT_DAYS + LEAGUE_ROUNDS) * DAY)


async def test_a_leaderboard_has_the_best_first_in_words_and_as_a_picture(room: Room) -> None:
    await play_league(room)
    shown = await private_message(room.ola.command(room.channel, "leaderboard"))
    assert "### Ratings: Dots (over days)" in shown.text
    lines = shown.text.splitlines()[1:4]
    assert [line.split("**")[1] for line in lines] == ["Ola", "Максим", "Kasia Wiśniewska"]
    assert all(line.startswith(medal) for line, medal in zip(lines, ("🥇", "🥈", "🥉"), strict=True))
    assert "18 games" in lines[0]
    (picture,) = shown.attachments
    assert picture.data[:4] == b"\x89PNG"


def test_tied_players_whose_names_the_font_lacks_have_different_numbers() -> None:
    tied = [Scorer(1, UserId(user), 6.0, 3) for user in (1, 2)]
    lines = [write_line(each, "龙", number, NOON, spoken().of()) for number, each in enumerate(tied, start=11)]
    assert [(line.place, line.fallback) for line in lines] == [(1, "No. 11"), (1, "No. 12")]


async def test_beginners_without_points_have_no_medal_and_those_who_won_come_first(room: Room) -> None:
    ola, maksim, kasia = (UserId(person.id) for person in (room.ola, room.maksim, room.kasia))
    guild = GuildId(room.discord.guild.id)
    for winner, loser in ((ola, kasia), (maksim, kasia), (ola, maksim)):
        await add_rated_match(room.services.store, winner, loser, day=0, guild=guild, weight=0.0)
    shown = await private_message(room.ola.command(room.channel, "leaderboard"))
    assert not any(medal in shown.text for medal in MEDALS)
    assert [line for line in shown.text.splitlines() if "**" in line] == [
        "-# · **Ola** 0 · 2 games, 2 won",
        "-# · **Максим** 0 · 2 games, 1 won",
        "-# · **Kasia Wiśniewska** 0 · 2 games",
    ]


async def test_a_leaderboard_mentions_nobody(room: Room) -> None:
    await play_league(room)
    assert (await private_message(room.ola.command(room.channel, "leaderboard"))).mentions == ()


async def test_an_empty_leaderboard_says_how_players_get_on_it(room: Room) -> None:
    shown = await private_message(room.ola.command(room.channel, "leaderboard", kind="quick-live"))
    assert "No rated games here yet" in shown.text
    assert shown.attachments == ()


async def test_the_pages_outlive_the_bot(room: Room) -> None:
    shown = await rank_two_pages(room)
    await room.restart()
    second = await room.ola.click(shown, "▼ Down").followed()
    assert ("Kasia" in second.text, "Ola" in second.text) == (True, False)
    assert "▼ Down" not in second.labels
    first = await room.ola.click(second, "▲ Up").followed()
    assert "Ola" in first.text


async def test_ratings_of_other_servers_are_on_the_leaderboard_of_all(room: Room) -> None:
    await play_league(room, 8)
    shown = await private_message(room.ola.command(room.channel, "leaderboard"))
    assert "Ola" not in shown.text
    shown = await room.ola.click(shown, "All servers").followed()
    assert "Ola" in shown.text
    assert "This server" in shown.labels


async def test_a_season_counts_points(room: Room) -> None:
    await play_league(room)
    shown = await private_message(room.ola.command(room.channel, "leaderboard", season="2025q3"))
    assert "Season 2025, quarter 3" in shown.text
    assert "**Ola** 36 · 18 games" in shown.text
    assert "Points: 3 for a win, 1 for a draw" in shown.text


async def rank(room: Room, *people: Person) -> Message:
    """Ranks people in this order; returns the leaderboard."""
    users = [UserId(person.id) for person in people]
    await add_leaderboard(room.services.store, *users, guild=GuildId(room.discord.guild.id))
    return await open_ratings(room, room.ola)


async def open_ratings(room: Room, person: Person) -> Message:
    return await private_message(person.command(room.channel, "leaderboard", kind="dots-days"))


async def rank_two_pages(room: Room) -> Message:
    """Returns a leaderboard with Ola on its first page, and Kasia alone on its second."""
    others = [room.discord.invite(f"Player {number}") for number in range(LINES_PER_PAGE - 1)]
    return await rank(room, room.ola, *others, room.kasia)


async def test_a_player_finds_the_page_with_their_line(room: Room) -> None:
    await rank_two_pages(room)
    page = await room.kasia.click(await open_ratings(room, room.kasia), "Find me").followed()
    assert f"➤ {LINES_PER_PAGE + 1}\\. **Kasia Wiśniewska**" in page.text
    assert "Ola" not in page.text
    assert "▲ Up" in page.labels


async def test_a_place_everywhere_needs_strangers_and_the_list_says_so(room: Room) -> None:
    people = [UserId(person.id) for person in (room.ola, room.maksim, room.kasia)]
    await add_league(room.services.store, people, GuildId(room.discord.guild.id), since=ACCOUNT_DAYS)
    await room.pass_time((ACCOUNT_DAYS + LEAGUE_ROUNDS) * DAY)
    shown = await private_message(room.ola.command(room.channel, "leaderboard", everywhere=True, season=None))
    ratings = await room.ola.click(shown, "Ratings").followed()
    assert f"Opponents: {STRANGERS}; servers: 3." in ratings.text
    own = await room.ola.click(ratings, "Find me").followed()
    assert f"Opponents: 0 of {STRANGERS}; servers: 0 of 3." in own.text


async def test_players_on_no_leaderboard_are_told_what_is_missing(room: Room) -> None:
    await rank(room, room.ola, room.maksim, room.kasia)
    guild, people = GuildId(room.discord.guild.id), [UserId(room.discord.invite(name).id) for name in ("Ann", "Bob")]

    async def missing(view: Message | None = None) -> str:
        ann = room.discord.people["Ann"]
        return (await ann.click(view or await open_ratings(room, ann), "Find me").followed()).text

    assert "no finished rated game of this kind" in await missing()
    await add_rated_match(room.services.store, *people, day=60, guild=guild)
    assert "you need 7 more rated games" in await missing()
    for day in range(61, 67):
        await add_rated_match(room.services.store, *people, day=day, guild=guild)
    own = await missing()
    assert "you need 1 more rated game." in own
    assert "-# ➤ · **Ann**" in own
    await add_rated_match(room.services.store, *people, day=67, guild=guild)
    assert "no place yet" not in await missing()
    ann = room.discord.people["Ann"]
    season = await private_message(ann.command(room.channel, "leaderboard", kind="quick-live", season="2025q3"))
    assert "in this season yet" in await missing(season)


async def test_players_ranked_on_other_servers_alone_are_told_so(room: Room) -> None:
    await rank(room, room.ola, room.maksim, room.kasia)
    ann = room.discord.invite("Ann")
    await add_leaderboard(room.services.store, UserId(ann.id), guild=GuildId(8))
    shown = await open_ratings(room, ann)
    words = await private_words(ann.click(shown, "Find me"))
    assert "no rated game on this server" in words
    everywhere = await ann.click(shown, "All servers").followed()
    page = await ann.click(everywhere, "Find me").followed()
    assert "➤" in page.text


async def test_a_season_that_never_was_is_refused(room: Room) -> None:
    assert "Choose one from the list" in await private_words(
        room.ola.command(room.channel, "leaderboard", season="2025q7")
    )


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
    shown = await private_message(room.ola.command(room.channel, "leaderboard"))
    faint = [line.split("**")[1] for line in shown.text.splitlines() if line.startswith("-#")]
    assert faint == ["Ola"]


async def play_first_games(room: Room, weight: float = 1.0) -> None:
    """Lets Ola win her first rated game, against Максим."""
    people, guild = [UserId(person.id) for person in (room.ola, room.maksim)], GuildId(room.discord.guild.id)
    await add_rated_match(room.services.store, *people, day=ACCOUNT_DAYS, guild=guild, weight=weight)
    await room.pass_time((ACCOUNT_DAYS + 1) * DAY)


async def test_newcomers_are_listed_dimmed_with_their_uncertainty_and_without_a_place(room: Room) -> None:
    await play_first_games(room)
    season = await private_message(room.ola.command(room.channel, "leaderboard"))
    shown = await room.ola.click(season, "Ratings").followed()
    lines = shown.text.splitlines()
    assert lines[1].startswith("-# · **Ola** 1662 ± ")
    assert lines[2].startswith("-# · **Максим** 1338 ± ")
    assert "after 8 rated games" in lines[3]
    assert len(shown.attachments) == 1


async def test_the_season_comes_first_while_nobody_has_a_place(room: Room) -> None:
    await play_first_games(room)
    assert "Season 2025, quarter 3" in (await private_message(room.ola.command(room.channel, "leaderboard"))).text
    await add_league(
        room.services.store,
        [UserId(person.id) for person in (room.ola, room.maksim)],
        GuildId(room.discord.guild.id),
        since=ACCOUNT_DAYS + 1,
    )
    assert "### Ratings" in (await private_message(room.ola.command(room.channel, "leaderboard"))).text


async def test_without_games_in_the_season_newcomers_are_shown_by_rating(room: Room) -> None:
    await play_first_games(room)
    await room.pass_time(100 * DAY)
    assert "### Ratings" in (await private_message(room.ola.command(room.channel, "leaderboard"))).text


async def test_points_of_a_season_are_shown_rounded(room: Room) -> None:
    await play_first_games(room, weight=0.75)
    shown = await private_message(room.ola.command(room.channel, "leaderboard"))
    assert "🥇 **Ola** 2 · 1 game" in shown.text


async def test_in_a_direct_message_the_leaderboard_is_that_of_all_servers(room: Room) -> None:
    await play_league(room)
    for number in range(STRANGERS):
        where = GuildId(1), GuildId(2 + number % 3)
        day = ACCOUNT_DAYS + LEAGUE_ROUNDS
        await add_rated_match(room.services.store, UserId(room.ola.id), UserId(9000 + number), day=day, strangers=where)
    shown = await private_message(room.ola.command(room.ola.open_dm(), "leaderboard"))
    assert "🥇 **Ola**" in shown.text
    assert shown.labels == ["▼ Down", "Find me", "Season"]


async def test_the_option_offers_the_present_season_and_those_with_a_table(room: Room) -> None:
    await play_first_games(room)
    await room.pass_time(200 * DAY)

    async def offered(**options: object) -> list[str]:
        found = await room.ola.complete(room.channel, "leaderboard", focused="season", **options)
        return [choice["name"] for choice in found]

    assert await offered() == ["This season: 2026, quarter 1", "2025, quarter 3"]
    assert await offered(kind="quick-live") == ["This season: 2026, quarter 1"]
    assert await offered(season="2025") == ["2025, quarter 3"]


async def test_a_button_changes_nothing_that_others_read(room: Room) -> None:
    shown = await rank_two_pages(room)
    await room.ola.click(shown, "Share here").answered()
    shared = await shared_copy(room)
    before = room.discord.message(shared)
    for label in ("▼ Down", "Season", "All servers", "Find me"):
        assert (await private_message(room.kasia.click(shared, label))).id != shared.id
    assert room.discord.message(shared) == before


async def test_a_shared_leaderboard_says_who_shared_it_and_pings_nobody(room: Room) -> None:
    await play_league(room)
    shown = await private_message(room.ola.command(room.channel, "leaderboard"))
    assert "Shared" in await private_words(room.ola.click(shown, "Share here"))
    shared = await shared_copy(room)
    assert f"Shared by <@{room.ola.id}>" in shared.text
    assert "🥇 **Ola**" in shared.text
    assert (len(shared.attachments), shared.mentions, "Share here" in shared.labels) == (1, (), False)


async def test_a_second_press_shares_no_second_copy(room: Room) -> None:
    await play_league(room)
    shown = await private_message(room.ola.command(room.channel, "leaderboard"))
    for _ in range(2):
        await private_words(room.ola.click(shown, "Share here"))
    await shared_copy(room)


async def test_the_buttons_of_a_copy_outlive_the_bot(room: Room) -> None:
    shown = await rank_two_pages(room)
    await room.ola.click(shown, "Share here").answered()
    shared = await shared_copy(room)
    await room.restart()
    assert "Kasia" in (await private_message(room.maksim.click(shared, "▼ Down"))).text


async def test_where_the_bot_may_not_post_nothing_is_shared(room: Room) -> None:
    await play_league(room)
    shown = await private_message(room.ola.command(room.channel, "leaderboard"))
    room.discord.deny(room.channel, Permission.SEND_MESSAGES)
    assert "**Send Messages**" in await private_words(room.ola.click(shown, "Share here"))


async def test_a_player_who_may_not_write_in_a_channel_shares_nothing_there(room: Room) -> None:
    await play_league(room)
    shown = await private_message(room.maksim.command(room.channel, "leaderboard"))
    room.discord.deny(room.channel, Permission.SEND_MESSAGES, room.maksim)
    assert "You can't write in this channel" in await private_words(room.maksim.click(shown, "Share here"))
    assert not any("Shared by" in message.text for message in room.discord.messages(room.channel))
