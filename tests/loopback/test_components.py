"""Buttons, selects, modals and layouts."""

from typing import Self

import discord as library
import pytest
from discord import ui

from loopback import Channel, Discord, Impossible, Message, Permission, Person, components
from loopback.errors import Malformed
from loopback.model import ChannelKind
from tests.loopback.bot import Bot, Buttons, Count, PointModal, board
from tests.loopback.conftest import Clock, connected


@pytest.fixture
async def message(bot: Bot, discord: Discord, dots: Channel) -> Message:
    """Returns a message of the bot with all its buttons."""
    sent = await bot.get_partial_messageable(dots.id).send("choose", view=Buttons())
    found = discord.message(sent.id)
    assert found is not None
    return found


@pytest.mark.usefixtures("bot")
async def test_a_dynamic_button_is_found_by_its_custom_id(ola: Person, dots: Channel) -> None:
    outcome = await ola.command(dots, "counter").answered()
    assert outcome.message is not None
    clicked = await ola.click(outcome.message, "Count 1").answered()
    assert clicked.message is not None
    assert (clicked.kind, clicked.message.text, clicked.message.labels) == ("update", "counted 1", ["Count 2"])


async def test_a_button_outlives_the_bot_that_made_it(
    bot: Bot, intents: library.Intents, ola: Person, dots: Channel
) -> None:
    view = ui.View(timeout=None)
    view.add_item(Count(7))
    sent = await bot.get_partial_messageable(dots.id).send("counter", view=view)
    await bot.close()
    async with connected(Bot(intents)):
        outcome = await ola.click(sent.id, "Count 7").answered()
    assert outcome.message is not None
    assert outcome.message.text == "counted 7"


async def test_a_modal_is_opened_filled_in_and_submitted(ola: Person, message: Message) -> None:
    opened = await ola.click(message, "Type").answered()
    assert opened.modal is not None
    assert (opened.kind, opened.modal.title) == ("modal", "Type a move")
    outcome = await ola.submit(opened.modal, {"Point": "K12"}).answered()
    assert outcome.message is not None
    assert (outcome.message.text, outcome.message.ephemeral) == ("typed K12", True)


async def test_a_modal_takes_no_more_text_than_its_field_does(ola: Person, message: Message) -> None:
    opened = await ola.click(message, "Type").answered()
    assert opened.modal is not None
    with pytest.raises(Impossible):
        ola.submit(opened.modal, {"point": "K12K12K12"})


async def test_a_modal_is_submitted_by_the_person_who_opened_it(ola: Person, maksim: Person, message: Message) -> None:
    opened = await ola.click(message, "Type").answered()
    assert opened.modal is not None
    with pytest.raises(Impossible):
        maksim.submit(opened.modal, {"point": "K12"})


async def test_a_deferred_update_leaves_the_message_and_can_be_followed(ola: Person, message: Message) -> None:
    used = ola.click(message, "Later")
    assert (await used.answered()).kind == "deferred"
    followed = await used.followed()
    assert (followed.text, followed.ephemeral) == ("later", True)


async def test_a_select_sends_the_value_of_what_was_chosen(ola: Person, message: Message) -> None:
    outcome = await ola.click(message, "Size", ["30 x 30"]).answered()
    assert outcome.message is not None
    assert outcome.message.text == "size 30"


@pytest.mark.parametrize(("control", "values"), [("Off", None), ("Nowhere", None), ("Size", ["40"]), ("Size", [])])
async def test_the_client_clicks_nothing_that_is_not_there(
    ola: Person, message: Message, control: str, values: list[str] | None
) -> None:
    with pytest.raises(Impossible):
        ola.click(message, control, values)


async def test_a_click_on_the_message_as_it_was_uses_the_message_as_it_is(
    bot: Bot, ola: Person, dots: Channel, message: Message
) -> None:
    await bot.get_partial_messageable(dots.id).get_partial_message(message.id).edit(view=None)
    with pytest.raises(Impossible):
        ola.click(message, "Type")


async def test_a_click_that_nobody_handles_fails(discord: Discord, clock: Clock, ola: Person, message: Message) -> None:
    used = ola.click(message, "Silent")
    clock.time += 3
    discord.tick()
    assert (await used.answered()).text == "This interaction failed"


class Layout(ui.LayoutView):
    """Text, a picture and a button in a container."""

    def __init__(self, text: str = "your turn") -> None:
        super().__init__(timeout=None)
        container: ui.Container[Layout] = ui.Container()
        container.add_item(ui.TextDisplay(text))
        gallery: ui.MediaGallery[Layout] = ui.MediaGallery()
        gallery.add_item(media="attachment://board.png", description="a board")
        container.add_item(gallery)
        row: ui.ActionRow[Layout] = ui.ActionRow()
        row.add_item(ui.Button(label="Count 1", custom_id="count:1"))
        container.add_item(row)
        self.add_item(container)


async def test_a_layout_shows_its_text_picture_and_buttons(bot: Bot, discord: Discord, dots: Channel) -> None:
    sent = await bot.get_partial_messageable(dots.id).send(view=Layout(), file=board())
    message = discord.message(sent.id)
    assert message is not None
    assert (message.text, message.labels) == ("your turn", ["Count 1"])
    assert [(each.width, each.height) for each in message.attachments] == [(40, 30)]


async def test_a_gallery_resolves_to_the_address_of_its_attachment(bot: Bot, discord: Discord, dots: Channel) -> None:
    sent = await bot.get_partial_messageable(dots.id).send(view=Layout(), file=board())
    (container,) = sent.components
    assert isinstance(container, library.Container)
    gallery = container.children[1]
    assert isinstance(gallery, library.MediaGalleryComponent)
    media = gallery.items[0].media
    assert media.url.startswith(discord.cdn)
    assert (media.width, media.height) == (40, 30)
    assert sent.attachments == []


async def test_a_layouts_picture_stays_when_only_its_components_are_edited(
    bot: Bot, discord: Discord, dots: Channel
) -> None:
    sent = await bot.get_partial_messageable(dots.id).send(view=Layout(), file=board())
    await sent.edit(view=Layout("their turn"))
    message = discord.message(sent.id)
    assert message is not None
    assert (message.text, len(message.attachments)) == ("their turn", 1)


async def test_an_edit_can_bring_another_picture(bot: Bot, discord: Discord, dots: Channel) -> None:
    sent = await bot.get_partial_messageable(dots.id).send(view=Layout(), file=board())
    before = discord.message(sent.id)
    await sent.edit(view=Layout(), attachments=[board()])
    after = discord.message(sent.id)
    assert before is not None
    assert after is not None
    assert len(after.attachments) == 1
    assert after.attachments[0].id != before.attachments[0].id


class Choosers(ui.View):
    """A select of text channels, and one of users and roles."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.select(cls=ui.ChannelSelect, custom_id="where", channel_types=[library.ChannelType.text])
    async def where(self, interaction: library.Interaction, select: ui.ChannelSelect[Self]) -> None:
        await interaction.response.send_message(f"in {select.values[0].mention}")

    @ui.select(cls=ui.MentionableSelect, custom_id="who", max_values=2)
    async def who(self, interaction: library.Interaction, select: ui.MentionableSelect[Self]) -> None:
        await interaction.response.send_message(" ".join(each.mention for each in select.values))


async def test_a_select_of_users_and_roles_takes_both(
    bot: Bot, discord: Discord, ola: Person, maksim: Person, dots: Channel
) -> None:
    sent = await bot.get_partial_messageable(dots.id).send("who?", view=Choosers())
    role = discord.make_role("Master")
    outcome = await ola.click(sent.id, "who", [maksim, role]).answered()
    assert outcome.message is not None
    assert outcome.message.content == f"{maksim.mention} <@&{role.id}>"
    with pytest.raises(Impossible):
        ola.click(sent.id, "who", [5])


async def test_a_select_of_channels_takes_those_that_it_asks_for_and_the_person_sees(
    bot: Bot, discord: Discord, ola: Person, maksim: Person, dots: Channel
) -> None:
    sent = await bot.get_partial_messageable(dots.id).send("where?", view=Choosers())
    outcome = await ola.click(sent.id, "where", [dots]).answered()
    assert outcome.message is not None
    assert outcome.message.content == f"in <#{dots.id}>"
    secret = discord.open_channel("secret")
    discord.deny(secret, Permission.VIEW_CHANNEL, maksim)
    thread = discord.world.create(Channel(sent.id, ChannelKind.PUBLIC_THREAD, "a", dots.id, discord.bot.id))
    for person, channel in ((maksim, secret.id), (ola, thread.id), (ola, ola.open_dm().id), (ola, 5)):
        with pytest.raises(Impossible):
            person.click(sent.id, "where", [channel])


async def test_a_select_in_a_modal_is_filled_in_by_its_label(bot: Bot, ola: Person, dots: Channel) -> None:
    class Form(ui.Modal, title="Settings"):
        theme: ui.Label[PointModal] = ui.Label(
            text="Theme",
            component=ui.Select(custom_id="theme", options=[library.SelectOption(label="Paper", value="p")]),
        )

        async def on_submit(self, interaction: library.Interaction) -> None:
            assert isinstance(self.theme.component, ui.Select)
            await interaction.response.send_message(f"theme {self.theme.component.values[0]}")

    @bot.tree.command(name="form", description="Opens a form")
    async def form(interaction: library.Interaction) -> None:
        await interaction.response.send_modal(Form())

    await bot.tree.sync()
    opened = await ola.command(dots, "form").answered()
    assert opened.modal is not None
    outcome = await ola.submit(opened.modal, {"Theme": "Paper"}).answered()
    assert outcome.message is not None
    assert outcome.message.text == "theme p"


def test_the_emoji_of_a_button_comes_back_without_what_it_has_not() -> None:
    parts = [{"type": 1, "components": [{"type": 2, "custom_id": "a", "emoji": {"id": None, "name": "🔴"}}]}]
    (row,) = components.validate(parts, v2=False)
    assert row["components"][0]["emoji"] == {"name": "🔴"}


@pytest.mark.parametrize(
    ("kind", "count", "fits"),
    [
        (components.RADIO_GROUP, 1, False),
        (components.RADIO_GROUP, 2, True),
        (components.RADIO_GROUP, 10, True),
        (components.RADIO_GROUP, 11, False),
        (components.CHECKBOX_GROUP, 1, True),
        (components.CHECKBOX_GROUP, 11, False),
        (components.STRING_SELECT, 25, True),
        (components.STRING_SELECT, 26, False),
    ],
)
def test_choices_have_a_number_of_options(kind: int, count: int, fits: bool) -> None:
    options = [{"label": str(number), "value": str(number)} for number in range(count)]
    label = {
        "type": components.LABEL,
        "label": "Size",
        "component": {"type": kind, "custom_id": "s", "options": options},
    }
    if fits:
        components.validate_modal([label], ())
    else:
        with pytest.raises(Malformed, match="options"):
            components.validate_modal([label], ())
