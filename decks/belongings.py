"""What does an account have, and what becomes of a file of it that is taken in?

Nothing of a file is taken in unless all of it can be read. A deck that the account has
already, revision by revision, is not taken in twice; one that went another way since
comes as a deck beside it.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from arkham.accounts.models import User
from decks.account_file import Chain, Step, write_account
from decks.models import Deck, Revision


class TakenIn(NamedTuple):
    """What came of a file: decks made, and decks that were here already."""

    made: int
    known: int


def account_text(*, owner: User, now: datetime) -> str:
    """Everything of an account, as the text of its file."""
    return write_account(_chains(owner), account=owner.username, now=now)


def _chains(owner: User) -> list[Chain]:
    decks = Deck.objects.filter(owner=owner).order_by("pk")
    return [
        Chain(
            deck.name,
            deck.notes,
            deck.tags,
            deck.made_at,
            deck.changed_at,
            tuple(
                Step(revision.content, revision.restores, revision.made_at)
                for revision in deck.revisions.all()
            ),
        )
        for deck in decks.prefetch_related("revisions")
    ]


@transaction.atomic
def take_in(*, owner: User, chains: tuple[Chain, ...]) -> TakenIn:
    """Give an account the decks of a file, all of them or none."""
    User.objects.select_for_update().get(pk=owner.pk)  # a second press waits
    here: dict[datetime, list[Chain]] = {}
    for chain in _chains(owner):
        here.setdefault(chain.made_at, []).append(chain)
    made = 0
    for chain in chains:
        alike = here.setdefault(chain.made_at, [])
        if any(each.steps[: len(chain.steps)] == chain.steps for each in alike):
            continue
        _make(owner, chain)
        alike.append(chain)
        made += 1
    return TakenIn(made, len(chains) - made)


def _make(owner: User, chain: Chain) -> None:
    deck = Deck.objects.create(
        owner=owner,
        name=chain.name,
        notes=chain.notes,
        tags=chain.tags,
        revision=len(chain.steps),
        made_at=chain.made_at,
        changed_at=chain.changed_at,
    )
    Revision.objects.bulk_create(
        Revision(
            deck=deck,
            number=number,
            list=step.content.deck,
            circumstances=step.content.circumstances,
            restores=step.restores,
            made_at=step.made_at,
        )
        for number, step in enumerate(chain.steps, 1)
    )
