"""Rules on the mode a deck is played in."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.card import Card
from arkham.rules.finding import (
    Finding,
    Remedy,
    Severity,
    faq,
    gettext_noop,
    ngettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.signatures import fills_weakness_slot
from arkham.rules.legality.standing import CardRole
from arkham.rules.legality.tally import Concern, wakes
from arkham.rules.legality.trauma import findings_on, gives_trauma
from arkham.rules.legality.verdict import by_card, must_leave
from arkham.rules.modifiers import FIRST_OF
from arkham.rules.pool import CardPool
from arkham.rules.ultimatums import UltimatumEffect, under
from arkham.rules.vocabulary import Mode, Tag

STANDALONE_CEILING = 49
_DECK_ROLES = (CardRole.ORDINARY, CardRole.BASIC_WEAKNESS, CardRole.STORY)
_REPLACE = ngettext_noop(
    "Swap out {excess} experience worth of cards.",
    "Swap out {excess} experience worth of cards.",
    "excess",
)


@rule(
    "mode.campaign-only",
    rows=("DECK-21", "STAND-13", "TABOO-M04", "WEAK-24", "STAND-15", "ULT-17"),
    cites=(faq("Campaign Mode only"), faq("Ultimatum of Exile")),
    wakes=wakes(Concern.STANDALONE),
)
def campaign_only(built: BuiltDeck) -> Iterator[Finding]:
    """A card for campaigns only is not in a standalone deck.

    Under the Ultimatum of Exile this includes every card whose text mentions exile.
    """
    if built.frame.mode is not Mode.STANDALONE:
        return
    exile = under(built.frame.ultimatums, UltimatumEffect.EXILE_IN_CAMPAIGNS)
    weaknesses_in = built.frame.rulings["weaknesses.marked-modes"] == "in"
    listed = built.each_deck(*_DECK_ROLES, CardRole.SIGNATURE)
    for held in (held for lines in listed for held in by_card(lines, aside=True)):
        change = held.standing.taboo
        marked = _is_marked(held.card, built.frame.pool) or (
            change is not None and change.campaign_only
        )
        if weaknesses_in and fills_weakness_slot(held.card):
            marked = False
        if exile and Tag.EXILE in held.standing.tags:
            marked = True
        if marked:
            found = must_leave(held, gettext_noop("{name} is for campaigns only."))
            if built.frame.rulings["modes.campaign-only"] == "advice":
                found = found._replace(severity=Severity.ADVICE)
            yield found


def _is_marked(card: Card, pool: CardPool) -> bool:
    """True if the card, or the weakness that became it, is for campaigns only."""
    return card.campaign_only or pool[FIRST_OF.get(card.code, card.code)].campaign_only


@rule(
    "mode.creation-only",
    rows=("DECK-07", "DECK-11", "XP-19"),
    cites=(rules_reference("Deckbuilding"),),
    wakes=wakes(Concern.MODE),
)
def creation_only(built: BuiltDeck) -> Iterator[Finding]:
    """A card you can only buy at deck creation has been in the deck since then."""
    if built.frame.mode is not Mode.CAMPAIGN:
        return
    bought = [*by_card(line for line in built.ordinary if line.card.creation_only)]
    if bought:
        names = ", ".join(held.card.name for held in bought)
        yield Finding(
            gettext_noop("Assumed bought at deck creation: {names}."),
            severity=Severity.ADVICE,
            cards=tuple(code for held in bought for code in held.codes),
            actual=sum(held.copies for held in bought),
            values=(("names", names),),
        )


@rule(
    "mode.multiplayer-only",
    rows=("WEAK-24",),
    cites=(faq("Random basic weakness"),),
    wakes=wakes(Concern.MODE),
)
def multiplayer_only(built: BuiltDeck) -> Iterator[Finding]:
    """A weakness for multiplayer games isn't in the pool of a solo game."""
    if built.circumstances.players != 1:
        return
    if built.frame.rulings["weaknesses.marked-modes"] == "in":
        return
    for held in by_card(built.of_role(CardRole.BASIC_WEAKNESS), aside=True):
        if held.card.multiplayer_only:
            yield must_leave(
                held, gettext_noop("{name} is only for games with 2 or more players.")
            )


@rule(
    "standalone.experience",
    rows=(
        "STAND-01", "STAND-03", "STAND-04", "STAND-05", "STAND-17", "KW-02", "KW-11",
        "KW-12", "CUST-11", "CUST-19", "CUST-22", "TABOO-04", "TABOO-06", "TABOO-08",
        "OPT-24",
    ),
    cites=(rules_reference("Standalone Mode"), faq("1.20")),
    wakes=wakes(Concern.STANDALONE),
)  # fmt: skip
def standalone_total(built: BuiltDeck) -> Iterator[Finding]:
    """The cards of a standalone deck cost fewer than fifty experience in all."""
    if built.frame.mode is not Mode.STANDALONE:
        return
    total = built.standalone_total
    ceiling = STANDALONE_CEILING
    if built.frame.rulings["standalone.ceiling"] == "without-bonus":
        ceiling += built.frame.printed_back.bonus_experience
    chosen = built.circumstances.experience
    if total > ceiling:
        costly = _costly(built)
        yield Finding(
            ngettext_noop(
                "The cards cost {total} experience; at most {ceiling} is allowed.",
                "The cards cost {total} experience; at most {ceiling} is allowed.",
                "total",
            ),
            cards=costly,
            actual=total,
            expected=ceiling,
            remedy=Remedy("remove", costly),
            remedy_text=_REPLACE,
            values=(
                ("total", total),
                ("ceiling", ceiling),
                ("excess", total - ceiling),
            ),
        )
    elif chosen is not None and total > chosen:
        yield Finding(
            ngettext_noop(
                "The cards cost {total} experience; the table allows {allowed}.",
                "The cards cost {total} experience; the table allows {allowed}.",
                "total",
            ),
            actual=total,
            expected=chosen,
            remedy=Remedy("remove"),
            remedy_text=_REPLACE,
            values=(("total", total), ("allowed", chosen), ("excess", total - chosen)),
        )


@rule(
    "start.experience",
    rows=("DECK-07", "XP-19", "XP-26", "XP-28", "TABOO-07", "ULT-20", "ULT-48"),
    cites=(rules_reference("Deckbuilding"), faq("1.11")),
    wakes=wakes(Concern.START),
)
def start_experience(built: BuiltDeck) -> Iterator[Finding]:
    """A starting deck costs no more than the experience granted at deck creation."""
    if built.frame.mode is not Mode.START:
        return
    granted, cost = built.experience_granted, built.start_cost
    highest = None
    if under(built.frame.ultimatums, UltimatumEffect.LEVEL_0_ONLY):
        # No level above 0 is allowed at all: another rule reports those cards.
        cost, highest = cost - (built.experience - built.chained_cost), 0
    if cost <= granted:
        return
    costly = _costly(built, highest)
    yield Finding(
        ngettext_noop(
            "The cards cost {cost} experience; a starting deck has {granted}.",
            "The cards cost {cost} experience; a starting deck has {granted}.",
            "cost",
        ),
        cards=costly,
        actual=cost,
        expected=granted,
        remedy=Remedy("remove", costly),
        remedy_text=_REPLACE,
        values=(("cost", cost), ("granted", granted), ("excess", cost - granted)),
    )


def _costly(built: BuiltDeck, highest: int | None = None) -> tuple[str, ...]:
    """The cards, up to a level, that cost experience; a second deck's come last."""
    lines = (*built.lines, *built.side_lines)
    return tuple(
        line.code
        for line in lines
        if line.standing.cost
        and line.copies
        and (highest is None or (line.standing.level or 0) <= highest)
    )


@rule(
    "start.unspent",
    rows=("XP-14", "XP-19", "XP-28"),
    cites=(rules_reference("Campaign Play"), faq("1.11")),
    wakes=wakes(Concern.START),
)
def start_unspent(built: BuiltDeck) -> Iterator[Finding]:
    """You keep the experience you don't spend at deck creation."""
    if built.frame.mode is not Mode.START:
        return
    left = built.creation.left
    if left:
        yield Finding(
            ngettext_noop(
                "You have {left} of {granted} experience left from deck creation: "
                "spend it now or keep it for an upgrade.",
                "You have {left} of {granted} experience left from deck creation: "
                "spend it now or keep it for an upgrade.",
                "left",
            ),
            severity=Severity.ADVICE,
            actual=built.creation.spent,
            expected=built.creation.granted,
            values=(("left", left), ("granted", built.creation.granted)),
        )


@rule(
    "start.trauma",
    rows=("TRA-11",),
    cites=(rules_reference("Trauma"),),
    wakes=wakes(Concern.START),
)
def start_trauma(built: BuiltDeck) -> Iterator[Finding]:
    """Cards bought at deck creation give the same trauma as cards bought later.

    An investigator from another campaign suffered it there.
    """
    if built.frame.mode is Mode.START:
        held = by_card(
            line
            for line in built.ordinary
            if line.copies and gives_trauma(line.card, built.circumstances.arrival)
        )
        yield from findings_on(
            ((each.card.code, each.copies) for each in held),
            built.circumstances.trauma,
        )
