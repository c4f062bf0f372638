"""Components of messages and modals: Discord's rules for them, and the form in which it returns them.

Source: https://discord.com/developers/docs/components/reference
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from loopback.errors import Malformed

Json = dict[str, Any]
Path = tuple[str | int, ...]

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 5, 6, 7, 8
SECTION, TEXT_DISPLAY, THUMBNAIL, MEDIA_GALLERY, FILE, SEPARATOR = 9, 10, 11, 12, 13, 14
CONTAINER, LABEL, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 17, 18, 19, 21, 22, 23
SELECTS = (STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT)
LINK, PREMIUM = 5, 6  # the button styles without a custom id

OPTIONS = {STRING_SELECT: (1, 25), RADIO_GROUP: (2, 10), CHECKBOX_GROUP: (1, 10)}  # the fewest and the most

INSIDE = {
    ROW: (BUTTON, *SELECTS),
    SECTION: (TEXT_DISPLAY,),
    CONTAINER: (ROW, SECTION, TEXT_DISPLAY, MEDIA_GALLERY, FILE, SEPARATOR),
}
IN_MESSAGE = (ROW, SECTION, TEXT_DISPLAY, MEDIA_GALLERY, FILE, SEPARATOR, CONTAINER)
IN_MODAL = (ROW, TEXT_DISPLAY, LABEL)
IN_LABEL = (TEXT_INPUT, *SELECTS, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX)

DEFAULTS: dict[int, Json] = {
    BUTTON: {"style": 2},
    **{select: {"min_values": 1, "max_values": 1, "disabled": False} for select in SELECTS},
    TEXT_INPUT: {"required": True},
    THUMBNAIL: {"description": None, "spoiler": False},
    FILE: {"spoiler": False},
    SEPARATOR: {"divider": True, "spacing": 1},
    CONTAINER: {"accent_color": None, "spoiler": False},
}


def children(component: Json) -> Iterator[tuple[Path, Json]]:
    """Yields the children of a component, each with its path."""
    for index, child in enumerate(component.get("components", ())):
        yield ("components", index), child
    for key in ("accessory", "component"):
        if key in component:
            yield (key,), component[key]


def walk(parts: Iterable[Json]) -> Iterator[Json]:
    """Yields all components, nested ones included, in the order of display."""
    for part in parts:
        yield part
        yield from walk(child for _, child in children(part))


def validate(parts: Sequence[Json], *, v2: bool, path: Path = ("components",)) -> tuple[Json, ...]:
    """Returns the components of a message as Discord keeps them, with defaults and ids; raises Malformed."""
    if v2:
        _limit(path, sum(1 for _ in walk(parts)), 40, "components, nested ones counted")
        text = sum(len(part.get("content", "")) for part in walk(parts) if part["type"] == TEXT_DISPLAY)
        _limit(path, text, 4000, "characters of text")
    else:
        _limit(path, len(parts), 5, "rows")
    for index, part in enumerate(parts):
        _check(part, (*path, index), IN_MESSAGE if v2 else (ROW,))
    return _with_ids(parts, path)


def validate_modal(parts: Sequence[Json], path: Path) -> tuple[Json, ...]:
    """Returns the components of a modal as Discord keeps them; raises Malformed."""
    if not 1 <= len(parts) <= 5:
        raise Malformed(path, f"a modal has 1 to 5 components, not {len(parts)}")
    for index, part in enumerate(parts):
        _check(part, (*path, index), IN_MODAL, modal=True)
    return _with_ids(parts, path)


def with_media(part: Json, resolve: Callable[[str], Json]) -> Json:
    """Returns the component with each media item's address replaced by the object that ``resolve`` returns."""
    part = dict(part)
    for key in ("media", "file"):
        if key in part:
            part[key] = resolve(part[key]["url"])
    for key in ("accessory", "component"):
        if key in part:
            part[key] = with_media(part[key], resolve)
    for key in ("components", "items"):
        if key in part:
            part[key] = [with_media(each, resolve) for each in part[key]]
    return part


def media(parts: Iterable[Json]) -> Iterator[str]:
    """Yields the addresses of all media items."""
    for part in walk(parts):
        for item in (part, *part.get("items", ())):
            for key in ("media", "file"):
                if key in item:
                    yield item[key]["url"]


def _limit(path: Path, number: int, limit: int, what: str) -> None:
    if number > limit:
        raise Malformed(path, f"{number} {what}, at most {limit} allowed")


def _text(part: Json, path: Path, key: str, limit: int, *, least: int = 0) -> None:
    value = part.get(key) or ""
    if not least <= len(value) <= limit:
        raise Malformed((*path, key), f"must be {least} to {limit} characters long, is {len(value)}")


def _check(part: Json, path: Path, allowed: tuple[int, ...], *, modal: bool = False) -> None:
    kind = part.get("type")
    if kind not in allowed:
        raise Malformed((*path, "type"), f"component type {kind} is not allowed here, only {sorted(allowed)}")
    if kind in (BUTTON, *SELECTS, TEXT_INPUT, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX):
        _check_control(part, path)
    elif kind == TEXT_DISPLAY:
        _text(part, path, "content", 4000, least=1)
    elif kind == ROW:
        _check_row(part, path)
    elif kind == SECTION:
        if not 1 <= len(part.get("components", ())) <= 3:
            raise Malformed(path, "a section has 1 to 3 text displays")
        if "accessory" not in part:
            raise Malformed(path, "a section needs an accessory")
    elif kind == MEDIA_GALLERY:
        if not 1 <= len(part.get("items", ())) <= 10:
            raise Malformed(path, "a media gallery has 1 to 10 items")
        for index, item in enumerate(part["items"]):
            _text(item, (*path, "items", index), "description", 1024)
    elif kind == LABEL:
        _text(part, path, "label", 45, least=1)
        _text(part, path, "description", 100)
        if "component" not in part:
            raise Malformed(path, "a label needs a component")
    elif kind == CONTAINER and not part.get("components"):
        raise Malformed(path, "a container cannot be empty")
    for step, child in children(part):
        inside = {"accessory": (BUTTON, THUMBNAIL), "component": IN_LABEL}.get(str(step[0]))
        if inside is None:
            inside = (TEXT_INPUT,) if modal else INSIDE.get(kind, ())
        _check(child, (*path, *step), inside, modal=modal)


def _check_row(part: Json, path: Path) -> None:
    held = part.get("components", ())
    if not 1 <= len(held) <= 5:
        raise Malformed(path, f"a row has 1 to 5 components, not {len(held)}")
    if len(held) > 1 and any(each.get("type") != BUTTON for each in held):
        raise Malformed(path, "a row holds up to 5 buttons or one select")


def _check_control(part: Json, path: Path) -> None:
    kind = part["type"]
    if kind == BUTTON:
        _text(part, path, "label", 80)
        if part.get("style") == LINK:
            if "custom_id" in part or not part.get("url"):
                raise Malformed(path, "a link button has a url and no custom_id")
            return
        if part.get("style") == PREMIUM:
            raise Malformed(path, "premium buttons do not exist here")
        if "url" in part:
            raise Malformed(path, "only a link button has a url")
        if not (part.get("label") or part.get("emoji")):
            raise Malformed(path, "a button needs a label or an emoji")
    _text(part, path, "custom_id", 100, least=1)
    if kind in SELECTS:
        _text(part, path, "placeholder", 150)
    if kind in (STRING_SELECT, RADIO_GROUP, CHECKBOX_GROUP):
        _check_options(part, path)
    if kind == TEXT_INPUT:
        _text(part, path, "value", part.get("max_length") or 4000)
        _text(part, path, "placeholder", 100)


def _check_options(part: Json, path: Path) -> None:
    options = part.get("options", ())
    least, most = OPTIONS[part["type"]]
    if not least <= len(options) <= most:
        raise Malformed((*path, "options"), f"must be {least} to {most} options, are {len(options)}")
    for index, option in enumerate(options):
        here = (*path, "options", index)
        _text(option, here, "label", 100, least=1)
        _text(option, here, "value", 100, least=1)
        _text(option, here, "description", 100)
    if len({option["value"] for option in options}) < len(options):
        raise Malformed((*path, "options"), "option values must be unique")
    if part["type"] == STRING_SELECT and not 0 <= part.get("min_values", 1) <= part.get("max_values", 1) <= len(
        options
    ):
        raise Malformed(path, "min_values and max_values must fit the number of options")


def _with_ids(parts: Sequence[Json], path: Path) -> tuple[Json, ...]:
    """Adds defaults and ids; Discord numbers components without an id from 1 on, and skips the ids in use."""
    taken = [part["id"] for part in walk(parts) if part.get("id")]
    if len(set(taken)) < len(taken):
        raise Malformed(path, "component ids must be unique")
    names = [part["custom_id"] for part in walk(parts) if "custom_id" in part]
    if doubled := {name for name in names if names.count(name) > 1}:
        raise Malformed(path, f"custom_id must be unique in a message: {sorted(doubled)}")
    free = (number for number in range(1, 1000) if number not in taken)

    def number(part: Json) -> Json:
        part = DEFAULTS.get(part["type"], {}) | {key: value for key, value in part.items() if value is not None}
        part["id"] = part.get("id") or next(free)
        if "emoji" in part:
            part["emoji"] = {key: value for key, value in part["emoji"].items() if value is not None}
        if "default_values" in part:
            part["default_values"] = [each | {"id": str(each["id"])} for each in part["default_values"]]
        if "items" in part:
            part["items"] = [{"description": None, "spoiler": False} | item for item in part["items"]]
        if "components" in part:
            part["components"] = [number(child) for child in part["components"]]
        for key in ("accessory", "component"):
            if key in part:
                part[key] = number(part[key])
        return part

    return tuple(number(part) for part in parts)
