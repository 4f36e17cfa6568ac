"""A campaign that began on paper, entered where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction

from arkham.rules.campaign.model.guide import SETUP, CampaignGuide
from arkham.rules.campaign.paper.entering import Position, entered_at
from arkham.rules.campaign.paper.judging import UNKNOWN, findings_of
from arkham.rules.campaign.state.answers import Answer, Asserted, Retracted, Stated
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from campaigns.guides import opening
from campaigns.log import store
from campaigns.log.entries import Entry
from campaigns.log.replays import Folded
from campaigns.models import Campaign, Membership
from campaigns.people import rights
from campaigns.people.rights import EntryRefused
from campaigns.questions.cards import nobody_knows
from campaigns.services.writing import WriteContext, written
from cardpool.catalog import current_pool

BEGUN = 1  # the entry every log begins with


def may_be_entered(campaign: Campaign, known: Folded) -> bool:
    """Whether nothing was said of a campaign but in its set-up."""
    if campaign.standalone or campaign.simulated or not known.last:
        return False
    return all(
        not isinstance(each, Stated | Asserted)
        and (not isinstance(each, Answer) or each.scenario == SETUP)
        for each in known.replay.used
    )


def _answered(known: Folded) -> list[int]:
    """The places of the answers that hold in the set-up, the latest first."""
    held = known.replay.used
    places = [each.sequence for each in held if isinstance(each, Answer)]
    return sorted((place for place in places if place > BEGUN), reverse=True)


@transaction.atomic
def enter_campaign(
    *,
    campaign: Campaign,
    member: Membership,
    position: Position,
    context: WriteContext,
    reason: str = "",
) -> store.Appended:
    """Write down where a campaign stands that has only begun here.

    What was answered in its set-up is taken back. Raises LogMoved, Forbidden;
    EntryRefused once anything was stated, or a scenario begun, and where it cannot
    stand there.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        rights.require(member, rights.Right.ORGANISE)
        if not may_be_entered(campaign, known):
            message = _("Something was reported here already.")
            raise EntryRefused(Finding(message, rule="log.begun", actual=known.last))
        guide = opening.opened(campaign.guide)
        wrong = (
            *findings_of(guide, position, known.replay.state.investigators),
            *_unknown_cards(guide, position),
        )
        if wrong:
            raise EntryRefused(*wrong)
        entered = entered_at(guide, position, reason=reason)[BEGUN:]
        return [*(Retracted(each) for each in _answered(known)), *entered]

    return written(campaign, make, member, context, cause="entered")


def _unknown_cards(guide: CampaignGuide, position: Position) -> Iterator[Finding]:
    """Cards nobody knows, among those investigators are said to have."""
    for person in position.people:
        cards = (*person.cards, *person.weaknesses)
        yield from nobody_knows(cards, guide, current_pool(), UNKNOWN)
