"""Every operation refuses unknown query parameters, and no known ones."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from arkham.accounts.models import User
from arkham.rest.openapi import query_parameters
from tests.api.helpers import views_of
from tests.helpers import program_of

pytestmark = pytest.mark.django_db


VIEWS = [pytest.param(view, id=path) for path, view in views_of("api/v1/")]


@pytest.mark.parametrize("view", VIEWS)
def test_every_operation_knows_its_parameters(view: Any) -> None:
    """A view whose description can't be read would accept everything."""
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        known = query_parameters(view, method)
        assert (known is None) == (not hasattr(view, method.lower()))


def test_a_misspelt_parameter_is_refused_with_a_suggestion(api: APIClient) -> None:
    """As a problem that names the parameter."""
    answer = api.get("/api/v1/cards/?pagesize=5&q=machete")

    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["type"] == "urn:orne:problem:unknown-parameter"
    assert problem["parameter"] == "pagesize"
    assert "Did you mean page_size?" in problem["detail"]


def test_all_unknown_parameters_are_named_at_once(api: APIClient) -> None:
    """Here at an operation without any."""
    problem = api.post("/api/v1/legality?b=1&a=2", {}, format="json").json()

    assert [each["parameter"] for each in problem["errors"]] == ["a", "b"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/cards/?q=machete&page_size=2",
        "/api/v1/rules/?q=exile",
        "/api/public/cards/?encounter=1&_=1700000000",
        "/api/public/card/01001?anything=1",
    ],
)
def test_known_parameters_pass_and_arkhamdbs_addresses_ignore_all(
    client: Client, path: str
) -> None:
    """Bots send anything there."""
    assert client.get(path).status_code in (200, 404)


def test_parameters_of_pages_are_ignored(client: Client) -> None:
    assert client.get("/cards/?nothing=1").status_code == 200


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/api/v1/changes?since=yesterday", "since"),
        ("/api/v1/cards/?page_size=none", "page_size"),
        ("/api/v1/decks/?archived=perhaps", "archived"),
        ("/api/v1/jobs/?cursor=forged", "cursor"),
        ("/api/public/cards/?jsonp=a-b", "jsonp"),
        ("/api/public/decklists/by_date/2026-12-01?skip=some", "skip"),
        ("/api/public/oembed", "url"),
        ("/api/public/oembed?url=x&format=xml", "format"),
    ],
)
def test_a_value_that_isnt_as_described_is_one_type_with_one_title(
    alice: User, path: str, name: str
) -> None:
    """RFC 9457: a program tells refusals apart by their type, people by its title."""
    answer = program_of(alice).get(path)

    problem = answer.json()
    assert answer.status_code == 400
    assert problem["type"] == "urn:orne:problem:invalid"
    assert problem["title"] == "The request isn’t valid"
    assert problem["parameter"] == name
