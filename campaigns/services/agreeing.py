"""Which terms may a table agree on? Some are not theirs to give, or sworn away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arkham.accounts.models import User
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from campaigns.log.replays import Folded
from campaigns.models import Campaign
from campaigns.people.rights import Refused
from campaigns.services.oaths import sworn_in
from campaigns.settling.terms import ORTHODOXY, Terms, orthodoxy, read_terms, terms_data
from decks.models import Collection


def agreed(
    told: Mapping[str, Any],
    user: User | None,
    campaign: Campaign | None = None,
    known: Folded | None = None,
) -> dict[str, Any]:
    """Terms somebody tells, as they are kept; ``known`` is what the table has sworn to.

    Raises Unreadable; Refused for somebody else's collection, or for decks without
    taboos under Orthodoxy.
    """
    terms = read_terms(dict(told))
    before = campaign.terms.get("collection") if campaign is not None else None
    found = [*_collection(terms, user, before)]
    if known is not None and any(
        each.ultimatum == ORTHODOXY for each in sworn_in(known)
    ):
        found += orthodoxy(terms)
    if found:
        raise Refused(*found)
    return terms_data(terms)


def _collection(
    terms: Terms, user: User | None, before: int | None
) -> Iterator[Finding]:
    """Weaknesses come from one's own collection, or the one chosen before."""
    if terms.collection is None or terms.collection == before:
        return
    own = Collection.objects.filter(owner__isnull=False, owner=user)
    if not own.filter(pk=terms.collection).exists():
        yield Finding(
            _("This is no collection of yours."),
            rule="terms.collection",
            actual=terms.collection,
        )
