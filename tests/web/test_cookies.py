"""The cookies of sessions."""

from __future__ import annotations

from aiohttp import hdrs, web
from aiohttp.test_utils import make_mocked_request

from web.access.visitors import Cookie, Cookies

SECURE, PLAIN = Cookies(secure=True), Cookies(secure=False)


def written(answer: web.Response) -> list[str]:
    """Returns the cookies that an answer sets."""
    return answer.headers.getall(hdrs.SET_COOKIE)


def sent(*names: str) -> web.Request:
    """Returns a request with cookies of these names."""
    return make_mocked_request("GET", "/", headers={"Cookie": "; ".join(f"{name}=x" for name in names)})


def test_a_secret_is_long_and_its_id_says_nothing_of_it() -> None:
    one, other = Cookie.new(), Cookie.new()
    assert len(one.secret) > 40
    assert one.secret != other.secret
    assert one.digest.startswith(one.id)
    assert one.id not in one.secret


def test_a_site_on_the_net_has_cookies_that_no_other_host_can_set() -> None:
    answer, cookie = web.Response(), Cookie.new()
    SECURE.set(answer, cookie)
    (line,) = written(answer)
    assert line.startswith(f"__Host-kropka-{cookie.id}={cookie.secret}; ")
    assert line.endswith("; Path=/; HttpOnly; Secure; SameSite=Lax")
    assert "Domain" not in line


def test_a_cookie_is_deleted_as_it_was_set() -> None:
    answer, cookie = web.Response(), Cookie.new()
    SECURE.delete(answer, cookie)
    (line,) = written(answer)
    assert line == f"__Host-kropka-{cookie.id}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax"


def test_the_try_out_has_cookies_without_https() -> None:
    answer, cookie = web.Response(), Cookie.new()
    PLAIN.set(answer, cookie)
    (line,) = written(answer)
    assert line.startswith(f"kropka-{cookie.id}={cookie.secret}; ")
    assert line.endswith("; Path=/; HttpOnly; SameSite=Lax")


def test_a_cookie_that_a_neighbour_of_the_host_may_have_set_is_none() -> None:
    number = "0123456789ab"
    assert [*SECURE.of(sent(f"kropka-{number}", f"__Secure-kropka-{number}", f"__Host-other-{number}"))] == []
    assert len([*SECURE.of(sent(f"__Host-kropka-{number}"))]) == 1
    assert len([*PLAIN.of(sent(f"kropka-{number}"))]) == 1
