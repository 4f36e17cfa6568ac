"""A standalone scenario: found, begun, and asked about."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide
from tests.campaigns.helpers.tables import a_row, have_our_guides
from tests.rules.campaign.helpers.small import DAISY, ROLAND

pytestmark = pytest.mark.django_db
SINGLE, NEW = "/campaigns/new/scenario/", "/campaigns/new/"
SEATS = {"seat_1": f"code:{ROLAND}", "seat_2": f"code:{DAISY}"}


@pytest.fixture
def side() -> Guide:
    """The standalone scenarios whose facts come with Orne."""
    have_our_guides()
    return Guide.objects.get(guide_id="side", origin="facts")


def test_a_standalone_scenario_is_begun_by_its_form(
    as_alice: Client, side: Guide
) -> None:
    """From the list to the table, in standalone mode."""
    assert SINGLE in as_alice.get(NEW).content.decode()
    page = as_alice.get(SINGLE, {"guide": side.pk}).content.decode()
    assert "resolve the earlier scenarios" not in page  # there are none
    found = re.search(r'href="(/campaigns/new/\?[^"]*carnevale[^"]*)"', page)
    assert found is not None
    begin = as_alice.get(found[1].replace("&amp;", "&"))
    assert "Carnevale of Horrors, on its own" in begin.content.decode()
    filled = dict(
        re.findall(
            r'<input type="hidden" name="(guide|standalone|simulated)" value="([^"]*)"',
            begin.content.decode(),
        )
    )
    answer = as_alice.post(NEW, filled | SEATS)
    assert answer.status_code == 303
    campaign = Campaign.objects.get()
    assert (campaign.standalone, campaign.simulated) == ("carnevale_of_horrors", "")
    assert campaign.name == "Carnevale of Horrors"
    asked = replayed(campaign).replay.pending
    assert asked is not None
    assert asked.scenario == "carnevale_of_horrors"
    assert as_alice.get(f"/campaigns/{campaign.pk}/").status_code == 200


def test_a_scenario_after_the_rest_is_not_the_first(as_alice: Client) -> None:
    """Nothing comes before that one."""
    guide = a_row()
    page = as_alice.get(SINGLE, {"guide": guide.pk}).content.decode()
    assert "simulated=one" not in page
    assert "simulated=two" in page
    assert "resolve the earlier scenarios" in page
    told: dict[str, Any] = {"guide": guide.pk, "simulated": "two"}
    begin = as_alice.get(NEW, told).content.decode()
    assert "after a campaign resolved without playing" in begin
    assert as_alice.post(NEW, told | SEATS).status_code == 303
    assert Campaign.objects.get().simulated == "two"


def test_no_campaign_consists_of_side_scenarios(as_alice: Client, side: Guide) -> None:
    """Only a single one can be begun; unknown ones are refused."""
    assert as_alice.post(NEW, {"guide": side.pk} | SEATS).status_code == 422
    wrong = {"guide": side.pk, "standalone": "nowhere"} | SEATS
    assert as_alice.post(NEW, wrong).status_code == 422
    api = {"guide": side.pk, "seats": [{"investigator": ROLAND}]}
    path = "/api/v1/campaigns/"
    assert as_alice.post(path, api, "application/json").status_code == 404
    api["standalone"] = "carnevale_of_horrors"
    assert as_alice.post(path, api, "application/json").status_code == 201


def test_side_scenarios_are_shown_first(as_alice: Client, side: Guide) -> None:
    """Each with one button; what is played as a whole is begun as a campaign."""
    page = as_alice.get(SINGLE).content.decode()
    ours = Guide.objects.get(guide_id="side", origin=Guide.Origin.OURS)
    assert f"guide={ours.pk}&amp;standalone=blob_that_ate_everything" in page
    whole = Guide.objects.get(guide_id="fof", origin=Guide.Origin.OURS)
    page = as_alice.get(SINGLE, {"guide": whole.pk}).content.decode()
    assert "You play all its scenarios together." in page
    assert f'href="{NEW}?guide={whole.pk}"' in page


@pytest.mark.parametrize("guide", ["", "0", "x", "999999"])
def test_an_unknown_guide_shows_only_the_list(as_alice: Client, guide: str) -> None:
    """Nor is another user's guide shown."""
    page = as_alice.get(SINGLE, {"guide": guide})
    assert page.status_code == 200
    assert "singles-title" not in page.content.decode()
