"""Link the decks that investigators play, and log what decks bought.

Cards bought for a deck can change its investigator's trauma, which is written to the
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
from campaigns.settling.trauma import missing_statements
from cardpool.catalog import current_pool
from decks.models import Deck, LedgerEntry, Revision
from decks.services.beginning import has_lived
from decks.services.ledger import balance_of
from decks.services.windows import base_of

CAUSE = "purchase"


def lock_campaigns(deck: Deck) -> None:
    """Lock the campaigns of a deck until the transaction ends."""
    if deck.is_draft:  # a draft has no seat
        return
    if keys := _tables_of(deck):
        store.lock_with_linked(keys)


def _tables_of(deck: Deck) -> list[int]:
    return list(Seat.objects.filter(deck=deck).values_list("campaign_id", flat=True))


def state_purchases_of(deck: Deck, now: datetime) -> None:
    """Record the front a deck plays in its campaigns, and log what its purchases do."""
    if deck.is_draft:
        return
    for seat in Seat.objects.filter(deck=deck, campaign__archived_at=None):
        _keep_front(seat.campaign, seat, deck.revisions.get(number=deck.revision))
        state_purchases(seat.campaign, seat, now=now)


def _keep_front(campaign: Campaign, seat: Seat, latest: Revision) -> None:
    """Record the front a deck plays: its health and sanity limit trauma (TRA-06)."""
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
    """Log what is missing in the log about a seat's deck, and undo what is wrong.

    If the log can't be read or is full, it is left as it is: the deck was changed
    anyway.
    """
    try:
        for _turn in range(2):  # healing that changed is stated after it was retracted
            if not (entries := missing_statements(replayed(campaign), seat)):
                return
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
def link_deck(*, seat: Seat, member: Membership, deck: Deck, now: datetime) -> int:
    """Play a seat with one's own deck; return the experience this added to it.

    A deck that was never played gets everything the campaign has given its
    investigator; one that comes back gets what it missed; another that was played, or
    has bought cards, counts as having it. The deck leaves tables that are archived or
    whose campaign is over. Raises Forbidden; EntryRefused for a deck of another
    investigator, or at another table.
    """
    # The tables that the deck leaves change too: all are locked at once, in one order.
    campaign = store.locked_with_linked(seat.campaign, _tables_of(deck))
    Deck.objects.select_for_update().get(pk=deck.pk)  # so that it can’t join two tables
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
    for other in filter(is_freed, _other_seats(seat, deck)):
        _empty(other)
    _keep_front(campaign, seat, latest)
    if not campaign.last:
        return 0
    before = balance_of(deck)
    if has_lived(latest) and not _comes_back(seat, latest):
        count_as_settled(campaign, seat, now=now)
    state_purchases(campaign, seat, now=now)
    store.sync_head(seat.campaign, campaign)
    settle_decks(campaign, replayed(campaign).replay, now=now)
    return balance_of(deck) - before


@transaction.atomic
def unlink_deck(*, seat: Seat, member: Membership, kind: str = Seat.Kind.NONE) -> None:
    """Remove the deck from a seat; it keeps what it was given. Raises Forbidden."""
    store.locked_with_linked(seat.campaign)  # always lock tables before seats
    _require_seat(seat, member)
    _empty(seat, Seat.Kind.PAPER if kind == Seat.Kind.PAPER else Seat.Kind.NONE)


def unseat_deck(deck: Deck) -> None:
    """Remove a deck from all its seats; what it was given stays recorded."""
    for seat in Seat.objects.filter(deck=deck):
        _empty(seat)


def _empty(seat: Seat, kind: Seat.Kind = Seat.Kind.NONE) -> None:
    seat.deck, seat.kind = None, kind
    seat.save(update_fields=["deck", "kind"])


def is_freed(seat: Seat) -> bool:
    """Return whether a seat's deck may leave: its campaign is archived or over."""
    campaign = seat.campaign
    if campaign.archived_at is not None:
        return True
    try:
        return replayed(campaign).replay.pending is None
    except (GuideMissing, store.LogBroken):  # unknown
        return False


def _comes_back(seat: Seat, latest: Revision) -> bool:
    """Return whether a deck left this seat and has earned nothing elsewhere since.

    What this campaign itself corrected or undid doesn't count as earned elsewhere.
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
    """Return the deck's other seats."""
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
    card = current_pool().get_card(investigator)
    if code not in (investigator, card.code if card is not None else ""):
        rule = "seat.investigator"
        yield Finding(said, rule=rule, actual=investigator, expected=code)
    if any(not is_freed(each) for each in _other_seats(seat, deck)):
        said = _("This deck is played at another table. Copy it to play it here too.")
        yield Finding(said, rule="seat.one-table")
