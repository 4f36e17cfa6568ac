"""What must not happen between two games?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import IntEnum
from functools import lru_cache

from arkham.rules.card import Card
from arkham.rules.deck import DeckList
from arkham.rules.finding import (
    Finding,
    Remedy,
    Rule,
    Severity,
    faq,
    gettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.built import BuiltDeck, marks_of
from arkham.rules.legality.lazy import lazy
from arkham.rules.legality.sheets import boxes_by_line
from arkham.rules.legality.standing import Role, Standing
from arkham.rules.upgrade.change import Change
from arkham.rules.upgrade.discounts import DEVOURERS
from arkham.rules.upgrade.invoice import InvoiceLine
from arkham.rules.upgrade.versions import Nature, Version
from arkham.rules.upgrade.window import Window

_PLAY = (rules_reference("Campaign Play"),)


class Occasion(IntEnum):
    """What about an upgrade can make a rule speak; a bit each."""

    OTHER_INVESTIGATOR = 1 << 0
    OVERSPENT = 1 << 1
    CLOSED = 1 << 2
    ULTIMATUM = 1 << 3
    TRANSFORMED = 1 << 4
    NO_FILLER = 1 << 5  # a card outside the deck size
    SHORT = 1 << 6
    SHEETS = 1 << 7
    MARKED_CARD = 1 << 8  # one with a word on how it may be bought
    DEVOURER = 1 << 9
    MISSING = 1 << 10
    SET_ASIDE = 1 << 11
    BOUNDED = 1 << 12


class Upgrade:
    """Two revisions of a deck, the window between them, and what it was had for."""

    def __init__(
        self,
        before: DeckList,
        built: BuiltDeck,
        window: Window,
        changes: tuple[Change, ...],
        lines: tuple[InvoiceLine, ...],
        *,
        bounded: bool = False,
    ) -> None:
        self.before = before
        self.built = built
        self.window = window
        self.changes = changes
        self.lines = lines
        self.total = sum([line.paid for line in lines])  # experience spent
        self.bounded = bounded  # so much changes that there may be a lower price

    @lazy
    def removed(self) -> list[tuple[str, int, Standing]]:
        """Copies that leave other than by exile or instruction."""
        return [
            (version.code, copies, version.standing)
            for change in self.changes
            for version, copies in sorted(change.removed.items(), key=_code)
        ]

    @lazy
    def changed(self) -> bool:
        """Whether anything is different but what was exiled, taken or granted."""
        return (
            bool(self.lines)
            or any(change.removed for change in self.changes)
            or any(change.added for change in self.changes)
        )

    def occasions(self) -> int:
        """The bits of all that is out of the ordinary; mostly none."""
        built, before, window = self.built, self.before, self.window
        deck, frame = built.deck, built.frame
        found = 0
        if before.investigator != deck.investigator:
            found |= Occasion.OTHER_INVESTIGATOR
        available = window.available
        if available is not None and self.total > available:
            found |= Occasion.OVERSPENT
        if not (window.spending and window.altering):
            found |= Occasion.CLOSED
        if frame.ultimatums:
            found |= Occasion.ULTIMATUM
        if frame.transformation is not None:
            found |= Occasion.TRANSFORMED
        if before.sheets != deck.sheets:
            found |= Occasion.SHEETS | Occasion.MARKED_CARD
        short = built.counted < frame.size
        for change in self.changes:
            if short and change.removed:
                found |= Occasion.SHORT
            if change.nature:  # mostly there is nothing about the cards
                found |= _by_nature(change.nature)
            if change.missing:
                found |= Occasion.MISSING
        if frame.back.code in DEVOURERS:
            found |= Occasion.DEVOURER
        if deck.set_aside:
            found |= Occasion.SET_ASIDE
        if self.bounded:
            found |= Occasion.BOUNDED
        return found

    def standing(self, code: str) -> Standing:
        """How a card stands in the new deck."""
        return self.built.frame.unmarked[code]

    def card(self, code: str) -> Card:
        """The card behind a code of the invoice."""
        return self.built.frame.pool[code]

    def lines_named(self, *rules: str) -> Iterator[InvoiceLine]:
        """The lines priced by one of these rules."""
        return (line for line in self.lines if line.rule in rules)


def _by_nature(nature: int) -> int:
    """The occasions that lie in the cards that change."""
    found = 0
    if nature & Nature.UNCOUNTED:
        found |= Occasion.NO_FILLER
    if nature & Nature.MARKED:
        found |= Occasion.MARKED_CARD
    return found


def _code(held: tuple[Version, int]) -> str:
    return held[0].code


def _may_not_leave(
    upgrade: Upgrade, roles: tuple[Role, ...], message: str, *, permanent: bool = False
) -> Iterator[Finding]:
    for code, copies, standing in upgrade.removed:
        if standing.card is None or standing.role not in roles:
            continue
        if standing.card.permanent is not permanent and Role.ORDINARY in roles:
            continue
        if _upgraded(upgrade, code) >= copies:
            continue
        yield Finding(
            message,
            cards=(code,),
            actual=copies,
            expected=0,
            remedy=Remedy("add", (code,), copies),
            remedy_text=gettext_noop("Put {name} back."),
            values=(("name", standing.card.name),),
        )


def _upgraded(upgrade: Upgrade, code: str) -> int:
    """Copies of a card that left because they were upgraded."""
    return sum(line.upgraded_from == code for line in upgrade.lines)


@rule(
    "upgrade.investigator",
    rows=("CAMP-06",),
    cites=_PLAY,
    wakes=Occasion.OTHER_INVESTIGATOR,
)
def same_investigator(upgrade: Upgrade) -> Iterator[Finding]:
    """A deck is upgraded for the investigator it was built for."""
    pool = upgrade.built.frame.pool
    old = pool.get_card(upgrade.before.investigator)
    new = pool.get_card(upgrade.built.deck.investigator)
    bases = {
        card.investigator.base
        for card in (old, new)
        if card is not None and card.investigator is not None
    }
    if len(bases) != 1:
        yield Finding(
            gettext_noop("The two decks are of different investigators."),
            cards=(upgrade.before.investigator, upgrade.built.deck.investigator),
            actual=upgrade.built.deck.investigator,
            expected=upgrade.before.investigator,
        )


@rule(
    "upgrade.experience",
    rows=("XP-03", "XP-14", "XP-36"),
    cites=_PLAY,
    wakes=Occasion.OVERSPENT,
)
def experience_enough(upgrade: Upgrade) -> Iterator[Finding]:
    """No more experience is spent than there is."""
    available, total = upgrade.window.available, upgrade.total
    if available is None or total <= available:
        return
    yield Finding(
        gettext_noop("{total} experience is spent; there is {available}."),
        actual=total,
        expected=available,
        remedy=Remedy("change"),
        remedy_text=gettext_noop("Leave out purchases worth {short}."),
        values=(
            ("total", total),
            ("available", available),
            ("short", total - available),
        ),
    )


@rule(
    "upgrade.closed",
    rows=("XP-21", "XP-22"),
    cites=(faq("Innsmouth Conspiracy"),),
    wakes=Occasion.CLOSED,
)
def window_open(upgrade: Upgrade) -> Iterator[Finding]:
    """Experience is spent, and decks are changed, only when the campaign lets it."""
    window = upgrade.window
    if not window.altering and upgrade.changed:
        yield Finding(gettext_noop("Decks may not be changed at this point."))
    elif not window.spending and upgrade.total:
        yield Finding(
            gettext_noop("Experience may not be spent at this point."),
            actual=upgrade.total,
            expected=0,
        )


@rule(
    "upgrade.induction",
    rows=("XP-25", "ULT-12"),
    cites=(faq("Ultimatum of Induction"),),
    wakes=Occasion.ULTIMATUM,
)
def induction(upgrade: Upgrade) -> Iterator[Finding]:
    """Under the Ultimatum of Induction no experience is spent."""
    if "induction" in upgrade.built.frame.ultimatums and upgrade.total:
        yield Finding(
            gettext_noop("No experience may be spent; this costs {total}."),
            actual=upgrade.total,
            expected=0,
            values=(("total", upgrade.total),),
        )


@rule(
    "upgrade.homunculus",
    rows=("DECK-29",),
    cites=(faq("Lost Homunculus"),),
    wakes=Occasion.TRANSFORMED,
)
def nothing_bought(upgrade: Upgrade) -> Iterator[Finding]:
    """A deck played by the Lost Homunculus gains and loses no cards by purchases."""
    transformation = upgrade.built.frame.transformation
    if transformation is None or not transformation.fixed or not upgrade.changed:
        return
    yield Finding(
        gettext_noop("{name} cannot buy, upgrade or remove cards."),
        cards=tuple(dict.fromkeys(line.code for line in upgrade.lines)),
        values=(("name", transformation.name),),
    )


@rule(
    "upgrade.permanent",
    rows=("KW-08", "XP-07", "TRAP-12"),
    cites=(rules_reference("Permanent"),),
    wakes=Occasion.NO_FILLER,
)
def permanents_stay(upgrade: Upgrade) -> Iterator[Finding]:
    """A permanent card, once in the deck, never leaves it by a purchase."""
    return _may_not_leave(
        upgrade,
        (Role.ORDINARY,),
        gettext_noop("{name} is permanent and stays in the deck."),
        permanent=True,
    )


@rule(
    "upgrade.weakness",
    rows=("WEAK-11", "DECK-15", "XP-07"),
    cites=(rules_reference("Weakness"), *_PLAY),
    wakes=Occasion.NO_FILLER,
)
def weaknesses_stay(upgrade: Upgrade) -> Iterator[Finding]:
    """A weakness cannot be taken out when cards are bought."""
    for code, copies, standing in upgrade.removed:
        card = standing.card
        if card is None or card.weakness is None:
            continue
        yield Finding(
            gettext_noop("{name} is a weakness and stays in the deck."),
            cards=(code,),
            actual=copies,
            expected=0,
            remedy=Remedy("add", (code,), copies),
            remedy_text=gettext_noop("Put {name} back."),
            values=(("name", card.name),),
        )


@rule(
    "upgrade.required",
    rows=("DECK-15", "XP-07", "TRAP-12"),
    cites=_PLAY,
    wakes=Occasion.NO_FILLER,
)
def required_stay(upgrade: Upgrade) -> Iterator[Finding]:
    """A card that the investigator must include cannot be taken out."""
    for finding in _may_not_leave(
        upgrade,
        (Role.SIGNATURE,),
        gettext_noop("{name} belongs to the investigator and stays in the deck."),
    ):
        if upgrade.card(finding.cards[0]).weakness is None:
            yield finding


@rule(
    "upgrade.story",
    rows=("XP-07", "DECK-23", "TRAP-27"),
    cites=_PLAY,
    wakes=Occasion.NO_FILLER,
)
def story_cards_stay(upgrade: Upgrade) -> Iterator[Finding]:
    """An earned card outside the deck size is not taken out by a purchase."""
    for finding in _may_not_leave(
        upgrade,
        (Role.STORY,),
        gettext_noop("{name} was earned and stays in the deck."),
    ):
        if upgrade.card(finding.cards[0]).weakness is None:
            yield finding


@rule(
    "upgrade.dropped",
    rows=("DECK-23", "XP-06", "XP-10"),
    cites=_PLAY,
    wakes=Occasion.SHORT,
)
def cards_replaced(upgrade: Upgrade) -> Iterator[Finding]:
    """A card leaves only to make room for another."""
    built = upgrade.built
    if not built.frame.size_judged or built.counted >= built.frame.size:
        return
    replaced = [line.replaces or line.upgraded_from for line in upgrade.lines]
    dropped = {
        code: copies - replaced.count(code)
        for code, copies, standing in upgrade.removed
        if standing.counts and copies > replaced.count(code)
    }
    if not dropped:
        return
    copies = min(sum(dropped.values()), built.frame.size - built.counted)
    yield Finding(
        gettext_noop("Nothing takes the place of {names}."),
        severity=Severity.INCOMPLETE,
        cards=tuple(dropped),
        actual=copies,
        expected=0,
        remedy=Remedy("add", copies=copies),
        remedy_text=gettext_noop("Buy cards in their place."),
        values=(("names", ", ".join(upgrade.card(code).name for code in dropped)),),
    )


@rule(
    "upgrade.boxes",
    rows=("CUST-13",),
    cites=(rules_reference("Customizable"),),
    wakes=Occasion.SHEETS,
)
def boxes_stay(upgrade: Upgrade) -> Iterator[Finding]:
    """A box once marked stays marked while a copy is in the deck."""
    deck, frame = upgrade.built.deck, upgrade.built.frame
    for code in sorted(upgrade.before.sheets):
        standing = frame.unmarked[code]
        if standing.card is None or not standing.sheet:
            continue
        listed = next(
            (p.code for p in standing.card.printings if p.code in deck.entries), None
        )
        if listed is None:
            continue
        if any(standing.card.code in change.gone for change in upgrade.changes) and (
            _all_gone(upgrade, standing.card)
        ):
            continue
        had = boxes_by_line(standing.sheet, upgrade.before.sheets[code])
        has = boxes_by_line(standing.sheet, marks_of(deck, listed, frame))
        lost = sum(max(boxes - has[line], 0) for line, boxes in had.items())
        if lost:
            yield Finding(
                gettext_noop("Boxes of {name} no longer marked: {lost}."),
                cards=(listed,),
                actual=sum(had.values()) - lost,
                expected=sum(had.values()),
                remedy=Remedy("change", (listed,)),
                remedy_text=gettext_noop("Mark them again."),
                values=(("name", standing.card.name), ("lost", lost)),
            )


def _all_gone(upgrade: Upgrade, card: Card) -> bool:
    """Whether every copy was exiled or taken, so that the sheet was wiped."""
    had = sum(upgrade.before.entries.get(each.code, 0) for each in card.printings)
    return sum(change.gone.get(card.code, 0) for change in upgrade.changes) >= had


@rule(
    "upgrade.creation-only",
    rows=("DECK-21", "XP-06"),
    cites=(rules_reference("Deckbuilding"),),
    wakes=Occasion.MARKED_CARD,
)
def bought_at_creation(upgrade: Upgrade) -> Iterator[Finding]:
    """Some cards can be bought only while a deck is first built."""
    for code in dict.fromkeys(line.code for line in upgrade.lines):
        card = upgrade.card(code)
        if card.creation_only:
            yield Finding(
                gettext_noop("{name} can be bought only at deck creation."),
                cards=(code,),
                remedy=Remedy("remove", (code,)),
                remedy_text=gettext_noop("Take {name} out."),
                values=(("name", card.name),),
            )


@rule(
    "upgrade.researched",
    rows=("KW-16", "TRAP-13"),
    cites=(rules_reference("Researched"),),
    wakes=Occasion.MARKED_CARD,
)
def researched_by_upgrade(upgrade: Upgrade) -> Iterator[Finding]:
    """A researched card comes only by upgrading its lower version."""
    bought = [line.code for line in upgrade.lines_named("price.purchase")]
    for code in dict.fromkeys(bought):
        card = upgrade.card(code)
        if card.researched:
            yield Finding(
                gettext_noop("{name} is researched: it cannot be bought outright."),
                cards=(code,),
                actual=bought.count(code),
                expected=0,
                remedy=Remedy("remove", (code,), bought.count(code)),
                remedy_text=gettext_noop(
                    "Take {name} out, or upgrade a lower version."
                ),
                values=(("name", card.name),),
            )


@rule(
    "upgrade.devoured",
    rows=("DECK-28",),
    cites=(faq("Subject 5U-21"),),
    wakes=Occasion.DEVOURER,
)
def class_devoured(upgrade: Upgrade) -> Iterator[Finding]:
    """5U-21 buys class cards above level 0 only of the class devoured most."""
    if upgrade.built.frame.back.code not in DEVOURERS:
        return
    chosen = upgrade.window.devoured
    for code in dict.fromkeys(line.code for line in upgrade.lines):
        card = upgrade.card(code)
        if not card.classes or not card.level or chosen in card.classes:
            continue
        yield Finding(
            gettext_noop("{name} is not of the class devoured most."),
            severity=Severity.ILLEGAL if chosen else Severity.ADVICE,
            cards=(code,),
            actual=", ".join(card.classes),
            expected=chosen,
            remedy=Remedy("record" if not chosen else "remove", (code,)),
            remedy_text=gettext_noop("Tell which class was devoured most."),
            values=(("name", card.name),),
        )


@rule(
    "upgrade.exiled",
    rows=("KW-20", "XP-18"),
    cites=(rules_reference("Exile"),),
    wakes=Occasion.MISSING,
)
def exiled_was_there(upgrade: Upgrade) -> Iterator[Finding]:
    """Only a card of the deck can be exiled from it."""
    missing: Counter[str] = Counter()
    for change in upgrade.changes:
        missing.update(change.missing)
    for code, copies in sorted(missing.items()):
        card = upgrade.built.frame.pool.get_card(code)
        if card is None:
            before = upgrade.before
            held = before.entries.get(code, 0) + before.side_deck.get(code, 0)
            copies -= min(held, copies)
            if not copies:
                continue
        yield Finding(
            gettext_noop("{name} was not in the deck: {copies} cannot have left it."),
            cards=(code,),
            actual=copies,
            expected=0,
            values=(("name", card.name if card else code), ("copies", copies)),
        )


@rule(
    "upgrade.kept-lower",
    rows=("XP-08",),
    cites=(rules_reference("Deckbuilding"),),
    wakes=Occasion.SET_ASIDE,
)
def set_aside_for_upgrade(upgrade: Upgrade) -> Iterator[Finding]:
    """A lower version is set aside only when a higher one was paid in full for it."""
    kept = [line.upgraded_from for line in upgrade.lines_named("price.kept-lower")]
    before, frame = upgrade.before, upgrade.built.frame
    for code, aside in sorted(upgrade.built.deck.set_aside.items()):
        standing = frame.unmarked[code]
        more = aside - before.set_aside.get(code, 0)
        if standing.role is not Role.ORDINARY or not standing.counts or more <= 0:
            continue
        assert standing.card is not None
        if kept.count(standing.card.code) < more:
            yield Finding(
                gettext_noop(
                    "{name} is set aside, and nothing was paid in full for it."
                ),
                cards=(code,),
                actual=more,
                expected=kept.count(standing.card.code),
                values=(("name", standing.card.name),),
            )


@rule(
    "upgrade.bounded",
    rows=("XP-11",),
    cites=_PLAY,
    wakes=Occasion.BOUNDED,
)
def least_price_found(upgrade: Upgrade) -> Iterator[Finding]:
    """A change costs the least the rules allow; for one far beyond any deck that plays,
    the price told is allowed, and a lower one may be."""
    yield Finding(
        gettext_noop(
            "So many copies change that not every way to have them was weighed: the "
            "rules allow this price, and perhaps a lower one."
        ),
        severity=Severity.ADVICE,
        actual=len(upgrade.lines),
    )


def findings_of(upgrade: Upgrade) -> tuple[Finding, ...]:
    """What the rules find; only those that something gives occasion to are asked."""
    occasions = upgrade.occasions()
    if not occasions:
        return ()
    found: list[Finding] = []
    for each in _woken(occasions):
        found += each(upgrade)
    return tuple(found)


@lru_cache(maxsize=4_096)
def _woken(occasions: int) -> tuple[Rule[Upgrade], ...]:
    """The rules that these occasions wake, in order."""
    return tuple(each for each in UPGRADE_RULES if each.wakes & occasions)


UPGRADE_RULES: tuple[Rule[Upgrade], ...] = (
    same_investigator,
    experience_enough,
    window_open,
    induction,
    nothing_bought,
    permanents_stay,
    weaknesses_stay,
    required_stay,
    story_cards_stay,
    cards_replaced,
    boxes_stay,
    bought_at_creation,
    researched_by_upgrade,
    class_devoured,
    exiled_was_there,
    set_aside_for_upgrade,
    least_price_found,
)
