"""One entry of a deck as pages show it: name, signs, what admits it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from arkham.rules.card import Card
from arkham.rules.finding import Finding, Severity
from arkham.rules.gists import gist_of
from arkham.rules.legality.compiling import most_copies
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import GENERAL_LIMIT, CardRole, Standing
from arkham.rules.legality.tally import MOST_COPIES
from arkham.rules.library import entry_of, library
from arkham.rules.vocabulary import SignatureKind
from arkham.web.http import mark_of
from cardpool.languages import shown_name
from cardpool.relations import in_full
from cardpool.shown import Count, ShownCard, X, icons_of
from cardpool.words import taboo_words
from decks.pages.notes import Note, translated
from decks.pages.set_up import SetApart
from decks.pages.sheets import SheetLine

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Admitted:
    """Some copies of a card, and what admits them.

    ``limited``: an option for so many cards; ``by_option``: no other ground.
    """

    copies: int
    label: Words
    limited: bool = False
    by_option: bool = True

    def __str__(self) -> str:
        """The same in one line."""
        if not self.by_option:
            return f"{self.copies} × {self.label}"
        said = _("%(copies)d × allowed by: %(label)s")
        return said % {"copies": self.copies, "label": self.label}


class TabooMark(NamedTuple):
    """What a taboo list changes on a card: a sign, experience, and words."""

    sign: str
    experience: str
    words: str


def taboo_mark(standing: Standing | None) -> TabooMark | None:
    """The mark of a card that the taboo list in force names."""
    change = standing.taboo if standing else None
    if change is None:
        return None
    more = change.experience
    easier = more < 0 or change.exceptional is False
    harder = more > 0 or change.exceptional or change.deck_limit is not None
    sign = "unchained" if easier else "chained" if harder else "taboo"
    number = f"{more:+d}".replace("-", "−") if more else ""
    words = ", ".join(taboo_words(change))
    return TabooMark(sign, number, _("Taboo: %(change)s") % {"change": words})


def held_of(card: Card | None, owned: Mapping[str, int] | None) -> int | None:
    """Copies of a card that are owned, over its printings; None where it's unknown."""
    if card is None or owned is None:
        return None
    return sum(owned.get(printing.code, 0) for printing in card.printings)


MOST_QUANTITIES = 4  # more copies than that are counted up and down


@dataclass(frozen=True, slots=True)
class Quantity:
    """A button that makes a card have so many copies; one is the present number."""

    copies: int
    is_present: bool
    label: str


def quantities(most: int, copies: int, name: str) -> tuple[Quantity, ...]:
    """The numbers of copies a card may have, from none, and the one it has."""
    numbers = {*range(min(most, MOST_QUANTITIES) + 1), copies}
    return tuple(
        Quantity(
            number,
            number == copies,
            ngettext(
                "%(copies)d copy of %(name)s", "%(copies)d copies of %(name)s", number
            )
            % {"copies": number, "name": name},
        )
        for number in sorted(numbers)
    )


def most_copies_in(frame: Frame | None, standing: Standing | None) -> int:
    """How many copies of a card a deck may have, whatever else is in it."""
    if standing is None or standing.card is None:
        return GENERAL_LIMIT
    if standing.role is CardRole.SIGNATURE and frame is not None:
        copies = (each for one in frame.signature_sets for each in one.copies)
        code = standing.card.code
        return max((most for each, _least, most in copies if each == code), default=1)
    if standing.limit >= MOST_COPIES:  # there is no limit to what must not be there
        return most_copies(standing.card)
    return standing.limit


# A deck that is full is no fault of the card.
_OF_THE_WHOLE = frozenset({"deck.size", "side-deck.size"})
# How many copies there may be of a card, for what is printed on it.
_OF_COPIES = frozenset(
    f"copies.{each}"
    for each in ("title", "exceptional", "myriad", "printed", "subtitle")
)


def barring(findings: Iterable[Finding], code: str) -> Finding | None:
    """The first finding that makes a card illegal, whatever else is in the deck."""
    return next(
        (
            finding
            for finding in findings
            if finding.severity is Severity.ILLEGAL
            and code in finding.cards
            and finding.rule not in _OF_THE_WHOLE
        ),
        None,
    )


def refusal(bar: Finding | None) -> dict[str, Any]:
    """Why one copy more of a found card is illegal; nothing where it would not be."""
    if bar is None:
        return {}
    text = _("No room for another copy: the limit is %(limit)s.")
    is_at_limit = bar.rule in _OF_COPIES
    return {
        "reason": text % {"limit": bar.expected} if is_at_limit else translated(bar)[0],
        "cites": tuple(map(str, bar.cites)),
        "entry": entry_of(library(), bar.rule),
        "is_at_limit": is_at_limit,
    }


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of a deck. ``card`` is None for a code that is no card's.

    ``copies`` counts all of them, ``aside`` those that do not count; ``subtitle``
    distinguishes the card from others of its name and level; ``most`` copies may be
    in the deck, ``held`` are owned (None where that is unknown); ``elsewhere`` counts
    its copies in entries of other printings; ``face`` is the card as it is drawn,
    where a page draws it: in one ``look`` of the deck.
    """

    code: str
    card: Card | None
    copies: int
    aside: int
    standing: Standing
    admitted: tuple[Admitted, ...]
    notes: tuple[Note, ...]
    sheet: tuple[SheetLine, ...] = ()
    apart: SetApart | None = None
    subtitle: str = ""
    most: int = GENERAL_LIMIT
    held: int | None = None
    elsewhere: int = 0
    face: ShownCard | None = None
    look: str = ""

    @property
    def short(self) -> bool:
        """Whether fewer copies are owned than are in the deck."""
        return self.held is not None and self.held < self.copies

    @property
    def experience(self) -> int:
        """What its copies cost, taboos and boxes included."""
        counted = self.copies - self.aside
        once = min(counted, 1) if self.standing.cost_once else counted
        return self.standing.cost * once

    @property
    def taboo(self) -> TabooMark | None:
        """What the taboo list changes on it."""
        return taboo_mark(self.standing)

    @property
    def limited(self) -> tuple[Admitted, ...]:
        """The copies that take up room of an option for so many cards."""
        return tuple(each for each in self.admitted if each.limited)

    @property
    def worst_note(self) -> Note | None:
        """The finding that its mark leads to."""
        return next((each for each in self.notes if each.style == self.worst), None)

    @property
    def finding_label(self) -> str:
        """What that mark says to those who only hear it."""
        if self.worst_note is None:
            return ""
        said = _("%(name)s: %(word)s, see finding %(number)d")
        note = self.worst_note
        return said % {"name": self.name, "word": note.word, "number": note.number}

    remark: str = ""

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The numbers of copies that one press makes it have, over all printings."""
        return quantities(self.most, self.copies + self.elsewhere, self.full_name)

    @property
    def name(self) -> str:
        """The card's name, or the unknown code."""
        return shown_name(self.card) if self.card else self.code

    @property
    def gist(self) -> str:
        """What the card does, in a line."""
        return gist_of(self.card.code).text if self.card else ""

    @property
    def level(self) -> int | None:
        """The level the card has here: of a customizable card, by its boxes."""
        level = self.standing.level
        return level if level is not None or self.card is None else self.card.level

    @property
    def full_name(self) -> str:
        """Its name as no other row has it, for those who only hear it."""
        return in_full(self.name, self.subtitle, self.level)

    @property
    def signs(self) -> tuple[str, ...]:
        """The names of the signs of its classes."""
        return class_signs(self.card)

    @property
    def version(self) -> Words:
        """What distinguishes it from another card of its name."""
        return version_word(self.card) or self.subtitle

    @property
    def cost(self) -> str:
        """The printed cost, "" for none."""
        return cost_word(self.card)

    @property
    def icons(self) -> tuple[Count, ...]:
        """The skill icons of the card, those it has."""
        if self.card is None or self.card.investigator is not None:
            return ()
        return icons_of(self.card)

    @property
    def suggested(self) -> tuple[str, ...]:
        """The names that may be written on its sheet: one kind on all its lines."""
        return next((line.suggested for line in self.sheet if line.suggested), ())

    @property
    def add_label(self) -> str:
        """What the button for one copy more says to those who only hear it."""
        return _("Add 1 %(name)s") % {"name": self.full_name}

    @property
    def remove_label(self) -> str:
        """The same for one copy fewer."""
        return _("Remove 1 %(name)s") % {"name": self.full_name}

    @property
    def mark(self) -> str:
        """Differs where the row would look different; "" for a code of no card.

        What is printed on a card is left out: it is the same for one card pool.
        """
        if self.card is None:
            return ""
        return mark_of(
            "row",
            (self.code, self.copies, self.most, self.aside, self.level, self.subtitle),
            self.elsewhere,
            (self.short and self.held, self.experience, self.taboo, self.look),
            self.admitted,
            self.remark,
            self.notes,
            [line.look for line in self.sheet],
            self.apart and self.apart.look,
        )

    @property
    def worst(self) -> str:
        """The style of its worst finding, "" for none."""
        styles = {note.style for note in self.notes}
        for style in ("illegal", "incomplete", "advice"):
            if style in styles:
                return style
        return ""


@dataclass(frozen=True, slots=True)
class SideEntry:
    """A card of a list beside the deck, with its copies."""

    code: str
    card: Card | None
    copies: int

    @property
    def name(self) -> str:
        """The card's name with its level, or the unknown code."""
        if self.card is None:
            return self.code
        return in_full(shown_name(self.card), "", self.card.level)


def version_word(card: Card | None) -> Words:
    """What distinguishes a card from another of its name; "" for nothing."""
    advanced = card is not None and card.signature is SignatureKind.ADVANCED
    return pgettext("version of a card", "Advanced") if advanced else ""


def class_signs(card: Card | None) -> tuple[str, ...]:
    """The names of the signs of a card's classes; a weakness has its own."""
    if card is None:
        return ()
    if card.weakness is not None:
        return ("weakness",)
    if card.scenario:
        return ()
    return tuple(each.value for each in card.classes) or ("neutral",)


def cost_word(card: Card | None) -> str:
    """The printed cost; "" where none is printed or none is paid."""
    if card is None or card.cost is None or card.permanent:
        return ""
    return "X" if card.cost == X else str(card.cost)


def level_in(card: Card, standing: Standing | None) -> int | None:
    """The level of a card in a deck, where it is known there."""
    level = standing.level if standing else None
    return card.level if level is None else level


def listed(card: Card, entries: Mapping[str, int]) -> tuple[str, int]:
    """The code a card is listed under, its first printing's if it is not; copies."""
    listed = [each.code for each in card.printings if each.code in entries]
    return (listed or [card.code])[0], sum(entries[code] for code in listed)
