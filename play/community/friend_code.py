"""The code by which a player lets a friend on any server or platform take their search."""

from dataclasses import dataclass

from play.codes import Code
from play.community.seek import SeekId
from play.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendCode(Code):
    """The code of the search `seek` of `user`. It can be used as long as that is offered."""

    user: UserId
    seek: SeekId
