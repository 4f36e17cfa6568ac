"""An upgrade in progress: purchases, leaving cards, alternatives, the invoice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from arkham.rules.deck import TraumaChoice
from arkham.rules.legality import Judge
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.legality.trauma import NO_PURCHASE, findings_on
from arkham.rules.library import Entry, entry_of, library
from arkham.rules.pool import CardPool
from arkham.rules.upgrade import Pin, Window, price_upgrade
from arkham.rules.upgrade.facts import copies_by_card, lost_copies
from arkham.rules.upgrade.invoice import InvoiceLine
from arkham.rules.upgrade.price_rules import PRICE_MODIFIERS, PRICE_RULES
from cardpool.relations import shown_full_name
from decks.pages.display import Judged
from decks.pages.notes import translated
from decks.services.windows import PricedUpgrade

Words = str | Promise

# Labels by the rule of the price.
WAYS: dict[str, Words] = {
    "price.upgrade": gettext_lazy("Upgrade"),
    "price.kept-lower": gettext_lazy("Paid in full; lower version kept, not counted"),
    "price.second-copy": gettext_lazy("Second copy upgraded for free"),
    "price.refill": gettext_lazy("Free replacement for a lost card"),
    "price.swap": gettext_lazy("Swapped in"),
    "price.myriad": gettext_lazy("Free with another copy"),
    "price.purchase": gettext_lazy("New card"),
    "price.boxes": gettext_lazy("Boxes marked"),
    "price.sheet": gettext_lazy("New card with its boxes"),
    "price.with-sheet": gettext_lazy("Free with its sheet"),
    "price.regained": gettext_lazy("Bought again with its sheet"),
    "price.with-box": gettext_lazy("Free with a box"),
}


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One line of an invoice, with names for cards; "" if there is none.

    ``code`` and ``source`` are the codes of the card and of the one it was upgraded
    from; ``reductions`` name the granting card and the amount, ``trauma`` says what
    buying a copy gives or heals.
    """

    rule: str
    way: Words
    code: str
    name: str
    gross: int
    paid: int
    source: str
    upgraded_from: str
    replaces: str
    reductions: tuple[tuple[str, str, int], ...]
    boxes: int
    side: bool
    trauma: Words = ""

    @property
    def why(self) -> str:
        """The rule of the price in a sentence; "" for a rule that no longer exists."""
        rule = PRICE_RULES.get(self.rule)
        return gettext(rule.sentence) if rule else ""

    @property
    def entry(self) -> Entry | None:
        """The entry about the price in the rules library."""
        return entry_of(library(), self.rule)


def shown_lines(
    invoice: Mapping[str, Any], pool: CardPool, chosen: tuple[TraumaChoice, ...] = ()
) -> tuple[ShownLine, ...]:
    """Return the lines of an invoice given as JSON types (``Invoice.as_data``).

    ``chosen`` is the trauma that the player chose for cards that leave it open.
    """
    return tuple(
        ShownLine(
            line["rule"],
            WAYS.get(line["rule"], line["rule"]),
            line["card"],
            name_of(line["card"], pool),
            line["gross"],
            line["paid"],
            line["upgraded_from"] or "",
            name_of(line["upgraded_from"], pool),
            name_of(line["replaces"], pool),
            tuple(
                (each["card"], name_of(each["card"], pool), each["amount"])
                for each in line["reductions"]
            ),
            line["boxes"],
            line["side_deck"],
            _trauma(line["card"], line["rule"], chosen),
        )
        for line in invoice["lines"]
    )


def _trauma(code: str, rule: str, chosen: tuple[TraumaChoice, ...]) -> Words:
    """Describe the trauma that buying a copy gives or heals; "" for none."""
    bought = [] if rule in NO_PURCHASE else [(code, 1)]
    return " ".join(translated(each)[0] for each in findings_on(bought, chosen))


def name_of(code: str | None, pool: CardPool) -> str:
    """Return a card's name with its level; an unknown code unchanged."""
    card = pool.get_card(code or "")
    return shown_full_name(card, pool) if card else code or ""


_BOUGHT_NEW = frozenset({"price.upgrade", "price.refill", "price.swap", "price.myriad"})


@dataclass(frozen=True, slots=True)
class AlternativeWay:
    """Another way to get a card, and how much more the upgrade would cost."""

    pin: Pin
    label: Words
    source: str
    change: str
    difference: int


@dataclass(frozen=True, slots=True)
class CartLine:
    """A line of the invoice; ``back`` undoes it, "" if only the sheet can."""

    line: ShownLine
    back: str
    alternatives: tuple[AlternativeWay, ...]


@dataclass(frozen=True, slots=True)
class LeavingCopies:
    """Copies of a card that leave: exiled in play, or to make room.

    ``back`` are the changes that put one back where it was.
    """

    code: str
    name: str
    copies: int
    back: str


@dataclass(frozen=True, slots=True)
class PriceWish:
    """A wish of the player; ``change`` drops it and saves ``difference``."""

    code: str
    name: str
    way: Words
    change: str
    difference: int


class Reckoning:
    """An upgrade in progress, priced and judged."""

    def __init__(self, preview: PricedUpgrade, judge: Judge) -> None:
        self.preview = preview
        self.judge = judge
        self.judged = Judged(preview.content, judge, extra=preview.invoice.findings)
        self.pool = judge.pool
        self.invoice = preview.invoice

    @property
    def lawful(self) -> bool:
        """True if it may be confirmed as it is."""
        return self.invoice.lawful

    @property
    def surplus(self) -> int:
        """How many cards still have to leave."""
        verdict = self.judged.verdict
        return max(verdict.deck_size - (verdict.deck_size_required or 0), 0)

    @cached_property
    def cart(self) -> tuple[CartLine, ...]:
        """The purchases, in the order made."""
        shown = shown_lines(
            self.invoice.as_data(), self.pool, self.preview.window.trauma
        )
        seen: set[tuple[str, str]] = set()
        lines = []
        for line, each in zip(self.invoice.lines, shown, strict=True):
            first = (line.code, line.rule) not in seen
            seen.add((line.code, line.rule))
            others = tuple(self._others(line)) if first else ()
            lines.append(CartLine(each, self._back(each), others))
        return tuple(lines)

    @cached_property
    def exiled(self) -> tuple[LeavingCopies, ...]:
        """The cards that the last game took."""
        window, before = self.preview.window, self.preview.before
        gone = Counter(window.exiled) + Counter(window.taken)
        del gone[PLACEHOLDER]  # a weakness that was drawn took its place
        main = copies_by_card(before.entries, self.pool)
        side = {
            code
            for code in before.side_deck.keys() & gone.keys()
            if gone[code] > main[self._first(code)]
        }
        return self._leaving(gone, side)

    @cached_property
    def replaced(self) -> tuple[LeavingCopies, ...]:
        """Cards that leave to make room, without those that are upgraded."""
        gone = copies_by_card(self.preview.before.entries, self.pool) - self._after
        gone -= lost_copies(self.preview.window, self.pool)
        gone -= Counter(
            line.upgraded_from for line in self.invoice.lines if line.upgraded_from
        )
        return self._leaving(gone)

    @cached_property
    def wishes(self) -> tuple[PriceWish, ...]:
        """The pins and refusals, with what each of them costs."""
        window = self.preview.window
        found = []
        for pin in window.pins:
            rest = tuple(each for each in window.pins if each.code != pin.code)
            way = WAYS.get(f"price.{pin.way}", pin.way)
            cost = -self._difference(window._replace(pins=rest))
            name = name_of(pin.code, self.pool)
            found.append(PriceWish(pin.code, name, way, f"unpin={pin.code}", cost))
        for code in sorted(window.refused):
            cost = -self._difference(window._replace(refused=window.refused - {code}))
            name = name_of(code, self.pool)
            found.append(PriceWish(code, name, "", f"accept={code}", cost))
        return tuple(found)

    @cached_property
    def reductions(self) -> tuple[PriceWish, ...]:
        """The cards that reduce a price, with what it would be without them."""
        window = self.preview.window
        codes = {each.code for line in self.invoice.lines for each in line.reductions}
        if any(line.rule == "price.swap" for line in self.invoice.lines):
            held = self.preview.content.deck["slots"].keys()
            codes |= {c for c, row in PRICE_MODIFIERS.items() if row.swaps} & held
        return tuple(
            PriceWish(
                code,
                name_of(code, self.pool),
                "",
                f"refuse={code}",
                self._difference(window._replace(refused=window.refused | {code})),
            )
            for code in sorted(codes)
        )

    # -- private --

    @cached_property
    def _after(self) -> Counter[str]:
        return copies_by_card(self.judged.asked.deck.entries, self.pool)

    @cached_property
    def _aside_no_more(self) -> Counter[str]:
        """Copies that were set aside before and aren't now, by first printing."""
        had = copies_by_card(self.preview.before.set_aside, self.pool)
        return had - copies_by_card(self.judged.asked.deck.set_aside, self.pool)

    def _first(self, code: str) -> str:
        (first,) = copies_by_card({code: 1}, self.pool)
        return first

    def _put_back(self, code: str) -> str:
        """Return the changes that put a copy back, first as one that did not count."""
        aside = self._aside_no_more[self._first(code)]
        return f"add={code} aside={code}" if aside else f"add={code}"

    def _leaving(
        self, gone: Counter[str], side: Container[str] = ()
    ) -> tuple[LeavingCopies, ...]:
        """Return leaving copies; those of ``side`` return to the second deck."""
        return tuple(
            LeavingCopies(
                code,
                name_of(code, self.pool),
                copies,
                f"side-add={code}" if code in side else self._put_back(code),
            )
            for code, copies in sorted(gone.items())
            if copies > 0
        )

    def _back(self, line: ShownLine) -> str:
        """Return the changes that undo a line."""
        if line.rule == "price.boxes":
            return ""
        gone = f"{'side-remove' if line.side else 'remove'}={line.code}"
        if not line.source or line.rule == "price.kept-lower":
            return gone
        if line.side:
            return f"{gone} side-add={line.source}"
        return f"{gone} {self._put_back(line.source)}"

    def _others(self, line: InvoiceLine) -> Iterator[AlternativeWay]:
        """Yield other ways to get the card that the pricing actually applies."""
        if line.side or any(pin.code == line.code for pin in self.preview.window.pins):
            return
        for pin in self._pins(line):
            rest = self.preview.window.pins
            lines = self._lines(self.preview.window._replace(pins=(*rest, pin)))
            way = f"price.{pin.way}"
            if not any(
                each.code == pin.code
                and each.rule == way
                and pin.source in ("", each.upgraded_from)
                for each in lines
            ):
                continue
            total = sum(each.paid for each in lines)
            yield AlternativeWay(
                pin,
                WAYS[way],
                name_of(pin.source, self.pool),
                f"pin={pin.code}:{pin.way}:{pin.source}".rstrip(":"),
                total - self.invoice.total,
            )

    def _pins(self, line: InvoiceLine) -> Iterator[Pin]:
        if line.rule in _BOUGHT_NEW:
            yield Pin(line.code, "purchase")
        for way in ("refill", "swap"):
            if line.rule in ("price.refill", "price.swap") and line.rule[6:] != way:
                yield Pin(line.code, way)
        card = self.pool.get_card(line.code)
        if card is None or line.rule not in ("price.upgrade", "price.purchase"):
            return
        for code in copies_by_card(self.preview.before.entries, self.pool):
            other = self.pool.get_card(code)
            alike = other is not None and other.title == card.title
            if alike and code not in (line.code, line.upgraded_from):
                yield Pin(line.code, "upgrade", code)

    def _lines(self, window: Window) -> tuple[InvoiceLine, ...]:
        new = self.preview
        return price_upgrade(self.judge, new.before, new.after, window, new.terms).lines

    def _difference(self, window: Window) -> int:
        return sum(line.paid for line in self._lines(window)) - self.invoice.total
