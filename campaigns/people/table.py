"""Who sits at a table, on which seats, with which decks; guests, and links to it.

The browser of a guest has a key, in a signed cookie; only a digest of it is kept here.
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
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guest, Invitation, Membership, Role, Seat
from campaigns.settling.terms import DeckCompliance, standings
from campaigns.words.changes import FATES
from cardpool.catalog import current_pool
from decks.models import Deck
from decks.pages.rows import class_signs
from decks.queries import editable_by, latest

USUAL_HOURS = 24 * 14  # that a link to a table works


class OwnDeck(NamedTuple):
    """A deck a player may sit down with, and its investigator."""

    deck: Deck
    investigator: str
    title: str


def own_decks(user: User | None, here: Campaign | None = None) -> list[OwnDeck]:
    """The decks of an account, each with whose it is; a guest has none.

    One at another table than ``here`` says at which: it leaves that once it is over.
    """
    if user is None:
        return []
    pool = current_pool()
    seats = Seat.objects.filter(deck__owner=user, campaign__archived_at=None)
    others = seats.exclude(campaign=here) if here else seats
    tables = dict(others.values_list("deck_id", "campaign__name"))
    found = []
    for revision in latest(editable_by(user)):
        card = pool.get_card(revision.content.deck["investigator_code"])
        if card is None:
            continue
        title = revision.deck.name or card.name
        title = title if card.name in title else f"{title} ({card.name})"
        if table := tables.get(revision.deck_id):
            said = {"deck": title, "campaign": table}
            title = _("%(deck)s – plays in %(campaign)s") % said
        found.append(OwnDeck(revision.deck, card.code, title))
    return found


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
    """One of several things that can be chosen in a list."""

    value: str
    title: str
    is_chosen: bool = False


class SeatedInvestigator(NamedTuple):
    """A seat: an investigator, who plays it and with which deck.

    ``players`` and ``decks`` are what the visitor may choose instead; nothing where
    they may not. ``fate`` is empty while the investigator plays on, ``is_replaced``
    where another took over. ``standing`` is how
    a deck kept here stands by the terms of the table; what stands against it is listed
    to whose deck it is.
    """

    seat: Seat
    name: str
    signs: tuple[str, ...]
    fate: str
    deck: str
    is_mine: bool
    players: tuple[ListChoice, ...]
    decks: tuple[ListChoice, ...]
    standing: DeckCompliance | None
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
        """Whether the visitor plays it and has no deck that they could choose."""
        return self.is_mine and not any(
            each.value == KEEP or each.value.startswith(f"{DECK}:")
            for each in self.decks
        )


class Company(NamedTuple):
    """Everybody at a table, as one of them sees it."""

    campaign: Campaign
    member: Membership
    sitters: tuple[Sitter, ...]
    places: tuple[SeatedInvestigator, ...]

    @property
    def organises(self) -> bool:
        """Whether the visitor may change what is not their own."""
        return self.member.role == Role.ORGANISER


def company_of(member: Membership) -> Company:
    """The people of a table, as a member sees them. Raises LogBroken, GuideMissing."""
    campaign = member.campaign
    present = list(
        campaign.memberships.filter(left_at=None).select_related("user", "guest")
    )
    seats = list(campaign.seats.select_related("member__user", "member__guest", "deck"))
    pool = current_pool()
    own = own_decks(member.user, campaign)
    replay = replayed(campaign).replay
    state, standing = replay.state, standings(campaign, replay)
    replaced = frozenset(each.instead_id for each in seats)
    places = tuple(
        _place(each, member, present, own, state, pool, standing, replaced)
        for each in seats
    )
    sitters = tuple(_sitter(each, member, places) for each in present)
    return Company(campaign, member, sitters, places)


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
    standing: Mapping[str, DeckCompliance],
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
        None if fate is not Fate.ALIVE else standing.get(seat.investigator),
        seat.deck is not None and seat.deck.owner_id == me.user_id,
        seat.pk in replaced,
    )


def _deck_label(seat: Seat, me: Membership) -> str:
    """The label of a seat's deck: its name, if it is the visitor's own."""
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
    """How the seat may be played; what is not one's own can be kept or let go."""
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
    """What stands in the link; the same whenever it is shown."""
    return _SIGNER.sign(invitation.key.hex)


def invitation_behind(token: str) -> Invitation | None:
    """The invitation a link stands for, whether it is still open or not."""
    try:
        key = UUID(_SIGNER.unsign(token))
    except (BadSignature, ValueError):
        return None
    found = Invitation.objects.select_related("campaign", "seat")
    return found.filter(key=key).first()


def is_open(invitation: Invitation, now: datetime) -> bool:
    """Whether the link still brings people to its table."""
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
    """The visitor a request comes from."""
    user = request.user if isinstance(request.user, User) else None
    key = key_in(request)
    return Visitor(user, digest_of(key) if key else "")


def key_in(request: HttpRequest) -> str:
    """The key of a guest that a request brings; "" for none."""
    return request.get_signed_cookie(COOKIE, default="", salt=_SALT) or ""


def remember_guest(response: HttpResponseBase, request: HttpRequest, key: str) -> None:
    """Let this browser be known as a guest from now on."""
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
    """A key that can't be guessed."""
    return secrets.token_urlsafe(KEY_BYTES)


def sealed(key: str) -> str:
    """A key for the form of a page, which no one else can write."""
    return _KEYS.sign(key)


def unsealed(text: str) -> str:
    """The key a form brings back; "" for one that we did not seal."""
    try:
        return _KEYS.unsign(text)
    except BadSignature:
        return ""


def digest_of(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def guest_behind(key: str) -> Guest | None:
    """The guest a key belongs to."""
    if not key:
        return None
    return Guest.objects.filter(digest=digest_of(key)).first()
