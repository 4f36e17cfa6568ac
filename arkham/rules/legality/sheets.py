"""The marks on one upgrade sheet, and what is wrong with them."""

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
    """The line of a sheet at a position of the field's formats."""
    return next((line for line in sheet if line.position == position), None)


def boxes_of(sheet: Sheet, marks: Marks) -> int:
    """All boxes marked: of each line of the sheet once, no more than it has."""
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
    """Boxes a list may say are marked on a line.

    Other programs write a surcharge of the taboo list as boxes more; they are
    paid for as the surcharge, and are no boxes of the line (CUST-19).
    """
    return line.boxes + line.surcharge


def writing_fault(
    line: SheetOption, written: tuple[str, ...], slots: tuple[str, ...], pool: CardPool
) -> Value:
    """What should have been written on a line, "" if what is there is right.

    ``slots`` are those the card prints, by which a slot choice counts.
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
    """Whether a line names again what an earlier line of its kind has named."""
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
    """The lines in force that ask for a choice and have none written."""
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
    """Whether the marks on a sheet are such as may be there."""
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
    """The codes of a deck's entries whose sheets the list carries."""
    if not deck.sheets:
        return []
    if deck.sheets.keys() <= deck.entries.keys():
        return list(deck.sheets)
    return [code for code in deck.entries if marks_of(deck, code, pool)]


def marks_of(deck: DeckList, code: str, pool: CardPool) -> tuple[SheetMark, ...]:
    """The boxes marked on a card's sheet, whichever printing names it."""
    if not deck.sheets:
        return ()
    card = pool.get_card(code)
    if card is None or not card.sheet:
        return ()  # nothing to mark; the sheet itself is found fault with
    if code in deck.sheets:
        return deck.sheets[code]
    for printing in card.printings:
        if printing.code in deck.sheets:
            return deck.sheets[printing.code]
    return ()
