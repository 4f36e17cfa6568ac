"""The marks on one upgrade sheet, and checks of them."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.card import SheetOption
from arkham.rules.deck import DeckList, SheetMark
from arkham.rules.finding import Listing, Phrase, Value, gettext_noop
from arkham.rules.investigator import type_words
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import BoxChoice

MOST_BOXES = 10
SKILLS = frozenset({"willpower", "intellect", "combat", "agility"})

Sheet = tuple[SheetOption, ...]
Marks = tuple[SheetMark, ...]


def line_at(sheet: Sheet, position: int) -> SheetOption | None:
    """The line of a sheet at this position of ArkhamDB's data, or None."""
    return next((line for line in sheet if line.position == position), None)


def boxes_of(sheet: Sheet, marks: Marks) -> int:
    """The number of boxes marked: each line counts once, up to the boxes it has."""
    return sum(boxes_by_line(sheet, marks).values())


def boxes_by_line(sheet: Sheet, marks: Marks) -> dict[int, int]:
    """The boxes marked on each line of the sheet."""
    marked: dict[int, int] = {}
    for mark in marks:
        marked[mark.position] = max(mark.boxes, marked.get(mark.position, 0))
    return {
        line.position: min(marked.get(line.position, 0), line.boxes) for line in sheet
    }


def most_marked(line: SheetOption) -> int:
    """The most boxes that a list may mark on a line.

    Other programs record a taboo surcharge as additional boxes; Orne charges them as
    the surcharge, and doesn't count them as boxes of the line (CUST-19).
    """
    return line.boxes + line.surcharge


def writing_fault(
    line: SheetOption, written: tuple[str, ...], slots: tuple[str, ...], pool: CardPool
) -> Value:
    """Describe what should be written on a line, or return "" if it is right as it is.

    ``slots`` are those printed on the card; a choice of slots counts by them.
    """
    if not written:
        return ""
    if line.choice is None:
        return Phrase(gettext_noop("nothing"))
    if len(written) > max(line.picks, 1):
        return Phrase(gettext_noop("at most {most}"), (("most", max(line.picks, 1)),))
    if len({each.lower() for each in written}) < len(written):
        return Phrase(gettext_noop("different ones"))
    if line.choice is BoxChoice.SKILL:
        known = SKILLS.issuperset(each.lower() for each in written)
        return "" if known else Phrase(gettext_noop("a skill"))
    if line.choice is BoxChoice.TRAIT:
        known = all(each.lower() in pool.traits for each in written)
        return "" if known else Phrase(gettext_noop("a trait"))
    if line.choice is BoxChoice.SLOT:
        places = {str(index) for index in range(len(slots))}
        return (
            ""
            if places.issuperset(written)
            else Phrase(gettext_noop("one of its slots"))
        )
    for code in written:
        card = pool.get_card(code)
        if card is None:
            return Phrase(gettext_noop("a card"))
        if line.card_types and card.type not in line.card_types:
            return Listing(tuple(map(type_words, line.card_types)), "/")
        if line.card_traits and not set(line.card_traits) & set(card.traits):
            return "/".join(each.title() for each in line.card_traits)
    return ""


def repeated_choice(sheet: Sheet, marks: Marks, mark: SheetMark) -> bool:
    """True if a line names what an earlier line with the same kind of choice names."""
    line = line_at(sheet, mark.position)
    if line is None or line.choice in (None, BoxChoice.SLOT):
        return False
    named = {
        each.lower()
        for other in marks
        if other.position < mark.position
        and (earlier := line_at(sheet, other.position)) is not None
        and earlier.choice is line.choice
        for each in other.written
    }
    return any(each.lower() in named for each in mark.written)


def open_choices(sheet: Sheet, marks: Marks) -> Iterator[SheetOption]:
    """Yield the lines in force that ask for a choice which isn't written there yet."""
    marked = {mark.position: mark for mark in marks}
    for line in sheet:
        if line.choice is None:
            continue
        mark = marked.get(line.position)
        in_force = line.boxes == 0 or (mark is not None and mark.boxes >= line.boxes)
        wanted = max(line.picks, 1)
        if in_force and (mark is None or len(mark.written) < wanted):
            yield line


def is_sound(
    sheet: Sheet, marks: Marks, slots: tuple[str, ...], pool: CardPool
) -> bool:
    """True if the marks on a sheet break no rule."""
    if len({mark.position for mark in marks}) < len(marks):
        return False
    if boxes_of(sheet, marks) > MOST_BOXES:
        return False
    for mark in marks:
        line = line_at(sheet, mark.position)
        if line is None or mark.boxes > most_marked(line):
            return False
        if writing_fault(line, mark.written, slots, pool):
            return False
        if repeated_choice(sheet, marks, mark):
            return False
    return True


def marked_codes(deck: DeckList, pool: CardPool) -> list[str]:
    """The codes of a deck's entries for which the list has a sheet."""
    if not deck.sheets:
        return []
    if deck.sheets.keys() <= deck.entries.keys():
        return list(deck.sheets)
    return [code for code in deck.entries if marks_of(deck, code, pool)]


def marks_of(deck: DeckList, code: str, pool: CardPool) -> tuple[SheetMark, ...]:
    """The marks on a card's sheet, whichever printing the list names."""
    if not deck.sheets:
        return ()
    card = pool.get_card(code)
    if card is None or not card.sheet:
        return ()  # nothing to mark; a rule reports the sheet itself
    if code in deck.sheets:
        return deck.sheets[code]
    for printing in card.printings:
        if printing.code in deck.sheets:
            return deck.sheets[printing.code]
    return ()
