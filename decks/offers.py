"""Which cards may still be added to a deck, and what bars the others?

The search language finds the cards; the frame of the deck parts those it admits from
those it does not; and for every card shown the judge is asked what the deck would be
with one copy more. So the reason given is the finding the player would get.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from arkham.rules.card import Card
from arkham.rules.deck import DeckList
from arkham.rules.finding import Finding, Severity
from arkham.rules.legality import check
from arkham.rules.legality.standing import Role, Standing
from arkham.rules.library import Entry, entry_of, library
from arkham.rules.vocabulary import CardType
from cardpool.access import admits
from cardpool.queries import found, read_search
from cardpool.relations import in_full, told_apart
from cardpool.search.query import both, parse
from cardpool.words import TYPES
from decks.display import Judged
from decks.notes import translated
from decks.rows import Words, class_signs, cost_word, version_word

SHOWN_AT_FIRST = 30
SHOWN_AT_MOST = 240
SECOND_DECK = "side"
ORDERS = ("class", "type", "level", "cost", "name", "set")
# A deck that is full is no fault of the card.
_OF_THE_WHOLE = frozenset({"deck.size", "side-deck.size"})
LEVELS = ("0", "1", "2", "3", "4", "5", "1-5")


@dataclass(frozen=True, slots=True)
class Wish:
    """What is looked for: words of the search language, and the plain filters.

    ``into`` is ``side`` for the second deck, "" for the deck; ``shown`` is how many
    cards to show.
    """

    words: str = ""
    card_class: str = ""
    type: str = ""
    level: str = ""
    order: str = "class"
    into: str = ""
    shown: int = SHOWN_AT_FIRST

    @property
    def filters(self) -> str:
        """The plain filters in the search language."""
        parts = []
        if self.card_class:
            parts.append(f"class:{self.card_class}")
        if self.type:
            parts.append(f"type:{self.type}")
        if self.level:
            first, _dash, last = self.level.partition("-")
            parts.append(f"level>={first} level<={last or first}")
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Offer:
    """A card that was found. ``copies`` are in the deck (or second deck) already.

    ``reason`` says why one copy more would be illegal, "" where it would not;
    ``cites`` where that is printed, ``entry`` what the rules library tells of it.
    """

    code: str
    card: Card
    copies: int
    level: int | None
    reason: str = ""
    cites: tuple[str, ...] = ()
    entry: Entry | None = None
    subtitle: str = ""

    @property
    def full_name(self) -> str:
        """Its name as no other offer has it."""
        return in_full(self.card.name, self.subtitle, self.level)

    @property
    def version(self) -> Words:
        """What tells it from another card of its name."""
        return version_word(self.card) or self.subtitle

    @property
    def kind(self) -> str:
        """The type of the card, and its cost if it has one."""
        cost = cost_word(self.card)
        word = str(TYPES[self.card.type])
        return (
            _("%(type)s, cost %(cost)s") % {"type": word, "cost": cost}
            if cost
            else word
        )

    @property
    def signs(self) -> tuple[str, ...]:
        """The names of the signs of its classes."""
        return class_signs(self.card)


@dataclass(frozen=True, slots=True)
class Offers:
    """What was found: ``open_count`` cards the deck may have, of ``count``."""

    offers: tuple[Offer, ...]
    open_count: int
    count: int

    @property
    def barred_count(self) -> int:
        """How many were found that the deck may not have."""
        return self.count - self.open_count

    @property
    def more(self) -> int:
        """How many would be shown next."""
        return min(self.count - len(self.offers), SHOWN_AT_FIRST)


def offers_for(judged: Judged, wish: Wish) -> Offers:
    """The cards a wish finds, those the deck may have first.

    Without words the others are left out. Raises QueryError for words that are not
    of the search language.
    """
    inside, cards = cards_found(judged, wish)
    ordered = inside
    if wish.words.strip():
        known = {card.code for card in inside}
        ordered = inside + [card for card in cards if card.code not in known]
    return Offers(
        tuple(_offer(card, judged, wish) for card in ordered[: wish.shown]),
        len(inside),
        len(ordered),
    )


def cards_found(judged: Judged, wish: Wish) -> tuple[list[Card], list[Card]]:
    """Of the cards a wish finds those the deck may have, and all of them.

    Raises QueryError for words that are not of the search language.
    """
    search = read_search(both(parse(wish.words), parse(wish.filters)))
    if "sort:" not in wish.words:
        search = replace(search, order=wish.order)
    codes = found(search).values_list("pk", flat=True)
    cards = [
        card
        for code in codes
        if (card := judged.pool.get_card(code)) is not None
        and card.type is not CardType.INVESTIGATOR
    ]
    return [card for card in cards if _is_open(card, judged, wish)], cards


def _is_open(card: Card, judged: Judged, wish: Wish) -> bool:
    """Whether a deck of this frame may have the card at all."""
    frame = judged.frame
    if frame is None:
        return True
    if wish.into == SECOND_DECK:
        second = frame.printed_back.side_deck
        traits = (
            {trait for option in second.options for trait in option.traits}
            if second
            else set()
        )
        return bool(traits & set(card.traits))
    standing = frame.standing(card.code)
    return admits(standing) or standing.role is Role.BASIC_WEAKNESS


def _offer(card: Card, judged: Judged, wish: Wish) -> Offer:
    deck = judged.asked.deck
    entries = deck.side_deck if wish.into == SECOND_DECK else deck.entries
    code, copies = listed(card, entries)
    bar = _barring(judged, code, wish)
    standing = judged.frame.standing(card.code) if judged.frame else None
    return Offer(
        code=code,
        card=card,
        copies=copies,
        level=level_in(card, standing),
        reason=translated(bar)[0] if bar else "",
        cites=tuple(str(each) for each in bar.cites) if bar else (),
        entry=entry_of(library(), bar.rule) if bar else None,
        subtitle=told_apart(card, judged.pool),
    )


def level_in(card: Card, standing: Standing | None) -> int | None:
    level = standing.level if standing else None
    return card.level if level is None else level


def listed(card: Card, entries: Mapping[str, int]) -> tuple[str, int]:
    """The code a card is listed under, its first printing's if it is not; copies."""
    listed = [each.code for each in card.printings if each.code in entries]
    return (listed or [card.code])[0], sum(entries[code] for code in listed)


def _barring(judged: Judged, code: str, wish: Wish) -> Finding | None:
    """The illegal finding on a card if the deck had one copy more of it."""
    deck = judged.asked.deck
    if wish.into == SECOND_DECK:
        trial = deck._replace(side_deck=_one_more(deck.side_deck, code))
    else:
        trial = deck._replace(entries=_one_more(deck.entries, code))
    return _first_illegal(judged, trial, code)


def _one_more(entries: Mapping[str, int], code: str) -> dict[str, int]:
    return {**entries, code: entries.get(code, 0) + 1}


def _first_illegal(judged: Judged, trial: DeckList, code: str) -> Finding | None:
    """The first illegal finding on a card in a deck like the one judged."""
    verdict = check(judged.judge, trial, judged.asked.circumstances)
    return barring(verdict.findings, code)


def barring(findings: Iterable[Finding], code: str) -> Finding | None:
    """The first finding that makes a card illegal, whatever else is in the deck."""
    return next(
        (
            finding
            for finding in findings
            if finding.severity is Severity.ILLEGAL
            and code in finding.cards
            and finding.rule not in _OF_THE_WHOLE
        ),
        None,
    )
