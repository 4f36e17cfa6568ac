"""A campaign deleted while something is done at its table is no fault: it is gone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from arkham.accounts.models import User
from campaigns import services
from campaigns.models import Campaign, Invitation
from tests.campaigns.helpers.tables import NOW, a_campaign, a_member, organiser_of
from tests.rules.campaign.helpers.small import DAISY, ROLAND


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """A campaign that was begun."""
    return a_campaign(alice, ROLAND)


class Deleting:
    """Deletes a campaign after so many queries, as another device would.

    It waits while a transaction of the request is open, which would take it back.
    """

    def __init__(self, campaign: Campaign, after: int) -> None:
        self.campaign, self.left, self.done = campaign, after, False
        self.depth = len(connection.savepoint_ids)

    def __call__(self, execute: Callable[..., Any], *asked: Any) -> Any:
        """Ask, and delete then, if it is time."""
        answer = execute(*asked)
        sql, is_free = str(asked[0]), len(connection.savepoint_ids) == self.depth
        if sql.startswith("SELECT") and is_free and not self.done:
            self.left -= 1
            if self.left < 0:
                self.done = True
                Campaign.objects.get(pk=self.campaign.pk).delete()
        return answer


def _until_it_ends(campaign: Campaign, ask: Callable[[], int]) -> set[int]:
    """What is answered where it goes after one query, after two, and so on."""
    answers = set()
    for after in range(60):
        with transaction.atomic():
            deleting = Deleting(campaign, after)
            with connection.execute_wrapper(deleting):
                answers.add(ask())
            transaction.set_rollback(True)
        if not deleting.done:
            return answers
    raise AssertionError("no request asks so often")


SENT: dict[str, tuple[str, dict[str, Any]]] = {
    "rename": ("PATCH", {"name": "Another"}),
    "delete": ("DELETE", {}),
    "invitations/": ("POST", {"role": "player"}),
    "seats/": ("POST", {"investigator": DAISY}),
    "branches/": ("POST", {}),
    "faq": ("POST", {"after": 1, "faq": "2.0"}),
}


@pytest.mark.parametrize("door", SENT)
def test_a_door_of_the_api(as_alice: Client, campaign: Campaign, door: str) -> None:
    """It is done, or refused, or there is no such campaign."""
    method, body = SENT[door]
    place = door if door.endswith("/") or door == "faq" else ""

    def ask() -> int:
        return as_alice.generic(
            method,
            f"/api/v1/campaigns/{campaign.pk}/{place}",
            json.dumps(body),
            content_type="application/json",
        ).status_code

    answers = _until_it_ends(campaign, ask)
    assert 404 in answers
    assert max(answers) < 500


PAGES = (
    "", "people/", "log/", "timeline/", "settings/", "achievements/", "ultimatums/",
    "between/", "fact/", "news", "campaign.json", "experience.csv",
)  # fmt: skip


@pytest.mark.parametrize("place", PAGES)
def test_a_page(as_alice: Client, campaign: Campaign, place: str) -> None:
    """It is what was there, or 404."""
    answers = _until_it_ends(
        campaign,
        lambda: as_alice.get(f"/campaigns/{campaign.pk}/{place}").status_code,
    )
    assert max(answers) < 500


FORMS: dict[str, dict[str, str]] = {
    "people/invite": {"role": "player"},
    "people/sit/": {"investigator": DAISY, "kind": "none"},
    "settings/": {"do": "name", "name": "Another"},
}


@pytest.mark.parametrize("place", FORMS)
def test_a_form(as_alice: Client, campaign: Campaign, place: str) -> None:
    """It is done, or refused, or there is no such campaign."""
    answers = _until_it_ends(
        campaign,
        lambda: (
            as_alice.post(f"/campaigns/{campaign.pk}/{place}", FORMS[place]).status_code
        ),
    )
    assert max(answers) < 500


def test_a_campaign_is_held_before_anything_of_it_goes(
    campaign: Campaign, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who invites or copies meanwhile is waited for; removing people waits likewise."""
    other = a_member(campaign, bob)
    services.invite(campaign=campaign, member=organiser_of(campaign), now=NOW)
    asked: list[str] = []

    def note(execute: Callable[..., Any], *query: Any) -> Any:
        asked.append(str(query[0]))
        return execute(*query)

    organiser = organiser_of(campaign)
    with connection.execute_wrapper(note):
        services.remove_member(member=other, actor=organiser, now=NOW)
    _holds_first(asked, Invitation._meta.db_table)
    asked.clear()
    with connection.execute_wrapper(note):
        services.delete_campaign(campaign=campaign, member=organiser)
    _holds_first(asked, Invitation._meta.db_table)


def _holds_first(asked: list[str], table: str) -> None:
    """The row of the campaign is asked for before the first of ``table``."""
    about = [query for query in asked if query.startswith(("SELECT", "UPDATE"))]
    first = next(place for place, query in enumerate(about) if f'"{table}"' in query)
    held = 'FROM "campaigns_campaign"'
    assert any(held in query for query in about[:first])
