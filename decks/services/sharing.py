"""Share, withdraw, describe and copy decks.

A deck is private, shared by a link or published. Others see one revision with its name,
notes and tags: never the ledger, games, other revisions or a collection. What a
campaign brought counts in the verdict, but a stranger's copy doesn't get it.
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
    Report,
    Revision,
    Showing,
    Source,
)

PRIVATE = "private"
VISIBILITIES = (PRIVATE, *Showing.Kind.values)
COUNTED_AT_ONCE = 500  # decks read, and rows written, in one batch
LONGEST_MARK = 16  # characters of mark_of

# Circumstances that only the owner has, and those that any table may have.
OWNERS_OWN = frozenset(
    ("owned", "experience_earned", "experience_carried", "arrival", "trauma")
)
TERMS = frozenset(
    ("mode", "taboo", "environment", "experience", "players", "ultimatums", "rulings")
)


class DeckLabels(NamedTuple):
    """The name, notes and tags of a deck, as they were sent."""

    name: str = ""
    notes: str = ""
    tags: str = ""

    def kept(self) -> DeckLabels:
        """Return them as stored: cut to length, newlines and blanks normalized."""
        return DeckLabels(
            whole(self.name).strip()[:LONGEST_NAME],
            whole(self.notes).replace("\r\n", "\n")[:LONGEST_NOTES],
            " ".join(whole(self.tags).replace(",", " ").split())[:LONGEST_TAGS],
        )


class LabelsMoved(Exception):
    """Name, notes or tags were changed meanwhile, to ``theirs``."""

    def __init__(self, *, theirs: DeckLabels, mine: DeckLabels) -> None:
        super().__init__("changed since")
        self.theirs = theirs
        self.mine = mine


def labels_of(deck: Deck) -> DeckLabels:
    """Return the name, notes and tags of a deck."""
    return DeckLabels(deck.name, deck.notes, deck.tags)


def mark_of(labels: DeckLabels) -> str:
    """Return a short text that changes when any of them does."""
    return hashlib.sha256(json.dumps(labels).encode()).hexdigest()[:LONGEST_MARK]


@transaction.atomic
def describe_deck(*, deck: Deck, labels: DeckLabels, seen: str, now: datetime) -> None:
    """Change the name, notes and tags of a deck.

    ``seen`` is the mark of those that the sender had read. Raises LabelsMoved if they
    were changed meanwhile, unless to the very same values.
    """
    locked = Deck.objects.select_for_update().get(pk=deck.pk)
    theirs, mine = labels_of(locked), labels.kept()
    if mine != theirs and mark_of(theirs) != seen:
        raise LabelsMoved(theirs=theirs, mine=mine)
    save_labels(deck, mine, now)


def save_labels(deck: Deck, labels: DeckLabels, now: datetime) -> None:
    """Store name, notes and tags of a deck, and the folded texts for the search."""
    kept = labels.kept()
    row = Deck.objects.filter(pk=deck.pk)
    if DeckLabels(*row.values_list("name", "notes", "tags").get()) != kept:
        row.update(**kept._asdict(), changed_at=now)
        folded = _folded(kept)
        Showing.objects.filter(deck=deck).update(changed_at=now, **folded)
    deck.name, deck.notes, deck.tags = kept


# -- visibility --


def visibility_of(deck: Deck) -> str:
    """Return ``private``, ``link`` or ``published``."""
    showing = showing_of(deck)
    return showing.kind if showing else PRIVATE


def showing_of(deck: Deck) -> Showing | None:
    """Return how a deck is shown; None if it is private."""
    return getattr(deck, "showing", None)


def source_of(deck: Deck) -> Source | None:
    """Return the deck that this one was copied from; None if it wasn't."""
    return getattr(deck, "source", None)


def address_of(showing: Showing) -> str:
    """Return the path where others see the deck."""
    if showing.kind == Showing.Kind.PUBLISHED:
        return reverse("decks:published", args=[showing.pk])
    return link_of(showing)


def link_of(showing: Showing) -> str:
    """Return the path of a deck's private link."""
    return reverse("decks:shared", args=[showing.key])


@transaction.atomic
def publish_deck(*, deck: Deck, number: int, pool: CardPool, now: datetime) -> Showing:
    """Publish a revision of a deck; a published deck moves to that revision.

    An existing link keeps opening the deck. Raises ``Revision.DoesNotExist`` if there
    is no revision of that number.
    """
    showing = _lock_showing(deck)
    revision = deck.revisions.get(number=number)
    if showing is None:
        showing = Showing(deck=deck, kind=Showing.Kind.PUBLISHED, since=now)
        _end_withdrawal(deck, now)
    elif showing.kind == Showing.Kind.LINK:
        showing.kind, showing.keeps_link = Showing.Kind.PUBLISHED, True
        showing.since = now
    elif showing.revision == number:
        return showing
    showing.revision = number
    showing.investigator = _base(revision, pool)
    showing.changed_at = now
    for name, value in _folded(labels_of(deck)).items():
        setattr(showing, name, value)
    showing.save()
    return showing


@transaction.atomic
def show_history(*, deck: Deck, shown: bool, now: datetime) -> None:
    """Show or hide the earlier versions of a published deck."""
    _lock_showing(deck)
    Showing.objects.filter(
        deck=deck, kind=Showing.Kind.PUBLISHED, shows_history=not shown
    ).update(shows_history=shown, changed_at=now)


@transaction.atomic
def share_deck(*, deck: Deck, now: datetime) -> Showing:
    """Show a deck only to those who have its link; keep an existing link."""
    showing = _lock_showing(deck)
    if showing is not None and showing.kind == Showing.Kind.LINK:
        return showing
    key = showing.key if showing is not None and showing.keeps_link else uuid4()
    withdraw_deck(deck=deck)
    _end_withdrawal(deck, now)
    return Showing.objects.create(
        deck=deck, kind=Showing.Kind.LINK, key=key, since=now, changed_at=now
    )


@transaction.atomic
def open_link(*, deck: Deck, now: datetime) -> Showing:
    """Give a deck a link; a published deck stays published."""
    showing = _lock_showing(deck)
    if showing is None:
        return share_deck(deck=deck, now=now)
    if not showing.has_link:
        showing.keeps_link, showing.key = True, uuid4()
        showing.save(update_fields=["keeps_link", "key"])
        deck.note_change()
    return showing


@transaction.atomic
def renew_link(*, deck: Deck, now: datetime) -> Showing:
    """Replace the link of a deck; the old one opens nothing afterwards."""
    close_link(deck=deck)
    return open_link(deck=deck, now=now)


@transaction.atomic
def close_link(*, deck: Deck) -> None:
    """Remove the link of a deck; a published deck stays published."""
    showing = _lock_showing(deck)
    if showing is not None and showing.kind == Showing.Kind.LINK:
        withdraw_deck(deck=deck)
    elif showing is not None:
        showing.keeps_link = False
        showing.save(update_fields=["keeps_link"])
        deck.note_change()


@transaction.atomic
def unpublish_deck(*, deck: Deck, now: datetime) -> None:
    """Unpublish a deck; an existing link keeps opening it."""
    showing = _lock_showing(deck)
    if showing is not None and showing.keeps_link:
        share_deck(deck=deck, now=now)
    elif showing is not None and showing.kind == Showing.Kind.PUBLISHED:
        withdraw_deck(deck=deck)


def withdraw_deck(*, deck: Deck) -> None:
    """Make a deck private. Copies that others made are not affected."""
    if Showing.objects.filter(deck=deck).delete()[0]:
        deck.note_change()


def shown_revision(showing: Showing) -> Revision:
    """Return the revision of a deck that others see."""
    deck = showing.deck
    revision: Revision = deck.revisions.get(number=showing.revision or deck.revision)
    revision.deck = deck
    return revision


def history_of(showing: Showing) -> list[Revision]:
    """Return the versions that others see, oldest first, the shown one last.

    Earlier versions are those it was upgraded from, if the owner shows them.
    """
    shown = shown_revision(showing)
    return versions_until(shown) if showing.shows_history else [shown]


def versions_until(last: Revision) -> list[Revision]:
    """Return the played revisions that one was upgraded from, oldest first, then it."""
    deck, chain = last.deck, [last]
    played = deck.revisions.filter(played_at__isnull=False, number__lt=last.number)
    by_number = {each.number: each for each in played}
    while base := by_number.pop(chain[0].base or 0, None):
        base.deck = deck
        chain.insert(0, base)
    return chain


def shown_content(revision: Revision) -> Content:
    """Return a revision as others see it, without its owner's own circumstances."""
    return _with_circumstances(revision, lambda key: key not in OWNERS_OWN)


def copied_content(revision: Revision) -> Content:
    """Return the content of a copy: the deck and its terms, nothing of a campaign."""
    content = _with_circumstances(revision, TERMS.__contains__)
    circumstances = dict(content.circumstances)
    if circumstances.get("mode") == Mode.CAMPAIGN:
        del circumstances["mode"]  # the campaign is another table's
    listed = {key: value for key, value in content.deck.items() if key not in LIFE}
    return Content(listed, circumstances)


def _with_circumstances(revision: Revision, is_kept: Callable[[str], bool]) -> Content:
    circumstances = revision.circumstances
    kept = {key: value for key, value in circumstances.items() if is_kept(key)}
    return Content(revision.list, kept)


def note_source(deck: Deck, showing: Showing, now: datetime) -> None:
    """Record the source of a copied deck, with its name as it is today."""
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
    """Record the source of a deck for a copy of it as well."""
    source = Source.objects.filter(deck=deck).first()
    if source is not None:
        source.pk, source.deck = None, copy
        source._state.adding = True
        source.save()


def _lock_showing(deck: Deck) -> Showing | None:
    """Lock the deck and return how it is shown."""
    locked = Deck.objects.select_for_update().get(pk=deck.pk)
    if locked.owner_id is None:
        raise ValueError("a draft of nobody's is shown to nobody")
    return Showing.objects.filter(deck=deck).first()


def _end_withdrawal(deck: Deck, now: datetime) -> None:
    """Show the owner no more that an operator withdrew the deck."""
    Report.objects.filter(
        deck=deck, decision=Report.Decision.WITHDRAWN, ended_at=None
    ).update(ended_at=now)


def _base(revision: Revision, pool: CardPool) -> str:
    """Return the base code of the investigator, whichever version was chosen."""
    code = revision.list["investigator_code"]
    card = pool.get_card(code)
    facts = card.investigator if card else None
    return (facts.base if facts else code)[:8]


def _folded(labels: DeckLabels) -> dict[str, str]:
    """Return the name and tags as the search compares them."""
    tags = "".join(f"{fold(tag)}|" for tag in labels.tags.split())
    return {
        "folded_name": fold(labels.name)[:LONGEST_FOLDED],
        "folded_tags": f"|{tags}"[:LONGEST_FOLDED] if tags else "",
    }


@transaction.atomic
def count_played_cards() -> int:
    """Count the published decks of each investigator that include each card.

    Decks are counted, not copies; cards that an investigator must have, and weaknesses,
    aren't counted. Replaces the earlier rows. Returns the number of decks.
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
    """Return the cards of a list that the player chose."""
    cards = filter(None, map(pool.get_card, slots))
    return {
        card.code
        for card in cards
        if card.weakness is None
        and card.signature is None
        and not (card.restriction and card.restriction.investigators)
    }
