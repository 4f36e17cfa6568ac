"""Find the lowest price of a change of deck by trying everything.

Nothing here uses the pricing: each copy of the new deck gets every source that the
rules allow (Campaign Play; FAQ 1.8, 1.18, 1.37), the upgrades are made in every order,
and each reduction is given to every line it may apply to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from typing import NamedTuple

from arkham.rules.card import Card, TabooList

ADAPTABLE = "02110"
ARCANE_RESEARCH = "04109"
RABBIT_HOLE = "08059"
DEJA_VU = "60531"
SHREWD_ANALYSIS = "04106"
OTHER = "01059"  # level 0, in both decks and not listed
GROWTH = {"06167": 5, "07303": 5, "09077": 10}
PAIRED = {"Unidentified", "Untranslated"}


@dataclass(frozen=True)
class Sheet:
    """A customizable title: its copies and boxes before, and how many are added."""

    code: str
    before: int
    after: int
    boxes_before: int
    boxes_more: int


@dataclass(frozen=True)
class Tried:
    """A change of deck small enough to try every way.

    ``before`` includes the exiled copies; ``size`` is the required size of the deck
    before, ``others`` the number of unlisted cards in both decks that count.
    """

    cards: Mapping[str, Card] = field(repr=False)
    before: Mapping[str, int]
    after: Mapping[str, int]
    exiled: Mapping[str, int] = field(default_factory=dict)
    aside: Mapping[str, int] = field(default_factory=dict)
    quills: Mapping[str, int] = field(default_factory=dict)
    taboo: TabooList | None = field(default=None, repr=False)
    size: int = 30
    others: int = 0
    pelts: int = 0
    offerings: int = 0
    sheet: Sheet | None = None
    purchase_floor: int = 1
    upgrade_floor: int = 0

    def exceptional(self, code: str) -> bool:
        """Whether a card is exceptional under the taboo list."""
        change = self.taboo.changes.get(code) if self.taboo else None
        if change is not None and change.exceptional is not None:
            return change.exceptional
        return self.cards[code].exceptional

    def effective(self, code: str) -> int:
        """The level, doubled if exceptional, plus the change by the taboo list."""
        change = self.taboo.changes.get(code) if self.taboo else None
        times = 2 if self.exceptional(code) else 1
        return self.level(code) * times + (change.experience if change else 0)

    def level(self, code: str) -> int:
        """The printed level."""
        level = self.cards[code].level
        assert level is not None
        return level

    def is_free(self, code: str) -> bool:
        """Whether a card may be refilled or exchanged: level 0 and not permanent."""
        return self.level(code) == 0 and not self.cards[code].permanent

    def can_become(self, lower: str, higher: str) -> bool:
        """Whether one card can be upgraded into the other."""
        if self.cards[lower].title != self.cards[higher].title:
            return False
        if self.level(higher) == self.level(lower):
            dearer = self.effective(higher) > self.effective(lower)
            return self.exceptional(higher) and dearer
        return self.level(higher) > self.level(lower)

    def refills(self) -> int:
        """How many level 0 cards are free."""
        counted = {
            code: n for code, n in self.before.items() if not self.cards[code].permanent
        }
        lost = sum(min(n, counted.get(code, 0)) for code, n in self.exiled.items())
        grown = sum(
            (self.after.get(code, 0) - self.before.get(code, 0)) * more
            for code, more in GROWTH.items()
        )
        held = sum(GROWTH[c] * n for c, n in self.before.items() if c in GROWTH)
        sheets = self.sheet.before + self._sheets_lost() if self.sheet else 0
        lost += self._sheets_lost()
        have = self.others + sum(counted.values()) + sheets
        if lost <= 0 and grown <= 0:
            return 0
        return max(self.size + held + grown - (have - lost), 0)

    def _sheets_lost(self) -> int:
        return self.exiled.get(self.sheet.code, 0) if self.sheet else 0


class Bought(NamedTuple):
    """How a copy or boxes are obtained: the way, the price and the source."""

    way: str
    code: str
    gross: int = 0
    source: str = ""
    traited: bool = False


def cheapest(tried: Tried) -> int:
    """Return the lowest price; researched cards are bought only as a last resort."""
    _, least = min(
        (_wrong(tried, ways), _paid(tried, ways)) for ways in _every_way(tried)
    )
    return least


def _wrong(tried: Tried, ways: Sequence[Bought]) -> int:
    """Count the researched cards that are bought outright (KW-16)."""
    return sum(each.way == "new" and tried.cards[each.code].researched for each in ways)


# -- the sources of the copies --


def _every_way(tried: Tried) -> Iterator[tuple[Bought, ...]]:
    """Yield every lawful choice of sources for the copies and for the sheet."""
    base = Counter(tried.before) - Counter(tried.exiled)
    wanted = sorted(Counter(tried.after).elements())
    seen = set()
    for sources in _sourced(tried, wanted, base, Counter(tried.aside)):
        for sheet in _sheet_ways(tried):
            again = _exchanged(tried, base, (*sources, *sheet))
            ways = tuple(sorted((*sources, *sheet, *again)))
            if ways not in seen and _lawful(tried, base, ways):
                seen.add(ways)
                yield ways


def _exchanged(
    tried: Tried, base: Counter[str], ways: Sequence[Bought]
) -> tuple[Bought, ...]:
    """Return the copies exchanged away and bought again so that a swap is possible."""
    kept = Counter(each.code for each in ways if each.way == "keep")
    used = Counter(each.source for each in ways if each.way in ("keep", "upgrade"))
    outs = sum(n for code, n in (base - used).items() if tried.is_free(code))
    if tried.sheet and not tried.sheet.boxes_before:
        outs += tried.sheet.before - kept[tried.sheet.code]
    short = max(sum(each.way == "swap" for each in ways) - outs, 0)
    price = max(tried.after.get(RABBIT_HOLE, 0), 1)
    return (Bought("new", OTHER, price),) * short


def _sourced(
    tried: Tried, wanted: Sequence[str], base: Counter[str], aside: Counter[str]
) -> Iterator[tuple[Bought, ...]]:
    if not wanted:
        yield ()
        return
    code, *rest = wanted
    for bought in _sources(tried, code, base, aside):
        left, kept = base.copy(), aside.copy()
        if bought.way in ("keep", "upgrade"):
            left[bought.source] -= 1
        if bought.way == "kept-lower":
            kept[bought.source] -= 1
        for others in _sourced(tried, rest, left, kept):
            yield (bought, *others)


def _sources(
    tried: Tried, code: str, base: Counter[str], aside: Counter[str]
) -> Iterator[Bought]:
    worth = tried.effective(code)
    for lower in sorted(+base):
        spell = "spell" in tried.cards[lower].traits
        if lower == code:
            yield Bought("keep", code, source=code)
        elif tried.can_become(lower, code):
            price = max(worth - tried.effective(lower), 1)
            yield Bought("upgrade", code, price, lower, spell)
    for lower in sorted(+aside):
        if tried.can_become(lower, code) and "spell" in tried.cards[lower].traits:
            yield Bought("kept-lower", code, max(worth, 1), lower, traited=True)
    if tried.is_free(code):
        yield Bought("refill", code)
        yield Bought("swap", code)
    if tried.cards[code].myriad:
        yield Bought("along", code)
    yield Bought("new", code, max(worth + tried.after.get(RABBIT_HOLE, 0), 1))


def _sheet_ways(tried: Tried) -> Iterator[tuple[Bought, ...]]:
    """Yield every way to obtain the copies and boxes of the customizable title."""
    sheet = tried.sheet
    if sheet is None:
        yield ()
        return
    raised = tried.after.get(RABBIT_HOLE, 0)
    code, more = sheet.code, sheet.boxes_more
    if not sheet.after:
        yield ()
        return
    # Blank copies may be exchanged and bought again; a marked copy isn't level 0.
    most = min(sheet.before, sheet.after)
    for stay in range(most + 1) if not sheet.boxes_before else (most,):
        keeps = (Bought("keep", code, source=code),) * stay
        if more and not stay:
            yield (Bought("new", code, more + raised),)
            continue
        for ways in _sheet_copies(tried, sheet, sheet.after - stay):
            yield (*keeps, *ways)


def _sheet_copies(tried: Tried, sheet: Sheet, new: int) -> Iterator[tuple[Bought, ...]]:
    """Yield every way to add copies and boxes to the copies that stay."""
    raised = tried.after.get(RABBIT_HOLE, 0)
    code, more = sheet.code, sheet.boxes_more
    spell = "spell" in tried.cards[code].traits
    boxes = (Bought("upgrade", code, more, code, spell),) if more else ()
    if sheet.boxes_before:
        options = [Bought("new", code, sheet.boxes_before + raised)]
    else:
        blank = max(tried.effective(code) + raised, 1)
        options = [Bought("new", code, blank), Bought("refill", code)]
        options.append(Bought("swap", code))
    options.append(Bought("with-box", code))
    for copies in product(options, repeat=new):
        with_box = sum(each.way == "with-box" for each in copies)
        if with_box <= (more if sheet.boxes_before else max(more - 1, 0)):
            yield (*copies, *boxes)


def _lawful(tried: Tried, base: Counter[str], ways: Sequence[Bought]) -> bool:
    """Return whether all copies together may be obtained this way."""
    number = Counter(each.way for each in ways)
    if number["refill"] > tried.refills():
        return False
    kept = Counter(each.code for each in ways if each.way == "keep")
    if Counter(each.source for each in ways if each.way == "kept-lower") - kept:
        return False
    if tried.sheet:
        both = min(tried.sheet.before, tried.sheet.after)
        if both - kept[tried.sheet.code] > number["swap"]:
            return False  # a copy that is added again was exchanged
    used = Counter(each.source for each in ways if each.way in ("keep", "upgrade"))
    left = {code for code in base - used if not tried.is_free(code)}
    if any(each.code in left for each in ways if each.way != "keep"):
        return False  # a card that left without an exchange is added again
    if number["swap"] > 2 * tried.after.get(ADAPTABLE, 0):
        return False
    return _bundles_hold(tried, ways)


def _bundles_hold(tried: Tried, ways: Sequence[Bought]) -> bool:
    """Return whether each free myriad copy goes with one that was bought."""
    bought: Counter[tuple[str, int]] = Counter()
    along: Counter[tuple[str, int]] = Counter()
    for each in ways:
        card = tried.cards[each.code]
        if card.myriad and each.way in ("new", "refill", "along"):
            group = along if each.way == "along" else bought
            group[card.title, tried.level(each.code)] += 1
    return all(copies <= 2 * bought[group] for group, copies in along.items())


# -- the price of one choice of sources --


def _paid(tried: Tried, ways: Sequence[Bought]) -> int:
    new = [each for each in ways if each.way == "new"]
    return min(
        _with_told(tried, upgrades, reduced, new)
        for upgrades in _paired(tried, ways)
        for reduced in _orders(tried, upgrades)
    )


def _paired(tried: Tried, ways: Sequence[Bought]) -> Iterator[list[Bought]]:
    """Yield the upgrades to pay for: Shrewd Analysis makes some second copies free."""
    upgrades = [each for each in ways if each.way in ("upgrade", "kept-lower")]
    yield upgrades
    if not tried.after.get(SHREWD_ANALYSIS):
        return
    paired = [
        index
        for index, each in enumerate(upgrades)
        if each.way == "upgrade" and tried.cards[each.source].subname in PAIRED
    ]
    for count in range(1, len(paired) // 2 + 1):
        for free in combinations(paired, count):
            sources = Counter(upgrades[index].source for index in paired)
            taken = Counter(upgrades[index].source for index in free)
            if all(2 * n <= sources[code] for code, n in taken.items()):
                yield [each for i, each in enumerate(upgrades) if i not in free]


def _orders(tried: Tried, upgrades: Sequence[Bought]) -> Iterator[list[int]]:
    """Yield the reductions of the upgrades for every order of making them."""
    research = tried.after.get(ARCANE_RESEARCH, 0)
    firsts = 2 if tried.after.get(RABBIT_HOLE) else 0
    seen = set()
    for order in permutations(range(len(upgrades))):
        off = [0] * len(upgrades)
        for index in order[:firsts]:
            off[index] += 1
        spell = next((index for index in order if upgrades[index].traited), None)
        if spell is not None:
            off[spell] += research
        for quilled in _quilled(tried, upgrades, off):
            if tuple(quilled) not in seen:
                seen.add(tuple(quilled))
                yield quilled


def _quilled(
    tried: Tried, upgrades: Sequence[Bought], off: Sequence[int]
) -> Iterator[list[int]]:
    """Yield every way to assign each Raven Quill to a copy of its asset."""
    serving = [
        [index for index, each in enumerate(upgrades) if each.source == code]
        for code in Counter(tried.quills).elements()
    ]
    for chosen in product(*filter(None, serving)):
        given = list(off)
        for index in chosen:
            given[index] += 1
        yield given


def _with_told(
    tried: Tried, upgrades: Sequence[Bought], off: Sequence[int], new: Sequence[Bought]
) -> int:
    """Return the lowest total over all uses of recorded reductions and Déjà Vu."""
    medal = tried.offerings // 6
    places: list[tuple[str, int]] = [("", 0)]
    if medal:
        places += [("new", i) for i in range(len(new))]
        places += [("upgrade", i) for i in range(len(upgrades))]
    pelts = range(len(new)) if tried.pelts and new else range(1)
    least = None
    for rebuys in _rebuys(tried, new):
        for pelt, (kind, at) in product(pelts, places):
            if tried.pelts and kind == "new" and at != pelt:
                continue  # a new card is also the next card for the pelts
            medallion = kind, at
            total = 0
            for index, each in enumerate(new):
                less = rebuys[index] + (tried.pelts if index == pelt else 0)
                less += medal if medallion == ("new", index) else 0
                total += max(each.gross - less, min(tried.purchase_floor, each.gross))
            for index, each in enumerate(upgrades):
                less = off[index] + (medal if medallion == ("upgrade", index) else 0)
                total += max(each.gross - less, min(tried.upgrade_floor, each.gross))
            least = total if least is None else min(least, total)
    assert least is not None
    return least


def _rebuys(tried: Tried, new: Sequence[Bought]) -> Iterator[tuple[int, ...]]:
    """Yield every way to use Déjà Vu: on up to three exiled cards per copy."""
    owned = tried.after.get(DEJA_VU, 0)
    amounts = [range(owned + 1 if tried.exiled.get(each.code) else 1) for each in new]
    for shared in product(*amounts):
        reduced = Counter(each.code for each, n in zip(new, shared, strict=True) if n)
        enough = all(n <= tried.exiled[code] for code, n in reduced.items())
        if enough and sum(shared) <= 3 * owned:
            yield shared
