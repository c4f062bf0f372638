"""The league of a server in Discord: opened once, joined by a click, and then run by the bot."""

from __future__ import annotations

import pytest

from loopback import Message, errors
from loopback.permissions import Permission
from play.competitions.league import League
from play.competitions.season import SEASON_MILLIS, Season
from play.ids import GuildId, IdempotencyKey, MatchId, UserId
from play.people.membership import MIN_ACCOUNT_AGE
from tests.bot.panels import choose
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import skip_confirmations
from tests.clock import DAY, HOUR


@pytest.fixture(autouse=True)
async def _ready(room: Room) -> None:
    await skip_confirmations(room)
    await room.pass_time(MIN_ACCOUNT_AGE)
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)


async def open_league(room: Room, *, joined: bool = True) -> Message:
    """Opens the league as Ola, with three members; returns its message."""
    question = await private_message(room.ola.command(room.channel, "league open", size="5x5"))
    opened = await room.ola.click(question, "Open the league").followed()
    assert "The league is open in this channel" in opened.text, opened.text
    message = await told(room, "League")
    for person in (room.ola, room.maksim, room.kasia) if joined else ():
        assert "You're in the league" in await private_words(person.click(message, "Join"))
    return message


async def told(room: Room, part: str) -> Message:
    """Returns the newest message of the channel with this part, when there is one."""
    message: Message = await room.discord.until(
        lambda: next((each for each in reversed(room.discord.messages(room.channel)) if part in each.content), None)
    )
    return message


async def load(room: Room) -> League:
    return await room.use_cases.leagues.load(GuildId(room.discord.guild.id))


async def begin(room: Room) -> Season:
    """Lets the first season begin; returns it when its first game is open."""
    await room.pass_time((await load(room)).begins - room.clock())
    room.use_cases.events.league_changed()

    async def begun() -> Season | None:
        season = (await load(room)).season
        return season if season and any(game.match for game in season.games) else None

    return await room.until(begun)


async def test_a_season_begins_by_itself_with_its_first_game(room: Room) -> None:
    await open_league(room)
    season = await begin(room)
    notice = await told(room, "has begun with 3 players")
    assert "<@" not in notice.content
    call = await told(room, "division 1:")
    assert "**League**" in call.content
    thread = await room.wait_for_thread(call)
    await room.discord.until(lambda: room.boards(thread))
    table = await told(room, "Season 1 ends")
    assert "Season 1 · Division 1" in table.content
    assert len(table.attachments) == 1
    assert "standings in words" in (table.attachments[0].description or "")
    assert season.number == 1


async def test_the_table_has_pages_and_the_players_own_games(room: Room) -> None:
    await open_league(room)
    season = await begin(room)
    game = next(game for game in season.games if game.match)
    person = next(each for each in (room.ola, room.maksim, room.kasia) if UserId(each.id) == game.first)
    shown = await private_message(person.command(room.channel, "league table"))
    assert "Season 1 · Division 1" in shown.text
    assert "-# 3/7: 3 of 7 games are over" in shown.text  # no arrow is there yet
    assert "Your games: <#" in shown.text
    assert "no such season" in await private_words(person.command(room.channel, "league table", season=7))
    assert "no such season" in await private_words(person.command(room.channel, "league table", division=2))


async def test_before_the_first_season_the_tables_say_when_it_begins(room: Room) -> None:
    message = await open_league(room, joined=False)
    assert "Nobody has joined yet" in message.content
    shown = await private_message(room.kasia.click(message, "Tables"))
    assert "The next season begins" in shown.text


async def test_a_season_ends_on_its_day_and_says_who_has_won(room: Room) -> None:
    await open_league(room)
    season = await begin(room)
    await room.pass_time(SEASON_MILLIS)
    await room.restart()
    ended = await told(room, "Season 1 of the league is over")
    assert "First: **" in ended.content
    assert len(ended.attachments) == 1

    async def next_one() -> League | None:
        league = await load(room)
        return league if league.season and league.season.number == 2 else None

    league = await room.until(next_one)
    assert league.season is not None
    assert league.season.begins == season.ends


async def test_players_pause_come_back_and_leave(room: Room) -> None:
    await open_league(room)
    assert "keep your place" in await private_words(room.kasia.command(room.channel, "league pause"))
    assert "already skip" in await private_words(room.kasia.command(room.channel, "league pause"))
    assert "You're in the league" in await private_words(room.kasia.command(room.channel, "league join"))
    assert "already in the league" in await private_words(room.kasia.command(room.channel, "league join"))
    question = await private_message(room.kasia.command(room.channel, "league leave"))
    assert "start at the bottom" in question.text
    await room.kasia.click(question, "Leave the league").followed()
    assert UserId(room.kasia.id) not in (await load(room)).users
    assert "aren't in the league" in await private_words(room.kasia.command(room.channel, "league leave"))


async def test_only_a_manager_opens_pins_and_closes(room: Room) -> None:
    assert "has no league" in await private_words(room.ola.command(room.channel, "league table"))
    assert "Manage Server" in await private_words(room.kasia.command(room.channel, "league open"))
    await open_league(room)
    for name in ("pin", "close"):
        assert "Manage Server" in await private_words(room.kasia.command(room.channel, f"league {name}"))
    assert "already in this channel" in await private_words(room.ola.command(room.channel, "league open"))
    question = await private_message(room.ola.command(room.channel, "league close"))
    await room.ola.click(question, "Close the league").followed()
    await told(room, "This league is closed")
    assert "has no league" in await private_words(room.kasia.command(room.channel, "league join"))


async def test_the_seasons_of_a_closed_league_stay_in_its_tables(room: Room) -> None:
    message = await open_league(room)
    await begin(room)
    question = await private_message(room.ola.command(room.channel, "league close"))
    await room.ola.click(question, "Close the league").followed()
    await told(room, "This league is closed")
    assert "Season 1" in await private_words(room.kasia.command(room.channel, "league table"))
    assert "Season 1" in await private_words(room.kasia.click(message, "Tables"))


async def test_a_league_that_was_closed_before_its_first_season_has_no_tables(room: Room) -> None:
    await open_league(room)
    question = await private_message(room.ola.command(room.channel, "league close"))
    await room.ola.click(question, "Close the league").followed()
    assert "has no league" in await private_words(room.kasia.command(room.channel, "league table"))


def is_pinned(room: Room, message: Message) -> bool:
    there = room.discord.message(message)
    return there is not None and there.pinned


async def test_the_table_is_pinned_where_the_bot_may(room: Room) -> None:
    message = await open_league(room)
    room.discord.allow(room.channel, Permission.PIN_MESSAGES)
    assert "Pin Messages" in await private_words(room.ola.command(room.channel, "league pin"))
    await room.discord.until(lambda: is_pinned(room, message))
    assert "no longer pinned" in await private_words(room.ola.command(room.channel, "league pin"))
    await room.discord.until(lambda: not is_pinned(room, message))


async def test_a_table_that_cannot_be_pinned_is_not_said_to_be(room: Room) -> None:
    await open_league(room)
    room.discord.deny(room.channel, Permission.PIN_MESSAGES)
    said = await private_words(room.ola.command(room.channel, "league pin"))
    assert said.startswith("I can't pin the table yet: in this channel I'm missing **Pin Messages**.")


async def test_a_lost_message_is_posted_anew(room: Room) -> None:
    message = await open_league(room, joined=False)
    room.discord.delete_message(message)
    await private_words(room.kasia.command(room.channel, "league join"))
    await room.pass_time(HOUR)
    room.use_cases.events.league_changed()
    again = await told(room, "1 player has joined")
    assert again.id != message.id


MESSAGES = "/channels/{channel_id}/messages"


@pytest.mark.parametrize("code", [200000, 240000, 50035])
async def test_notices_that_discord_refuses_hold_up_no_season(room: Room, code: int) -> None:
    await open_league(room)
    fault = room.discord.fault("POST", MESSAGES, 400, code=code, times=1)
    season = await begin(room)
    assert fault.hits
    assert season.number == 1
    assert room.discord.messages(room.ola.open_dm()) == []


async def test_a_call_with_names_that_a_filter_refuses_comes_without_them(room: Room) -> None:
    await open_league(room)
    for name in ("Ola", "Максим", "Kasia"):
        room.discord.fault("POST", MESSAGES, errors.MESSAGE_BLOCKED, times=None, word=name)
    await begin(room)
    calls = [each for each in room.discord.messages(room.channel) if each.content == "Season 1 · Division 1"]
    assert len(calls) == 1
    await room.discord.until(lambda: any(each.id == calls[0].id for each in room.discord.threads))


async def test_a_call_that_discord_refuses_does_not_hold_up_the_table(room: Room) -> None:
    await open_league(room)
    room.discord.fault("POST", MESSAGES, errors.MESSAGE_BLOCKED, times=None, word="ivision 1")
    await room.pass_time((await load(room)).begins - room.clock())
    room.use_cases.events.league_changed()
    await told(room, "has begun with 3 players")
    await told(room, "Season 1 ends")
    assert room.discord.messages(room.ola.open_dm()) == []


async def test_a_table_whose_picture_is_refused_comes_without_it(room: Room) -> None:
    await open_league(room)
    room.discord.fault("PATCH", f"{MESSAGES}/{{message_id}}", 400, code=400001, times=1)
    await begin(room)
    table = await told(room, "Season 1 ends")
    assert table.attachments == ()


async def test_a_game_whose_thread_discord_does_not_open_is_played_in_the_channel(room: Room) -> None:
    await open_league(room)
    room.discord.fault("POST", f"{MESSAGES}/{{message_id}}/threads", 400, code=160006, times=None)
    await begin(room)
    await room.discord.until(lambda: room.boards(room.channel))
    await room.wait_for_outbox()
    match = await room.use_cases.matches.load(MatchId(1))
    assert match.channel == room.channel.id
    player = next(each for each in (room.ola, room.maksim, room.kasia) if each.id == match.players[0])
    await player.command(room.channel, "move", point="a1").answered()
    assert await room.version() == 1


async def test_the_question_and_the_news_of_an_annulment_name_the_league(room: Room) -> None:
    await open_league(room)
    season = await begin(room)
    number = next(game.match for game in season.games if game.match)
    match = await room.use_cases.matches.load(number)
    moderator = next(each for each in (room.ola, room.maksim, room.kasia) if each.id not in match.players)
    await room.use_cases.matches.resign(number, match.players[0], room.clock(), IdempotencyKey(77))
    await room.wait_for_outbox()
    room.make_moderator(moderator)
    question = await private_message(moderator.command(room.channel, "moderate annul", game=number))
    assert "In the league, it counts as a draw." in question.text
    await moderator.click(question, "Annul game").followed()
    thread = room.discord.channel(match.channel)
    await room.discord.until(
        lambda: next((each for each in room.discord.messages(thread) if "In the league" in each.content), None)
    )


async def miss_first_moves(room: Room) -> Message:
    """Lets the time run out in the games that go on; returns the newest line about it in a thread."""
    async with room.services.store.read() as reader:
        before = await reader.leagues.ended(GuildId(room.discord.guild.id))
    assert not before
    await room.wait_for_outbox()
    await room.pass_time(4 * DAY)
    room.use_cases.events.league_changed()
    line: Message = await room.discord.until(
        lambda: next(
            (
                each
                for thread in room.discord.threads
                for each in room.discord.messages(thread)
                if "ran out before your first move" in each.content
            ),
            None,
        )
    )
    return line


async def test_who_missed_a_first_move_is_told_in_its_thread_and_is_back_by_a_click(room: Room) -> None:
    await open_league(room)
    season = await begin(room)
    game = next(game for game in season.games if game.match)
    line = await miss_first_moves(room)
    person = next(each for each in (room.ola, room.maksim, room.kasia) if each.id == game.first)
    assert line.content.startswith(f"⌛ {person.mention}")
    assert [*line.mentions] == [person.id]
    assert "still in the league" in await private_words(person.click(line, "I'm back"))
    await room.use_cases.leagues.leave(GuildId(room.discord.guild.id), UserId(person.id), room.clock())
    assert "aren't in the league" in await private_words(person.click(line, "I'm back"))


async def test_players_who_do_not_meet_are_told_without_a_reason(room: Room) -> None:
    await open_league(room)
    for blocked in (room.maksim, room.kasia):
        await room.use_cases.blocks.block(UserId(room.ola.id), UserId(blocked.id), room.clock())
    await room.use_cases.blocks.block(UserId(room.kasia.id), UserId(room.maksim.id), room.clock())
    await room.pass_time((await load(room)).begins - room.clock())
    room.use_cases.events.league_changed()
    line = await told(room, "isn't played")
    assert "block" not in line.content
    assert len(line.mentions) == 2


async def test_the_question_before_the_opening_says_what_the_league_is(room: Room) -> None:
    question = await private_message(room.ola.command(room.channel, "league open", size="5x5"))
    for part in (
        "5×5",
        "Not rated",
        "A season lasts: 28 days",
        "A game usually takes about:",
        "The next season begins",
    ):
        assert part in question.text
    async with room.services.store.read() as reader:
        assert await reader.leagues.get(GuildId(room.discord.guild.id)) is None


async def test_moving_is_asked_for_and_told_on_the_former_message(room: Room) -> None:
    message = await open_league(room)
    room.discord.allow(room.general, Permission.MANAGE_GUILD, room.ola)
    question = await private_message(room.ola.command(room.general, "league open"))
    assert f"Move the league of <#{room.channel.id}>" in question.text
    assert (await load(room)).channel == room.channel.id
    await room.ola.click(question, "Move it here").followed()

    def moved() -> Message | None:
        there = room.discord.message(message)
        return there if there is not None and "has moved to" in there.content else None

    former = await room.discord.until(moved)
    assert f"<#{room.general.id}>" in former.content
    assert former.controls == ()

    async def is_told() -> bool:
        return (await load(room)).former is None

    await room.until(is_told)


async def test_two_managers_who_open_at_once_move_nothing(room: Room) -> None:
    questions = [await private_message(room.ola.command(room.channel, "league open")) for _ in range(2)]
    for question, answer in zip(questions, ("is open in this channel", "has a league already"), strict=True):
        assert answer in (await room.ola.click(question, "Open the league").followed()).text


async def change_terms(room: Room, *steps: tuple[str, str]) -> Message:
    """Opens the panel of the terms as Ola, chooses in its menus, and saves; returns what the panel shows then."""
    shown = await private_message(room.ola.command(room.channel, "league table"))
    panel = await room.ola.click(shown, "Change terms").followed()
    for field, value in steps:
        panel = await choose(room.ola, panel, field_id(panel, field), value)
    return await room.ola.click(panel, "Save for next season").followed()


def field_id(panel: Message, field: str) -> str:
    return next(name for each in panel.controls if (name := str(each["custom_id"])).endswith(f":{field}"))


async def test_terms_of_a_running_league_change_with_the_next_season(room: Room) -> None:
    await open_league(room)
    season = await begin(room)
    saved = await change_terms(room, ("size", "9x9"))
    assert "From the next season on" in saved.text
    assert "9×9" in saved.text
    league = await load(room)
    assert league.terms.game.options["size"] == "5x5"
    post = await told(room, "From the next season on")
    assert "Season 1" in post.content
    await room.pass_time(season.ends - room.clock())
    await room.restart()

    async def next_one() -> League | None:
        league = await load(room)
        return league if league.season and league.season.number == 2 else None

    league = await room.until(next_one)
    assert league.terms.game.options["size"] == "9x9"
    assert league.next_terms is None


async def test_a_change_of_the_terms_can_be_changed_again_or_withdrawn(room: Room) -> None:
    await open_league(room)
    await begin(room)
    await change_terms(room, ("size", "9x9"))
    saved = await change_terms(room, ("size", "15x15"))
    assert "15×15" in saved.text
    kept = await room.ola.click(saved, "Keep the terms").followed()
    assert "The league keeps its terms" in kept.text
    assert (await load(room)).next_terms is None


async def test_before_a_season_the_terms_change_at_once(room: Room) -> None:
    await open_league(room)
    saved = await change_terms(room, ("size", "9x9"))
    assert "Saved" in saved.text
    assert (await load(room)).terms.game.options["size"] == "9x9"


async def test_a_league_refuses_a_clock_that_its_players_could_not_meet_by(room: Room) -> None:
    await open_league(room)
    await begin(room)
    saved = await change_terms(room, ("clock", "10m+30s"))
    assert "need days for a move" in saved.text
    assert (await load(room)).next_terms is None


async def test_only_managers_change_the_terms(room: Room) -> None:
    await open_league(room)
    own = await private_message(room.kasia.command(room.channel, "league table"))
    assert "Change terms" not in own.labels
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.maksim)
    shown = await private_message(room.maksim.command(room.channel, "league table"))
    room.discord.deny(room.channel, Permission.MANAGE_GUILD, room.maksim)
    assert "Manage Server" in await private_words(room.maksim.click(shown, "Change terms"))


async def test_the_post_and_the_table_say_about_how_long_a_game_takes(room: Room) -> None:
    message = await open_league(room)
    assert "A game usually takes about" in message.content
    await begin(room)
    shown = await private_message(room.ola.command(room.channel, "league table"))
    assert "A game usually takes about" in shown.text
