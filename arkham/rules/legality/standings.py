"""Standings of cards, compiled on first use and shared by all frames they apply to.

Judging a deck is a sum over its entries if each entry's :class:`Line` is at hand: how
the card stands, what admits its copies, and its part of the deck's tally. Compiling a
line takes a hundred times as long as looking it up, and different decks share most of
their lines. So lines are cached by what they depend on, and decks are not cached:

1. What a card is under a taboo list, with boxes marked on its sheet, depends on no
   deck: :class:`EffectiveCards` computes it once for all investigators. A taboo list
   changes one card in twenty, and repeats most of what the list before it changed. So
   equal changes share a number; an unchanged card is identified by its code alone, a
   changed one by its code and that number (a :data:`Key`).
2. What the investigator, the choices, the table and the deck's own cards add is in
   :class:`CardTerms`, a value. :func:`standing_on` and the tally use nothing else,
   so frames with equal terms share their :class:`Standings`: frames of all taboo
   lists, of tables that differ in experience earned or number of players, and so on.
3. A line is compiled when a deck first lists that card in that number of copies. Most
   standings and lines are equal on different terms, and equal ones are one object.

:class:`KeptFrames` bounds the memory used. It counts what has been compiled; above the
bound it drops the standings used least recently, with their frames, down to three
quarters of it. What many decks use is used again before its turn comes. Unknown codes,
and absurd numbers of copies, are never cached.
"""

from __future__ import annotations

from functools import lru_cache
from sys import intern

from arkham.rules.deck import SheetMark
from arkham.rules.legality import tally
from arkham.rules.legality.admission import DECIDED, CardTerms, standing_on
from arkham.rules.legality.compiling import EffectiveCards, Key, PriceRulings
from arkham.rules.legality.standing import (
    UNKNOWN,
    CardRole,
    Line,
    Share,
    Standing,
    is_hunch,
)
from arkham.rules.legality.tally import Concern
from arkham.rules.modifiers import FIRST_OF
from arkham.rules.vocabulary import CardClass

MOST_CACHED = 10  # copies; entries with more are compiled every time
CLASS_ORDER = tuple(card_class for card_class in CardClass)
# A card of a class counts if a card or back demands that class, whatever its origin.
_OF_A_CLASS = frozenset({CardRole.ORDINARY, CardRole.STORY, CardRole.SIGNATURE})
_GROUNDS = {
    CardRole.SIGNATURE: "required",
    CardRole.BASIC_WEAKNESS: "weakness",
    CardRole.STORY: "story",
}
_SURPLUS = Concern.SURPLUS.one
Marks = tuple[SheetMark, ...]


@lru_cache(maxsize=4_096)  # a few hundred grounds with few numbers of copies
def _shares(ground: str, copies: int) -> tuple[Share, ...]:
    return (Share(ground, copies),)


class CompiledCount:
    """How many standings and lines have been compiled and not dropped."""

    def __init__(self) -> None:
        self.total = 0


class Standings:
    """The standings of cards in decks of equal terms, and the layout of their tally.

    ``lines`` are the compiled entries with no box marked, by copies and key. ``groups``
    maps a mask of limited options to the tally field that counts cards which may use
    exactly those; ``alone`` is true while every mask has a single bit.
    """

    def __init__(
        self, terms: CardTerms, cards: EffectiveCards, count: CompiledCount
    ) -> None:
        self.terms = terms
        self.last_used = 0  # by the clock of KeptFrames
        self._cards = cards
        self._prices = PriceRulings.of(terms.rulings)
        self._count = count
        self.lines: list[dict[Key, Line]] = [{} for _ in range(MOST_CACHED + 1)]
        self._standings: dict[Key | tuple[Key, Marks], Standing] = {}
        self._marked: dict[tuple[Key, int, Marks], Line] = {}
        self.limited = tuple(
            option for option in terms.options if option.limit is not None
        )
        self._lay_out()

    def _lay_out(self) -> None:
        """Assign a field of the tally to each count."""
        shift = tally.FIRST_FREE
        self.requirement_fields: dict[str, int] = {}
        for original in self.terms.requirements:
            self.requirement_fields[original] = shift
            shift += tally.FIELD
        self.class_fields: dict[str, int] = {}
        if self.terms.by_class:
            for card_class in CLASS_ORDER:
                self.class_fields[card_class] = shift
                shift += tally.FIELD
        self.hunch_fields: list[int] = []
        for _hunch in self.terms.hunches:
            self.hunch_fields.append(shift)
            shift += tally.FIELD
        self._next_shift = shift
        self.groups: dict[int, int] = {}
        self.alone = True
        self._halls: list[tuple[int, list[int]]] = []
        self._halls_of = 0

    def __len__(self) -> int:
        """How many standings and lines have been compiled."""
        kept = sum(len(each) for each in self.lines)
        return kept + len(self._standings) + len(self._marked)

    # -- compiling --

    def standing(self, key: Key, marks: Marks = ()) -> Standing:
        """A card's standing with these boxes marked."""
        place = (key, marks) if marks else key
        found = self._standings.get(place)
        if found is None:
            code, number = (key, 0) if isinstance(key, str) else key
            card = self.terms.pool.get_card(code)
            if card is None:
                return UNKNOWN
            if place is key is code:
                place = intern(code)  # each list has strings of its own
            effective = self._cards.standing(card.code, number, marks, self._prices)
            found = standing_on(self.terms, effective)
            differing = found.role, found.tags, found[DECIDED:]
            made_of = card.code, number, marks, self._prices, *differing
            found = self._standings[place] = self._cards.shared(made_of, found)
            self._count.total += 1
        return found

    def line(
        self, key: Key, copies: int, marks: Marks = (), set_aside: int = 0
    ) -> Line:
        """Compile an entry of a list; ``copies`` excludes those ``set_aside``."""
        standing = self.standing(key, marks)
        shares = _shares(self.ground(standing), copies) if copies else ()
        if set_aside:
            shares += (Share("set-aside", set_aside),)
        code = key if isinstance(key, str) else key[0]
        added = self._tally_of(standing, copies)
        added += self._demanded(standing, copies + set_aside)
        title = standing.title
        return Line(code, copies, set_aside, standing, marks, title, added, shares)

    def unmarked_line(self, key: Key, copies: int) -> Line:
        """An entry with no box marked; cached unless its code or copies are absurd."""
        line = self.line(key, copies)
        if copies <= MOST_CACHED and line.standing is not UNKNOWN:
            # The line keeps its standing, so that no other has its id.
            differing = line.tally, line.shares, id(line.standing)
            line = self._cards.shared((key, copies, *differing), line)
            self.lines[copies][line.code if isinstance(key, str) else key] = line
            self._count.total += 1
        return line

    def marked_line(self, key: Key, copies: int, marks: Marks) -> Line:
        """An entry whose card has boxes marked."""
        found = self._marked.get((key, copies, marks))
        if found is None:
            found = self._marked[key, copies, marks] = self.line(key, copies, marks)
            self._count.total += 1
        return found

    def ground(self, standing: Standing) -> str:
        """The id of the option that admits a card, or the reason why it needs none."""
        if standing.role is CardRole.ORDINARY:
            if standing.limited:
                return self.limited[standing.limited.bit_length() - 1].id
            free = standing.free
            return self.terms.options[free].id if free >= 0 else "none"
        return _GROUNDS.get(standing.role, "none")

    def _tally_of(self, standing: Standing, copies: int) -> int:
        """The tally of ``copies`` of a card in one entry."""
        card, role = standing.card, standing.role
        total = copies << tally.COUNTED if standing.counts else 0
        if standing.cost:
            paid = min(copies, 1) if standing.cost_once else copies
            total += paid * standing.cost << tally.EXPERIENCE
        if copies > standing.limit:
            total += _SURPLUS
        for concern in standing.concerns:
            total += concern.one
        if card is None or role is CardRole.OUTSIDE:
            return total
        if role is CardRole.ORDINARY:
            if standing.limited:
                total += copies << self._group_field(standing.limited)
        elif role is CardRole.BASIC_WEAKNESS or card.code in FIRST_OF:
            total += copies << tally.BASIC_WEAKNESSES
        elif role is CardRole.SIGNATURE:
            shift = self.requirement_fields.get(card.code)
            if shift is not None:
                total += copies << shift
        return total

    def _demanded(self, standing: Standing, copies: int) -> int:
        """Count ``copies`` for the demands for classes and hunches.

        Copies set aside are in the deck, so they count as well.
        """
        total = 0
        if self.class_fields and standing.role in _OF_A_CLASS:
            for card_class in standing.card.classes if standing.card else ():
                if card_class in self.class_fields:
                    total += copies << self.class_fields[card_class]
        if self.hunch_fields:
            hunches = self.terms.hunches
            for hunch, shift in zip(hunches, self.hunch_fields, strict=True):
                if is_hunch(hunch, standing):
                    total += copies << shift
        return total

    def _group_field(self, mask: int) -> int:
        """The field that counts cards which may use exactly these limited options."""
        shift = self.groups.get(mask)
        if shift is None:
            shift = self.groups[mask] = self._next_shift
            self.alone = self.alone and mask.bit_count() == 1
            self._next_shift += tally.FIELD
        return shift

    # -- room in the limited options --

    def has_room(self, total: int) -> bool:
        """True if every card of a deck finds a place in the limited options."""
        if len(self.groups) != self._halls_of:
            self._halls = self._make_halls()
            self._halls_of = len(self.groups)
        for places, shifts in self._halls:
            for shift in shifts:
                places -= (total >> shift) & tally.FIELD_MASK
            if places < 0:
                return False
        return True

    def _make_halls(self) -> list[tuple[int, list[int]]]:
        """For every set of limited options: its places and the fields counted there."""
        halls = []
        limits = [option.limit or 0 for option in self.limited]
        for subset in range(1, 1 << len(limits)):
            shifts = [
                shift for mask, shift in self.groups.items() if mask & ~subset == 0
            ]
            places = sum(
                limit for index, limit in enumerate(limits) if subset >> index & 1
            )
            if shifts:
                halls.append((places, shifts))
        return halls
