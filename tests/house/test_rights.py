"""Every address with an argument: whose it is, asked by everyone it isn't for.

The table has a line for each kind of address, so that a new one needs a decision. What
is its owner's alone is refused to others by every method, and nothing changes by it.
Rights at a campaign, by role and action, are in ``tests/campaigns/people``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.core import serializers
from django.test import Client
from django.urls import URLResolver, get_resolver

from arkham.accounts import oauth
from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.web.request_limits import Throttle
from arkham.webhooks.models import Delivery
from decks import services
from decks.api import examples
from decks.draws.drawing import draw_for_the_morrigan
from decks.lists.content import read_content
from decks.models import Collection, Notice
from tests.decks.world import NOW
from tests.jobs.helpers import file_of, started
from tests.webhooks.helpers import a_webhook

pytestmark = pytest.mark.django_db

METHODS = ("get", "post", "put", "patch", "delete")
# Its owner's alone: the beginning of each address, and what its arguments name.
OWNED = {
    "account/apps/": "app",
    "account/keys/": "key",
    "account/webhooks/": "webhook",
    "api/v1/decks/bin/": "binned",
    "api/v1/decks/": "deck",
    "api/v1/folders/": "folder",
    "api/v1/jobs/": "job",
    "api/v1/notices/": "notice",
    "api/v1/webhooks/": "webhook",
    "decks/collections/": "collection",
    "decks/folders/": "folder",
    "decks/<": "deck",
    "jobs/": "job",
}
# For everyone, or for who has the key in the address.
OPEN = (
    "account/^", "api/public/", "api/v1/cards/", "api/v1/decklists/", "api/v1/rules/",
    "api/v1/taboo-lists/", "badge/", "card/", "cards/", "deck/view/", "decklist/view/",
    "decks/draft/", "decks/new/", "decks/published/", "decks/shared/", "rules/", "set/",
    "v1/public/", "verdicts/", "^",
)  # fmt: skip
# With tests of rights of their own, and the operator's.
ELSEWHERE = (
    "admin/", "api/oauth2/", "api/v1/campaigns/", "api/v1/guides/", "campaigns/",
    "offline/",
)  # fmt: skip


def routes(resolver: URLResolver | None = None, before: str = "") -> Iterator[str]:
    """Every address that has an argument."""
    for each in (resolver or get_resolver()).url_patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from routes(each, route)
        elif re.search(r"[<(]", route):
            yield route


def owned(route: str) -> str:
    """What the address of one account's thing names; "" for other addresses."""
    return next((OWNED[each] for each in OWNED if route.startswith(each)), "")


@pytest.fixture
def things(alice: User) -> dict[str, Any]:
    """One of everything of Alice's, none of it shown to others."""
    deck, binned = (
        services.create_deck(
            owner=alice, content=read_content(examples.WRITTEN), now=NOW
        )
        for _each in range(2)
    )
    services.delete_deck(deck=binned, expected_revision=1, now=NOW)
    key, _text = accounts.make_key(
        owner=alice, name="sync", scope=ApiKey.Scope.WRITE, now=NOW
    )
    app, _secret = oauth.register_app(
        owner=alice, name="App", redirects="app://back", has_secret=False
    )
    webhook = a_webhook(alice, "https://bot.example/")
    when: Any = dict.fromkeys(("changed_at", "next_try_at", "made_at"), NOW)
    experience: Any = {"experience_before": 0, "experience_after": 0}
    return {
        "app": app,
        "binned": binned,
        "collection": Collection.objects.create(owner=alice, changed_at=NOW),
        "deck": deck,
        "delivery": Delivery.objects.create(webhook=webhook, kind="deck", **when),
        "draw": draw_for_the_morrigan(
            deck=deck,
            cards={"01096": 1, "01097": 1, "01098": 1},
            expected_revision=1,
            now=NOW,
        ),
        "folder": services.make_folder(owner=alice, name="Folder", now=NOW),
        "job": started(alice, file_of(1)),
        "key": key,
        "notice": Notice.objects.create(
            deck=deck, revision=1, made_at=NOW, is_serious=True, **experience
        ),
        "webhook": webhook,
    }


def addresses(things: dict[str, Any]) -> Iterator[str]:
    """The address of everything of Alice's."""
    words = {"code": "01006", "form": "json", "number": "1"}
    for route in routes():
        if kind := owned(route):

            def filled(found: re.Match[str], kind: str = kind) -> str:
                name = kind if found[1] == "pk" else found[1]
                return words.get(name) or str(things[name].pk)

            yield "/" + re.sub(r"<\w+:(\w+)>", filled, route)


def everything() -> str:
    """All rows of all decks, accounts, jobs and webhooks."""
    kept = ("accounts", "decks", "jobs", "oauth2_provider", "webhooks")
    models = [each for app in kept for each in apps.get_app_config(app).get_models()]
    rows = [row for model in models for row in model._default_manager.order_by("pk")]
    return str(serializers.serialize("json", [row for row in rows if is_kept(row)]))


def is_kept(row: Any) -> bool:
    """Whether asking may not change a row: that a key was used is noted in its own."""
    return getattr(row, "name", "") != "another's"


def test_every_address_has_a_line() -> None:
    """And is in one part of the table alone."""
    for route in routes():
        is_open, is_elsewhere = route.startswith(OPEN), route.startswith(ELSEWHERE)
        assert bool(owned(route)) + is_open + is_elsewhere == 1, route


def test_its_owner_finds_each(things: dict[str, Any], as_alice: Client) -> None:
    """Else refusals would prove nothing."""
    found = {path: as_alice.get(path).status_code for path in addresses(things)}

    assert len(found) > 60
    assert [path for path, status in found.items() if status in (401, 403)] == []
    lost = {path for path, status in found.items() if status == 404}
    # No access is given, nothing is on the desk, the draw is still to be chosen from.
    assert {re.sub(r"\d+", "1", each) for each in lost} <= {
        "/account/apps/1/revoke/", "/api/v1/decks/1/desk", "/decks/1/draws/1/correct",
    }  # fmt: skip


@pytest.mark.parametrize("asker", ["account", "operator", "key", "stranger"])
def test_what_belongs_to_one_account_is_no_one_elses(
    asker: str,
    things: dict[str, Any],
    client: Client,
    charlie: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """404, as if it weren't there; who isn't signed in may be asked to sign in."""
    monkeypatch.setattr(Throttle, "allow_request", lambda *_arguments: True)
    refused = {404, 405}
    headers = {"If-Match": "*"}
    if asker == "stranger":
        refused |= {401, 403}
    elif asker == "key":
        _key, text = accounts.make_key(
            owner=charlie, name="another's", scope=ApiKey.Scope.WRITE, now=NOW
        )
        headers["Authorization"] = f"Bearer {text}"
    else:
        charlie.is_staff = charlie.is_superuser = asker == "operator"
        charlie.save()
        client.force_login(charlie)
    before = everything()

    wrong = []
    for path in addresses(things):
        if asker == "key" and not path.startswith("/api/"):
            continue
        for method in METHODS:
            is_json = path.startswith("/api/") and method != "get"
            more = {"data": "{}", "content_type": "application/json"} if is_json else {}
            answer = getattr(client, method)(path, headers=headers, **more)
            asked = answer.headers.get("Location", "").startswith("/account/login/")
            if answer.status_code not in refused and not asked:
                wrong.append((method, path, answer.status_code))
    assert wrong == []
    assert everything() == before
