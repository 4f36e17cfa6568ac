"""Everything an account has, for its file."""

from __future__ import annotations

from datetime import datetime

from arkham.accounts.models import User
from decks.interchange.account_file import (
    Account,
    Booked,
    Chain,
    Copied,
    Drawn,
    Laid,
    Owned,
    Shown,
    Step,
    write_account,
)
from decks.models import Collection, Deck, Draw, Revision
from decks.services.sharing import showing_of, source_of


def account_text(*, owner: User, now: datetime) -> str:
    """Everything of an account, as the text of its file."""
    account = Account(tuple(chains_of(owner)), tuple(collections_of(owner)))
    return write_account(account, name=owner.username, now=now)


def chains_of(owner: User) -> list[Chain]:
    """The decks, with everything that happened to them."""
    decks = Deck.objects.filter(owner=owner).order_by("pk")
    parts = ("revisions", "ledger", "draws__correction", "desk", "showing", "source")
    return [_chain(deck, owner) for deck in decks.prefetch_related(*parts)]


def _chain(deck: Deck, owner: User) -> Chain:
    draws = list(deck.draws.all())
    places = {draw.pk: place for place, draw in enumerate(draws)}
    desk = getattr(deck, "desk", None)
    return Chain(
        deck.name,
        deck.notes,
        deck.tags,
        deck.made_at,
        deck.changed_at,
        tuple(_step(each, owner) for each in deck.revisions.all()),
        tuple(
            Booked(
                each.kind,
                each.amount,
                each.reason,
                each.revision,
                each.author_id == owner.pk,
                each.made_at,
            )
            for each in deck.ledger.all()
        ),
        tuple(_drawn(each, places) for each in draws),
        desk
        and Laid(desk.seen, desk.version, desk.content, desk.window, desk.changed_at),
        _shown(deck),
        _copied(deck),
    )


def _shown(deck: Deck) -> Shown | None:
    showing = showing_of(deck)
    if showing is None:
        return None
    return Shown(showing.kind, showing.revision, showing.since)


def _copied(deck: Deck) -> Copied | None:
    source = source_of(deck)
    if source is None:
        return None
    return Copied(
        source.kind, source.name, source.author, source.address, source.copied_at
    )


def _step(revision: Revision, owner: User) -> Step:
    return Step(
        revision.content,
        revision.restores,
        revision.made_at,
        revision.cause,
        revision.made_by_id == owner.pk,
        revision.base,
        revision.window,
        revision.invoice,
        revision.reason,
        revision.played_at,
        revision.aftermath,
        revision.scenario,
    )


def _drawn(draw: Draw, places: dict[int, int]) -> Drawn:
    wrong = getattr(draw, "correction", None)
    return Drawn(
        draw.revision,
        draw.made,
        draw.record,
        None if draw.follows_id is None else places[draw.follows_id],
        draw.made_at,
        wrong.reason if wrong else "",
        wrong.made_at if wrong else None,
    )


def collections_of(owner: User) -> list[Owned]:
    """The collections."""
    return [
        Owned(
            each.name,
            each.products,
            each.missing,
            each.lends,
            each.advises,
            each.changed_at,
        )
        for each in Collection.objects.filter(owner=owner)
    ]
