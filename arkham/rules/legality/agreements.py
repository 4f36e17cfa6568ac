"""Rules on the products a table plays with, and advice on those a player owns."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.card import Card
from arkham.rules.collection import unknown_products
from arkham.rules.finding import (
    Finding,
    Phrase,
    Remedy,
    Severity,
    faq,
    gettext_noop,
    ngettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.investigator import environment_words
from arkham.rules.legality.admission import allowed_by_ruling, packs_counted
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.legality.standing import CardRole, Line
from arkham.rules.legality.tally import Concern, wakes
from arkham.rules.legality.verdict import by_card, must_leave
from arkham.rules.ultimatums import ULTIMATUMS, UltimatumEffect, under
from arkham.rules.vocabulary import Mode


@rule(
    "owned.short",
    rows=("COLL-01", "COLL-12"),
    cites=(rules_reference("Collection"),),
    wakes=wakes(Concern.OWNED),
)
def owned(built: BuiltDeck) -> Iterator[Finding]:
    """A deck needs no more copies of a card than its player owns, all printings
    together."""
    have = built.circumstances.owned
    if have is None:
        return
    for code, copies in copies_wanted(built).items():
        card = built.frame.pool[code]
        held = sum(have.get(printing.code, 0) for printing in card.printings)
        if copies > held:
            yield Finding(
                ngettext_noop(
                    "{name}: {copies} in the deck, {held} owned.",
                    "{name}: {copies} in the deck, {held} owned.",
                    "copies",
                ),
                severity=Severity.ADVICE,
                cards=built.listed_as(code),
                actual=copies,
                expected=held,
                values=(
                    ("name", built.name_of(code)),
                    ("copies", copies),
                    ("held", held),
                ),
            )


def copies_wanted(built: BuiltDeck) -> dict[str, int]:
    """Copies of each card that the deck takes from a collection, by first printing."""
    wanted: dict[str, int] = {}
    for line in (*built.lines, *built.side_lines):
        if (
            line.standing.card is not None
            and line.role is not CardRole.OUTSIDE
            and line.code != PLACEHOLDER
        ):
            code = line.card.code
            wanted[code] = wanted.get(code, 0) + line.copies
    return wanted


_LISTED = (CardRole.ORDINARY, CardRole.SIGNATURE, CardRole.UNLISTED, CardRole.STORY)


@rule(
    "ultimatum.orthodoxy",
    rows=("ULT-13", "TABOO-02"),
    cites=(faq("Ultimatum of Orthodoxy"),),
    wakes=wakes(Concern.CHOICE),
)
def orthodoxy(built: BuiltDeck) -> Iterator[Finding]:
    """Under the Ultimatum of Orthodoxy every deck follows the taboo list."""
    for assumption in built.assumptions:
        if assumption.kind == "taboo-forced":
            yield Finding(
                gettext_noop("The deck names no taboo list; we use {assumed}."),
                severity=Severity.ADVICE,
                actual="",
                expected=assumption.assumed,
                values=(("assumed", assumption.assumed),),
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
    """Under the Ultimatum of Induction decks have only level 0 cards."""
    if not under(built.frame.ultimatums, UltimatumEffect.LEVEL_0_ONLY):
        return
    for lines in built.each_deck(CardRole.ORDINARY):
        for held in by_card(line for line in lines if line.standing.level):
            yield must_leave(
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
    """A card lost for the campaign is no longer in any of its decks."""
    frame = built.frame
    if not (frame.lost_titles or frame.lost_signatures):
        return
    message = gettext_noop("{name} was removed from this campaign.")
    for lines in built.each_deck(*_LISTED):
        lost = (line for line in lines if frame.is_lost(line.card))
        for held in by_card(lost, aside=True):
            yield must_leave(held, message)


@rule(
    "ultimatum.scream",
    rows=("ULT-14",),
    cites=(faq("Ultimatum of The Scream"),),
    wakes=wakes(Concern.BANNED, Concern.SIDE_DECK),
)
def the_scream(built: BuiltDeck) -> Iterator[Finding]:
    """Under the Ultimatum of The Scream a defeated ally is no longer in any deck."""
    if not under(built.frame.ultimatums, UltimatumEffect.LOSES_ALLIES):
        return
    if built.frame.rulings["ultimatums.scream-later"] == "others":
        return  # the list of banned titles doesn't say whose cards they were
    roles = (CardRole.ORDINARY, CardRole.SIGNATURE, CardRole.UNLISTED)
    for lines in built.each_deck(*roles):
        lost = (
            line
            for line in lines
            if line.card.title in built.circumstances.banned_titles
        )
        for held in by_card(lost, aside=True):
            yield must_leave(
                held, gettext_noop("{name} was lost to the Ultimatum of The Scream.")
            )


@rule(
    "taboo.list",
    rows=("TABOO-01", "TABOO-02", "TABOO-03"),
    cites=(faq("The List of Taboos"),),
    wakes=wakes(Concern.CHOICE),
)
def taboo_list_known(built: BuiltDeck) -> Iterator[Finding]:
    """A deck follows one edition of the taboo list completely, or none."""
    for assumption in built.assumptions:
        if assumption.kind == "taboo":
            yield Finding(
                gettext_noop("We don’t know the taboo list “{found}”."),
                actual=assumption.found,
                expected=", ".join(assumption.offers),
                remedy=Remedy("choose", values=assumption.offers),
                remedy_text=gettext_noop("Choose one of the published taboo lists."),
                values=(("found", assumption.found),),
            )


@rule(
    "taboo.forbidden",
    rows=("TABOO-09", "TABOO-F01", "TABOO-F02", "TABOO-F03"),
    cites=(faq("The List of Taboos, Forbidden"),),
    wakes=wakes(Concern.FORBIDDEN, Concern.SIDE_DECK),
)
def taboo_forbidden(built: BuiltDeck) -> Iterator[Finding]:
    """A deck that follows the taboo list has no card the list forbids."""
    for lines in (built.lines, built.side_lines):
        for held in by_card(filter(_is_forbidden, lines), aside=True):
            taboo = built.frame.taboo
            yield must_leave(
                held,
                gettext_noop("{name} is forbidden by the taboo list of {date}."),
                date=taboo.date if taboo else "",
            )


def _is_forbidden(line: Line) -> bool:
    change = line.standing.taboo
    return change is not None and change.deck_limit == 0


_DECK_ROLES = (CardRole.ORDINARY, CardRole.BASIC_WEAKNESS, CardRole.STORY)


@rule(
    "environment.product",
    rows=("ENV-01", "ENV-11"),
    cites=(faq("Environments"),),
    wakes=wakes(Concern.ENVIRONMENT),
)
def products_known(built: BuiltDeck) -> Iterator[Finding]:
    """The products that make up an environment are products of the game."""
    for code in unknown_products(built.frame.environment, built.frame.pool):
        yield Finding(
            gettext_noop("No product has the code {code}."),
            actual=code,
            expected=Phrase(gettext_noop("a product")),
            remedy=Remedy("change"),
            remedy_text=gettext_noop("Correct the list of products."),
            values=(("code", code),),
        )


def _sides_outside(built: BuiltDeck) -> tuple[Card, ...]:
    """The sides in use that no product of the environment contains."""
    frame = built.frame
    if frame.packs is None:
        return ()
    terms = frame.standings.terms
    anywhere = frame.rulings["environment.investigators"] == "anywhere"
    limited = frame.environment.kind == "limited"
    outside = []
    for side in dict.fromkeys((frame.front.code, frame.back.code)):
        card = frame.pool[side]
        if any(pack in frame.packs for pack in packs_counted(terms, card)):
            continue
        beside = allowed_by_ruling(terms, card)
        if not beside and not (beside is None and limited and anywhere):
            outside.append(card)
    return tuple(outside)


@rule(
    "environment.investigator",
    rows=("ENV-01", "ENV-02", "ENV-04", "ENV-06", "ENV-07", "ENV-08"),
    cites=(faq("Environments"),),
    wakes=wakes(Concern.ENVIRONMENT),
)
def investigator_in_environment(built: BuiltDeck) -> Iterator[Finding]:
    """The investigator comes from a product of the environment."""
    for side in _sides_outside(built):
        yield Finding(
            gettext_noop("{name} isn’t in any product of the {kind} environment."),
            cards=(side.code,),
            actual=", ".join(printing.pack for printing in side.printings),
            expected=built.frame.environment.kind,
            remedy=Remedy("choose"),
            remedy_text=gettext_noop("Choose another investigator."),
            values=(
                ("name", side.name),
                ("kind", environment_words(built.frame.environment.kind)),
            ),
        )


@rule(
    "environment.card",
    rows=("ENV-01", "ENV-02", "ENV-03", "ENV-04", "ENV-07", "ENV-09", "ENV-11"),
    cites=(faq("Environments"),),
    wakes=wakes(Concern.OUT_OF_POOL, Concern.SIDE_DECK),
)
def card_in_environment(built: BuiltDeck) -> Iterator[Finding]:
    """Every card has a printing in a product of the environment."""
    frame = built.frame
    # If the investigator is outside the environment, so are the signatures.
    roles = _DECK_ROLES if _sides_outside(built) else (*_DECK_ROLES, CardRole.SIGNATURE)
    kind = frame.environment.kind
    for lines in built.each_deck(*roles):
        outside = (
            line for line in lines if Concern.OUT_OF_POOL in line.standing.concerns
        )
        for held in by_card(outside):
            yield must_leave(
                held,
                gettext_noop("{name} isn’t in any product of the {kind} environment."),
                expected=kind,
                kind=environment_words(kind),
            )
