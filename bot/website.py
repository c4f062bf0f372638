"""The site of a bot on Discord: what it is built of, and how it is served."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from bot.addresses import DiscordAddresses
from bot.features.competitions.web_joining import WebJoining
from bot.interactions.context import Services
from bot.services.members import DiscordMembers, WebVoters
from bot.settings import BadSettings
from bot.version import repository_of
from play.ids import UserId
from presentation.match.boards import MatchViews
from use_cases.public_pages import PublicGames, PublicServers
from web.access.links import LinkSigner
from web.app import serve
from web.pages.front import LINKS
from web.ports import Application, Launcher, RoleApplication
from web.site import Beginning, SiteParts, Website

log = logging.getLogger(__name__)


def site_parts(
    services: Services,
    public: PublicGames,
    servers: PublicServers,
    views: MatchViews,
    signer: LinkSigner,
    members: DiscordMembers,
    voters: WebVoters,
    address: str,
    challenging: Callable[[UserId], Beginning],
    *,
    application: Application | None,
    launcher: Launcher | None,
    roles: RoleApplication | None,
    invitation: Callable[[], str | None],
    clock: Callable[[], float],
) -> SiteParts:
    """Returns what the site that browsers reach at `address` is built of, over the services of a bot on Discord."""
    hosting = services.hosting
    return SiteParts(
        address=address,
        use_cases=services.use_cases,
        sessions=services.web_sessions,
        rights=services.rights,
        public=public,
        servers=servers,
        views=views,
        signer=signer,
        languages=services.languages,
        locales=services.locales,
        names=services.names,
        limits=services.gate,
        jobs=services.jobs,
        count_refusal=services.metrics.count_refusal,
        coach=services.coach,
        addresses=DiscordAddresses(),
        guilds=members,
        challenging=challenging,
        joining=WebJoining(services, members),
        voters=voters,
        name_solvers=services.coach.posts.name_solvers,
        application=application,
        launcher=launcher,
        roles=roles,
        foot={name: getattr(hosting, name) for name in LINKS},
        repository=repository_of(hosting.source),
        invitation=invitation,
        clock=clock,
    )


@asynccontextmanager
async def serve_site(site: Website | None, host: str, port: int) -> AsyncIterator[int | None]:
    """Serves a site until the block ends, and yields its port; None without one. Raises BadSettings."""
    if site is None:
        yield None
        return
    async with AsyncExitStack() as stack:
        try:
            taken = await stack.enter_async_context(serve(site.app, host, port))
        except OSError as error:
            raise BadSettings(
                f"KROPKA_WEB_PORT and KROPKA_WEB_HOST: {host}:{port} can't be used"
                f" ({os.strerror(error.errno or 0)}). Choose others."
            ) from error
        log.info("the web board listens at http://%s:%d", host, taken)
        yield taken
