"""The odds endpoint: exact results, clear refusals."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from campaigns.api import bodies

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/odds"


def send(body: Any, **headers: str) -> tuple[int, Any]:
    """POST a body; return status and document."""
    text = body if isinstance(body, str) else json.dumps(body)
    answer = Client().post(ADDRESS, text, "application/json", headers=headers)
    document = json.loads(answer.content)
    if answer.status_code != 200:
        assert answer["Content-Type"] == "application/problem+json"
        assert document["instance"] == ADDRESS
    return answer.status_code, document


def test_the_example_is_true() -> None:
    assert send(bodies.QUESTION) == (200, bodies.ANSWER)


def test_only_bag_and_difficulty_are_required() -> None:
    status, answer = send({"bag": {"0": 1, "auto_fail": 1}, "difficulty": 2})
    assert status == 200
    assert [each["odds"] for each in answer["passing"]] == ["0"] * 2 + ["1/2"] * 11
    assert answer["automatic_failure"] == {"odds": "1/2", "value": 0.5}
    assert answer["findings"] == []


def test_a_choice_has_no_modifiers_of_its_own() -> None:
    asked = {**bodies.QUESTION, "reveal": "1 of 5", "skills": [3]}
    status, answer = send(asked)
    assert status == 200
    assert answer["modifiers"] is None
    assert answer["automatic_failure"] is None
    (passing,) = answer["passing"]
    assert passing["value"] > 0.9


def test_a_bag_beyond_its_limits_is_a_finding() -> None:
    """An eleventh bless, a sealed one counted; the odds are returned all the same."""
    asked = {"bag": {"bless": 10, "0": 1}, "sealed": {"bless": 1}, "difficulty": 1}
    status, answer = send(asked)
    assert status == 200
    assert [each["rule"] for each in answer["findings"]] == ["bag.bless"]
    assert answer["passing"][1]["odds"] == "1"


def test_ignored_tokens_are_reported() -> None:
    status, answer = send({"bag": {"skull": 1}, "difficulty": 1})
    assert status == 200
    (finding,) = answer["findings"]
    assert (finding["rule"], finding["severity"]) == ("odds.untold", "advice")


def test_too_many_chains_are_refused() -> None:
    kinds = ("skull", "cultist", "tablet", "elder_thing", "elder_sign")
    asked = {
        "bag": {"bless": 15, "curse": 15, "frost": 15, **dict.fromkeys(kinds, 15)},
        "meanings": {
            kind: {"modifier": -place, "reveal_another": True}
            for place, kind in enumerate(kinds)
        },
        "difficulty": 3,
        "reveal": "1 of 5",
    }
    status, answer = send(asked)
    assert status == 200
    assert answer["passing"] is None
    assert "odds.too-many-chains" in [each["rule"] for each in answer["findings"]]


@pytest.mark.parametrize(
    ("asked", "pointer", "expected"),
    [
        ([], "", "a {…} block"),
        ({"difficulty": 1}, "/bag", "a {…} block: kind of token → number"),
        ({"bag": {}}, "/difficulty", "a whole number from 0 to 40"),
        ({"bag": {"0": -1}, "difficulty": 1}, "/bag/0", "a whole number from 0 to 15"),
        (
            {"bag": {"0": True}, "difficulty": 1},
            "/bag/0",
            "a whole number from 0 to 15",
        ),
        ({"bag": {}, "difficulty": "3"}, "/difficulty", "a whole number from 0 to 40"),
        ({"bag": {}, "difficulty": 1, "x": 1}, "/x", "reveal"),
        ({"bag": {"squid": 1}, "difficulty": 1}, "/bag/squid", "skull"),
        ({"bag": {}, "difficulty": 1, "reveal": "4 of 5"}, "/reveal", "1 of 5"),
        ({"bag": {}, "difficulty": 1, "skills": [41]}, "/skills/0", "40"),
        (
            {"bag": {}, "difficulty": 1, "meanings": {"frost": {}}},
            "/meanings/frost",
            "elder_sign",
        ),
        (
            {"bag": {}, "difficulty": 1, "meanings": {"skull": {"modifier": 2.5}}},
            "/meanings/skull/modifier",
            "a whole number from -20 to 20",
        ),
    ],
)
def test_an_invalid_body_is_refused(asked: Any, pointer: str, expected: str) -> None:
    status, problem = send(asked)
    assert status == 422
    assert problem["pointer"] == pointer
    assert expected in problem["errors"][0]["expected"]


def test_every_fault_is_reported() -> None:
    status, problem = send({"bag": {"squid": 1, "0": -1}, "difficulty": -1, "y": 0})
    assert status == 422
    assert [each["pointer"] for each in problem["errors"]] == [
        "/y", "/bag/squid", "/bag/0", "/difficulty",
    ]  # fmt: skip


def test_invalid_json_is_refused() -> None:
    assert send("{")[0] == 400


def test_any_site_may_ask() -> None:
    answer = Client().post(
        ADDRESS,
        json.dumps(bodies.QUESTION),
        "application/json",
        headers={"Origin": "https://elsewhere.example"},
    )
    assert answer["Access-Control-Allow-Origin"] == "*"
