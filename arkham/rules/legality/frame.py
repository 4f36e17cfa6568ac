"""What is settled about a deck before its first card is looked at?

A frame is the investigator, the choices made, the taboo list, the cards in the deck
that change deckbuilding, and the circumstances. It knows how every card of the pool
stands in such a deck, and compiles that knowledge card by card on first sight, so
that judging a deck is a matter of look-ups.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from arkham.rules.card import Card, TabooList
from arkham.rules.deck import Circumstances, SheetMark
from arkham.rules.investigator import DeckOption
from arkham.rules.legality import tally
from arkham.rules.legality.compiling import stand
from arkham.rules.legality.entry import Entry, Line, Share
from arkham.rules.legality.settled import Settled
from arkham.rules.legality.standing import UNKNOWN, Role, Standing, is_hunch
from arkham.rules.legality.tally import Concern
from arkham.rules.modifiers import Attachment
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardClass, Mode

MOST_CACHED = 10  # copies; entries beyond are compiled anew, so caches stay small


@lru_cache(maxsize=4_096)  # there are a few hundred grounds, and few copies
def _shares(ground: str, copies: int) -> tuple[Share, ...]:
    return (Share(ground, copies),)


class Unmarked(dict[str, Standing]):
    """How a card stands with no box marked, by the code of any printing."""

    def __init__(self, frame: Frame) -> None:
        super().__init__()
        self._frame = frame

    def __missing__(self, code: str) -> Standing:
        standing = self._frame.standing(code)
        if standing is not UNKNOWN:
            self[code] = standing
        return standing


CLASS_ORDER = tuple(card_class for card_class in CardClass)
# A card of a class counts for a demand of that class, whatever brought it.
_OF_A_CLASS = frozenset({Role.ORDINARY, Role.STORY, Role.SIGNATURE})
MOST_STANDINGS = 20_000  # with boxes marked there is no end of them
_GROUNDS = {
    Role.SIGNATURE: "required",
    Role.BASIC_WEAKNESS: "weakness",
    Role.STORY: "story",
}


class Met:
    """How many ways in which cards stand the frames of a judge have compiled."""

    def __init__(self) -> None:
        self.count = 0


class Frame(Settled):
    """Settled terms, and every look-up that judging a deck on them needs."""

    def __init__(
        self,
        pool: CardPool,
        met: Met,
        *,
        front: Card,
        back: Card,
        taboo: TabooList | None,
        choices: tuple[tuple[str, str], ...],
        modifiers: tuple[tuple[str, int], ...],
        circumstances: Circumstances,
        became: str = "",
    ) -> None:
        super().__init__(
            pool,
            front=front,
            back=back,
            taboo=taboo,
            choices=choices,
            modifiers=modifiers,
            circumstances=circumstances,
            became=became,
        )
        self._met = met
        self._lay_out()

    # -- the lay-out of a deck's tally in this frame --

    def _lay_out(self) -> None:
        """Give every count its field, and say what a finished deck's fields hold."""
        shift = tally.FIRST_FREE
        exact = {}
        if self.size_judged:
            exact[tally.COUNTED] = self.size
        # Some counts no single number settles: one card for each investigator in the
        # game, one more weakness for each tier of a standalone deck.
        self.always_unmet = 0
        if self.mode is Mode.STANDALONE:
            self.always_unmet |= tally.UNMET_WEAKNESSES
        else:
            exact[tally.BASIC_WEAKNESSES] = self.basic_weaknesses
        self.requirement_fields: dict[str, int] = {}
        for requirement in self.requirements:
            least, most = self.copies_required(requirement)
            self.requirement_fields[requirement.original] = shift
            if least == most and requirement.original not in self.lost:
                exact[shift] = least
            else:
                self.always_unmet |= tally.UNMET_SIGNATURES
            shift += tally.FIELD
        self.class_fields: dict[str, int] = {}
        if self.at_least is not None:
            for card_class in CLASS_ORDER:
                self.class_fields[card_class] = shift
                shift += tally.FIELD
        self._hunches: list[tuple[Attachment, int, int]] = []  # field, the least in it
        for row in self.side_rows:
            if row.hunch is not None:
                least = row.hunch.count - (row.includes in self.lost)
                self._hunches.append((row.hunch, shift, least))
                shift += tally.FIELD
        self._next_shift = shift
        self.groups: dict[int, int] = {}  # mask of limited options → field
        self.exact_mask = sum(tally.FIELD_MASK << at for at in exact)
        self.exact = sum(value << at for at, value in exact.items())
        self.base_tally = sum(each.one for each in self._static_concerns())
        self._standings: dict[tuple[str, tuple[SheetMark, ...]], Standing] = {}
        self._marked: dict[tuple[str, int, tuple[SheetMark, ...]], Entry] = {}
        self._entries: list[dict[str, Entry]] = [{} for _ in range(MOST_CACHED + 1)]
        self.unmarked = Unmarked(self)
        self.alone = True  # no card may use one limited option or another
        self._halls: list[tuple[int, list[int]]] = []
        self._halls_of = 0

    def _static_concerns(self) -> list[Concern]:
        concerns = []
        if self.always_unmet & tally.UNMET_SIGNATURES or self.side_rows:
            concerns.append(Concern.SIGNATURES_VARY)
        if self.at_least is not None or any(row.at_least for row, _ in self.modifiers):
            concerns.append(Concern.AT_LEAST)
        if self.printed_back.side_deck is not None:
            concerns.append(Concern.SIDE_DECK)
        if any(row.hunch for row in self.side_rows):
            concerns.append(Concern.ATTACHED)
        if self.mode is Mode.STANDALONE:
            concerns.append(Concern.STANDALONE)
        if self.mode is Mode.START:
            concerns.append(Concern.START)
        if self.ultimatums:
            concerns.append(Concern.ULTIMATUM)
        if self.environment.kind != "legacy":
            concerns.append(Concern.ENVIRONMENT)
        return concerns

    def group_field(self, mask: int) -> int:
        """The field that counts cards which may use exactly these limited options."""
        shift = self.groups.get(mask)
        if shift is None:
            shift = self.groups[mask] = self._next_shift
            self.alone = self.alone and mask.bit_count() == 1
            self._next_shift += tally.FIELD
        return shift

    def tally_of(self, standing: Standing, copies: int) -> int:
        """The tally of ``copies`` of a card in one entry."""
        total = 0
        for concern in standing.concerns:
            total += concern.one
        if copies > standing.limit:
            total += Concern.SURPLUS.one
        if standing.cost:
            paid = min(copies, 1) if standing.cost_once else copies
            total += paid * standing.cost << tally.EXPERIENCE
        card, role = standing.card, standing.role
        if standing.counts:
            total += copies << tally.COUNTED
        if card is None or role is Role.OUTSIDE:
            return total
        if role is Role.BASIC_WEAKNESS:
            total += copies << tally.BASIC_WEAKNESSES
        elif role is Role.SIGNATURE:
            shift = self.requirement_fields.get(card.code)
            if shift is not None:
                total += copies << shift
        elif role is Role.ORDINARY and standing.limited:
            total += copies << self.group_field(standing.limited)
        if self.class_fields and role in _OF_A_CLASS:
            for card_class in card.classes:
                if card_class in self.class_fields:
                    total += copies << self.class_fields[card_class]
        for hunch, shift, _least in self._hunches:
            if is_hunch(hunch, standing):
                total += copies << shift
        return total

    def entries(self, listed: Mapping[str, int]) -> list[Entry]:
        """What the entries of a list come to with no box marked, in its order."""
        met = self._entries  # by copies and code
        try:
            return [met[copies][code] for code, copies in listed.items()]
        except LookupError:
            return [self._unmarked_entry(*each) for each in listed.items()]

    def _unmarked_entry(self, code: str, copies: int) -> Entry:
        if copies > MOST_CACHED:
            return self.entry(code, copies)
        met = self._entries[copies]
        found = met.get(code)
        if found is None:
            found = self.entry(code, copies)
            if found.line.standing is not UNKNOWN:  # there is no end of those
                met[code] = found
        return found

    def entry(
        self,
        code: str,
        copies: int,
        marks: tuple[SheetMark, ...] = (),
        set_aside: int = 0,
    ) -> Entry:
        """An entry of a list; ``copies`` leaves out those ``set_aside``."""
        standing = self.standing(code, marks)
        shares: tuple[Share, ...] = ()
        if copies:
            shares = _shares(self.ground(standing), copies)
        if set_aside:
            shares += (Share("set-aside", set_aside),)
        line = Line(code, copies, set_aside, standing, marks)
        return Entry(self.tally_of(standing, copies), shares, standing.title, line)

    def marked(self, code: str, copies: int, marks: tuple[SheetMark, ...]) -> Entry:
        """An entry whose card has boxes marked."""
        key = (code, copies, marks)
        found = self._marked.get(key)
        if found is None:
            found = self.entry(code, copies, marks)
            if len(self._marked) < MOST_STANDINGS:
                self._marked[key] = found
        return found

    def unmet(self, total: int) -> int:
        """Bits for the counts that every deck must meet and this one does not."""
        bits = self.always_unmet
        wrong = (total ^ self.exact) & self.exact_mask
        if wrong:
            if tally.read(wrong, tally.COUNTED):
                bits |= tally.UNMET_SIZE
            if tally.read(wrong, tally.BASIC_WEAKNESSES):
                bits |= tally.UNMET_WEAKNESSES
            if wrong >> tally.FIRST_FREE:
                bits |= tally.UNMET_SIGNATURES
        for _hunch, shift, least in self._hunches:
            if tally.read(total, shift) < least:
                bits |= tally.UNMET_HUNCH
        return bits if self.has_room(total) else bits | tally.NO_ROOM

    def has_room(self, total: int) -> bool:
        """Whether every card of a deck finds a place in the limited options."""
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
        """For every set of limited options: its places, and who depends on it."""
        halls = []
        for subset in range(1, 1 << len(self.limits)):
            shifts = [
                shift for mask, shift in self.groups.items() if mask & ~subset == 0
            ]
            places = sum(
                limit for index, limit in enumerate(self.limits) if subset >> index & 1
            )
            if shifts:
                halls.append((places, shifts))
        return halls

    def limited_option(self, index: int) -> DeckOption:
        """The limited option behind a bit of a mask."""
        return self.options[self.limited[index]]

    def ground(self, standing: Standing) -> str:
        """What admits a card: an option of its own, or the ground it needs none for."""
        if standing.role is Role.ORDINARY:
            if standing.limited:
                return self.limited_option(standing.limited.bit_length() - 1).id
            return self.options[standing.free].id if standing.free >= 0 else "none"
        return _GROUNDS.get(standing.role, "none")

    # -- how a card stands --

    def standing(self, code: str, marks: tuple[SheetMark, ...] = ()) -> Standing:
        """How a card stands in decks of this frame, with these boxes marked."""
        key = (code, marks)
        found = self._standings.get(key)
        if found is None:
            card = self.pool.get_card(code)
            if card is None:
                return UNKNOWN
            found = stand(self, card, marks)
            if len(self._standings) < MOST_STANDINGS:
                self._standings[key] = found
                self._met.count += 1
        return found
