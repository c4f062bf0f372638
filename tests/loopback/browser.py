"""A look at the chat page in a real browser: ``python -m tests.loopback.browser [SCREENSHOT.png]``; needs chromium."""

import argparse
import asyncio
import tempfile
from pathlib import Path

from loopback import Discord

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-proxy-server",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--enable-logging=stderr",
    "--virtual-time-budget=4000",
]
SIZES = ("1280,800", "390,844")

SAID = "hello **all** <b>not bold</b> <img src=x onerror=alert(1)>"
SHOWN = (
    "hello <strong>all</strong> &lt;b&gt;not bold&lt;/b&gt; &lt;img src=x onerror=alert(1)&gt;",  # content is no markup
    'class="mention mine">@Ola</span>',
    "Максим</strong> is mentioned in",
    'aria-label="Message #dots, or type a slash for commands"',
    "This is a stand-in for Discord",
)


async def browse(address: str, *wish: str) -> tuple[str, str]:
    """What chromium prints about the page, and what the page's console says."""
    with tempfile.TemporaryDirectory() as profile:
        chromium = await asyncio.create_subprocess_exec(
            "chromium", *FLAGS, f"--user-data-dir={profile}", *wish, address, stdout=-1, stderr=-1
        )
        page, log = (each.decode() for each in await chromium.communicate())
        return page, "\n".join(line for line in log.splitlines() if ":CONSOLE" in line)


async def look(screenshot: Path | None) -> list[str]:
    """What should be on the page of Ola and is not, and what its console says, which is nothing."""
    wrong = []
    async with Discord() as discord:
        dots, ola, maksim = discord.channels["dots"], discord.people["Ola"], discord.people["Максим"]
        ola.say(dots, f"{SAID} {maksim.mention}")
        maksim.say(dots, f"Good day, {ola.mention}")
        address = f"{discord.page_address}&seat={ola.id}#{dots.id}"
        for size in SIZES:
            page, console = await browse(address, f"--window-size={size}", "--dump-dom")
            wrong += [f"{size}: {text}" for text in SHOWN if text not in page]
            wrong += [f"{size}: {console}"] * bool(console)
        if screenshot:
            await browse(address, f"--window-size={SIZES[0]}", f"--screenshot={screenshot}")
    return wrong


def main() -> None:
    """Looks, and ends with status 1 if something is missing."""
    parser = argparse.ArgumentParser(prog="python -m tests.loopback.browser", description=__doc__)
    parser.add_argument("screenshot", nargs="?", type=Path)
    if missing := asyncio.run(look(parser.parse_args().screenshot)):
        raise SystemExit("\n".join(["missing on the page, or said by its console:", *missing]))


if __name__ == "__main__":
    main()
