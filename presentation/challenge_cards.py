"""The card of a challenge in words: every setting of the offered game, its cost, and who has agreed; in the end one
line."""

from play.challenge.challenge import Challenge, ChallengeState
from play.competitions.ladder import Ladder, has_to_answer
from play.ids import Millis, UserId
from play.match.match import Match
from presentation.people import Names
from presentation.terms import compare, describe_terms, rules_help, rules_name
from presentation.words.words import Words


async def stake_lines(ladder: Ladder, challenge: Challenge, names: Names, words: Words, at: Millis) -> list[str]:
    """Returns what a win changes on the ladder, and what declining or no answer costs until when."""
    opponent = challenge.opponent
    assert opponent is not None, "a duel has two players"
    named = await names.of_all((challenge.challenger, opponent), challenge.guild)
    challenger, defender = map(words.literal, named)
    place, own = ladder.place(opponent), ladder.place(challenge.challenger)
    return [
        words(
            "card.stake.swap" if own == place + 1 else "card.stake.take",
            place=place,
            challenger=challenger,
            defender=defender,
        ),
        _cost_line(challenge, words.mention(opponent, named[1]), place, words, at),
    ]


def _cost_line(challenge: Challenge, defender: str, place: int, words: Words, at: Millis) -> str:
    if has_to_answer(challenge.terms):
        when = f"{words.moment(challenge.expires)} ({words.until(challenge.expires, at)})"
        return words("card.stake.days", defender=defender, when=when, place=place)
    return words("card.stake.live", when=words.until(challenge.expires, at))


async def card_text(
    challenge: Challenge,
    names: Names,
    words: Words,
    at: Millis,
    *,
    user_install: bool = False,
    ladder: Ladder | None = None,
) -> str:
    """Returns the text of an open challenge's message, sent `at`; in a `user_install` it says what doesn't work there.

    `ladder` is the one on which it is an undecided duel.
    """
    guild, small = challenge.guild, words.markup.small
    challenger = words.literal(await names.of(challenge.challenger, guild))
    lines = [await _headline(challenge, challenger, names, words)]
    now, original = describe_terms(challenge.terms, challenger, words), challenge.original_terms
    lines += compare(now, describe_terms(original, challenger, words) if original else now, words.markup)
    if challenge.joined and challenge.seats > 2:
        joined = words.literal(", ".join(await names.of_all(challenge.joined, guild)))
        lines.append(words("card.joined", joined=joined))
    if challenge.seats > 2:
        lines.append(words("card.wanted", count=challenge.seats - 1 - len(challenge.joined)))
    lines.append(small(rules_help(challenge.terms.game, words)))
    if ladder is not None:
        lines += await stake_lines(ladder, challenge, names, words, at)
    else:
        lines.append(words("card.expires", when=words.until(challenge.expires, at)))
    if user_install:
        lines.append(small(words("card.borrowed")))
    return "\n".join(lines)


async def decided_text(challenge: Challenge, match: Match | None, url: str | None, names: Names, words: Words) -> str:
    """Returns the one line that is left of a decided challenge's message: who, about what, and what became of it. It
    leads to the `match` at its `url`, if there is one in another channel, and mentions nobody."""
    users = dict.fromkeys((challenge.challenger, *challenge.joined, *filter(None, (challenge.opponent,))))
    bold = (words.markup.bold(words.literal(name)) for name in await names.of_all([*users], challenge.guild))
    players, terms = " – ".join(bold), challenge.terms
    offered = [rules_name(terms.game.key, terms.rule_set, words), terms.game.options["size"].replace("x", "×")]
    if terms.level is not None:
        offered.append(words(f"level.{terms.level}"))
    if match is not None and url is not None and match.channel != challenge.channel:
        became = words("card.begun", url=url)
    else:
        became = words(f"card.state.{challenge.state}")
    line = " · ".join((players, ", ".join(offered), became))
    return line if challenge.state is ChallengeState.ACCEPTED else words.markup.small(line)


async def _headline(challenge: Challenge, challenger: str, names: Names, words: Words) -> str:
    """Returns who asks whom. It mentions only players who have to answer."""
    if challenge.opponent is None:
        return words("card.several" if challenge.seats > 2 else "card.open", challenger=challenger)
    guild = challenge.guild
    name = await names.of(challenge.opponent, guild)
    opponent, asked = words.literal(name), words.mention(challenge.opponent, name)
    if challenge.countered_by is not None:
        own = words.mention(challenge.challenger, await names.of(challenge.challenger, guild))
        return words("card.counter", challenger=own, opponent=opponent)
    if challenge.counters is not None:
        return words("card.instead", challenger=challenger, opponent=asked)
    key = "card.changed" if challenge.original_terms else "card.personal"
    return words(key, challenger=challenger, opponent=asked)


def awaited_user(challenge: Challenge) -> UserId | None:
    """Returns the player whose answer the card asks for, and who is mentioned for that."""
    return challenge.challenger if challenge.countered_by else challenge.opponent
