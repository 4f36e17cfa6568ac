"""Shares, withdraws, describes and copies decks.

A deck is private, shared by a link or published. Others see one revision with its
name, notes and tags: never the ledger, games, other revisions or a collection. What a
campaign brought is judged by, but never becomes part of a stranger's copy.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import uuid4

from django.db import transaction
from django.db.models import F
from django.urls import reverse

from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import Mode
from cardpool.catalog import current_pool
from cardpool.words import fold
from decks.lists.content import LIFE, Content, whole
from decks.models import (
    LONGEST_FOLDED,
    LONGEST_NAME,
    LONGEST_NOTES,
    LONGEST_TAGS,
    Deck,
    PlayedCard,
    Revision,
    Showing,
    Source,
)

PRIVATE = "private"
VISIBILITIES = (PRIVATE, *Showing.Kind.values)
COUNTED_AT_ONCE = 500  # decks read, and rows written
LONGEST_MARK = 16  # letters of mark_of

# Circumstances that are the owner's own, and those that any table may have as well.
OWNERS_OWN = frozenset(
    ("owned", "experience_earned", "experience_carried", "arrival", "trauma")
)
TERMS = frozenset(
    ("mode", "taboo", "environment", "experience", "players", "ultimatums", "rulings")
)


class DeckLabels(NamedTuple):
    """What a deck has beside its revisions, as it was handed in."""

    name: str = ""
    notes: str = ""
    tags: str = ""

    def kept(self) -> DeckLabels:
        """The same as it is kept: cut, lines ended alike, tags parted by blanks."""
        return DeckLabels(
            whole(self.name).strip()[:LONGEST_NAME],
            whole(self.notes).replace("\r\n", "\n")[:LONGEST_NOTES],
            " ".join(whole(self.tags).replace(",", " ").split())[:LONGEST_TAGS],
        )


class BesideMoved(Exception):
    """Name, notes or tags were changed since: ``theirs`` is there, not ``mine``."""

    def __init__(self, *, theirs: DeckLabels, mine: DeckLabels) -> None:
        super().__init__("changed since")
        self.theirs = theirs
        self.mine = mine


def beside_of(deck: Deck) -> DeckLabels:
    """What a deck has beside its revisions."""
    return DeckLabels(deck.name, deck.notes, deck.tags)


def mark_of(beside: DeckLabels) -> str:
    """A short word that is another one when any of it changes."""
    return hashlib.sha256(json.dumps(beside).encode()).hexdigest()[:LONGEST_MARK]


@transaction.atomic
def describe_deck(*, deck: Deck, beside: DeckLabels, seen: str, now: datetime) -> None:
    """Give a deck another name, other notes and tags.

    ``seen`` is the mark of those the change was made in sight of; raises BesideMoved
    if others are there now, unless they are the very same that are wanted.
    """
    locked = Deck.objects.select_for_update().get(pk=deck.pk)
    theirs, mine = beside_of(locked), beside.kept()
    if mine != theirs and mark_of(theirs) != seen:
        raise BesideMoved(theirs=theirs, mine=mine)
    write_beside(deck, mine, now)


def write_beside(deck: Deck, beside: DeckLabels, now: datetime) -> None:
    """Write what a deck has beside its revisions, and what it is found by."""
    kept = beside.kept()
    row = Deck.objects.filter(pk=deck.pk)
    if DeckLabels(*row.values_list("name", "notes", "tags").get()) != kept:
        row.update(**kept._asdict(), changed_at=now)
        folded = _folded(kept)
        Showing.objects.filter(deck=deck).update(changed_at=now, **folded)
    deck.name, deck.notes, deck.tags = kept


# -- who sees it --


def visibility_of(deck: Deck) -> str:
    """``private``, ``link`` or ``published``."""
    showing = showing_of(deck)
    return showing.kind if showing else PRIVATE


def showing_of(deck: Deck) -> Showing | None:
    """How a deck is shown, None if it is private."""
    return getattr(deck, "showing", None)


def source_of(deck: Deck) -> Source | None:
    """What a deck was copied from, None if it was not."""
    return getattr(deck, "source", None)


def address_of(showing: Showing) -> str:
    """Where others see the deck: a path."""
    if showing.kind == Showing.Kind.PUBLISHED:
        return reverse("decks:published", args=[showing.pk])
    return link_of(showing)


def link_of(showing: Showing) -> str:
    """The private link of a deck that has one: a path."""
    return reverse("decks:shared", args=[showing.key])


@transaction.atomic
def publish_deck(*, deck: Deck, number: int, pool: CardPool, now: datetime) -> Showing:
    """Show a revision of a deck to everybody; one published already moves to it.

    A link that was given away goes on opening the deck. Raises
    ``Revision.DoesNotExist`` if there is none of that number.
    """
    showing = _held(deck)
    revision = deck.revisions.get(number=number)
    if showing is None:
        showing = Showing(deck=deck, kind=Showing.Kind.PUBLISHED, since=now)
    elif showing.kind == Showing.Kind.LINK:
        showing.kind, showing.keeps_link = Showing.Kind.PUBLISHED, True
        showing.since = now
    elif showing.revision == number:
        return showing
    showing.revision = number
    showing.investigator = _base(revision, pool)
    showing.changed_at = now
    for name, value in _folded(beside_of(deck)).items():
        setattr(showing, name, value)
    showing.save()
    return showing


@transaction.atomic
def show_history(*, deck: Deck, shown: bool, now: datetime) -> None:
    """Publish the versions a published deck grew from, or hide them again."""
    _held(deck)
    Showing.objects.filter(
        deck=deck, kind=Showing.Kind.PUBLISHED, shows_history=not shown
    ).update(shows_history=shown, changed_at=now)


@transaction.atomic
def share_deck(*, deck: Deck, now: datetime) -> Showing:
    """Show a deck to those alone who have its link; a link there is stays."""
    showing = _held(deck)
    if showing is not None and showing.kind == Showing.Kind.LINK:
        return showing
    key = showing.key if showing is not None and showing.keeps_link else uuid4()
    withdraw_deck(deck=deck)
    return Showing.objects.create(
        deck=deck, kind=Showing.Kind.LINK, key=key, since=now, changed_at=now
    )


@transaction.atomic
def open_link(*, deck: Deck, now: datetime) -> Showing:
    """Give a deck a link; one that is published stays so."""
    showing = _held(deck)
    if showing is None:
        return share_deck(deck=deck, now=now)
    if not showing.has_link:
        showing.keeps_link, showing.key = True, uuid4()
        showing.save(update_fields=["keeps_link", "key"])
    return showing


@transaction.atomic
def renew_link(*, deck: Deck, now: datetime) -> Showing:
    """Another link in place of the one given away, which opens nothing any more."""
    close_link(deck=deck)
    return open_link(deck=deck, now=now)


@transaction.atomic
def close_link(*, deck: Deck) -> None:
    """Let the link open nothing any more; a deck that is published stays so."""
    showing = _held(deck)
    if showing is not None and showing.kind == Showing.Kind.LINK:
        withdraw_deck(deck=deck)
    elif showing is not None:
        showing.keeps_link = False
        showing.save(update_fields=["keeps_link"])


@transaction.atomic
def unpublish_deck(*, deck: Deck, now: datetime) -> None:
    """Take a deck from the published ones; a link it has goes on opening it."""
    showing = _held(deck)
    if showing is not None and showing.keeps_link:
        share_deck(deck=deck, now=now)
    elif showing is not None and showing.kind == Showing.Kind.PUBLISHED:
        withdraw_deck(deck=deck)


def withdraw_deck(*, deck: Deck) -> None:
    """Make a deck private. Copies that others made stay theirs."""
    Showing.objects.filter(deck=deck).delete()


def shown_revision(showing: Showing) -> Revision:
    """The revision of a deck that others see."""
    deck = showing.deck
    revision: Revision = deck.revisions.get(number=showing.revision or deck.revision)
    revision.deck = deck
    return revision


def history_of(showing: Showing) -> list[Revision]:
    """The versions that others see, each as it was played, the one shown last.

    Before it are those it grew from by upgrades, if its owner shows them.
    """
    chain = [shown_revision(showing)]
    if showing.shows_history:
        played = showing.deck.revisions.filter(played_at__isnull=False)
        by_number = {each.number: each for each in played}
        while base := by_number.pop(chain[0].base or 0, None):
            base.deck = showing.deck
            chain.insert(0, base)
    return chain


def shown_content(revision: Revision) -> Content:
    """What others see of a revision: all but what its owner has and has earned."""
    return _with_circumstances(revision, lambda key: key not in OWNERS_OWN)


def copied_content(revision: Revision) -> Content:
    """What a copy begins with: the deck and its terms, nothing of a campaign."""
    content = _with_circumstances(revision, TERMS.__contains__)
    circumstances = dict(content.circumstances)
    if circumstances.get("mode") == Mode.CAMPAIGN:
        del circumstances["mode"]  # that campaign is another table's
    listed = {key: value for key, value in content.deck.items() if key not in LIFE}
    return Content(listed, circumstances)


def _with_circumstances(revision: Revision, is_kept: Callable[[str], bool]) -> Content:
    circumstances = revision.circumstances
    kept = {key: value for key, value in circumstances.items() if is_kept(key)}
    return Content(revision.list, kept)


def note_source(deck: Deck, showing: Showing, now: datetime) -> None:
    """Write down what a new deck is a copy of, as it is called today."""
    owner = showing.deck.owner
    assert owner is not None
    Source.objects.create(
        deck=deck,
        showing=showing,
        kind=showing.kind,
        name=showing.deck.name,
        author=owner.username,
        address=address_of(showing),
        copied_at=now,
    )


def pass_on_source(deck: Deck, copy: Deck) -> None:
    """What one copied from somebody stays so, however often one copies it."""
    source = Source.objects.filter(deck=deck).first()
    if source is not None:
        source.pk, source.deck = None, copy
        source._state.adding = True
        source.save()


def _held(deck: Deck) -> Showing | None:
    """How a deck is shown; who changes that after us waits until we are done."""
    locked = Deck.objects.select_for_update().get(pk=deck.pk)
    if locked.owner_id is None:
        raise ValueError("a draft of nobody's is shown to nobody")
    return Showing.objects.filter(deck=deck).first()


def _base(revision: Revision, pool: CardPool) -> str:
    """The code of the original of the investigator, whichever version was chosen."""
    code = revision.list["investigator_code"]
    card = pool.get_card(code)
    facts = card.investigator if card else None
    return (facts.base if facts else code)[:8]


def _folded(beside: DeckLabels) -> dict[str, str]:
    """What a deck is found by, folded as what is searched for is."""
    tags = "".join(f"{fold(tag)}|" for tag in beside.tags.split())
    return {
        "folded_name": fold(beside.name)[:LONGEST_FOLDED],
        "folded_tags": f"|{tags}"[:LONGEST_FOLDED] if tags else "",
    }


@transaction.atomic
def count_played_cards() -> int:
    """Count in how many published decks of each investigator a card is.

    Decks, not copies; cards that an investigator must have, and weaknesses, aren't
    counted. Returns the number of decks. The rows of before are replaced.
    """
    pool = current_pool()
    decks: Counter[str] = Counter()
    found: Counter[tuple[str, str]] = Counter()
    published = Revision.objects.filter(
        deck__showing__kind=Showing.Kind.PUBLISHED,
        deck__owner__is_active=True,
        number=F("deck__showing__revision"),
    )
    for revision in published.iterator(chunk_size=COUNTED_AT_ONCE):
        listed = revision.list
        of = pool.get_card(listed["investigator_code"])
        if of is not None:
            decks[of.code] += 1
            found.update((of.code, code) for code in _chosen(listed["slots"], pool))
    found.update({(code, ""): number for code, number in decks.items()})
    PlayedCard.objects.all().delete()
    PlayedCard.objects.bulk_create(
        (
            PlayedCard(investigator=of, card=card, decks=number)
            for (of, card), number in sorted(found.items())
        ),
        batch_size=COUNTED_AT_ONCE,
    )
    return decks.total()


def _chosen(slots: Iterable[str], pool: CardPool) -> set[str]:
    """The cards of a list that were its player's to choose."""
    cards = filter(None, map(pool.get_card, slots))
    return {
        card.code
        for card in cards
        if card.weakness is None
        and card.signature is None
        and not (card.restriction and card.restriction.investigators)
    }
