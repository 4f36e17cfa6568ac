"""Limits of what one visitor may keep: decks, collections, campaigns, texts."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings
from rest_framework.throttling import SimpleRateThrottle

from arkham.accounts.models import User
from arkham.web.quotas import QuotaReached
from campaigns import services as campaigns
from campaigns.models import Campaign
from campaigns.people.table import token_of
from decks import services
from decks.draws import drawing
from decks.lists.content import empty_content, read_content
from decks.models import Collection, Deck, Draw
from decks.services.ledger import Earned
from tests.api.helpers import CONTENT, DECK, LIST, set_rates
from tests.campaigns.helpers.tables import a_campaign

COPY = {"do": "branch", "up_to": "1", "name": "What if"}


@pytest.mark.parametrize("kind", ["decks", "collections", "campaigns"])
def test_the_quotas_of_an_account(settings: Settings, kind: str) -> None:
    """They suffice for ordinary use."""
    assert settings.ORNE_QUOTAS[kind] >= {"decks": 1_000}.get(kind, 50)


def test_decks_have_a_quota(
    settings: Settings, alice: User, as_alice: Client, as_bob: Client
) -> None:
    """A plain page, a problem from the API; others are not affected."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "decks": 1}
    form = {"content": CONTENT}
    assert as_alice.post("/decks/bring/", form).status_code == 303

    page = as_alice.post("/decks/bring/", form)
    problem = as_alice.post(
        "/api/v1/decks/import", {"text": LIST}, content_type="application/json"
    )

    assert page.status_code == problem.status_code == 409
    assert "You have 1 deck, the most an account can have." in page.content.decode()
    assert problem.json()["type"] == "urn:orne:problem:quota"
    assert Deck.objects.filter(owner=alice).count() == 1
    assert as_bob.post("/decks/bring/", form).status_code == 303


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "kind", "said", "way"),
    [
        ("/decks/bring/", "drafts", "Sign in to save your deck.", "/account/login/"),
        ("/decks/share/", "verdicts", "more shared verdicts", "/"),
    ],
)
def test_things_of_strangers_have_a_quota(
    settings: Settings, path: str, kind: str, said: str, way: str
) -> None:
    """One for all strangers together."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, kind: 1}
    client, form = Client(), {"content": CONTENT}

    first, second = client.post(path, form), client.post(path, form)

    assert (first.status_code, second.status_code) == (303, 409)
    assert said in second.content.decode()
    assert _leads_to(second) == way


def _leads_to(page: Any) -> str:
    """Return where the first button of a page of refusal leads."""
    found = re.search(r'class="button main" href="([^"]*)"', page.content.decode())
    assert found
    return found[1]


def test_collections_have_a_quota(settings: Settings, as_alice: Client) -> None:
    """An existing one can still be changed."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "collections": 1}
    form = {"name": "Mine"}
    assert as_alice.post("/decks/collections/new", form).status_code in (302, 303)

    refused = as_alice.post("/decks/collections/new", form)
    assert refused.status_code == 409
    assert _leads_to(refused) == "/decks/collections/"
    kept = Collection.objects.get()
    changed = as_alice.post(f"/decks/collections/{kept.pk}/", form)
    assert changed.status_code in (302, 303)


def test_campaigns_have_a_quota(
    settings: Settings, alice: User, as_alice: Client, as_bob: Client
) -> None:
    """However another would begin: by page, by API, by importing a file."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "campaigns": 1}
    campaign = a_campaign(alice)
    file = campaigns.export_campaign(member=campaign.memberships.get(user=alice))
    begun = {"guide": campaign.guide_id, "seats": [{"investigator": "01001"}]}
    form = {"guide": str(campaign.guide_id), "seat_1": "code:01001"}

    page = as_alice.post("/campaigns/new/", form)
    problems = [
        as_alice.post(f"/api/v1/campaigns/{path}", body, "application/json")
        for path, body in (("", begun), ("import", file))
    ]

    assert [each.status_code for each in (page, *problems)] == [409, 409, 409]
    assert "You organise 1 campaign, the most" in page.content.decode()
    assert _leads_to(page) == "/campaigns/"
    assert {each.json()["type"] for each in problems} == {"urn:orne:problem:quota"}
    assert Campaign.objects.count() == 1
    again = as_bob.post("/api/v1/campaigns/", begun, "application/json")
    assert again.status_code == 201, again.content


def test_a_campaign_is_not_handed_to_an_account_with_a_full_quota(
    settings: Settings, alice: User, bob: User, as_alice: Client, as_bob: Client
) -> None:
    """Neither by a role, nor by a link; its organisers keep their role."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "campaigns": 1}
    now = datetime.now(UTC)
    table = a_campaign(alice)
    a_campaign(bob, guide=table.guide)
    organiser = table.memberships.get(user=alice)
    link, other = (
        campaigns.invite(campaign=table, member=organiser, now=now, role=role)
        for role in ("organiser", "player")
    )

    page = as_bob.post(f"/campaigns/join/{token_of(link)}/")
    assert page.status_code == 409
    assert "You organise 1 campaign, the most" in page.content.decode()
    assert _leads_to(page) == "/campaigns/"
    as_bob.post(f"/campaigns/join/{token_of(other)}/")
    bobs = table.memberships.get(user=bob)
    people = f"/campaigns/{table.pk}/people/"
    page = as_alice.post(f"{people}members/{bobs.pk}/role", {"role": "organiser"})
    problem = as_alice.patch(
        f"/api/v1/campaigns/{table.pk}/members/{bobs.pk}/",
        {"role": "organiser"},
        "application/json",
    )
    assert (page.status_code, problem.status_code) == (409, 409)
    assert "bob organises 1 campaign, the most" in page.content.decode()
    assert _leads_to(page) == people
    assert problem.json()["type"] == "urn:orne:problem:quota"
    assert table.memberships.get(user=bob).role == "player"
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "campaigns": 2}
    now = datetime.now(UTC)
    campaigns.change_role(member=bobs, actor=organiser, role="organiser", now=now)
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "campaigns": 1}
    campaigns.change_role(member=bobs, actor=organiser, role="organiser", now=now)


def test_claiming_a_guests_campaigns_respects_the_quota(
    settings: Settings, bob: User, guest: Client
) -> None:
    """The guest's copies stay the guest's until there is room."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "campaigns": 1}
    table = Campaign.objects.get()
    for _number in range(2):
        _copy(guest, table.pk)
    guest.force_login(bob)

    refused = guest.post("/campaigns/claim")
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "campaigns": 2}
    claimed = guest.post("/campaigns/claim")

    assert (refused.status_code, claimed.status_code) == (409, 303)
    assert bob.memberships.filter(role="organiser").count() == 2


def test_copies_of_a_campaign_have_a_quota(
    settings: Settings, alice: User, as_alice: Client
) -> None:
    """By the API and by the page."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "branches": 2}
    campaign = a_campaign(alice)
    path = f"/api/v1/campaigns/{campaign.pk}/branches/"

    answers = [
        as_alice.post(path, {}, content_type="application/json") for _copy in range(3)
    ]

    assert [each.status_code for each in answers] == [201, 201, 409]
    assert answers[2].json()["type"] == "urn:orne:problem:quota"
    assert Campaign.objects.filter(branched_from=campaign).count() == 2


@pytest.fixture
def guest(alice: User) -> Client:
    """A guest who watches a campaign of Alice's."""
    table = a_campaign(alice)
    member = table.memberships.get(user=alice)
    link = campaigns.invite(
        campaign=table, member=member, now=datetime.now(UTC), role="spectator"
    )
    client = Client()
    client.post(f"/campaigns/join/{token_of(link)}/", {"name": "Agnes"})
    return client


def _copy(client: Client, campaign: int) -> Any:
    path = f"/api/v1/campaigns/{campaign}/branches/"
    return client.post(path, {}, content_type="application/json")


def test_copies_of_copies_count_for_a_guest(settings: Settings, guest: Client) -> None:
    """Else each copy would allow as many more."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "branches": 2}
    first = _copy(guest, Campaign.objects.get().pk).json()["id"]
    second = _copy(guest, first).json()["id"]

    page = guest.post(f"/campaigns/{second}/settings/", COPY)

    assert _copy(guest, second).status_code == page.status_code == 409
    assert "You have 2 campaign copies, the most you can have." in page.content.decode()
    assert Campaign.objects.count() == 3


def test_guests_and_their_copies_count_by_the_api_too(
    monkeypatch: pytest.MonkeyPatch, alice: User, guest: Client, as_alice: Client
) -> None:
    """Among other things of strangers at their address; accounts are not affected."""
    cache.clear()
    rates = {**SimpleRateThrottle.THROTTLE_RATES, "kept_anonymous": "2/hour"}
    set_rates(monkeypatch, **rates)
    campaign = Campaign.objects.get()
    link = token_of(campaign.invitations.get())
    join = {"token": link, "name": "Agnes"}
    joined = Client().post(
        "/api/v1/campaigns/join", join, content_type="application/json"
    )

    assert joined.status_code == 201
    assert [_copy(guest, campaign.pk).status_code for _n in "12"] == [201, 429]
    page = guest.post(f"/campaigns/{campaign.pk}/settings/", COPY)
    again = Client().post(
        "/api/v1/campaigns/join", join, content_type="application/json"
    )
    assert (page.status_code, again.status_code) == (429, 429)
    assert _copy(as_alice, campaign.pk).status_code == 201


def test_invitations_to_a_campaign_have_a_quota(
    settings: Settings, alice: User, as_alice: Client
) -> None:
    """Open ones; closing one makes room."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "links": 2}
    campaign = a_campaign(alice)
    page = f"/campaigns/{campaign.pk}/people/invite"
    form = {"role": "player", "hours": "336"}
    assert [as_alice.post(page, form).status_code for _n in "12"] == [303, 303]

    refused = as_alice.post(page, form)
    problem = as_alice.post(
        f"/api/v1/campaigns/{campaign.pk}/invitations/",
        {"role": "player"},
        content_type="application/json",
    )

    assert refused.status_code == problem.status_code == 409
    assert "This campaign has 2 open invitations" in refused.content.decode()
    assert _leads_to(refused) == f"/campaigns/{campaign.pk}/people/"
    first, second = campaign.invitations.order_by("pk")
    campaigns.revoke_invitation(
        invitation=first,
        member=campaign.memberships.get(user=alice),
        now=datetime.now(UTC),
    )
    assert as_alice.post(page, form).status_code == 303
    assert not campaign.invitations.filter(pk=first.pk).exists()
    assert campaign.invitations.filter(pk=second.pk).exists()


@pytest.mark.parametrize("signed_in", [True, False])
def test_changes_of_a_deck_have_a_quota(
    settings: Settings, as_alice: Client, signed_in: bool
) -> None:
    """Else one draft could grow without end; the deck stays as it is."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "revisions": 2}
    client = as_alice if signed_in else Client()
    client.post("/decks/bring/", {"content": CONTENT})
    deck = Deck.objects.get()
    page = f"/decks/{deck.pk}/edit"
    assert client.post(page, {"revision": 1, "do": "add=01006"}).status_code == 303

    for change in ({"do": "add=01006"}, {"undo": "1"}):
        refused = client.post(page, {"revision": 2, **change})
        assert refused.status_code == 409
        assert "This deck has 2 versions" in refused.content.decode()
        assert _leads_to(refused) == f"/decks/{deck.pk}/"
    assert deck.revisions.count() == 2
    assert client.get(page).status_code == 200


@pytest.mark.django_db
def test_a_draft_has_a_quota_of_text(settings: Settings, alice: User) -> None:
    """For its notes and all its changes; an account may go on with it."""
    client, letters = Client(), len(json.dumps(CONTENT))
    client.post("/decks/bring/", {"content": CONTENT})
    draft = Deck.objects.get()
    page, change = f"/decks/{draft.pk}/edit", {"do": "add=01006"}
    quotas = {**settings.ORNE_QUOTAS, "draft_letters": 2 * letters}
    settings.ORNE_QUOTAS = quotas
    assert client.post(page, {"revision": 1, **change}).status_code == 303
    Deck.objects.filter(pk=draft.pk).update(notes="n" * 2 * letters)

    refused = client.post(page, {"revision": 2, **change})

    assert refused.status_code == 409
    assert "Sign in to save your deck" in refused.content.decode()
    assert _leads_to(refused) == "/account/login/"
    assert draft.revisions.count() == 2
    services.keep_deck(deck=draft, owner=alice)
    client.force_login(alice)
    assert client.post(page, {"revision": 2, **change}).status_code == 303


def _edited(draft: Deck, times: int) -> None:
    for _n in range(times):
        slots = {"01006": 1 + draft.revision % 2}
        services.revise_deck(
            deck=draft,
            content=read_content({"deck": {**DECK, "slots": slots}}),
            expected_revision=draft.revision,
            now=datetime.now(UTC),
        )


@pytest.mark.django_db
def test_text_of_a_draft_is_not_summed_at_every_small_edit(
    settings: Settings,
) -> None:
    """It is at some, for all edits before; without room, edits stay refused."""
    content = empty_content("01001")
    draft = services.create_deck(owner=None, content=content, now=datetime.now(UTC))
    with CaptureQueriesContext(connection) as asked:
        _edited(draft, 32)
    assert len([each for each in asked if "SUM(LENGTH(" in each["sql"]]) == 2

    latest = draft.revisions.get(number=draft.revision)
    letters = len(json.dumps([latest.list, latest.circumstances]))
    quotas = {**settings.ORNE_QUOTAS, "draft_letters": 100 * letters}
    settings.ORNE_QUOTAS = quotas
    with pytest.raises(QuotaReached):
        _edited(draft, 120)
    assert 96 <= draft.revision <= 128
    with pytest.raises(QuotaReached):
        _edited(draft, 1)


def test_records_of_a_deck_have_a_quota(settings: Settings, as_alice: Client) -> None:
    """Entries of its ledger, games with no upgrade between, upgrades and draws."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "revisions": 2}
    as_alice.post("/decks/bring/", {"content": CONTENT})
    deck, now = Deck.objects.get(), datetime.now(UTC)
    game = services.PlayedGame(earned=(Earned("victory", 1),))
    services.mark_played(deck=deck, game=game, expected_revision=1, now=now)

    correction = {"amount": -1, "reason": "Counted twice."}
    ledger = f"/api/v1/decks/{deck.pk}/ledger/"
    answers = [
        as_alice.post(ledger, correction, content_type="application/json")
        for _n in range(2)
    ]
    assert [each.status_code for each in answers] == [201, 409]
    assert "This deck has 2 versions" in answers[-1].json()["detail"]
    assert deck.ledger.count() == 2

    nothing = services.PlayedGame()
    services.play_again(deck=deck, game=nothing, expected_revision=1, now=now)
    with pytest.raises(QuotaReached):
        services.play_again(deck=deck, game=nothing, expected_revision=2, now=now)
    with pytest.raises(QuotaReached):
        services.upgrade_deck(
            deck=deck,
            content=services.opened(deck.revisions.get(number=2)),
            expected_revision=2,
            now=now,
            repair="Nothing is bought",
        )

    Draw.objects.create(deck=deck, revision=1, record={}, made_at=now)
    Draw.objects.create(deck=deck, revision=1, record={}, made_at=now)
    with pytest.raises(QuotaReached):
        drawing.draw_for_the_morrigan(
            deck=deck, cards={"01096": 1}, expected_revision=2, now=now
        )


@pytest.mark.django_db
def test_a_link_to_a_draft_makes_a_limited_number_of_sessions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One for each browser that opens it; earlier ones stay valid."""
    set_rates(monkeypatch, kept_anonymous="3/hour")
    Client().post("/decks/bring/", {"content": CONTENT})
    path = f"/decks/draft/{Deck.objects.get().key}/"
    visitors = [Client() for _n in range(3)]

    assert [each.get(path).status_code for each in visitors] == [303, 303, 429]
    assert [each.get(path).status_code for each in visitors] == [303, 303, 429]
    assert Session.objects.count() == 3


def test_games_entered_and_taken_back_have_a_quota(
    settings: Settings, as_alice: Client
) -> None:
    """All stay in the ledger; the last one can still be taken back."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "revisions": 5}
    as_alice.post("/decks/bring/", {"content": CONTENT})
    deck = Deck.objects.get()
    games = f"/api/v1/decks/{deck.pk}/games"
    game = {"earned": [{"kind": "victory", "amount": 1}]}
    head = {"If-Match": "*"}

    def sent(method: str) -> int:
        body = game if method == "post" else {}
        ask = getattr(as_alice, method)
        kind = "application/json"
        answer = ask(games, body, content_type=kind, headers=head)
        return int(answer.status_code)

    done = ("post", "delete") * 3
    assert [sent(each) for each in done] == [200] * 6
    assert sent("post") == 409
    assert deck.ledger.count() == 6
