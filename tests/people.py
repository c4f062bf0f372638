"""The ids of people and servers in tests of the core: small numbers.

With `TEST_PLATFORM=MATRIX` they are those of another platform, in the same order and as old. So all tests of
storage and play that use them say that such ids do, too.
"""

from __future__ import annotations

import os
from typing import Final

from play.ids import EPOCH, GuildId, Platform, UserId, ids_since

VARIABLE: Final = "TEST_PLATFORM"
PLATFORM: Final = Platform[os.environ.get(VARIABLE, Platform.DISCORD.name)]

_IDS = ids_since(PLATFORM, EPOCH)


def person(number: int) -> UserId:
    """Returns the account with this number, made long ago."""
    return UserId(_IDS[number])


def server(number: int) -> GuildId:
    """Returns the server or group with this number."""
    return GuildId(_IDS[number])
