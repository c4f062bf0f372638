"""Offers: what a select or a form lets a player choose or type, and whether what was sent is among it.

A client of Discord sends nothing else. Discord does not say that it refuses anything else, so each value is checked
here before a handler sees it.

- A select offers what it has on its message: options, types of channels, how many. Channels, roles and users are those
  of the server, and channels those that the player sees or that were chosen before.
- A form offers the fields that it declares: no more, no less, with texts that fit and choices that it lists.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import discord

from bot.interactions import permissions
from bot.interactions.context import Context
from play.refusal import Reason, Refused

Json = Mapping[str, Any]

VIEW: Final = discord.Permissions(view_channel=True)


class TextField(NamedTuple):
    """A text input of a form with room for `most` characters. Only one that is not `required` may stay empty."""

    name: str
    most: int
    required: bool = True

    def make(self, **look: Any) -> discord.ui.TextInput[Any]:
        """Returns the input, which has this `look`."""
        return discord.ui.TextInput(custom_id=self.name, max_length=self.most, required=self.required, **look)

    def offers(self, sent: Json) -> bool:
        """Returns whether a component can be this input, filled in."""
        value = sent.get("value")
        is_text = sent.get("type") == discord.ComponentType.text_input.value and isinstance(value, str)
        return is_text and int(self.required) <= len(value or "") <= self.most


class ChoiceField(NamedTuple):
    """A radio group of a form, of which one of the `values` is chosen."""

    name: str
    values: tuple[str, ...]

    def offers(self, sent: Json) -> bool:
        """Returns whether a component can be this group, with a choice."""
        return sent.get("type") == discord.ComponentType.radio_group.value and sent.get("value") in self.values


Field = TextField | ChoiceField


def form_fits(fields: Sequence[Field], data: Json) -> bool:
    """Returns whether a submitted form has exactly these fields, each with a value that it offers."""
    sent: list[Any] = [label.get("component") for label in data.get("components", ())]
    names = {field.name: field for field in fields}
    if len(sent) != len(names) or any(each is None or each.get("custom_id") not in names for each in sent):
        return False
    found = {each["custom_id"]: each for each in sent}
    return len(found) == len(names) and all(field.offers(found[name]) for name, field in names.items())


async def require_offered(ctx: Context, item: discord.ui.Item[Any]) -> None:
    """Raises Refused (`old_button`, `no_server_here`, `chat_away`) if a component does not offer what was sent."""
    if isinstance(item, discord.ui.Button):
        return
    data: Any = ctx.interaction.data
    values, resolved = data.get("values"), data.get("resolved") or {}
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise Refused(Reason.OLD_BUTTON)
    if isinstance(item, discord.ui.Select):
        known = {option.value for option in item.options}
    elif isinstance(item, discord.ui.UserSelect):
        known = {*resolved.get("users", ())}.intersection(resolved.get("members", ()) if ctx.guild else values)
    elif isinstance(item, discord.ui.RoleSelect):
        known = await _roles(ctx, resolved.get("roles", {}))
    elif isinstance(item, discord.ui.ChannelSelect):
        known = await _channels(ctx, item, resolved.get("channels", {}))
    else:
        raise Refused(Reason.OLD_BUTTON)  # no message of the bot has one
    fits = item.min_values <= len(values) == len({*values}) <= item.max_values
    if not fits or not known.issuperset(values):
        raise Refused(Reason.OLD_BUTTON)


async def _roles(ctx: Context, resolved: Mapping[str, Json]) -> set[str]:
    """Returns the roles among those that were sent which the server has."""
    guild = permissions.require_guild(ctx)
    return resolved.keys() & set(map(str, await ctx.services.directory.roles(guild))) if resolved else set()


async def _channels(ctx: Context, item: discord.ui.ChannelSelect[Any], resolved: Mapping[str, Json]) -> set[str]:
    """Returns the channels among those that were sent which the select offers."""
    guild = permissions.require_guild(ctx)
    chosen_before = {str(each.id) for each in item.default_values}
    seen = {
        channel
        for channel, each in resolved.items()
        if channel in chosen_before or discord.Permissions(int(each.get("permissions", 0))) >= VIEW
    }
    if not seen:
        return set()
    kinds = {kind.value for kind in item.channel_types}
    there = await ctx.services.directory.channels(guild)
    return seen & {str(channel) for channel, kind in there.items() if not kinds or kind in kinds}
