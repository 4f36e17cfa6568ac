"""Keeping what people own."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from arkham.accounts.models import User
from arkham.rules import collection as rules
from arkham.rules.pool import CardPool
from arkham.web.quotas import require_room, take_turns
from cardpool.catalog import current_pool
from decks.lists.content import whole
from decks.models import LONGEST_NAME, Collection, Deck

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
    return _copies(_key_of(collection), pool)


def cards_owned(person: User | None, pool: CardPool) -> Mapping[str, int] | None:
    """Copies of each card that a person builds from; None if that is unknown.

    By the code of the card in the pool, summed over its printings; a card that is not
    owned is not there. It is summed once until the collection changes.
    """
    found = collection_of(person)
    return cards_in(found, pool) if found else None


def cards_in(collection: Collection, pool: CardPool) -> Mapping[str, int]:
    """Copies of each card in a collection, summed over its printings."""
    return _cards(_key_of(collection), pool)


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
    """A collection as it was at one time; its content needs no comparing."""

    def __init__(self, pk: int, at: datetime, content: rules.Collection) -> None:
        self._identity = (pk, at)
        self.content = content

    def __hash__(self) -> int:
        return hash(self._identity)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._identity == other._identity


def _key_of(collection: Collection) -> _Key:
    return _Key(collection.pk, collection.changed_at, collection.content)


@lru_cache(maxsize=KEPT)
def _cards(key: _Key, pool: CardPool) -> Mapping[str, int]:
    return rules.cards_owned(_copies(key, pool), pool)


@lru_cache(maxsize=KEPT)
def _copies(key: _Key, pool: CardPool) -> Mapping[str, int]:
    return rules.copies_owned(key.content, pool)


@transaction.atomic
def save_collection(
    *,
    owner: User,
    collection: Collection | None,
    name: str,
    products: Mapping[str, int],
    missing: Mapping[str, int],
    lends: bool,
    advises: bool,
    now: datetime,
) -> Collection:
    """Keep what somebody owns; decks are built from one collection at most."""
    take_turns(owner)
    if collection is None:
        require_room("collections", Collection.objects.filter(owner=owner))
    kept = collection or Collection(owner=owner)
    kept.name = whole(name).strip()[:LONGEST_NAME]
    kept.products = {code: copies for code, copies in products.items() if copies}
    kept.missing = {code: copies for code, copies in missing.items() if copies}
    kept.lends, kept.advises, kept.changed_at = lends, advises, now
    kept.save()
    if advises:
        others = Collection.objects.filter(owner=owner).exclude(pk=kept.pk)
        others.update(advises=False)
    return kept


def delete_collection(*, collection: Collection) -> None:
    """Forget a collection; decks and draws stay as they are."""
    collection.delete()
