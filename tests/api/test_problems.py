"""The API's problem documents, whatever went wrong."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from decks.api import bodies
from tests.conftest import PROJECT

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.urls")]


def send(body: bytes | str, path: str = "raw", **headers: str) -> tuple[int, Any]:
    """POST a body as JSON; return status and document."""
    client = Client(raise_request_exception=False)
    answer = client.generic(
        "POST",
        f"/api/v1/{path}",
        body if isinstance(body, bytes) else body.encode(),
        content_type=headers.pop("content_type", "application/json"),
        headers=headers,
    )
    document = json.loads(answer.content)
    if answer.status_code >= 400:
        assert answer["Content-Type"] == "application/problem+json"
        assert document["status"] == answer.status_code
        assert document["instance"] == f"/api/v1/{path}"
        assert {"type", "title", "detail"} <= document.keys()
    return answer.status_code, document


def test_valid_json_is_read() -> None:
    """A byte order mark is ignored."""
    assert send('{"a": [1, 2.5, null, "é"]}') == (200, {"a": [1, 2.5, None, "é"]})
    assert send(b"\xef\xbb\xbf[]") == (200, [])


@pytest.mark.parametrize(
    ("body", "place", "pointer"),
    [
        ('{"a": 1,\n  }', (2, 3), ""),
        (" ", (1, 2), ""),
        ('{"a": 1} x', (1, 10), ""),
        ('{"a": 1, "b": 2, "a": 3}', (1, 18), "/a"),
        ('{"a": NaN}', (1, 7), "/a"),
        ('{"a": -Infinity}', (1, 7), "/a"),
        ("[" * 100_000, (1, 1), ""),
        ('{"a": ' + "9" * 5000 + "}", (1, 7), "/a"),
        ('{"a": "\\ud800"}', (1, 8), ""),
    ],
)
def test_invalid_json_is_refused_with_its_place(
    body: str, place: tuple[int, int], pointer: str
) -> None:
    """400; line, column and pointer as numbers and text, for editors that jump."""
    status, document = send(body)

    assert status == 400
    assert document["type"] == "urn:orne:problem:not-json"
    assert (document["line"], document["column"]) == place
    assert document["pointer"] == pointer
    assert document["detail"].endswith(".")
    assert document["expected"]


def test_invalid_utf8_is_refused() -> None:
    """400 with the position of the first wrong byte."""
    status, document = send(b'{"a": "\xff"}')

    assert status == 400
    assert document["detail"] == "Byte 7 of the body is not UTF-8."


def test_a_large_body_is_refused(settings: Settings) -> None:
    """413 from the first byte above the limit."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10

    assert send('"12345678"')[0] == 200
    status, document = send('"123456789"')

    assert status == 413
    assert "10 bytes" in document["detail"]


def test_another_content_type_is_refused() -> None:
    """415, with the supported types."""
    status, document = send("a=1", content_type="application/x-www-form-urlencoded")

    assert status == 415
    assert document["expected"] == "application/json"
    assert "application/json" in document["detail"]


def test_another_accepted_type_is_refused() -> None:
    """406."""
    assert send("{}", accept="text/html")[0] == 406


def test_every_fault_of_a_body_has_its_pointer() -> None:
    """422, with the places as JSON pointers."""
    body = {"entries": [{"code": "01001", "quantity": 1}, {"code": "toolong"}]}

    status, document = send(json.dumps(body), "echo")

    assert status == 422
    assert [error["pointer"] for error in document["errors"]] == [
        "/name",
        "/entries/1/code",
        "/entries/1/quantity",
    ]
    assert document["pointer"] == "/name"
    assert document["errors"][0]["detail"] == "This field is required."


def test_at_most_a_hundred_faults_are_listed() -> None:
    """A small body could otherwise get a response of megabytes."""
    entries = [{"code": "toolong", "quantity": 1}] * 300

    status, document = send(json.dumps({"name": "a", "entries": entries}), "echo")

    assert (status, len(document["errors"])) == (422, 100)


@pytest.mark.parametrize("body", ["[]", '"text"', "3", "null"])
def test_a_body_of_another_type_is_refused_as_a_whole(body: str) -> None:
    """422 at the root."""
    status, document = send(body, "echo")

    assert (status, document["pointer"]) == (422, "")


def raised(how: str) -> tuple[int, Any]:
    """GET the view that fails in this way; return status and document."""
    answer = APIClient(raise_request_exception=False).get(f"/api/v1/raises/{how}")
    assert answer["Content-Type"] == "application/problem+json"
    return answer.status_code, json.loads(answer.content)


@pytest.mark.parametrize(
    ("how", "status"),
    [("404", 404), ("403", 403), ("suspicious", 400), ("bug", 500)],
)
def test_every_failure_is_a_problem(how: str, status: int) -> None:
    """Django's exceptions and bugs too; details of a bug are not shown."""
    answered, document = raised(how)

    assert (answered, document["status"]) == (status, status)
    assert document["type"] == "about:blank"
    assert "a bug" not in json.dumps(document)


def test_a_fault_of_the_query_names_the_parameter() -> None:
    """400."""
    status, document = raised("query")

    assert status == 400
    assert document["parameter"] == "page_size"
    assert document["errors"] == [{"parameter": "page_size", "detail": "Not a number."}]


def test_a_view_may_add_to_the_problem() -> None:
    """A type, a title and members of its own."""
    status, document = raised("problem")

    assert status == 409
    assert document == {
        "type": "urn:orne:problem:twice",
        "title": "Twice",
        "status": 409,
        "detail": "Already there.",
        "instance": "/api/v1/raises/problem",
        "findings": [1],
    }


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize(
    "path", ["/api/v1/nothing", "/api/v1/nothing/", "/api/nothing", "/api"]
)
def test_an_unknown_address_is_a_problem(
    client: Client, settings: Settings, path: str, debug: bool
) -> None:
    """With DEBUG on too, where Django would render a page."""
    settings.DEBUG = debug

    answer = client.get(path)

    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["instance"] == path


@pytest.mark.parametrize(
    "path", ["/api/v1/decks/a%20b/", "/api/v1/decks/%D9%A3/", "/api/v1/%00"]
)
def test_the_instance_of_a_problem_is_a_valid_uri(client: Client, path: str) -> None:
    """A URI reference has no blanks and no letters outside ASCII."""
    assert client.get(path).json()["instance"] == path


@pytest.mark.urls("arkham.urls")
@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1", 404),
        ("GET", "/v1/public/nothing", 404),
        ("POST", "/v1/nothing/", 404),
        ("PUT", "/v1/public/share/nothing", 405),
        ("GET", "/oauth/v2/token", 405),
    ],
)
def test_other_addresses_of_programs_refuse_with_problems(
    settings: Settings, method: str, path: str, status: int, debug: bool
) -> None:
    """Those of arkham.build and of OAuth 2, without a token against forgery."""
    settings.DEBUG = debug
    answer = Client(enforce_csrf_checks=True).generic(method, path)

    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["instance"] == path


@pytest.mark.urls("arkham.urls")
@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/api/v1", "/api/v1/"),
        ("/api/v1/cards?q=a%26b&page=2", "/api/v1/cards/?q=a%26b&page=2"),
        ("/api/v1/cards/01020", "/api/v1/cards/01020/"),
        ("/api/v1/legality/", "/api/v1/legality"),
        ("/api/docs/", "/api/docs"),
        ("/api/v1/decks/7/games/", "/api/v1/decks/7/games"),
        ("/api/v1/decks/7/compare/?after=2", "/api/v1/decks/7/compare?after=2"),
        ("/api/v1/decks/7/exports/json/", "/api/v1/decks/7/exports/json"),
        (
            "/api/v1/campaigns/7/seats/8/retirement/",
            "/api/v1/campaigns/7/seats/8/retirement",
        ),
    ],
)
def test_a_missing_or_extra_slash_redirects(
    client: Client, path: str, meant: str
) -> None:
    """The method and the body are kept."""
    for method in ("GET", "POST"):
        answer = client.generic(method, path, b"{}", "application/json")

        assert answer.status_code == 308
        assert answer["Location"] == meant


@pytest.mark.urls("arkham.urls")
@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/cards//",
        "/api/v1/nothing",
        "/api/public/card/01020//",  # two are no slip
        "/api//evil.example/",
        "/api/v1/%3Fcards",
    ],
)
def test_an_address_wrong_otherwise_is_not_redirected(
    client: Client, path: str
) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.urls("arkham.urls")
@pytest.mark.parametrize(
    ("method", "path", "accept", "detail"),
    [
        ("PUT", "/api/v1/decks/", "*/*", "Expected: Authorization: Bearer, with a key"),
        ("PUT", "/api/v1/legality", "*/*", "Expected method: POST, OPTIONS."),
        ("GET", "/api/v1/packs/", "text/html", "an Accept header that takes appl"),
    ],
)
def test_a_refusal_names_what_is_expected(
    method: str, path: str, accept: str, detail: str
) -> None:
    answer = Client().generic(method, path, headers={"Accept": accept})

    assert detail in answer.json()["detail"]


def test_another_method_is_a_problem(api: APIClient) -> None:
    """405 with the allowed methods."""
    answer = api.delete("/api/v1/echo")

    assert answer.status_code == 405
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["Allow"] == "POST, OPTIONS"


@pytest.mark.parametrize(
    ("rate", "words"), [("2/min", "Wait a moment"), ("2/hour", "Try again in 60 min")]
)
def test_a_throttled_request_gets_retry_after(
    api: APIClient, monkeypatch: pytest.MonkeyPatch, rate: str, words: str
) -> None:
    """429 with Retry-After in seconds, and in words: an hour is no moment."""
    from rest_framework.throttling import AnonRateThrottle

    monkeypatch.setattr(AnonRateThrottle, "THROTTLE_RATES", {"anon": rate})

    answers = [api.get("/api/v1/") for _request in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2]["Content-Type"] == "application/problem+json"
    assert 0 < int(answers[2]["Retry-After"]) <= (60 if rate == "2/min" else 3600)
    assert answers[2].json()["detail"].startswith(words)


@pytest.mark.parametrize(
    ("header", "status"),
    [
        (None, 428),
        ('"7-2"', 412),
        ('W/"7-2"', 412),
        ('W/"7-3"', 204),
        ('"7-3"', 204),
        ('"7-2", "7-3"', 204),
        ("*", 204),
    ],
)
def test_a_change_needs_the_current_revision(
    api: APIClient, header: str | None, status: int
) -> None:
    """428 without If-Match, 412 with another revision's."""
    headers = {"If-Match": header} if header else {}

    answer = api.put("/api/v1/revisioned", headers=headers)

    assert answer.status_code == status
    if status in (412, 428):
        assert answer.json()["etag"] == '"7-3"'
    if status == 412:
        assert answer.json()["current"] == {"name": "what is there"}
        assert (answer.json()["yours"], answer.json()["base"]) == (None, None)


OF_APPS = {"insufficient-scope"}  # the OAuth 2 API says it in ArkhamDB's form


def test_programs_find_every_type_in_the_documentation() -> None:
    """And no other: programs tell refusals apart by them."""
    text = (PROJECT / "docs" / "programs.md").read_text("utf-8")
    table = text.partition("| Type: `urn:orne:problem:` |")[2].partition("\n\n")[0]
    rows = (line.split("|")[1] for line in table.splitlines()[2:])
    listed = {name for row in rows for name in re.findall(r"`([a-z0-9-]+)`", row)}

    raised = {
        each.name for each in vars(bodies).values() if type(each) is bodies.Refusal
    }
    for app in ("arkham", "campaigns", "cardpool", "decks"):
        for path in (PROJECT / app).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                raised |= _kinds_of(node)
    assert listed == raised - OF_APPS


def _kinds_of(node: ast.AST) -> set[str]:
    """The types of problems that a call names."""
    if not isinstance(node, ast.Call):
        return set()
    called = ast.unparse(node.func).rpartition(".")[2]
    if called not in ("Problem", "problem_response", "problem_or_page", "document"):
        return set()
    named = (each.value for each in node.keywords if each.arg == "kind")
    return {str(each.value) for each in named if isinstance(each, ast.Constant)}
