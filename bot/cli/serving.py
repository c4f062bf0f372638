"""`kropka run`: the bot on Discord, or without a token the try-out."""

import argparse
import gc
import secrets
from dataclasses import replace

from bot import app
from bot.cli.operator import serve_operator
from bot.client import use_stand_in
from bot.features.coach.computer import ComputerSetup
from bot.features.registry import offered_presets
from bot.health import Status, serve_health
from bot.parts import Setup
from bot.platforms import open_chats
from bot.services.rate_limits import RateLimits
from bot.services.role_connections import register_figures
from bot.settings import DATA, Settings, make_folder, with_folder
from bot.sharding import Cluster
from bot.telemetry.loop_watch import watching_loop
from bot.website import serve_site
from storage import Database, file_of
from storage.advisory import Locks
from storage.match_notices import MatchNotices


async def run(settings: Settings, _: argparse.Namespace) -> int:
    """Runs `kropka run`."""
    await (_serve if settings.token or settings.discord or settings.has_chat else _try_out)(settings)
    return 0


async def _serve(settings: Settings) -> None:
    address = with_folder(settings.address())
    alone = file_of(address) is not None
    cluster = None if alone else Cluster(Locks.open(address), settings.shards, settings.processes)
    setup = Setup(
        offered_presets(dot_dash=settings.dot_dash),
        settings.hosting(),
        ComputerSetup.of(settings),
        RateLimits.per_minute(settings.requests),
        cluster,
        way=settings.way_to(),
    )
    notices = None if alone else MatchNotices.open(address)
    plays_on_discord = settings.token is not None or settings.discord is not None
    async with (
        open_chats(settings, setup.way) as chats,
        app.run(
            *(Database.open(address), settings.secret(), replace(setup, chats=chats), notices),
            on_discord=plays_on_discord,
        ) as (bot, work),
        serve_site(bot.website, settings.web_host, settings.web_port),
        serve_health(Status(bot, work), settings.status_host, settings.status_port),
        serve_operator(bot.use_cases.operator, file_of(address)),
    ):
        spare_collector()
        async with watching_loop(bot.metrics):
            await app.wait_for_failure(work)


def spare_collector() -> None:
    """Has Python's garbage collector pass over all that is there now: modules, catalogues, fonts, what stays until the
    end. With it a full collection stops the program for some 200 ms, in the middle of a move."""
    gc.collect()
    gc.freeze()


async def _try_out(settings: Settings) -> None:
    address = with_folder(settings.address("tryout"))
    state = (file_of(address) or DATA / "tryout.db").with_suffix(".discord")
    token = secrets.token_urlsafe(32)  # of this start alone, since others on this machine know what the sources say
    from bot.cli.tryout import mount_site, offered_here, stand_in, welcome  # the stand-in is loaded only where it runs

    make_folder(state.parent)
    async with stand_in(settings.port, token, state) as discord_here:
        use_stand_in(discord_here.address)
        setup = Setup(
            offered_presets(dot_dash=True),
            offered_here(discord_here, settings.hosting()),
            ComputerSetup.of(settings),
            RateLimits.per_minute(settings.requests),
        )
        async with (
            app.run(Database.open(address), token, setup) as (bot, work),
            mount_site(discord_here, bot.website),
            serve_health(Status(bot, work), settings.status_host, settings.status_port),
            serve_operator(bot.use_cases.operator, file_of(address)),
        ):
            await bot.client.tree.sync()
            await register_figures(bot.client, setup.spoken)
            print(welcome(discord_here, state.parent), flush=True)  # noqa: T201 - what the command is for
            spare_collector()
            async with watching_loop(bot.metrics):
                await app.wait_for_failure(work)
