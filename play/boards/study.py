"""A study: chapters, each a board of its own, on which those who are let in think together."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple

from play.boards.own_board import MAX_NAME, OwnBoard
from play.ids import ChapterId, GuildId, RoleId, StudyId, UserId
from play.match.turn_tree import TriedTurn
from play.people.membership import Membership
from play.refusal import Reason, Refused

MAX_STUDIES: Final = 20
"""Studies that a player or a server may own."""

MAX_JOINED: Final = 100
"""Studies of others that a player may be in."""

MAX_CHAPTERS: Final = 30
"""Chapters of a study."""

MAX_MEMBERS: Final = 50
"""Members of a study, beside its owner."""


class Role(StrEnum):
    """What one may do in a study: read, or also draw, or all of it."""

    READER = "reader"
    DRAWER = "drawer"
    OWNER = "owner"

    @property
    def draws(self) -> bool:
        return self is not Role.READER


LENT: Final = (Role.READER, Role.DRAWER)
"""The roles that an owner lends."""

EVERY_MEMBER: Final = RoleId(0)
"""The role of all members of a server."""


class Member(NamedTuple):
    """A user whom a link has let in."""

    user: UserId
    role: Role


@dataclass(frozen=True, slots=True)
class Study:
    """A study of a `user`, or of a server for which they have begun it. `code` is its address, which nobody guesses.

    With the `link` others become members, in the role `lends`. In a server's, which has no link, its hosts are the
    owners, those with the role `drawers` draw, and all other members read. A `public` study is read by all who have its
    address; a `listed` one also by search engines. `version` counts the changes of these.
    """

    user: UserId
    code: str
    name: str
    link: str | None = None
    lends: Role = Role.READER
    public: bool = False
    listed: bool = False
    guild: GuildId | None = None
    drawers: RoleId | None = None
    version: int = 1
    id: StudyId = StudyId(0)  # noqa: RUF009 - a number

    def rename(self, name: str) -> "Study":
        """Returns the study with another name. Raises Refused (`bad_board_name`)."""
        name = " ".join(name.split())
        if not name or len(name) > MAX_NAME:
            raise Refused(Reason.BAD_BOARD_NAME, most=MAX_NAME)
        return replace(self, name=name)

    def share(self, link: str | None, role: Role) -> "Study":
        """Returns the study with another link, or without one. Raises Refused (`bad_message`), also for a server's."""
        if role not in LENT or self.guild is not None:
            raise Refused(Reason.BAD_MESSAGE)
        return replace(self, link=link, lends=role)

    def open_to(self, drawers: RoleId | None) -> "Study":
        """Returns a server's study in which those with another role draw, or its hosts alone. Raises Refused
        (`bad_message`)."""
        if self.guild is None:
            raise Refused(Reason.BAD_MESSAGE)
        return replace(self, drawers=drawers)

    def role_of(self, member: Membership | None) -> Role | None:
        """Returns what a member of the server may do in its study."""
        if self.guild is None or member is None:
            return None
        if member.hosts:
            return Role.OWNER
        return Role.DRAWER if self.drawers in {EVERY_MEMBER, *member.roles} else Role.READER

    def publish(self, *, public: bool, listed: bool) -> "Study":
        """Returns the study as it is to be read. Search engines are told of a public one alone."""
        return replace(self, public=public, listed=public and listed)


class Chapter(NamedTuple):
    """A chapter in the list of its study."""

    id: ChapterId
    name: str


class Stroke(NamedTuple):
    """What has changed on a board between two versions: turns that are new or other ones, and those that are gone."""

    put: tuple[TriedTurn, ...]
    gone: tuple[int, ...]


def compare(former: OwnBoard, newer: OwnBoard) -> Stroke | None:
    """Returns what has changed on a board, or None if it has another set-up, so that all of it is new."""
    if former.game != newer.game:
        return None
    known = {turn.id: turn for turn in former.turns}
    put = tuple(turn for turn in newer.turns if known.pop(turn.id, None) != turn)
    return Stroke(put, tuple(known))


def as_chapter(board: OwnBoard) -> OwnBoard:
    """Returns a copy of a board that belongs to nobody. Its turns are numbered as they come, so that the order of their
    ids is that of the tree."""
    numbers = dict[int | None, int | None]({None: None})
    for number, turn in enumerate(board.turns, start=1):
        numbers[turn.id] = number
    turns = tuple(_numbered(board, numbers))
    return OwnBoard(board.game, board.name, turns, len(turns) + 1, note=board.note, marks=board.marks)


def _numbered(board: OwnBoard, numbers: dict[int | None, int | None]) -> Iterator[TriedTurn]:
    for number, turn in enumerate(board.turns, start=1):
        yield replace(turn, id=number, parent=numbers[turn.parent])
