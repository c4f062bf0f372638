"""Events of Discord in another form than before reach players where they can, and never end the bot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from bot.connection import complete_interaction
from loopback.gateway import Session
from tests.bot.room import Room, private_words

Json = dict[str, Any]
Change = Callable[[str, Json], Iterable[tuple[str, Json]]]


@pytest.fixture
def send(monkeypatch: pytest.MonkeyPatch) -> Callable[[Change], None]:
    """Makes the stand-in send other events than its own from now on."""

    def send(change: Change) -> None:
        dispatch = Session.dispatch

        def changed(session: Session, name: str, data: Json) -> None:
            for event, payload in change(name, data):
                dispatch(session, event, payload)

        monkeypatch.setattr(Session, "dispatch", changed)

    return send


def channel_without(*keys: str, **changed: Any) -> Change:
    """Leaves keys out of the channel of interactions, and changes others."""

    def change(name: str, data: Json) -> Iterator[tuple[str, Json]]:
        if name == "INTERACTION_CREATE":
            channel = {key: value for key, value in data["channel"].items() if key not in keys}
            data = {**data, "channel": channel | changed}
        yield name, data

    return change


UNREADABLE: dict[str, Json] = {
    "MESSAGE_CREATE": {"id": "1", "channel_id": "2", "content": "a secret", "author": {"username": "Ola"}},
    "MESSAGE_DELETE": {},
    "CHANNEL_CREATE": {},
    "THREAD_CREATE": {"id": "a secret"},
    "GUILD_DELETE": {"name": "a secret"},
    "GUILD_UPDATE": {},
    "INTERACTION_CREATE": {"id": "1", "token": "a secret", "data": {"name": "move"}},
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("event", list(UNREADABLE))
async def test_an_unreadable_event_is_logged_without_its_content_and_counted(
    room: Room, send: Callable[[Change], None], event: str, caplog: pytest.LogCaptureFixture
) -> None:
    send(lambda name, data: [(event, UNREADABLE[event]), (name, data)])
    assert "You have no open games" in await private_words(room.ola.command(room.channel, "games"))
    assert room.discord.online
    (line,) = [each.getMessage() for each in caplog.records if "can't be read" in each.getMessage()]
    assert line.startswith(f"{event} is dropped")
    assert all(key in line for key in UNREADABLE[event])
    assert not any(said in line for said in ("a secret", "Ola"))
    assert f'kropka_unreadable_events_total{{event="{event}"}} 1.0' in room.services.metrics.text().decode()


@pytest.mark.parametrize("event", ["MESSAGE_CREATE", "MESSAGE_UPDATE"])
async def test_a_message_of_a_bot_and_an_edit_are_not_parsed(
    room: Room, send: Callable[[Change], None], caplog: pytest.LogCaptureFixture, event: str
) -> None:
    send(lambda name, data: [(event, {"id": "1", "author": {"bot": True}}), (name, data)])
    assert "You have no open games" in await private_words(room.ola.command(room.channel, "games"))
    assert "can't be read" not in caplog.text


async def test_a_thread_of_which_discord_tells_little_is_played_in(
    room: Room, send: Callable[[Change], None], no_confirmation: None
) -> None:
    thread = await room.start_match()
    send(channel_without("name", "owner_id", "message_count", "member_count", "thread_metadata"))
    board = await room.play(thread, "b2")
    assert "**B2**" in board.content


@pytest.mark.parametrize(
    "change",
    [
        channel_without("name", "position"),
        channel_without(type=99),
        channel_without(type=2),
        channel_without(*("id", "type", "name", "position", "permissions", "guild_id", "parent_id")),
    ],
    ids=["almost nothing", "an unknown kind", "a voice channel", "nothing"],
)
async def test_a_channel_of_which_discord_tells_little_has_its_answers(
    room: Room, send: Callable[[Change], None], change: Change
) -> None:
    send(change)
    assert "You have no open games" in await private_words(room.ola.command(room.channel, "games"))
    assert (await room.challenge()).labels


async def test_a_private_channel_of_an_unknown_kind_has_its_answer(room: Room, send: Callable[[Change], None]) -> None:
    send(channel_without("name", type=99))
    assert "You have no open games" in await private_words(room.ola.command(room.ola.open_dm(), "games"))


async def test_a_server_of_which_discord_tells_nothing_ends_nothing(room: Room, send: Callable[[Change], None]) -> None:
    send(lambda name, data: [("GUILD_CREATE", {}), (name, data)])
    assert "You have no open games" in await private_words(room.ola.command(room.channel, "games"))


async def test_an_interaction_without_a_size_of_files_has_its_answer(
    room: Room, send: Callable[[Change], None]
) -> None:
    send(lambda name, data: [(name, {key: data[key] for key in data if key != "attachment_size_limit"})])
    assert "You have no open games" in await private_words(room.ola.command(room.channel, "games"))


def test_what_discord_sends_is_kept() -> None:
    sent: Json = {"channel_id": "1", "attachment_size_limit": 5, "channel": {"id": "1", "type": 0, "name": "a"}}
    completed = complete_interaction(sent)
    assert {**completed, "channel": sent["channel"]} == sent
    assert sent["channel"].items() <= completed["channel"].items()
