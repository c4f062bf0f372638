"""The checks of a Discord client before it sends a select or a modal: it validates and resolves the values.

Source: https://discord.com/developers/docs/components/reference
"""

from collections.abc import Mapping, Sequence
from typing import Any

from loopback import components
from loopback.client import Impossible, Resolver
from loopback.model import Modal

Json = dict[str, Any]


class Form:
    """One select or modal that a person fills in. Its methods raise Impossible."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def fill(self, modal: Modal, values: Mapping[str, Any]) -> list[Json]:
        """Returns a modal's components as the client sends them, with `values` by custom id or label."""
        labels = {
            part["component"]["custom_id"]: part["label"]
            for part in components.walk(modal.components)
            if "component" in part
        }
        labels |= {part["custom_id"]: part["label"] for part in modal.fields if "label" in part}
        by_id = {}
        for name, value in values.items():
            ids = [
                each["custom_id"] for each in modal.fields if name in (each["custom_id"], labels.get(each["custom_id"]))
            ]
            if len(ids) != 1:
                raise Impossible(f"the modal has no single field {name!r}, only {labels}")
            by_id[ids[0]] = value
        return [self._fill(part, by_id) for part in modal.components]

    def select(self, part: Json, values: Sequence[Any] | None) -> list[str]:
        """Returns the values of a select as the client sends them."""
        values = list(values or ())
        least, most = part.get("min_values", 1), part.get("max_values", 1)
        if not least <= len(values) <= most:
            raise Impossible(f"{part['custom_id']!r} takes {least} to {most} values")
        if part["type"] == components.CHANNEL_SELECT:
            return [self._resolver.channel(each, part.get("channel_types")) for each in values]
        resolve = {
            components.USER_SELECT: self._resolver.user,
            components.ROLE_SELECT: self._resolver.role,
            components.MENTIONABLE_SELECT: self._resolver.mentionable,
        }.get(part["type"])
        if resolve is not None:
            return [resolve(each) for each in values]
        offered = {name: option["value"] for option in part["options"] for name in (option["label"], option["value"])}
        if wrong := [each for each in values if each not in offered]:
            raise Impossible(f"{part['custom_id']!r} does not offer {wrong}, only {list(offered)}")
        return [offered[each] for each in values]

    def _fill(self, part: Json, values: Mapping[str, Any]) -> Json:
        kept: Json = {key: part[key] for key in ("type", "id", "custom_id") if key in part}
        if "components" in part:
            return kept | {"components": [self._fill(each, values) for each in part["components"]]}
        if "component" in part:
            return kept | {"component": self._fill(part["component"], values)}
        if "custom_id" not in part:
            return kept
        given = values.get(part["custom_id"])
        if part["type"] == components.TEXT_INPUT:
            return kept | {"value": _input_text(part, part.get("value", "") if given is None else str(given))}
        if part["type"] == components.CHECKBOX:
            return kept | {"value": bool(part.get("default") if given is None else given)}
        chosen = _choices(part, given)
        selected = self.select(part, chosen) if chosen or part.get("required", True) else []
        if part["type"] == components.RADIO_GROUP:
            return kept | {"value": selected[0] if selected else None}
        return kept | {"values": selected}


def _choices(part: Json, given: Any) -> list[Any]:
    """Returns the chosen values as a list; the defaults of the field if the person chose none."""
    if given is None:
        return [option["value"] for option in part.get("options", ()) if option.get("default")]
    return list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]


def _input_text(part: Json, text: str) -> str:
    """Returns the text of an input if its length is valid."""
    least = part.get("min_length") or (1 if part["required"] else 0)
    if (text or part["required"]) and not least <= len(text) <= part.get("max_length", 4000):
        raise Impossible(
            f"{part['custom_id']!r} takes {least} to {part.get('max_length', 4000)} characters, not {len(text)}"
        )
    return text
