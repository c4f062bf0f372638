"""Games with strangers that go on in the direct chat of a player who has left the group, or whose group has no bot."""

from __future__ import annotations

import logging

from chat.messages import Message
from chat.port import Place
from chat.services import Services
from play.ids import ChannelId, GuildId, UserId
from play.match.match import Match
from play.refusal import Refused
from use_cases.worker import RetryLater, Undeliverable, Unsendable

log = logging.getLogger(__name__)


async def leave_group(services: Services, user: UserId, guild: GuildId) -> None:
    """Ends the searches and the offer of a person who has left a group, and has their games with strangers there go on
    directly. Raises Unavailable."""
    offered = await services.use_cases.friends.of_user(user)
    searches = [outlook.seek for outlook in await services.use_cases.seeks.outlooks(user)]
    for seek in [*searches, offered] if offered is not None else searches:
        if seek.guild == guild:
            await services.use_cases.seeks.leave(seek.id, user)
    for entry in await services.use_cases.matches.list_open(user):
        match = await services.use_cases.matches.load(entry.id)
        own = match.at_home_of(match.seat_of(user))
        if own.guild == guild:
            try:
                await go_on_directly(services, own, user)
            except RetryLater as away:
                log.warning("match %d stays in a group that user %d has left: %s", match.id, user, away)


async def go_on_directly(services: Services, match: Match, user: UserId) -> bool:
    """Has the place of a player of a game with a stranger go on where the bot writes to them alone, and tells them so;
    returns False for another game, and for one who takes no direct messages. Raises RetryLater."""
    platform = services.platform
    if not match.strangers or match.away is None or match.guild is None:
        return False
    words = await services.locales.for_user(user, None)
    own, opponent = await services.names.of_all((user, _opponent(match, user)), None)
    try:
        direct = await platform.direct(user)
        place = await platform.open_place(Place(direct), f"{own} – {opponent}", f"g{match.id:x}")
        told = Message(words("chat.goes_on", opponent=words.literal(opponent)))
        await platform.tell(user, told, f"g{match.id:x}.{match.version:x}")
        await services.use_cases.actions.go_on_alone(match.id, user, ChannelId(place or direct))
    except (Refused, Undeliverable, Unsendable) as error:
        log.info("match %d does not go on in direct messages of user %d: %s", match.id, user, error)
        return False
    return True


def _opponent(match: Match, user: UserId) -> UserId:
    return next(player for player in match.players if player != user)
