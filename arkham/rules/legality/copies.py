"""Rules on the number of copies of a title.

Copies are counted by title over levels and printings (rows CARD-01, CARD-02). Each rule
here checks one kind of limit; if several apply, the lowest one reports.
"""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.finding import (
    Citation,
    Finding,
    Message,
    Remedy,
    Severity,
    faq,
    gettext_noop,
    ngettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.compiling import most_outside_options
from arkham.rules.legality.lines import LimitKind, TitleGroup
from arkham.rules.legality.standing import CardRole, Line
from arkham.rules.legality.tally import UNMET_SIZE, Concern, wakes
from arkham.rules.modifiers import TRAIT_LIMITS


@rule(
    "deck.size",
    rows=("DECK-03", "DECK-04", "DECK-27", "KW-05", "WEAK-11", "OPT-16", "TABOO-M01"),
    cites=(rules_reference("Deckbuilding"),),
    wakes=UNMET_SIZE,
)
def deck_size(built: BuiltDeck) -> Iterator[Finding]:
    """A deck has exactly as many cards as its Deck Size asks for.

    Weaknesses, required and story cards and permanents do not count.
    """
    found, wanted = built.counted, built.frame.size
    if found == wanted or not built.frame.size_judged:
        return
    values = (
        ("found", found),
        ("wanted", wanted),
        ("excess", abs(found - wanted)),
        ("name", built.frame.front.name),
    )
    if found < wanted:
        yield Finding(
            ngettext_noop(
                "The deck has {found} of {wanted} card.",
                "The deck has {found} of {wanted} cards.",
                "wanted",
            ),
            severity=Severity.INCOMPLETE,
            actual=found,
            expected=wanted,
            remedy=Remedy("add", copies=wanted - found),
            remedy_text=ngettext_noop(
                "Add {excess} card.", "Add {excess} cards.", "excess"
            ),
            values=values,
        )
        return
    yield Finding(
        ngettext_noop(
            "The deck has {found} card; it needs exactly {wanted}.",
            "The deck has {found} cards; it needs exactly {wanted}.",
            "found",
        ),
        actual=found,
        expected=wanted,
        remedy=Remedy("remove", copies=found - wanted),
        remedy_text=ngettext_noop(
            "Remove {excess} card.", "Remove {excess} cards.", "excess"
        ),
        values=values,
    )


_AWAKE = wakes(Concern.SURPLUS, Concern.SHARED_TITLE)


def _limited_by_trait(group: TitleGroup) -> bool:
    return all(
        any(row.trait in line.standing.traits for row in TRAIT_LIMITS)
        for line in group.lines
    )


def _findings(built: BuiltDeck, kind: LimitKind, message: Message) -> Iterator[Finding]:
    for excess in built.excesses:
        group = excess.group
        if excess.kind is not kind:
            continue
        if kind is LimitKind.PRINTED and _limited_by_trait(group):
            continue  # its printed limit counts a trait, not a title
        surplus = excess.copies - excess.limit
        yield Finding(
            message,
            cards=group.codes,
            actual=excess.copies,
            expected=excess.limit,
            remedy=Remedy("remove", codes=group.codes, copies=surplus),
            remedy_text=gettext_noop("Remove {surplus} × {title}."),
            values=(
                ("title", group.title),
                ("found", excess.copies),
                ("limit", excess.limit),
                ("surplus", surplus),
            ),
        )


@rule(
    "copies.title",
    rows=("DECK-05", "CARD-01", "CARD-02", "CARD-03", "TRAP-01"),
    cites=(rules_reference("Deckbuilding"), faq("2.21")),
    wakes=LimitKind.GENERAL.wakes,
)
def two_by_title(built: BuiltDeck) -> Iterator[Finding]:
    """A deck has at most two copies of a title, whatever their level."""
    return _findings(
        built,
        LimitKind.GENERAL,
        ngettext_noop(
            "{found} copy of {title}; at most {limit} are allowed.",
            "{found} copies of {title}; at most {limit} are allowed.",
            "found",
        ),
    )


@rule(
    "copies.exceptional",
    rows=("KW-03", "TABOO-M02", "TABOO-M03", "GAP-20", "KW-04"),
    cites=(rules_reference("Exceptional"),),
    wakes=LimitKind.EXCEPTIONAL.wakes,
)
def one_exceptional(built: BuiltDeck) -> Iterator[Finding]:
    """A deck has at most one copy, by title, of an exceptional card."""
    return _findings(
        built,
        LimitKind.EXCEPTIONAL,
        ngettext_noop(
            "{found} copy of {title}, which is exceptional; at most 1 is allowed.",
            "{found} copies of {title}, which is exceptional; at most 1 is allowed.",
            "found",
        ),
    )


@rule(
    "copies.myriad",
    rows=("KW-10",),
    cites=(Citation("Rules Reference", "Myriad"),),
    wakes=LimitKind.MYRIAD.wakes,
)
def three_myriad(built: BuiltDeck) -> Iterator[Finding]:
    """A deck has at most three copies, by title, of a myriad card."""
    return _findings(
        built,
        LimitKind.MYRIAD,
        ngettext_noop(
            "{found} copy of {title}, which is myriad; at most 3 are allowed.",
            "{found} copies of {title}, which is myriad; at most 3 are allowed.",
            "found",
        ),
    )


@rule(
    "copies.printed",
    rows=("CARD-18", "DECK-20", "KW-23", "TABOO-M03"),
    cites=(faq("2.3"),),
    wakes=LimitKind.PRINTED.wakes,
)
def printed_limit(built: BuiltDeck) -> Iterator[Finding]:
    """If a card prints how many copies a deck may have, that is its limit, by
    title."""
    return _findings(
        built,
        LimitKind.PRINTED,
        ngettext_noop(
            "{found} copy of {title}; the card allows {limit}.",
            "{found} copies of {title}; the card allows {limit}.",
            "found",
        ),
    )


@rule("copies.subtitle", rows=("CARD-18", "DECK-20"), cites=(faq("2.3"),), wakes=_AWAKE)
def limit_by_subtitle(built: BuiltDeck) -> Iterator[Finding]:
    """A card limited by its subtitle is counted by title and subtitle."""
    if built.frame.singleton or built.frame.highlander:
        return
    for group in built.crowded_titles:
        held: dict[str, list[Line]] = {}
        for line in group.lines:
            if line.card.limit_by_subname:
                held.setdefault(line.card.subname, []).append(line)
        for subname, lines in held.items():
            copies = sum(line.copies for line in lines)
            limit = lines[0].card.deck_limit or 1
            if copies > limit:
                codes = tuple(line.code for line in lines)
                yield Finding(
                    ngettext_noop(
                        "{found} copy of {title} ({subname}); {limit} is allowed.",
                        "{found} copies of {title} ({subname}); {limit} is allowed.",
                        "found",
                    ),
                    cards=codes,
                    actual=copies,
                    expected=limit,
                    remedy=Remedy("remove", codes=codes, copies=copies - limit),
                    remedy_text=gettext_noop("Remove {surplus} × {title} ({subname})."),
                    values=(
                        ("title", group.title),
                        ("subname", subname),
                        ("found", copies),
                        ("limit", limit),
                        ("surplus", copies - limit),
                    ),
                )


@rule(
    "copies.singleton",
    rows=("DECK-05", "DECK-20"),
    cites=(Citation("Card", "Underworld Support", "08046"),),
    wakes=LimitKind.SINGLETON.wakes,
)
def singleton_deck(built: BuiltDeck) -> Iterator[Finding]:
    """With Underworld Support a deck has one copy of each title, except signatures
    and weaknesses."""
    return _findings(
        built,
        LimitKind.SINGLETON,
        ngettext_noop(
            "{found} copy of {title}; this deck may have only 1 of each title.",
            "{found} copies of {title}; this deck may have only 1 of each title.",
            "found",
        ),
    )


@rule(
    "ultimatum.highlander",
    rows=("ULT-11", "ULT-47"),
    cites=(faq("Ultimatum of the Highlander"),),
    wakes=LimitKind.HIGHLANDER.wakes,
)
def highlander(built: BuiltDeck) -> Iterator[Finding]:
    """Under the Ultimatum of the Highlander a deck has one copy, by title, of each
    non-weakness card.

    Copies that the investigator's requirements ask for are exempt.
    """
    return _findings(
        built,
        LimitKind.HIGHLANDER,
        ngettext_noop(
            "{found} copy of {title}; the Ultimatum of the Highlander allows 1.",
            "{found} copies of {title}; the Ultimatum of the Highlander allows 1.",
            "found",
        ),
    )


@rule(
    "copies.trait",
    rows=("CARD-18", "DECK-20"),
    cites=(Citation("Card", "Sacred Covenant", "07110"),),
    wakes=wakes(Concern.TRAIT_LIMIT),
)
def one_covenant(built: BuiltDeck) -> Iterator[Finding]:
    """A deck has at most one Covenant."""
    for row in TRAIT_LIMITS:
        lines = [line for line in built.ordinary if row.trait in line.standing.traits]
        copies = sum(line.copies for line in lines)
        if copies <= row.limit:
            continue
        codes = tuple(line.code for line in lines)
        yield Finding(
            ngettext_noop(
                "{found} {trait} card; {limit} is allowed.",
                "{found} {trait} cards; {limit} is allowed.",
                "found",
            ),
            cards=codes,
            actual=copies,
            expected=row.limit,
            remedy=Remedy("remove", codes=codes, copies=copies - row.limit),
            remedy_text=gettext_noop("Remove {surplus} of them."),
            values=(
                ("trait", row.trait.capitalize()),
                ("found", copies),
                ("limit", row.limit),
                ("surplus", copies - row.limit),
            ),
            cites=row.cites,
        )


@rule(
    "weakness.copies",
    rows=("WEAK-03", "COLL-03", "COLL-09"),
    cites=(faq("Random basic weakness"),),
    wakes=_AWAKE,
)
def weakness_copies(built: BuiltDeck) -> Iterator[Finding]:
    """No deck has more copies of a weakness or story card than its products
    contain.

    The two faces of one card are one card.
    """
    lines = [*built.of_role(CardRole.BASIC_WEAKNESS, CardRole.STORY)]
    if sum(line.copies for line in lines) <= 1:
        return
    fronts = {line.card.back_code: line.card.code for line in lines}
    held: dict[str, list[Line]] = {}
    for line in lines:
        code = line.card.code
        held.setdefault(fronts.get(code, code), []).append(line)
    for lines in held.values():
        card = lines[0].card
        copies, limit = sum(line.copies for line in lines), most_outside_options(card)
        if copies <= limit:
            continue
        codes = tuple(line.code for line in lines)
        yield Finding(
            ngettext_noop(
                "{found} copy of {name}; its products contain {limit}.",
                "{found} copies of {name}; its products contain {limit}.",
                "found",
            ),
            cards=codes,
            actual=copies,
            expected=limit,
            remedy=Remedy("remove", codes, copies - limit),
            remedy_text=gettext_noop("Remove {surplus} × {name}."),
            values=(
                ("name", built.name_of(card.code)),
                ("found", copies),
                ("limit", limit),
                ("surplus", copies - limit),
            ),
        )
