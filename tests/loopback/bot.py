"""A bot on an unmodified discord.py, connected to the stand-in, with a little of every feature."""

import asyncio
import io
import re
import struct
import zlib
from collections.abc import Callable
from typing import Any, Self

import discord
from discord import app_commands, ui

from loopback import HANG_SECONDS


def png(width: int, height: int) -> bytes:
    """Returns a grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes(width + 1) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def board(name: str = "board.png") -> discord.File:
    """Returns a picture to send."""
    return discord.File(io.BytesIO(png(40, 30)), filename=name, description="a board")


class Count(ui.DynamicItem[ui.Button[ui.View]], template=r"count:(?P<number>\d+)"):
    """A button that carries its number and works after a restart."""

    def __init__(self, number: int) -> None:
        super().__init__(ui.Button(label=f"Count {number}", custom_id=f"count:{number}"))
        self.number = number

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: Any, match: re.Match[str], /) -> Self:
        return cls(int(match["number"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        view = ui.View(timeout=None)
        view.add_item(Count(self.number + 1))
        await interaction.response.edit_message(content=f"counted {self.number}", view=view)


class PointModal(ui.Modal, title="Type a move"):
    """A form with one field."""

    point: ui.TextInput[Self] = ui.TextInput(label="Point", custom_id="point", max_length=8)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"typed {self.point.value}", ephemeral=True)


class Buttons(ui.View):
    """Buttons that open a modal, defer, and do nothing; a disabled one; and a select."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.button(label="Type", custom_id="type")
    async def type(self, interaction: discord.Interaction, button: ui.Button[Self]) -> None:
        await interaction.response.send_modal(PointModal(custom_id="point-form"))

    @ui.button(label="Later", custom_id="later")
    async def later(self, interaction: discord.Interaction, button: ui.Button[Self]) -> None:
        await interaction.response.defer()
        await interaction.followup.send("later", ephemeral=True)

    @ui.button(label="Off", custom_id="off", disabled=True)
    async def off(self, interaction: discord.Interaction, button: ui.Button[Self]) -> None:
        raise AssertionError("this cannot be clicked")

    @ui.button(label="Silent", custom_id="silent")
    async def silent(self, interaction: discord.Interaction, button: ui.Button[Self]) -> None:
        pass

    @ui.select(
        custom_id="size",
        placeholder="Size",
        options=[discord.SelectOption(label="20 x 20", value="20"), discord.SelectOption(label="30 x 30", value="30")],
    )
    async def size(self, interaction: discord.Interaction, select: ui.Select[Self]) -> None:
        await interaction.response.send_message(f"size {select.values[0]}")


class Bot(discord.Client):
    """The client; lists keep what it receives."""

    def __init__(self, intents: discord.Intents) -> None:
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.01,
            max_messages=None,
        )
        self.tree = app_commands.CommandTree(self)
        self._changed = asyncio.Event()
        self.received: list[discord.Message] = []
        self.threads_seen: list[discord.Thread] = []
        self.resumed = 0
        self.interactions: list[discord.Interaction] = []
        self.refused: list[discord.HTTPException] = []
        self.tree.error(self._note)
        add_commands(self)

    async def _note(self, interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
        if not isinstance(error.__cause__, discord.HTTPException):
            raise error
        self.refused.append(error.__cause__)
        self._wake()

    async def until(self, predicate: Callable[[], Any]) -> None:
        """Waits until something received makes the predicate true."""
        async with asyncio.timeout(HANG_SECONDS):
            while not predicate():
                await self._changed.wait()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatches an event; wakes `until` once its handlers have run."""
        super().dispatch(event, *args, **kwargs)
        asyncio.get_running_loop().call_soon(self._wake)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def setup_hook(self) -> None:
        self.add_view(Buttons())
        self.add_dynamic_items(Count)
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identifies at once; the library waits for 5 s."""

    async def on_message(self, message: discord.Message) -> None:
        if self.user is not None and message.author.id != self.user.id:
            self.received.append(message)

    async def on_thread_create(self, thread: discord.Thread) -> None:
        self.threads_seen.append(thread)

    async def on_resumed(self) -> None:
        self.resumed += 1

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.interactions.append(interaction)


def add_commands(bot: Bot) -> None:
    """Adds the commands to the bot's tree."""

    @bot.tree.command(description="Answers")
    async def hello(interaction: discord.Interaction, name: str = "you") -> None:
        await interaction.response.send_message(f"hello {name}", ephemeral=True)

    @bot.tree.command(description="Plays a dot")
    async def move(interaction: discord.Interaction, point: str) -> None:
        await interaction.response.defer()
        await interaction.followup.send(f"played {point}", file=board())

    @move.autocomplete("point")
    async def points(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f"{current}{row}", value=f"{current}{row}") for row in range(1, 4)]

    @bot.tree.command(description="Challenges a player")
    @app_commands.choices(rules=[app_commands.Choice(name="Dots", value="dots")])
    async def challenge(
        interaction: discord.Interaction, opponent: discord.User, rules: str, size: app_commands.Range[int, 5, 60] = 20
    ) -> None:
        await interaction.response.send_message(f"{opponent.mention}: {rules} on {size}", view=Buttons())

    @bot.tree.command(description="Reads a file")
    async def read(interaction: discord.Interaction, file: discord.Attachment) -> None:
        data = await file.read()
        assert len(data) == file.size
        await interaction.response.send_message(f"{file.filename}, {file.content_type}: {data[:100].decode()}")

    @bot.tree.command(description="Does not answer")
    async def silence(interaction: discord.Interaction) -> None:
        pass

    @bot.tree.command(description="A counter")
    async def counter(interaction: discord.Interaction) -> None:
        view = ui.View(timeout=None)
        view.add_item(Count(1))
        await interaction.response.send_message("counter", view=view)

    settings = app_commands.Group(name="settings", description="Settings", allowed_contexts=None)

    @settings.command(description="Mine")
    async def me(interaction: discord.Interaction, loud: bool) -> None:
        await interaction.response.send_message(f"loud {loud}")

    bot.tree.add_command(settings)

    @bot.tree.command(description="For those who manage the server")
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.guild_only()
    async def rule(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("ruled")
