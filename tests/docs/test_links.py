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


def test_the_list_of_decisions_has_each_page_by_its_title() -> None:
    pages = [ROOT / name for name in PAGES if re.match(r"docs/decisions/\d", name)]
    titles = [headings(read_page(str(page.relative_to(ROOT))))[0] for page in pages]
    listed = [
        f"- [{page.name[:4]}]({page.name}) {title.partition('. ')[2]}"
        for page, title in zip(pages, titles, strict=True)
    ]
    assert [line for line in read_page("docs/decisions/README.md").split("\n") if line.startswith("- ")] == listed
    assert [int(page.name[:4]) for page in pages] == [int(title.partition(".")[0]) for title in titles]
