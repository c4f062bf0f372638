"""`/about`: version, games, languages, and the pages that the operator offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.markup import spoken
from bot.settings import Hosting
from loopback import Message
from tests.bot.room import Room, private_message

PAGES = Hosting(
    support="https://example.org/help", source="https://example.org/code", terms="https://example.org/terms",
    privacy="https://example.org/privacy",
)  # fmt: skip


def links(message: Message) -> dict[str, str]:
    """Returns the addresses behind the buttons, by label."""

    def walk(parts: Any) -> Iterator[dict[str, Any]]:
        for part in parts:
            yield part
            yield from walk(part.get("components", ()))

    return {part["label"]: part["url"] for part in walk(message.components) if "url" in part}


async def test_it_says_what_the_bot_is_in_private(room: Room) -> None:
    shown = await private_message(room.kasia.command(room.general, "about"))
    assert shown.ephemeral
    assert "Kropka 0." in shown.text
    assert "MIT licence" in shown.text
    assert all(name in shown.text for name in ("English", "Polski", "Русский", "Українська", "Deutsch", "Čeština"))


async def test_it_counts_the_games_that_are_over_and_those_that_go_on(room: Room) -> None:
    shown = await private_message(room.kasia.command(room.general, "about"))
    assert "0 games finished" in shown.text
    assert "0 games are being played" in shown.text
    thread = await room.start_match(clock="3d")
    await room.cancel_match(room.ola, thread)
    await room.start_match(clock="3d")
    shown = await private_message(room.kasia.command(room.general, "about"))
    assert "1 game finished" in shown.text
    assert "1 game is being played" in shown.text


async def test_without_pages_only_the_invitation_is_offered(room: Room) -> None:
    shown = await private_message(room.kasia.command(room.general, "about"))
    assert list(links(shown)) == ["Add to your server"]
    assert f"client_id={room.discord.bot.id}" in links(shown)["Add to your server"]
    assert "feedback" not in shown.text


async def test_every_page_of_the_operator_has_a_button(room: Room) -> None:
    await room.stop()
    room.options["hosting"] = PAGES
    await room.start()
    shown = links(await private_message(room.kasia.command(room.general, "about")))
    assert list(shown) == ["Add to your server", "Get help", "Source code", "Terms", "Privacy"]
    assert shown["Privacy"] == "https://example.org/privacy"


@pytest.mark.sample(6)
@pytest.mark.parametrize("language", list(spoken().names))
async def test_it_fits_in_every_language(room: Room, language: str) -> None:
    room.kasia.speak("en-GB" if language == "en" else language)
    shown = await private_message(room.kasia.command(room.general, "about"))
    assert spoken().of(language)("about.licence") in shown.text
