"""Everything of ``bench/bad_input.py`` at both doors: findings or refusals, no 500."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from arkham.rules.checking import Outcome, check_line, read_request
from arkham.rules.legality import Judge, check, judge_of
from arkham.rules.notation.places import position_of
from arkham.rules.snapshot import embedded_pool
from arkham.web.request_limits import Throttle
from bench.bad_input import BATCHES, DECKS, MEGABYTE, Bad

PROJECT = Path(__file__).resolve().parents[2]
ONE, BATCH = "/api/v1/legality", "/api/v1/legality/batch"


@pytest.fixture(autouse=True)
def _no_throttles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Throttle, "allow_request", lambda *_: True)


@pytest.fixture(scope="module")
def judge() -> Judge:
    """The judge of the embedded pool."""
    return judge_of(embedded_pool())


def post(path: str, body: bytes, content_type: str) -> tuple[int, Any]:
    """Return status and document."""
    client = Client(raise_request_exception=False)
    answer = client.generic("POST", path, body, CONTENT_TYPE=content_type)
    return answer.status_code, json.loads(answer.content)


def rules_of(verdict: dict[str, Any]) -> set[str]:
    """Return the rules that have findings."""
    return {finding["rule"] for finding in verdict["findings"]}


@pytest.mark.django_db
@pytest.mark.parametrize("bad", DECKS.values(), ids=DECKS.keys())
def test_the_api_gives_findings_or_refuses(bad: Bad) -> None:
    """With findings if it can be judged, else with the place of the fault."""
    status, document = post(ONE, bad.body, "application/json")

    assert status == bad.status
    if status == 200:
        assert not (document["legal"] and document["complete"])
        assert bad.says in rules_of(document)
    else:
        assert document["status"] == status
        assert document.get("pointer", "") == bad.says
        assert document["detail"]


@pytest.mark.parametrize("bad", DECKS.values(), ids=DECKS.keys())
def test_the_shell_gives_the_same_results(bad: Bad, judge: Judge) -> None:
    """In one line each."""
    text, outcome = check_line(bad.body, 1, judge)
    answer = json.loads(text)

    assert "\n" not in text
    assert text.isascii()
    if bad.status == 200:
        assert outcome is Outcome.NOT_LEGAL
        assert bad.says in rules_of(answer)
        return
    assert outcome is Outcome.UNREADABLE
    error = answer["error"]
    assert error.keys() == {"line", "column", "message", "expected"}
    assert error["line"] == 1
    assert error["message"]
    assert error["expected"]
    if bad.says:
        assert error["message"].startswith(bad.says)


@pytest.mark.parametrize(
    "name", [name for name, bad in DECKS.items() if bad.status == 422 and bad.says]
)
def test_the_column_is_that_of_the_pointer(name: str, judge: Judge) -> None:
    """Programs that don't read pointers find the place as well."""
    bad = DECKS[name]
    text = bad.body.decode()

    error = json.loads(check_line(bad.body, 1, judge)[0])["error"]

    assert error["column"] == position_of(text, bad.says) + 1


@pytest.mark.django_db
@pytest.mark.parametrize(("kind", "bad"), BATCHES.values(), ids=BATCHES.keys())
def test_the_api_refuses_bad_batches(kind: str, bad: Bad) -> None:
    """As a whole, if its items can't be distinguished."""
    status, document = post(BATCH, bad.body, kind)

    assert (status, document["status"]) == (bad.status, bad.status)
    assert document.get("pointer", "") == bad.says


@pytest.mark.django_db
def test_a_batch_of_bad_input_is_answered_item_by_item(
    settings: Settings,
) -> None:
    """Each as it would be alone, unless it is no JSON at all."""
    settings.ORNE_BATCH_SECONDS, settings.ORNE_BATCH_BYTES = 60, 100 * MEGABYTE
    said = {
        name: bad
        for name, bad in DECKS.items()
        if bad.status in (200, 422) and len(bad.body) < MEGABYTE // 4
    }
    body = b"[" + b",".join(bad.body for bad in said.values()) + b"]"

    status, answers = post(BATCH, body, "application/json")

    assert status == 200
    assert len(answers) == len(said)
    for place, (bad, answer) in enumerate(zip(said.values(), answers, strict=True)):
        if bad.status == 200:
            assert bad.says in rules_of(answer)
        else:
            assert answer["problem"]["status"] == 422
            assert answer["problem"]["pointer"] == f"/{place}{bad.says}"


def test_absurd_decks_use_bounded_memory() -> None:
    """The caches stay bounded, whatever decks are sent."""
    judge = Judge(embedded_pool())
    slots = {
        printing.code: 2 for card in judge.pool.values() for printing in card.printings
    }
    for place, investigator in enumerate(judge.pool.investigators[:20]):
        deck = {"investigator_code": investigator.code, "slots": slots}
        asked = read_request({"deck": deck, "circumstances": {"experience": place}})
        assert not check(judge, asked.deck, asked.circumstances).legal

    standings = judge._kept._standings.values()
    assert sum(map(len, standings)) < 320_000


def _row(name: str, bad: Bad, judge: Judge) -> str:
    """Return the row that the table should have for it."""
    answer = json.loads(check_line(bad.body, 1, judge)[0])
    where = f"`{bad.says}`" if bad.says else "the whole"
    if bad.status == 200:
        return f"| {name} | 200 | finding {where} | {answer['status']} |"
    message = answer["error"]["message"].replace("|", "\\|")
    return f"| {name} | {bad.status} | {where} | {message} |"


def test_everything_is_listed_in_the_documents(judge: Judge) -> None:
    """With its results, and nothing else."""
    listed = (PROJECT / "docs" / "bad-input.md").read_text().splitlines()
    rows = [_row(name, bad, judge) for name, bad in DECKS.items()]
    rows += [
        f"| {name} | {bad.status} | {f'`{bad.says}`' if bad.says else 'the whole'} |"
        for name, (_kind, bad) in BATCHES.items()
    ]

    assert [row for row in listed if row.startswith("| ")] == rows
