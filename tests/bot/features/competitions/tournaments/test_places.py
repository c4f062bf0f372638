"""Places for tournaments and ladders: channels in which a thread opens from a message."""

from __future__ import annotations

import pytest

from loopback import Channel, ChannelKind
from tests.bot.room import Room, private_words

THREADS = ("a thread", "a private thread", "a news thread", "a forum post", "a media post")


def open_place(room: Room, kind: str) -> Channel:
    """Returns a place in which no thread can be opened from a message."""
    make = room.discord.open_channel
    match kind:
        case "a thread":
            return room.ola.open_thread(room.channel, "Thread")
        case "a private thread":
            thread = room.ola.open_thread(room.channel, "Thread", private=True)
            room.discord.add_to_thread(thread, room.maksim)
            room.discord.world.join(thread, [room.discord.bot.id])
            return thread
        case "a news thread":
            return room.ola.open_thread(make("news", ChannelKind.NEWS), "Thread")
        case "a forum post":
            return room.ola.open_post(make("forum", ChannelKind.FORUM), "Post", "Text")
        case "a media post":
            return room.ola.open_post(make("media", ChannelKind.MEDIA), "Post", "Text")
    return make("talk", ChannelKind.VOICE if kind == "voice" else ChannelKind.STAGE)


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", [*THREADS, "voice", "stage"])
async def test_where_no_thread_can_be_opened_is_no_place_for_a_tournament_or_a_ladder(room: Room, kind: str) -> None:
    place = open_place(room, kind)
    room.make_moderator(room.ola, room.channel)
    asked = room.ola.command(place, "tournament create", name="Cup", format="swiss", size="5x5", clock="1d")
    assert "in a text or announcement channel, outside of its threads" in await private_words(asked)
    asked = room.ola.command(place, "ladder create")
    assert "in a text or announcement channel, outside of its threads" in await private_words(asked)


async def test_an_announcement_channel_is_a_place_for_a_tournament(room: Room) -> None:
    news = room.discord.open_channel("news", ChannelKind.NEWS)
    asked = room.ola.command(news, "tournament create", name="Cup", format="swiss", size="5x5", clock="1d")
    assert "The tournament is posted below" in await private_words(asked)
