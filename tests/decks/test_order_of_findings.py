"""In every interface illegal findings come first, then missing cards, then advice."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from arkham.rules.checking import check_line, read_request
from arkham.rules.finding import Severity
from arkham.rules.legality import check, judge_of
from arkham.rules.snapshot import embedded_pool
from tests.decks.building import a_draft, press

PROJECT = Path(__file__).resolve().parents[2]
CORPUS = sorted((PROJECT / "tests/rules/corpus/decks").glob("*/*.toml"))
# Roland with a card too many of one title, without his signatures, with one he must not
# have, and with choices left open: findings of every weight.
MIXED: dict[str, Any] = {
    "investigator_code": "01001",
    "slots": {"01020": 4, "01060": 1, "01000": 1, "53001": 1, "02190": 2},
}
WORDS = ("illegal", "incomplete", "advice")

pytestmark = pytest.mark.usefixtures("rows")


def in_order(severities: list[str]) -> bool:
    """Return whether no finding comes after a less severe one."""
    return severities == sorted(severities, key=WORDS.index)


def of(findings: list[dict[str, Any]]) -> list[str]:
    """Return the severities of a response, of which there are several."""
    severities = [each["severity"] for each in findings]
    assert len(set(severities)) > 1
    return severities


def posted(path: str, body: Any) -> Any:
    """Return the API's response."""
    answer = Client().post(path, json.dumps(body), content_type="application/json")
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)


def test_verdicts_of_the_corpus_are_in_order() -> None:
    judge = judge_of(embedded_pool())
    several = 0
    for path in CORPUS:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        terms = data.get("circumstances", {})
        asked = read_request({"deck": data["deck"], "circumstances": terms})
        findings = check(judge, asked.deck, asked.circumstances).findings
        severities = [each.severity.word for each in findings]
        assert in_order(severities), path.name
        several += len(set(severities)) > 1
    assert several > 10
    assert {each.word for each in Severity} == set(WORDS)


def test_the_shell_and_the_api_are_in_order() -> None:
    line, _ = check_line(json.dumps(MIXED).encode(), 1, judge_of(embedded_pool()))
    one = posted("/api/v1/legality", MIXED)
    many = posted("/api/v1/legality/batch", [MIXED])
    priced = posted("/api/v1/upgrades/price", {"prev": MIXED, "next": MIXED})

    assert in_order(of(json.loads(line)["findings"]))
    assert in_order(of(one["findings"]))
    assert in_order(of(many[0]["findings"]))
    assert in_order(of(priced["findings"]))


def test_the_page_is_in_order() -> None:
    page = Client().post("/", {"text": json.dumps(MIXED)}, follow=True)
    text = page.content.decode()

    shown = re.findall(r'<li class="finding (\w+)', text)
    assert len(set(shown)) > 1
    assert in_order(shown)


def test_a_finding_has_a_sentence_a_rule_and_a_remedy(client: Client) -> None:
    """On the deck's page and on a shared verdict; the rule is behind “Why?”."""
    deck = a_draft(client)
    press(client, deck, do="add=01020:3")
    shared = client.post(f"/decks/{deck.pk}/share")["Location"]
    for address in (f"/decks/{deck.pk}/", shared):
        page = client.get(address).content.decode()
        finding = page.partition("3 copies of ")[2].partition("</li>")[0]
        sentence, opened, behind = finding.partition('<details class="behind">')
        behind, closed, remedy = behind.partition("</details>")
        assert opened, address
        assert closed, address
        assert "<summary>Why?</summary>" in behind
        assert "<code" in behind
        assert "Remove 1" in remedy
        assert "<code" not in sentence + remedy
        assert "FAQ" not in remedy
        assert "<code" in behind


def test_a_finding_is_not_repeated(client: Client) -> None:
    """Only an opened row repeats those of the list."""
    deck = a_draft(client)
    press(client, deck, do="set=01020:2 add=01020")
    page = client.get(f"/decks/{deck.pk}/edit").content.decode()
    row = page.partition('id="card-01020"')[2].partition("</li>")[0]
    closed, _details, opened = row.partition('<div class="inside">')
    assert "at most 2 are allowed" in page.partition('id="card-')[0]
    assert "at most 2 are allowed" not in closed
    assert "at most 2 are allowed" in opened.partition("</details>")[0]
    assert "at most 2 are allowed" not in opened.partition("</details>")[2]
