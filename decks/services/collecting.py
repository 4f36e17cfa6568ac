"""Store the collections of players, and find the cards that their decks lack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.rules import collection as rules
from arkham.rules.legality import Judge
from arkham.rules.legality.agreements import copies_wanted
from arkham.rules.pool import CardPool
from arkham.web.quotas import lock_owner, require_room
from cardpool.catalog import current_pool
from decks.lists.content import whole
from decks.models import LONGEST_NAME, Collection, Deck, Revision

KEPT = 64  # collections whose copies are cached


def owned_by_owner(deck: Deck, pool: CardPool) -> Mapping[str, int] | None:
    """Copies by printing in the owner's collection; None if there is no collection."""
    return _owned(deck.owner_id, pool)


def owned_by(person: User | None, pool: CardPool) -> Mapping[str, int] | None:
    """Copies by printing in a person's collection; None if there is no collection."""
    return _owned(person.pk if person else None, pool)


def collection_of(person: User | None) -> Collection | None:
    """Return the collection that a person's decks are built from, if there is one."""
    return _advising(person.pk if person else None)


def _owned(owner: int | None, pool: CardPool) -> Mapping[str, int] | None:
    found = _advising(owner)
    return copies_in(found, pool) if found else None


def _advising(owner: int | None) -> Collection | None:
    if owner is None:
        return None
    return Collection.objects.filter(owner=owner, advises=True).first()


def copies_in(collection: Collection, pool: CardPool) -> Mapping[str, int]:
    """Copies by printing in a collection, cached until the collection changes."""
    return _copies(_Key(collection.content), pool)


def cards_owned(person: User | None, pool: CardPool) -> Mapping[str, int] | None:
    """Copies of each card in a person's collection; None if there is no collection.

    Keys are the codes of cards in the pool, summed over their printings; cards that are
    not owned are left out. The result is cached until the collection changes.
    """
    found = collection_of(person)
    return cards_in(found, pool) if found else None


def cards_in(collection: Collection, pool: CardPool) -> Mapping[str, int]:
    """Copies of each card in a collection, summed over its printings."""
    return _cards(_Key(collection.content), pool)


def cards_owned_by(person: AbstractBaseUser | AnonymousUser) -> frozenset[str] | None:
    """Return the codes of the cards that a person owns; None without a collection."""
    if not isinstance(person, User):
        return None
    return _codes(_advising(person.pk), current_pool())


def cards_owned_by_owner(deck: Deck, pool: CardPool) -> frozenset[str] | None:
    """Return the codes of the cards that a deck's owner owns; None if unknown."""
    return _codes(_advising(deck.owner_id), pool)


def _codes(collection: Collection | None, pool: CardPool) -> frozenset[str] | None:
    return frozenset(cards_in(collection, pool)) if collection else None


class _Key:
    """The content of a collection as a cache key."""

    def __init__(self, content: rules.Collection) -> None:
        self.content = content
        self._identity = tuple(
            tuple(sorted(each.items())) for each in (content.products, content.missing)
        )

    def __hash__(self) -> int:
        return hash(self._identity)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._identity == other._identity


@lru_cache(maxsize=KEPT)
def _cards(key: _Key, pool: CardPool) -> Mapping[str, int]:
    return rules.cards_owned(_copies(key, pool), pool)


@lru_cache(maxsize=KEPT)
def _copies(key: _Key, pool: CardPool) -> Mapping[str, int]:
    return rules.copies_owned(key.content, pool)


class CollectionMoved(Exception):
    """The collection was changed in another window after this one was opened."""


@transaction.atomic
def own_products(
    *,
    owner: User,
    collection: Collection | None,
    copies: Mapping[str, int],
    now: datetime,
    seen: str | None = None,
) -> Collection:
    """Set how many copies of some products are owned; leave all others unchanged.

    Create a collection if there is none. Raise CollectionMoved if ``seen`` is given and
    isn't the mark of the collection as it is now.
    """
    kept = _lock_collection(owner, collection)
    if seen is not None and collection is not None and seen != mark_of(kept):
        raise CollectionMoved
    now_owned = {**kept.products, **copies}
    kept.products = {code: number for code, number in now_owned.items() if number > 0}
    return _keep(kept, now)


@transaction.atomic
def note_missing(
    *,
    owner: User,
    collection: Collection,
    copies: Mapping[str, int],
    now: datetime,
) -> Collection:
    """Add missing copies of printings, or remove them (negative numbers)."""
    kept = _lock_collection(owner, collection)
    for code, more in copies.items():
        kept.missing[code] = kept.missing.get(code, 0) + more
    kept.missing = {code: number for code, number in kept.missing.items() if number > 0}
    return _keep(kept, now)


@transaction.atomic
def describe_collection(
    *,
    owner: User,
    collection: Collection | None,
    changed: Mapping[str, Any],
    now: datetime,
) -> Collection:
    """Change ``name``, ``lends`` or ``advises``; keep those that are not given."""
    kept = _lock_collection(owner, collection)
    kept.name = whole(changed.get("name", kept.name)).strip()[:LONGEST_NAME]
    kept.lends = changed.get("lends", kept.lends)
    kept.advises = changed.get("advises", kept.advises)
    return _keep(kept, now)


def mark_of(collection: Collection) -> str:
    """Return a text that differs after every change."""
    return collection.changed_at.isoformat()


def _lock_collection(owner: User, collection: Collection | None) -> Collection:
    """Return the collection, locked against other requests; or a new one.

    The first collection of a person is the one their decks are built from.
    """
    lock_owner(owner)
    own = Collection.objects.filter(owner=owner)
    if collection is not None:
        return own.get(pk=collection.pk)
    require_room("collections", own)
    is_first = not own.filter(advises=True).exists()
    return Collection(owner=owner, name=_("My collection"), advises=is_first)


def _keep(kept: Collection, now: datetime) -> Collection:
    """Save the collection; make sure that decks are built from one at most."""
    kept.changed_at = now
    kept.save()
    if kept.advises:
        others = Collection.objects.filter(owner=kept.owner).exclude(pk=kept.pk)
        others.filter(advises=True).update(advises=False)
    return kept


def delete_collection(*, collection: Collection) -> None:
    """Delete a collection; decks and draws are not changed."""
    collection.delete()


# -- cards that decks lack --

MOST_DECKS = 200  # the latest ones; more than anyone builds at once


@dataclass(frozen=True, slots=True)
class DeckShortage:
    """A deck, and how many copies of each card its owner is missing."""

    revision: Revision
    short: Mapping[str, int]


def shortages(
    revisions: Iterable[Revision], owned: Mapping[str, int], judge: Judge
) -> list[DeckShortage]:
    """Return what each deck lacks if it is the only one built; leave none out.

    ``owned`` are copies by card (:func:`cards_in`).
    """
    found = []
    for revision in revisions:
        asked = revision.content.asked()
        built = next(judge.builds(asked.deck, asked.circumstances), None)
        if built is not None:
            short = rules.copies_short(copies_wanted(built), owned)
            found.append(DeckShortage(revision, short))
    return found


def total_shortage(found: Iterable[DeckShortage]) -> dict[str, int]:
    """Return the shortage of decks built one after the other: each card's maximum."""
    short: dict[str, int] = {}
    for each in found:
        for card, copies in each.short.items():
            short[card] = max(short.get(card, 0), copies)
    return short
