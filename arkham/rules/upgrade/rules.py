"""Rules on what is not allowed between two games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from arkham.rules.finding import (
    Finding,
    Listing,
    Remedy,
    Rule,
    Severity,
    faq,
    gettext_noop,
    ngettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.investigator import choice_words
from arkham.rules.legality.standing import CardRole
from arkham.rules.legality.trauma import NO_PURCHASE, findings_on
from arkham.rules.ultimatums import UltimatumEffect, under
from arkham.rules.upgrade import leaving
from arkham.rules.upgrade.facts import Occasion, Upgrade, copies_by_card
from arkham.rules.upgrade.price_rules import DEVOURERS
from arkham.rules.vocabulary import CardClass, is_digits

_PLAY = (rules_reference("Campaign Play"),)
_AS_IT_WAS = gettext_noop("Leave the deck as it was.")
_NO_BOXES = gettext_noop("Don’t mark these boxes.")
_REMOVE = gettext_noop("Remove {name}.")


@rule(
    "upgrade.investigator",
    rows=("CAMP-06",),
    cites=_PLAY,
    wakes=Occasion.OTHER_INVESTIGATOR,
)
def same_investigator(upgrade: Upgrade) -> Iterator[Finding]:
    """A deck is upgraded for the investigator it was built for."""
    pool = upgrade.built.frame.pool
    bases = {
        card.investigator.base
        for deck in (upgrade.before, upgrade.built.deck)
        if (card := pool.get_card(deck.investigator)) and card.investigator is not None
    }
    if len(bases) != 1:
        yield Finding(
            gettext_noop("The two decks are for different investigators."),
            cards=(upgrade.before.investigator, upgrade.built.deck.investigator),
            actual=upgrade.built.deck.investigator,
            expected=upgrade.before.investigator,
            remedy=Remedy("change"),
            remedy_text=gettext_noop("Choose two decks of the same investigator."),
        )


@rule(
    "upgrade.experience",
    rows=("XP-03", "XP-14", "XP-36"),
    cites=_PLAY,
    wakes=Occasion.OVERSPENT,
)
def experience_enough(upgrade: Upgrade) -> Iterator[Finding]:
    """You can't spend more experience than you have."""
    available, total = upgrade.window.available, upgrade.total
    if available is not None and total > max(available, 0):
        yield _overspent(total, available)


@lru_cache(maxsize=1_024)  # the numbers are small, and often the same
def _overspent(total: int, available: int) -> Finding:
    found = Finding(
        ngettext_noop(
            "You spend {total} experience but have {available}.",
            "You spend {total} experience but have {available}.",
            "total",
        ),
        actual=total,
        expected=available,
        remedy=Remedy("change"),
        remedy_text=gettext_noop("Remove purchases that cost {short} experience."),
        values=(
            ("total", total),
            ("available", available),
            ("short", total - max(available, 0)),
        ),
    )
    return found.stamped(experience_enough.id, experience_enough.cites)


@rule(
    "upgrade.closed",
    rows=("XP-21", "XP-22"),
    cites=(faq("Innsmouth Conspiracy"),),
    wakes=Occasion.CLOSED,
)
def window_open(upgrade: Upgrade) -> Iterator[Finding]:
    """You spend experience and change decks only when the campaign allows it."""
    window = upgrade.window
    if not window.altering and upgrade.changed:
        yield Finding(
            gettext_noop("You can’t change decks at this point."),
            remedy=Remedy("change"),
            remedy_text=_AS_IT_WAS,
        )
    elif not window.spending and upgrade.total:
        yield _unspendable(
            upgrade, gettext_noop("You can’t spend experience at this point.")
        )


def _unspendable(upgrade: Upgrade, message: str) -> Finding:
    return Finding(
        message,
        actual=upgrade.total,
        expected=0,
        remedy=Remedy("change"),
        remedy_text=gettext_noop("Remove purchases that cost {total} experience."),
        values=(("total", upgrade.total),),
    )


@rule(
    "upgrade.induction",
    rows=("XP-25", "ULT-12"),
    cites=(faq("Ultimatum of Induction"),),
    wakes=Occasion.ULTIMATUM,
)
def induction(upgrade: Upgrade) -> Iterator[Finding]:
    """Under the Ultimatum of Induction you don't spend experience."""
    in_force = upgrade.built.frame.ultimatums
    if upgrade.total and under(in_force, UltimatumEffect.NO_EXPERIENCE):
        message = gettext_noop("You can’t spend experience; this costs {total}.")
        yield _unspendable(upgrade, message)


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
        gettext_noop("{name} can’t buy, upgrade or remove cards."),
        cards=tuple(dict.fromkeys(line.code for line in upgrade.lines)),
        remedy=Remedy("change"),
        remedy_text=_AS_IT_WAS,
        values=(("name", transformation.name),),
    )


@rule(
    "upgrade.creation-only",
    rows=("DECK-11", "DECK-21", "XP-06", "XP-13"),
    cites=(rules_reference("Deckbuilding"),),
    wakes=Occasion.MARKED_CARD | Occasion.CHOSEN,
)
def settled_at_creation(upgrade: Upgrade) -> Iterator[Finding]:
    """You can buy some cards, and make some choices, only at deck creation."""
    back = upgrade.built.frame.back
    for was, now in upgrade.chosen_differently():
        yield Finding(
            gettext_noop("{name} chose {found} at deck creation; that can’t change.")
            if not is_digits(was[0])
            else gettext_noop(
                "{name} chose deck size {found} at deck creation; that can’t change."
            ),
            cards=(back.code,),
            actual=", ".join(now),
            expected=", ".join(was),
            remedy=Remedy("change"),
            remedy_text=gettext_noop("Choose {found} again."),
            values=(
                ("name", back.name),
                ("found", Listing(tuple(map(choice_words, was)))),
            ),
        )
    for code, copies in Counter(line.code for line in upgrade.lines).items():
        card = upgrade.card(code)
        if card.creation_only:
            yield Finding(
                gettext_noop("You can buy {name} only at deck creation."),
                cards=(code,),
                remedy=Remedy("remove", (code,), copies),
                remedy_text=_REMOVE,
                values=(("name", upgrade.name_of(code)),),
            )


@rule(
    "upgrade.researched",
    rows=("KW-16", "TRAP-13"),
    cites=(rules_reference("Researched"),),
    wakes=Occasion.MARKED_CARD,
)
def researched_by_upgrade(upgrade: Upgrade) -> Iterator[Finding]:
    """You get a researched card only by upgrading its lower version."""
    bought = [line.code for line in upgrade.lines_named("price.purchase")]
    for code in dict.fromkeys(bought):
        card = upgrade.card(code)
        if card.researched:
            yield Finding(
                gettext_noop("{name} is researched: you can’t buy it directly."),
                cards=(code,),
                actual=bought.count(code),
                expected=0,
                remedy=Remedy("remove", (code,), bought.count(code)),
                remedy_text=gettext_noop("Remove {name}, or upgrade a lower version."),
                values=(("name", upgrade.name_of(code)),),
            )


@rule(
    "upgrade.devoured",
    rows=("DECK-28",),
    cites=(faq("Subject 5U-21"),),
    wakes=Occasion.DEVOURER,
)
def class_devoured(upgrade: Upgrade) -> Iterator[Finding]:
    """Subject 5U-21 buys class cards above level 0 only of the class devoured most.

    The boxes of a sheet raise its card; those of a class card no other card marks.
    """
    built, chosen = upgrade.built, upgrade.window.devoured
    if built.frame.back.code not in DEVOURERS:
        return
    levels = {
        line.card.code: line.standing.level
        for line in built.lines
        if line.standing.card is not None
    }
    bought = [line.code for line in upgrade.lines]
    raised = {line.code: line for line in upgrade.lines if levels.get(line.code)}
    classes = {code: upgrade.card(code).classes for code in raised}
    shared = set(CardClass).intersection(*filter(None, classes.values()))
    for code, line in raised.items():
        if not classes[code] or chosen in classes[code]:
            continue
        action = ("change", _NO_BOXES) if line.boxes else ("remove", _REMOVE)
        message = gettext_noop("{name} isn’t of the class devoured most.")
        if not chosen:
            message = gettext_noop("{name} and other cards bought share no class.")
        if assumed := not chosen and shared:
            message = gettext_noop("We assume {name} is of the class devoured most.")
            action = "record", gettext_noop("Record which class was devoured most.")
        yield Finding(
            message,
            severity=Severity.ADVICE if assumed else Severity.ILLEGAL,
            cards=(code,),
            actual=", ".join(classes[code]),
            expected=chosen,
            remedy=Remedy(action[0], (code,), bought.count(code)),
            remedy_text=action[1],
            values=(("name", upgrade.name_of(code)),),
        )
    yield from _marked_by_others(upgrade)


def _marked_by_others(upgrade: Upgrade) -> Iterator[Finding]:
    """Report class cards on which other cards marked boxes without experience."""
    pool = upgrade.built.frame.pool
    for code, boxes in copies_by_card(upgrade.window.free_boxes, pool).items():
        card = pool.get_card(code)
        if card is not None and card.classes and boxes > 0:
            yield Finding(
                gettext_noop(
                    "In this deck, other cards can’t mark boxes of class cards: {name}."
                ),
                cards=(code,),
                actual=boxes,
                expected=0,
                remedy=Remedy("change", (code,)),
                remedy_text=_NO_BOXES,
                values=(("name", upgrade.name_of(code)),),
            )


@rule(
    "upgrade.kept-lower",
    rows=("XP-08",),
    cites=(rules_reference("Deckbuilding"),),
    wakes=Occasion.SET_ASIDE,
)
def set_aside_for_upgrade(upgrade: Upgrade) -> Iterator[Finding]:
    """A lower version can stay, not counted, only if a higher one was paid for in full.

    Or if it never counted: a granted copy may be set aside until it is exiled.
    """
    paid = Counter(
        line.upgraded_from for line in upgrade.lines_named("price.kept-lower")
    )
    frame, pool = upgrade.built.frame, upgrade.built.frame.pool
    held = copies_by_card(upgrade.before.entries, pool)
    for change in upgrade.changes:
        held.subtract({} if change.side else change.gone)
    free = copies_by_card(upgrade.before.set_aside, pool) & held
    free.update(copies_by_card(upgrade.window.granted, pool))
    deck = upgrade.built.deck
    for code, listed in sorted(deck.set_aside.items()):
        aside = min(listed, deck.entries.get(code, 0))
        standing = frame.unmarked[code]
        card = standing.card
        if (
            card is None
            or standing.role is not CardRole.ORDINARY
            or not standing.counts
        ):
            continue
        more = max(aside - free[card.code], 0)
        free[card.code] -= aside - more
        if paid[card.code] < more:
            yield Finding(
                gettext_noop(
                    "{name} isn’t counted, but no higher version was paid for in full."
                ),
                cards=(code,),
                actual=more,
                expected=paid[card.code],
                remedy=Remedy("change", (code,)),
                remedy_text=gettext_noop(
                    "Count {name} toward deck size, or buy a higher version in full."
                ),
                values=(("name", upgrade.name_of(code)),),
            )
        paid[card.code] -= min(more, paid[card.code])


@rule(
    "upgrade.trauma",
    rows=("TRA-11",),
    cites=(rules_reference("Trauma"),),
    wakes=Occasion.TRAUMA,
)
def trauma_by_purchase(upgrade: Upgrade) -> Iterator[Finding]:
    """Some cards give or heal trauma when you buy them, once for each copy."""
    bought = [line.code for line in upgrade.lines if line.rule not in NO_PURCHASE]
    return findings_on(Counter(bought).items(), upgrade.window.trauma)


@rule("upgrade.bounded", rows=("XP-11",), cites=_PLAY, wakes=Occasion.BOUNDED)
def least_price_found(upgrade: Upgrade) -> Iterator[Finding]:
    """A change costs the least the rules allow; for a very large change we find an
    allowed price, though there may be a lower one."""
    yield Finding(
        gettext_noop(
            "This change is very large, so we didn’t compare every way to pay. The "
            "rules allow this price; there may be a lower one."
        ),
        severity=Severity.ADVICE,
        actual=len(upgrade.lines),
    )


def findings_of(upgrade: Upgrade) -> tuple[Finding, ...]:
    """Call the rules that may find something, and return their findings."""
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
    leaving.permanents_stay,
    leaving.weaknesses_stay,
    leaving.required_stay,
    leaving.story_cards_stay,
    leaving.outside_the_size_stays,
    leaving.cards_replaced,
    leaving.boxes_stay,
    settled_at_creation,
    researched_by_upgrade,
    class_devoured,
    leaving.exiled_was_there,
    set_aside_for_upgrade,
    trauma_by_purchase,
    least_price_found,
)
