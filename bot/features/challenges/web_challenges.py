"""Games that users begin in a browser: the same use cases as in Discord, where cards and boards are posted."""

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import discord

from bot.addresses import link
from bot.features.challenges.buttons import accept_elsewhere
from bot.features.challenges.commands import LOCKS, NEWCOMER_TERMS, running_game
from bot.features.terms.drafts import encode
from bot.features.terms.terms_menus import apply_choice, menus
from bot.features.terms.terms_panel import read_draft
from bot.interactions import permissions
from bot.interactions.context import Services
from bot.services.discord_errors import ErrorCode
from bot.services.members import DiscordMembers, Standing
from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Continuation, Order, Owner, Terms, with_name
from play.clock import Speed
from play.community.seek import Seek, SeekId, seek_terms
from play.competitions.ladder import has_to_answer
from play.ids import ChallengeId, ChannelId, GuildId, IdempotencyKey, MatchId, Millis, UserId
from play.match.match import Match
from play.people.settings import NO_SERVER, ServerSettings
from play.refusal import Reason, Refused
from presentation.offered_rules import list_rules, require_offered, server_terms, usual_terms
from presentation.terms import rules_help
from presentation.words.words import Words
from rules.game import AnyGame, RuleError, Seat
from use_cases.lobby import latest_places, load_friends
from use_cases.worker import RetryLater
from web.ports import Friend, TermsChoice, TermsDraft, TermsMenu, Venue

CLOSED = (ErrorCode.DM_REFUSED, ErrorCode.NO_COMMON_GUILD)
"""Answers of Discord that tell of closed direct messages."""

OF_POSITIONS: Final = ("clock", "agreed")
"""Menus of terms that go with a game whose position is given."""

log = logging.getLogger(__name__)


class Place(NamedTuple):
    """A channel to play in, with the settings of its server; without a server it is a user's direct messages."""

    guild: GuildId | None
    channel: ChannelId
    server: ServerSettings


class WebChallenges:
    """An implementation of `web.ports.Challenging`, and of `web.ports.Rematches`."""

    def __init__(self, services: Services, members: DiscordMembers) -> None:
        self._services = services
        self._members = members

    async def rematch(self, match: Match, user: UserId, at: Millis, key: IdempotencyKey) -> MatchId | None:
        self._services.gate.count_card(match.channel)
        offered = await self._services.use_cases.challenges.rematch_or_awaiting(match.id, user, at, key)
        if offered is None:
            return None
        if offered.awaits(user):
            return await self.answer_rematch(match, user, offered.id, offered.changes, at, accepts=True)
        return (await self._post(offered)).match

    async def answer_rematch(
        self, match: Match, user: UserId, challenge: ChallengeId, changes: int, at: Millis, *, accepts: bool
    ) -> MatchId | None:
        offered = await self._services.use_cases.challenges.load_rematch(match.id, challenge)
        if not accepts:
            await self.decline(user, challenge, at, sure=True)
            return None
        if offered.match is not None and user in (offered.challenger, *offered.joined):
            return offered.match  # the browser has sent it twice
        if offered.guild is not None:
            return await self.accept(user, challenge, changes, at)
        _, begun = await self._services.use_cases.challenges.accept(challenge, user, at, changes=changes)
        return None if begun is None else begun.id

    async def play_computer(
        self, user: UserId, here: ChannelId | None, level: int | None, at: Millis, key: IdempotencyKey
    ) -> MatchId:
        services, computer = self._services, self._services.names.own_id
        services.coach.advisor(user)
        assert computer is not None, "the bot has logged in: it thinks"
        async with LOCKS.of(user):  # the second of two quick presses finds the game of the first
            place = await self._place_alone(user, here)
            if level is None:
                terms, opened = NEWCOMER_TERMS, await services.use_cases.matches.list_open(user)
                if (running := running_game(opened, computer, place.guild, place.channel)) is not None:
                    return running.id
            else:
                terms = replace(await self._usual_terms(user, place.server), level=level, rated=False, window=None)
            challenge = await self._challenge(user, computer, place, terms, at, key)
        if challenge.match is None:
            raise Refused(Reason.COMPUTER_BUSY)
        return challenge.match

    async def play_on(
        self,
        user: UserId,
        here: ChannelId | None,
        game: AnyGame,
        level: int,
        seat: Seat,
        at: Millis,
        key: IdempotencyKey,
    ) -> MatchId:
        services, computer = self._services, self._services.names.own_id
        services.coach.advisor(user)
        assert computer is not None, "the bot has logged in: it thinks"
        if game.seats > 2:
            raise Refused(Reason.PRESET_NEEDS_TWO)
        place = await self._place_alone(user, here)
        require_offered(place.server, game)
        terms = (await self._usual_terms(user, place.server)).by_rules(game)
        order = Order.LAST if seat else Order.FIRST
        terms = replace(Continuation(game, order).put_into(terms), level=level)
        challenge = await self._challenge(user, computer, place, terms, at, key)
        if challenge.match is None:
            raise Refused(Reason.COMPUTER_BUSY)
        return challenge.match

    async def look(
        self, user: UserId, here: ChannelId | None, speed: Speed, at: Millis, *, flexible: bool, weekly: bool
    ) -> None:
        place = await self._place_alone(user, here, for_strangers=True)
        async with self._services.store.read() as reader:
            own = (await reader.people.get(user)).terms
        terms = seek_terms(own, server_terms(place.server), speed)
        where = place.guild, place.channel
        await self._services.use_cases.seeks.look(user, *where, terms, at, flexible=flexible, weekly=weekly)

    async def sit(self, user: UserId, here: ChannelId | None, seek: SeekId) -> None:
        place = await self._place_alone(user, here, for_strangers=True)
        await self._services.use_cases.open_seats.sit(seek, user, place.guild, place.channel)

    async def look_up_friend(self, user: UserId, code: str) -> Seek:
        self._services.gate.count_code(user, None)
        return await self._services.use_cases.friends.look_up(user, code)

    async def accept_friend(self, user: UserId, here: ChannelId | None, code: str) -> Seek:
        self._services.gate.count_code(user, None)
        place = await self._place_alone(user, here, for_strangers=True)
        return await self._services.use_cases.friends.accept(user, code, place.guild, place.channel)

    async def enter_arena(self, user: UserId, here: ChannelId | None, at: Millis) -> None:
        place = await self._place_alone(user, here, for_strangers=True)
        await self._services.use_cases.arenas.join(user, place.guild, place.channel, at)

    async def accept(self, user: UserId, challenge: ChallengeId, changes: int, at: Millis) -> MatchId | None:
        offered = await self._services.use_cases.challenges.load(challenge)
        if offered.guild is None:
            raise Refused(Reason.NO_CHALLENGE)
        standing = await self._members.standing(offered.guild, offered.channel, user)
        if standing is None or not standing.may.view_channel:
            raise Refused(Reason.NO_CHALLENGE)
        if standing.held_back is not None:
            raise Refused(standing.held_back)
        server = await self._require_role(await self._server(offered.guild), standing)
        match = await accept_elsewhere(self._services, server, offered, user, at, changes)
        return None if match is None else match.id

    async def decline(self, user: UserId, challenge: ChallengeId, at: Millis, *, sure: bool) -> str | None:
        use_cases = self._services.use_cases
        offered = await use_cases.challenges.load(challenge)
        if user not in (offered.challenger, offered.opponent):
            raise Refused(Reason.NO_CHALLENGE)
        ladder = await use_cases.ladders.of_challenge(challenge) if user == offered.opponent and not sure else None
        if ladder is not None and offered.state is ChallengeState.OPEN and has_to_answer(offered.terms):
            words = await self._words(user, offered.guild)
            challenger = await self._services.names.of(offered.challenger, offered.guild)
            return words("ladder.decline.ask", place=ladder.place(user), challenger=words.literal(challenger))
        declined = await use_cases.challenges.decline(challenge, user, at)
        if declined.state is not ChallengeState.OPEN and declined.proposer != user:
            await self._services.cards.tell_proposer(declined, user)
        return None

    async def venues(self, user: UserId, here: ChannelId | None) -> Sequence[Venue]:
        guild = None if here is None else await self._members.guild_of(here)
        first = [] if here is None or guild is None else [(guild, here)]
        found: dict[ChannelId, Venue] = {}
        for server, channel in dict.fromkeys([*first, *await latest_places(self._services.store, user)]):
            try:
                place = await self._require_place(user, None, server, channel)
            except Refused as refused:
                log.debug("no challenge in channel %d: %s", channel, refused.key)
                continue
            standing = await self._members.standing(server, place.channel, user)
            name = standing.name if standing else ""
            named = await self._services.names.of_server(server) or ""
            found[place.channel] = Venue(server, place.channel, f"#{name}", named)
        return [*found.values()]

    async def draft(
        self, user: UserId, code: str | None, field: str, values: Sequence[str], game: AnyGame | None = None
    ) -> TermsDraft:
        terms = await self._usual_terms(user, NO_SERVER) if code is None else _read_draft(code)
        if game is not None and code is None:
            terms = replace(terms.by_rules(game), game=terms.game)  # a code has no room for a position
        words, rule_sets = await self._words(user, None), await self._services.use_cases.rule_sets.of(Owner(user))
        offered = list_rules(self._services.presets, NO_SERVER, rule_sets, words)
        if field:
            try:
                terms = with_name(apply_choice(terms, offered, field, *values), rule_sets, terms)
            except (KeyError, ValueError, TypeError, RuleError) as error:
                raise Refused(Reason.BAD_MESSAGE) from error  # no menu has offered it
        name = await self._services.names.of(user, None)
        found = [
            TermsMenu(menu.field, menu.hint, [TermsChoice(*choice) for choice in menu.choices], menu.several)
            for menu in menus(terms, offered, name, words, ordered=terms.game.seats == 2)
            if game is None or menu.field in OF_POSITIONS
        ]
        return TermsDraft(encode(terms), found, terms.rated and game is None, rules_help(game or terms.game, words))

    async def friends(self, user: UserId, guilds: Collection[GuildId]) -> Sequence[Friend]:
        names, shared = self._services.names, await load_friends(self._services.store, user, guilds)
        shared.pop(names.own_id or UserId(0), None)
        named = await asyncio.gather(*(names.of(friend, min(servers)) for friend, servers in shared.items()))
        found = (
            Friend(friend, name, [guild for guild in servers if not names.has_left(friend, guild)])
            for (friend, servers), name in zip(shared.items(), named, strict=True)
        )
        return [friend for friend in found if friend.guilds]

    async def offer(
        self,
        user: UserId,
        opponent: UserId | None,
        channel: ChannelId,
        code: str,
        at: Millis,
        key: IdempotencyKey,
        beginning: Continuation | None = None,
    ) -> str:
        guild = await self._members.guild_of(channel)
        if guild is None:
            raise Refused(Reason.NO_PLAY_THERE)
        place = await self._require_place(user, opponent, guild, channel)
        if opponent is not None:
            await self._require_friend(user, opponent, guild, place.channel)
        terms = replace(_read_draft(code), level=None, window=None)
        if beginning is not None:
            terms = beginning.put_into(terms)
        else:
            terms = with_name(terms, await self._services.use_cases.rule_sets.of(Owner(user)))
        require_offered(place.server, terms.game)
        posted = await self._challenge(user, opponent, place, terms, at, key)
        return link(posted.guild, posted.channel, posted.message)

    async def invite(self, user: UserId, here: ChannelId | None, code: str | None, beginning: Continuation) -> str:
        place = await self._place_alone(user, here, for_strangers=True)
        require_offered(place.server, beginning.game)
        usual = (await self._usual_terms(user, place.server)).by_rules(beginning.game)
        terms = beginning.put_into(usual if code is None else _read_draft(code))
        return (await self._services.use_cases.friends.invite(user, place.guild, place.channel, terms)).code

    async def _challenge(
        self, user: UserId, opponent: UserId | None, place: Place, terms: Terms, at: Millis, key: IdempotencyKey
    ) -> Challenge:
        """Returns a challenge, posted, as it is after that."""
        self._services.gate.count_card(place.channel)
        challenges = self._services.use_cases.challenges
        return await self._post(await challenges.challenge(user, opponent, place.guild, place.channel, terms, at, key))

    async def _post(self, challenge: Challenge) -> Challenge:
        """Posts the card of a challenge, unless the browser has sent it twice. Returns the challenge after that, since
        the computer accepts at once. Raises Refused (`not_posted`, `no_direct_messages`)."""
        if challenge.message is None:
            try:
                await self._services.cards.post(challenge)
            except (discord.HTTPException, RetryLater) as error:
                log.info("a challenge of a browser was not posted: %s", error)
                is_closed = isinstance(error, discord.HTTPException) and error.code in CLOSED
                raise Refused(Reason.NO_DIRECT_MESSAGES if is_closed else Reason.NOT_POSTED) from error
        return await self._services.use_cases.challenges.load(challenge.id)

    async def _place_alone(self, user: UserId, here: ChannelId | None, *, for_strangers: bool = False) -> Place:
        """Returns where a user plays the computer, or strangers: in a channel of a server if they may play there, else
        in direct messages. Raises Refused (`no_direct_messages`, `chat_away`)."""
        guild = None if here is None else await self._members.guild_of(here)
        if here is not None and guild is not None:
            try:
                place = await self._require_place(user, self._services.names.own_id, guild, here)
                if for_strangers:
                    await self._require_threads(place)
                return place
            except Refused as refused:
                if refused.key == Reason.CHAT_AWAY:
                    raise
        try:
            return Place(None, await self._services.direct.channel_of(user), NO_SERVER)
        except (discord.HTTPException, RetryLater) as error:
            log.info("no direct messages for a game in a browser: %s", error)
            raise Refused(Reason.NO_DIRECT_MESSAGES) from error

    async def _require_place(self, user: UserId, opponent: UserId | None, guild: GuildId, channel: ChannelId) -> Place:
        """Returns where a user may challenge an opponent, or (None) anyone, and the bot can post boards: in a channel
        of a server, or in that of another game's thread. Raises Refused."""
        channel = await self._services.use_cases.challenges.place(channel, (user, opponent), seats=2)
        own = self._services.names.own_id
        standing = await self._members.standing(guild, channel, user)
        bot = None if own is None else await self._members.standing(guild, channel, own)
        if standing is None or bot is None or not (standing.may.view_channel and standing.writes):
            raise Refused(Reason.NO_PLAY_THERE)
        if bot.held_back is not None:
            await self._services.time_outs.check(guild)
        in_thread = standing.place != channel
        if permissions.missing(bot.may, permissions.BOARD_PERMISSIONS, in_thread=in_thread):
            raise Refused(Reason.NO_PLAY_THERE)
        server = await self._require_role(await self._server(guild), standing)
        try:
            server = await permissions.require_place(self._services.directory, server, channel, standing.place)
        except Refused as refused:
            raise Refused(Reason.NO_PLAY_THERE) from refused
        return Place(guild, channel, server)

    async def _require_threads(self, place: Place) -> None:
        """Raises Refused (`no_play_there`) where no game against a stranger gets a thread, or the server wants none."""
        assert place.guild is not None, "it is a channel of a server"
        own = await self._members.standing(place.guild, place.channel, self._services.names.own_id)
        if own is None or not (own.opens_threads and place.server.strangers):
            raise Refused(Reason.NO_PLAY_THERE)
        if permissions.missing(own.may, permissions.THREAD_PERMISSIONS, in_thread=False):
            raise Refused(Reason.NO_PLAY_THERE)

    async def _require_friend(self, user: UserId, friend: UserId, guild: GuildId, channel: ChannelId) -> None:
        """Raises Refused (`friend_not_there`) unless a user may challenge another one by name, who sees the channel."""
        standing = await self._members.standing(guild, channel, friend)
        known = friend != self._services.names.own_id and friend in await load_friends(
            self._services.store, user, [guild]
        )
        if not known or standing is None or not standing.may.view_channel:
            raise Refused(Reason.FRIEND_NOT_THERE)

    async def _require_role(self, server: ServerSettings, standing: Standing) -> ServerSettings:
        """Returns the settings of a server. Raises Refused (`no_play_there`): a browser cannot show roles as Discord
        does."""
        try:
            return await self._services.directory.require_role(server, standing.roles)
        except Refused as refused:
            raise Refused(Reason.NO_PLAY_THERE) from refused

    async def _server(self, guild: GuildId) -> ServerSettings:
        async with self._services.store.read() as reader:
            return await reader.servers.get(guild)

    async def _usual_terms(self, user: UserId, server: ServerSettings) -> Terms:
        """Returns the terms that `/challenge` offers without others."""
        async with self._services.store.read() as reader:
            return usual_terms(await reader.people.get(user), server)

    async def _words(self, user: UserId, guild: GuildId | None) -> Words:
        return (await self._services.locales.for_user(user, guild)).plain


def _read_draft(code: str) -> Terms:
    """Returns the terms that a page sends back. Raises Refused (`bad_message`)."""
    try:
        return read_draft(code)
    except Refused as refused:
        raise Refused(Reason.BAD_MESSAGE) from refused
