"""Slash commands and the responses, from a person to an unmodified discord.py and back."""

from typing import Any

import discord as library
import pytest

from loopback import Channel, Discord, File, Impossible, Person
from tests.loopback.bot import Bot
from tests.loopback.conftest import Clock


@pytest.mark.usefixtures("bot")
async def test_an_ephemeral_answer_is_seen_by_its_user_alone(ola: Person, maksim: Person, dots: Channel) -> None:
    outcome = await ola.command(dots, "hello", name="Ola").answered()
    assert outcome.message is not None
    assert (outcome.kind, outcome.message.text) == ("message", "hello Ola")
    assert outcome.message in ola.sees(dots)
    assert outcome.message not in maksim.sees(dots)


@pytest.mark.usefixtures("bot")
async def test_a_deferral_is_answered_once_the_follow_up_has_taken_its_place(ola: Person, dots: Channel) -> None:
    used = ola.command(dots, "move", point="K12")
    outcome = await used.answered()
    assert outcome.message is not None
    assert outcome.message.text == "played K12"
    assert len(used.messages) == 1
    assert not outcome.message.loading


@pytest.mark.usefixtures("bot")
async def test_a_file_keeps_its_bytes_size_and_alternative_text(ola: Person, dots: Channel) -> None:
    outcome = await ola.command(dots, "move", point="K12").answered()
    assert outcome.message is not None
    (picture,) = outcome.message.attachments
    assert (picture.width, picture.height, picture.description) == (40, 30, "a board")
    assert picture.content_type == "image/png"
    assert picture.data.startswith(b"\x89PNG")


async def test_a_file_is_served_under_its_address(bot: Bot, discord: Discord, ola: Person, dots: Channel) -> None:
    outcome = await ola.command(dots, "move", point="K12").answered()
    assert outcome.message is not None
    seen = await bot.get_partial_messageable(dots.id).fetch_message(outcome.message.id)
    assert seen.attachments[0].url.startswith(discord.cdn)
    assert await seen.attachments[0].read() == outcome.message.attachments[0].data


@pytest.mark.usefixtures("bot")
async def test_a_command_takes_a_file(ola: Person, dots: Channel) -> None:
    outcome = await ola.command(dots, "read", file=File("a note.txt", b"words")).answered()
    assert outcome.message is not None
    assert outcome.message.text == "a_note.txt, text/plain: words"


@pytest.mark.usefixtures("bot")
async def test_a_file_may_not_be_too_large(ola: Person, dots: Channel) -> None:
    with pytest.raises(Impossible, match="is larger than"):
        ola.command(dots, "read", file=File("large", bytes(10 * 1024 * 1024 + 1)))
    with pytest.raises(Impossible, match="takes a file"):
        ola.command(dots, "read", file="text")


@pytest.mark.usefixtures("bot")
async def test_autocomplete_gives_the_bots_choices(ola: Person, dots: Channel) -> None:
    choices = await ola.complete(dots, "move", focused="point", point="K")
    assert [choice["value"] for choice in choices] == ["K1", "K2", "K3"]


async def test_a_user_option_is_resolved_to_a_member(
    bot: Bot, discord: Discord, ola: Person, maksim: Person, dots: Channel
) -> None:
    outcome = await ola.command(dots, "challenge", opponent=maksim, rules="dots", size=30).answered()
    assert outcome.message is not None
    assert outcome.message.text == f"{maksim.mention}: dots on 30"
    assert outcome.message.mentions == ()  # the bot's allowed_mentions are none


@pytest.mark.usefixtures("bot")
async def test_a_subcommand_is_found_under_its_group(ola: Person, dots: Channel) -> None:
    outcome = await ola.command(dots, "settings me", loud=True).answered()
    assert outcome.message is not None
    assert outcome.message.text == "loud True"


@pytest.mark.usefixtures("bot")
@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("nothing", {}),
        ("move", {}),
        ("move", {"point": "K12", "colour": "red"}),
        ("challenge", {"opponent": 12345, "rules": "dots"}),
        ("challenge", {"opponent": "Ola", "rules": "dots"}),
        ("settings", {}),
        ("settings you", {}),
        ("settings me", {"loud": "perhaps"}),
    ],
)
def test_the_client_sends_no_command_that_is_wrong(
    ola: Person, dots: Channel, command: str, options: dict[str, object]
) -> None:
    with pytest.raises(Impossible):
        ola.command(dots, command, **options)


@pytest.mark.usefixtures("bot")
@pytest.mark.parametrize("options", [{"rules": "go"}, {"rules": "dots", "size": 61}, {"rules": "dots", "size": "big"}])
def test_the_client_sends_no_value_that_the_option_does_not_take(
    ola: Person, maksim: Person, dots: Channel, options: dict[str, object]
) -> None:
    with pytest.raises(Impossible):
        ola.command(dots, "challenge", opponent=maksim, **options)


@pytest.mark.usefixtures("bot")
async def test_default_permissions_hide_a_command_from_those_without_them(
    ola: Person, maksim: Person, dots: Channel
) -> None:
    assert (await ola.command(dots, "rule").answered()).kind == "message"  # she owns the server
    with pytest.raises(Impossible):
        maksim.command(dots, "rule")


@pytest.mark.usefixtures("bot")
async def test_a_guild_only_command_is_not_offered_in_a_dm(ola: Person) -> None:
    with pytest.raises(Impossible):
        ola.command(ola.open_dm(), "rule")


@pytest.mark.usefixtures("bot")
async def test_a_command_in_a_dm_is_answered_there(ola: Person) -> None:
    outcome = await ola.command(ola.open_dm(), "hello").answered()
    assert outcome.message in ola.sees(ola.open_dm())


async def test_an_interaction_says_who_where_and_with_what_permissions(
    bot: Bot, discord: Discord, maksim: Person, dots: Channel
) -> None:
    maksim.speak("ru")
    await maksim.command(dots, "hello").answered()
    seen = bot.interactions[-1]
    assert isinstance(seen.user, library.Member)
    assert (seen.user.id, seen.guild_id, seen.channel_id) == (maksim.id, discord.guild.id, dots.id)
    assert seen.locale is library.Locale.russian
    assert seen.app_permissions.attach_files
    assert seen.permissions.send_messages
    assert not seen.permissions.manage_guild


@pytest.mark.usefixtures("bot")
async def test_an_interaction_without_an_answer_fails_after_three_seconds(
    discord: Discord, clock: Clock, ola: Person, dots: Channel
) -> None:
    used = ola.command(dots, "silence")
    clock.time += 2.9
    discord.tick()
    assert used.outcome is None
    clock.time += 0.1
    discord.tick()
    outcome = await used.answered()
    assert (outcome.kind, outcome.text) == ("failed", "The application did not respond")


async def test_an_answer_after_three_seconds_is_unknown(
    bot: Bot, discord: Discord, clock: Clock, ola: Person, dots: Channel
) -> None:
    ola.command(dots, "silence")
    await bot.until(lambda: bot.interactions)
    clock.time += 3.1
    with pytest.raises(library.NotFound) as caught:
        await bot.interactions[-1].response.send_message("late")
    assert caught.value.code == 10062


async def test_a_second_acknowledgement_is_refused(bot: Bot, discord: Discord, ola: Person, dots: Channel) -> None:
    await ola.command(dots, "hello").answered()
    seen = bot.interactions[-1]
    seen.response._response_type = None
    with pytest.raises(library.HTTPException) as caught:
        await seen.response.send_message("again")
    assert caught.value.code == 40060


async def test_the_token_lasts_fifteen_minutes(bot: Bot, clock: Clock, ola: Person, dots: Channel) -> None:
    await ola.command(dots, "hello").answered()
    clock.time += 14 * 60
    await bot.interactions[-1].followup.send("in time")
    clock.time += 2 * 60
    with pytest.raises(library.HTTPException) as caught:
        await bot.interactions[-1].followup.send("too late")
    assert caught.value.code == 50027


async def test_nothing_can_follow_in_a_channel_that_was_deleted_meanwhile(
    bot: Bot, discord: Discord, ola: Person, dots: Channel
) -> None:
    await ola.command(dots, "hello").answered()
    discord.delete_channel(dots)
    with pytest.raises(library.NotFound) as caught:
        await bot.interactions[-1].followup.send("later")
    assert caught.value.code == 10003
    assert discord.problems == []


async def test_nothing_can_follow_before_the_acknowledgement(
    bot: Bot, discord: Discord, ola: Person, dots: Channel
) -> None:
    ola.command(dots, "silence")
    await bot.until(lambda: bot.interactions)
    with pytest.raises(library.NotFound) as caught:
        await bot.interactions[-1].followup.send("first")
    assert caught.value.code == 10015


async def test_the_original_response_can_be_read_edited_and_deleted(
    bot: Bot, discord: Discord, ola: Person, dots: Channel
) -> None:
    outcome = await ola.command(dots, "hello").answered()
    assert outcome.message is not None
    seen = bot.interactions[-1]
    assert (await seen.original_response()).content == "hello you"
    await seen.edit_original_response(content="changed")
    assert [message.text for message in ola.sees(dots)] == ["changed"]
    await seen.delete_original_response()
    assert ola.sees(dots) == []


async def test_an_ephemeral_message_makes_no_channel_unread(
    discord: Discord, bot: Bot, ola: Person, dots: Channel
) -> None:
    said = ola.say(dots, "hello")
    await ola.command(dots, "hello").answered()
    channel: Any = await bot.http.get_channel(dots.id)
    assert channel["last_message_id"] == str(said.id)


async def test_an_ephemeral_message_is_out_of_reach_without_its_token(bot: Bot, ola: Person, dots: Channel) -> None:
    outcome = await ola.command(dots, "hello").answered()
    assert outcome.message is not None
    channel = bot.get_partial_messageable(dots.id)
    with pytest.raises(library.NotFound) as caught:
        await channel.get_partial_message(outcome.message.id).edit(content="changed")
    assert caught.value.code == 10008


async def test_an_interaction_fails_while_the_bot_is_away(
    bot: Bot, discord: Discord, clock: Clock, ola: Person, dots: Channel
) -> None:
    await bot.close()
    await discord.until(lambda: not discord.online)
    used = ola.command(dots, "hello")
    clock.time += 3
    discord.tick()
    assert (await used.answered()).kind == "failed"


async def test_a_lost_callback_is_repeated_and_refused_as_a_second_one(
    bot: Bot, discord: Discord, ola: Person, dots: Channel
) -> None:
    discord.fault("POST", "/interactions/{interaction_id}/{interaction_token}/callback", 502, applied=True)
    outcome = await ola.command(dots, "hello").answered()
    assert outcome.message is not None
    await discord.until(lambda: [each.status for each in discord.requests if "callback" in each.endpoint] == [502, 400])
    await bot.until(lambda: bot.refused)
    assert bot.refused[0].code == 40060
