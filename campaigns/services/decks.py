"""Links the decks that investigators play, and logs what decks bought.

Cards bought for a deck can change its investigator's trauma: that is written into the
log.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import Max, QuerySet

from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from campaigns.guides.opening import GuideMissing
from campaigns.log import store
from campaigns.log.replays import is_front_of, replayed
from campaigns.models import Campaign, Membership, Role, Seat
from campaigns.people.rights import EntryRefused, Forbidden, require_may_play
from campaigns.services.settling import count_as_settled, settle_decks
from campaigns.settling.trauma import unstated
from cardpool.catalog import current_pool
from decks.models import Deck, LedgerEntry, Revision
from decks.services.ledger import is_played
from decks.services.windows import base_of

CAUSE = "purchase"


def hold_campaigns(deck: Deck) -> None:
    """Let nobody write at the tables of a deck until the transaction ends."""
    if deck.is_draft:  # it has a seat nowhere
        return
    for campaign in Campaign.objects.filter(seats__deck=deck).order_by("pk"):
        store.locked_with_linked(campaign)


def state_purchases_of(deck: Deck, now: datetime) -> None:
    """Tell a deck's campaign whose front it plays, and what its purchases do."""
    if deck.is_draft:
        return
    for seat in Seat.objects.filter(deck=deck, campaign__archived_at=None):
        _keep_front(seat.campaign, seat, deck.revisions.get(number=deck.revision))
        state_purchases(seat.campaign, seat, now=now)


def _keep_front(campaign: Campaign, seat: Seat, latest: Revision) -> None:
    """Keep whose front a deck plays: its health and sanity bound trauma (TRA-06)."""
    code = seat.investigator
    front = latest.list.get("meta", {}).get("alternate_front") or code
    if not is_front_of(front, code, current_pool()):
        front = code
    fronts = {**(campaign.fronts or {}), code: front}
    fronts = {each: other for each, other in fronts.items() if each != other}
    if fronts != (campaign.fronts or {}):
        campaign.fronts = fronts or None
        campaign.save(update_fields=["fronts"])


def state_purchases(campaign: Campaign, seat: Seat, *, now: datetime) -> None:
    """State what the log does not say yet of a seat's deck, and take back the rest.

    A log that cannot be read or takes no more is left as it is: the deck was changed
    all the same.
    """
    try:
        entries = unstated(replayed(campaign), seat)
        if entries:
            store.append(
                campaign,
                entries,
                after=campaign.last,
                author=seat.member,
                now=now,
                cause=CAUSE,
            )
    except (GuideMissing, store.LogBroken, store.LogTooLong):
        return


@transaction.atomic
def link_deck(*, seat: Seat, member: Membership, deck: Deck, now: datetime) -> None:
    """Play a seat with one's own deck.

    A deck that has never been played gets all that the campaign brought its
    investigator so far, and one that comes back what it missed; another one that has
    been played is taken to have it already. It leaves a table that was put away or
    whose campaign is over. Raises Forbidden; EntryRefused for a deck of another
    investigator, or at another table.
    """
    campaign = store.locked_with_linked(seat.campaign)
    Deck.objects.select_for_update().get(pk=deck.pk)  # at one table, whoever comes
    seat.refresh_from_db(fields=["member", "deck", "deck_since", "kind"])
    _require_seat(seat, member)
    if deck.owner_id is None or deck.owner_id != member.user_id:
        raise Forbidden("owner")
    latest = deck.revisions.get(number=deck.revision)
    found = tuple(_findings(seat, deck, latest.list["investigator_code"]))
    if found:
        raise EntryRefused(*found)
    if seat.deck_id != deck.pk:
        seat.deck_since = now
    seat.deck, seat.kind = deck, Seat.Kind.HERE
    if seat.member_id is None:
        require_may_play(seat, member)
        seat.member = member
    seat.save(update_fields=["deck", "deck_since", "kind", "member"])
    away = [each.pk for each in _other_seats(seat, deck) if is_freed(each)]
    Seat.objects.filter(pk__in=away).update(deck=None, kind=Seat.Kind.NONE)
    _keep_front(campaign, seat, latest)
    if not campaign.last:
        return
    has_lived = is_played(latest) or deck.ledger.exists()
    if has_lived and not _comes_back(seat, latest):
        count_as_settled(campaign, seat, now=now)
    state_purchases(campaign, seat, now=now)
    store.sync_head(seat.campaign, campaign)
    settle_decks(campaign, replayed(campaign).replay, now=now)


@transaction.atomic
def unlink_deck(*, seat: Seat, member: Membership, kind: str = Seat.Kind.NONE) -> None:
    """Play a seat without that deck; it keeps what it was brought. Raises Forbidden."""
    _require_seat(seat, member)
    seat.deck = None
    seat.kind = kind if kind in (Seat.Kind.PAPER, Seat.Kind.NONE) else Seat.Kind.NONE
    seat.save(update_fields=["deck", "kind"])


def unseat_deck(deck: Deck) -> None:
    """Play every seat of a deck without it; what it was brought stays noted."""
    Seat.objects.filter(deck=deck).update(deck=None, kind=Seat.Kind.NONE)


def is_freed(seat: Seat) -> bool:
    """Whether the deck of a seat may leave: its campaign was put away, or is over."""
    campaign = seat.campaign
    if campaign.archived_at is not None:
        return True
    try:
        return replayed(campaign).replay.pending is None
    except (GuideMissing, store.LogBroken):  # nobody can say
        return False


def _comes_back(seat: Seat, latest: Revision) -> bool:
    """Whether a deck left this seat, and nothing was earned elsewhere since.

    What the campaign corrected or took back itself is nothing earned elsewhere.
    """
    rows = seat.settlements.filter(deck=latest.deck)
    moments = rows.aggregate(Max("made_at"), Max("taken_back_at")).values()
    last = max(filter(None, moments), default=None)
    if last is None:
        return False
    base = base_of(latest)
    if base is not None and base.played_at is not None and base.played_at > last:
        return False
    corrected = LedgerEntry.Kind.CORRECTION
    return not latest.deck.ledger.filter(kind=corrected, made_at__gt=last).exists()


def _other_seats(seat: Seat, deck: Deck) -> QuerySet[Seat]:
    """Where else the deck has a seat."""
    seats = Seat.objects.filter(deck=deck).exclude(pk=seat.pk)
    return seats.select_related("campaign__guide", "campaign__linked__guide")


def _require_seat(seat: Seat, member: Membership) -> None:
    if member.left_at is not None or member.role == Role.SPECTATOR:
        raise Forbidden(Role.PLAYER)
    if member.role == Role.ORGANISER or seat.member_id == member.pk:
        return
    raise Forbidden("seat")


def _findings(seat: Seat, deck: Deck, investigator: str) -> Iterator[Finding]:
    code, said = seat.investigator, _("This deck belongs to another investigator.")
    if investigator != code:
        rule = "seat.investigator"
        yield Finding(said, rule=rule, actual=investigator, expected=code)
    if any(not is_freed(each) for each in _other_seats(seat, deck)):
        yield Finding(_("This deck is played at another table."), rule="seat.one-table")
