"""The checks of `kropka doctor` that ask Discord, also one that refuses, fails or is silent."""

from __future__ import annotations

import time
from argparse import Namespace
from typing import Any

import pytest
from aiohttp import web

from bot.cli import maintenance
from bot.cli.findings import Mark
from bot.client import use_stand_in
from bot.invitation import INVITED, invite_url
from bot.settings import Settings
from loopback import TOKEN, Discord, Silence
from tests.bot.cli.doctoring import Patient, answer, serving

OF_DISCORD = (
    "commands",
    "gateway",
    "permissions",
    "invite",
    "installation",
    "discovery",
    "activity",
    "sign-in",
    "links",
    "secret",
)
"""The parts that need Discord's answer, beside the clock and the token."""

COMMANDS = "/applications/{application_id}/commands"


async def test_before_a_sync_all_commands_are_missing_and_after_it_none(discord: Discord, patient: Patient) -> None:
    mark, sentence = (await patient.examine()).of("commands")
    assert mark is Mark.BAD
    assert sentence.startswith(
        "Discord lacks Board as text, Challenge, Open this record, Our games, Profile, abort, about, "
    )
    assert sentence.endswith("; run `kropka sync`")
    await maintenance.sync(Settings.read(), Namespace())
    assert (await patient.examine()).of("commands") == (Mark.GOOD, f"Discord has all {len(discord.world.commands)}")


async def test_commands_that_are_missing_old_or_gone_are_named(discord: Discord, patient: Patient) -> None:
    await maintenance.sync(Settings.read(), Namespace())
    kept = {each["name"]: each for each in discord.world.commands if each["name"] != "games"}
    old: dict[str, Any] = kept["move"] | {"options": []}
    discord.world.sync([*(kept | {"move": old}).values(), old | {"name": "old", "id": "1"}])
    said = "Discord lacks games; it has an old form of move; it still has old; run `kropka sync`"
    assert (await patient.examine()).of("commands") == (Mark.BAD, said)


async def test_the_command_of_an_activity_belongs_to_a_client_secret(discord: Discord, patient: Patient) -> None:
    patient.set_activity(discord)
    await maintenance.sync(Settings.read(), Namespace())
    assert (await patient.examine()).of("commands")[0] is Mark.GOOD
    patient.set(web_url="", client_secret="")
    report = await patient.examine()
    assert report.marks["commands"] == {Mark.BAD, Mark.GOOD}
    assert "set KROPKA_CLIENT_SECRET" in report.sentences["commands"][0]


async def test_without_a_client_secret_each_check_says_what_is_so_then(discord: Discord, patient: Patient) -> None:
    patient.set_activity(discord)
    patient.set(client_secret="")
    said = (await patient.examine()).sentences
    assert "so there is no Activity" in said["activity"][0]
    assert "so nobody can sign in or link an account" in said["links"][0]


async def test_the_invitation_and_all_that_discovery_lacks_are_told(discord: Discord, patient: Patient) -> None:
    report = await patient.examine()
    assert report.of("invite") == (Mark.GOOD, invite_url(discord.bot.id))
    assert f"permissions={INVITED.value}" in invite_url(discord.bot.id)
    assert "scope=bot+applications.commands" in invite_url(discord.bot.id)
    assert report.marks["discovery"] == {Mark.HINT}
    assert "missing is tags: run `kropka sync`" in report.sentences["discovery"]


async def test_an_installation_that_is_missing_is_told(discord: Discord, patient: Patient) -> None:
    assert (await patient.examine()).of("installation") == (Mark.GOOD, "to both")
    discord.world.described = {"integration_types_config": {"0": {}}}
    said = "Discord doesn't let people add the bot to accounts; run `kropka sync`"
    assert (await patient.examine()).of("installation") == (Mark.BAD, said)


async def test_it_is_said_for_whom_an_activity_opens(discord: Discord, patient: Patient) -> None:
    patient.set_activity(discord)
    off, redirect, team = (await patient.examine()).sentences["activity"]
    assert "Activities are off" in off
    assert "no redirect" in redirect
    assert "your team only, in servers below 25 members" in team
    discord.enable_activity()
    discord.world.described = {"redirect_uris": ["https://127.0.0.1"]}
    assert (await patient.examine()).of("activity")[0] is Mark.HINT
    discord.world.described |= {"is_verified": True, "flags": 1 << 17 | 1 << 1}
    assert (await patient.examine()).of("activity") == (Mark.GOOD, "everyone can")


async def test_it_is_said_what_keeps_players_from_linking_their_accounts(discord: Discord, patient: Patient) -> None:
    patient.set_activity(discord)
    site = (Settings.read().hosting().web or "").rstrip("/")
    redirect, page = (await patient.examine()).sentences["links"]
    assert f"add {site}/linked-roles/return in the portal" in redirect
    assert "run `kropka sync`" in page
    told = {"redirect_uris": [f"{site}/linked-roles/return"]}
    discord.world.described = told | {"role_connections_verification_url": f"{site}/linked-roles"}
    assert (await patient.examine()).of("links") == (Mark.GOOD, "they can")


async def test_it_is_said_what_keeps_players_from_signing_in(discord: Discord, patient: Patient) -> None:
    patient.set_activity(discord)
    site = (Settings.read().hosting().web or "").rstrip("/")
    redirect = f"{site}/sign-in/return"
    said = f"there is no redirect for it; add {redirect} in the portal under OAuth2"
    assert (await patient.examine()).of("sign-in") == (Mark.BAD, said)
    discord.world.described = {"redirect_uris": ["https://127.0.0.1", redirect]}
    assert (await patient.examine()).of("sign-in") == (Mark.GOOD, "they can")


async def test_a_client_secret_is_tried_and_never_shown(
    discord: Discord, patient: Patient, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    patient.set_activity(discord)
    assert (await patient.examine()).of("secret") == (Mark.GOOD, "it does")
    patient.set(client_secret="a-secret-of-another")  # noqa: S106
    mark, sentence = (await patient.examine()).of("secret")
    assert (mark, "copy it again from the portal" in sentence) == (Mark.BAD, True)
    await maintenance.examine(Settings.read(), Namespace())
    told = caplog.text + "".join(capsys.readouterr()) + "".join(each.path for each in discord.requests)
    assert not any(secret in told for secret in ("a-secret-of-another", discord.client_secret, TOKEN))


@pytest.mark.sample(3)
@pytest.mark.parametrize("status", [400, 403, 404, 429, 500, 503])
async def test_a_client_secret_that_discord_does_not_judge_is_not_called_wrong(
    discord: Discord, patient: Patient, status: int
) -> None:
    patient.set_activity(discord)
    discord.fault("POST", "/oauth2/token", status)
    mark, sentence = (await patient.examine()).of("secret")
    assert mark is Mark.BAD
    assert str(status) in sentence
    assert "KROPKA_CLIENT_SECRET" not in sentence


@pytest.mark.parametrize(
    ("failure", "sentence"),
    [
        (403, "Discord refuses to tell (403"),
        (429, "too many requests come from this address"),
        (500, "Discord can't be reached (it answers 500); try again later"),
        (Silence.CLOSED, "Discord can't be reached ("),
        (Silence.HANGING, "Discord can't be reached (it doesn't answer); try again later"),
    ],
)
async def test_a_question_that_discord_does_not_answer_keeps_no_other_from_being_asked(
    discord: Discord, patient: Patient, failure: int | Silence, sentence: str
) -> None:
    fault = discord.fault("GET", COMMANDS, failure, times=None)
    report = await patient.examine(answer_seconds=0.5 if failure is Silence.HANGING else 5)
    mark, said = report.of("commands")
    assert (mark, sentence in said) == (Mark.BAD, True), said
    assert len(fault.hits) <= 2  # a closed connection is tried again by aiohttp
    assert report.of("gateway")[0] is Mark.GOOD
    assert report.of("invite")[0] is Mark.GOOD


@pytest.mark.sample(3)
@pytest.mark.parametrize("failure", [401, 403, 429, 500, Silence.CLOSED])
async def test_what_needs_the_token_waits_for_it_with_a_reason(
    discord: Discord, patient: Patient, failure: int | Silence
) -> None:
    patient.set_activity(discord)
    discord.fault("*", "*", failure, times=None)
    report = await patient.examine()
    mark, said = report.of("token")
    assert mark is Mark.BAD
    assert ("KROPKA_TOKEN" in said) is (failure == 401)
    for part in OF_DISCORD:
        assert report.of(part) == (Mark.SKIPPED, "Discord has to take the token first")
    assert "report this line" not in str([said for part, said in report.sentences.items() if part != "token"])


async def test_without_a_token_nothing_is_asked_of_discord_but_the_time(discord: Discord, patient: Patient) -> None:
    patient.set(token="")
    report = await patient.examine()
    assert "KROPKA_TOKEN is missing" in report.of("token")[1]
    assert [each.endpoint for each in discord.requests] == ["GET /gateway"]


async def test_a_program_in_discords_place_is_not_taken_for_it(discord: Discord, patient: Patient) -> None:
    async with serving(answer(200, "<html>Please log in to this network")) as elsewhere:
        use_stand_in(elsewhere)
        mark, said = (await patient.examine()).of("token")
    assert (mark, "isn't Discord" in said) == (Mark.BAD, True)


@pytest.mark.sample(3)
@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_no_answer_leads_a_secret_to_another_address(discord: Discord, patient: Patient, status: int) -> None:
    asked: list[str] = []

    async def note(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.json_response({"id": "1", "username": "Kropka"})

    patient.set_activity(discord)
    async with serving(note) as elsewhere, serving(answer(status, "{}", {"Location": elsewhere})) as first:
        use_stand_in(first)
        report = await patient.examine()
    assert report.marks["token"] == {Mark.BAD}
    assert asked == ["/"]  # by the clock, which sends no secret


async def test_an_address_that_is_shut_out_is_told_so(discord: Discord, patient: Patient) -> None:
    async with serving(answer(429, "<html>error code: 1015")) as elsewhere:
        use_stand_in(elsewhere)
        mark, said = (await patient.examine()).of("token")
    assert (mark, "it has shut this address out" in said) == (Mark.BAD, True)


@pytest.mark.parametrize("seconds", [-600, 600])
async def test_a_clock_that_is_wrong_by_minutes_is_told_by_how_much(
    discord: Discord, patient: Patient, seconds: int
) -> None:
    mark, said = (await patient.examine(now=lambda: time.time() + seconds)).of("clock")
    assert mark is Mark.BAD
    assert seconds - 2 < float(said.split()[0]) < seconds + 2
    assert said.endswith("let NTP set it")


async def test_a_clock_is_not_judged_without_a_date(discord: Discord, patient: Patient) -> None:
    async with serving(answer(200, headers={"Date": "soon"})) as elsewhere:
        use_stand_in(elsewhere)
        mark, said = (await patient.examine()).of("clock")
    assert (mark, "no date" in said) == (Mark.BAD, True)
