"""Keeps what people own, and finds what their decks are short of."""

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
from arkham.web.quotas import require_room, take_turns
from cardpool.catalog import current_pool
from decks.lists.content import whole
from decks.models import LONGEST_NAME, Collection, Deck, Revision

KEPT = 64  # collections whose copies are remembered


def owned_by_owner(deck: Deck, pool: CardPool) -> Mapping[str, int] | None:
    """Copies by printing that the owner builds from; None if that is unknown."""
    return _owned(deck.owner_id, pool)


def owned_by(person: User | None, pool: CardPool) -> Mapping[str, int] | None:
    """Copies by printing that a person builds from; None if that is unknown."""
    return _owned(person.pk if person else None, pool)


def collection_of(person: User | None) -> Collection | None:
    """The collection a person's decks are built from, if there is one."""
    return _advising(person.pk if person else None)


def _owned(owner: int | None, pool: CardPool) -> Mapping[str, int] | None:
    found = _advising(owner)
    return copies_in(found, pool) if found else None


def _advising(owner: int | None) -> Collection | None:
    if owner is None:
        return None
    return Collection.objects.filter(owner=owner, advises=True).first()


def copies_in(collection: Collection, pool: CardPool) -> Mapping[str, int]:
    """Copies by printing in a collection, summed once until it changes."""
    return _copies(_Key(collection.content), pool)


def cards_owned(person: User | None, pool: CardPool) -> Mapping[str, int] | None:
    """Copies of each card that a person builds from; None if that is unknown.

    By the code of the card in the pool, summed over its printings; a card that is not
    owned is not there. It is summed once until the collection changes.
    """
    found = collection_of(person)
    return cards_in(found, pool) if found else None


def cards_in(collection: Collection, pool: CardPool) -> Mapping[str, int]:
    """Copies of each card in a collection, summed over its printings."""
    return _cards(_Key(collection.content), pool)


def cards_owned_by(
    person: AbstractBaseUser | AnonymousUser, pool: CardPool | None = None
) -> frozenset[str] | None:
    """The codes of the cards a person owns; None if that is unknown."""
    if not isinstance(person, User):
        return None
    return _codes(_advising(person.pk), pool or current_pool())


def cards_owned_by_owner(deck: Deck, pool: CardPool) -> frozenset[str] | None:
    """The same of the owner of a deck."""
    return _codes(_advising(deck.owner_id), pool)


def _codes(collection: Collection | None, pool: CardPool) -> frozenset[str] | None:
    return frozenset(cards_in(collection, pool)) if collection else None


class _Key:
    """A collection as it is at one time, to remember what was summed from it."""

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
    """Another window changed the collection since this one saw it."""


@transaction.atomic
def own_products(
    *,
    owner: User,
    collection: Collection | None,
    copies: Mapping[str, int],
    now: datetime,
    seen: str | None = None,
) -> Collection:
    """Set how many copies of some products are owned; the others stay as they are.

    Without a collection one is begun. Raises CollectionMoved where ``seen`` is given
    and is not the mark of the collection as it is now.
    """
    kept = _held(owner, collection)
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
    """Add copies of printings that are missing, or take them back (below 0)."""
    kept = _held(owner, collection)
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
    """Change ``name``, ``lends`` or ``advises``; what is not named stays as it is."""
    kept = _held(owner, collection)
    kept.name = whole(changed.get("name", kept.name)).strip()[:LONGEST_NAME]
    kept.lends = changed.get("lends", kept.lends)
    kept.advises = changed.get("advises", kept.advises)
    return _keep(kept, now)


def mark_of(collection: Collection) -> str:
    """A word that differs after every change."""
    return collection.changed_at.isoformat()


def _held(owner: User, collection: Collection | None) -> Collection:
    """The collection as it is now, while no other request changes it; or a new one.

    The first one is what decks are built from.
    """
    take_turns(owner)
    own = Collection.objects.filter(owner=owner)
    if collection is not None:
        return own.get(pk=collection.pk)
    require_room("collections", own)
    is_first = not own.filter(advises=True).exists()
    return Collection(owner=owner, name=_("My collection"), advises=is_first)


def _keep(kept: Collection, now: datetime) -> Collection:
    """Write it down; decks are built from one collection at most."""
    kept.changed_at = now
    kept.save()
    if kept.advises:
        others = Collection.objects.filter(owner=kept.owner).exclude(pk=kept.pk)
        others.filter(advises=True).update(advises=False)
    return kept


def delete_collection(*, collection: Collection) -> None:
    """Forget a collection; decks and draws stay as they are."""
    collection.delete()


# -- what decks are short of --

MOST_DECKS = 200  # the latest ones; more than are built at once


@dataclass(frozen=True, slots=True)
class DeckShortage:
    """A deck, and the copies of each card that its owner has too few of."""

    revision: Revision
    short: Mapping[str, int]


def shortages(
    revisions: Iterable[Revision], owned: Mapping[str, int], judge: Judge
) -> list[DeckShortage]:
    """What each deck is short of, were it the only one that is built; none left out.

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


def together(found: Iterable[DeckShortage]) -> dict[str, int]:
    """What decks are short of that are built one after the other: the most of each."""
    short: dict[str, int] = {}
    for each in found:
        for card, copies in each.short.items():
            short[card] = max(short.get(card, 0), copies)
    return short
