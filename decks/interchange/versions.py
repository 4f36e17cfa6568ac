"""A deck as ArkhamDB keeps it: one deck for each step between two games.

There an upgrade makes another deck, and the one before is locked. Here a deck stays
one, so each of its steps has a number: the first has the deck's own, a later one is
made of it and of the revision it grew from.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from arkham.rules.legality import Verdict, check
from arkham.rules.notation.arkhamdb_object import write_object
from arkham.rules.pool import CardPool
from cardpool.catalog import current_judge
from decks.interchange.export import exchanged
from decks.lists.content import Content
from decks.models import Revision
from decks.queries import EARLIER, VERSIONS
from decks.services.ledger import balance_of
from decks.services.upgrading import opened
from decks.services.windows import window_after


class DeckVersion(NamedTuple):
    """A deck between two games.

    ``revision`` is the latest of that time; ``content`` the deck as it is in it. The
    last step of a deck that was played is not bought yet (``is_bought``): it is what
    the game left.
    """

    number: int
    revision: Revision
    content: Content
    is_bought: bool = True


def steps_of_deck(latest: Revision) -> list[DeckVersion]:
    """The steps of the deck whose latest revision this is, the first one first."""
    deck = latest.deck
    chain = [latest]
    played = deck.revisions.filter(played_at__isnull=False, number__lt=latest.number)
    by_number = {each.number: each for each in played}
    while base := by_number.pop(chain[0].base or 0, None):
        base.deck = deck
        chain.insert(0, base)
    steps = [DeckVersion(deck.pk, chain[0], chain[0].content)]
    for before, revision in pairwise(chain):
        number = step_number(deck.pk, before.number)
        steps.append(DeckVersion(number, revision, revision.content))
    if latest.played_at is not None:
        number = step_number(deck.pk, latest.number)
        steps.append(DeckVersion(number, latest, opened(latest), is_bought=False))
    return steps


def step_number(deck: int, base: int) -> int:
    """The number of the step of a deck that grew from the revision ``base``."""
    return EARLIER + deck * VERSIONS + base


def deck_of_step(number: int) -> int:
    """The key of the deck that a step of this number is one of."""
    if number < EARLIER:
        return number
    return (number - EARLIER) // VERSIONS


def steps_data(
    latest: Revision, problem: Any, pool: CardPool
) -> Iterable[tuple[DeckVersion, dict[str, Any]]]:
    """Each step as ArkhamDB's API has a deck of one's own.

    ``problem`` names what is wrong by a verdict; earlier steps are locked, and it is
    not looked for there.
    """
    steps = steps_of_deck(latest)
    numbers = [each.number for each in steps]
    for place, step in enumerate(steps):
        is_last = place + 1 == len(steps)
        data = _fields(step, pool) | {
            "id": step.number,
            "user_id": latest.deck.owner_id,
            "previous_deck": numbers[place - 1] if place else None,
            "next_deck": None if is_last else numbers[place + 1],
            "problem": problem(_verdict(step.content)) if is_last else None,
        }
        yield step, data


def _fields(step: DeckVersion, pool: CardPool) -> dict[str, Any]:
    data = write_object(exchanged(step.revision, pool))
    if step.is_bought:
        return data
    listed = step.content.deck
    exiled = window_after(step.revision).get("exiled") or {}
    codes = [code for code, copies in exiled.items() for _copy in range(copies)]
    return data | {
        "slots": dict(listed["slots"]) or [],
        "ignoreDeckLimitSlots": dict(listed["ignoreDeckLimitSlots"]) or None,
        "xp": balance_of(step.revision.deck),
        "xp_spent": 0,
        "xp_adjustment": 0,
        "exile_string": ",".join(codes) or None,
    }


def _verdict(content: Content) -> Verdict:
    asked = content.asked()
    return check(current_judge(), asked.deck, asked.circumstances)
