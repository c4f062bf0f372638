"""What is done at any board: at one of a player's own, and at a chapter of a study."""

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from web.bodies import Json
from web.own.beginnings import Beginnings
from web.own.boards import Boards
from web.own.computer import ComputerAtBoards
from web.own.guest import Guest
from web.own.places import Places

Deed = Callable[[Guest, Json], Awaitable[Json]]


class BoardParts(NamedTuple):
    """The parts of a page with a board, which share a shelf."""

    boards: Boards
    places: Places
    computer: ComputerAtBoards
    beginnings: Beginnings

    @property
    def deeds(self) -> Mapping[str, Deed]:
        """What they do, by the names that pages and sockets send."""
        return {
            "set": self.boards.set_up,
            "start": self.boards.begin_here,
            "scene": self.places.show_scene,
            "sketch": self.places.sketch,
            "lay": self.places.lay,
            "note": self.places.annotate,
            "mark": self.places.mark,
            "erase": self.places.erase,
            "restore": self.places.restore,
            "sgf": self.places.send_record,
            "picture": self.places.send_picture,
            "weigh": self.computer.weigh,
            "review": self.computer.review,
            "play": self.beginnings.play,
            "draft": self.beginnings.draft,
            "offer": self.beginnings.offer,
            "invite": self.beginnings.invite,
        }
