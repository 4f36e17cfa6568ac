"""One entry of a deck as pages show it: name, icons, what allows it."""

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
from arkham.web.language import signed
from cardpool.languages import shown_name
from cardpool.relations import in_full
from cardpool.shown import Count, ShownCard, X, icons_of
from cardpool.words import taboo_words
from decks.pages.notes import Note, translated
from decks.pages.set_up import AttachedCards
from decks.pages.sheets import SheetLine

Words = str | Promise


@dataclass(frozen=True, slots=True)
class AdmittedCopies:
    """Some copies of a card, and what allows them.

    ``limited``: an option for a limited number; ``by_option``: an option allows them.
    """

    copies: int
    label: Words
    limited: bool = False
    by_option: bool = True

    def __str__(self) -> str:
        """Return it in one line."""
        if not self.by_option:
            return f"{self.copies} × {self.label}"
        said = _("%(copies)d × allowed by: %(label)s")
        return said % {"copies": self.copies, "label": self.label}


class TabooMark(NamedTuple):
    """The change that a taboo list makes to a card: an icon, experience, and words."""

    sign: str
    experience: str
    words: str


def taboo_mark(standing: Standing | None) -> TabooMark | None:
    """Return the mark for a card that the current taboo list changes."""
    change = standing.taboo if standing else None
    if change is None:
        return None
    more = change.experience
    easier = more < 0 or change.exceptional is False
    harder = more > 0 or change.exceptional or change.deck_limit is not None
    sign = "unchained" if easier else "chained" if harder else "taboo"
    number = signed(more) if more else ""
    words = ", ".join(taboo_words(change))
    return TabooMark(sign, number, _("Taboo: %(change)s") % {"change": words})


def held_of(card: Card | None, owned: Mapping[str, int] | None) -> int | None:
    """Count the owned copies of a card over its printings; None if unknown."""
    if card is None or owned is None:
        return None
    return sum(owned.get(printing.code, 0) for printing in card.printings)


MOST_QUANTITIES = 4  # for higher limits there are buttons for more and fewer


@dataclass(frozen=True, slots=True)
class Quantity:
    """A button that sets the number of copies; one of them is the present number."""

    copies: int
    is_present: bool
    label: str


def quantities(most: int, copies: int, name: str) -> tuple[Quantity, ...]:
    """Return buttons for 0 up to the limit, and for the present number."""
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
    """Return the limit for a card in a deck, regardless of the deck's other cards."""
    if standing is None or standing.card is None:
        return GENERAL_LIMIT
    if standing.role is CardRole.SIGNATURE and frame is not None:
        copies = (each for one in frame.signature_sets for each in one.copies)
        code = standing.card.code
        return max((most for each, _least, most in copies if each == code), default=1)
    if standing.limit >= MOST_COPIES:  # a card that may not be there has no limit
        return most_copies(standing.card)
    return standing.limit


# Findings on a full deck say nothing about the card.
_OF_THE_WHOLE = frozenset({"deck.size", "side-deck.size"})
# Rules that limit the copies of a card by what is printed on it.
_OF_COPIES = frozenset(
    f"copies.{each}"
    for each in ("title", "exceptional", "myriad", "printed", "subtitle")
)


def barring(findings: Iterable[Finding], code: str) -> Finding | None:
    """Return the first finding that makes a card illegal in any such deck."""
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
    """Return why another copy of a card is illegal; empty if it isn't."""
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
    """One entry of a deck. ``card`` is None for an unknown code.

    ``copies`` counts all of them, ``aside`` those that do not count; ``subtitle``
    distinguishes the card from others of its name and level; ``most`` copies may be in
    the deck, ``held`` are owned (None if unknown); ``elsewhere`` counts copies in
    entries of other printings; ``face`` is the card as an image, in the ``look`` that
    shows it.
    """

    code: str
    card: Card | None
    copies: int
    aside: int
    standing: Standing
    admitted: tuple[AdmittedCopies, ...]
    notes: tuple[Note, ...]
    sheet: tuple[SheetLine, ...] = ()
    apart: AttachedCards | None = None
    subtitle: str = ""
    most: int = GENERAL_LIMIT
    held: int | None = None
    elsewhere: int = 0
    face: ShownCard | None = None
    look: str = ""

    @property
    def short(self) -> bool:
        """True if fewer copies are owned than are in the deck."""
        return self.held is not None and self.held < self.copies

    @property
    def experience(self) -> int:
        """The experience its copies cost, with taboos and boxes."""
        counted = self.copies - self.aside
        once = min(counted, 1) if self.standing.cost_once else counted
        return self.standing.cost * once

    @property
    def taboo(self) -> TabooMark | None:
        """The change that the taboo list makes to the card."""
        return taboo_mark(self.standing)

    @property
    def limited(self) -> tuple[AdmittedCopies, ...]:
        """The copies that use an option for a limited number of cards."""
        return tuple(each for each in self.admitted if each.limited)

    @property
    def worst_note(self) -> Note | None:
        """The finding that its mark leads to."""
        return next((each for each in self.notes if each.style == self.worst), None)

    @property
    def finding_label(self) -> str:
        """The label of that mark for screen readers."""
        if self.worst_note is None:
            return ""
        said = _("%(name)s: %(word)s, see finding %(number)d")
        note = self.worst_note
        return said % {"name": self.name, "word": note.word, "number": note.number}

    remark: str = ""

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Buttons that set the number of copies, over all printings."""
        return quantities(self.most, self.copies + self.elsewhere, self.full_name)

    @property
    def name(self) -> str:
        """The card's name, or the unknown code."""
        return shown_name(self.card) if self.card else self.code

    @property
    def gist(self) -> str:
        """A summary of the card in one line."""
        return gist_of(self.card.code).text if self.card else ""

    @property
    def level(self) -> int | None:
        """The card's level in this deck: for a customizable card, by its boxes."""
        level = self.standing.level
        return level if level is not None or self.card is None else self.card.level

    @property
    def full_name(self) -> str:
        """A name that no other row has, for screen readers."""
        return in_full(self.name, self.subtitle, self.level)

    @property
    def signs(self) -> tuple[str, ...]:
        """The names of its class icons."""
        return class_signs(self.card)

    @property
    def version(self) -> Words:
        """The difference from another card of the same name."""
        return version_word(self.card) or self.subtitle

    @property
    def cost(self) -> str:
        """The printed cost, "" for none."""
        return cost_word(self.card)

    @property
    def icons(self) -> tuple[Count, ...]:
        """The skill icons of the card."""
        if self.card is None or self.card.investigator is not None:
            return ()
        return icons_of(self.card)

    @property
    def suggested(self) -> tuple[str, ...]:
        """Names suggested for its sheet; all its lines take the same kind."""
        return next((line.suggested for line in self.sheet if line.suggested), ())

    @property
    def add_label(self) -> str:
        """The label for screen readers of the button that adds a copy."""
        return _("Add 1 %(name)s") % {"name": self.full_name}

    @property
    def remove_label(self) -> str:
        """The label of the button that removes a copy."""
        return _("Remove 1 %(name)s") % {"name": self.full_name}

    @property
    def mark(self) -> str:
        """A digest of everything visible in the row; "" for an unknown code.

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
    """A card of a list outside the deck, with its copies."""

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
    """Return the difference from another card of the same name; "" for none."""
    advanced = card is not None and card.signature is SignatureKind.ADVANCED
    return pgettext("version of a card", "Advanced") if advanced else ""


def class_signs(card: Card | None) -> tuple[str, ...]:
    """Return the names of a card's class icons; weaknesses have their own."""
    if card is None:
        return ()
    if card.weakness is not None:
        return ("weakness",)
    if card.scenario:
        return ()
    return tuple(each.value for each in card.classes) or ("neutral",)


def cost_word(card: Card | None) -> str:
    """Return the printed cost; "" if none is printed or paid."""
    if card is None or card.cost is None or card.permanent:
        return ""
    return "X" if card.cost == X else str(card.cost)


def level_in(card: Card, standing: Standing | None) -> int | None:
    """Return the level of a card in a deck, or else its printed level."""
    level = standing.level if standing else None
    return card.level if level is None else level


def listed(card: Card, entries: Mapping[str, int]) -> tuple[str, int]:
    """Return the code a card is listed under (or its first printing's), and copies."""
    listed = [each.code for each in card.printings if each.code in entries]
    return (listed or [card.code])[0], sum(entries[code] for code in listed)
