"""The final page of a campaign, its picture, and the list of campaigns."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from campaigns.pages.ending import ending_of
from campaigns.play.in_play import Act
from campaigns.views.timeline import desk_of
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_row,
    a_seat,
    as_answers,
    organiser_of,
    report,
    who,
)
from tests.rules.campaign.helpers.games import a_game, begun, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """Alice's; Roland is hers, Daisy is free."""
    found = a_campaign(alice, ROLAND, guide=a_row(a_game("one")))
    a_seat(found, DAISY)
    report(found, as_answers(who(ROLAND, DAISY)))
    return found


def _over(campaign: Campaign) -> Campaign:
    report(campaign, as_answers(*won("one")))
    assert replayed(campaign).replay.pending is None
    return campaign


def _page(browser: Client, path: str) -> str:
    answered = browser.get(path)
    assert answered.status_code == 200
    return answered.content.decode()


def test_the_table_links_to_the_final_page(
    as_alice: Client, campaign: Campaign
) -> None:
    """It has investigators with fates, scenarios, charts and a picture."""
    path = f"/campaigns/{campaign.pk}/"
    assert f'href="{path}ending/"' not in _page(as_alice, path)
    _over(campaign)
    assert f'href="{path}ending/"' in _page(as_alice, path)
    page = _page(as_alice, f"{path}ending/")
    for words in ("The end", "Roland Banks", "Daisy Walker", "Experience earned"):
        assert words in page
    assert f'src="{path}ending/picture.svg"' in page


def test_the_dates_are_those_of_the_log(as_alice: Client, campaign: Campaign) -> None:
    """A campaign that is archived or renamed later ended no later."""
    _over(campaign)
    Campaign.objects.update(changed_at=datetime(2031, 5, 1, tzinfo=UTC))
    assert "2031" not in _page(as_alice, f"/campaigns/{campaign.pk}/ending/")


def test_the_picture_is_svg_without_players_names(
    as_alice: Client, campaign: Campaign
) -> None:
    """It is well formed whatever the campaign's name."""
    services.rename_campaign(
        campaign=campaign, member=organiser_of(campaign), name="<b>Ada & co</b>"
    )
    answered = as_alice.get(f"/campaigns/{_over(campaign).pk}/ending/picture.svg")
    assert answered["Content-Type"] == "image/svg+xml"
    root = ElementTree.fromstring(answered.content)  # noqa: S314
    words = " ".join("".join(root.itertext()).split())
    assert "<b>Ada & co</b>" in words
    assert "Roland Banks" in words
    assert "alice" not in words


def test_strangers_see_neither(as_bob: Client, campaign: Campaign) -> None:
    for place in ("ending/", "ending/picture.svg"):
        assert as_bob.get(f"/campaigns/{campaign.pk}/{place}").status_code == 404


def test_drawn_tokens_are_compared_with_the_bags(campaign: Campaign) -> None:
    """The expected numbers add up to the drawn ones."""
    member = organiser_of(campaign)
    report(campaign, as_answers(*begun("one", ROLAND, DAISY)))
    for do in ("ab", "ab", "ac", "ac"):
        services.play(
            campaign=campaign,
            member=member,
            scenario="one",
            act=Act(do, "", 99),
            now=timezone.now(),
        )
    for _draw in range(3):
        services.play(
            campaign=campaign,
            member=member,
            scenario="one",
            act=Act("d", "", 99),
            now=timezone.now(),
        )
    found = ending_of(campaign, replayed(campaign), desk_of(member))
    assert found.draws == 3
    assert sum(float(each.expected) for each in found.tokens) == pytest.approx(3, 0.05)


def test_the_first_page_shows_the_position_of_each_campaign(
    as_alice: Client, campaign: Campaign
) -> None:
    """The scenario, the investigators, the question; at the end its result."""
    report(campaign, as_answers(*begun("one", ROLAND, DAISY)))
    page = _page(as_alice, "/")
    row = page.partition('class="campaign-rows')[2].partition("</ul>")[0]
    for words in ("one", "Roland Banks, Daisy Walker", "Play the scenario"):
        assert words in row
    assert "Results" not in row
