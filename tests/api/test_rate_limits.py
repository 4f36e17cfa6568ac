"""Headers say what is left of each limit, and the numbers in the docs are right."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from environ import Env
from pytest_django import Settings
from rest_framework.settings import api_settings
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from arkham.accounts.models import User
from arkham.api_settings import rest_framework
from arkham.web import limits
from arkham.web.request_limits import Throttle
from campaigns.guides.files import BringingThrottle
from tests.api.helpers import DECK, views_of
from tests.conftest import PROJECT

pytestmark = pytest.mark.django_db

PACKS, LEGALITY = "/api/v1/packs/", "/api/v1/legality"
# Items of a structured field: a string and its parameters (RFC 9651).
ITEM = re.compile(r'"([a-z_]+)"((?:;[a-z]+=(?:\d+|"[a-z-]+"))+)')
# Throttles that views check by themselves, since they count only some requests.
OF_SINGLE_REQUESTS = (
    BringingThrottle,
    limits.JobsOfAccounts,
    limits.WebhooksOfAccounts,
    limits.ReportsOfVisitors,
    limits.ChangesOfStrangers,
)
Told = dict[str, dict[str, int | str]]


def _read(field: str) -> Told:
    """Parse a header into parameters by name; it must be valid throughout."""
    assert ITEM.sub("", field).replace(", ", "") == ""
    told: Told = {}
    for name, parameters in ITEM.findall(field):
        pairs = (each.split("=") for each in parameters.removeprefix(";").split(";"))
        told[name] = {
            key: int(value) if value.isdigit() else value.strip('"')
            for key, value in pairs
        }
    return told


def _limits(answer: Any) -> tuple[Told, Told]:
    """Return the policies and the state in the headers of a response."""
    policies, state = _read(answer["RateLimit-Policy"]), _read(answer["RateLimit"])
    assert policies.keys() == state.keys()
    assert all(each.keys() >= {"q", "w"} for each in policies.values())
    assert all(each.keys() == {"r", "t"} for each in state.values())
    return policies, state


def _rates(monkeypatch: pytest.MonkeyPatch, **rates: str) -> None:
    known = {**api_settings.DEFAULT_THROTTLE_RATES, **rates}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", known)


@pytest.mark.parametrize("path", ["api/v1/", "api/public/"])
def test_every_throttle_of_the_api_reports_its_limit(path: str) -> None:
    """One that did not would refuse without a warning."""
    seen = {
        throttle
        for _path, view in views_of(path)
        for throttle in (*view.throttle_classes, *OF_SINGLE_REQUESTS)
    }
    assert len(seen) > 1
    assert all(issubclass(each, Throttle) for each in seen)


def test_a_stranger_sees_what_is_left(api: APIClient) -> None:
    """Less with every request; no legacy headers are sent."""
    first, second = api.get(PACKS), api.get(PACKS)

    policies, state = _limits(first)
    assert policies["anon"] == {"q": 120, "w": 60}
    assert state["anon"] == {"r": 119, "t": 60}
    assert _limits(second)[1]["anon"]["r"] == 118
    assert not [name for name in first.headers if name.lower().startswith("x-rate")]


def test_a_key_has_its_own_count(program: APIClient) -> None:
    """Separate from its account's."""
    policies, state = _limits(program.get("/api/v1/decks/"))

    assert policies == {"user": {"q": 600, "w": 60}, "key": {"q": 300, "w": 60}}
    assert {name: each["r"] for name, each in state.items()} == {
        "user": 599,
        "key": 299,
    }


def test_unchanged_and_refused_responses_count_too(program: APIClient) -> None:
    """304, 404 and 422 report what is left, like 200."""
    tag = program.get("/api/v1/decks/")["ETag"]
    for answer, status in (
        (program.get("/api/v1/decks/", headers={"If-None-Match": tag}), 304),
        (program.get("/api/v1/decks/999999/"), 404),
        (program.post("/api/v1/decks/import", {"text": ""}, format="json"), 422),
    ):
        assert answer.status_code == status
        assert int(_limits(answer)[1]["key"]["r"]) < 299


def test_a_throttled_program_gets_a_time_to_retry(
    api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit's reset is that of Retry-After."""
    _rates(monkeypatch, anon="1/min")
    api.get(PACKS)
    answer = api.get(PACKS)

    assert answer.status_code == 429
    state = _limits(answer)[1]["anon"]
    assert state["r"] == 0
    assert str(state["t"]) == answer["Retry-After"]


def test_a_batch_counts_as_twenty(client: Client) -> None:
    """As a single deck counts as one."""
    left = [
        _limits(client.post(path, body, content_type="application/json"))[1]
        for path, body in ((LEGALITY, DECK), (f"{LEGALITY}/batch", [DECK]))
    ]

    assert [each["legality"]["r"] for each in left] == [1199, 1179]


def test_a_refused_batch_costs_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single deck still fits."""
    _rates(monkeypatch, legality="25/min")
    for status, left in ((200, 5), (429, 5)):
        answer = client.post(
            f"{LEGALITY}/batch", [DECK], content_type="application/json"
        )
        assert answer.status_code == status
        assert _limits(answer)[1]["legality"]["r"] == left
    answer = client.post(LEGALITY, DECK, content_type="application/json")
    assert (answer.status_code, _limits(answer)[1]["legality"]["r"]) == (200, 4)


@pytest.mark.parametrize(
    "path",
    [
        "/api/public/packs/",
        "/v1/cache/taboo_sets_with_cards",
        "/v1/public/share/10000",
        "/v1/public/share/10000/?type=decklist",
    ],
)
def test_other_sites_addresses_report_limits_as_well(client: Client, path: str) -> None:
    """Their limit is another, for refusals too."""
    answer = client.get(path)

    assert _limits(answer)[0]["public"] == {"q": 1200, "w": 60}


def test_requests_for_tokens_report_their_limit(client: Client) -> None:
    """They are counted with the forms of an address."""
    answer = client.post("/oauth/v2/token", {"grant_type": "refresh_token"})

    assert _limits(answer)[0]["pages_anonymous"] == {"q": 300, "w": 60}


def test_computing_time_is_reported_in_milliseconds(
    client: Client, settings: Settings
) -> None:
    """What is left of a minute; no header once it is used up."""
    settings.ORNE_WORK = 20.0
    limits.charge("127.0.0.1", 5.0)
    policies, state = _limits(client.get(PACKS))
    assert policies["work"] == {"q": 20_000, "w": 60, "qu": "processor-ms"}
    assert 10_000 < int(state["work"]["r"]) <= 15_000

    limits.charge("127.0.0.1", 60.0)
    answer = client.get(PACKS)
    assert answer.status_code == 429
    assert _limits(answer)[1] == {
        "work": {"r": 0, "t": int(answer["Retry-After"])},
    }


def test_pages_report_no_limits(as_alice: Client, settings: Settings) -> None:
    settings.ORNE_WORK = 20.0

    assert "RateLimit" not in as_alice.get("/decks/").headers


def test_scripts_of_other_sites_may_read_the_limits(client: Client) -> None:
    """And the other useful headers."""
    answer = client.get(PACKS, headers={"Origin": "https://elsewhere.example"})

    exposed = answer["Access-Control-Expose-Headers"].split(", ")
    assert {"RateLimit", "RateLimit-Policy", "Retry-After"} <= set(exposed)


# -- what is published of it --


def test_the_numbers_in_the_docs_are_those_of_the_settings() -> None:
    """For every limit of the API, and no other."""
    text = (PROJECT / "docs" / "programs.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*\| (\d+) in (\d+) s \|$", text, re.MULTILINE)
    told = {name: (int(quota), int(window)) for name, quota, window in rows}
    scopes = {
        throttle.scope
        for path in ("api/v1/", "api/public/")
        for _path, view in views_of(path)
        for throttle in (*view.throttle_classes, *OF_SINGLE_REQUESTS)
    }
    rates = {
        scope: SimpleRateThrottle.parse_rate(
            SimpleRateThrottle.__new__(SimpleRateThrottle),
            str(api_settings.DEFAULT_THROTTLE_RATES[scope]),
        )
        for scope in scopes
    }
    assert told == {**rates, "work": (20_000, 60)}


@pytest.mark.parametrize(
    "rate", ["300", "300 per minute", "/min", "0/min", "5/week", ""]
)
def test_an_invalid_rate_is_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch, rate: str
) -> None:
    """With its name and an example, before any request is counted."""
    monkeypatch.setenv("THROTTLE_KEY", rate)

    with pytest.raises(ImproperlyConfigured, match=r"THROTTLE_KEY.*as 300/min"):
        rest_framework(Env(), 0)


def test_a_rate_is_a_number_per_period(monkeypatch: pytest.MonkeyPatch) -> None:
    """However the period is written."""
    for each in ("5/s", "5/min", "5/hour", "5/d"):
        monkeypatch.setenv("THROTTLE_KEY", each)
        assert rest_framework(Env(), 0)["DEFAULT_THROTTLE_RATES"]["key"] == each


def test_the_settings_are_documented() -> None:
    """Each with its default."""
    text = (PROJECT / "docs" / "operating.md").read_text("utf-8")
    told = dict(re.findall(r"^\| `(THROTTLE_\w+)` \| `?([^`|]+?)`? \|", text, re.M))
    files = ("settings.py", "api_settings.py")
    source = "".join((PROJECT / "arkham" / each).read_text("utf-8") for each in files)
    usual = re.findall(r'"(THROTTLE_\w+)", default="?([^")]+)"?\)', source)

    assert told == dict(usual)


def test_an_account_that_is_signed_in_is_counted(as_alice: Client, alice: User) -> None:
    """By the session of a page too."""
    assert _limits(as_alice.get("/api/v1/decks/"))[0].keys() == {"user"}
