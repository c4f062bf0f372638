"""The stand-in in a process of its own: ``python -m loopback``."""

import argparse
import asyncio
import logging
import signal
import sys
from contextlib import suppress
from pathlib import Path

from loopback.server import Discord


async def serve(port: int, state: Path | None, openapi: Path | None, *, limits: bool) -> None:
    """Serves until SIGTERM or Ctrl-C; prints the address of the chat page as the first line."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # on Windows, where Ctrl-C is an exception
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with Discord(port=port, state=state, openapi=openapi, limits=limits) as discord:
        sys.stdout.write(f"{discord.page_address}\n")
        sys.stdout.flush()
        await stop.wait()


def main() -> None:
    """Reads the arguments and serves."""
    parser = argparse.ArgumentParser(prog="python -m loopback", description="A small Discord on this computer.")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on (default: a free one)")
    parser.add_argument("--state", type=Path, help="the SQLite file that keeps everything (default: nothing is kept)")
    parser.add_argument("--openapi", type=Path, help="Discord's OpenAPI description, to check the bot's bodies against")
    parser.add_argument("--limits", action="store_true", help="enforce Discord's rate limits")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s loopback %(levelname)s %(message)s")
    asyncio.run(serve(arguments.port, arguments.state, arguments.openapi, limits=arguments.limits))


if __name__ == "__main__":
    main()
