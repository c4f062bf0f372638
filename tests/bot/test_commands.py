"""The answers of commands: suggestions, the board, the list of games, help, and the question before a resignation."""

from __future__ import annotations

from loopback import Channel, Permission
from loopback.components import walk
from play.clock import parse_control
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.match.match import Match
from rules.registry import make_game
from tests.bot.room import Room, private_message, private_words


async def points(room: Room, channel: Channel, typed: str = "") -> list[str]:
    """Returns the points that `/move` suggests."""
    return [choice["value"] for choice in await room.ola.complete(channel, "move", focused="point", point=typed)]


async def test_an_empty_point_suggests_the_likeliest_ones_first(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    await room.play(thread, *["d5", "e5", "e6", "d4", "e4", "a2"])
    suggestions = await points(room, thread)
    assert len(suggestions) == 25
    assert suggestions[0] == "F5"


async def test_a_suggestion_tells_what_it_captures(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    await room.play(thread, *["d5", "e5", "e6", "d4", "e4", "a2"])
    choices = await room.ola.complete(thread, "move", focused="point", point="")
    assert choices[0] == {"name": "F5: captures 1 dot", "value": "F5"}


async def test_typing_narrows_the_suggestions(room: Room) -> None:
    thread = await room.start_match(size="39x32", start="cross")
    assert {point[0] for point in await points(room, thread, "k")} == {"K"}
    assert set(await points(room, thread, "к1")) == {"K1", *(f"K1{digit}" for digit in range(10))}
    assert (await points(room, thread, "k1"))[0] == "K1"
    assert all(point.endswith("12") for point in await points(room, thread, "12"))


async def test_occupied_points_are_not_suggested(room: Room) -> None:
    thread = await room.start_match()
    await room.play(thread, "c3")
    assert "C3" not in await points(room, thread)


async def test_nothing_is_suggested_for_what_is_no_point_or_where_no_game_is(room: Room) -> None:
    thread = await room.start_match()
    assert await points(room, thread, "where?") == []
    assert await points(room, room.general) == []


async def test_sizes_are_suggested_with_the_typed_one_first(room: Room) -> None:
    choices = await room.ola.complete(room.channel, "challenge", focused="size", size="17")
    assert choices[0] == {"name": "17 × 17", "value": "17x17"}
    assert "20x20" in [choice["value"] for choice in await room.ola.complete(room.channel, "challenge", focused="size")]


async def test_clocks_are_suggested_in_words(room: Room) -> None:
    choices = await room.ola.complete(room.channel, "challenge", focused="clock", clock="3")
    names = {choice["value"]: choice["name"] for choice in choices}
    assert names["3d"] == "3 days per move"
    choices = await room.ola.complete(room.channel, "challenge", focused="clock", clock="36h")
    assert choices[0] == {"name": "36 hours per move", "value": "36h"}


async def test_a_challenge_without_settings_is_a_good_first_game(room: Room) -> None:
    await room.ola.command(room.channel, "challenge", colour="drawn").answered()
    card = room.discord.messages(room.channel)[0]
    for words in ("20×20", "a cross of four dots", "3 days per move"):
        assert words in card.content


async def test_the_board_is_shown_in_private_also_to_a_spectator(room: Room) -> None:
    thread = await room.start_match()
    await room.play(thread, "c3")
    for person, labels in ((room.maksim, ["Keypad near C3", "Type a move", "More"]), (room.kasia, [])):
        shown = (await person.command(thread, "board").answered()).message
        assert shown is not None
        assert shown.ephemeral
        assert "**Ola** played **C3**" in shown.content
        assert shown.labels == labels
        assert "Ola played C3." in (shown.attachments[0].description or "")
    assert len(room.boards(thread)) == 2


async def test_no_games_is_a_reason_to_start_one(room: Room) -> None:
    words = await private_words(room.kasia.command(room.general, "games"))
    assert words == "You have no open games. Use `/challenge` to play a friend, anyone in the channel, or the computer."


async def test_games_are_listed_mine_to_move_first_with_links_and_deadlines(room: Room) -> None:
    first = await room.start_match()
    second = await room.start_match()
    await room.play(first, "c3")
    listed = await private_message(room.ola.command(room.general, "games"))
    head, legend, mine, theirs = listed.text.split("\n")
    buttons = [part["url"] for part in walk(listed.components) if "url" in part]
    assert head == "You have **2** open games."
    assert "▶️ your turn" in legend
    assert mine.startswith("▶️ **Максим**, 5×5 · <t:")
    assert theirs.startswith("⏳ Максим, 5×5 · <t:")
    for address, thread in zip(buttons, (second, first), strict=True):
        assert address.endswith(f"/{thread.id}/{room.boards(thread)[-1].id}")
    assert "<t:" in mine


async def test_a_long_list_of_games_is_cut(room: Room) -> None:
    async with room.services.store.write() as tx:
        for channel in range(1, 21):
            await tx.matches.add(
                Match.begin(
                    MatchId(0),
                    guild=GuildId(room.discord.guild.id),
                    channel=ChannelId(channel),
                    parent=None,
                    game=make_game("zagram", {"size": "60x60"}),
                    seed=0,
                    players=(UserId(room.ola.id), UserId(room.kasia.id)),
                    control=parse_control("3d"),
                    at=Millis(room.clock() + channel),
                )
            )
    words = await private_words(room.ola.command(room.general, "games"))
    assert words.endswith("and 8 more.")
    assert len(words) <= 2000


async def test_resigning_is_asked_twice(room: Room) -> None:
    thread = await room.start_match()
    asked = (await room.ola.command(thread, "resign").answered()).message
    assert asked is not None
    assert asked.ephemeral
    assert "against **Максим**" in asked.text
    assert await room.version() == 0
    done = await room.ola.click(asked, "Yes, resign").followed()
    assert done.text == "You resigned."
    assert done.labels == []
    assert "**Максим** wins" in (await room.wait_for_board(thread, 1)).content


async def test_a_resignation_can_be_thought_better_of(room: Room) -> None:
    thread = await room.start_match()
    asked = (await room.ola.command(thread, "resign").answered()).message
    assert asked is not None
    kept = await room.ola.click(asked, "Keep playing").followed()
    assert kept.text == "Game on! You haven't resigned."
    assert kept.labels == []
    assert await room.version() == 0


async def test_without_threads_the_game_is_played_in_the_channel(room: Room) -> None:
    room.discord.deny(room.channel, Permission.SEND_MESSAGES_IN_THREADS)
    card = await room.challenge(opponent=room.maksim)
    await room.maksim.click(card, "Accept").followed()
    await room.wait_for_board(room.channel, 0)
    assert "C3" in (await room.play(room.channel, "c3")).content
    assert room.discord.threads == []


async def test_in_a_dm_a_move_needs_no_mention(room: Room) -> None:
    dm = room.ola.open_dm()
    async with room.services.store.write() as tx:
        match = await tx.matches.add(
            Match.begin(
                MatchId(0),
                guild=None,
                channel=ChannelId(dm.id),
                parent=None,
                game=make_game("zagram", {"size": "5x5"}),
                seed=0,
                players=(UserId(room.ola.id), UserId(room.kasia.id)),
                control=parse_control("10m+30s"),
                at=room.clock(),
            )
        )
    room.use_cases.events.match_changed(match)
    await room.wait_for_board(dm, 0)
    room.ola.say(dm, "a1")
    assert "Ola** played **A1**" in (await room.wait_for_board(dm, 1)).content
