"""Move investigators of one campaign to another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from arkham.rules.campaign.judging.between_games import is_under_way
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import TRANSFERRED, Stated
from arkham.rules.campaign.state.ledger import Banked
from arkham.rules.campaign.transfer import Departure, arrival, transferred
from arkham.rules.campaign.transfer import findings_of as transfer_findings
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, Membership, Seat, Settlement
from campaigns.people.rights import EntryRefused, Forbidden, Right, require
from campaigns.services.settling import ARRIVED
from campaigns.services.tables import start_campaign
from campaigns.settling.deck_debts import Order, moves_to_record
from campaigns.settling.outcome import (
    ExperienceSource,
    Holding,
    in_decks,
    points_data,
)
from decks.services import ledger


class SeatTransfer(NamedTuple):
    """An investigator who moves on, with their unspent experience.

    ``unspent`` is what the table entered; None means what is left in the deck here.
    """

    seat: Seat
    unspent: int | None = None

    @property
    def experience(self) -> int:
        """The experience that moves along."""
        if self.unspent is not None:
            return max(self.unspent, 0)
        deck = self.seat.deck
        balance = ledger.balance_of(deck) if deck is not None else 0
        return ledger.as_asked(max(balance, 0))


@transaction.atomic
def transfer_campaign(
    *,
    campaign: Campaign,
    member: Membership,
    guide: Guide,
    going: Sequence[SeatTransfer],
    now: datetime,
    name: str = "",
) -> Campaign:
    """Start another campaign with investigators of this one.

    They bring their decks, unspent experience, trauma and earned cards; the log, the
    bag and what the start gave stay. Their players come along. Raises Forbidden for
    non-organisers and guests; EntryRefused for investigators who may not move.
    """
    require(member, Right.ORGANISE)
    if member.user is None:
        raise Forbidden("account")
    moving = list(_moving(campaign, going))
    found = [each for one in moving for each in transfer_findings(one)]
    if not moving:
        said = _("Choose at least one investigator who goes on.")
        found.append(Finding(said, rule="transfer.nobody"))
    if found:
        raise EntryRefused(*found)
    begun = start_campaign(
        organiser=member.user, guide=guide, name=name, now=now, terms=campaign.terms
    )
    fronts = campaign.fronts or {}
    codes = [one.code for one in moving if one.code in fronts]
    begun.fronts = {code: fronts[code] for code in codes} or None
    begun.save(update_fields=["fronts"])
    organiser = begun.memberships.get(user=member.user)
    _arrive(begun, organiser, moving, now)
    members = _come_along(begun, member, organiser, going, now)
    for each, one in zip(going, moving, strict=True):
        _sit_down(begun, members, each.seat, one, now)
    return begun


def _moving(campaign: Campaign, going: Iterable[SeatTransfer]) -> Iterable[Departure]:
    replay = replayed(campaign).replay
    is_resolving = is_under_way(replay)
    before: tuple[str, ...] = ()
    for each in going:
        if each.seat.campaign_id != campaign.pk:
            raise Forbidden("seat")
        code = each.seat.investigator
        yield Departure(code, replay.state, each.experience, before, is_resolving)
        before = (*before, code)


def _arrive(
    begun: Campaign, organiser: Membership, moving: Iterable[Departure], now: datetime
) -> None:
    """Write what they bring as the first facts of the log."""
    facts = [fact for each in moving for fact in arrival(transferred(each))]
    # The decks don't change.
    facts.append(Stated(SETUP, course.Bank(), reason=TRANSFERRED))
    store.append(
        begun, facts, after=begun.last, author=organiser, now=now, cause=TRANSFERRED
    )


def _come_along(
    begun: Campaign,
    member: Membership,
    organiser: Membership,
    going: Iterable[SeatTransfer],
    now: datetime,
) -> dict[int, Membership]:
    """Give the players memberships in their old roles; guests keep their keys."""
    found = {member.pk: organiser}
    for each in going:
        player = each.seat.member
        if player is None or player.pk in found or player.left_at is not None:
            continue
        found[player.pk] = Membership.objects.create(
            campaign=begun,
            user=player.user,
            guest=player.guest,
            role=player.role,
            joined_at=now,
        )
    return found


def _sit_down(
    begun: Campaign,
    members: dict[int, Membership],
    seat: Seat,
    moved: Departure,
    now: datetime,
) -> None:
    """Take the seat at the new table; a deck comes along if its owner does."""
    before, deck = seat.member, seat.deck
    player = members.get(before.pk) if before is not None else None
    there = Seat.objects.create(
        campaign=begun,
        investigator=seat.investigator,
        member=player,
        kind=seat.kind if deck is None else Seat.Kind.NONE,
        name=seat.name,
        made_at=now,
    )
    owners = {each.user_id for each in members.values()} - {None}
    if deck is not None and deck.owner_id in owners:
        had = SeatTransfer(seat).experience
        seat.deck, seat.kind = None, Seat.Kind.NONE
        seat.save(update_fields=["deck", "kind"])
        there.deck, there.kind, there.deck_since = deck, Seat.Kind.HERE, now
        there.save(update_fields=["deck", "deck_since", "kind"])
        # A different amount is booked in the deck after the setup, and cards it lacks.
        _count_as_arrived(there, had, moved.state.banked.get(moved.code), now=now)


def _count_as_arrived(
    seat: Seat, experience: int, held: Banked | None, *, now: datetime
) -> None:
    """Record what a deck has of what its investigator brought from another campaign.

    ``held`` is what the other campaign last gave decks; the rest is still to come.
    """
    assert seat.deck is not None
    had = in_decks(held) if held is not None else {}
    cards = {card: copies for card, copies in had.items() if copies > 0}
    Settlement.objects.create(
        seat=seat,
        deck=seat.deck,
        scenario=SETUP,
        sequence=seat.campaign.last,
        content={
            "name": "",
            "experience": experience,
            "earned": points_data(
                {ExperienceSource("correction", TRANSFERRED): experience}
            ),
            **moves_to_record(Order(Holding(cards)), ()).noted,
            "played": None,
            ARRIVED: True,
        },
        made_at=now,
    )
