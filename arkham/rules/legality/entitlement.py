"""Whose cards are these, and were they earned?"""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.finding import (
    Finding,
    Remedy,
    Severity,
    faq,
    gettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.compiling import may_hold as holds
from arkham.rules.legality.remedies import taken_out
from arkham.rules.legality.standing import Role
from arkham.rules.legality.tally import Concern, wakes

_OPTIONS = (rules_reference("Deckbuilding"), faq("1.15 Deckbuilding Options"))


@rule(
    "access.signature",
    rows=("DECK-14", "CARD-09"),
    cites=(faq("Signature Cards"),),
    wakes=wakes(Concern.FOREIGN),
)
def no_foreign_signature(built: BuiltDeck) -> Iterator[Finding]:
    """Another investigator's signature can never be in the deck."""
    for line in built.of_role(Role.FOREIGN):
        if not line.copies:
            continue
        restriction = line.card.restriction
        owners = restriction.investigators if restriction else ()
        names = sorted(
            {
                owner.name
                for code in owners
                if (owner := built.frame.pool.get_card(code))
            }
        )
        yield taken_out(
            line,
            gettext_noop("{name} belongs to {owner} alone."),
            owner=", ".join(names),
        )


@rule(
    "access.restricted-card",
    rows=("DECK-06", "OPT-24", "WEAK-01"),
    cites=(rules_reference("Deckbuilding"),),
    wakes=wakes(Concern.FOREIGN),
)
def may_hold(built: BuiltDeck) -> Iterator[Finding]:
    """A card printed for some traits or classes goes to investigators who have one."""
    for line in built.of_role(Role.ORDINARY, Role.BASIC_WEAKNESS, Role.STORY):
        if holds(built.frame, line.card) or not line.copies:
            continue
        restriction = line.card.restriction
        assert restriction is not None
        wanted = (
            *(trait.title() for trait in restriction.traits),
            *(each.value.capitalize() for each in restriction.classes),
        )
        yield taken_out(
            line,
            gettext_noop("{name} is for investigators with: {wanted}."),
            actual=", ".join((*built.frame.front.traits, *built.frame.front.classes)),
            expected=", ".join(wanted),
            wanted=", ".join(wanted),
        )


@rule(
    "access.story",
    rows=("CARD-08", "DECK-10", "DECK-18", "OPT-14", "WEAK-18", "DECK-02"),
    cites=(rules_reference("Asset Cards"), faq("1.36")),
    wakes=wakes(Concern.STORY),
)
def story_earned(built: BuiltDeck) -> Iterator[Finding]:
    """A story card is in the deck only because a scenario put it there."""
    granted = built.circumstances.story_cards
    unearned = []
    for line in built.of_role(Role.STORY):
        if granted is None:
            unearned.append(line.code)
        elif not {line.code, line.card.code} & granted:
            yield taken_out(
                line,
                gettext_noop("{name} is a story card that was not earned."),
            )
    if unearned:
        yield Finding(
            gettext_noop("Story cards taken as earned: {count}."),
            severity=Severity.ADVICE,
            cards=tuple(unearned),
            actual=len(unearned),
            values=(("count", len(unearned)),),
        )


@rule(
    "researched.task",
    rows=("KW-16", "KW-17", "KW-18", "KW-19", "TRAP-13"),
    cites=(rules_reference("Researched"),),
    wakes=wakes(Concern.RESEARCHED),
)
def research_done(built: BuiltDeck) -> Iterator[Finding]:
    """A researched card is got by upgrading, once its task is in the campaign log."""
    tasks = built.circumstances.tasks
    assumed = []
    for line in built.ordinary:
        if not line.card.researched or not line.copies:
            continue
        if built.research_impossible:
            yield taken_out(
                line,
                gettext_noop("{name} is researched: no log can hold its task yet."),
            )
        elif tasks is None:
            assumed.append(line)
        elif not set(line.card.researched_from) & tasks:
            lower = [
                built.frame.pool[code].name
                for code in line.card.researched_from
                if code in built.frame.pool
            ]
            yield taken_out(
                line,
                gettext_noop("{name} is researched; no task of {lower} is recorded."),
                actual="",
                expected=", ".join(line.card.researched_from),
                lower=" / ".join(sorted(set(lower))),
            )
    if assumed:
        yield Finding(
            gettext_noop("The task of {names} is taken as recorded."),
            severity=Severity.ADVICE,
            cards=tuple(line.code for line in assumed),
            actual="",
            expected="",
            remedy=Remedy("record", tuple(line.code for line in assumed)),
            remedy_text=gettext_noop("Record the task in the campaign log."),
            values=(
                ("names", ", ".join(sorted({line.card.name for line in assumed}))),
            ),
        )
