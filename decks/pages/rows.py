"""One entry of a deck as pages show it: name, signs, what admits it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from arkham.rules.card import Card
from arkham.rules.checking import Asked
from arkham.rules.gists import gist_of
from arkham.rules.legality import Judge, check
from arkham.rules.legality.compiling import most_copies
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.remedies import named
from arkham.rules.legality.standing import GENERAL_LIMIT, CardRole, Standing
from arkham.rules.legality.tally import MOST_COPIES
from arkham.rules.vocabulary import SignatureKind
from arkham.web.http import mark_of
from cardpool.relations import in_full
from cardpool.shown import X
from decks.pages.notes import Note
from decks.pages.sheets import SheetLine


@dataclass(frozen=True, slots=True)
class Suiting:
    """A card of the deck that may lie apart; ``copies`` of it do."""

    code: str
    card: Card
    copies: int


@dataclass(frozen=True, slots=True)
class SetApart:
    """The cards under a holder (a card, or the investigator of a hunch deck).

    ``count`` is how many there should be, fewer being allowed if ``up_to``.
    """

    holder: str
    title: str
    cards: tuple[Suiting, ...]
    copies: int
    count: int
    up_to: bool

    @property
    def look(self) -> tuple[object, ...]:
        """All that can be seen of it."""
        cards = [(each.code, each.copies) for each in self.cards]
        return self.holder, cards, self.copies, self.count, self.up_to


def set_apart(judge: Judge, asked: Asked, frame: Frame) -> dict[str, SetApart]:
    """What the deck's cards and its investigator set apart, by first printing."""
    found: dict[str, SetApart] = {}
    for holder, wanted in frame.attachments.items():
        attached = next(
            (
                cards
                for code, cards in asked.deck.attachments.items()
                if judge.pool.get_card(code) is judge.pool[holder]
            ),
            {},
        )
        suiting = _suiting(judge, asked, holder, {*asked.deck.entries, *attached})
        found[holder] = SetApart(
            holder,
            judge.pool[holder].name,
            tuple(
                Suiting(code, judge.pool[code], attached.get(code, 0))
                for code in sorted(suiting, key=lambda code: judge.pool[code].name)
            ),
            sum(attached.values()),
            wanted.count,
            wanted.up_to,
        )
    return found


def _suiting(
    judge: Judge, asked: Asked, holder: str, codes: Iterable[str]
) -> list[str]:
    """The codes that the judge lets lie under a card, one copy each."""
    known = {code: 1 for code in codes if code in judge.pool}
    trial = asked.deck._replace(attachments={holder: known})
    unfit = {
        code
        for finding in check(judge, trial, asked.circumstances).findings
        if finding.rule == "attached.card"
        for code in finding.cards
    }
    return [code for code in known if code not in unfit]


Words = str | Promise

GROUPS: dict[str, Words] = {
    "asset": gettext_lazy("Assets"),
    "event": gettext_lazy("Events"),
    "skill": gettext_lazy("Skills"),
    "permanent": gettext_lazy("Permanents"),
    "signature": gettext_lazy("Required cards"),
    "weakness": gettext_lazy("Weaknesses"),
    "story": gettext_lazy("Story cards"),
    "other": pgettext_lazy("cards of a deck", "Others"),
}


@dataclass(frozen=True, slots=True)
class Admitted:
    """Some copies of a card, and what admits them."""

    copies: int
    label: Words

    def __str__(self) -> str:
        """The same in one line."""
        said = _("%(copies)d × admitted by: %(label)s")
        return said % {"copies": self.copies, "label": self.label}


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


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of a deck. ``card`` is None for a code that is no card's.

    ``copies`` counts all of them, ``aside`` those that do not count; ``subtitle``
    distinguishes the card from others of its name and level; ``most`` copies may be
    in the deck.
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

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The numbers of copies that one press makes it have."""
        return quantities(self.most, self.copies, self.full_name)

    @property
    def name(self) -> str:
        """The card's name, or the unknown code."""
        return self.card.name if self.card else self.code

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
    def suggested(self) -> tuple[str, ...]:
        """The names that may be written on its sheet: one kind on all its lines."""
        return next((line.suggested for line in self.sheet if line.suggested), ())

    @property
    def add_label(self) -> str:
        """What the button for one copy more says to those who only hear it."""
        return _("Add one %(name)s") % {"name": self.full_name}

    @property
    def remove_label(self) -> str:
        """The same for one copy fewer."""
        return _("Remove one %(name)s") % {"name": self.full_name}

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
            self.admitted,
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
        return named(self.card, self.card.level)


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows under one heading; ``copies`` is the sum of theirs."""

    key: str
    title: Words
    rows: tuple[Row, ...]
    copies: int

    @property
    def mark(self) -> str:
        """Differs where the group would look different; "" with a code of no card."""
        marks = [row.mark for row in self.rows]
        return mark_of("group", self.key, self.copies, marks) if all(marks) else ""


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


def group_of(row: Row) -> str:
    """The key of the heading a row stands under."""
    card, role = row.card, row.standing.role
    if card is None or role in (CardRole.OUTSIDE, CardRole.FOREIGN, CardRole.UNLISTED):
        return "other"
    if card.weakness is not None:
        return "weakness"
    if role is CardRole.SIGNATURE:
        return "signature"
    if role is CardRole.STORY:
        return "story"
    if card.permanent:
        return "permanent"
    return card.type.value if card.type.value in GROUPS else "other"


def reading_order(row: Row) -> tuple[object, ...]:
    """By name, levels of one name together."""
    return (row.name.lstrip('"“.').casefold(), row.level or 0, row.code)


def cost_word(card: Card | None) -> str:
    """The printed cost; "" where none is printed or none is paid."""
    if card is None or card.cost is None or card.permanent:
        return ""
    return "X" if card.cost == X else str(card.cost)
