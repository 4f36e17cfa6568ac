"""The page where a campaign is begun: little is required, much is optional."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.draws.record import commitment_to
from arkham.rules.snapshot import embedded_pool
from arkham.rules.ultimatums import REFRACTIONS
from campaigns import services
from campaigns.forms.start import StartForm, by_origin, investigators_of, seat_choices
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, Invitation, Seat
from campaigns.views import starting
from decks import services as deck_services
from decks.lists.starter import starter_deck
from decks.models import Collection
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_row,
    as_answers,
    later,
    report,
    who,
)
from tests.rules.campaign.helpers.small import DAISY, ROLAND

pytestmark = pytest.mark.django_db
NEW = "/campaigns/new/"
OPEN_TERMS = re.compile(r'<details class="agreed[^"]*" open')


def _begin(client: Client, **filled: Any) -> Any:
    guide = a_row()
    data = {"guide": guide.pk, "seat_1": f"code:{ROLAND}", "seat_2": f"code:{DAISY}"}
    return client.post(NEW, data | filled)


def test_a_double_press_begins_one_campaign(as_alice: Client) -> None:
    """With a guide, by a copy, and with moved investigators; one link is made."""
    token = {"csrfmiddlewaretoken": "of one page"}
    seated = {"seat_1": f"code:{ROLAND}", "seat_2": f"code:{DAISY}"}
    form: dict[str, Any] = token | seated | {"guide": a_row().pk}
    first, second = (as_alice.post(NEW, form)["Location"] for _press in range(2))
    campaign = Campaign.objects.get()
    table = f"/campaigns/{campaign.pk}/"
    assert first == second == table
    seats = campaign.seats.order_by("pk")
    going = {f"goes_{each.pk}": "on" for each in seats}
    going |= {f"unspent_{each.pk}": "0" for each in seats}
    sent: tuple[tuple[str, dict[str, Any]], ...] = (
        ("settings/", {"do": "branch", "up_to": "1", "name": "Copy"}),
        ("people/transfer/", {"guide": a_row(version=4).pk, "name": "Next", **going}),
        ("people/invite", {"role": "player", "hours": "336"}),
    )
    for to, fields in sent:
        answers = [as_alice.post(table + to, token | fields) for _press in range(2)]
        assert [each.status_code for each in answers] == [303, 303], to
    assert Invitation.objects.count() == 2  # one of the free seats
    for do in ("put-away", "delete"):  # the second would undo the first
        form = token | {"do": do, "sure": "yes"}
        answers = [as_alice.post(table + "settings/", form) for _press in range(2)]
        assert [each.status_code for each in answers] == [303, 303], do
        left = Campaign.objects.filter(pk=campaign.pk)
        assert left.exclude(archived_at=None).count() == (do == "put-away")
    assert {each.name for each in Campaign.objects.all()} >= {"Copy", "Next"}
    assert Campaign.objects.count() == 2


@pytest.mark.parametrize(("beginning", "chosen"), [({}, "2"), ({"guide": "1"}, "1")])
def test_the_core_campaign_is_selected_by_default(
    beginning: dict[str, str], chosen: str
) -> None:
    """Whatever comes first by name; one that the address names stays selected."""
    ours = Guide.Origin.OURS
    guides = [
        Guide(
            pk=1, guide_id="boa", name="Brethren of Ash", origin=ours, brought_at=NOW
        ),
        Guide(pk=2, guide_id="core", name="Zealot", origin=ours, brought_at=NOW),
    ]
    form = StartForm(
        None,
        guides=guides,
        decks=[],
        collections=[],
        pool=embedded_pool(),
        beginning=beginning,
    )
    assert form["guide"].initial == chosen


def test_terms_are_optional(as_alice: Client, alice: User) -> None:
    """They are folded away."""
    page = as_alice.get(NEW).content.decode()
    assert "<details" in page
    assert "<details open" not in page
    assert not OPEN_TERMS.search(page)
    assert _begin(as_alice).status_code == 303
    campaign = Campaign.objects.get()
    assert campaign.terms == {}
    assert campaign.last == 1


def test_chosen_terms_are_kept(as_alice: Client, alice: User) -> None:
    """Products, a collection, a taboo list, and another for one of them."""
    lists = [str(each.id) for each in embedded_pool().taboo_lists]
    own = Collection.objects.create(owner=alice, name="Mine", changed_at=NOW)
    answer = _begin(
        as_alice,
        environment="products",
        packs=["core", "dwl"],
        collection=own.pk,
        taboo=lists[-1],
        taboo_2="none",
        taboo_3=lists[0],
    )
    assert answer.status_code == 303
    assert Campaign.objects.get().terms == {
        "environment": {"kind": "products", "packs": ["core", "dwl"]},
        "collection": own.pk,
        "taboo": lists[-1],
        "taboos": {DAISY: "none"},
    }


def test_a_deck_in_another_campaign_says_so(as_alice: Client, alice: User) -> None:
    """Before one begins, not after; not if that campaign is archived."""
    content = starter_deck(embedded_pool(), ROLAND)
    deck = deck_services.create_deck(owner=alice, content=content, name="Guns", now=NOW)
    other = a_campaign(alice, ROLAND)
    other.seats.update(deck=deck, kind=Seat.Kind.HERE)
    address = f"{NEW}?guide={other.guide_id}"
    page = as_alice.get(address).content.decode()
    assert f"Guns (Roland Banks) – plays in {other.name}" in page
    Campaign.objects.update(archived_at=NOW)
    page = as_alice.get(address).content.decode()
    assert "Guns (Roland Banks)" in page
    assert "plays in" not in page


@pytest.mark.parametrize(
    ("filled", "kept"),
    [
        ({"environment": "legacy"}, {"kind": "legacy"}),
        ({"environment": "current"}, {"kind": "current"}),
        (
            {"environment": "current", "date": "2025-06-01"},
            {"kind": "current", "date": "2025-06-01"},
        ),
        (
            {"environment": "limited", "cycles": ["dwl", "ptc", "tfa"]},
            {"kind": "limited", "cycles": ["dwl", "ptc", "tfa"]},
        ),
    ],
)
def test_every_environment_is_kept(
    as_alice: Client, filled: dict[str, Any], kept: dict[str, Any]
) -> None:
    """As the circumstances of a deck have it."""
    assert _begin(as_alice, **filled).status_code == 303
    assert Campaign.objects.get().terms["environment"] == kept


@pytest.mark.parametrize(
    ("filled", "told_so"),
    [
        ({"environment": "limited", "cycles": ["dwl"]}, "Choose three cycles."),
        ({"environment": "products"}, "Choose the products."),
        ({"environment": "mine"}, "Select a valid choice"),
        ({"environment": "products", "packs": ["nowhere"]}, "Select a valid choice"),
        ({"environment": "current", "date": "soon"}, "valid date"),
        ({"taboo": "some"}, "Select a valid choice"),
        ({"oaths": ["nobody"]}, "Select a valid choice"),
        ({"oaths": ["orthodoxy"], "taboo": "none"}, "every deck follows a"),
        ({"oaths": ["orthodoxy"], "taboo_1": "none"}, "every deck follows a"),
    ],
)
def test_contradictory_terms_are_reported(
    as_alice: Client, filled: dict[str, Any], told_so: str
) -> None:
    """Their part of the form is open; no campaign is begun."""
    answer = _begin(as_alice, **filled)
    assert answer.status_code == 422
    assert told_so in answer.content.decode()
    assert OPEN_TERMS.search(answer.content.decode())
    assert not Campaign.objects.exists()


def test_a_campaign_begins_under_ultimatums(as_alice: Client) -> None:
    """Printed ones and one of the table's own, from the setup to the end."""
    answer = _begin(as_alice, oaths=["dread", "ancients"], own_oath="No  phones")
    assert answer.status_code == 303
    campaign = Campaign.objects.get()
    sworn = [row.payload for row in campaign.entries.filter(kind="sworn")]
    assert [(each["ultimatum"], each["scenario"]) for each in sworn] == [
        ("dread", "$campaign_setup"),
        ("ancients", "$campaign_setup"),
        ("own-no-phones", "$campaign_setup"),
    ]
    assert sworn[2]["name"] == "No phones"
    assert {"dread", "ancients"} <= set(replayed(campaign).replay.state.ultimatums)


def test_orthodoxy_sets_the_newest_taboo_list(as_alice: Client) -> None:
    """Unless the table names one."""
    assert _begin(as_alice, oaths=["orthodoxy"]).status_code == 303
    newest = embedded_pool().taboo_lists[-1]
    assert Campaign.objects.get().terms["taboo"] == str(newest.id)


def test_a_refraction_of_another_campaign_is_refused(as_alice: Client) -> None:
    """No campaign is begun, and the form stays filled in."""
    other = next(iter(REFRACTIONS))
    answer = _begin(as_alice, oaths=["dread", other], name="Ours")
    assert answer.status_code == 422
    assert "belongs to another campaign" in answer.content.decode()
    assert 'href="/rules/refractions/"' in answer.content.decode()
    assert 'value="Ours"' in answer.content.decode()
    assert 'value="dread" checked' in answer.content.decode()
    assert not Campaign.objects.exists()


def test_a_random_ultimatum_is_drawn_at_the_table(as_alice: Client) -> None:
    """Under the Ultimatum of Ultimatums, before each game."""
    assert _begin(as_alice, oaths=["ultimatums"]).status_code == 303
    campaign = Campaign.objects.get()
    table = f"/campaigns/{campaign.pk}/"
    draws = f'action="{table}ultimatums/draw"'
    assert draws not in as_alice.get(table).content.decode()
    report(campaign, as_answers(who(ROLAND, DAISY)))
    assert draws in as_alice.get(table).content.decode()
    known = as_alice.get(f"/api/v1/campaigns/{campaign.pk}/").json()["next_draw"]
    sent = {"after": campaign.last, "key": "draw"}
    assert as_alice.post(f"{table}ultimatums/draw", sent).status_code == 303
    campaign.refresh_from_db()
    row = campaign.entries.get(sequence=campaign.last)
    record = row.payload["record"]
    assert record["result"] == [row.payload["ultimatum"]]
    assert known == {
        "entry": row.sequence,
        "commitment": commitment_to(record["seed"]),
    }
    assert draws not in as_alice.get(table).content.decode()


def test_both_halves_are_begun_linked(as_alice: Client, alice: User) -> None:
    """The Dream-Eaters show that they are two; the other one has no investigators."""
    for half in ("tdea", "tdeb"):
        services.guide_by_hand(campaign=half, now=NOW)
    page = as_alice.get(NEW).content.decode()
    assert "The Dream-Eaters: The Web of Dreams" in page
    quest = Guide.objects.get(guide_id="tdea")
    data = {"guide": quest.pk, "name": "Ours", "seat_1": f"code:{ROLAND}"}
    assert as_alice.post(NEW, data | {"both": "on"}).status_code == 303
    ours = Campaign.objects.get(name="Ours")
    beside = Campaign.objects.get(name="Ours: The Web of Dreams")
    assert (ours.linked, beside.linked) == (beside, ours)
    assert (ours.seats.count(), beside.seats.count()) == (1, 0)
    table = as_alice.get(f"/campaigns/{ours.pk}/").content.decode()
    assert f'href="/campaigns/{beside.pk}/"' in table


def test_a_campaign_without_another_half_is_begun_alone(as_alice: Client) -> None:
    """Though both are requested; and a single half is not linked."""
    guide = services.guide_by_hand(campaign="tdea", now=NOW)
    assert _begin(as_alice, both="on").status_code == 303
    alone = as_alice.post(NEW, {"guide": guide.pk, "both": "on"})
    assert alone.status_code == 422
    assert "This campaign has no other half here." in alone.content.decode()
    assert Campaign.objects.get().linked is None


def test_halves_begun_apart_are_linked_in_their_settings(as_alice: Client) -> None:
    for half in ("tdea", "tdeb"):
        guide = services.guide_by_hand(campaign=half, now=NOW)
        as_alice.post(NEW, {"guide": guide.pk, "name": half})
    one, other = Campaign.objects.order_by("pk")
    settings = f"/campaigns/{one.pk}/settings/"
    assert "Linked campaigns" in as_alice.get(settings).content.decode()
    linked = as_alice.post(settings, {"do": "link", "other": other.pk})
    assert linked.status_code == 303
    one.refresh_from_db()
    assert one.linked == other


def test_a_program_begins_both_halves(as_alice: Client) -> None:
    for half in ("tdea", "tdeb"):
        services.guide_by_hand(campaign=half, now=NOW)
    quest = Guide.objects.get(guide_id="tdea")
    answer = as_alice.post(
        "/api/v1/campaigns/",
        {
            "guide": quest.pk,
            "both_halves": True,
            "oaths": [{"ultimatum": "orthodoxy"}, {"ultimatum": "failure"}],
        },
        content_type="application/json",
    )
    assert answer.status_code == 201
    beside = Campaign.objects.get(guide__guide_id="tdeb")
    assert answer.json()["linked"] == beside.pk
    for each in (beside, beside.linked):
        assert each is not None
        assert {*replayed(each).replay.state.ultimatums} == {"orthodoxy", "failure"}
        assert each.terms["taboo"].isdecimal()


def test_each_campaign_is_offered_once() -> None:
    """Guided, then by hand those without a guide; last by hand those with one.

    Older versions are for campaigns that use them.
    """
    ours, facts = Guide.Origin.OURS, Guide.Origin.FACTS
    dunwich = {"guide_id": "dwl", "name": "Dunwich"}
    rows = [
        Guide(pk=1, origin=ours, brought_at=NOW, **dunwich),
        Guide(pk=2, origin=facts, brought_at=NOW, **dunwich),
        Guide(pk=3, guide_id="zau", name="Ages", origin=facts, brought_at=NOW),
        Guide(pk=4, origin=ours, brought_at=NOW - timedelta(days=1), **dunwich),
    ]
    assert by_origin(rows) == [
        ("Guided", [("1", "Dunwich")]),
        ("Kept by hand", [("3", "Ages")]),
        ("Kept by hand instead of the guide", [("2", "Dunwich")]),
    ]


def test_both_halves_of_a_campaign_are_side_by_side() -> None:
    """By the name they are offered under, not by their own."""
    named = {"tdea": "The Dream-Quest", "tdeb": "The Web of Dreams", "tic": "Innsmouth"}
    ours = Guide.Origin.OURS
    rows = [
        Guide(pk=pk, guide_id=each, name=name, origin=ours, brought_at=NOW)
        for pk, (each, name) in enumerate(named.items())
    ]
    ((_title, offered),) = by_origin(rows)
    assert [name for _pk, name in offered] == [
        "The Dream-Eaters: The Dream-Quest",
        "The Dream-Eaters: The Web of Dreams",
        "Innsmouth",
    ]


def test_investigators_have_a_deck_and_a_unique_label() -> None:
    """None that exist only within a scenario; versions of a product by class."""
    pool = embedded_pool()
    (_title, named), *_rest = seat_choices([], investigators_of(pool), pool)
    labels = [label for _value, label in named]

    assert len(labels) == len({*labels})
    assert "Body of a Yithian" not in labels
    assert any(each.endswith("Investigator Expansion (Mystic)") for each in labels)


def test_only_the_latest_campaigns_show_their_question(
    as_alice: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each takes a replay: a list of hundreds would take seconds."""
    monkeypatch.setattr(starting, "MOST_IN_FULL", 1)
    older, newer = a_campaign(alice), a_campaign(alice, guide=a_row(version=4))
    Campaign.objects.filter(pk=newer.pk).update(changed_at=later(1))
    page = as_alice.get("/campaigns/").content.decode()
    assert page.count('class="wide-target name ') == 1
    assert (
        f'class="wide-target name plain-link text-l" href="/campaigns/{newer.pk}/"'
        in page
    )
    assert "Earlier campaigns" in page
    assert f'<li><a href="/campaigns/{older.pk}/">' in page
