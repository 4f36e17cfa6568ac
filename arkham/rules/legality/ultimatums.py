"""Rules on the ultimatums a table chose, and on cards it lost."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.finding import (
    Finding,
    Remedy,
    Severity,
    faq,
    gettext_noop,
    rule,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.remedies import by_card, taken_out
from arkham.rules.legality.standing import Role
from arkham.rules.legality.tally import Concern, wakes
from arkham.rules.ultimatums import ULTIMATUMS
from arkham.rules.vocabulary import Mode

_LISTED = (Role.ORDINARY, Role.SIGNATURE, Role.UNLISTED, Role.STORY)


@rule(
    "ultimatum.orthodoxy",
    rows=("ULT-13", "TABOO-02"),
    cites=(faq("Ultimatum of Orthodoxy"),),
    wakes=wakes(Concern.CHOICE),
)
def orthodoxy(built: BuiltDeck) -> Iterator[Finding]:
    """Under Orthodoxy every deck follows the list of taboos."""
    for doubt in built.doubts:
        if doubt.kind == "taboo-forced":
            yield Finding(
                gettext_noop("The deck names no list of taboos; {assumed} is used."),
                severity=Severity.ADVICE,
                actual="",
                expected=doubt.assumed,
                values=(("assumed", doubt.assumed),),
            )


@rule(
    "ultimatum.campaign-only",
    rows=("ULT-00b", "STAND-13"),
    cites=(faq("Ultimatums and Boons"),),
    wakes=wakes(Concern.ULTIMATUM),
)
def ultimatum_available(built: BuiltDeck) -> Iterator[Finding]:
    """An ultimatum or boon marked for campaigns is not used in a standalone game."""
    if built.frame.mode is not Mode.STANDALONE:
        return
    for each in sorted(built.frame.ultimatums):
        row = ULTIMATUMS.get(each)
        if row is not None and row.campaign_only:
            yield Finding(
                gettext_noop("{name} is for campaigns only."),
                actual=each,
                expected="campaign",
                remedy=Remedy("change"),
                remedy_text=gettext_noop("Play without it."),
                values=(("name", row.name),),
            )


@rule(
    "ultimatum.induction",
    rows=("ULT-12", "XP-25", "ULT-48"),
    cites=(faq("Ultimatum of Induction"),),
    wakes=wakes(Concern.ULTIMATUM),
)
def induction(built: BuiltDeck) -> Iterator[Finding]:
    """Under Induction decks hold only level 0 cards."""
    if "induction" not in built.frame.ultimatums:
        return
    for lines in built.each_deck(Role.ORDINARY):
        for held in by_card(line for line in lines if line.standing.level):
            yield taken_out(
                held,
                gettext_noop("{name} is level {level}; only level 0 is allowed."),
                level=held.standing.level or 0,
            )


@rule(
    "campaign.lost",
    rows=("CYC-DW1", "DECK-19"),
    cites=(faq("Frequently Asked Questions: The Dunwich Legacy"),),
    wakes=wakes(Concern.BANNED, Concern.SIDE_DECK),
)
def lost_to_the_campaign(built: BuiltDeck) -> Iterator[Finding]:
    """A card that a campaign took for good is in no deck of it any more."""
    gone = built.frame.lost_titles
    if not gone:
        return
    for lines in built.each_deck(*_LISTED):
        lost = (line for line in lines if line.card.title in gone)
        for held in by_card(lost):
            yield taken_out(held, gettext_noop("{name} is lost to this campaign."))


@rule(
    "ultimatum.scream",
    rows=("ULT-14",),
    cites=(faq("Ultimatum of The Scream"),),
    wakes=wakes(Concern.BANNED, Concern.SIDE_DECK),
)
def the_scream(built: BuiltDeck) -> Iterator[Finding]:
    """Under The Scream an ally that was defeated is in nobody's deck any more."""
    if "scream" not in built.frame.ultimatums:
        return
    if built.frame.rulings["ultimatums.scream-later"] == "others":
        return  # the list of banned titles does not say whose they were
    roles = (Role.ORDINARY, Role.SIGNATURE, Role.UNLISTED)
    for lines in built.each_deck(*roles):
        lost = (
            line
            for line in lines
            if line.card.title in built.circumstances.banned_titles
        )
        for held in by_card(lost):
            yield taken_out(held, gettext_noop("{name} was lost to The Scream."))
