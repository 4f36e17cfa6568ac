"""The cards that may still be added to a deck, and what bars the others.

The search language finds the cards; the frame of the deck parts those it admits from
those it does not; and for every card shown the judge is asked what the deck would be
with one copy more. So the reason given is the finding the player would get.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from django.utils.translation import gettext as _

from arkham.rules import legality
from arkham.rules.card import Card
from arkham.rules.deck import Circumstances
from arkham.rules.finding import Finding
from arkham.rules.gists import gist_of
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import GENERAL_LIMIT, Standing
from arkham.rules.library import Entry
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType, Mode
from arkham.web.http import mark_of
from cardpool.languages import shown_name
from cardpool.queries import KEPT, found_codes, read_search
from cardpool.relations import in_full, shown_distinct
from cardpool.search import Search, searched_instead
from cardpool.search.query import EVERYTHING, Term, both, parse
from cardpool.shown import Count, icons_of
from cardpool.words import TYPES
from decks.pages.display import Judged
from decks.pages.notes import translated
from decks.pages.rows import (
    Quantity,
    TabooMark,
    Words,
    barring,
    class_signs,
    cost_word,
    held_of,
    level_in,
    listed,
    most_copies_in,
    quantities,
    refusal,
    taboo_mark,
    version_word,
)
from decks.pages.terms import (
    RESEARCHED,
    Room,
    barred_by_terms,
    for_second_deck,
    included_in,
)

SHOWN_AT_FIRST = 30
SHOWN_AT_MOST = 240
SECOND_DECK = "side"
CONSIDERED = "considered"  # the side deck: cards kept at hand
PLAYED = "played"  # cards of many published decks first, then in the usual order
ORDERS = ("class", "type", "level", "cost", "name", "set", PLAYED)
# That a deck has spent its experience is no fault of the card.
_DEAR = frozenset({"start.experience", "standalone.experience"})


@dataclass(frozen=True, slots=True)
class CardSearch:
    """What is looked for: words of the search language, and what filters add to them.

    ``owned`` are the codes of the cards its owner has, None where that is unknown;
    ``into`` is ``side`` for the second deck, ``considered`` for the side deck, "" for
    the deck; ``shown`` is how many cards to show; ``played`` in how many decks each is.
    """

    words: str = ""
    filters: Term = EVERYTHING
    owned: frozenset[str] | None = None
    order: str = "class"
    into: str = ""
    shown: int = SHOWN_AT_FIRST
    played: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card that was found. ``copies`` are in the deck (or second deck) already.

    ``reason`` says why one copy more would be illegal, "" where it would not;
    ``cites`` where that is printed, ``entry`` its entry in the rules library;
    ``is_at_limit``: the deck has as many copies as a card like it allows.
    ``note`` says what of the deck as it is now stands against it: the card may be in
    it, but costs more experience than is left (``is_dear``), or comes later in the
    campaign.
    ``into`` is where it is offered for, as a wish has it; ``most`` copies may
    be there, ``held`` are owned (None where that is unknown).
    """

    code: str
    card: Card
    copies: int
    level: int | None
    reason: str = ""
    cites: tuple[str, ...] = ()
    entry: Entry | None = None
    is_at_limit: bool = False
    subtitle: str = ""
    note: str = ""
    is_dear: bool = False
    into: str = ""
    most: int = GENERAL_LIMIT
    standing: Standing | None = None
    held: int | None = None

    @property
    def taboo(self) -> TabooMark | None:
        """What the taboo list changes on it."""
        return taboo_mark(self.standing)

    @property
    def icons(self) -> tuple[Count, ...]:
        """Its skill icons, those it has."""
        return icons_of(self.card)

    @property
    def is_exceptional(self) -> bool:
        """Whether it is exceptional here."""
        return self.standing.exceptional if self.standing else self.card.exceptional

    @property
    def short(self) -> bool:
        """Whether fewer copies are owned than the deck may have."""
        return self.held is not None and self.held < self.most

    @property
    def is_whole(self) -> bool:
        """Whether the deck has as many copies as it may have of any card like it."""
        return self.copies >= self.most

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The numbers of copies that one press makes the deck have."""
        return quantities(self.most, self.copies, self.full_name)

    @property
    def look(self) -> tuple[object, ...]:
        """All that can be seen of it; what is printed is the same for one card pool."""
        entry = self.entry.slug if self.entry else ""
        return (
            (self.code, self.copies, self.most, self.level, self.subtitle, self.into),
            (self.reason, self.cites, entry, self.note),
            (self.taboo, self.is_exceptional, self.short and self.held),
        )

    @property
    def mark(self) -> str:
        """Differs where the offer would look different."""
        return mark_of("offer", self.look)

    @property
    def full_name(self) -> str:
        """Its name as no other offer has it."""
        return in_full(shown_name(self.card), self.subtitle, self.level)

    @property
    def gist(self) -> str:
        """What the card does, in a line."""
        return gist_of(self.card.code).text

    @property
    def version(self) -> Words:
        """How it differs from another card of its name."""
        return version_word(self.card) or self.subtitle

    @property
    def kind(self) -> str:
        """The type of the card, and its cost if it has one."""
        said = {"type": str(TYPES[self.card.type]), "cost": cost_word(self.card)}
        return _("%(type)s, cost %(cost)s") % said if said["cost"] else said["type"]

    @property
    def signs(self) -> tuple[str, ...]:
        """The names of the signs of its classes."""
        return class_signs(self.card)


@dataclass(frozen=True, slots=True)
class FoundCards:
    """What was found: ``count`` cards in all.

    ``open_count`` of them the deck may have and has room for; ``full_count`` it may
    have as well, but not one copy more as it is; ``weakness_count`` are basic
    weaknesses, which no investigator includes: they are drawn.
    """

    offers: tuple[FoundCard, ...]
    open_count: int
    count: int
    full_count: int = 0
    weakness_count: int = 0
    instead: str = ""

    @property
    def mark(self) -> str:
        """Differs where the list of them would look different; "" for an empty one."""
        marks = [each.mark for each in self.offers]
        return mark_of("offers", marks) if marks else ""

    @property
    def has_dear(self) -> bool:
        """Whether any that is shown costs more experience than is left."""
        return any(each.is_dear for each in self.offers)

    @property
    def barred_count(self) -> int:
        """How many were found that the deck may not have."""
        return self.count - self.open_count - self.full_count - self.weakness_count

    @property
    def more(self) -> int:
        """How many would be shown next."""
        return min(self.count - len(self.offers), SHOWN_AT_FIRST)


def offers_for(judged: Judged, wish: CardSearch) -> FoundCards:
    """The cards a wish finds, those the deck may have first.

    Without words the others are left out. Raises QueryError for words that are not
    of the search language.
    """
    search = search_for(wish, judged.pool)
    inside, cards = cards_found(judged, wish, search)
    of_frame = included_in(judged.frame) if judged.frame else None
    weaknesses = of_frame.weaknesses if of_frame else frozenset()
    signatures = of_frame.signatures if of_frame else frozenset()
    if "sort:" not in wish.words:
        inside = _payable_first(inside, judged)
    ordered = inside
    if wish.words.strip():  # their own card comes before others of its name
        own = search.named & signatures
        known = {card.code for card in inside}
        ordered = sorted(inside, key=lambda card: card.code not in own)
        ordered += [card for card in cards if card.code not in known]
    offers = tuple(_offer(card, judged, wish) for card in ordered[: wish.shown])
    codes = frozenset([card.code for card in inside])
    included = codes - weaknesses
    full = {code for code in signatures & included if _is_enough(code, judged)}
    if wish.into != SECOND_DECK:
        full |= Room(judged).full()
    full |= {each.card.code for each in offers if each.reason}
    full_count = len(full & included)
    return FoundCards(
        offers,
        open_count=len(included) - full_count,
        count=len(ordered),
        full_count=full_count,
        weakness_count=len(codes) - len(included),
        instead=searched_instead(search),
    )


def _payable_first(cards: Sequence[Card], judged: Judged) -> Sequence[Card]:
    """What a first deck can't pay for comes last, whatever the order."""
    built = judged.built
    if built is None or built.frame.mode is not Mode.START:
        return cards
    left, priced = built.creation.left, included_in(built.frame).priced
    return sorted(cards, key=lambda card: priced.get(card.code, 0) > left)


def search_for(wish: CardSearch, pool: CardPool) -> Search:
    """The search of a wish; QueryError for words that are not of its language."""
    term = both(parse(wish.words), wish.filters)
    search = read_search(term, pool, owned=wish.owned)
    order = ORDERS[0] if wish.order == PLAYED else wish.order
    return search if "sort:" in wish.words else replace(search, order=order)


def cards_found(
    judged: Judged, wish: CardSearch, search: Search
) -> tuple[Sequence[Card], Sequence[Card]]:
    """Of the cards a wish's search finds those the deck may have, and all of them."""
    codes = found_codes(search)
    if wish.played:
        codes = tuple(sorted(codes, key=lambda code: -wish.played.get(code, 0)))
    cards = _cards(codes, judged.pool)
    if judged.frame is None:
        return cards, cards
    asked = judged.asked
    barred = barred_by_terms(judged.judge, asked)
    if wish.into == SECOND_DECK:
        return for_second_deck(cards, judged.frame, barred), cards
    terms = _of_the_campaign(asked.circumstances)
    builds = judged.judge.builds(asked.deck, terms)
    frames = judged.frame, *(built.frame for built in builds)
    return _admitted(codes, judged.pool, frames, barred), cards


@lru_cache(maxsize=KEPT)
def _admitted(
    codes: tuple[str, ...],
    pool: CardPool,
    frames: tuple[Frame, ...],
    barred: frozenset[str],
) -> tuple[Card, ...]:
    """The cards that one of a deck's frames lets in; the first has the weaknesses."""
    open_codes = included_in(frames[0]).weaknesses.union(
        *(included_in(frame).cards for frame in frames[1:])
    )
    open_codes -= barred
    return tuple(card for card in _cards(codes, pool) if card.code in open_codes)


@lru_cache(maxsize=KEPT)
def _cards(codes: tuple[str, ...], pool: CardPool) -> tuple[Card, ...]:
    """The cards of an answer that are no investigators."""
    return tuple(
        card
        for code in codes
        if (card := pool.get_card(code)) is not None
        and card.type is not CardType.INVESTIGATOR
    )


def later(circumstances: Circumstances) -> frozenset[str]:
    """The rules that a card breaks only now, in a deck that may have it later."""
    first = circumstances.mode is Mode.START
    return _DEAR | {RESEARCHED} if first else _DEAR


def _is_enough(code: str, judged: Judged) -> bool:
    """Whether the deck has all the copies of a signature that it should have."""
    code, _copies = listed(judged.pool[code], judged.asked.deck.entries)
    return barring(_findings_with(judged, code, CardSearch()), code) is not None


def _offer(card: Card, judged: Judged, wish: CardSearch) -> FoundCard:
    deck = judged.asked.deck
    places = {SECOND_DECK: deck.side_deck, CONSIDERED: deck.considered}
    entries = places.get(wish.into, deck.entries)
    code, copies = listed(card, entries)
    findings = _findings_with(judged, code, wish)
    soon = later(judged.asked.circumstances)
    bar = barring((each for each in findings if each.rule not in soon), code)
    note = barring((each for each in findings if each.rule in soon), code)
    if bar is not None and _may_have_later(judged, code, wish):
        bar, note = None, bar
    standing = judged.frame.standing(card.code) if judged.frame else None
    return FoundCard(
        code=code,
        card=card,
        copies=copies,
        level=level_in(card, standing),
        **refusal(bar),
        subtitle=shown_distinct(card, judged.pool),
        note=translated(note)[0] if note else "",
        is_dear=note is not None and note.rule in _DEAR,
        into=wish.into,
        most=most_copies_in(judged.frame, standing),
        standing=standing,
        held=held_of(card, judged.asked.circumstances.owned),
    )


def _of_the_campaign(terms: Circumstances) -> Circumstances:
    """The terms of a first deck once it is played: what it may include is the same."""
    is_first = terms.mode is Mode.START
    return replace(terms, mode=Mode.CAMPAIGN) if is_first else terms


def _may_have_later(judged: Judged, code: str, wish: CardSearch) -> bool:
    """Whether what bars a card of a first deck bars it no more in its campaign."""
    terms = judged.asked.circumstances
    if terms.mode is not Mode.START:
        return False
    soon = later(terms)
    findings = _findings_with(judged, code, wish, _of_the_campaign(terms))
    return barring((each for each in findings if each.rule not in soon), code) is None


def _findings_with(
    judged: Judged, code: str, wish: CardSearch, terms: Circumstances | None = None
) -> tuple[Finding, ...]:
    """What the judge finds if the deck has one copy more of a card."""
    deck = judged.asked.deck
    if wish.into == SECOND_DECK:
        trial = deck._replace(side_deck=_one_more(deck.side_deck, code))
    else:
        trial = deck._replace(entries=_one_more(deck.entries, code))
    terms = terms or judged.asked.circumstances
    _built, findings = legality.judged(judged.judge, trial, terms)
    return findings


def _one_more(entries: Mapping[str, int], code: str) -> dict[str, int]:
    return {**entries, code: entries.get(code, 0) + 1}
