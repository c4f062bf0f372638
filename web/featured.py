"""The game between strangers that everybody may watch, in the words of the site."""

import asyncio
from typing import Final

from play.community.featured import FeaturedGame
from play.ids import MatchId
from presentation.match.narration import result_text
from presentation.match.phrases import colour_name
from presentation.people import Names
from presentation.words.words import Languages
from web.boards import themes_json
from web.bodies import Json
from web.live.pictures import picture_json
from web.presentation.lobby import rules_line, small_board
from web.presentation.narrator import name_lines
from web.world import World

PATH: Final = "/watch"
"""The page that shows the game."""


class FeaturedTeller:
    """Tells of the game by the names that strangers read, and without its places."""

    def __init__(self, world: World, languages: Languages, names: Names, site: str) -> None:
        """`site` is the address of the pages."""
        self._url = site.rstrip("/") + PATH
        self._world = world
        self._languages = languages
        self._names = names

    async def tell(self, language: str, shown: MatchId | None) -> Json | None:
        """Returns what a page shows of the game that `World.game` finds, as docs/web-protocol.md has it."""
        game = await self._world.game(shown)
        if game is None:
            return None
        picture = await asyncio.to_thread(game.match.position.picture)
        board = {"picture": picture_json(picture), "coordinates": name_lines(picture)}
        return await self._lines(game, language) | board | themes_json("paper")

    async def tell_small(self, language: str) -> Json | None:
        """Returns what a home page shows of the best game."""
        game = await self._world.game(None)
        if game is None:
            return None
        board = small_board(await asyncio.to_thread(game.match.position.picture))
        return await self._lines(game, language) | {"board": board, "url": self._url}

    async def _lines(self, game: FeaturedGame, language: str) -> Json:
        match, words = game.match, self._languages.of(language).plain
        names, outcome = await self._names.of_all(match.players, None), match.outcome
        if outcome is None:
            line = words("alt.to_act", name=names[match.position.to_act])
        else:
            line = result_text(outcome, match, words, names.__getitem__)
        return {
            "match": match.id,
            "version": match.version,
            "over": outcome is not None,
            "title": " – ".join(names),
            "about": rules_line(match.game, match.rule_set, words),
            "line": line,
            "players": [
                {
                    "name": name,
                    "colour": colour_name("paper", seat, words),
                    "score": words.number(match.score[seat]),
                    "rating": f"{game.ratings[seat]:.0f}",
                }
                for seat, name in enumerate(names)
            ],
        }
