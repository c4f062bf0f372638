"""Checks of `kropka doctor` that ask Discord: the bot's account, its commands, its servers and its application.

One request of Discord's HTTP API for each question, without discord.py's tries and waits.
"""

import json
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import suppress
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import discord
from pydantic import SecretStr

from bot.cli.application import (
    is_for_team_only,
    missing_for_activity,
    missing_for_discovery,
    missing_for_links,
    missing_for_sign_in,
    missing_installs,
)
from bot.cli.findings import Answer, CannotAsk, CannotTell, Check, bad, good, hint, judge
from bot.connection import LOGIN_REFUSED
from bot.edge import USER_AGENT, refusal_of_edge
from bot.features.match.board import PRIMARY_ENTRY_POINT
from bot.features.registry import features
from bot.interactions.command_tree import CommandTree
from bot.invitation import NEEDED, invite_url
from bot.markup import spoken
from bot.services.discord_errors import describe
from bot.settings import Settings
from bot.telemetry.reach import UNREACHABLE, reason

HEADERS = {"User-Agent": USER_AGENT}

SCOPE = "identify"
"""What a grant of the client's own is for: a scope that Discord gives to applications of teams as well."""

MAX_SKEW_SECONDS: Final = 2.0
"""Seconds by which a clock may be wrong: a flag waits as long for a move that was made in time."""

PAGE_SIZE: Final = 200
"""Servers on a page of Discord's list."""

VERIFIED_BOT: Final = 1 << 16
"""A flag of users. Source: https://discord.com/developers/docs/resources/user#user-object-user-flags"""

Json = dict[str, Any]


class DiscordRefuses(CannotTell):
    """A refusal by Discord, with its status, its own code and its sentence."""

    def __init__(self, status: int, code: int, sentence: str) -> None:
        super().__init__(f"Discord refuses to tell ({status}, code {code}: {sentence}); {_advice(status)}")
        self.status = status


class DiscordApi:
    """The API as the bot itself may ask it. All methods raise CannotTell; refusals are DiscordRefuses.

    No answer leads it to another address, which would get a secret.
    """

    def __init__(self, http: aiohttp.ClientSession, token: SecretStr | None) -> None:
        self._http = http
        self._token = token

    async def get(self, path: str, **query: str) -> Any:
        """Returns what Discord answers to the bot."""
        assert self._token is not None, "nothing is asked without a token"
        headers = {**HEADERS, "Authorization": f"Bot {self._token.get_secret_value()}"}
        return await self._ask("GET", path, headers=headers, params=query)

    async def grant(self, application: str, secret: SecretStr) -> None:
        """Asks for a token of the application's own, by its client secret, and forgets it."""
        form = {
            "client_id": application,
            "client_secret": secret.get_secret_value(),
            "grant_type": "client_credentials",
            "scope": SCOPE,
        }
        await self._ask("POST", "/oauth2/token", headers=HEADERS, data=form)

    async def time(self) -> float:
        """Returns Discord's clock, in whole seconds since 1970. Any status will do."""
        try:
            async with self._http.get(f"{discord.http.Route.BASE}/gateway", headers=HEADERS) as answer:
                return parsedate_to_datetime(answer.headers["Date"]).timestamp()
        except (KeyError, ValueError):
            raise CannotTell("Discord's answer has no date; compare the clock with another one") from None
        except UNREACHABLE as error:
            raise _unreachable(error) from error

    async def _ask(self, method: str, path: str, **options: Any) -> Any:
        try:
            async with self._http.request(
                method, f"{discord.http.Route.BASE}{path}", allow_redirects=False, **options
            ) as answer:
                return await _read(answer)
        except UNREACHABLE as error:
            raise _unreachable(error) from error


async def _read(answer: aiohttp.ClientResponse) -> Any:
    """Returns the JSON of an answer."""
    if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise CannotTell(f"Discord can't be reached (it answers {answer.status}); try again later")
    body = await answer.read()
    told: Any = None
    with suppress(ValueError):
        told = json.loads(body)
    if answer.status < HTTPStatus.MULTIPLE_CHOICES and told is not None:
        return told
    if (blocked := refusal_of_edge(answer, body)) is not None:
        if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            raise DiscordRefuses(answer.status, 0, "it has shut this address out")
        raise CannotTell(
            f"what answers in Discord's place isn't Discord ({describe(blocked)}); look for a proxy or a filter on the"
            " way, or try again later"
        )
    said = told.get("message") or told.get("error") or answer.reason
    raise DiscordRefuses(answer.status, int(told.get("code") or 0), "; ".join(str(said).splitlines()))


def _unreachable(error: BaseException) -> CannotTell:
    return CannotTell(f"Discord can't be reached ({reason(error)}); try again later")


def _advice(status: int) -> str:
    """Returns what to do about a refusal."""
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return "too many requests come from this address; look what else asks from here, and try again in an hour"
    return "if that stays so, report this line"


class DiscordChecks:
    """The checks of one examination, which log in once."""

    def __init__(self, settings: Settings, api: DiscordApi, now: Callable[[], float] = time.time) -> None:
        self._settings = settings
        self._hosting = settings.hosting()
        self._api = api
        self._now = now
        self._account: Json = {}
        self._application: Json = {}

    def checks(self) -> tuple[Check, ...]:
        """Returns the checks in their order: the token is asked first, since the others need it."""
        return (
            Check("clock", "Is this machine's clock right?", self._clock),
            Check("token", "Does Discord take the token?", self._token),
            Check("commands", "Are the commands at Discord those of this version?", self._commands),
            Check("gateway", "May the bot open its sessions?", self._gateway),
            Check("permissions", "Do servers grant what a game needs?", self._permissions),
            Check("invite", "How do people add the bot?", self._invite),
            Check("installation", "Does Discord offer to add it to servers and to accounts?", self._installation),
            Check("discovery", "Can Discord's directory list it?", self._discovery),
            Check("activity", "Can people open the web board inside Discord?", self._activity),
            Check("sign-in", "Can players sign in on the site with Discord?", self._sign_in),
            Check("links", "Can players link their accounts for roles?", self._links),
            Check("secret", "Does Discord take the client secret?", self._secret),
        )

    async def application(self) -> Json:
        """Returns what Discord tells the bot of its application. Raises CannotAsk, CannotTell."""
        if not self._account:
            raise CannotAsk("Discord has to take the token first")
        if not self._application:
            self._application = await self._api.get("/applications/@me")
        return self._application

    async def _clock(self) -> AsyncIterator[Answer]:
        began = self._now()
        theirs = await self._api.time()
        skew = (began + self._now()) / 2 - theirs - 0.5  # theirs is a whole second, rounded down
        yield judge(abs(skew) <= MAX_SKEW_SECONDS, f"{skew:+.1f} s from Discord's", "let NTP set it")

    async def _token(self) -> AsyncIterator[Answer]:
        if self._settings.token is None:
            yield bad("KROPKA_TOKEN is missing, so `kropka run` is the try-out; set it to run the bot on Discord")
            return
        try:
            self._account = await self._api.get("/users/@me")
        except DiscordRefuses as refused:
            if refused.status != HTTPStatus.UNAUTHORIZED:
                raise
            yield bad(LOGIN_REFUSED)
        else:
            yield good(f"it is that of {self._account['username']}")

    async def _commands(self) -> AsyncIterator[Answer]:
        application = await self.application()
        own = await self._own_commands()
        theirs = _shapes(await self._api.get(f"/applications/{application['id']}/commands"))
        differences = [*_differences(own, theirs)]
        if PRIMARY_ENTRY_POINT not in (kind for kind, _ in own) and PRIMARY_ENTRY_POINT in (kind for kind, _ in theirs):
            yield bad(
                "Discord has a command that opens an Activity, and this bot has none; set KROPKA_CLIENT_SECRET"
                " (docs/operators.md, Inside Discord), or disable Activities in the portal; then run `kropka sync`"
            )
        if differences:
            yield bad(f"Discord {'; it '.join(differences)}; run `kropka sync`")
        else:
            yield good(f"Discord has all {len(own)}")

    async def _own_commands(self) -> dict[tuple[int, str], Any]:
        """Returns the commands of this version, in a form that can be compared."""
        async with discord.Client(intents=discord.Intents(guilds=True)) as client:
            tree = CommandTree(client, spoken(), features(self._hosting))
            return _shapes(command.to_dict(tree) for command in tree.get_commands())

    async def _gateway(self) -> AsyncIterator[Answer]:
        await self.application()
        told = await self._api.get("/gateway/bot")
        shards, limit = told["shards"], told["session_start_limit"]
        yield judge(
            limit["remaining"] >= shards,
            f"{limit['remaining']} of {limit['total']} sessions left today, recommended shards: {shards}",
            f"find out what starts the bot again and again, and wait {limit['reset_after'] // 60_000} minutes",
        )

    async def _permissions(self) -> AsyncIterator[Answer]:
        """Asks for those of the bot's own role; a channel may still take away more."""
        await self.application()
        lacking = servers = 0
        after: Json = {}
        while page := await self._api.get("/users/@me/guilds", limit=str(PAGE_SIZE), **after):
            for guild in page:
                granted = discord.Permissions(int(guild["permissions"]))
                if missing := [name for name, wanted in NEEDED if wanted and not getattr(granted, name)]:
                    lacking += 1
                    yield bad(f"server {guild['id']} doesn't grant {', '.join(missing)}; ask its admins to")
            servers += len(page)
            after = {"after": str(page[-1]["id"])}
            if len(page) < PAGE_SIZE:
                break
        if not lacking:
            yield good(f"{servers} of {servers} servers do")

    async def _invite(self) -> AsyncIterator[Answer]:
        yield good(invite_url(int((await self.application())["id"])))

    async def _installation(self) -> AsyncIterator[Answer]:
        missing = missing_installs(await self.application())
        for answer in [*map(bad, missing)] or [good("to both")]:
            yield answer

    async def _discovery(self) -> AsyncIterator[Answer]:
        application = await self.application()
        is_verified = bool(int(self._account.get("public_flags") or 0) & VERIFIED_BOT)
        missing = missing_for_discovery(application, self._hosting, is_verified=is_verified)
        whole = good("nothing is missing that Discord tells; the portal has the rest: Discovery")
        for answer in [hint(f"missing is {each}") for each in missing] or [whole]:
            yield answer

    async def _activity(self) -> AsyncIterator[Answer]:
        self._require_secret("there is no Activity")
        application = await self.application()
        missing = [*missing_for_activity(application)]
        for each in missing:
            yield bad(each)
        if is_for_team_only(application):
            yield hint(
                "opens for your team only, in servers below 25 members, until Discord has verified the application"
            )
        elif not missing:
            yield good("everyone can")

    async def _sign_in(self) -> AsyncIterator[Answer]:
        missing = missing_for_sign_in(await self.application(), self._require_site())
        for answer in [*map(bad, missing)] or [good("they can")]:
            yield answer

    async def _links(self) -> AsyncIterator[Answer]:
        missing = missing_for_links(await self.application(), self._require_site())
        for answer in [*map(hint, missing)] or [good("they can")]:
            yield answer

    async def _secret(self) -> AsyncIterator[Answer]:
        secret = self._require_secret("there is nothing to compare")
        application = await self.application()
        try:
            await self._api.grant(str(application["id"]), secret)
        except DiscordRefuses as refused:
            if refused.status != HTTPStatus.UNAUTHORIZED:
                raise
            yield bad(
                "KROPKA_CLIENT_SECRET: Discord doesn't know this secret; copy it again from the portal (OAuth2, Reset"
                " Secret) and start the bot again"
            )
        else:
            yield good("it does")

    def _require_site(self) -> str:
        """Returns the address of the site, where Discord can say who comes. Raises CannotAsk."""
        self._require_secret("nobody can sign in or link an account")
        if (web := self._hosting.web) is None:
            raise CannotAsk("KROPKA_WEB_URL isn't set, so there is no page for it")
        return web

    def _require_secret(self, otherwise: str) -> SecretStr:
        """Returns the client secret. Raises CannotAsk, which says what is so without it."""
        if (secret := self._hosting.client_secret) is None:
            raise CannotAsk(f"KROPKA_CLIENT_SECRET isn't set beside KROPKA_WEB_URL, so {otherwise}")
        return secret


def _shapes(commands: Iterable[Json]) -> dict[tuple[int, str], Any]:
    """Returns the options of each command, by its type and name: all that people's clients go by."""
    return {(each.get("type") or 1, each["name"]): _options(each) for each in commands}


def _options(command: Json) -> tuple[Any, ...]:
    """Returns type, name, choices and so on of each option, the same whether Discord leaves out empty ones or not."""
    return tuple(
        (
            each["type"],
            each["name"],
            bool(each.get("required")),
            tuple(choice["value"] for choice in each.get("choices") or ()),
            _options(each),
        )
        for each in command.get("options") or ()
    )


def _differences(own: dict[tuple[int, str], Any], theirs: dict[tuple[int, str], Any]) -> Iterator[str]:
    """Yields how the commands at Discord differ from our own, but for the entry point where we have none."""
    changed = {key for key in own.keys() & theirs.keys() if own[key] != theirs[key]}
    for verb, keys in (
        ("lacks", own.keys() - theirs.keys()),
        ("has an old form of", changed),
        ("still has", {key for key in theirs.keys() - own.keys() if key[0] != PRIMARY_ENTRY_POINT}),
    ):
        if keys:
            yield f"{verb} {', '.join(sorted(name for _, name in keys))}"
