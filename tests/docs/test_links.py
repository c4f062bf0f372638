"""Links of the pages lead to files and headings that exist."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest

from tests.docs.pages import PAGES, ROOT, anchors, headings, read_page
from tests.python_texts import python_texts

LINK = re.compile(r"\]\(([^)\s]+)\)")
REFERENCE = re.compile(r"(docs/[\w/-]+\.md), ((?:(?!; )[^)])+)\)")
"""How docstrings name sections: in brackets the page, a comma, and the heading; a second one after `and`."""


DECISION = re.compile(r'^<a id="(\d{4})"></a>\n\n## (\d{4})\. (.+)$', re.MULTILINE)
LISTED = re.compile(r"^- \[(\d{4})\]\(([\w-]+\.md)#(\d{4})\) (.+)$", re.MULTILINE)
NAMED = re.compile(r"(docs/decisions/[\w-]+\.md)#(\d{4})")


def leads_somewhere(name: str, link: str) -> bool:
    """Returns whether what a link of a page names exists; addresses of others are not looked up."""
    page, address = PAGES[name], urlsplit(link)
    if address.scheme:
        return True
    target = (page.parent / address.path).resolve() if address.path else page
    return target.exists() and (
        not address.fragment or address.fragment in anchors(read_page(str(target.relative_to(ROOT))))
    )


@pytest.mark.parametrize(
    ("link", "leads"),
    [
        ("docs/rules.md", True),
        ("docs/ruled.md", False),
        ("#the-first-hour", True),
        ("#the-last-hour", False),
        ("docs/operators.md#settings", True),
        ("docs/operators.md#wishes", False),
    ],
)
def test_a_link_leads_to_a_file_and_in_it_to_a_heading(link: str, leads: bool) -> None:
    assert leads_somewhere("CONTRIBUTING.md", link) is leads


def test_every_link_of_a_page_leads_somewhere() -> None:
    links = [(name, link) for name in PAGES for link in LINK.findall(read_page(name))]
    dead = [f"{name}: {link}" for name, link in links if not leads_somewhere(name, link)]
    assert not dead, "\n".join(dead)


def test_every_section_that_a_docstring_names_exists() -> None:
    named = [
        (where, page, section)
        for where, text in python_texts()
        for page, sections in REFERENCE.findall(" ".join(text.split()))
        for section in re.split(r" and (?=[A-Z])", sections.partition(";")[0])
    ]
    assert len(named) > 20
    missing = [
        f"{where}: {page}, {section}" for where, page, section in named if section not in headings(read_page(page))
    ]
    assert not missing, "\n".join(missing)


def test_the_list_of_decisions_has_each_one_by_its_number_and_title() -> None:
    pages = [name for name in PAGES if name.startswith("docs/decisions/") and not name.endswith("README.md")]
    written = {
        (number, name.rpartition("/")[2], title)
        for name in pages
        for number, again, title in DECISION.findall(read_page(name))
        if number == again
    }
    listed = LISTED.findall(read_page("docs/decisions/README.md"))
    assert len(written) > 120
    assert {(number, page, title) for number, page, _, title in listed} == written
    assert len(listed) == len({number for number, *_ in listed}), "a number is one decision's"


def test_every_decision_that_code_names_is_there() -> None:
    named = {(page, number) for _, text in python_texts() for page, number in NAMED.findall(text)}
    assert len(named) > 8
    assert all(number in anchors(read_page(page)) for page, number in named)
