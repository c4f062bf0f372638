"""Decisions of moderators about games, notes, challenges and members: the questions before them, and the answers."""

from dataclasses import dataclass

import discord
from discord.app_commands import Choice

from bot.features.match.button import show_line, with_board_link
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component, Confirmation, confirm
from bot.interactions.context import Context
from bot.interactions.layout import MAX_OPTION, Part
from bot.markup import escape
from bot.services.open_questions import Asked
from play.challenge.challenge import Challenge
from play.clock import parse_duration
from play.community.ban import MAX_REASON, Ban
from play.ids import ChallengeId, MatchId, Millis, UserId
from play.match.adjudication import RulingKind
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.markup import Stamp
from presentation.text import visible_text
from presentation.typed import typed_time
from presentation.words.words import Words
from use_cases.match_writer import MatchRef

MAX_LISTED = 25
"""Bans that a list shows."""


@dataclass(frozen=True, slots=True)
class Annul:
    """To annul a match, running or finished."""

    match: MatchId


@dataclass(frozen=True, slots=True)
class Decide:
    """To end a running match with a `winner`, or (None) as a draw."""

    match: MatchId
    winner: UserId | None


@dataclass(frozen=True, slots=True)
class TakeNotesOff:
    """To take off the published notes of a match, of an author, or of both."""

    match: MatchId | None
    author: UserId | None


@dataclass(frozen=True, slots=True)
class BanMember:
    """To ban a member, and to end their running games (`end_games`) or not."""

    ban: Ban
    end_games: bool


Decision = Annul | Decide | TakeNotesOff | BanMember


class AgreeToRuling(Component, id=ids.RULING):
    """Asks a moderator of one server whether what the other one proposes is to be done: then both have decided it.

    Nobody else may; more time is given at once, and takes nothing away.
    """

    match: MatchId

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        may = ctx.interaction.permissions
        if not (may.manage_messages or may.manage_guild):
            raise Refused(Reason.NOT_YOUR_SERVER)
        match, ruling = await ctx.use_cases.moderation.proposed(self.match, ctx.guild)
        player = None if ruling.seat is None else match.players[ruling.seat]
        if ruling.kind is RulingKind.ANNUL:
            await ask_to_annul(ctx, match.id)
        elif ruling.kind is RulingKind.EXTEND and player is not None and ruling.time is not None:
            await extend(ctx, match.id, player, ruling.time)
        else:
            await ask_to_decide(ctx, match.id, player)


class ConfirmDecision(Confirmation, id=ids.CONFIRM_DECISION):
    """Carries out what a moderator has asked for by a command. Discord decides who may use that, so only those who were
    asked can answer."""

    question: int

    async def carry_out(self, ctx: Context) -> list[Part]:
        guild, words = permissions.require_guild(ctx), await ctx.words()
        match ctx.services.questions.take(self.question, ctx.user, ctx.at):
            case Annul(number):
                line = await self._annul(ctx, number, words)
            case Decide(number, winner):
                ended = await ctx.use_cases.moderation.adjudge(number, ctx.user, guild, winner, ctx.at, ctx.key)
                here = ended.for_reader(ctx.user, guild)
                line = await with_board_link(ctx.services, here, words("moderate.ended"), words)
            case TakeNotesOff(number, author):
                count = await ctx.use_cases.moderation.take_notes_off(guild, ctx.user, number, author, ctx.at)
                line = words("moderate.notes_off", count=count)
            case BanMember(ban, end_games):
                line = await self._ban(ctx, ban, words, end_games=end_games)
            case other:
                raise AssertionError(f"{other!r} is no decision of a moderator")
        return [line]

    async def _annul(self, ctx: Context, number: MatchId, words: Words) -> str:
        match = await ctx.load_match(number)
        if match.outcome is None:
            match = await ctx.use_cases.moderation.annul(number, ctx.user, ctx.guild, ctx.at, ctx.key)
            here = match.for_reader(ctx.user, ctx.guild)
            return await with_board_link(ctx.services, here, words("moderate.annulled"), words)
        _, _, later = await ctx.use_cases.moderation.void(number, ctx.user, ctx.guild, ctx.at)
        line = words("moderate.annulled")
        return f"{line} {words('moderate.replayed', count=later)}" if later else line

    async def _ban(self, ctx: Context, ban: Ban, words: Words, *, end_games: bool) -> str:
        await ctx.use_cases.bans.ban(ban)
        name = escape(await ctx.services.names.of(ban.user, ban.guild))
        if ban.until is None:
            line = words("ban.done", name=name)
        else:
            line = words("ban.done.until", name=name, until=words.moment(ban.until))
        if not end_games:
            return f"{line}\n{words('ban.games.go_on')}"
        games = await ctx.use_cases.bans.end_games(ban.guild, ctx.user, ban.user, ctx.at)
        lines = [line, words("ban.games.ended", count=games.ended)]
        if games.left:
            lines.append(words("ban.games.left", count=games.left))
        return "\n".join(lines)


async def ask_to_ban(
    ctx: Context, member: discord.User | discord.Member, time: str | None, reason: str, *, end_games: bool
) -> None:
    """Asks whether a member is to be banned. The interaction is acknowledged. Raises Refused."""
    guild = permissions.require_guild(ctx)
    _require_bannable(ctx, member)
    ctx.services.names.remember(member, guild)
    until = None if time is None else Millis(ctx.at + parse_duration(typed_time(time)))
    user = UserId(member.id)
    ban = Ban(guild, user, ctx.user, ctx.at, until, visible_text(reason, MAX_REASON))
    words = await ctx.words()
    name = escape(await ctx.services.names.of(user, guild))
    if until is None:
        lines = [words("ban.ask", name=name)]
    else:
        lines = [words("ban.ask.until", name=name, until=words.moment(until))]
    lines.append(words("ban.ask.games_end" if end_games else "ban.games.go_on"))
    await _ask(ctx, "\n".join(lines), BanMember(ban, end_games), words("ban.sure"))


async def lift_ban(ctx: Context, member: discord.User | discord.Member) -> None:
    """Lets a member play again. The interaction is acknowledged. Raises Refused."""
    guild = permissions.require_guild(ctx)
    ctx.services.names.remember(member, guild)
    await ctx.use_cases.bans.lift(guild, ctx.user, UserId(member.id), ctx.at)
    words = await ctx.words()
    await show_line(ctx, words("ban.lifted", name=escape(await ctx.services.names.of(UserId(member.id), guild))))


async def list_bans(ctx: Context) -> None:
    """Lists the bans of the server, the newest first. The interaction is acknowledged. Raises Refused."""
    guild = permissions.require_guild(ctx)
    bans = await ctx.use_cases.bans.load(guild)
    words = await ctx.words()
    lines = [words("ban.list", count=len(bans)) if bans else words("ban.list.empty")]
    lines += [await _ban_line(ctx, ban, words) for ban in bans[:MAX_LISTED]]
    if more := len(bans) - MAX_LISTED:
        lines += [words("ban.list.more", count=more)] if more > 0 else []
    await show_line(ctx, "\n".join(lines))


async def _ban_line(ctx: Context, ban: Ban, words: Words) -> str:
    name, moderator = map(escape, await ctx.services.names.of_all((ban.user, ban.by), ban.guild))
    at = words.moment(ban.at, Stamp.DATE)
    if ban.until is None:
        line = words("ban.line", name=name, moderator=moderator, at=at)
    else:
        line = words("ban.line.until", name=name, moderator=moderator, at=at, until=words.moment(ban.until))
    return f"- {line} {escape(ban.reason)}".rstrip()


def _require_bannable(ctx: Context, member: discord.User | discord.Member) -> None:
    """Raises Refused for a bot, for managers of the server, and for its moderators unless the user manages it.

    Discord sends the permissions of the member with the command; a user who has left the server has none.
    """
    if member.bot:
        raise Refused(Reason.BAN_BOT)
    theirs = getattr(member, "resolved_permissions", None)
    if member.id == ctx.user:
        raise Refused(Reason.BAN_SELF)
    if theirs is None:
        return
    own = ctx.interaction.permissions
    if theirs.manage_guild or (theirs.manage_messages and not own.manage_guild):
        raise Refused(Reason.BAN_MODERATOR)


async def ask_to_annul(ctx: Context, ref: MatchRef) -> None:
    """Asks whether a game is to be annulled. The interaction is acknowledged. Raises Refused."""
    match, traces = await ctx.use_cases.moderation.check_annulment(ref, ctx.user, ctx.guild)
    words = await ctx.words()
    text = words(
        "moderate.ask.annul" if match.outcome is None else "moderate.ask.void", players=await _names(ctx, match)
    )
    lines = [text, *(f"- {words(f'annulled.trace.{trace}')}" for trace in traces)]
    await _ask(ctx, "\n".join(lines), Annul(match.id), words("moderate.sure.annul"))


async def ask_to_decide(ctx: Context, ref: MatchRef, winner: UserId | None) -> None:
    """Asks whether a game is to end now. The interaction is acknowledged. Raises Refused."""
    match = await ctx.use_cases.moderation.check_adjudication(ref, ctx.user, ctx.guild, winner)
    words, players = await ctx.words(), await _names(ctx, match)
    if winner is None:
        text = words("moderate.ask.draw", players=players)
    else:
        won = escape(await ctx.services.names.of(winner, match.guild))
        text = words("moderate.ask.end", players=players, winner=won)
    await _ask(ctx, text, Decide(match.id, winner), words("moderate.sure.end"))


async def extend(ctx: Context, ref: MatchRef, player: UserId, time: Millis) -> None:
    """Gives a player more time. The interaction is acknowledged. Raises Refused."""
    match = await ctx.use_cases.moderation.extend(ref, ctx.user, ctx.guild, player, time, ctx.at, ctx.key)
    words = await ctx.words()
    await show_line(ctx, words("moderate.extended", time=words.duration(time)), match)


async def ask_to_take_notes_off(ctx: Context, member: discord.User | None, game: MatchId | None) -> None:
    """Asks whether the notes of a game, of a member, or of both are to go; without either, those of the channel's game.

    The interaction is acknowledged. Raises Refused.
    """
    author = None if member is None else UserId(member.id)
    if game is None and author is None:
        game = (await ctx.load_match(ctx.here)).id
    count = await ctx.use_cases.moderation.count_notes(permissions.require_guild(ctx), game, author)
    words = await ctx.words()
    text = words("moderate.ask.notes", count=count)
    await _ask(ctx, text, TakeNotesOff(game, author), words("moderate.sure.notes"))


async def _ask(ctx: Context, text: str, decision: Decision, label: str) -> None:
    """Asks the moderator, and keeps what they have asked for until they answer."""
    number = ctx.interaction.id
    ctx.services.questions.add(number, Asked(ctx.user, ctx.at, decision))
    await confirm(ctx, text, ConfirmDecision.make(label, question=number))


async def _names(ctx: Context, match: Match) -> str:
    return escape(" – ".join(await ctx.services.names.of_all(match.players, match.guild)))


async def withdraw_challenge(ctx: Context, challenge: ChallengeId) -> None:
    """Withdraws a challenge of the server, and tells its challenger. The interaction is acknowledged.

    Raises Refused.
    """
    withdrawn = await ctx.use_cases.challenges.withdraw_as_moderator(challenge, ctx.user, ctx.guild, ctx.at)
    await ctx.services.cards.tell_proposer(withdrawn)
    words = await ctx.words()
    await show_line(ctx, words("moderate.withdrawn"))


async def suggest_challenges(ctx: Context, typed: str) -> list[Choice[int]]:
    """Returns the open challenges of the channel of which the label has what the user typed; it holds no more."""
    words = await ctx.words()
    found = await ctx.use_cases.challenges.list_open(channel=ctx.channel)
    labels = [(await _label(ctx, each, words), int(each.id)) for each in found]
    return [Choice(name=label[:MAX_OPTION], value=each) for label, each in labels if typed.lower() in label.lower()]


async def _label(ctx: Context, challenge: Challenge, words: Words) -> str:
    players = [challenge.challenger, *([challenge.opponent] if challenge.opponent else [])]
    challenger, *opponents = await ctx.services.names.of_all(players, challenge.guild)
    details = {"challenger": challenger, "size": challenge.terms.game.options["size"].replace("x", "×")}
    if opponents:
        return words("moderate.choice.personal", opponent=opponents[0], **details)
    return words("moderate.choice.open", **details)


BUTTONS: tuple[type[Component], ...] = (AgreeToRuling, ConfirmDecision)
