"""The weaknesses a deck may draw, and the deck after a draw."""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from arkham.rules.collection import Collection, everything
from arkham.rules.draws import DrawRecord as Record
from arkham.rules.draws.decks import random_deck
from arkham.rules.draws.upgrades import (
    RANDOM_UPGRADES,
    RANDOM_VERSIONS,
    VERSIONS,
    VersionRow,
    eligible_versions,
)
from arkham.rules.draws.weaknesses import handed_out, open_to, whole_pool, without
from arkham.rules.legality import Judge
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.ultimatums import UltimatumEffect, under
from arkham.rules.vocabulary import Mode
from decks.lists.content import Content, read_content
from decks.lists.editing import Edit, apply
from decks.pages.display import Judged


@dataclass(frozen=True, slots=True)
class WeaknessPool:
    """The weaknesses of a collection: those in decks, and those open to this deck."""

    gone: Mapping[str, int]
    open_cards: Mapping[str, int]

    @property
    def copies(self) -> int:
        """How many cards may be drawn."""
        return sum(self.open_cards.values())


def weakness_pool(
    judged: Judged,
    collection: Collection | None,
    table: Iterable[Content] = (),
    traits: Several[str] = (),
) -> WeaknessPool:
    """Return the pool for the deck's next weakness.

    Without a collection it has everything; ``table`` are the other decks that draw from
    it.
    """
    frame = judged.frame
    assert frame is not None
    pool = judged.pool
    cards = whole_pool(collection or everything(pool), pool, frame.rulings)
    decks = [judged.content, *table]
    gone = handed_out((each.deck["slots"] for each in decks), pool)
    return WeaknessPool(gone, open_to(frame, without(cards, gone), traits))


def random_content(
    judge: Judge, content: Content, seed: str, owned: Mapping[str, int] | None
) -> tuple[Content, tuple[Record, ...]]:
    """Return a first deck built at random for this investigator, with its draws.

    Uses the Ultimatum of Chaos. Raises ValueError if no legal and complete deck can be
    made from the cards owned.
    """
    circumstances = {
        **content.circumstances,
        "mode": Mode.START.value,
        "ultimatums": ["chaos"],
    }
    content = replace(content, circumstances=circumstances)
    asked = content.asked()
    terms = replace(asked.circumstances, owned=owned)
    made = random_deck(judge, asked.deck, seed, terms)
    if not (made.verdict.legal and made.verdict.complete):
        raise ValueError("the cards owned are too few for a deck")
    deck = made.deck
    changes = [
        *(Edit("choose", key, value=value) for key, value in deck.choices.items()),
        *(Edit("add", code, copies) for code, copies in deck.entries.items()),
        *(Edit("side-add", code, copies) for code, copies in deck.side_deck.items()),
        *(
            Edit("attach", holder, value=code)
            for holder, cards in deck.attachments.items()
            for code, copies in cards.items()
            for _copy in range(copies)
        ),
    ]
    return apply(content, changes, judge.pool), made.draws


def undrawn(content: Content) -> int:
    """Return how many weaknesses in the list are still to be drawn."""
    return int(content.deck["slots"].get(PLACEHOLDER, 0))


def to_be_drawn(judged: Judged) -> int:
    """Return how many weaknesses are still to be drawn: listed as such, or missing."""
    built = judged.built
    if built is None:
        return 0
    lacking = max(built.weaknesses_least - built.weaknesses_there, 0)
    return undrawn(judged.content) + lacking


def is_during_deckbuilding(judged: Judged) -> bool:
    """Return True if the Boon of the Morrigan applies: weaknesses are missing."""
    frame = judged.frame
    if frame is None or to_be_drawn(judged) <= 0:
        return False
    return bool(under(frame.ultimatums, UltimatumEffect.WEAKNESS_OF_THREE))


def with_drawn(judged: Judged, codes: Iterable[str]) -> Content:
    """Return the deck with these weaknesses in place of those still to be drawn."""
    content = judged.content
    for code in codes:
        changes = [Edit("add", code)]
        if undrawn(content):
            changes.insert(0, Edit("remove", PLACEHOLDER))
        content = apply(content, changes, judged.pool)
    return content


def with_returned(judged: Judged, codes: Iterable[str], again: int) -> Content:
    """Return the deck without these weaknesses; ``again`` of them are drawn again."""
    changes = [Edit("remove", code) for code in codes]
    changes += [Edit("add", PLACEHOLDER)] * again
    return apply(judged.content, changes, judged.pool)


# -- upgrades --


@dataclass(frozen=True, slots=True)
class VersionsOffer:
    """A card of which two copies become versions chosen at random."""

    code: str
    name: str
    versions: str


def version_offers(judged: Judged) -> list[VersionsOffer]:
    """Return the cards that a card of the deck upgrades at random."""
    if not is_random_in(judged, RANDOM_VERSIONS):
        return []
    deck, pool = judged.asked.deck, judged.pool
    offers = []
    for listed, copies in deck.entries.items():
        card = pool.get_card(listed)
        if card is None or copies < VERSIONS:
            continue
        found = eligible_versions(
            judged.judge, deck, card.code, judged.asked.circumstances
        )
        if found:
            names = ", ".join(
                f"{pool[code].name} ({pool[code].subname})" for code in found
            )
            offers.append(VersionsOffer(card.code, card.name, names))
    return offers


def is_chaotic(judged: Judged) -> bool:
    """Return True if a standalone game upgrades the deck at random."""
    codes = {row.code for row in RANDOM_UPGRADES}
    frame = judged.frame
    return (
        frame is not None and frame.back.code in codes and frame.mode is Mode.STANDALONE
    )


def is_upgraded_at_random(judged: Judged) -> bool:
    """Return True if some upgrade of the deck is random."""
    return is_chaotic(judged) or is_random_in(judged, RANDOM_VERSIONS)


def is_random_in(judged: Judged, rows: Iterable[VersionRow]) -> bool:
    """Return True if the deck includes one of these cards."""
    codes = {row.code for row in rows}
    held = (judged.pool.get_card(code) for code in judged.asked.deck.entries)
    return any(card is not None and card.code in codes for card in held)


def with_versions(judged: Judged, lower: str, versions: Iterable[str]) -> Content:
    """Return the deck with these versions replacing as many copies of a card."""
    changes = [Edit("record", judged.pool[lower].code, value="task")]
    for code in versions:
        changes += [Edit("remove", lower), Edit("add", code)]
    return apply(judged.content, changes, judged.pool)


def with_entries(judged: Judged, entries: Mapping[str, int]) -> Content:
    """Return the deck with these entries in place of its own."""
    deck = {**judged.content.deck, "slots": dict(sorted(entries.items()))}
    return read_content({"deck": deck, "circumstances": judged.content.circumstances})
