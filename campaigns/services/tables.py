"""Starting, archiving and copying a campaign, and moving it to another guide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules.campaign.by_hand import kept_facts
from arkham.rules.campaign.by_hand.guide import guide_by_hand as rules_guide_by_hand
from arkham.rules.campaign.by_hand.scenarios import led_up_to
from arkham.rules.campaign.interpreter.replay import START, Replay
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.run import Problem
from arkham.rules.campaign.settlement import ReplayDifference, settlement
from arkham.rules.campaign.state.answers import Answer, Entry, UltimatumChosen
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from arkham.rules.ultimatums import UltimatumEffect, under
from campaigns.guides import opening
from campaigns.guides.keeping import delete_unused_left_guides
from campaigns.log import store
from campaigns.log.entries import Adopted, folded
from campaigns.log.replays import Folded, folded_over, linked_decisions, replayed
from campaigns.models import Campaign, Guide, LogEntry, Membership, Role, Seat
from campaigns.models.campaign import LONGEST_NAME
from campaigns.models.people import LONGEST_CODE, LONGEST_PERSON
from campaigns.people.rights import (
    EntryRefused,
    Right,
    require,
    require_room_for_a_campaign,
    require_room_for_a_copy,
)
from campaigns.services.account import keep_decisions_for_linked
from campaigns.services.agreements import agreed, choose_ultimatum
from campaigns.services.deck_terms import withdraw_terms
from campaigns.services.decks import link_deck, state_purchases
from campaigns.services.roster import require_may_sit, require_seating
from campaigns.services.settling import settle_decks
from campaigns.services.writing import WriteContext, require_open
from cardpool.catalog import current_pool
from decks.lists.content import whole
from decks.models import Deck

MOST_SEATS = 40  # of one campaign, including lost investigators


class Sitting(NamedTuple):
    """An investigator as a campaign starts, with a player and perhaps a deck."""

    investigator: str
    name: str = ""
    deck: Deck | None = None
    kind: str = Seat.Kind.NONE
    is_mine: bool = True


class Differences(NamedTuple):
    """What another guide would change; ``unreached`` are answers it doesn't ask for."""

    settlement: ReplayDifference
    problems: tuple[Problem, ...]
    unreached: tuple[Entry, ...]


def guide_by_hand(*, campaign: str, now: datetime) -> Guide:
    """Return the guide that keeps a campaign by hand, from the facts known now.

    Campaigns that follow it keep those facts. Raises KeyError if no facts about the
    campaign are known.
    """
    made = rules_guide_by_hand(campaign)
    return Guide.objects.get_or_create(
        digest=made.digest,
        side_digest="",
        owner=None,
        defaults={
            "guide_id": made.id,
            "name": made.name,
            "version": made.version,
            "origin": Guide.Origin.FACTS,
            "prepared": opening.packed(kept_facts(campaign)),
            "brought_at": now,
        },
    )[0]


@transaction.atomic
def start_campaign(
    *,
    organiser: User,
    guide: Guide,
    name: str,
    now: datetime,
    standalone: str = "",
    simulated: str = "",
    terms: Mapping[str, Any] | None = None,
    sitting: Iterable[Sitting] = (),
    ultimatums: Iterable[tuple[str, str]] = (),
) -> Campaign:
    """Start a campaign, or one scenario on its own, with its first entry.

    A ``simulated`` scenario is played after all before it were resolved without being
    played; give at most one of both. ``ultimatums`` include boons and refractions, each
    with a name if it is the table's own. Raises EntryRefused for a scenario the guide
    doesn't have, a repeated investigator, one that can't be chosen, or another
    account's collection; Unreadable for the terms.
    """
    opened = opening.opened(guide)
    ultimatums = tuple(ultimatums)
    for scenario, known in (
        (standalone, opened.scenarios),
        (simulated, () if standalone else led_up_to(opened)),
    ):
        if scenario and scenario not in known:
            said = _("The guide doesn’t have this scenario.")
            raise EntryRefused(Finding(said, rule="log.scenario", actual=scenario))
    printed = opened.scenarios[standalone] if standalone else opened
    require_room_for_a_campaign(organiser)
    campaign = Campaign.objects.create(
        name=_name(name) or printed.name[:LONGEST_NAME],
        guide=guide,
        version=opened.version,
        standalone=standalone,
        simulated=simulated,
        terms=_terms(terms or {}, organiser, ultimatums),
        made_at=now,
        changed_at=now,
    )
    member = Membership.objects.create(
        campaign=campaign, user=organiser, role=Role.ORGANISER, joined_at=now
    )
    for each in sitting:
        add_seat(campaign=campaign, member=member, sitting=each, now=now)
    begun = Answer(START, standalone or SETUP, "", None)
    store.append(campaign, [begun], after=0, author=member, now=now)
    for seat in campaign.seats.filter(deck__isnull=False):
        state_purchases(campaign, seat, now=now)
    for ultimatum, called in ultimatums:
        chosen = UltimatumChosen(standalone or SETUP, ultimatum, called)
        context = WriteContext(campaign.last, now)
        choose_ultimatum(
            campaign=campaign, member=member, chosen=chosen, context=context
        )
    return campaign


@transaction.atomic
def add_seat(
    *,
    campaign: Campaign,
    member: Membership,
    sitting: Sitting,
    now: datetime,
    instead: Seat | None = None,
) -> Seat:
    """Seat an investigator, perhaps ``instead`` of a lost one.

    Raises Forbidden; EntryRefused if they are seated, or may not be chosen now.
    """
    require_seating(member, instead)
    store.locked_with_linked(campaign)
    seats = campaign.seats
    code, said = sitting.investigator, _("We don’t know this investigator.")
    if len(code) > LONGEST_CODE:
        cut = code[:LONGEST_CODE]
        raise EntryRefused(Finding(said, rule="roster.known", actual=cut))
    said = _("This investigator is already at the table.")
    if seats.filter(investigator=code).exists():
        raise EntryRefused(Finding(said, rule="seat.once", cards=(code,)))
    said = _("A table can’t have this many seats.")
    if seats.count() >= MOST_SEATS:
        raise EntryRefused(Finding(said, rule="seat.most"))
    player = member if sitting.is_mine else None
    require_may_sit(campaign, sitting.investigator, instead, player)
    kind = Seat.Kind.NONE if sitting.deck is not None else sitting.kind
    seat = Seat.objects.create(
        campaign=campaign,
        investigator=sitting.investigator,
        member=player,
        name=whole(sitting.name).strip()[:LONGEST_PERSON],
        kind=kind,
        instead=instead,
        made_at=now,
    )
    if sitting.deck is not None:
        link_deck(seat=seat, member=member, deck=sitting.deck, now=now)
    return seat


@transaction.atomic
def rename_campaign(*, campaign: Campaign, member: Membership, name: str) -> None:
    """Rename a campaign. Raises Forbidden."""
    require(member, Right.ORGANISE)
    campaign.name = _name(name) or campaign.name
    _save(campaign, "name")


@transaction.atomic
def change_terms(
    *, campaign: Campaign, member: Membership, terms: Mapping[str, Any]
) -> None:
    """Change the agreed terms. Raises Forbidden; EntryRefused; Unreadable."""
    require(member, Right.ORGANISE)
    campaign.terms = agreed(terms, member.user, campaign, replayed(campaign))
    _save(campaign, "terms")


@transaction.atomic
def archive(*, campaign: Campaign, member: Membership, now: datetime | None) -> None:
    """Archive a campaign, or unarchive it (None). Raises Forbidden."""
    require(member, Right.ORGANISE)
    campaign.archived_at = now
    _save(campaign, "archived_at")


def _save(campaign: Campaign, field: str) -> None:
    campaign.changed_at = timezone.now()
    campaign.save(update_fields=[field, "changed_at"])


@transaction.atomic
def delete_campaign(*, campaign: Campaign, member: Membership, now: datetime) -> None:
    """Delete a campaign with its log; decks keep what it gave, but not its terms."""
    require(member, Right.ORGANISE)
    # Wait for anyone who acts at this table or copies it: what they leave is deleted or
    # released, too.
    held = store.locked_with_linked(campaign)
    keep_decisions_for_linked(held)
    withdraw_terms(held, now)
    held.delete()
    delete_unused_left_guides()


@transaction.atomic
def branch(
    *,
    campaign: Campaign,
    member: Membership,
    now: datetime,
    up_to: int | None = None,
    name: str = "",
) -> Campaign:
    """Copy a campaign as it was after the entry ``up_to``, to try something else.

    The member organises the copy, which has no decks. It has its own secret, so its
    draws reveal nothing about the table's draws.

    Raises QuotaReached.
    """
    require_room_for_a_copy(campaign, member)
    end = campaign.last if up_to is None else max(0, min(up_to, campaign.last))
    copied = [row for row in store.rows(campaign) if row.sequence <= end]
    twin = Campaign.objects.create(
        name=_name(name) or campaign.name,
        guide=campaign.guide,
        version=campaign.version,
        standalone=campaign.standalone,
        simulated=campaign.simulated,
        terms=campaign.terms,
        last=end,
        head=store.head_of(copied),
        heard=linked_decisions(campaign, end),
        fronts=campaign.fronts,
        branched_from=campaign,
        branched_at=end,
        made_at=now,
        changed_at=now,
    )
    Membership.objects.create(
        campaign=twin,
        user=member.user,
        guest=member.guest,
        role=Role.ORGANISER,
        joined_at=now,
    )
    LogEntry.objects.bulk_create(store.copies(copied, twin))
    seats = campaign.seats.order_by("pk")
    seat_all(twin, seats.values_list("investigator", "name", "instead__investigator"))
    return twin


def seat_all(
    campaign: Campaign,
    seats: Iterable[tuple[str, str, str | None]],
    player: Membership | None = None,
) -> None:
    """Seat investigators with their players' names, in order of replacement."""
    made: dict[str | None, Seat] = {}
    for code, name, replaced in seats:
        seat = Seat(campaign=campaign, investigator=code, name=name, member=player)
        seat.instead, seat.made_at = made.get(replaced), campaign.made_at
        seat.save()
        made[code] = seat


@transaction.atomic
def link_campaigns(
    *, campaign: Campaign, member: Membership, other: Campaign, now: datetime
) -> None:
    """Link two campaigns, so that each knows the other's decisions.

    ``member`` organises the first; the caller must check that the same person organises
    the other. Raises Forbidden; EntryRefused if one of them is linked already.
    """
    require(member, Right.ORGANISE)
    keys = campaign.pk, other.pk
    both = Campaign.objects.select_for_update().filter(pk__in=keys).order_by("pk")
    if len(both) < len(keys) or any(each.linked_id for each in both):
        raise EntryRefused(Finding(_("Already linked."), rule="campaign.linked"))
    Campaign.objects.filter(pk=campaign.pk).update(linked=other, changed_at=now)
    Campaign.objects.filter(pk=other.pk).update(linked=campaign, changed_at=now)
    campaign.refresh_from_db()
    other.refresh_from_db()
    settle_decks(campaign, replayed(campaign).replay, now=now)


# -- guides --


def compare_guides(*, campaign: Campaign, guide: Guide) -> Differences:
    """Return how the same log differs under another version of the guide."""
    known = replayed(campaign)
    return _differences(known, folded_over(campaign, known.entries, row=guide))


@transaction.atomic
def adopt_guide(
    *, campaign: Campaign, member: Membership, guide: Guide, context: WriteContext
) -> Differences:
    """Adopt another version of the guide, and settle what it changes.

    Raises Forbidden, LogMoved; EntryRefused for a guide of another campaign.
    """
    require(member, Right.ORGANISE)
    if guide.guide_id != campaign.guide.guide_id:
        raise EntryRefused(
            Finding(
                _("This is the guide of another campaign."),
                rule="campaign.guide",
                actual=guide.guide_id,
                expected=campaign.guide.guide_id,
            )
        )
    held = store.locked_at(campaign, after=context.after).campaign
    require_open(held)
    known = replayed(held)
    adopted = Adopted(held.guide.digest, guide.digest)
    held.guide = guide
    held.save(update_fields=["guide"])
    store.append(held, [adopted], after=context.after, author=member, now=context.now)
    after = replayed(held).replay
    settle_decks(held, after, now=context.now)
    campaign.guide = guide
    store.sync_head(campaign, held)
    delete_unused_left_guides()
    return _differences(known, after)


def _differences(known: Folded, after: Replay) -> Differences:
    had = {each.sequence for each in known.replay.used}
    has = {each.sequence for each in after.used}
    return Differences(
        settlement(known.replay, after),
        tuple(each for each in after.problems if each not in known.replay.problems),
        tuple(each for each in folded(known.entries) if each.sequence in had - has),
    )


def _terms(
    requested: Mapping[str, Any], organiser: User, ultimatums: Iterable[tuple[str, str]]
) -> dict[str, Any]:
    """Return the terms to start with: under Orthodoxy everyone follows a taboo list.

    The newest list if none is named (TABOO-02). Raises the errors of ``agreed``.
    """
    terms, lists = agreed(requested, organiser), current_pool().taboo_lists
    chosen = [ultimatum for ultimatum, _called in ultimatums]
    forced = under(chosen, UltimatumEffect.FOLLOWS_TABOOS)
    if forced and lists and not terms.get("taboo"):
        terms["taboo"] = str(lists[-1].id)
    return terms


def _name(name: str) -> str:
    return whole(name).strip()[:LONGEST_NAME]
