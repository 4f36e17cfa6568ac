"""Rules on cards that may not leave a deck between two games, or not for free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from arkham.rules.card import Card
from arkham.rules.finding import (
    Finding,
    Remedy,
    Severity,
    gettext_noop,
    ngettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.legality.sheets import boxes_by_line, marks_of
from arkham.rules.legality.standing import CardRole
from arkham.rules.legality.tally import Concern
from arkham.rules.modifiers import is_exchange
from arkham.rules.upgrade.change import Change
from arkham.rules.upgrade.facts import (
    Occasion,
    Upgrade,
    copies_by_card,
    given_and_gone,
    given_copies,
    weaknesses_that_came,
)
from arkham.rules.upgrade.versions import Version
from arkham.rules.vocabulary import WeaknessKind

_PLAY = (rules_reference("Campaign Play"),)


def _may_not_leave(
    upgrade: Upgrade,
    roles: tuple[CardRole, ...],
    message: str,
    *,
    permanent: bool = False,
) -> Iterator[Finding]:
    for code, copies, standing in upgrade.removed:
        card = standing.card
        if card is None or card.weakness is not None or standing.role not in roles:
            continue  # another rule is about weaknesses
        if card.permanent is not permanent and CardRole.ORDINARY in roles:
            continue
        copies -= upgrade.may_not_stay(code, copies)
        if copies > sum(line.upgraded_from == code for line in upgrade.lines):
            yield _left(upgrade, code, copies, message)


def _left(upgrade: Upgrade, code: str, copies: int, message: str) -> Finding:
    """The finding about copies that may not leave."""
    return Finding(
        message,
        cards=(code,),
        actual=copies,
        expected=0,
        remedy=Remedy("add", (code,), copies),
        remedy_text=gettext_noop("Put {name} back."),
        values=(("name", upgrade.name_of(code)),),
    )


def _back(
    upgrade: Upgrade, is_back: Callable[[Change, Version], bool], message: str
) -> Iterator[Finding]:
    """Report copies that came and may not come back."""
    for change in upgrade.changes:
        for version, copies in change.added.items():
            if is_back(change, version):
                yield Finding(
                    message,
                    cards=(version.code,),
                    actual=copies,
                    expected=0,
                    remedy=Remedy("remove", (version.code,), copies),
                    remedy_text=gettext_noop("Remove {name}."),
                    values=(("name", upgrade.name_of(version.code)),),
                )


def _taken_back(upgrade: Upgrade, *, weaknesses: bool) -> Iterator[Finding]:
    """Report earned cards or weaknesses that were taken and not given again."""
    roles = (CardRole.STORY, CardRole.BASIC_WEAKNESS)
    return _back(
        upgrade,
        lambda change, version: (
            version.code in change.gone
            and version.standing.role in roles
            and (version.card.weakness is not None) is weaknesses
        ),
        gettext_noop("{name} left the deck and doesn’t come back by itself."),
    )


@rule(
    "upgrade.permanent",
    rows=("KW-08", "XP-07", "TRAP-12"),
    cites=(rules_reference("Permanent"),),
    wakes=Occasion.NO_FILLER,
)
def permanents_stay(upgrade: Upgrade) -> Iterator[Finding]:
    """A permanent card in the deck never leaves it because of a purchase."""
    return _may_not_leave(
        upgrade,
        (CardRole.ORDINARY,),
        gettext_noop("{name} is permanent and stays in the deck."),
        permanent=True,
    )


@rule(
    "upgrade.weakness",
    rows=("WEAK-06", "WEAK-11", "DECK-15", "XP-07"),
    cites=(rules_reference("Weakness"), *_PLAY),
    wakes=Occasion.NO_FILLER,
)
def weaknesses_stay(upgrade: Upgrade) -> Iterator[Finding]:
    """You can't remove a weakness when buying cards.

    A weakness that its own text turned into another card left by itself, and one that
    was still to be drawn became the one that was drawn. One that was taken comes back
    only if it is given again.
    """
    come, given = weaknesses_that_came(upgrade), given_copies(upgrade)
    for code, copies, standing in upgrade.removed:
        card = standing.card
        if card is None or card.weakness is None:
            continue
        copies -= _exchanged(upgrade, code, copies, come)
        if copies <= upgrade.may_not_stay(code, copies):
            continue
        message = gettext_noop("{name} is a weakness and stays in the deck.")
        yield _left(upgrade, code, copies, message)
    for finding in _taken_back(upgrade, weaknesses=True):
        (code,) = finding.cards
        back = come[code] - given[code]  # without those drawn or exchanged again
        if back > 0:
            remedy = Remedy("remove", (code,), back)
            yield finding._replace(actual=back, remedy=remedy)


def _exchanged(upgrade: Upgrade, code: str, copies: int, come: Counter[str]) -> int:
    """Copies of a weakness that became cards which came; those are used up."""
    found, given = 0, given_copies(upgrade)
    # What nothing else explains is used up first.
    for later in sorted(come, key=lambda each: (come[each] <= given[each], each)):
        if is_exchange(code, later) or _is_drawn(upgrade, code, later):
            taken = min(copies - found, come[later])
            come[later] -= taken
            found += taken
    return found


def _is_drawn(upgrade: Upgrade, code: str, later: str) -> bool:
    """True if a card may be the random basic weakness that was still to be drawn."""
    drawn = upgrade.card(later).weakness is WeaknessKind.BASIC
    return code == PLACEHOLDER and later != PLACEHOLDER and drawn


@rule(
    "upgrade.required",
    rows=("DECK-15", "XP-07", "TRAP-12"),
    cites=_PLAY,
    wakes=Occasion.NO_FILLER,
)
def required_stay(upgrade: Upgrade) -> Iterator[Finding]:
    """You can't remove a card that the investigator must include.

    Copies that a taboo list asked for leave with it. A copy that a campaign permanently
    removed does not come back.
    """
    match = upgrade.built.signature_match
    most_of = {code: most for code, _least, most in match.nearest.copies}
    message = gettext_noop(
        "{name} is required by the investigator and stays in the deck."
    )
    for finding in _may_not_leave(upgrade, (CardRole.SIGNATURE,), message):
        (code,), copies = finding.cards, finding.actual
        assert isinstance(copies, int)
        short = min(most_of.get(code, copies) - match.copies(code), copies)
        if short > 0:
            remedy = Remedy("add", (code,), short)
            yield finding._replace(actual=short, remedy=remedy)
    yield from _back_unasked(upgrade)


def _back_unasked(upgrade: Upgrade) -> Iterator[Finding]:
    """Report copies that came of signatures which the campaign permanently removed."""
    frame = upgrade.built.frame
    lost = {
        code
        for requirement in frame.requirements
        if requirement.copies_at_most is None
        for code in frame.lost.intersection(requirement.codes())
        if not frame.is_lost(upgrade.card(code))
    }
    message = gettext_noop("{name} was removed from this campaign.")
    return _back(upgrade, lambda _change, version: version.code in lost, message)


@rule(
    "upgrade.story",
    rows=("XP-07", "DECK-23", "TRAP-27"),
    cites=_PLAY,
    wakes=Occasion.NO_FILLER,
)
def story_cards_stay(upgrade: Upgrade) -> Iterator[Finding]:
    """When buying, you can't remove an earned card that doesn't count.

    One that was taken comes back only if it is given again.
    """
    message = gettext_noop("{name} was earned and stays in the deck.")
    yield from _may_not_leave(upgrade, (CardRole.STORY,), message)
    yield from _taken_back(upgrade, weaknesses=False)


@rule(
    "upgrade.set-aside",
    rows=("DECK-18", "DECK-23", "XP-07"),
    cites=_PLAY,
    wakes=Occasion.WAS_ASIDE,
)
def outside_the_size_stays(upgrade: Upgrade) -> Iterator[Finding]:
    """A copy that doesn't count toward deck size neither makes room nor needs it.

    It may be upgraded like any other, or be lost. One that no deck may have leaves.
    """
    left, frame = _staying_aside(upgrade), upgrade.built.frame
    gone = {*given_and_gone(upgrade), *(code for code, _, _ in upgrade.removed)}
    for code in dict.fromkeys((*upgrade.before.set_aside, *sorted(left))):
        card = frame.pool.get_card(code)
        copies = left.pop(card.code, 0) if card is not None else 0
        if card is None or copies <= 0 or frame.is_gone(card):
            continue
        if Concern.FORBIDDEN in upgrade.standing(code).concerns:
            continue
        is_gone = card.code in gone
        yield Finding(
            gettext_noop("{name} stays in the deck, not counted toward its size."),
            severity=Severity.ILLEGAL if is_gone else Severity.INCOMPLETE,
            cards=(code,),
            actual=copies,
            expected=0,
            remedy=Remedy("add" if is_gone else "change", (code,), copies),
            remedy_text=gettext_noop("Put {name} back without counting it."),
            values=(("name", upgrade.name_of(code)),),
        )


def _staying_aside(upgrade: Upgrade) -> Counter[str]:
    """Copies that were set aside, would count, and should still be, by first printing.

    Copies still set aside, upgraded, or taken by something are left out.
    """
    pool = upgrade.built.frame.pool
    left = copies_by_card(
        {
            code: copies
            for code, copies in upgrade.before.set_aside.items()
            if (standing := upgrade.standing(code)).role is CardRole.ORDINARY
            and standing.counts
        },
        pool,
    )
    left.subtract(copies_by_card(upgrade.built.deck.set_aside, pool))
    for change in upgrade.changes:
        left.subtract({} if change.side else change.gone)
    left.subtract(line.upgraded_from for line in upgrade.lines if line.upgraded_from)
    left.update(given_and_gone(upgrade))
    return left


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
        ngettext_noop(
            "You still need {copies} new card in place of {names}.",
            "You still need {copies} new cards in place of {names}.",
            "copies",
        ),
        severity=Severity.INCOMPLETE,
        cards=tuple(dropped),
        actual=copies,
        expected=0,
        remedy=Remedy("add", copies=copies),
        remedy_text=ngettext_noop(
            "Buy {copies} card.", "Buy {copies} cards.", "copies"
        ),
        values=(
            ("copies", copies),
            ("names", ", ".join(map(upgrade.name_of, dropped))),
        ),
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
        has = boxes_by_line(standing.sheet, marks_of(deck, listed, frame.pool))
        lost = sum(max(boxes - has[line], 0) for line, boxes in had.items())
        # An ultimatum that allows level 0 only lets the sheet become blank.
        if lost and (any(has.values()) or not upgrade.is_level_0_only):
            yield Finding(
                ngettext_noop(
                    "{name}: {lost} box marked before is no longer marked.",
                    "{name}: {lost} boxes marked before are no longer marked.",
                    "lost",
                ),
                cards=(listed,),
                actual=sum(had.values()) - lost,
                expected=sum(had.values()),
                remedy=Remedy("change", (listed,)),
                remedy_text=ngettext_noop(
                    "Mark {lost} box again.", "Mark {lost} boxes again.", "lost"
                ),
                values=(("name", standing.card.name), ("lost", lost)),
            )


def _all_gone(upgrade: Upgrade, card: Card) -> bool:
    """True if every copy was exiled or taken, so that the sheet was wiped."""
    had = sum(upgrade.before.entries.get(each.code, 0) for each in card.printings)
    return sum(change.gone.get(card.code, 0) for change in upgrade.changes) >= had


@rule(
    "upgrade.exiled",
    rows=("KW-20", "XP-18"),
    cites=(rules_reference("Exile"),),
    wakes=Occasion.MISSING,
)
def exiled_was_there(upgrade: Upgrade) -> Iterator[Finding]:
    """Only a card of the deck can be exiled from it.

    A card given since the last game may have left again.
    """
    missing = sum((Counter(each.missing) for each in upgrade.changes), Counter[str]())
    for code, copies in sorted(missing.items()):
        if upgrade.built.frame.pool.get_card(code) is None:
            for held in (upgrade.before.entries, upgrade.before.side_deck):
                copies -= held.get(code, 0)
            if copies <= 0:
                continue
        yield Finding(
            ngettext_noop(
                "You removed {copies} more copy of {name} than the deck had.",
                "You removed {copies} more copies of {name} than the deck had.",
                "copies",
            ),
            cards=(code,),
            actual=copies,
            expected=0,
            remedy=Remedy("change", (code,), copies),
            remedy_text=gettext_noop("Correct what left the deck."),
            values=(("name", upgrade.name_of(code)), ("copies", copies)),
        )
