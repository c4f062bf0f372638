"""Messages that workers keep in channels: edited, posted again when they are lost, plainer where they are refused."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from bot.interactions.layout import picture_file
from bot.services.channels import Post, ServerPosts
from bot.services.discord_errors import FAILURES
from bot.services.rate_limits import ThreadBudget
from loopback import Attempt, Message, Permission, Silence, errors
from play.ids import ChannelId, GuildId, MessageId, UserId
from tests.bot.room import Room
from use_cases.worker import ChannelClosed, RetryLater, Undeliverable, Unshowable

MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = f"{MESSAGES}/{{message_id}}"

TABLE = Post("The table", picture=partial(picture_file, b"png", "table", "What it shows"))


class Shelf:
    """A channel in which one message is kept."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.posts = ServerPosts(room.services.directory, ThreadBudget())
        self.guild, self.channel = GuildId(room.discord.guild.id), ChannelId(room.channel.id)
        self.old = {each.id for each in room.discord.messages(room.channel)}

    async def keep(self, post: Post, kept: MessageId | None = None, nonce: str = "n:0") -> MessageId:
        return await self.posts.keep(self.guild, self.channel, kept, nonce, post)

    @property
    def messages(self) -> list[Message]:
        """Returns what was posted since."""
        return [each for each in self.room.discord.messages(self.room.channel) if each.id not in self.old]

    @property
    def seen(self) -> list[tuple[str, int]]:
        """Returns the texts that were posted since, and how many pictures are below each."""
        return [(each.content, len(each.attachments)) for each in self.messages]


@pytest.fixture
def shelf(room: Room) -> Shelf:
    return Shelf(room)


def has_picture(attempt: Attempt) -> bool:
    return bool(attempt.body.get("attachments"))


async def test_a_message_is_posted_and_then_edited(shelf: Shelf) -> None:
    kept = await shelf.keep(TABLE)
    assert shelf.seen == [("The table", 1)]
    assert await shelf.keep(Post("Another one"), kept) == kept
    assert shelf.seen == [("Another one", 0)]


async def test_a_message_that_is_lost_is_posted_again(shelf: Shelf) -> None:
    kept = await shelf.keep(TABLE)
    shelf.room.discord.delete_message(kept)
    again = await shelf.keep(TABLE, kept, f"n:{kept:x}")
    assert [each.id for each in shelf.messages] == [again]


async def test_of_two_processes_one_posts(shelf: Shelf) -> None:
    assert await shelf.keep(TABLE) == await shelf.keep(TABLE)
    assert shelf.seen == [("The table", 1)]


@pytest.mark.parametrize("refusal", [errors.INVALID_FORM, errors.EXPLICIT_CONTENT, errors.UPLOADS_LIMITED])
async def test_a_picture_that_is_refused_is_left_out(shelf: Shelf, refusal: errors.Refusal) -> None:
    faults = [
        shelf.room.discord.fault(*endpoint, refusal, times=None, predicate=has_picture)
        for endpoint in (("POST", MESSAGES), ("PATCH", MESSAGE))
    ]
    kept = await shelf.keep(TABLE)
    await shelf.keep(replace(TABLE, content="Another one"), kept)
    assert shelf.seen == [("Another one", 0)]
    assert [len(fault.hits) for fault in faults] == [1, 1]


async def test_a_right_to_attach_files_that_is_missing_costs_the_picture_alone(shelf: Shelf) -> None:
    shelf.room.discord.deny(shelf.room.channel, Permission.ATTACH_FILES)
    await shelf.keep(TABLE)
    assert shelf.seen == [("The table", 0)]


@pytest.mark.parametrize("refusal", [errors.MESSAGE_BLOCKED, errors.HARMFUL_LINK, errors.INVALID_FORM])
async def test_a_text_that_is_refused_is_not_posted_anew(shelf: Shelf, refusal: errors.Refusal) -> None:
    kept = await shelf.keep(TABLE)
    shelf.room.discord.fault("PATCH", MESSAGE, refusal, times=None)
    with pytest.raises(Unshowable):
        await shelf.keep(Post("A rude name"), kept)
    assert shelf.seen == [("The table", 1)]
    shelf.room.discord.fault("POST", MESSAGES, refusal, times=None)
    with pytest.raises(Unshowable):
        await shelf.keep(Post("A rude name"), nonce="n:1")


@pytest.mark.sample(5)
@pytest.mark.parametrize("is_kept", [False, True])
@pytest.mark.parametrize(
    ("refusal", "problem"),
    [
        (errors.MISSING_PERMISSIONS, ChannelClosed),
        (errors.MISSING_ACCESS, ChannelClosed),
        (errors.THREAD_ARCHIVED, ChannelClosed),
        (errors.THREAD_LOCKED, ChannelClosed),
        (errors.UNKNOWN_CHANNEL, Undeliverable),
        (errors.Refusal(503, 0, "Service Unavailable"), RetryLater),
    ],
)
async def test_a_worker_learns_what_is_wrong_with_a_channel(
    shelf: Shelf, refusal: errors.Refusal, problem: type[Exception], is_kept: bool
) -> None:
    kept = await shelf.keep(TABLE) if is_kept else None
    shelf.room.discord.fault("*", MESSAGE if is_kept else MESSAGES, refusal, times=None)
    with pytest.raises(problem) as raised:
        await shelf.keep(Post("Another one"), kept)
    assert type(raised.value) is problem
    assert shelf.seen == ([("The table", 1)] if is_kept else [])


async def test_a_channel_of_another_server_is_none(shelf: Shelf) -> None:
    with pytest.raises(Undeliverable):
        await shelf.posts.keep(GuildId(5), shelf.channel, None, "n:0", TABLE)
    assert shelf.seen == []


async def test_a_message_is_not_posted_anew_where_discord_does_not_answer(shelf: Shelf) -> None:
    kept = await shelf.keep(TABLE)
    shelf.room.discord.fault("PATCH", MESSAGE, Silence.CLOSED, times=None)
    with pytest.raises(FAILURES):
        await shelf.keep(Post("Another one"), kept)
    assert shelf.seen == [("The table", 1)]


async def test_what_a_lost_answer_has_posted_is_brought_up_to_date(shelf: Shelf) -> None:
    fault = shelf.room.discord.fault("POST", MESSAGES, Silence.CLOSED, times=None, applied=True)
    with pytest.raises(FAILURES):
        await shelf.keep(TABLE)
    fault.end()
    kept = await shelf.keep(replace(TABLE, content="Another one"))
    assert [(each.id, each.content) for each in shelf.messages] == [(kept, "Another one")]


async def test_a_picture_is_refused_also_in_what_a_lost_answer_has_posted(shelf: Shelf) -> None:
    await shelf.keep(Post("The table"))
    fault = shelf.room.discord.fault("PATCH", MESSAGE, errors.INVALID_FORM, times=None, predicate=has_picture)
    await shelf.keep(replace(TABLE, content="Another one"))
    assert (shelf.seen, len(fault.hits)) == ([("Another one", 0)], 1)


async def test_a_nonce_of_a_message_that_was_just_deleted_is_tried_again(shelf: Shelf) -> None:
    """Discord answers 404 then, as of a message that is not there."""
    shelf.room.discord.fault("POST", MESSAGES, errors.UNKNOWN_MESSAGE)
    with pytest.raises(RetryLater):
        await shelf.keep(TABLE)
    await shelf.keep(TABLE)
    assert shelf.seen == [("The table", 1)]


async def test_a_post_has_plainer_words_and_pings_whom_it_names(shelf: Shelf) -> None:
    ola, maksim = UserId(shelf.room.ola.id), UserId(shelf.room.maksim.id)
    fault = shelf.room.discord.fault("POST", MESSAGES, errors.MESSAGE_BLOCKED, times=None, word="rude")
    text = f"<@{ola}> plays <@{maksim}>"
    await shelf.posts.post(shelf.guild, shelf.channel, "p", Post(f"{text}: rude"), Post(text, pinged=[ola]))
    (message,) = shelf.messages
    assert (message.content, message.mentions, len(fault.hits)) == (text, (ola,), 1)


async def test_a_call_that_is_refused_is_tried_again(shelf: Shelf) -> None:
    shelf.room.discord.fault("POST", MESSAGES, errors.MESSAGE_BLOCKED, times=2)
    posts = [Post("Ola, play"), Post("Round 1")]
    with pytest.raises(RetryLater):
        await shelf.posts.call(shelf.guild, shelf.channel, "c", *posts)
    await shelf.posts.call(shelf.guild, shelf.channel, "c", *posts)
    assert shelf.seen == [("Ola, play", 0)]
