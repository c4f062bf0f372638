"""Data that open the Mini App: those that Telegram has signed for this bot, and all that are not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from play.ids import MatchId, Millis, UserId
from play.people.web_session import LINK_MILLIS
from play.refusal import Reason, Refused
from telegram.launches import FUTURE_MILLIS, Launches
from tests.clock import NOON, SECOND
from tests.telegram.signed import IVAN, sign, signed
from tests.telegram.stand_in import TOKEN


async def read(data: str, wanted: int | None = None, now: int = NOON) -> Any:
    async def meet(user: Mapping[str, Any]) -> UserId:
        return UserId(user["id"])

    return await Launches(TOKEN, meet).read(data, MatchId(wanted) if wanted else None, Millis(now))


async def refused(data: str) -> bool:
    with pytest.raises(Refused) as caught:
        await read(data)
    return caught.value.key == Reason.LAUNCH_NOT_TAKEN


async def test_the_example_that_is_computed_by_the_documented_steps_is_taken() -> None:
    link = await read(signed(NOON))
    assert (link.user, link.match, link.until) == (777, None, NOON + LINK_MILLIS)


async def test_a_user_is_told_without_what_the_bot_has_no_use_for() -> None:
    met: list[Mapping[str, Any]] = []

    async def meet(user: Mapping[str, Any]) -> UserId:
        met.append(user)
        return UserId(1)

    await Launches(TOKEN, meet).read(signed(NOON), None, Millis(NOON))
    assert met == [{"id": 777, "first_name": "Иван & Ко", "username": "ivan", "language_code": "ru"}]


async def test_the_game_of_the_signed_data_comes_before_that_of_the_address() -> None:
    assert (await read(signed(NOON, start_param="12"), 7)).match == 12
    assert (await read(signed(NOON), 7)).match == 7
    assert (await read(signed(NOON, start_param="../board"), 7)).match == 7


async def test_another_bots_data_are_refused() -> None:
    assert await refused(signed(NOON, token="4243:another"))  # noqa: S106 - it opens nothing


async def test_another_user_in_signed_data_is_refused() -> None:
    assert await refused(signed(NOON).replace("777", "778"))


async def test_a_field_that_is_added_or_missing_is_refused() -> None:
    assert await refused(f"{signed(NOON)}&start_param=12")
    assert await refused(signed(NOON).replace("query_id=AAH&", ""))
    assert await refused(signed(NOON).partition("&hash=")[0])


async def test_a_field_that_comes_twice_is_refused() -> None:
    assert await refused(f"user=%7B%22id%22%3A1%7D&{signed(NOON)}")
    assert await refused(f"{signed(NOON)}&hash={'0' * 64}")


async def test_data_are_good_for_ten_minutes() -> None:
    data = signed(NOON)
    assert await read(data, now=NOON + LINK_MILLIS - SECOND)
    with pytest.raises(Refused):
        await read(data, now=NOON + LINK_MILLIS)


async def test_data_of_the_future_are_refused() -> None:
    assert await read(signed(NOON + FUTURE_MILLIS))
    assert await refused(signed(NOON + FUTURE_MILLIS + SECOND))


@pytest.mark.parametrize("user", [None, {}, [], "x", {"id": True}, {"id": "7"}, {"id": -7}, {"id": 1 << 52}])
async def test_a_user_that_is_none_is_refused(user: object) -> None:
    assert await refused(signed(NOON, user=user))


async def test_a_bot_opens_nothing() -> None:
    assert await refused(signed(NOON, user={**IVAN, "is_bot": True}))


@pytest.mark.parametrize("data", ["", "x", "hash", "hash=é", "%ff=%ff", "a=1&" * 40, "hash=" + "0" * 64])
async def test_what_is_no_data_is_refused(data: str) -> None:
    assert await refused(data)


@pytest.mark.parametrize("date", ["", "-1", "1e9", "٣", "9" * 40])
async def test_a_date_that_is_none_is_refused(date: str) -> None:
    assert await refused(sign({"user": json.dumps(IVAN), "auth_date": date}))


async def test_the_same_data_have_one_id_however_they_are_written() -> None:
    data = signed(NOON)
    turned = "&".join(reversed(data.replace("%20", "+").split("&")))
    assert (await read(turned)).id == (await read(data)).id
