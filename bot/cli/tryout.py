"""The try-out: Kropka without a token, on a stand-in for Discord with a chat page."""

import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from pydantic import SecretStr

from bot.settings import BadSettings, Hosting
from loopback import Discord
from loopback.statefile import AGE_SECONDS
from web.app import mounted
from web.site import Website

WELCOME = """
  Kropka is running, on a stand-in for Discord: nobody outside this machine can see it.

      Open  {address}

  The key at its end is new at every start; the page then remembers this browser. Keep it to yourself.
  You can sit there as several people. Press "Play the computer", or type /challenge to play against yourself.
  What is played is kept in {folder}, so you can stop with Ctrl-C and go on later.

  To play on the real Discord, put the bot's token into a file .env here, as KROPKA_TOKEN=, run `kropka sync`, and start
  again. docs/operators.md shows each step, and `kropka doctor` prints the link that adds the bot to a server.
"""


FEEDBACK_CHANNEL = "feedback"
"""The channel of the try-out that gets what people send by `/feedback`."""

SECOND_SERVER = "Corner Club"
"""The server beside the first one, for what servers play with each other."""

ITS_PEOPLE = ("Jadwiga", "Тарас", "Lena", "Kasia Wiśniewska")
"""Three of its own, the first of whom manages it, and one who is on the first server, too."""


@asynccontextmanager
async def stand_in(port: int, token: str, state: Path) -> AsyncIterator[Discord]:
    """Runs the stand-in with two servers, which keeps their channels and messages in `state`.

    Raises BadSettings if another try-out has the file, if it is not one of the try-out, or if the port is taken.
    """
    try:
        discord = Discord(port=port, token=token, state=state)
    except sqlite3.Error as error:
        raise BadSettings(f"KROPKA_DATABASE: {_state_trouble(state, error)}") from error
    except OSError as error:
        raise BadSettings(
            f"KROPKA_PORT: port {port} can't be used ({os.strerror(error.errno or 0)}). Choose another one."
        ) from error
    if not discord.world.others:
        club = discord.add_server(SECOND_SERVER, *ITS_PEOPLE, age=AGE_SECONDS)
        discord.open_channel("board-games", topic="Dots, and whatever else has a board", guild=club)
    async with discord:
        yield discord


def _state_trouble(state: Path, error: sqlite3.Error) -> str:
    """Returns why the file of the stand-in cannot be used, and what to do."""
    if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"another try-out is running in {state.parent}. Stop it first, or start this one in another folder."
    if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_NOTADB:
        return f"{state} isn't a file of the try-out, or is damaged. Move it away to begin anew."
    return f"{state} can't be used ({error}). Choose another place."


@asynccontextmanager
async def mount_site(discord: Discord, site: Website | None) -> AsyncIterator[None]:
    """Has the stand-in answer requests for the web board, on its own address, until the block ends."""
    if site is None:
        yield
        return
    async with mounted(site.app) as handle:
        discord.guest = handle
        try:
            yield
        finally:
            discord.guest = None


def offered_here(discord: Discord, hosting: Hosting) -> Hosting:
    """Returns what the operator offers in the try-out: feedback goes to a channel of its own, which may be new. The web
    board is on the address of the stand-in."""
    channel = discord.channels.get(FEEDBACK_CHANNEL) or discord.open_channel(FEEDBACK_CHANNEL)
    return replace(
        hosting,
        feedback=SecretStr(str(channel.id)),
        web=discord.address.rstrip("/"),
        client_secret=SecretStr(discord.client_secret),
        can_invite=False,
    )


def welcome(discord: Discord, folder: Path) -> str:
    """Returns what the operator reads first."""
    return WELCOME.format(address=discord.page_address, folder=folder)
