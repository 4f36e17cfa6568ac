"""The legality endpoint: the shell's results over HTTP, without an account."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings
from rest_framework.throttling import SimpleRateThrottle

from arkham.rules.checking import check_line
from arkham.rules.legality import judge_of
from arkham.rules.snapshot import embedded_pool
from decks.api import examples

pytestmark = pytest.mark.django_db
ONE, BATCH = "/api/v1/legality", "/api/v1/legality/batch"
DECK = {"id": 1, "investigator_code": "01001", "slots": {"01006": 1}}


def send(
    path: str, body: Any, content_type: str = "application/json", **headers: str
) -> tuple[int, Any]:
    """POST a body (other values are written as JSON); return status and document."""
    if not isinstance(body, bytes | str):
        body = json.dumps(body)
    answer = Client().generic(
        "POST", path, body, content_type, headers=headers, CONTENT_TYPE=content_type
    )
    document = json.loads(answer.content)
    if answer.status_code == 200:
        assert answer["Content-Type"] == "application/json"
    else:
        assert answer["Content-Type"] == "application/problem+json"
        assert document["status"] == answer.status_code
        assert document["instance"] == path
    return answer.status_code, document


def test_the_response_is_the_shells() -> None:
    """To the letter."""
    text = json.dumps(examples.HELD)
    answer, _ = check_line(text.encode(), 1, judge_of(embedded_pool()))

    assert send(ONE, text) == (200, json.loads(answer))


def _lasting(document: Any) -> Any:
    """An answer without its words, which may be bettered, and the data's version."""
    match document:
        case dict():
            return {
                key: _lasting(value)
                for key, value in document.items()
                if key not in ("message", "remedy", "pool_version")
            }
        case list():
            return [_lasting(each) for each in document]
    return document


def test_the_examples_are_true() -> None:
    """Responses equal those of the description."""
    status, verdict = send(ONE, examples.DECK)
    assert (status, _lasting(verdict)) == (200, _lasting(examples.VERDICT))
    assert verdict.keys() == examples.VERDICT.keys()

    status, answers = send(BATCH, examples.BATCH)
    assert (status, _lasting(answers)) == (200, _lasting(examples.BATCH_ANSWER))


def test_a_request_takes_one_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """For the version of the data in use; a batch takes no more."""
    with django_assert_num_queries(1):
        send(ONE, DECK)
    with django_assert_num_queries(1):
        send(BATCH, [DECK] * 20)


def test_impossible_decks_get_findings() -> None:
    """Unknown codes, unknown investigators, too much of everything."""
    status, verdict = send(ONE, {**DECK, "investigator_code": "99999"})
    assert (status, verdict["legal"]) == (200, False)
    assert verdict["findings"][0]["rule"] == "deck.investigator"

    status, verdict = send(ONE, {**DECK, "slots": {"zzz": 10_000}})
    assert (status, verdict["legal"]) == (200, False)


def test_every_fault_of_the_body_is_reported_with_its_place() -> None:
    """422, and a pointer for each."""
    status, problem = send(
        ONE,
        {
            "id": [],
            "deck": {
                "investigator_code": 1001,
                "slots": {"01006": 1.5, "a/b": "2"},
                "taboo_id": True,
                "sideSlots": [1],
                "ignoreDeckLimitSlots": "",
                "name": {},
                "meta": '{"cus_09021": "x", "faction_1": 2}',
            },
            "circumstances": {"mode": "easy", "moon": 1},
            "decks": 1,
        },
    )

    assert (status, problem["type"]) == (422, "urn:orne:problem:invalid")
    assert problem["pointer"] == "/deck/investigator_code"
    assert [
        (each["pointer"], each["detail"], each["expected"])
        for each in problem["errors"][:2]
    ] == [
        ("/deck/investigator_code", "This is a whole number.", "a card code"),
        (
            "/deck/slots/01006",
            "1.5 isn’t a number of copies.",
            "a whole number from 0 to 10,000",
        ),
    ]
    assert [each["pointer"] for each in problem["errors"]] == [
        "/deck/investigator_code",
        "/deck/slots/01006",
        "/deck/slots/a~1b",
        "/deck/sideSlots",
        "/deck/ignoreDeckLimitSlots",
        "/deck/taboo_id",
        "/deck/name",
        "/deck/meta/cus_09021",
        "/deck/meta/faction_1",
        "/circumstances/mode",
        "/circumstances/moon",
        "/id",
        "/decks",
    ]
    assert all("line" not in each for each in problem["errors"])


def test_circumstances_must_name_known_cards() -> None:
    """By their titles as printed, and their codes."""
    told = {
        "ultimatums": ["scream"],
        "banned_titles": ["Beat Cop", "beat cop", "Nobody at all"],
        "lost_cards": ["01018", "99999"],
        "given_signatures": ["{x}"],
    }
    status, problem = send(ONE, {"deck": DECK, "circumstances": told})

    assert (status, problem["type"]) == (422, "urn:orne:problem:invalid")
    at = "/circumstances/"
    title, code = "the title of a card", "a card code"
    assert [
        (each["pointer"], each["detail"], each["expected"])
        for each in problem["errors"]
    ] == [
        (f"{at}banned_titles", "No card has the title Nobody at all.", title),
        (f"{at}banned_titles", "No card has the title beat cop.", "Beat Cop"),
        (f"{at}lost_cards", "No card has the code 99999.", code),
        (f"{at}given_signatures", "No card has the code {x}.", code),
    ]
    status, answers = send(BATCH, [DECK, {"deck": DECK, "circumstances": told}])
    assert status == 200
    assert [each.get("problem", {}).get("status") for each in answers] == [None, 422]
    upgrade = {"prev": DECK, "next": DECK, "circumstances": told}
    assert send("/api/v1/upgrades/price", upgrade)[0] == 422
    told["banned_titles"] = ["Beat Cop"]
    del told["lost_cards"], told["given_signatures"]
    assert send(ONE, {"deck": DECK, "circumstances": told})[0] == 200


@pytest.mark.parametrize(
    ("body", "detail", "pointer", "line", "column"),
    [
        ("", "A value is missing or broken here.", "", 1, 1),
        ('{\n"slots"}', "The key has no value.", "", 2, 8),
        (b'{"name": "\xff"}', "Byte 0xff isn’t readable text.", "", 1, 11),
        (
            '{"slots": {"a": 1,\n  "a": 2}}',
            "/slots/a: The key “a” is there twice.",
            "/slots/a",
            2,
            3,
        ),
    ],
)
def test_invalid_json_is_refused_with_its_place(
    body: str | bytes, detail: str, pointer: str, line: int, column: int
) -> None:
    """400, with line and column."""
    status, problem = send(ONE, body)

    assert (status, problem["type"]) == (400, "urn:orne:problem:not-json")
    assert (problem["detail"], problem["pointer"]) == (detail, pointer)
    assert (problem["line"], problem["column"]) == (line, column)


def test_a_fault_in_meta_says_where_in_meta() -> None:
    """Its text is JSON of its own; line and column count in it."""
    status, problem = send(ONE, {**DECK, "meta": '{"a":}'})

    assert status == 422
    assert problem["errors"] == [
        {
            "detail": "A value is missing or broken here.",
            "expected": "a JSON value",
            "pointer": "/meta",
            "line": 1,
            "column": 6,
        }
    ]


def test_other_types_and_methods_are_refused() -> None:
    """415 and 406; 405 for other methods."""
    assert send(ONE, DECK, "text/plain")[0] == 415
    assert send(ONE, DECK, "")[0] == 415
    assert send(ONE, "", "")[0] == 415
    assert send(ONE, DECK, "application/x-ndjson")[0] == 415
    status, refused = send(ONE, DECK, **{"Content-Encoding": "gzip"})
    assert (status, refused["detail"]) == (
        415,
        "Expected: a body without Content-Encoding.",
    )
    types = "application/json, application/x-ndjson, application/jsonl"
    assert send(BATCH, DECK, "text/plain")[1]["expected"] == types
    assert send(ONE, DECK, Accept="text/csv")[0] == 406
    for path in (ONE, BATCH):
        answer = Client().get(path)
        assert (answer.status_code, answer["Allow"]) == (405, "POST, OPTIONS")


class Untouched(io.BytesIO):
    """A body that must not be read."""

    def read(self, size: int | None = -1) -> bytes:
        """Fail the test."""
        raise AssertionError("the body was read")


@pytest.mark.parametrize(("path", "limit"), [(ONE, 1_048_576), (BATCH, 10_485_760)])
def test_a_body_too_large_is_refused_unread(path: str, limit: int) -> None:
    """413, by its Content-Length."""
    request = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(limit + 1),
        "wsgi.input": Untouched(),
    }

    problem = json.loads(Client().request(**request).content)

    assert (problem["status"], problem["type"]) == (413, "urn:orne:problem:too-large")
    assert str(limit) in problem["detail"]


def test_a_body_as_large_as_allowed_is_read() -> None:
    """To the last byte."""
    text = json.dumps(DECK)

    assert send(ONE, text + " " * (1_048_576 - len(text)))[0] == 200
    assert send(ONE, text + " " * (1_048_577 - len(text)))[0] == 413


# -- batches --


def test_a_batch_is_answered_in_order() -> None:
    """Whether it is an array or JSON lines."""
    decks = [{**DECK, "id": number} for number in range(1000)]
    one_a_line = "".join(json.dumps(deck) + "\n" for deck in decks)

    for status, answers in (
        send(BATCH, decks),
        send(BATCH, one_a_line, "application/x-ndjson"),
        send(BATCH, one_a_line, "application/jsonl; charset=utf-8"),
    ):
        assert status == 200
        assert [each["id"] for each in answers] == list(range(1000))
        assert {each["status"] for each in answers} == {"incomplete"}


def test_an_empty_batch_gets_an_empty_response() -> None:
    """An empty array, and no line."""
    assert send(BATCH, []) == (200, [])
    assert send(BATCH, "", "application/x-ndjson") == (200, [])


def test_a_bad_deck_in_an_array_spoils_only_itself() -> None:
    """Its pointers lead into the body."""
    status, answers = send(
        BATCH,
        '[{"id":0,"investigator_code":"01001","slots":{}},'
        '{"id":"one","investigator_code":"01001","slots":{"a":1.5}},'
        '{"id":2,"investigator_code":"01001","slots":{"a":1,"a":2}},'
        '3,{"id":4,"investigator_code":"01001","slots":{}}]',
    )

    assert status == 200
    assert [each["id"] for each in answers] == [0, "one", None, None, 4]
    assert ["problem" in each for each in answers] == [False, True, True, True, False]
    problems = [each["problem"] for each in answers[1:4]]
    assert [
        (each["status"], each["type"], each["pointer"], each["detail"])
        for each in problems
    ] == [
        (
            422,
            "urn:orne:problem:invalid",
            "/1/slots/a",
            "/1/slots/a: 1.5 isn’t a number of copies.",
        ),
        (
            400,
            "urn:orne:problem:not-json",
            "/2/slots/a",
            "/2/slots/a: The key “a” is there twice.",
        ),
        (422, "urn:orne:problem:invalid", "/3", "/3: The deck is a whole number."),
    ]
    assert {each["instance"] for each in problems} == {BATCH}


def test_a_bad_line_spoils_only_itself() -> None:
    """Its pointers lead into the line, whose number is given."""
    status, answers = send(
        BATCH,
        b'{"id":1,"investigator_code":"01001","slots":{}}\n\n{\n\xff\n'
        b'{"id":5,"slots":{}}\n'
        + b'"'
        + b"x" * 1_048_576
        + b'"\r\n'
        + b'{"id":7,"investigator_code":"01001","slots":{}}',
        "application/x-ndjson",
    )

    assert status == 200
    assert [each["id"] for each in answers] == [1, None, None, None, 5, None, 7]
    problems = [each["problem"] for each in answers[1:6]]
    assert [(each["status"], each["line"], each["pointer"]) for each in problems] == [
        (400, 2, ""),
        (400, 3, ""),
        (400, 4, ""),
        (422, 5, "/investigator_code"),
        (413, 6, ""),
    ]
    assert problems[1]["column"] == 2


def test_more_than_a_thousand_decks_are_refused() -> None:
    """422, array and lines alike."""
    status, problem = send(BATCH, [DECK] * 1001)
    assert (status, problem["pointer"]) == (422, "/1000")
    assert send(BATCH, "{}\n" * 1001, "application/x-ndjson")[0] == 422
    assert send(BATCH, "{}\n" * 1000, "application/x-ndjson")[0] == 200


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ('{"a":1}', 422, ""),
        ("null", 422, ""),
        ("[1,", 400, ""),
        ("[1] 2", 400, ""),
        ("", 400, ""),
        (b"[\xff]", 400, ""),
        ("[1," + "[" * 100_000, 400, "/1"),
        ('[1,"' + "x" * 1_048_577 + '"]', 413, "/1"),
    ],
)
def test_a_batch_that_is_no_array_is_refused_whole(
    body: str | bytes, status: int, pointer: str
) -> None:
    """Its items can't be distinguished."""
    found, problem = send(BATCH, body)

    assert (found, problem["pointer"]) == (status, pointer)


# -- strangers and throttles --


def test_scripts_of_any_site_may_use_it() -> None:
    """The preflight is answered; no cookie is ever required or set."""
    client = Client(enforce_csrf_checks=True)
    preflight = client.options(
        ONE,
        headers={
            "Origin": "https://elsewhere.example",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type",
        },
    )
    assert preflight.status_code == 204
    assert preflight["Access-Control-Allow-Origin"] == "*"
    assert "POST" in preflight["Access-Control-Allow-Methods"]
    assert "Content-Type" in preflight["Access-Control-Allow-Headers"]

    answer = client.post(
        ONE,
        DECK,
        content_type="application/json",
        headers={"Origin": "https://elsewhere.example"},
    )
    assert answer.status_code == 200
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert not answer.cookies


def test_strangers_are_throttled_and_batches_count_as_twenty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """429 says when to retry."""
    rates = {"legality": "50/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)

    assert [send(BATCH, [])[0] for _ in range(3)] == [200, 200, 429]
    assert [send(ONE, DECK)[0] for _ in range(11)] == [200] * 10 + [429]

    for path in (ONE, BATCH):
        answer = Client().post(path, DECK, content_type="application/json")
        assert answer.status_code == 429
        assert 1 <= int(answer["Retry-After"]) <= 60
        assert answer.json()["type"] == "urn:orne:problem:throttled"


def test_the_rate_is_generous(settings: Settings) -> None:
    """Twenty single decks a second, or sixty batches a minute."""
    assert settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]["legality"] == "1200/min"


def test_the_root_links_to_both_endpoints() -> None:
    """A program that knows one address finds the others."""
    links = Client().get("/api/v1/").json()["links"]

    assert links["legality"] == "http://testserver/api/v1/legality"
    assert links["legality_batch"] == "http://testserver/api/v1/legality/batch"
