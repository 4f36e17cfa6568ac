"""Says which cards the terms of a deck bar, and which ones it has no room for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from arkham.rules.card import Card
from arkham.rules.checking import Asked
from arkham.rules.deck import Circumstances, DeckList
from arkham.rules.finding import Severity
from arkham.rules.legality import Judge, check
from arkham.rules.legality.allocation import shortages
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import CardRole
from arkham.rules.vocabulary import Mode
from cardpool.access import admits, is_barred
from decks.pages.display import Judged

FRAMES_KEPT = 32  # frames; the codes of each take some 50 KB


@dataclass(frozen=True, slots=True)
class Included:
    """The codes of the cards that a frame lets into its decks.

    ``cards`` are ordinary cards and signatures, ``signatures`` the latter;
    ``weaknesses`` are the basic ones that may be drawn. ``limited`` has the limited
    options, as a mask, of every ordinary card that must use one.
    """

    cards: frozenset[str]
    signatures: frozenset[str]
    weaknesses: frozenset[str]
    limited: Mapping[str, int]


@lru_cache(maxsize=FRAMES_KEPT)
def included_in(frame: Frame) -> Included:
    """What a frame lets into its decks, whatever lies in them already."""
    cards, signatures, weaknesses = set(), set(), set()
    limited = {}
    for code in frame.pool:
        standing = frame.standing(code)
        if standing.role is CardRole.BASIC_WEAKNESS:
            if not is_barred(standing):
                weaknesses.add(code)
        elif admits(standing):
            cards.add(code)
            if standing.role is CardRole.SIGNATURE:
                signatures.add(code)
            elif standing.limited:
                limited[code] = standing.limited
    return Included(
        frozenset(cards), frozenset(signatures), frozenset(weaknesses), limited
    )


RESEARCHED = "researched.task"
# What bars a card whatever else lies in the deck: the table's terms, not the deck's
# cards. The options and restrictions of the investigator are a frame's to answer.
OF_THE_TERMS = frozenset(
    {
        "campaign.lost",
        "ultimatum.scream",
        "environment.card",
        "mode.campaign-only",
        "mode.multiplayer-only",
        RESEARCHED,
        "ultimatum.induction",
    }
)
KEPT = 32  # decks of so many investigators and terms are built at a time


def barred_by_terms(judge: Judge, asked: Asked) -> frozenset[str]:
    """The cards that no deck of the investigator may have on these terms."""
    deck, circumstances = asked.deck, asked.circumstances
    bars = (
        circumstances.environment,
        deck.card_pool,
        circumstances.ultimatums,
        circumstances.banned_titles,
        circumstances.lost_cards,
        circumstances.players,
    )
    if circumstances.mode is not Mode.STANDALONE and not any(bars):
        return frozenset()
    sides = deck.investigator, deck.front, deck.back
    return _barred(judge, sides, deck.taboo, deck.card_pool, circumstances)


@lru_cache(maxsize=KEPT)
def _barred(
    judge: Judge,
    sides: tuple[str, str, str],
    taboo: int | str | None,
    products: tuple[str, ...],
    circumstances: Circumstances,
) -> frozenset[str]:
    """The same for every card at once, judged as one deck with a copy of each."""
    investigator, front, back = sides
    codes = (code for code, card in judge.pool.items() if card.in_decks)
    every = DeckList(
        investigator,
        dict.fromkeys(codes, 1),
        front=front,
        back=back,
        taboo=taboo,
        card_pool=products,
    )
    # Nothing is researched before a first deck is played; later it may be.
    rules = OF_THE_TERMS - ({RESEARCHED} if circumstances.mode is Mode.START else set())
    return frozenset(
        code
        for finding in check(judge, every, circumstances).findings
        if finding.rule in rules and finding.severity is Severity.ILLEGAL
        for code in finding.cards
    )


class Room:
    """The room a deck has for one copy more of a card it may have."""

    def __init__(self, judged: Judged) -> None:
        self._built = judged.built
        self._by_options: dict[int, bool] = {}
        self._titles: Counter[str] = Counter()
        for line in self._built.lines if self._built else ():
            if line.standing.role is CardRole.ORDINARY:
                self._titles[line.standing.title] += line.copies

    def full_for(self, cards: Iterable[Card]) -> set[str]:
        """The codes of those whose limit, or whose limited options, are used up."""
        if self._built is None:
            return set()
        frame = self._built.frame
        limited = included_in(frame).limited
        full = set()
        for card in cards:
            if card.title in self._titles:
                standing = frame.standing(card.code)
                is_ordinary = standing.role is CardRole.ORDINARY
                if is_ordinary and self._titles[standing.title] >= standing.limit:
                    full.add(card.code)
                    continue
            mask = limited.get(card.code, 0)
            if mask and not self._in_options(mask):
                full.add(card.code)
        return full

    def _in_options(self, mask: int) -> bool:
        """Whether one more card finds a place that may use just these options."""
        if mask not in self._by_options:
            assert self._built is not None
            demands = {**self._built.demands}
            demands[mask] = demands.get(mask, 0) + 1
            short = shortages(demands, self._built.frame.limits)
            self._by_options[mask] = all(mask & ~each.options for each in short)
        return self._by_options[mask]
