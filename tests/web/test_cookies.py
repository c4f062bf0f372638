"""The cookies of sessions."""

from __future__ import annotations

from aiohttp import hdrs, web

from web.access.cookies import Cookie, set_cookie


def test_a_secret_is_long_and_its_id_says_nothing_of_it() -> None:
    one, other = Cookie.new(), Cookie.new()
    assert len(one.secret) > 40
    assert one.secret != other.secret
    assert one.digest.startswith(one.id)
    assert one.id not in one.secret


def test_a_site_on_the_net_has_cookies_of_https_alone() -> None:
    answer, cookie = web.Response(), Cookie.new()
    set_cookie(answer, cookie, secure=True)
    written = answer.cookies.output()
    assert "Secure" in written
    assert "HttpOnly" in written
    assert "SameSite=Lax" in written


def test_a_page_in_a_frame_of_discord_has_a_cookie_of_that_frame() -> None:
    answer, cookie = web.Response(), Cookie.new()
    set_cookie(answer, cookie, secure=True, embedded=True)
    written = answer.headers[hdrs.SET_COOKIE]
    assert written.startswith(f"kropka-{cookie.id}={cookie.secret}; ")
    assert written.endswith("Secure; HttpOnly; SameSite=None; Partitioned")
