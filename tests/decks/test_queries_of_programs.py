"""Query parameters of programs, at every read operation."""

from __future__ import annotations

import base64

import pytest
from rest_framework.test import APIClient

from arkham.accounts.models import User
from arkham.web.request_limits import Throttle
from tests.api.helpers import FORGED, compressing_program_of
from tests.decks.world import World, read_operations

pytestmark = pytest.mark.usefixtures("rows")

ODD = ("\0", "-1", "x", "9" * 40, "", "[]", "٣", "1e9")


@pytest.fixture
def program(alice: User) -> APIClient:
    """A program of Alice's that accepts compressed responses."""
    return compressing_program_of(alice)


@pytest.fixture
def world(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> World:
    """One of everything, and nothing counted."""
    monkeypatch.setattr(Throttle, "allow_request", lambda *_: True)
    return World(alice, bob)


def test_a_forged_cursor_is_refused_by_every_list(
    world: World, program: APIClient
) -> None:
    """With 400: a list only follows its own cursors."""
    lists = [
        path
        for path, described in read_operations()
        if "cursor" in (each["name"] for each in described.get("parameters", ()))
    ]
    assert len(lists) > 10
    for path in lists:
        for text in FORGED:
            cursor = base64.b64encode(text.encode()).decode()
            answer = program.get(world.address(path), {"cursor": cursor})
            assert answer.status_code == 400, text


def test_odd_values_are_no_server_error(world: World, program: APIClient) -> None:
    """For every described parameter."""
    for path, described in read_operations():
        address = world.address(path).partition("?")[0]
        for each in described.get("parameters", ()):
            if each["in"] == "query":
                for value in ODD:
                    answer = program.get(address, {each["name"]: value})
                    assert answer.status_code < 500, (path, each["name"], value)


def test_an_unknown_parameter_is_refused_everywhere(
    world: World, program: APIClient
) -> None:
    """Addresses like ArkhamDB's ignore it, as the site does."""
    for path, _described in read_operations():
        address = world.address(path)
        more = "&" if "?" in address else "?"
        for asked in (program.get, program.head):
            answer = asked(f"{address}{more}nothing=1")
            wanted = 200 if path.startswith("/api/public/") else 400
            assert answer.status_code == wanted, path
