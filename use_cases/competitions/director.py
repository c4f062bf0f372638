"""What all directors share: an attempt at a competition, and what becomes of it with its channel."""

import logging
from abc import abstractmethod

from play.ids import Millis
from play.posts import KeptPost, PostKey
from play.refusal import Refused
from storage import Database
from storage.errors import Stale
from use_cases.post_keeper import PostKeeper, problem_of
from use_cases.worker import ChannelClosed, K, RetryLater, Timing, Undeliverable, Worker

log = logging.getLogger(__name__)


class Director(Worker[K]):
    """Runs the competitions of one kind: does what is due, begins games, announces, and keeps what shows it.

    A kind defines `pending`, `direct`, `place` and `end`. One that is kept in several places calls `fail` for each.
    """

    def __init__(self, store: Database, posts: PostKeeper, timing: Timing, *, concurrent: bool = False) -> None:
        super().__init__(timing, concurrent=concurrent)
        self._store = store
        self._posts = posts

    async def process(self, key: K) -> None:
        async with self._store.read() as reader:
            now = await reader.clock.now()
        try:
            await self.direct(key, now)
        except (Stale, Refused) as error:
            log.info("competition %s has changed meanwhile: %s", key, error)
            self.wake()
        except (ChannelClosed, Undeliverable) as error:
            await self.fail(await self.place(key), error, now)

    @abstractmethod
    async def direct(self, key: K, now: Millis) -> None:
        """Does what is due. Raises Stale and Refused if it has changed meanwhile, ChannelClosed, Undeliverable, and
        RetryLater."""

    async def place(self, key: K) -> KeptPost:
        """Returns where a competition with one channel is kept."""
        raise NotImplementedError

    @abstractmethod
    async def end(self, key: PostKey) -> None:
        """Ends what has no channel any more; running games go on by themselves."""

    async def fail(self, post: KeptPost, error: ChannelClosed | Undeliverable, now: Millis) -> None:
        """Has the keeper told once. Raises RetryLater, unless what is kept there has ended by that."""
        if not await self._posts.fails(post, problem_of(error), now):
            raise RetryLater(str(error)) from error
        await self.end(post.key)
