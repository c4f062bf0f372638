"""A person at a Discord client: their actions, and what they see."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from yarl import URL

from loopback import components, threads
from loopback.activities import SCOPES, Instance
from loopback.attachments import new_attachment
from loopback.client import LOCALES, Impossible, Resolver, command_data, launches_activity, menu_data
from loopback.consent import consent_of
from loopback.errors import ApiError
from loopback.form_input import Form
from loopback.interaction import Interaction, InteractionKind
from loopback.interactions import Interactions
from loopback.message_builder import USER_MENTION
from loopback.model import (
    Channel,
    ChannelKind,
    File,
    Message,
    MessageFlag,
    MessageKind,
    Modal,
    Reference,
    ScheduledEvent,
    User,
)
from loopback.permissions import Permission
from loopback.threads import ThreadDraft
from loopback.wire import Wire

Json = dict[str, Any]


@contextmanager
def _client_refuses() -> Iterator[None]:
    """Turns a refusal of the API into what a client does not offer."""
    try:
        yield
    except ApiError as error:
        raise Impossible(str(error)) from None


class Person:
    """One of the people. Channels and messages may be given as such or by their id.

    All methods raise `Impossible` for what a client does not let the person do.
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
        """Returns the account as it is now."""
        return self._world.users[self.id]

    @property
    def mention(self) -> str:
        """Returns the text that mentions the person."""
        return self.user.mention

    def speak(self, locale: str) -> None:
        """Switches the client to a language, such as ``pl`` or ``ru``."""
        if locale not in LOCALES:
            raise Impossible(f"no client speaks {locale!r}")
        self._world.speak(self.user, locale)

    def add_role(self, role: int) -> None:
        """Gives the person a role of a server."""
        self._world.update(replace(self.user, roles=(*self.user.roles, role)))

    def leave(self) -> None:
        """Leaves the server; the bot keeps the data that it has stored about the person."""
        self._world.leave(self.user)

    def rejoin(self) -> None:
        """Joins the server again, without roles."""
        self._world.enrol(self.user)

    @property
    def events(self) -> list[ScheduledEvent]:
        """Returns the servers' events that the person sees: an external one belongs to no channel, so that all members
        see it, also those who don't see the place that it names."""
        guilds = {each.id for each in self._world.guilds if self._world.is_member(self.id, each)}
        return [each for each in self._world.present_events() if (each.guild_id or self._world.guild.id) in guilds]

    def command(self, channel: Channel | int, command: str, /, **options: Any) -> Interaction:
        """Sends a slash command; a subcommand is written as in ``settings me``."""
        here = self._open_channel(channel)
        data = command_data(self._wire, self.user, here, command.split(), options)
        self._keep_pace(here)
        return self._interactions.begin(InteractionKind.COMMAND, self.user, here.id, data)

    def use_menu(self, channel: Channel | int, name: str, target: "Person | Message | int") -> Interaction:
        """Uses a command of the context menu of a person, or of a message (its id) that is in the channel."""
        here = self._open_channel(channel)
        on = target.user if isinstance(target, Person) else self._message(target)
        data = menu_data(self._wire, self.user, here, name, on)
        self._keep_pace(here)
        return self._interactions.begin(InteractionKind.COMMAND, self.user, here.id, data)

    def launches(self, channel: Channel | int, command: str) -> bool:
        """Returns whether a command opens the Activity at once: Discord does that, and the bot hears nothing of it."""
        return launches_activity(self._wire, self.user, self._channel(channel), command)

    def launch(self, channel: Channel | int, command: str) -> Instance:
        """Opens the Activity in a channel by its command."""
        if not self.launches(channel, command):
            raise Impossible(f"/{command} opens no Activity here")
        return self._world.activities.launch(self.id, self._channel(channel).id)

    def close_activity(self) -> None:
        """Closes the Activity that is open."""
        self._world.activities.leave(self.id)

    def authorize(self, client_id: str, scopes: Sequence[str]) -> str:
        """Allows the application what it asks for, and returns the code of that."""
        self._check_grant(client_id, scopes)
        return self._world.activities.authorize(self.id, tuple(scopes))

    def _check_grant(self, client_id: str, scopes: Sequence[str]) -> None:
        if client_id != str(self._world.application_id):
            raise Impossible(f"there is no application {client_id}")
        if not scopes or not SCOPES.issuperset(scopes):
            raise Impossible(f"scopes are some of {sorted(SCOPES)}, not {list(scopes)}")
        if declined := self._world.activities.declined.intersection(scopes):
            raise Impossible(f"{self.user.name} does not allow {sorted(declined)}")

    def consent(self, address: str, *, allow: bool = True) -> str:
        """Answers Discord's question whether to allow the application something, at its address; returns where that
        leads the browser to."""
        asked = consent_of(address)
        scopes = asked["scope"].split()
        if not allow:
            return str(URL(asked["redirect_uri"]) % {"error": "access_denied", "state": asked["state"]})
        self._check_grant(asked["client_id"], scopes)
        code = self._world.activities.authorize(self.id, tuple(scopes), asked["redirect_uri"])
        return str(URL(asked["redirect_uri"]) % {"code": code, "state": asked["state"]})

    async def complete(self, channel: Channel | int, command: str, /, *, focused: str, **options: Any) -> list[Json]:
        """Returns the choices for the focused option, which the person types, each with ``name`` and ``value``."""
        outcome = await self.completion(channel, command.split(), options, focused).answered()
        if outcome.kind == "failed":
            raise Impossible(outcome.text)
        return list(outcome.choices)

    def completion(
        self, channel: Channel | int, path: Sequence[str], options: Mapping[str, Any], focused: str
    ) -> Interaction:
        """Requests the choices of the focused option."""
        here = self._open_channel(channel)
        data = command_data(self._wire, self.user, here, path, options, focused)
        return self._interactions.begin(InteractionKind.AUTOCOMPLETE, self.user, here.id, data)

    def click(self, message: Message | int, control: str, values: Sequence[Any] | None = None) -> Interaction:
        """Clicks a button or chooses values of a select, on the message as it is now.

        Args:
            control: its custom id, its label or, of a select, its placeholder.
            values: of a select: the options' values or labels; of a user select: people.
        """
        current = self._message(message)
        try:
            part = current.control(control)
        except LookupError as error:
            raise Impossible(str(error)) from None
        if part.get("disabled"):
            raise Impossible(f"{control!r} is disabled")
        here = self._open_channel(current.channel_id)
        data: Json = {"custom_id": part["custom_id"], "component_type": part["type"], "id": part["id"]}
        if part["type"] in components.SELECTS:
            resolver = Resolver(self._wire, self.user, here)
            data |= {"values": Form(resolver).select(part, values)} | resolver.fields
        elif values is not None:
            raise Impossible(f"{control!r} is a button, which has no values")
        self._keep_pace(here)
        return self._interactions.begin(InteractionKind.COMPONENT, self.user, current.channel_id, data, current)

    def submit(self, modal: Modal, values: Mapping[str, Any]) -> Interaction:
        """Fills in a modal and submits it: by custom id or label, a text, a choice or a list of choices."""
        opener = self._interactions.opener(modal.interaction_id)
        if opener is None or opener.user.id != self.id:
            raise Impossible("this modal is not open for this person")
        resolver = Resolver(self._wire, self.user, self._open_channel(opener.channel_id))
        data = {"custom_id": modal.custom_id, "components": Form(resolver).fill(modal, values)} | resolver.fields
        return self._interactions.begin(InteractionKind.MODAL, self.user, opener.channel_id, data, opener.message)

    def say(
        self,
        channel: Channel | int,
        text: str,
        *,
        reply_to: Message | int | None = None,
        ping: bool = True,
        file: File | None = None,
    ) -> Message:
        """Posts a message, with a file if one is given; a reply pings the author of the message that it answers unless
        ``ping`` is false.

        An archived thread is open again after it, for those who may open it.
        """
        here = self._channel(channel)
        text = text.strip()
        if not 1 <= len(text) <= 2000:
            raise Impossible(f"a message has 1 to 2000 characters, not {len(text)}")
        with _client_refuses():
            if here.archived:
                threads.require_reopening(self._world, self.id, here)
            self._world.require_sending(self.id, here)
        if self._world.blocks(self.id, here, text):
            raise Impossible("AutoMod blocks the message")
        self._keep_pace(here)
        mentions = [int(each) for each in USER_MENTION.findall(text) if int(each) in self._world.users]
        message = Message(self._world.ids.next(), here.id, self.id, text)
        if file is not None:
            attached = new_attachment(self._world.ids.next(), file.name, file.data)
            message = replace(message, attachments=(attached,))
        if reply_to is not None:
            original = self._message(reply_to)
            if original.ephemeral or original.channel_id != here.id:
                raise Impossible("a reply needs a message that is not ephemeral, in the same channel")
            if ping:  # since 2023 also in a reply to an interaction response (discord-api-docs#5395)
                mentions.append(original.author_id)
            message = replace(message, kind=MessageKind.REPLY, reference=Reference(here.id, original.id))
        return self._world.post(replace(message, mentions=tuple(dict.fromkeys(mentions))))

    def forward(self, message: Message | int, channel: Channel | int) -> Message:
        """Forwards a message to a channel, as it is now. Its buttons do nothing there."""
        original, here = self._message(message), self._channel(channel)
        if original.ephemeral:
            raise Impossible("an ephemeral message can't be forwarded")
        with _client_refuses():
            self._world.require_sending(self.id, here)
        self._keep_pace(here)
        shown, ids = original.snapshot or original, self._world.ids
        files = tuple(replace(each, id=ids.next()) for each in shown.attachments)
        snapshot = replace(shown, channel_id=here.id, attachments=files, reference=None)
        reference = Reference(original.channel_id, original.id)
        flags = MessageFlag.HAS_SNAPSHOT
        forward = Message(ids.next(), here.id, self.id, flags=flags, reference=reference, snapshot=snapshot)
        return self._world.post(forward)

    def start_thread(self, message: Message | int, name: str) -> Channel:
        """Starts the thread of a message."""
        with _client_refuses():
            return threads.start_from(self._world, self.id, self._message(message), ThreadDraft(name))

    def open_thread(self, channel: Channel | int, name: str, *, private: bool = False) -> Channel:
        """Starts a thread without a message."""
        here = self._channel(channel)
        kind = ChannelKind.NEWS_THREAD if here.kind is ChannelKind.NEWS else ChannelKind.PUBLIC_THREAD
        with _client_refuses():
            kind = ChannelKind.PRIVATE_THREAD if private else kind
            return threads.start(self._world, self.id, here, kind, ThreadDraft(name))

    def open_post(self, forum: Channel | int, name: str, text: str) -> Channel:
        """Starts a post of a forum or a media channel, with its first message."""
        with _client_refuses():
            post = threads.start_post(self._world, self.id, self._channel(forum), ThreadDraft(name))
        self._world.post(Message(post.id, post.id, self.id, text))
        return self._world.channels[post.id]

    def reopen(self, thread: Channel | int) -> Channel:
        """Opens an archived thread again."""
        here = self._channel(thread)
        with _client_refuses():
            threads.require_reopening(self._world, self.id, here)
        return self._world.archive(here, archived=False)

    def join(self, thread: Channel | int) -> Channel:
        """Joins a thread that the person sees."""
        return self._world.join(self._open_channel(thread), [self.id])

    def leave_thread(self, thread: Channel | int) -> None:
        """Leaves a thread."""
        here = self._channel(thread)
        self._world.change(replace(here, members=tuple(each for each in here.members if each != self.id)))

    def open_dm(self) -> Channel:
        """Returns the DM with the bot; opens it if need be."""
        return self._world.open_dm(self.id)

    def install(self) -> None:
        """Installs the bot to the person's account, so that they can use it where it is no member."""
        self._world.installers.add(self.id)

    def close_dms(self) -> None:
        """Refuses the bot's DMs from now on."""
        self._world.closed_dms.add(self.id)

    def sees(self, channel: Channel | int) -> list[Message]:
        """Returns the messages of a channel, oldest first, with the person's own ephemeral ones."""
        return self._world.history(self._channel(channel).id, self.id)

    @property
    def channels(self) -> list[Channel]:
        """Returns the channels, threads and DM that the person sees."""
        return self._world.channels_of(self.id)

    def can_see(self, channel: Channel) -> bool:
        """Returns whether the person sees a channel."""
        return self._world.sees(self.id, channel)

    def _channel(self, channel: Channel | int) -> Channel:
        self._world.archive_idle()
        found = self._world.channels.get(channel if isinstance(channel, int) else channel.id)
        if found is None or not self.can_see(found):
            raise Impossible(f"{self.user.name} sees no channel {channel}")
        return found

    def _open_channel(self, channel: Channel | int) -> Channel:
        """Returns a channel in which clients let the person use commands and buttons, as in no archived thread."""
        found = self._channel(channel)
        if found.archived:
            raise Impossible("This thread is archived")
        if found.locked and Permission.MANAGE_THREADS not in self._world.permissions(self.id, found):
            raise Impossible("This thread is locked")
        if found.in_guild and self._world.is_held_back(self.id):
            raise Impossible(f"{self.user.name} is timed out, or has yet to accept the rules")
        return found

    def _keep_pace(self, channel: Channel) -> None:
        """Counts a message, a click or a command where the channel has slow mode."""
        if wait := self._world.slowed_seconds(self.id, channel):
            raise Impossible(f"slow mode: {self.user.name} can go on in {wait:.0f} s")
        self._world.note_act(self.id, channel)

    def _message(self, message: Message | int) -> Message:
        found = self._world.messages.get(message if isinstance(message, int) else message.id)
        if (
            found is None
            or found.visible_to not in (None, self.id)
            or not self.can_see(self._world.channels[found.channel_id])
        ):
            raise Impossible(f"{self.user.name} does not see this message")
        return found
