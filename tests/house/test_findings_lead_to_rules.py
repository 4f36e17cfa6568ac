"""Whatever a page says is wrong leads to the rule behind it, in few clicks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from arkham.rules.library import entry_of, find, library
from arkham.rules.library.links import KEEPING_RULES, all_checks
from arkham.rules.rulings import RULINGS

PROJECT = Path(__file__).resolve().parents[2]
LIBRARY = library()
_ID = re.compile(r"[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*")
_FILE = re.compile(r".*\.(json|toml|csv|html|txt|md|py|urls)")
# Names of other things, spelled like an id.
OTHERS = frozenset(
    {"line.code", "deck.pk", "deck.name", "campaign.pk", "campaign.name"}
)


def ids_in(tree: ast.AST) -> Iterator[str]:
    """Every text of a module that is spelled like the id of a rule."""
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if not isinstance(text, str) or _FILE.fullmatch(text):
            continue
        if _ID.fullmatch(text):
            yield text


def ids() -> set[str]:
    """The ids findings, problems and flaws are made with, in the areas there are."""
    areas = {rule_id.partition(".")[0] for rule_id in all_checks()} | {"line"}
    found: set[str] = set()
    for folder in ("arkham/rules", "campaigns", "decks", "cardpool"):
        for path in (PROJECT / folder).rglob("*.py"):
            if path.name != "keeping.py":
                found |= {*ids_in(ast.parse(path.read_text(encoding="utf-8")))}
    return {
        each
        for each in found
        if each.partition(".")[0] in areas and each not in RULINGS.keys() | OTHERS
    }


def test_every_finding_leads_to_a_page_of_the_library() -> None:
    """Rules, prices, and how a log is kept; an id nobody tells fails here."""
    found = ids()
    assert {"log.archived", "fold.endless", "guide.circle", "deck.size"} <= found
    lost = {each for each in found if entry_of(LIBRARY, each) is None}
    assert not lost, "An entry of the library must hold a row of each, or check it."


def test_every_documented_rule_of_keeping_has_findings() -> None:
    kept = [each.id for each in KEEPING_RULES]
    assert len(kept) == len(set(kept))
    assert set(kept) <= ids()


def test_no_id_is_put_together() -> None:
    """Else the test above would not see it."""
    made = re.compile(r"""rule=f['"]|Problem\(f['"]|problem\(f['"]""")
    for folder in ("arkham/rules", "campaigns", "decks"):
        for path in (PROJECT / folder).rglob("*.py"):
            assert not made.search(path.read_text(encoding="utf-8")), path


@pytest.mark.django_db
def test_a_rule_is_two_steps_from_the_home_page(client: Client) -> None:
    """Search stands on every page; what is typed in either language is found."""
    home = client.get("/").content.decode()
    assert 'href="/rules/"' in home
    assert 'role="search"' in home
    for words, slug in (
        ("assertion", "statements"),
        ("Asercja", "statements"),
        ("cofnięcie wpisu", "log-here"),
        ("miejsce przy stole", "people-of-a-table"),
        ("log.archived", "log-here"),
        ("guide.circle", "flaws-of-a-guide"),
        ("Trauma", "trauma"),
        ("Złote zasady", "golden-rule"),
    ):
        shown = client.get("/rules/", {"q": words}).content.decode()
        first = re.search(
            r'<a [^>]*href="/rules/([a-z-]+)/"', shown.partition("found")[2]
        )
        assert first, words
        assert first[1] == slug, words
        assert client.get(f"/rules/{slug}/").status_code == 200


def test_every_entry_of_keeping_is_found_by_all_its_names() -> None:
    for entry in LIBRARY.values():
        if entry.topic == "keeping":
            for name in entry.names:
                assert entry in find(LIBRARY, name)[:3], name


def test_one_template_shows_the_rule_behind_a_finding() -> None:
    """Ids and citations stand behind “Why?”, so that a finding is a sentence."""
    shown = re.compile(
        r"(?:{{ *|=)(?:note|offer|each|shown|finding|line)\.(?:flaw\.)?(?:rule|cites)\b"
        r"(?!\|cut)"
    )
    templates = PROJECT / "templates"
    assert [
        str(path.relative_to(templates))
        for path in sorted(templates.rglob("*.html"))
        if shown.search(path.read_text(encoding="utf-8"))
    ] == ["library/_why.html"]
