"""Keeping what people own."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from arkham.accounts.models import User
from arkham.web.quotas import require_room, take_turns
from decks.lists.content import whole
from decks.models import LONGEST_NAME, Collection


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
