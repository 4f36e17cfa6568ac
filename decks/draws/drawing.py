"""Draw at random for a deck, and correct draws."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.rules import draws
from arkham.rules.draws.upgrades import draw_versions, random_upgrades
from arkham.rules.draws.weaknesses import draw_one_of_two, draw_three, draw_weakness
from arkham.rules.legality import Judge
from arkham.web.quotas import require_room
from decks.draws.pools import (
    random_content,
    undrawn,
    with_drawn,
    with_entries,
    with_returned,
    with_versions,
)
from decks.lists.content import Content, whole
from decks.lists.editing import copies_of
from decks.models import (
    LONGEST_REASON,
    Correction,
    Deck,
    Draw,
    Revision,
)
from decks.pages.display import Judged
from decks.services import create_deck, desk_of, opened, revise_deck, save_desk
from decks.services.hooks import lock_tables
from decks.services.ledger import expect, is_played
from decks.services.settling import gain_cards, give_cards_up

SEED_BYTES = 16


class NothingToDraw(Exception):
    """The pool has no card that the deck may draw."""


class AlreadyCorrected(Exception):
    """The draw has already been corrected."""


def new_seed() -> str:
    """Return a random seed, so that no one can have chosen it."""
    return secrets.token_hex(SEED_BYTES)


@transaction.atomic
def create_random_deck(
    *,
    owner: User | None,
    content: Content,
    judge: Judge,
    owned: Mapping[str, int] | None,
    now: datetime,
) -> Deck:
    """Create a deck built at random for an investigator; every draw is stored.

    Raises ValueError if the result isn't legal and complete.
    """
    made, records = random_content(judge, content, new_seed(), owned)
    deck = create_deck(owner=owner, content=made, now=now)
    for record in records:
        Draw.objects.create(
            deck=deck, revision=1, made=1, record=record.as_data(), made_at=now
        )
    return deck


@transaction.atomic
def draw_weaknesses(
    *,
    deck: Deck,
    judged: Judged,
    cards: Mapping[str, int],
    count: int,
    expected_revision: int,
    now: datetime,
) -> Draw:
    """Draw weaknesses from a pool into the deck, and store the draw.

    Raises Stale as ``revise_deck`` does, NothingToDraw for an empty pool.
    """
    record = draw_weakness(cards, new_seed(), count)
    return _into_the_deck(deck, judged, record, expected_revision, now)


@transaction.atomic
def draw_for_the_morrigan(
    *, deck: Deck, cards: Mapping[str, int], expected_revision: int, now: datetime
) -> Draw:
    """Draw three weaknesses, of which one may be returned; the deck doesn't change yet.

    If three are still waiting for the player's choice, they are returned instead.
    Raises QuotaReached if a deck has as many draws as allowed.
    """
    _lock_deck(deck)
    waiting = Draw.objects.filter(
        deck=deck,
        record__purpose=draws.Purpose.MORRIGAN_THREE,
        followed_by=None,
        correction=None,
    ).first()
    if waiting is not None:
        return waiting
    record = draw_three(cards, new_seed())
    if not record.result:
        raise NothingToDraw
    require_room("revisions", deck.draws.count())
    return Draw.objects.create(
        deck=deck, revision=expected_revision, record=record.as_data(), made_at=now
    )


@transaction.atomic
def return_one(
    *,
    deck: Deck,
    judged: Judged,
    three: Draw,
    returned: str,
    expected_revision: int,
    now: datetime,
) -> Draw:
    """Return one of three; one of the others, at random, goes into the deck.

    Raises Stale; ValueError if the card isn't one of the three, or one was returned.
    """
    if Draw.objects.filter(follows=three).exists():
        raise ValueError("one of the three was returned before")
    record = draw_one_of_two(
        draws.DrawRecord.from_data(three.record), returned, new_seed()
    )
    return _into_the_deck(deck, judged, record, expected_revision, now, three)


@transaction.atomic
def upgrade_to_versions(
    *, deck: Deck, judged: Judged, lower: str, expected_revision: int, now: datetime
) -> Draw:
    """Choose at random the versions that two copies of a card become.

    Raises Stale; ValueError if the deck has no such card; NothingToDraw if no version
    is eligible.
    """
    asked = judged.asked
    record = draw_versions(
        judged.judge, asked.deck, lower, new_seed(), asked.circumstances
    )
    content = with_versions(judged, lower, record.result)
    return _recorded(deck, content, (record,), expected_revision, now)


@transaction.atomic
def upgrade_at_random(
    *,
    deck: Deck,
    judged: Judged,
    experience: int,
    expected_revision: int,
    now: datetime,
) -> Draw:
    """Upgrade a standalone deck at random until it has this much experience.

    Raises Stale; ValueError for a deck that isn't upgraded this way.
    """
    asked = judged.asked
    made = random_upgrades(
        judged.judge, asked.deck, experience, new_seed(), asked.circumstances
    )
    content = with_entries(judged, made.deck.entries)
    return _recorded(deck, content, made.draws, expected_revision, now)


@transaction.atomic
def correct_draw(
    *, draw: Draw, judged: Judged, reason: str, expected_revision: int, now: datetime
) -> Correction:
    """Undo the result of a draw, with a reason; both stay visible.

    The cards still in the deck return to the pool; placeholders that they replaced come
    back. Raises Stale; AlreadyCorrected if the draw was corrected before.
    """
    _lock_deck(draw.deck)
    if Correction.objects.filter(draw=draw).exists():
        raise AlreadyCorrected(str(draw))
    reason = whole(reason).strip()[:LONGEST_REASON]
    if draw.made is not None:
        codes = _still_held(judged, draw.record["result"])
        again = min(_made_room(draw, draw.made), len(codes))
        if is_played(draw.deck.revisions.get(number=draw.deck.revision)):
            give_cards_up(
                deck=draw.deck,
                codes=codes,
                reason=reason,
                expected_revision=expected_revision,
                now=now,
                undrawn=again,
            )
        else:
            revise_deck(
                deck=draw.deck,
                content=with_returned(judged, codes, again),
                expected_revision=expected_revision,
                now=now,
            )
    return Correction.objects.create(draw=draw, reason=reason, made_at=now)


def _made_room(draw: Draw, made: int) -> int:
    """Count the placeholders of weaknesses that the cards of a draw replaced.

    ``made`` is the revision that the draw made.
    """
    revisions = draw.deck.revisions
    seen, after = (revisions.get(number=each) for each in (draw.revision, made))
    # A game may have put a placeholder into the deck it was played with.
    before = opened(seen) if after.base == seen.number else seen.content
    return max(undrawn(before) - undrawn(after.content), 0)


def _still_held(judged: Judged, drawn: list[str]) -> list[str]:
    """Return the drawn cards that the deck still has, in any printing."""
    found: list[str] = []
    for code in drawn:
        if copies_of(judged.content, code, judged.pool) > found.count(code):
            found.append(code)
    return found


def _lock_deck(deck: Deck) -> None:
    """Lock the deck against other draws until the transaction ends."""
    lock_tables(deck)
    Deck.objects.select_for_update().get(pk=deck.pk)


def _into_the_deck(
    deck: Deck,
    judged: Judged,
    record: draws.DrawRecord,
    expected_revision: int,
    now: datetime,
    follows: Draw | None = None,
) -> Draw:
    if not is_played(deck.revisions.get(number=deck.revision)):
        content = with_drawn(judged, record.result)
        return _recorded(deck, content, (record,), expected_revision, now, follows)
    if not record.result:
        raise NothingToDraw
    names = (judged.pool[code].name for code in record.result)
    made = gain_cards(
        deck=deck,
        codes=record.result,
        reason=_("Drawn at random: %(names)s") % {"names": ", ".join(names)},
        expected_revision=expected_revision,
        now=now,
    )
    return _kept(deck, (record,), expected_revision, made, now, follows)


def _recorded(
    deck: Deck,
    content: Content,
    records: tuple[draws.DrawRecord, ...],
    expected_revision: int,
    now: datetime,
    follows: Draw | None = None,
) -> Draw:
    """Make the revision of these draws, store them, and return the first of them.

    For a played deck they go into the upgrade in progress, to be paid for there.
    """
    if not records[0].result:
        raise NothingToDraw
    lock_tables(deck)
    latest = expect(deck, content, expected_revision)
    desk = desk_of(latest) if is_played(latest) else None
    if desk is not None:
        save_desk(
            deck=deck,
            content=content,
            window=desk.window,
            seen=desk.seen,
            expected_version=desk.version,
            now=now,
        )
        return _kept(deck, records, expected_revision, None, now, follows)
    made = revise_deck(
        deck=deck, content=content, expected_revision=expected_revision, now=now
    )
    return _kept(deck, records, expected_revision, made, now, follows)


def _kept(
    deck: Deck,
    records: tuple[draws.DrawRecord, ...],
    seen: int,
    made: Revision | None,
    now: datetime,
    follows: Draw | None,
) -> Draw:
    """Store the draws with the revision they made, and return the first of them.

    Raises QuotaReached if a deck has as many draws as allowed.
    """
    require_room("revisions", deck.draws.count(), len(records))
    kept = [
        Draw.objects.create(
            deck=deck,
            revision=seen,
            made=made.number if made else None,
            record=record.as_data(),
            follows=follows,
            made_at=now,
        )
        for record in records
    ]
    return kept[0]
