"""Campaigns with a past: begun on paper, in two halves, or the demo."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from arkham.accounts.models import User
from arkham.rules.campaign.interpreter import ALONE, HALVES
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP, CampaignGuide
from arkham.rules.campaign.paper import EnteredInvestigator, Position, entered_at
from arkham.rules.campaign.paper.judging import UNKNOWN, findings_of
from arkham.rules.campaign.reading.references import listed_cards
from arkham.rules.campaign.state.answers import Answer, Asserted, Retracted, Stated
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from campaigns.guides import opening
from campaigns.log import store
from campaigns.log.entries import Entry
from campaigns.log.replays import Folded
from campaigns.models import Campaign, Guide, Membership, Seat
from campaigns.people import rights
from campaigns.people.rights import EntryRefused
from campaigns.questions.cards import unknown_card_findings
from campaigns.services.tables import Sitting, link_campaigns, start_campaign
from campaigns.services.writing import WriteContext, answer, written
from cardpool.catalog import current_pool
from decks.lists.starter import starter_deck
from decks.services import create_deck

BEGUN = 1  # the number of the entry every log begins with


def may_be_entered(campaign: Campaign, known: Folded) -> bool:
    """Return whether a campaign's log has only answers of its setup."""
    if campaign.standalone or campaign.simulated or not known.last:
        return False
    return all(
        not isinstance(each, Stated | Asserted)
        and (not isinstance(each, Answer) or each.scenario == SETUP)
        for each in known.replay.used
    )


def _answered(known: Folded) -> list[int]:
    """Return the numbers of the setup's answers in force, latest first."""
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
    """Log the position of a campaign that was played on paper so far.

    Answers of its setup are undone, except for decisions that no paper log records; one
    of two halves counts as played alone unless stated. Raises LogMoved, Forbidden;
    EntryRefused if facts were stated or a scenario has begun, and for an impossible
    position.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        rights.require(member, rights.Right.ORGANISE)
        if not may_be_entered(campaign, known):
            message = _("This campaign already has answers: you can’t enter a log.")
            raise EntryRefused(Finding(message, rule="log.begun", actual=known.last))
        guide = opening.opened(campaign.guide)
        wrong = (
            *findings_of(guide, position, known.replay.state.investigators),
            *_unknown_cards(guide, position),
        )
        if wrong:
            raise EntryRefused(*wrong)
        at = position._replace(people=tuple(map(_by_kind_of_card, position.people)))
        entered = entered_at(guide, at, reason=reason)[BEGUN:]
        state = known.replay.state
        hidden = [each.id for each in guide.sections if each.hidden]
        unseen = [
            do.LogLine(name, line.id)
            for name in hidden
            if name in state.sections
            for line in state.sections[name].lines
        ]
        is_half = guide.id in HALVES and ALONE.section in hidden
        if is_half and not (unseen or state.linked):
            unseen.append(ALONE)
        recorded = (Stated(SETUP, line, (), (), reason) for line in unseen)
        return [*map(Retracted, _answered(known)), *entered, *recorded]

    return written(campaign, make, member, context, cause="entered")


def _by_kind_of_card(person: EnteredInvestigator) -> EnteredInvestigator:
    """Separate basic weaknesses; story weaknesses are cards that the campaign gave."""
    cards = (*person.cards, *person.weaknesses)
    basic = {each.code for each in current_pool().basic_weaknesses}
    return person._replace(
        cards=tuple(each for each in cards if each not in basic),
        weaknesses=tuple(each for each in cards if each in basic),
    )


def _unknown_cards(guide: CampaignGuide, position: Position) -> Iterator[Finding]:
    """Report unknown cards that investigators have or the log names."""
    listed = listed_cards(guide)
    written = [line for section, line in position.lines if section in listed]
    for named in (written, *position.named.values()):
        yield from unknown_card_findings(named, guide, current_pool(), UNKNOWN)
    for person in position.people:
        cards = (*person.cards, *person.weaknesses)
        yield from unknown_card_findings(cards, guide, current_pool(), UNKNOWN)


def other_half(guide: Guide, usable: QuerySet[Guide]) -> Guide | None:
    """Return the guide of the other half; None if there is none."""
    found = usable.filter(guide_id=HALVES.get(guide.guide_id, ""), origin=guide.origin)
    return found.order_by("-version", "-brought_at", "-pk").first()


@transaction.atomic
def start_halves(
    *,
    organiser: User,
    guide: Guide,
    usable: QuerySet[Guide],
    name: str,
    now: datetime,
    ultimatums: Iterable[tuple[str, str]] = (),
    **more: Any,
) -> Campaign:
    """Start one half as requested and the other half with it, linked.

    Ultimatums apply to both: they are one campaign. The other has no seats yet, as its
    investigators differ. Raises EntryRefused if there is no other half.
    """
    other = other_half(guide, usable)
    if other is None:
        said = _("This campaign has no other half here.")
        raise EntryRefused(Finding(said, rule="campaign.linked", actual=guide.guide_id))
    ultimatums = tuple(ultimatums)
    campaign = start_campaign(
        organiser=organiser,
        guide=guide,
        name=name,
        now=now,
        ultimatums=ultimatums,
        **more,
    )
    beside = start_campaign(
        organiser=organiser,
        guide=other,
        name=f"{name}: {other.name}" if name.strip() else "",
        now=now,
        terms=_shared(more.get("terms") or {}),
        ultimatums=ultimatums,
    )
    member = campaign.memberships.get(user=organiser)
    link_campaigns(campaign=campaign, member=member, other=beside, now=now)
    return campaign


def _shared(terms: dict[str, Any]) -> dict[str, Any]:
    """Return the terms that both halves share; investigators' own taboo lists stay."""
    return {key: value for key, value in terms.items() if key != "taboos"}


HERE, ON_PAPER = "01002", "01001"  # Daisy Walker with a deck, Roland Banks without
BETWEEN_ANSWERS = timedelta(minutes=4)

Chosen = Mapping[str, tuple[str, ...]]


def _each(daisy: str, roland: str) -> Chosen:
    return {HERE: (daisy,), ON_PAPER: (roland,)}


_BOTH = _each("chosen", "chosen")
_SETUP, _FIRST = "$campaign_setup", "torch"
EVENING = (
    Answer("string_choices", _SETUP, "choose_investigators", _BOTH),
    Answer("choice", _SETUP, "difficulty_choice", 1),
    Answer("string_choices", _SETUP, "draw_weakness", _each("rbw", "rbw")),
    Answer(
        "string_choices", _SETUP, "draw_weakness_effects_weakness",
        _each("01098", "01097"),
    ),
    Answer("decision", _SETUP, "save_decks", True),
    Answer("start_scenario", _FIRST, "", None),
    Answer("string_choices", _FIRST, "$choose_investigators", _BOTH),
    Answer("string_choices", _FIRST, "$lead_investigator", {HERE: ("lead",)}),
    Answer("choice", _FIRST, "$play_scenario", -2),
    Answer("choice", _FIRST, "$choose_resolution", 1),
    Answer(
        "string_choices", _FIRST, "$r_R1*investigator_status",
        _each("alive", "physical"),
    ),
    Answer(
        "string_choices", _FIRST, "earn_lita_effects_investigator",
        {HERE: ("chosen_investigator",)},
    ),
    Answer("choice_list", _FIRST, "earn_xp", {"01113": (1,), "01116": (1,)}),
)  # fmt: skip


@transaction.atomic
def ensure_demo_campaign(*, owner: User, now: datetime) -> Campaign | None:
    """Give an account without campaigns a demo: settled once, decks to be upgraded.

    Returns None if the account has a campaign, or if the guide is missing.
    """
    guide = Guide.objects.filter(guide_id="core", origin=Guide.Origin.OURS).last()
    if guide is None or Campaign.objects.filter(memberships__user=owner).exists():
        return None
    begun = now - (len(EVENING) + 1) * BETWEEN_ANSWERS
    content = starter_deck(current_pool(), HERE)
    deck = create_deck(
        owner=owner, content=content, now=begun, name=gettext("Daisy’s books")
    )
    sitting = (
        Sitting(HERE, deck=deck),
        Sitting(ON_PAPER, name="Ada", kind=Seat.Kind.PAPER, is_mine=False),
    )
    campaign = start_campaign(
        organiser=owner,
        guide=guide,
        name=gettext("A night with friends"),
        now=begun,
        sitting=sitting,
    )
    member = campaign.memberships.get()
    for turn, said in enumerate(EVENING, 1):
        context = WriteContext(campaign.last, begun + turn * BETWEEN_ANSWERS)
        answer(campaign=campaign, member=member, given=said, context=context)
    return campaign
