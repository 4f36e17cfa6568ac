"""The members of a table, its seats and decks; guests, and links to it.

A guest's browser has a key, in a signed cookie; only its digest is stored here.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.accounts.models import User
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.state import State
from arkham.rules.pool import CardPool
from campaigns.guides.opening import GuideMissing
from campaigns.log.replays import replayed
from campaigns.log.store import LogBroken
from campaigns.models import Campaign, Guest, Invitation, Membership, Role, Seat
from campaigns.settling.terms import DeckCompliance, deck_compliance
from campaigns.words.changes import FATES
from cardpool.catalog import current_pool
from decks.models import Deck
from decks.pages.rows import class_signs
from decks.queries import editable_by, latest
from decks.views.reach import distinct_titles

USUAL_HOURS = 24 * 14  # that a link to a table works


class OwnDeck(NamedTuple):
    """A deck that a player may bring to a seat, and its investigator."""

    deck: Deck
    investigator: str
    title: str


def own_decks(user: User | None, here: Campaign | None = None) -> list[OwnDeck]:
    """Return an account's decks, each with its investigator; a guest has none.

    The label names another table than ``here``, which the deck leaves once it is over;
    such decks come last.
    """
    if user is None:
        return []
    pool = current_pool()
    seats = Seat.objects.filter(deck__owner=user, campaign__archived_at=None)
    others = seats.exclude(campaign=here) if here else seats
    tables = dict(others.values_list("deck_id", "campaign__name"))
    revisions = latest(editable_by(user))
    apart = distinct_titles(revisions)
    found = []
    for revision in revisions:
        card = pool.get_card(revision.list["investigator_code"])
        title = apart[revision.deck_id]
        if table := tables.get(revision.deck_id):
            said = {"deck": title, "campaign": table}
            title = _("%(deck)s – plays in %(campaign)s") % said
        if card is not None:
            found.append(OwnDeck(revision.deck, card.code, title))
    return sorted(found, key=lambda each: each.deck.pk in tables)


MAY: dict[str, str | Promise] = {
    Role.ORGANISER: gettext_lazy(
        "Invites people, gives them seats and answers for anyone."
    ),
    Role.SCRIBE: gettext_lazy("Answers and corrects for everyone at the table."),
    Role.PLAYER: gettext_lazy("Plays, answers questions and keeps their own deck."),
    Role.SPECTATOR: gettext_lazy("Watches, but can’t change anything."),
}
KEEP, DECK = "keep", "deck"


class Sitter(NamedTuple):
    """A member of the table, and what the visitor may change about them."""

    member: Membership
    investigators: tuple[str, ...]
    is_me: bool
    may: str | Promise


class ListChoice(NamedTuple):
    """An option of a list."""

    value: str
    title: str
    is_chosen: bool = False


class SeatedInvestigator(NamedTuple):
    """A seat: an investigator, their player and their deck.

    ``players`` and ``decks`` are the visitor's choices, empty if they have none.
    ``fate`` is empty while the investigator plays, ``is_replaced`` if another took
    over. ``compliance`` is how a deck stored here meets the table's terms; only its
    owner sees the findings.
    """

    seat: Seat
    name: str
    signs: tuple[str, ...]
    fate: str
    deck: str
    is_mine: bool
    players: tuple[ListChoice, ...]
    decks: tuple[ListChoice, ...]
    compliance: DeckCompliance | None
    is_my_deck: bool
    is_replaced: bool

    @property
    def to_choose(self) -> tuple[ListChoice, ...]:
        """The visitor’s decks for it, until they choose how it is played."""
        if not self.is_mine or self.seat.deck_id or self.seat.kind != Seat.Kind.NONE:
            return ()
        return tuple(each for each in self.decks if each.value.startswith(f"{DECK}:"))

    @property
    def lacks_deck(self) -> bool:
        """Whether the visitor plays it and has no deck to choose."""
        return self.is_mine and not any(
            each.value == KEEP or each.value.startswith(f"{DECK}:")
            for each in self.decks
        )


class Company(NamedTuple):
    """Everyone at a table, as one member sees it."""

    campaign: Campaign
    member: Membership
    sitters: tuple[Sitter, ...]
    places: tuple[SeatedInvestigator, ...]

    @property
    def organises(self) -> bool:
        """Whether the visitor may change what is not their own."""
        return self.member.role == Role.ORGANISER


def company_of(member: Membership) -> Company:
    """Return a table as a member sees it. Raises LogBroken, GuideMissing."""
    campaign = member.campaign
    present = list(
        campaign.memberships.filter(left_at=None).select_related("user", "guest")
    )
    seats = list(campaign.seats.select_related("member__user", "member__guest", "deck"))
    pool = current_pool()
    own = own_decks(member.user, campaign)
    replay = replayed(campaign).replay
    state, compliance = replay.state, deck_compliance(campaign, replay)
    replaced = frozenset(each.instead_id for each in seats)
    places = tuple(
        _place(each, member, present, own, state, pool, compliance, replaced)
        for each in seats
    )
    sitters = tuple(_sitter(each, member, places) for each in present)
    return Company(campaign, member, sitters, places)


def lost_codes(campaign: Campaign) -> frozenset[str]:
    """Return the investigators of a table's seats who were killed, insane or retired.

    Empty while its log or guide can't be read.
    """
    try:
        state = replayed(campaign).replay.state
    except (GuideMissing, LogBroken):
        return frozenset()
    codes = campaign.seats.values_list("investigator", flat=True)
    return frozenset(each for each in codes if fate_of(state, each) is not Fate.ALIVE)


def _sitter(
    other: Membership, me: Membership, places: tuple[SeatedInvestigator, ...]
) -> Sitter:
    plays = tuple(each.name for each in places if each.seat.member_id == other.pk)
    return Sitter(other, plays, other.pk == me.pk, MAY[other.role])


def _place(
    seat: Seat,
    me: Membership,
    present: list[Membership],
    own: list[OwnDeck],
    state: State,
    pool: CardPool,
    compliance: Mapping[str, DeckCompliance],
    replaced: frozenset[int | None],
) -> SeatedInvestigator:
    card = pool.get_card(seat.investigator)
    fate = fate_of(state, seat.investigator)
    organises = me.role == Role.ORGANISER
    plays = seat.member_id == me.pk and me.role != Role.SPECTATOR
    return SeatedInvestigator(
        seat,
        card.name if card is not None else seat.investigator,
        class_signs(card),
        "" if fate is Fate.ALIVE else str(FATES[fate]),
        _deck_label(seat, me),
        seat.member_id == me.pk,
        _players(seat, present) if organises else (),
        _decks(seat, own, me) if organises or plays else (),
        None if fate is not Fate.ALIVE else compliance.get(seat.investigator),
        seat.deck is not None and seat.deck.owner_id == me.user_id,
        seat.pk in replaced,
    )


def _deck_label(seat: Seat, me: Membership) -> str:
    """Return the label of a seat's deck: its name, if it is the visitor's own."""
    if seat.deck is None:
        return str(seat.get_kind_display())
    if seat.deck.owner_id == me.user_id and seat.deck.name:
        return str(seat.deck.name)
    return str(Seat.Kind.HERE.label)


def _players(seat: Seat, present: list[Membership]) -> tuple[ListChoice, ...]:
    players = [each for each in present if each.role != Role.SPECTATOR]
    if seat.member is not None and seat.member not in players:
        players.append(seat.member)
    named = [ListChoice(str(each.pk), each.name) for each in players]
    free = ListChoice("", seat.name or _("Free seat"))
    chosen = str(seat.member_id or "")
    return tuple(
        each._replace(is_chosen=each.value == chosen) for each in (free, *named)
    )


def _decks(seat: Seat, own: list[OwnDeck], me: Membership) -> tuple[ListChoice, ...]:
    """Return how the seat may be played; another's deck can be kept or removed."""
    found = [
        ListChoice(f"{DECK}:{each.deck.pk}", each.title, each.deck.pk == seat.deck_id)
        for each in own
        if each.investigator == seat.investigator
    ]
    if seat.deck_id is not None and not any(each.is_chosen for each in found):
        found.insert(0, ListChoice(KEEP, _deck_label(seat, me), True))
    for kind in (Seat.Kind.PAPER, Seat.Kind.NONE):
        chosen = seat.deck_id is None and seat.kind == kind
        found.append(ListChoice(str(kind), str(kind.label), chosen))
    if seat.deck_id is None and seat.kind == Seat.Kind.HERE:
        found[-1] = found[-1]._replace(is_chosen=True)
    return tuple(found)


_SIGNER = Signer(salt="campaigns.invitation", sep=".")


def token_of(invitation: Invitation) -> str:
    """Return the token of a link; it never changes."""
    return _SIGNER.sign(invitation.key.hex)


def invitation_behind(token: str) -> Invitation | None:
    """Return the invitation behind a link, open or not; None if there is none."""
    try:
        key = UUID(_SIGNER.unsign(token))
    except (BadSignature, ValueError):
        return None
    found = Invitation.objects.select_related("campaign", "seat")
    return found.filter(key=key).first()


def is_open(invitation: Invitation, now: datetime) -> bool:
    """Return whether the link still lets people join."""
    is_used_up = (
        invitation.most_uses is not None and invitation.uses >= invitation.most_uses
    )
    in_time = invitation.revoked_at is None and now < invitation.expires_at
    return in_time and not is_used_up


COOKIE = "orne_guest"
LIFETIME = 400 * 24 * 60 * 60  # seconds; browsers keep nothing longer
KEY_BYTES = 24
_SALT = "campaigns.guest"
_KEYS = Signer(salt=_SALT, sep=".")


class Visitor(NamedTuple):
    """The visitor of a page: an account, a guest, both, or a stranger."""

    user: User | None = None
    guest: str = ""  # the digest of a guest's key


def visitor_of(request: HttpRequest) -> Visitor:
    """Return the visitor who sent a request."""
    user = request.user if isinstance(request.user, User) else None
    key = key_in(request)
    return Visitor(user, digest_of(key) if key else "")


def key_in(request: HttpRequest) -> str:
    """Return the guest key in a request; "" for none."""
    return request.get_signed_cookie(COOKIE, default="", salt=_SALT) or ""


def remember_guest(response: HttpResponseBase, request: HttpRequest, key: str) -> None:
    """Remember this browser as a guest from now on."""
    response.set_signed_cookie(
        COOKIE,
        key,
        salt=_SALT,
        max_age=LIFETIME,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def new_guest_key() -> str:
    """Return a key that can't be guessed."""
    return secrets.token_urlsafe(KEY_BYTES)


def sealed(key: str) -> str:
    """Return a key signed for a form, so that no one else can make it."""
    return _KEYS.sign(key)


def unsealed(text: str) -> str:
    """Return the key in a form; "" if we didn't sign it."""
    try:
        return _KEYS.unsign(text)
    except BadSignature:
        return ""


def digest_of(key: str) -> str:
    """Return the digest of a key, which is stored."""
    return hashlib.sha256(key.encode()).hexdigest()


def guest_behind(key: str) -> Guest | None:
    """Return the guest a key belongs to."""
    if not key:
        return None
    return Guest.objects.filter(digest=digest_of(key)).first()
