"""The judge of predictions: gives them their points once a game is over, and has its best prediction told."""

from play.community.news import News, NewsId, NewsKind
from play.community.prediction import result_of
from play.ids import MatchId
from storage import Database
from use_cases.events import Events
from use_cases.predictions import season_of_end
from use_cases.worker import Timing, Worker


class PredictionJudge(Worker[MatchId]):
    """Settles the predictions of finished matches, each in one transaction."""

    def __init__(self, store: Database, events: Events, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._events = events

    async def pending(self, limit: int) -> list[MatchId]:
        async with self._store.read() as reader:
            return await reader.predictions.unsettled(limit)

    async def process(self, key: MatchId) -> None:
        told = False
        async with self._store.write() as tx:
            match = await tx.matches.get(key)
            assert match is not None, "its predictions refer to it"
            result = result_of(match)
            if result is None:
                await tx.predictions.remove_all(key)
                return
            await tx.predictions.drop_voters(key)
            for guild in await tx.predictions.settle(key, season_of_end(match), result):
                if await tx.predictions.best(key, guild) is not None:
                    now = await tx.clock.now()
                    channel = match.look_from(away=match.guild != guild).channel
                    await tx.news.add(News(NewsId(0), NewsKind.FORETOLD, guild, channel, key, now))
                    told = True
        if told:
            self._events.news_added()
