"""Frames, and a bounded cache of frames and the standings they share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from operator import attrgetter

from arkham.rules.card import Card, TabooList
from arkham.rules.deck import Circumstances, SheetMark
from arkham.rules.investigator import DeckOption
from arkham.rules.legality import tally
from arkham.rules.legality.admission import CardTerms
from arkham.rules.legality.compiling import EffectiveCards, Key
from arkham.rules.legality.settled import Settled
from arkham.rules.legality.standing import UNKNOWN, Line, Standing
from arkham.rules.legality.standings import MOST_CACHED, CompiledCount, Standings
from arkham.rules.legality.tally import Concern
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import Mode


class UnmarkedStandings(dict[str, Standing]):
    """The standings of cards with no box marked, by the code of any printing."""

    def __init__(self, standings: Standings, altered: Mapping[str, Key]) -> None:
        super().__init__()
        self._standings = standings
        self._altered = altered

    def __missing__(self, code: str) -> Standing:
        standing = self._standings.standing(self._altered.get(code, code))
        if standing is not UNKNOWN:
            self[code] = standing
        return standing


class Frame(Settled):
    """Settled terms, plus every lookup table that judging a deck needs.

    ``altered`` has the keys of the codes whose cards the taboo list changes.
    """

    def __init__(
        self,
        pool: CardPool,
        standings_on: Callable[[CardTerms], Standings],
        altered: Mapping[str, Key],
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
        self.standings = standings_on(self._card_terms())
        self.unmarked = UnmarkedStandings(self.standings, altered)
        self._altered = altered
        self._set_counts()
        self.base_tally = sum(each.one for each in self._static_concerns())

    def _card_terms(self) -> CardTerms:
        investigator = self.front
        return CardTerms(
            pool=self.pool,
            rulings=self.rulings,
            mode=Mode.START if self.mode is Mode.START else Mode.CAMPAIGN,
            base=self.base,
            traits=investigator.traits,
            classes=investigator.classes,
            options=self.options,
            restrictions=self.restrictions,
            granted=self.granted,
            required=self.signatures | self.extras,
            originals=self.originals,
            gone_titles=self.gone_titles,
            asked=self.asked,
            gone_signatures=self.gone_signatures,
            one_of_each=self.one_of_each,
            packs=self.packs,
            is_limited_pool=self.environment.kind == "limited",
            requirements=tuple(each.original for each in self.requirements),
            by_class=self.at_least is not None,
            hunches=tuple(row.hunch for row in self.side_rows if row.hunch),
        )

    def _set_counts(self) -> None:
        """Define the values that the fields of a finished deck's tally must have."""
        exact = {}
        if self.size_judged:
            exact[tally.COUNTED] = self.size
        # Some counts have no single right value: one card for each investigator in the
        # game, one more weakness for each tier of a standalone deck.
        self.always_unmet = 0
        if self.mode is Mode.STANDALONE:
            self.always_unmet |= tally.UNMET_WEAKNESSES
        else:
            exact[tally.BASIC_WEAKNESSES] = self.basic_weaknesses
        for requirement in self.requirements:
            least, most = self.copies_required(requirement)
            if least == most and requirement.original not in self.lost:
                shift = self.standings.requirement_fields[requirement.original]
                exact[shift] = least
            else:
                self.always_unmet |= tally.UNMET_SIGNATURES
        self._hunches: list[tuple[int, int]] = []  # pairs of field and minimum
        hunch_rows = [row for row in self.side_rows if row.hunch]
        for row, shift in zip(hunch_rows, self.standings.hunch_fields, strict=True):
            assert row.hunch is not None
            least = row.hunch.count - (row.includes in self.lost)
            self._hunches.append((shift, least))
        self._exact_mask = sum(tally.FIELD_MASK << at for at in exact)
        self._exact = sum(value << at for at, value in exact.items())

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

    # -- the entries of a deck --

    def lines(self, listed: Mapping[str, int]) -> list[Line]:
        """The entries of a list, in order, with no box marked and none set aside."""
        kept, altered = self.standings.lines, self._altered
        try:
            if not altered:
                return [kept[copies][code] for code, copies in listed.items()]
            return [
                kept[copies][altered.get(code, code)] for code, copies in listed.items()
            ]
        except LookupError:
            return [*self._lines_known_or_not(listed)]

    def _lines_known_or_not(self, listed: Mapping[str, int]) -> Iterator[Line]:
        standings, altered = self.standings, self._altered
        kept = standings.lines
        for code, copies in listed.items():
            key = altered.get(code, code)
            line = kept[copies].get(key) if copies <= MOST_CACHED else None
            yield line or standings.unmarked_line(key, copies)

    def line(
        self,
        code: str,
        copies: int,
        marks: tuple[SheetMark, ...],
        set_aside: int = 0,
    ) -> Line:
        """An entry of a list; ``copies`` excludes those ``set_aside``."""
        key = self._altered.get(code, code)
        if set_aside:
            return self.standings.line(key, copies, marks, set_aside)
        return self.standings.marked_line(key, copies, marks)

    def standing(self, code: str, marks: tuple[SheetMark, ...] = ()) -> Standing:
        """A card's standing in decks of this frame, with these boxes marked."""
        return self.standings.standing(self._altered.get(code, code), marks)

    def limited_option(self, index: int) -> DeckOption:
        """The limited option for a bit of a mask."""
        return self.standings.limited[index]

    # -- the counts of a deck --

    def unmet(self, total: int) -> int:
        """Bits for the counts that every deck must meet and this one doesn't."""
        bits = self.always_unmet
        wrong = (total ^ self._exact) & self._exact_mask
        if wrong:
            if tally.read(wrong, tally.COUNTED):
                bits |= tally.UNMET_SIZE
            if tally.read(wrong, tally.BASIC_WEAKNESSES):
                bits |= tally.UNMET_WEAKNESSES
            if wrong >> tally.FIRST_FREE:
                bits |= tally.UNMET_SIGNATURES
        for shift, least in self._hunches:
            if tally.read(total, shift) < least:
                bits |= tally.UNMET_HUNCH
        return bits if self.standings.has_room(total) else bits | tally.NO_ROOM


MOST_COMPILED = 100_000  # standings and lines, at about 200 bytes each
MOST_FRAMES = 4_096  # a few kilobytes each


class KeptFrames:
    """A cache of frames by everything that determines them, and of their standings."""

    def __init__(self, pool: CardPool) -> None:
        self._count = CompiledCount()
        self._cards = EffectiveCards(pool)
        self._frames: dict[Hashable, Frame] = {}
        self._standings: dict[CardTerms, Standings] = {}
        self._clock = 0  # incremented with every frame added

    def get(self, key: Hashable) -> Frame | None:
        """The cached frame with this key, or None."""
        if self._count.total > MOST_COMPILED:
            self._forget_oldest()
            self._cards.forget_unused()
        frame = self._frames.get(key)
        if frame is not None:
            frame.standings.last_used = self._clock
        return frame

    def keep(self, key: Hashable, frame: Frame) -> None:
        """Cache a frame; if there are too many, drop the oldest."""
        self._clock += 1
        frame.standings.last_used = self._clock
        self._frames[key] = frame
        if len(self._frames) > MOST_FRAMES:
            del self._frames[next(iter(self._frames))]

    def standings(self, terms: CardTerms) -> Standings:
        """The standings on these terms, shared by every frame that has them."""
        found = self._standings.get(terms)
        if found is None:
            found = Standings(terms, self._cards, self._count)
            self._standings[terms] = found
        return found

    def altered(self, taboo: TabooList | None) -> dict[str, Key]:
        """The keys of the codes whose cards a taboo list changes."""
        return self._cards.altered(taboo)

    def _forget_oldest(self) -> None:
        """Drop the standings used least recently, and the frames that use them."""
        kept = sorted(
            self._standings.values(), key=attrgetter("last_used"), reverse=True
        )
        self._standings.clear()
        total = 0
        for each in kept:
            total += len(each)
            if total > MOST_COMPILED * 3 // 4:
                break
            self._standings[each.terms] = each
        self._count.total = sum(map(len, self._standings.values()))
        remaining = {*map(id, self._standings.values())}
        self._frames = {
            key: frame
            for key, frame in self._frames.items()
            if id(frame.standings) in remaining
        }
