"""What a handler gets: who asks, where and when, and how to answer."""

from __future__ import annotations

from collections.abc import Sequence

from chat.actions import Action
from chat.messages import Button, File, Message, Picture
from chat.port import Asked, Press, Private
from chat.services import Services
from play.ids import ChannelId, GuildId, IdempotencyKey, Millis, UserId
from play.match.match import Match
from play.people.settings import NO_SERVER, PlayerSettings, ServerSettings
from presentation.words.words import Words
from use_cases import UseCases
from use_cases.match_writer import MatchRef

Rows = Sequence[Sequence[Button]]


class Request:
    """A typed line or a press, with the services."""

    __slots__ = ("asked", "services")

    def __init__(self, asked: Asked, services: Services) -> None:
        self.asked = asked
        self.services = services

    @property
    def use_cases(self) -> UseCases:
        return self.services.use_cases

    @property
    def user(self) -> UserId:
        return self.asked.author.id

    @property
    def guild(self) -> GuildId | None:
        return self.asked.place.guild

    @property
    def channel(self) -> ChannelId:
        return self.asked.place.channel

    @property
    def at(self) -> Millis:
        return self.asked.at

    @property
    def key(self) -> IdempotencyKey:
        return self.asked.key

    @property
    def is_public(self) -> bool:
        """Whether others read the answer: that to a line typed among them."""
        own_messages = self.services.platform.promises.private is Private.MESSAGE
        return not (self.asked.place.is_direct or isinstance(self.asked, Press) or own_messages)

    async def words(self) -> Words:
        """Returns the words for what this person alone reads."""
        return await self.services.locales.for_user(self.user, self.guild)

    async def settings(self) -> PlayerSettings:
        """Returns the person's settings."""
        async with self.services.store.read() as reader:
            return await reader.people.get(self.user)

    async def group(self) -> ServerSettings:
        """Returns the settings of the group; the default ones in a direct place."""
        if self.guild is None:
            return NO_SERVER
        async with self.services.store.read() as reader:
            return await reader.servers.get(self.guild)

    async def load_match(self, ref: MatchRef) -> Match:
        """Returns a match, looked at from the group of the request, or else from the player's. Raises Refused."""
        return (await self.use_cases.matches.load(ref)).for_reader(self.user, self.guild)

    async def answer(
        self,
        text: str,
        buttons: Rows = (),
        *,
        picture: Picture | None = None,
        file: File | None = None,
        fixed: str = "",
        private: bool = False,
    ) -> None:
        """Answers the person; `private` tells what nobody else may read. Raises what the platform raises."""
        shown = Message(text, picture, tuple(tuple(row) for row in buttons if row), file, fixed=fixed, private=private)
        await self.services.platform.answer(self.asked, shown)

    async def show(self, text: str, buttons: Rows = ()) -> None:
        """Shows something else in the message whose button was pressed. Raises what the platform raises."""
        assert isinstance(self.asked, Press), "a button was pressed"
        shown = Message(text, buttons=tuple(tuple(row) for row in buttons))
        await self.services.platform.edit(self.channel, self.asked.message, shown)


def button(label: str, verb: str, *numbers: int, text: str = "") -> Button:
    """Returns the button of an action."""
    return Button(label, Action(verb, numbers, text))
