"""The home page of a player in words: games with small boards, challenges, and what goes on in their servers."""

import asyncio
from collections.abc import Callable, Iterable, Sequence, Set
from itertools import chain
from typing import NamedTuple

from opponent.choice import LEVELS
from play.challenge.challenge import Challenge
from play.challenge.terms import FIRST_GAME, Terms
from play.community.home import HomeGame
from play.community.lesson import PathProgress
from play.community.rush import Rush
from play.ids import GuildId, MatchId, Millis, UserId, is_forgotten, side_of
from play.match.listed import OpenMatch
from play.match.match import Match
from play.people.career import FinishedMatch
from play.people.settings import PlayerSettings
from presentation.daily import head_text, next_text, score_text
from presentation.match.narration import clock_stop
from presentation.match.phrases import turn_text
from presentation.people import Names
from presentation.quiz import lesson_title, path_title
from presentation.terms import describe_terms, level_label, rules_name
from presentation.words.words import Languages, Words
from renderer.theme import THEMES
from rules.game import AnyGame, Picture, Point, Seat
from use_cases.lobby import Lobby, Surroundings
from web.bodies import Json
from web.ports import Addresses, ServerNames, url_of
from web.presentation.community import CommunityTeller

AS_CHAT = "-"
"""The choice of no language: that of the chat is used."""


class Switch(NamedTuple):
    """A setting of two values: the field of `PlayerSettings`, and the values for true and false."""

    field: str
    on: str
    off: str

    @property
    def values(self) -> tuple[str, str]:
        """Returns both, the one that is the default first."""
        default = PlayerSettings(UserId(0))
        return (self.on, self.off) if getattr(default, self.field) else (self.off, self.on)

    def chosen(self, settings: PlayerSettings) -> str:
        """Returns the value that holds."""
        return self.on if getattr(settings, self.field) else self.off


SWITCHES = {
    "next": Switch("opens_next", "open", "stay"),
    "watching": Switch("named", "named", "counted"),
    "strangers": Switch("watchable", "shown", "hidden"),
}
"""Switches, by the names that `/settings me` has for them."""


class LobbyTeller:
    """Home pages as JSON of docs/web-protocol.md."""

    def __init__(
        self,
        languages: Languages,
        names: Names,
        servers: ServerNames,
        addresses: Addresses,
        community: CommunityTeller,
        *,
        has_computer: Callable[[], bool],
    ) -> None:
        self._languages = languages
        self._names = names
        self._servers = servers
        self._addresses = addresses
        self._community = community
        self._first_board = small_board(FIRST_GAME.start(seed=0).picture())
        self._has_computer = has_computer

    async def tell(self, lobby: Lobby, language: str) -> Json:
        """Returns a player's own part of their home."""
        words, waiting = self._words(language), lobby.waiting
        offered = {each.rematch_of for each in (*lobby.asked, *lobby.offered) if each.rematch_of is not None}
        label = words("games.next", number=len(waiting))
        return {
            "games": await asyncio.gather(
                *(self._game(lobby, each, words) for each in lobby.games)
            ),  # names may be new
            "next": {"match": waiting[0].id, "label": label} if waiting else None,
            "asked": [await self._challenge(each, lobby.user, words) for each in lobby.asked],
            "offered": [await self._challenge(each, lobby.user, words) for each in lobby.offered],
            "levels": self._levels(words) if self._has_computer() else [],
            "first": self._first_board if self._has_computer() and not (lobby.games or lobby.finished) else None,
            "finished": [await self._finished(each, lobby.user, offered, words) for each in lobby.finished],
            "more": len(lobby.finished) if lobby.has_more else None,
            "puzzles": _puzzles(lobby, words),
            "settings": self._settings(lobby, words),
            "elsewhere": words("web.lobby.elsewhere"),
        }

    async def tell_finished(self, found: Iterable[FinishedMatch], user: UserId, language: str) -> list[Json]:
        """Returns more of a player's finished games."""
        words = self._words(language)
        return [await self._finished(each, user, frozenset(), words) for each in found]

    async def tell_around(
        self, found: Iterable[Surroundings], boards: dict[MatchId, Match], user: UserId, language: str
    ) -> list[Json]:
        """Returns the servers around a player; the games to watch have `boards`."""
        words = self._words(language)
        return [
            {
                "server": await self._server(each.guild),
                "puzzle": _own_puzzle(each, words),
                "community": await self._community.tell(each, user, words),
                "challenges": [await self._challenge(challenge, user, words) for challenge in each.challenges],
                "games": [await self._watched(each, game, boards.get(game.id), words) for game in each.games],
            }
            for each in found
        ]

    def _words(self, language: str) -> Words:
        return self._languages.of(language).plain

    async def _server(self, guild: GuildId | None) -> str | None:
        return None if guild is None else await self._servers.of_server(guild)

    async def _game(self, lobby: Lobby, game: OpenMatch, words: Words) -> Json:
        mover, is_own = game.players[game.to_act], game.players[game.to_act] == lobby.user
        others = await self._names.of_all([each for each in game.players if each != lobby.user], game.guild)
        turn = words("web.your.move") if is_own else words("alt.to_act", name=await self._names.of(mover, game.guild))
        match = lobby.boards.get(game.id)
        return {
            "match": game.id,
            "yours": is_own,
            "title": ", ".join(others),
            "turn": turn,
            "about": _about(game.id, game.game, match.rule_set if match else None, words),
            "state": match and _state(match, Seat(game.players.index(lobby.user)), words),
            "time": _time(game, match, lobby.now, words),
            "server": await self._server(game.guild),
            "board": match and await _board(match),
        }

    async def _watched(self, around: Surroundings, game: HomeGame, match: Match | None, words: Words) -> Json:
        guild, count = around.guild, around.watching.get(game.id, 0)
        return {
            "match": game.id,
            "title": " – ".join(await self._names.of_all(game.players, guild)),
            "turn": words("alt.to_act", name=await self._names.of(game.players[game.to_act], guild)),
            "about": match and _about(game.id, match.game, match.rule_set, words),
            "state": match and _state(match, Seat(0), words),
            "watchers": words("web.watchers", count=count) if count else None,
            "board": match and await _board(match),
        }

    async def _challenge(self, challenge: Challenge, user: UserId, words: Words) -> Json:
        guild, is_own = challenge.guild, challenge.challenger == user
        name = await self._names.of(challenge.challenger, guild)
        joined = user in challenge.joined
        if challenge.awaits(user):
            title = words("web.lobby.asks", challenger=await self._names.of(challenge.proposer, guild))
        elif is_own and challenge.opponent is not None:
            title = words("web.lobby.to", opponent=await self._names.of(challenge.opponent, guild))
        else:
            title = words("web.lobby.own" if is_own else "web.lobby.open", challenger=name)
        takes = not (is_own and not challenge.awaits(user)) and not joined and guild is not None
        is_personal = challenge.opponent == user and not joined
        leaves = "withdraw" if is_own else "decline" if is_personal else None
        return {
            "challenge": challenge.id,
            "changes": challenge.changes,
            "title": title,
            "terms": terms_line(challenge.terms, name, words),
            "server": await self._server(guild),
            "accept": words("button.join" if challenge.seats > 2 else "button.accept") if takes else None,
            "decline": leaves and words(f"button.{leaves}"),
            "url": url_of(self._addresses.of(guild, challenge.channel, challenge.message)),
        }

    async def _finished(self, match: FinishedMatch, user: UserId, offered: Set[MatchId], words: Words) -> Json:
        own = Seat(match.players.index(user))
        others = await self._names.of_all([each for each in match.players if each != user], match.guild)
        result = "annulled" if match.annulled else match.result(user) or "undecided"
        details = (f"#{match.id}", _score(match.scores, own, words), rules_name(match.rules, match.rule_set, words))
        return {
            "match": match.id,
            "title": ", ".join(others),
            "result": words(f"web.result.{result}"),
            "details": " · ".join((*details, words.date(match.ended))),
            "rematch": words("button.rematch") if match.id not in offered and _may_be_repeated(match) else None,
        }

    def _levels(self, words: Words) -> list[Json]:
        return [{"level": each.number, "label": level_label(each.number, words)} for each in LEVELS]

    def _settings(self, lobby: Lobby, words: Words) -> list[Json]:
        settings = lobby.settings
        themes = [_choice(key, words(f"theme.{key}"), key == settings.theme) for key in THEMES]
        tags = [_choice(tag, name, tag == settings.language) for tag, name in self._languages.names.items()]
        as_chat = _choice(AS_CHAT, words("web.lobby.language"), settings.language is None)
        labels = {"next": words("me.next"), "watching": words("me.watching"), "strangers": words("me.strangers")}
        switches = [
            {
                "field": name,
                "label": labels[name],
                "choices": [
                    _choice(each, words(f"web.lobby.{name}.{each}"), each == switch.chosen(settings))
                    for each in switch.values
                ],
            }
            for name, switch in SWITCHES.items()
        ]
        return [
            {"field": "theme", "label": words("web.lobby.theme"), "choices": themes},
            {"field": "language", "label": words("me.language"), "choices": [as_chat, *tags]},
            *switches,
        ]


def _puzzles(lobby: Lobby, words: Words) -> Json:
    """Returns what there is to solve, with what is left of each kind: today's puzzles first."""
    run = lobby.daily
    if run is None:
        line, label = words("daily.about"), "web.lobby.solve"
    elif run.over:
        score = score_text(run, lobby.streak, words, lobby.settings.theme)
        line, label = f"{score}\n{next_text(run, lobby.now, words)}", "daily.result"
    else:
        line, label = head_text(run, words), "web.lobby.go_on"
    others = [
        _kind("rush", words("rush.button"), _rush(lobby.rush, words)),
        _kind("kinds", words("kinds.button"), words("web.lobby.kinds")),
        _kind("mistakes", words("mistakes.button"), _mistakes(lobby, words)),
        _kind("lessons", path_title(lobby.lessons.done, words), _next_lesson(lobby.lessons, words)),
    ]
    return {"line": line, "label": words(label), "others": others}


def _own_puzzle(around: Surroundings, words: Words) -> Json | None:
    """Returns a server's own puzzle of today, and whether the player has solved it."""
    if around.puzzle is None:
        return None
    line = words("puzzle.play" if around.attempt is None else "puzzle.again")
    if around.attempt and around.attempt.right:
        line = words("quiz.solved")
    return _kind(f"puzzle:{around.puzzle.id}", words("puzzle.own.button"), line)


def _rush(rush: Rush | None, words: Words) -> str:
    if rush is None or rush.over:
        return words("web.lobby.rush")
    return words("drill.head", number=rush.step + 1, total=len(rush.tasks))


def _mistakes(lobby: Lobby, words: Words) -> str:
    if lobby.due:
        return words("web.lobby.mistakes", count=lobby.due)
    return words("mistakes.later", count=lobby.returning) if lobby.returning else words("web.lobby.no_mistakes")


def _next_lesson(lessons: PathProgress, words: Words) -> str:
    following = lessons.next_after()
    return words("path.end") if following is None else f"▶️ {lesson_title(following, words)}"


def _kind(to: str, title: str, line: str) -> Json:
    return {"to": to, "title": title, "line": line}


def _choice(value: str, label: str, chosen: bool) -> Json:
    return {"value": value, "label": label, "chosen": chosen}


def _time(game: OpenMatch, match: Match | None, now: Millis, words: Words) -> str:
    """Returns the time that is left for a turn, as far as there is a limit."""
    if game.deadline is None:
        return words("web.lobby.untimed")
    if match is not None and clock_stop(match, now) is not None:
        return words("web.lobby.stopped")
    return words("web.lobby.left", time=words.left(Millis(max(0, game.deadline - now))))


def _may_be_repeated(match: FinishedMatch) -> bool:
    """Returns whether the players may play once more: people and the computer, on one server."""
    return match.away is None and not any(is_forgotten(each) or side_of(each) for each in match.players)


def _about(number: MatchId, game: AnyGame, rule_set: str | None, words: Words) -> str:
    """Returns what tells a game from others with the same players: its number, rules and size."""
    return f"#{number} · {rules_line(game, rule_set, words)}"


def rules_line(game: AnyGame, rule_set: str | None, words: Words) -> str:
    return f"{rules_name(game.key, rule_set, words)} {game.options['size'].replace('x', '×')}"


def _state(match: Match, own: Seat, words: Words) -> str:
    """Returns how far a game is: the score, that of the `own` seat first, and the last move."""
    score = _score(match.score, own, words)
    if match.last_move is None:
        return words("web.lobby.score", score=score)
    turn = turn_text(match.game, match.last_move.text, words)
    return words("web.lobby.state", score=score, turn=turn)


def _score(points: Sequence[float], own: Seat, words: Words) -> str:
    """Returns a score, the `own` points first."""
    others = (each for seat, each in enumerate(points) if seat != own)
    return ":".join(map(words.number, (points[own], *others)))


def terms_line(terms: Terms, challenger: str, words: Words) -> str:
    """Returns what a challenge offers, in a line."""
    rated = describe_terms(terms, challenger, words)["rated"]
    return " · ".join((rules_line(terms.game, terms.rule_set, words), words.control(terms.control), rated))


async def _board(match: Match) -> Json:
    return small_board(await asyncio.to_thread(match.position.picture))


def small_board(picture: Picture) -> Json:
    """Returns a picture as small boards show it: crossings are flat lists of `x, y`, dots by their seats."""
    seats = range(1 + max((each.seat for each in picture.stones), default=-1))
    dots, captured = (
        [_flat(each.point for each in picture.stones if each.seat == seat and each.captured is lost) for seat in seats]
        for lost in (False, True)
    )
    found: Json = {"width": picture.width, "height": picture.height, "dots": dots}
    found |= {"captured": captured} if any(captured) else {}
    found |= {"areas": [[each.seat, _flat(each.ring)] for each in picture.areas]} if picture.areas else {}
    found |= {"last": _flat(picture.last)} if picture.last else {}
    found |= {"zone": _flat((picture.zone.low, picture.zone.high))} if picture.zone else {}
    return found | ({"blocks": True} if picture.blocks else {})


def _flat(points: Iterable[Point]) -> Sequence[int]:
    return [*chain.from_iterable(points)]
