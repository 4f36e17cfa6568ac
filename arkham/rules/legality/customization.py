"""Rules on filled-in upgrade sheets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from arkham.rules.card import SheetOption
from arkham.rules.deck import SheetMark
from arkham.rules.finding import (
    Finding,
    Message,
    Phrase,
    Remedy,
    Severity,
    faq,
    gettext_noop,
    ngettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.sheets import (
    MOST_BOXES,
    boxes_of,
    line_at,
    most_marked,
    open_choices,
    repeated_choice,
    writing_fault,
)
from arkham.rules.legality.standing import Standing
from arkham.rules.legality.tally import Concern, wakes
from arkham.rules.vocabulary import BoxChoice

_CITES = (rules_reference("Customizable"),)
_AWAKE = wakes(Concern.CUSTOMIZED)


def _sheets(
    built: BuiltDeck,
) -> Iterator[tuple[str, str, Standing, tuple[SheetMark, ...]]]:
    """Yield every upgrade sheet of a card in the deck: code, name, standing, marks.

    The sheet of a card that left the deck is out of use: its marks break no rule.
    """
    in_deck = _codes_in_deck(built)
    for code in sorted(built.deck.sheets):
        standing = built.frame.standing(code)
        card = standing.card
        if card and card.sheet and card.code in in_deck:
            yield code, card.name, standing, _marks(built, code)


def _marks(built: BuiltDeck, code: str) -> tuple[SheetMark, ...]:
    """The entries of a sheet that mark or write anything."""
    marks = built.deck.sheets[code]
    return tuple(each for each in marks if each.boxes or each.written)


def _codes_in_deck(built: BuiltDeck) -> set[str]:
    return {line.standing.card.code for line in built.lines if line.standing.card}


def _change(code: str, message: Message, **values: object) -> Finding:
    return Finding(
        message,
        cards=(code,),
        actual=values.pop("actual", None),  # type: ignore[arg-type]
        expected=values.pop("expected", None),  # type: ignore[arg-type]
        remedy=Remedy("change", (code,)),
        remedy_text=gettext_noop("Correct the upgrade sheet of {name}."),
        values=tuple(values.items()),  # type: ignore[arg-type]
    )


@rule(
    "customization.card",
    rows=("CUST-01", "CUST-05", "CUST-14"),
    cites=_CITES,
    wakes=_AWAKE,
)
def sheet_has_a_card(built: BuiltDeck) -> Iterator[Finding]:
    """An upgrade sheet belongs to a customizable card of the deck."""
    in_deck = _codes_in_deck(built)
    for code in filter(partial(_marks, built), sorted(built.deck.sheets)):
        card = built.frame.standing(code).card
        if card is None or not card.sheet:
            yield _change(
                code,
                gettext_noop("{name} isn’t customizable: it has no upgrade sheet."),
                actual=code,
                expected=Phrase(gettext_noop("customizable")),
                name=card.name if card else code,
            )
        elif card.code not in in_deck:
            yield Finding(
                gettext_noop("{name} isn’t in the deck; its upgrade sheet is kept."),
                severity=Severity.ADVICE,
                cards=(code,),
                actual=0,
                values=(("name", card.name),),
            )


@rule(
    "customization.line",
    rows=("CUST-01", "CUST-20", "TABOO-M05"),
    cites=_CITES,
    wakes=_AWAKE,
)
def lines_exist(built: BuiltDeck) -> Iterator[Finding]:
    """Boxes are marked on lines that the sheet has, each line once."""
    for code, name, standing, marks in _sheets(built):
        seen: set[int] = set()
        for mark in marks:
            if line_at(standing.sheet, mark.position) is None or mark.position in seen:
                yield _change(
                    code,
                    gettext_noop(
                        "{name} has no line {line}, or the line is listed twice."
                    ),
                    actual=mark.position,
                    expected=f"0–{len(standing.sheet) - 1}",
                    name=name,
                    line=mark.position,
                )
            seen.add(mark.position)


@rule(
    "customization.boxes",
    rows=("CUST-03", "CUST-04", "CUST-02"),
    cites=_CITES,
    wakes=_AWAKE,
)
def boxes_within_line(built: BuiltDeck) -> Iterator[Finding]:
    """No line has more boxes marked than are printed on it; some may be empty."""
    for code, name, standing, marks in _sheets(built):
        for mark in marks:
            line = line_at(standing.sheet, mark.position)
            if line is not None and mark.boxes > most_marked(line):
                yield _change(
                    code,
                    gettext_noop(
                        "{line}: {boxes} boxes marked, but the line has {most}."
                    ),
                    actual=mark.boxes,
                    expected=line.boxes,
                    boxes=mark.boxes,
                    line=line.name,
                    most=line.boxes,
                    name=name,
                )


@rule("customization.cap", rows=("CUST-07",), cites=_CITES, wakes=_AWAKE)
def ten_boxes(built: BuiltDeck) -> Iterator[Finding]:
    """No more than ten boxes of a sheet are marked."""
    for code, name, standing, marks in _sheets(built):
        boxes = boxes_of(standing.sheet, marks)
        if boxes > MOST_BOXES:
            yield _change(
                code,
                ngettext_noop(
                    "{boxes} box of {name} is marked; at most {most} may be.",
                    "{boxes} boxes of {name} are marked; at most {most} may be.",
                    "boxes",
                ),
                actual=boxes,
                expected=MOST_BOXES,
                boxes=boxes,
                most=MOST_BOXES,
                name=name,
            )


def _read(written: str, line: SheetOption, built: BuiltDeck) -> str:
    """The text written on a line, with a card's code replaced by its name."""
    card = built.frame.pool.get_card(written)
    return card.name if card and line.choice is BoxChoice.CARD else written


@rule(
    "customization.choice",
    rows=("CUST-17",),
    cites=(*_CITES, faq("Grizzled")),
    wakes=_AWAKE,
)
def choices_written(built: BuiltDeck) -> Iterator[Finding]:
    """A choice on an upgrade sheet is a trait, skill, card or slot that its line
    may name."""
    for code, name, standing, marks in _sheets(built):
        for mark in marks:
            line = line_at(standing.sheet, mark.position)
            if line is None:
                continue
            fault = writing_fault(line, mark.written, standing.slots, built.frame.pool)
            if not fault and repeated_choice(standing.sheet, marks, mark):
                fault = Phrase(gettext_noop("another one"))
            if fault:
                yield _change(
                    code,
                    gettext_noop("{name}: {line} can’t be {written}. Expected: {why}."),
                    actual=", ".join(mark.written),
                    expected=fault,
                    written=", ".join(
                        _read(each, line, built) for each in mark.written
                    ),
                    line=line.name,
                    why=fault,
                    name=name,
                )


@rule(
    "customization.unwritten",
    rows=("CUST-17",),
    cites=_CITES,
    wakes=wakes(Concern.UNWRITTEN),
)
def choices_open(built: BuiltDeck) -> Iterator[Finding]:
    """A line that asks for a choice has the choice written on it."""
    incomplete = built.frame.rulings["customizable.unlisted-choice"] == "incomplete"
    for line in built.concerned(Concern.UNWRITTEN):
        missing = [each.name for each in open_choices(line.standing.sheet, line.marks)]
        if missing:
            yield Finding(
                gettext_noop("{name}: choose what to write on {lines}."),
                severity=Severity.INCOMPLETE if incomplete else Severity.ADVICE,
                cards=(line.code,),
                actual=0,
                expected=len(missing),
                remedy=Remedy("choose", (line.code,)),
                remedy_text=gettext_noop("Write your choice on the upgrade sheet."),
                values=(("name", line.card.name), ("lines", ", ".join(missing))),
            )
