"""Programs add, draw and release ultimatums, retire and move investigators."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from campaigns.models import Campaign, Role
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_member,
    a_row,
    as_answers,
    experience,
    report,
    who,
)
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

API = "/api/v1/campaigns/"


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """Alice's campaign, with Roland and Daisy; the first game is over."""
    campaign = a_campaign(alice, ROLAND, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    return campaign


def _post(
    browser: Client, campaign: Campaign, path: str, **body: Any
) -> tuple[int, dict[str, Any]]:
    sent = browser.post(
        f"{API}{campaign.pk}/{path}", body, content_type="application/json"
    )
    campaign.refresh_from_db()
    return sent.status_code, sent.json()


def test_an_ultimatum_is_added_and_released(
    campaign: Campaign, as_alice: Client
) -> None:
    """By a retraction with a reason; without one it stays."""
    path = f"{API}{campaign.pk}/oaths/"
    last = campaign.last
    assert as_alice.get(path).json() == []
    status, _sworn = _post(as_alice, campaign, "oaths/", after=last, ultimatum="agony")
    assert status == 201
    assert as_alice.get(path).json() == [
        {
            "sequence": last + 1,
            "ultimatum": "agony",
            "name": "Ultimatum of Agony",
            "scenario": "two",
            "drawn": False,
        }
    ]
    status, refused = _post(
        as_alice, campaign, "retractions/", after=last + 1, target=last + 1
    )
    assert (status, refused["findings"][0]["rule"]) == (422, "oath.permanent")
    status, _released = _post(
        as_alice,
        campaign,
        "retractions/",
        after=last + 1,
        target=last + 1,
        reason="A slip.",
    )

    assert status == 201
    assert as_alice.get(path).json() == []


def test_an_ultimatum_is_drawn_under_the_ultimatum_of_ultimatums(
    campaign: Campaign, as_alice: Client
) -> None:
    """The record is in the entry; the possible ones are listed."""
    _post(as_alice, campaign, "oaths/", after=campaign.last, ultimatum="ultimatums")
    status, wrong = _post(
        as_alice, campaign, "oaths/drawn", after=campaign.last, also=["chaos"]
    )
    assert (status, wrong["errors"][0]["pointer"]) == (422, "/also/0")
    status, refused = _post(as_alice, campaign, "oaths/drawn", after=campaign.last)

    assert (status, refused["findings"][0]["rule"]) == (422, "oath.drawn")


def test_only_organisers_add_draw_and_move(
    campaign: Campaign, bob: User, as_bob: Client, as_charlie: Client
) -> None:
    """403 for a scribe, 404 for a stranger."""
    a_member(campaign, bob, Role.SCRIBE)
    seat = campaign.seats.get(investigator=ROLAND).pk
    after = campaign.last
    for browser, expected in ((as_bob, 403), (as_charlie, 404)):
        for path, body in (
            ("oaths/", {"after": after, "ultimatum": "agony"}),
            ("oaths/drawn", {"after": after}),
            (
                "transfers/",
                {"guide": campaign.guide_id, "going": [{"seat": seat}]},
            ),
        ):
            assert _post(browser, campaign, path, **body)[0] == expected, path
    assert as_charlie.get(f"{API}{campaign.pk}/oaths/").status_code == 404

    assert campaign.last == after


def test_a_key_belongs_to_one_request(campaign: Campaign, as_alice: Client) -> None:
    """With an addition's key no draw is made, and no one retires."""
    seats = f"{API}{campaign.pk}/seats/"
    roland, daisy = (
        f"{seats}{campaign.seats.get(investigator=code).pk}/retirement"
        for code in (ROLAND, DAISY)
    )
    oaths = f"{API}{campaign.pk}/oaths/"

    def sent(address: str, **body: Any) -> int:
        campaign.refresh_from_db()
        return as_alice.post(
            address,
            {"after": campaign.last, **body},
            content_type="application/json",
            headers={"Idempotency-Key": "1" if address.startswith(oaths) else "2"},
        ).status_code

    assert sent(oaths, ultimatum="ultimatums") == 201
    assert sent(f"{oaths}drawn") == 422
    assert sent(roland, reason="Old.") == 201
    assert sent(roland, reason="Old.") == 200
    assert sent(daisy, reason="Old.") == 422


def test_an_investigator_retires(campaign: Campaign, as_alice: Client) -> None:
    """With a reason, and once."""
    path = f"seats/{campaign.seats.get(investigator=ROLAND).pk}/retirement"
    status, _none = _post(as_alice, campaign, path, after=campaign.last, reason="")
    assert status == 422
    status, done = _post(as_alice, campaign, path, after=campaign.last, reason="Old.")
    assert (status, done["last"]) == (201, campaign.last)
    status, again = _post(as_alice, campaign, path, after=campaign.last, reason="Old.")

    assert (status, again["findings"][0]["rule"]) == (422, "seat.gone")


def test_investigators_move_to_another_campaign(
    campaign: Campaign, as_alice: Client
) -> None:
    """With the experience the table chose; none of another campaign."""
    seat = campaign.seats.get(investigator=ROLAND).pk
    other = a_row(version=4)
    for going, expected in (
        ([{"seat": seat, "unspent": -1}], 422),
        ([{"seat": 10**6}], 404),
        ([], 422),
    ):
        sent = _post(as_alice, campaign, "transfers/", guide=other.pk, going=going)
        assert sent[0] == expected
    status, begun = _post(
        as_alice,
        campaign,
        "transfers/",
        guide=other.pk,
        name="Saturday",
        going=[{"seat": seat, "unspent": 2}],
    )
    assert status == 201
    after = Campaign.objects.get(pk=begun["campaign"])
    report(after, as_answers(who(ROLAND)))

    assert after.name == "Saturday"
    assert experience(after, ROLAND) == 2


def test_a_campaign_is_begun_under_ultimatums(alice: User, as_alice: Client) -> None:
    """As on the page: printed ones and one of the table's own, from the setup."""
    begun = {"guide": a_row().pk, "name": "Friday"}
    oaths = [
        {"ultimatum": "orthodoxy"},
        {"ultimatum": "own-no-phones", "name": " No  phones "},
    ]

    def start(**body: Any) -> tuple[int, dict[str, Any]]:
        sent = as_alice.post(API, begun | body, content_type="application/json")
        return sent.status_code, sent.json()

    status, shown = start(oaths=oaths)
    assert status == 201
    assert shown["terms"] == {"taboo": str(embedded_pool().taboo_lists[-1].id)}
    sworn = as_alice.get(f"{API}{shown['id']}/oaths/").json()
    assert [(each["ultimatum"], each["name"], each["scenario"]) for each in sworn] == [
        ("orthodoxy", "Ultimatum of Orthodoxy", "$campaign_setup"),
        ("own-no-phones", "No phones", "$campaign_setup"),
    ]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"oaths": [{"ultimatum": "nobody"}]}, "oath.known"),
        ({"oaths": [{"ultimatum": "agony"}] * 2}, "oath.once"),
        ({"oaths": [{"ultimatum": "death"}]}, "oath.place"),
        ({"oaths": ["agony"]}, "/oaths/0"),
        (
            {"oaths": [{"ultimatum": "orthodoxy"}], "terms": {"taboo": "none"}},
            "every deck follows a taboo list",
        ),
    ],
)
def test_an_impossible_ultimatum_begins_no_campaign(
    alice: User, as_alice: Client, body: dict[str, Any], found: str
) -> None:
    """Each is checked as if it were added later."""
    begun = {"guide": a_row().pk} | body
    sent = as_alice.post(API, begun, content_type="application/json")
    assert sent.status_code == 422
    assert found in sent.content.decode()
    assert not Campaign.objects.exists()
