"""A person at a Discord client: what can be done there with the bot, and what can be seen."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from loopback import components
from loopback.client_checks import Impossible, invocation
from loopback.errors import ApiError
from loopback.form_input import Form
from loopback.interactions import Interaction, InteractionKind, Interactions
from loopback.message_builder import USER_MENTION
from loopback.model import Channel, Message, MessageKind, Modal, Reference, User
from loopback.permissions import Permission
from loopback.wire import Wire

Json = dict[str, Any]


class Person:
    """One of the people. Channels and messages may be given as such or by their id.

    All methods raise `Impossible` for what a client would not let the person do.
    """

    def __init__(self, wire: Wire, interactions: Interactions, user_id: int) -> None:
        self.id = user_id
        self._wire = wire
        self._world = wire.world
        self._interactions = interactions

    def __repr__(self) -> str:
        return f"<Person {self.user.name}>"

    @property
    def user(self) -> User:
        """The account."""
        return self._world.users[self.id]

    @property
    def mention(self) -> str:
        """How a message names the person."""
        return self.user.mention

    def speak(self, locale: str) -> None:
        """Switches the client to a language, such as ``pl`` or ``ru``."""
        self._world.users[self.id] = replace(self.user, locale=locale)

    def take_role(self, role: int) -> None:
        """Gives the person a role of the server."""
        self._world.enrol(replace(self.user, roles=(*self.user.roles, role)))

    def leave(self) -> None:
        """Leaves the server; what the bot knew of the person stays."""
        self._world.leave(self.user)

    def come_back(self) -> None:
        """Joins the server again, without roles."""
        self._world.enrol(self.user)

    def command(self, channel: Channel | int, command: str, /, **options: Any) -> Interaction:
        """Sends a slash command; a subcommand is named as in ``settings me``."""
        here = self._channel(channel)
        data = invocation(self._wire, self.user, here, command.split(), options)
        return self._interactions.begin(InteractionKind.COMMAND, self.user, here.id, data)

    async def complete(self, channel: Channel | int, command: str, /, *, focused: str, **options: Any) -> list[Json]:
        """The choices offered while the focused option is being typed, each with ``name`` and ``value``."""
        outcome = await self.completion(channel, command.split(), options, focused).answered()
        if outcome.kind == "failed":
            raise Impossible(outcome.text)
        return list(outcome.choices)

    def completion(
        self, channel: Channel | int, path: Sequence[str], options: Mapping[str, Any], focused: str
    ) -> Interaction:
        """Asks for the choices of the focused option."""
        here = self._channel(channel)
        data = invocation(self._wire, self.user, here, path, options, focused)
        return self._interactions.begin(InteractionKind.AUTOCOMPLETE, self.user, here.id, data)

    def click(self, message: Message | int, control: str, values: Sequence[Any] | None = None) -> Interaction:
        """Clicks a button, or chooses values of a select, on the message as it is now.

        Args:
            control: its custom id, its label or, of a select, its placeholder.
            values: for a select: the values of options; for a user select, people.
        """
        current = self._message(message)
        try:
            part = current.control(control)
        except LookupError as error:
            raise Impossible(str(error)) from None
        if part.get("disabled"):
            raise Impossible(f"{control!r} is disabled")
        data: Json = {"custom_id": part["custom_id"], "component_type": part["type"], "id": part["id"]}
        if part["type"] in components.SELECTS:
            form = self._form
            data |= {"values": form.selected(part, values)} | form.resolutions
        elif values is not None:
            raise Impossible(f"{control!r} is a button, which has no values")
        return self._interactions.begin(InteractionKind.COMPONENT, self.user, current.channel_id, data, current)

    def submit(self, modal: Modal, values: Mapping[str, Any]) -> Interaction:
        """Fills in a modal: by custom id or label, a text, a choice or a list of choices."""
        opener = self._interactions.opener(modal.interaction_id)
        if opener is None or opener.user.id != self.id:
            raise Impossible("this modal is not open for this person")
        form = self._form
        data = {"custom_id": modal.custom_id, "components": form.filled(modal, values)} | form.resolutions
        return self._interactions.begin(InteractionKind.MODAL, self.user, opener.channel_id, data, opener.message)

    def say(
        self, channel: Channel | int, text: str, *, reply_to: Message | int | None = None, ping: bool = True
    ) -> Message:
        """Writes a message; a reply pings the author of what it answers unless told otherwise."""
        here = self._channel(channel)
        text = text.strip()
        if not 1 <= len(text) <= 2000:
            raise Impossible(f"a message has 1 to 2000 characters, not {len(text)}")
        if here.locked:
            raise Impossible("the thread is locked")
        try:
            self._world.require_sending(self.id, here)
        except ApiError as error:
            raise Impossible(str(error)) from None
        mentions = [int(each) for each in USER_MENTION.findall(text) if int(each) in self._world.users]
        message = Message(self._world.ids.next(), here.id, self.id, text)
        if reply_to is not None:
            answered = self._message(reply_to)
            if answered.ephemeral or answered.channel_id != here.id:
                raise Impossible("one can only reply to a message that everybody in the channel sees")
            if ping:  # since 2023 also in a reply to an interaction response (discord-api-docs#5395)
                mentions.append(answered.author_id)
            message = replace(message, kind=MessageKind.REPLY, reference=Reference(here.id, answered.id))
        return self._world.post(replace(message, mentions=tuple(dict.fromkeys(mentions))))

    def open_dm(self) -> Channel:
        """The conversation with the bot alone."""
        return self._world.open_dm(self.id)

    def install(self) -> None:
        """Installs the bot to the person's account, who can then bring it along to where it is not."""
        self._world.installers.add(self.id)

    def close_dms(self) -> None:
        """Lets the bot's DMs be refused from now on."""
        self._world.closed_dms.add(self.id)

    def sees(self, channel: Channel | int) -> list[Message]:
        """The messages of a channel, oldest first, with the person's own ephemeral ones."""
        return self._world.history(self._channel(channel).id, self.id)

    @property
    def channels(self) -> list[Channel]:
        """The channels, threads and DM that the person sees."""
        return [channel for channel in self._world.channels.values() if self.can_see(channel)]

    def can_see(self, channel: Channel) -> bool:
        """Whether the person sees a channel."""
        if not channel.in_guild:
            return self.id in channel.members
        return Permission.VIEW_CHANNEL in self._world.permissions(self.id, channel)

    def _channel(self, channel: Channel | int) -> Channel:
        found = self._world.channels.get(channel if isinstance(channel, int) else channel.id)
        if found is None or not self.can_see(found):
            raise Impossible(f"{self.user.name} sees no channel {channel}")
        return found

    @property
    def _form(self) -> Form:
        there = [channel for channel in self.channels if channel.in_guild and not channel.is_thread]
        return Form(self._wire, [self._wire.channel(channel, self.id) for channel in there])

    def _message(self, message: Message | int) -> Message:
        found = self._world.messages.get(message if isinstance(message, int) else message.id)
        if (
            found is None
            or found.visible_to not in (None, self.id)
            or not self.can_see(self._world.channels[found.channel_id])
        ):
            raise Impossible(f"{self.user.name} does not see this message")
        return found
