"""What is done at the boards of chapters: the same as at boards of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from play.refusal import Reason, Refused
from web import bodies
from web.bodies import Json
from web.own.boards import MAX_VALUE
from web.own.deeds import BoardParts, Deed
from web.own.guest import Guest
from web.own.pages import OwnBoardPages
from web.studies.deeds import StudyDeeds
from web.studies.maker import Maker
from web.studies.shelf import StudyShelf

STROKES: Final = frozenset({"lay", "note", "mark", "erase", "restore", "name", "set", "start"})
"""What changes a board: each has a key."""


class BoardDeeds:
    """Does what a page or a socket asks for."""

    def __init__(
        self,
        shelf: StudyShelf,
        own: OwnBoardPages,
        parts: BoardParts,
        studies: StudyDeeds,
        maker: Maker,
        address: str,
    ) -> None:
        """`address` is that of the site in a browser."""
        self._shelf = shelf
        self._own = own
        self._address = address
        self._deeds: Mapping[str, Deed] = {
            **parts.deeds,
            "tell": self.tell,
            "list": studies.list,
            "begin": studies.begin,
            "open": studies.open,
            "rename": studies.rename,
            "publish": studies.publish,
            "share": studies.share,
            "drawers": studies.open_to,
            "unshare": studies.end_sharing,
            "join": studies.join,
            "lend": studies.lend,
            "leave": studies.leave,
            "delete": studies.delete,
            "chapter": studies.add_chapter,
            "unchapter": studies.delete_chapter,
            "made": maker.list,
            "examine": maker.examine,
            "make": maker.make,
            "unmake": maker.unmake,
            "load": shelf.tell_all,
            "name": parts.boards.rename,
        }

    async def tell(self, guest: Guest, _: Json | None = None) -> Json:
        """Returns what a page needs before there is a study."""
        says = self._shelf.readers.page_words(guest.language, "study")
        return {**await self._own.tell(guest), "says": says, "origin": self._address}

    async def act(self, guest: Guest, message: Json) -> Json:
        """Does what is asked for. Raises Refused."""
        deed = self._deeds.get(bodies.text(message, "do", MAX_VALUE))
        if deed is None:
            raise Refused(Reason.BAD_MESSAGE)
        if guest.user is not None:
            self._shelf.readers.limits.admit_look(guest.user)
        return await deed(guest, message)
