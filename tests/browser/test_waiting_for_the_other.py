"""A table that waits for its linked campaign polls until that has decided."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Response, expect

from arkham.accounts.models import User
from campaigns import services
from campaigns.models import Campaign
from tests.campaigns.helpers.side_by_side import REALLY, half
from tests.campaigns.helpers.tables import NOW, as_answers, organiser_of, report, who
from tests.rules.campaign.helpers.small import DAISY, ROLAND, receiving, sending

POLL = 5_000  # milliseconds, after which the page has polled again


@pytest.fixture
def tables(alice: User) -> tuple[Campaign, Campaign]:
    """Two campaigns, one of which waits for a decision of the other."""
    hearing = half(alice, "hearing", receiving("cats", "came", "stayed"), REALLY)
    waking = half(alice, "waking", sending("cats", "came"))
    sitting = organiser_of(hearing)
    services.link_campaigns(campaign=hearing, member=sitting, other=waking, now=NOW)
    report(hearing, as_answers(who(ROLAND)))
    return hearing, waking


@pytest.mark.django_db(transaction=True)
def test_polling_keeps_the_readers_place(
    page: Page, tables: tuple[Campaign, Campaign]
) -> None:
    """Until the decision is made: then the next question appears by itself."""
    hearing, waking = tables
    page.clock.install()
    page.goto(f"/account/login/?next=/campaigns/{hearing.pk}/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    on = page.get_by_role("link", name=f"Continue with {waking.name}")
    on.focus()

    def looked(answer: Response) -> bool:
        return answer.url.partition("?")[0].endswith(f"/campaigns/{hearing.pk}/")

    for _again in range(2):
        with page.expect_response(looked):
            page.clock.fast_forward(POLL)
    expect(on).to_be_focused()

    waking.refresh_from_db()
    report(waking, as_answers(who(DAISY)))
    page.clock.fast_forward(POLL)
    expect(page.locator("form[data-answer]")).to_be_visible()
