"""What a chat shows: text in the marks of its platform, a picture, a file, and buttons with what they do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from chat.actions import Action
from play.ids import UserId


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG picture, and the same in words for those who can't see it."""

    png: bytes
    alt: str
    name: str = "board.png"


@dataclass(frozen=True, slots=True)
class File:
    """A file to download."""

    name: str
    data: bytes
    mime: str = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Button:
    """A button: an `action` that comes back as a press, or else the address of a page.

    A platform that shows the site inside opens its Mini App instead, at the game of the number `app`, 0 for the home.
    """

    label: str
    action: Action | None = None
    url: str | None = None
    app: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message to everybody in a place, or to one person. `pinged` are the people whom it mentions to call them; all
    other mentions in it are silent. `fixed` is text below it in letters of one width. A `private` one is for the
    person who has asked alone, wherever they did. A platform without buttons says how their actions are typed."""

    text: str
    picture: Picture | None = None
    buttons: tuple[tuple[Button, ...], ...] = ()
    file: File | None = None
    pinged: tuple[UserId, ...] = ()
    fixed: str = ""
    private: bool = False

    def folded(self) -> Self:
        """Returns the message without buttons, as it is left once a newer one has taken its place."""
        return replace(self, buttons=(), pinged=())
