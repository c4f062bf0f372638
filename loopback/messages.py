"""All messages, and those of each channel at hand: every interaction tells Discord's client about its channel."""

from collections import defaultdict
from collections.abc import Collection, Iterator, MutableMapping

from loopback.model import Message


class Messages(MutableMapping[int, Message]):
    """By id."""

    def __init__(self) -> None:
        self._all: dict[int, Message] = {}
        self._of: defaultdict[int, dict[int, Message]] = defaultdict(dict)

    def of(self, channel_id: int) -> Collection[Message]:
        """The messages of a channel."""
        return self._of.get(channel_id, {}).values()

    def __getitem__(self, message_id: int) -> Message:
        return self._all[message_id]

    def __setitem__(self, message_id: int, message: Message) -> None:
        self._all[message_id] = self._of[message.channel_id][message_id] = message

    def __delitem__(self, message_id: int) -> None:
        channel_id = self._all.pop(message_id).channel_id
        del self._of[channel_id][message_id]
        if not self._of[channel_id]:
            del self._of[channel_id]

    def __iter__(self) -> Iterator[int]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)
