"""The site with studies as a process that can be killed: ``python -m tests.web.study_process URL PORT PEOPLE``.

It prints a link for each of its people, a line each. Its clock runs a hundred times as fast as ours.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterable
from dataclasses import replace

from play.ids import GuildId, UserId
from presentation.markup import PLAIN
from presentation.words.words import languages
from storage import Database
from tests.web.lone_site import TOKENS, KnownNames, lone_parts
from web.access.links import LinkSigner, entrance
from web.app import serve
from web.site import Website

SPEED = 100
FIRST = 101
"""The id of the first of the people."""


class Numbered(KnownNames):
    """People who are called by their numbers."""

    async def of(self, user: UserId, guild: GuildId | None) -> str:
        return f"Nr. {user}"

    async def of_all(self, users: Iterable[UserId], guild: GuildId | None) -> tuple[str, ...]:
        return tuple(f"Nr. {user}" for user in users)


async def run(url: str, port: int, people: int) -> None:
    """Serves the site until the process ends."""
    signer, address = LinkSigner.of(TOKENS), f"http://127.0.0.1:{port}"
    async with Database.open(url) as store:
        parts = lone_parts(store, address, signer, languages().speaking(PLAIN, "Matrix"))
        parts = replace(parts, names=Numbered(), clock=lambda: SPEED * time.monotonic())
        site = Website.build(parts)
        async with serve(site.app, "127.0.0.1", port):
            for user in map(UserId, range(FIRST, FIRST + people)):
                key, now = await parts.sessions.link_key(user), await parts.sessions.now()
                sys.stdout.write(f"{entrance(address, signer.make(user, None, now, key=key))}\n")
            sys.stdout.flush()
            await site.hub.run()


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
