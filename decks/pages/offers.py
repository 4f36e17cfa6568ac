"""The cards that may be added to a deck, and why others can't.

The search language finds the cards; the frame of the deck tells which ones it allows;
and for every card shown, the deck is judged with one copy more. So the reason given is
the finding that the player would get.
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
from arkham.rules.vocabulary import CardClass, CardType, Mode
from arkham.web.http import mark_of
from cardpool.languages import shown_name
from cardpool.queries import KEPT, found_codes, read_search
from cardpool.relations import in_full, shown_distinct
from cardpool.search import Search, searched_instead
from cardpool.search.query import EVERYTHING, Term, all_of, parse
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
PLAYED = "played"  # by number of published decks, then in the usual order
ORDERS = ("class", "type", "level", "cost", "name", "set", PLAYED)
# Rules about spent experience, which say nothing against the card itself.
_DEAR = frozenset({"start.experience", "standalone.experience"})

Classes = tuple[CardClass, ...]


@dataclass(frozen=True, slots=True)
class CardSearch:
    """A search for cards: words of the search language, and filters.

    ``owned`` are the codes of the cards the owner has, None if unknown; ``into`` is
    ``side`` for the second deck, ``considered`` for the side deck, "" for the deck;
    ``shown`` is how many cards to show; ``played`` in how many decks each is.
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
    """A card that was found. ``copies`` are already in the deck (or second deck).

    ``reason`` says why another copy would be illegal, "" if it wouldn't; ``cites``
    where that is printed, ``entry`` its entry in the rules library; ``is_at_limit``:
    the deck has as many copies as it may have. ``note`` is an objection for now only:
    the card is allowed, but costs more experience than is left (``is_dear``), or is
    available later in the campaign. ``into`` is the list it is offered for, as in
    :class:`CardSearch`; ``most`` copies are allowed there, ``held`` are owned (None if
    unknown).
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
        """The change that the taboo list makes to the card."""
        return taboo_mark(self.standing)

    @property
    def icons(self) -> tuple[Count, ...]:
        """The skill icons of the card."""
        return icons_of(self.card)

    @property
    def is_exceptional(self) -> bool:
        """True if the card is exceptional under the taboo list."""
        return self.standing.exceptional if self.standing else self.card.exceptional

    @property
    def short(self) -> bool:
        """True if fewer copies are owned than the deck may have."""
        return self.held is not None and self.held < self.most

    @property
    def is_whole(self) -> bool:
        """True if the deck has as many copies as it may have."""
        return self.copies >= self.most

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Buttons that set the number of copies."""
        return quantities(self.most, self.copies, self.full_name)

    @property
    def look(self) -> tuple[object, ...]:
        """Everything visible in the offer, except what is printed on the card."""
        entry = self.entry.slug if self.entry else ""
        return (
            (self.code, self.copies, self.most, self.level, self.subtitle, self.into),
            (self.reason, self.cites, entry, self.note),
            (self.taboo, self.is_exceptional, self.short and self.held),
        )

    @property
    def mark(self) -> str:
        """A digest of everything visible in the offer."""
        return mark_of("offer", self.look)

    @property
    def full_name(self) -> str:
        """A name that no other offer has."""
        return in_full(shown_name(self.card), self.subtitle, self.level)

    @property
    def gist(self) -> str:
        """A summary of the card in one line."""
        return gist_of(self.card.code).text

    @property
    def version(self) -> Words:
        """The difference from another card of the same name."""
        return version_word(self.card) or self.subtitle

    @property
    def kind(self) -> str:
        """The type of the card, and its cost if it has one."""
        said = {"type": str(TYPES[self.card.type]), "cost": cost_word(self.card)}
        return _("%(type)s, cost %(cost)s") % said if said["cost"] else said["type"]

    @property
    def signs(self) -> tuple[str, ...]:
        """The names of its class icons."""
        return class_signs(self.card)


@dataclass(frozen=True, slots=True)
class FoundCards:
    """The result of a search: ``count`` cards in all.

    ``open_count`` are allowed and have room; ``full_count`` are allowed, but not with
    another copy as the deck is; ``weakness_count`` are basic weaknesses, which are
    drawn and not chosen.
    """

    offers: tuple[FoundCard, ...]
    open_count: int
    count: int
    full_count: int = 0
    weakness_count: int = 0
    instead: str = ""

    @property
    def mark(self) -> str:
        """A digest of the list of offers; "" for an empty one."""
        marks = [each.mark for each in self.offers]
        return mark_of("offers", marks) if marks else ""

    @property
    def has_dear(self) -> bool:
        """True if any card shown costs more experience than is left."""
        return any(each.is_dear for each in self.offers)

    @property
    def barred_count(self) -> int:
        """How many found cards the deck may not have."""
        return self.count - self.open_count - self.full_count - self.weakness_count

    @property
    def more(self) -> int:
        """How many cards the next page adds."""
        return min(self.count - len(self.offers), SHOWN_AT_FIRST)


def offers_for(judged: Judged, wish: CardSearch) -> FoundCards:
    """Return the cards that a search finds, those that the deck may have first.

    Without words, the others are left out. Raises QueryError for words that are not in
    the search language.
    """
    search = search_for(wish, judged.pool)
    inside, cards = cards_found(judged, wish, search)
    of_frame = included_in(judged.frame) if judged.frame else None
    weaknesses = of_frame.weaknesses if of_frame else frozenset()
    signatures = of_frame.signatures if of_frame else frozenset()
    if "sort:" not in wish.words:
        inside = _payable_first(inside, judged)
    ordered = inside
    codes = frozenset([card.code for card in inside])
    if wish.words.strip():  # the investigator's own card first
        own = search.named & signatures
        ordered = sorted(inside, key=lambda card: card.code not in own)
        ordered += [card for card in cards if card.code not in codes]
    offers = tuple(_offer(card, judged, wish) for card in ordered[: wish.shown])
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
    """Move cards that a first deck can't pay for to the end."""
    built = judged.built
    if built is None or built.frame.mode is not Mode.START:
        return cards
    left, priced = built.creation.left, included_in(built.frame).priced
    return sorted(cards, key=lambda card: priced.get(card.code, 0) > left)


def search_for(wish: CardSearch, pool: CardPool) -> Search:
    """Return the search for a wish; raise QueryError for invalid words."""
    term = all_of(parse(wish.words), wish.filters)
    search = read_search(term, pool, owned=wish.owned)
    order = ORDERS[0] if wish.order == PLAYED else wish.order
    return search if "sort:" in wish.words else replace(search, order=order)


def cards_found(
    judged: Judged, wish: CardSearch, search: Search
) -> tuple[Sequence[Card], Sequence[Card]]:
    """Return the found cards that the deck may have, and all found cards."""
    codes = found_codes(search)
    own: Classes = ()
    if wish.played:
        codes = tuple(sorted(codes, key=lambda code: -wish.played.get(code, 0)))
    elif wish.order == ORDERS[0] and not wish.words and judged.investigator:
        own = judged.investigator.classes
    cards = _cards(codes, judged.pool, own)
    if judged.frame is None:
        return cards, cards
    asked = judged.asked
    barred = barred_by_terms(judged.judge, asked)
    if wish.into == SECOND_DECK:
        return for_second_deck(cards, judged.frame, barred), cards
    terms = _of_the_campaign(asked.circumstances)
    builds = judged.judge.builds(asked.deck, terms)
    frames = judged.frame, *(built.frame for built in builds)
    return _admitted(codes, judged.pool, own, frames, barred), cards


@lru_cache(maxsize=KEPT)
def _admitted(
    codes: tuple[str, ...],
    pool: CardPool,
    own: Classes,
    frames: tuple[Frame, ...],
    barred: frozenset[str],
) -> tuple[Card, ...]:
    """Return the cards that one of a deck's frames allows; weaknesses of the first."""
    open_codes = included_in(frames[0]).weaknesses.union(
        *(included_in(frame).cards for frame in frames[1:])
    )
    open_codes -= barred
    return tuple(card for card in _cards(codes, pool, own) if card.code in open_codes)


@lru_cache(maxsize=KEPT)
def _cards(codes: tuple[str, ...], pool: CardPool, own: Classes) -> tuple[Card, ...]:
    """Return the found cards without investigators, cards of these classes first."""
    known = filter(None, map(pool.get_card, codes))  # after an import, not all are
    cards = [each for each in known if each.type is not CardType.INVESTIGATOR]
    return tuple(sorted(cards, key=lambda card: bool(own) and card.classes != own))


def later(circumstances: Circumstances) -> frozenset[str]:
    """Return the rules that a card may break now but not later in the campaign."""
    return _DEAR | {RESEARCHED} if circumstances.mode is Mode.START else _DEAR


def _is_enough(code: str, judged: Judged) -> bool:
    """Return True if the deck has all copies of a signature that it should have."""
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
    """Return the terms that a first deck has once it is played."""
    is_first = terms.mode is Mode.START
    return replace(terms, mode=Mode.CAMPAIGN) if is_first else terms


def _may_have_later(judged: Judged, code: str, wish: CardSearch) -> bool:
    """Return True if a card barred from a first deck is allowed in its campaign."""
    terms = judged.asked.circumstances
    if terms.mode is not Mode.START:
        return False
    soon = later(terms)
    findings = _findings_with(judged, code, wish, _of_the_campaign(terms))
    return barring((each for each in findings if each.rule not in soon), code) is None


def _findings_with(
    judged: Judged, code: str, wish: CardSearch, terms: Circumstances | None = None
) -> tuple[Finding, ...]:
    """Return the findings on the deck with one copy more of a card."""
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
