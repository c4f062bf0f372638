"""Challenges on a chat platform: made by a typed line or a short choice of buttons, and answered on their card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chat.actions import Action
from chat.cards import ChatCards
from chat.messages import Button, Message
from chat.port import Person, Place, Press, Typed
from chat.request import Request, button
from chat.services import Services
from chat.terms import default_terms, name_rules, read_terms
from opponent.choice import LEVELS
from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, MatchId, MessageId, Millis, UserId
from play.refusal import Reason, Refused
from presentation.offered_rules import CLOCKS, SIZES, offered_preset, require_offered
from presentation.terms import describe_terms, rules_help
from rules.registry import GAMES

CHOICES_IN_ROW = 2
"""Names of rules and clocks beside each other, as a phone shows them whole."""

SHOWN_CLOCKS = 8
"""Clocks with a button; all others can be typed."""


class Challenges:
    """What people do before a game begins. Raises Refused, and what the platform raises."""

    def __init__(self, cards: ChatCards) -> None:
        self._cards = cards

    async def challenge(self, request: Request, typed: str) -> None:
        """Posts the challenge that a line describes, or offers a choice where it describes nothing."""
        assert isinstance(request.asked, Typed), "it was typed"
        opponent, rest = await _opponent(request, request.asked, typed)
        if not rest and opponent is None and isinstance(request.asked, Typed):
            await request.use_cases.challenges.check_open()
            await request.answer(*await _choice(request, Draft(request.user)))
            return
        wanted = await read_terms(request, rest)
        terms = wanted.terms
        own_id = request.services.platform.own_id
        if opponent is not None and opponent.id == own_id:
            terms, opponent = replace(terms, level=terms.level or Draft.DEFAULT_LEVEL, rated=False), None
        if opponent is not None and terms.level is not None:
            raise Refused(Reason.COMPUTER_OR_OPPONENT)
        if opponent is not None:
            terms = replace(terms, window=None)
        await self.offer(request, opponent.id if opponent else None, terms)

    async def offer(self, request: Request, opponent: UserId | None, terms: Terms) -> None:
        """Posts a challenge. The computer accepts at once."""
        services, place = request.services, request.asked.place
        if terms.level is not None:
            services.coach.advisor(request.user)
            opponent = services.platform.own_id
        elif place.is_direct:
            raise Refused(Reason.CHALLENGE_IN_DM)
        terms = await name_rules(request, terms)
        services.limits.count_card(request.channel)
        made = request.use_cases.challenges.challenge
        offered = await made(request.user, opponent, request.guild, request.channel, terms, request.at, request.key)
        await post_challenge(self._cards, services, offered, request.at)

    async def rematch(self, request: Request, match: MatchId) -> None:
        """Offers another game on the same terms."""
        request.services.limits.count_card(request.channel)
        offered = await request.use_cases.challenges.rematch(match, request.user, request.at, request.key)
        await post_challenge(self._cards, request.services, offered, request.at)

    async def take(self, request: Request, number: ChallengeId, changes: int) -> None:
        """Accepts a challenge, or joins it."""
        offered = await self._here(request, number)
        try:
            await take_challenge(request.services, offered, request.user, request.at, changes)
        finally:
            await self._cards.show_now(number)

    async def leave(self, request: Request, number: ChallengeId) -> None:
        """Gives the seat of the person back."""
        await self._here(request, number)
        await request.use_cases.challenges.leave(number, request.user, request.at)
        await self._cards.show_now(number)

    async def drop(self, request: Request, number: ChallengeId) -> None:
        """Declines a challenge, or withdraws the person's own; a manager of the place withdraws any."""
        offered = await self._here(request, number)
        is_theirs = request.user in (offered.challenger, offered.opponent)
        if not is_theirs and await request.services.platform.may_manage(request.user, request.asked.place):
            withdraw = request.use_cases.challenges.withdraw_as_moderator
            await withdraw(number, request.user, request.guild, request.at)
        else:
            declined = await request.use_cases.challenges.decline(number, request.user, request.at)
            if declined.state is not ChallengeState.OPEN and declined.proposer != request.user:
                await self._cards.tell_declined(declined, request.asked.author.name)
        await self._cards.show_now(number)

    async def change(self, request: Request, number: ChallengeId, typed: str) -> None:
        """Offers the terms that a line describes in the place of those of a challenge."""
        offered = await self._here(request, number)
        wanted = await read_terms(request, typed, offered.terms)
        change = request.use_cases.challenges.change
        changed = await change(number, request.user, wanted.terms, request.at, changes=offered.changes, key=request.key)
        if changed.id != number:
            await self._cards.post(changed)
            return
        await self._cards.show_now(number)
        await self._tell_changed(request, changed, offered)

    async def _tell_changed(self, request: Request, changed: Challenge, before: Challenge) -> None:
        """Calls the players who have to agree again, since an edit of the card calls nobody."""
        others = {changed.challenger, changed.opponent, *before.joined} - {None, request.user}
        asked = sorted(user for user in others if user)
        if not asked:
            return
        words = await request.services.locales.for_challenge(changed)
        names = await request.services.names.of_all(asked, changed.guild)
        people = " ".join(words.mention(user, name) for user, name in zip(asked, names, strict=True))
        text = words("card.news", people=people, name=words.literal(request.asked.author.name))
        message, once = Message(text, pinged=tuple(asked)), f"n{changed.id:x}.{changed.changes:x}"
        await request.services.platform.post(changed.channel, message, once, reply_to=changed.message)

    async def explain_change(self, request: Request, number: ChallengeId) -> None:
        """Says how other terms are offered: by a line that replies to the card."""
        offered = await self._here(request, number)
        await request.use_cases.challenges.check_negotiable(offered, request.user, request.at)
        words = await request.words()
        await request.answer(words("chat.terms.how", example=f"{words.command('options')} 30x30, 3d"))

    async def answer_card(self, request: Request, verb: str, typed: str) -> None:
        """Does what a typed command says with the challenge that it replies to, or the only one here it can mean."""
        offered = await self._meant(request, own=verb == "withdraw")
        match verb:
            case "accept":
                await self.take(request, offered.id, offered.changes)
            case "withdraw":
                await self.drop(request, offered.id)
            case _:
                await self.change(request, offered.id, typed)

    async def _meant(self, request: Request, *, own: bool) -> Challenge:
        asked = request.asked
        replied = asked.reply_to if isinstance(asked, Typed) else None
        found = await request.use_cases.challenges.list_open(channel=request.channel)
        for each in found:
            if replied is not None and each.message == replied:
                return each
        theirs = [each for each in found if each.awaits(request.user) or (own and each.challenger == request.user)]
        if len(theirs) == 1:
            return theirs[0]
        raise Refused(Reason.NO_CHALLENGE)

    async def _here(self, request: Request, number: ChallengeId) -> Challenge:
        """Returns a challenge of this place. Raises Refused (`no_challenge`) elsewhere, since a card names players."""
        offered = await request.use_cases.challenges.load(number)
        if offered.channel != request.channel:
            async with request.services.store.read() as reader:
                if await reader.matches.parent_of_thread(offered.channel) != request.channel:
                    raise Refused(Reason.NO_CHALLENGE)
        return offered

    async def choose(self, request: Request, action: Action) -> None:
        """Goes on with the short choice: shows a list, takes a value from it, or posts the challenge."""
        draft, step = Draft.read(action), action.text
        if draft.owner != request.user:
            raise Refused(Reason.NOT_ASKED)
        if step != "post":
            await request.show(*await _choice(request, draft, step))
            return
        terms = await draft.terms(request)
        require_offered(await request.group(), terms.game)
        await self.offer(request, None, terms)
        await request.services.platform.fold(request.channel, _message_of(request))


async def post_challenge(cards: ChatCards, services: Services, offered: Challenge, at: Millis) -> None:
    """Posts a challenge. The computer accepts at once."""
    await cards.post(offered)
    own_id = services.platform.own_id
    if offered.opponent == own_id and own_id is not None and offered.state is ChallengeState.OPEN:
        await take_challenge(services, offered, own_id, at)
        await cards.show_now(offered.id)


async def take_challenge(
    services: Services, offered: Challenge, user: UserId, at: Millis, changes: int | None = None
) -> None:
    """Accepts a challenge for a user, in a place of its own."""
    thread = await _future_place(services, offered, user)
    await services.use_cases.challenges.accept(offered.id, user, at, changes=changes, thread=thread)


async def _future_place(services: Services, offered: Challenge, user: UserId) -> ChannelId | None:
    """Returns the place of the game that may begin; None for the place of another game, in which it goes on, and while
    more players are wanted."""
    if offered.countered_by is None and len(offered.joined) + 2 < offered.seats:
        return None
    async with services.store.read() as reader:
        if await reader.matches.parent_of_thread(offered.channel) is not None:
            return None
    players = await services.names.of_all((offered.challenger, *offered.joined, user), offered.guild)
    parent = Place(offered.channel, offered.guild)
    return await services.platform.open_place(parent, " – ".join(players), f"g{offered.id:x}")


class Draft:
    """A challenge that its `owner` puts together by buttons: the numbers of what was chosen, 0 for their default."""

    DEFAULT_LEVEL = 4
    FIELDS = ("rules", "size", "clock", "level")

    def __init__(self, owner: UserId, rules: int = 0, size: int = 0, clock: int = 0, level: int = 0) -> None:
        self.owner = owner
        self.chosen = {"rules": rules, "size": size, "clock": clock, "level": level}

    @classmethod
    def read(cls, action: Action) -> Draft:
        """Returns the draft of a button. Raises Refused (`old_button`)."""
        if len(action.numbers) != 1 + len(cls.FIELDS):
            raise Refused(Reason.OLD_BUTTON)
        return cls(UserId(action.numbers[0]), *action.numbers[1:])

    def button(self, label: str, step: str = "", **chosen: int) -> Button:
        """Returns the button that leads to a step of this draft, with other values."""
        values = {**self.chosen, **chosen}
        return button(label, "new", self.owner, *(values[field] for field in self.FIELDS), text=step)

    async def terms(self, request: Request) -> Terms:
        """Returns the terms. Raises Refused (`old_button`) for values that were made up, and BadOption."""
        terms, chosen, presets = await default_terms(request), self.chosen, request.services.presets
        try:
            if chosen["rules"]:
                words = await request.words()
                terms = offered_preset(GAMES[presets[chosen["rules"] - 1]], words.plain).put_into(terms)
            if chosen["size"]:
                terms = replace(terms, game=terms.game.with_options({"size": SIZES[chosen["size"] - 1]}))
            if chosen["clock"]:
                terms = replace(terms, control=parse_control(CLOCKS[chosen["clock"] - 1]))
        except IndexError as error:
            raise Refused(Reason.OLD_BUTTON) from error
        if chosen["level"]:
            if chosen["level"] not in {level.number for level in LEVELS}:
                raise Refused(Reason.OLD_BUTTON)
            terms = replace(terms, level=chosen["level"], rated=False)
        return terms


async def _choice(request: Request, draft: Draft, step: str = "") -> tuple[str, list[Sequence[Button]]]:
    """Returns the terms of a draft with its buttons, or a list to choose from."""
    words = await request.words()
    plain, terms = words.plain, await draft.terms(request)
    lines = describe_terms(terms, words.literal(request.asked.author.name), words)
    text = "\n".join((words.markup.title(words("terms.title.new")), *map(words.markup.item, lines.values())))
    match step:
        case "rules":
            names = [plain(f"preset.{key}.name") for key in request.services.presets]
            return text, _list(draft, "rules", names, size=0)
        case "size":
            return text, _list(draft, "size", [size.replace("x", " × ") for size in SIZES])
        case "clock":
            return text, _list(draft, "clock", [plain.control(parse_control(each)) for each in CLOCKS[:SHOWN_CLOCKS]])
        case "level":
            return text, _list(draft, "level", [plain(f"level.{level.number}") for level in LEVELS])
    ways = [draft.button(plain(f"chat.choose.{field}"), field) for field in Draft.FIELDS]
    if not request.services.coach.has_computer:
        ways.pop()
    help_line = words.markup.small(rules_help(terms.game, words))
    post = plain("chat.choose.play" if terms.level else "terms.save.new")
    return f"{text}\n{help_line}", [ways[:2], ways[2:], [draft.button(post, "post")]]


def _list(draft: Draft, field: str, labels: Sequence[str], **also: int) -> list[Sequence[Button]]:
    buttons = [draft.button(label, "", **{field: number, **also}) for number, label in enumerate(labels, 1)]
    return [buttons[start : start + CHOICES_IN_ROW] for start in range(0, len(buttons), CHOICES_IN_ROW)]


def _message_of(request: Request) -> MessageId:
    assert isinstance(request.asked, Press), "a button was pressed"
    return request.asked.message


async def _opponent(request: Request, line: Typed, typed: str) -> tuple[Person | None, str]:
    """Returns whom a line challenges, and the rest of it. The person is mentioned, was replied to, or is named.

    Raises Refused (`unknown_person`, `opponent_is_bot`).
    """
    own_id, rest = request.services.platform.own_id, typed
    people = [person for person in line.mentions if person.id != request.user]
    person = people[0] if people else None
    for word in typed.split():
        if word.startswith("@") and len(word) > 1:
            rest = " ".join(rest.replace(word, " ", 1).split())
            if person is None:
                person = await request.services.platform.find(word, line.place)
                if person is None:
                    raise Refused(Reason.UNKNOWN_PERSON, name=word)
    for mentioned in people:
        rest = " ".join(rest.replace(mentioned.name, " ").split())
    if person is None and line.answered is not None and line.answered.id not in (request.user, own_id):
        person = line.answered
    if person is not None and person.is_bot and person.id != own_id:
        raise Refused(Reason.OPPONENT_IS_BOT)
    if person is not None:
        request.services.names.meet(person, request.guild)
    return person, rest
