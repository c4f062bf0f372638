"""A phone that shows each private panel of the bot: its picture has to be seen together with all that is below it."""

from __future__ import annotations

from typing import Any

from bot.interactions.phone import GAP, HEIGHT, WIDTH, panel_height
from loopback import Discord, Message
from loopback.events import Event, MessageEdited, MessagePosted

GALLERY = 12

Json = dict[str, Any]


class Phones:
    """Looks at all private panels, as they are shown. Attributes:

    seen: how many panels with a picture there were.
    too_high: what does not fit into the window of a phone, with its height.
    """

    def __init__(self, discord: Discord) -> None:
        self.seen = 0
        self.too_high: dict[str, int] = {}
        discord.listen(self._look)

    def _look(self, event: Event) -> None:
        match event:
            case MessagePosted(message) | MessageEdited(message) if message.visible_to is not None:
                height = height_from_picture(message)
                self.seen += height > 0
                if height > HEIGHT:
                    self.too_high[" · ".join([message.text.partition("\n")[0], *message.labels])] = round(height)


def height_from_picture(message: Message) -> float:
    """Returns the pixels from the top of a panel's only picture to its end; 0 unless it has one picture."""
    galleries = [(place, part) for place, part in enumerate(message.components) if part["type"] == GALLERY]
    if len(galleries) != 1 or len(galleries[0][1]["items"]) != 1:
        return 0
    place, gallery = galleries[0]
    picture = _picture(message, gallery["items"][0]["media"])
    return WIDTH * picture[1] / picture[0] + GAP + panel_height(message.components[place + 1 :])


def _picture(message: Message, media: Json) -> tuple[int, int]:
    (file,) = (each for each in message.files if each.filename in media["url"])
    assert file.width, "it is a picture"
    assert file.height, "it is a picture"
    return file.width, file.height
