"""A card as a page shows it, in the reader's words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat
from typing import NamedTuple

from django.utils.text import capfirst

from arkham.rules.card import Card, Pack, Printing, SheetOption
from arkham.rules.gists import Gist, gist_of
from arkham.rules.investigator import Back, Requirement
from arkham.rules.library import Entry, library
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType
from cardpool.languages import best_first, readers_language
from cardpool.models import Picture
from cardpool.rows import first_printing
from cardpool.words import (
    CLASSES,
    MARKS,
    SIGNATURES,
    SLOTS,
    TAGS,
    TYPES,
    WEAKNESSES,
    Words,
    capitals,
    fold_text,
    marks_of,
    taboo_words,
)

SKILLS = ("willpower", "intellect", "combat", "agility", "wild")
# Marks that lists of cards show as icons; the page of a card names them all.
SIGNED_MARKS = ("permanent", "exceptional", "myriad", "customizable", "exile", "bonded")
X = -2
# Entries of the rules library about marks, if they have another name.
RULES = {
    "advanced": "replacement-signatures",
    "campaign-only": "campaign-mode-only",
    "errata": "card-errata",
    "multiclass": "multi-class",
    "multiplayer-only": "campaign-mode-only",
    "parallel": "parallel-investigators",
    "replacement": "replacement-signatures",
    "reward": "story-cards-in-decks",
    "signature": "signature-cards",
}


@dataclass(frozen=True, slots=True)
class Count:
    """An icon with a number, for skill icons and skills."""

    sign: str
    number: int

    @property
    def each(self) -> range:
        """A range as long as the number."""
        return range(max(self.number, 0))


@dataclass(frozen=True, slots=True)
class ShownPrinting:
    """A printing with its product."""

    printing: Printing
    pack: Pack


def icons_of(card: Card) -> tuple[Count, ...]:
    """Return the skill icons of a card."""
    return _counts(card.icons)


def skills_of(card: Card) -> tuple[Count, ...]:
    """Return the four skills of an investigator."""
    return tuple(map(Count, SKILLS, card.skills or ()))


class ShownCard:
    """A card with the words and icons that pages use."""

    def __init__(
        self, card: Card, pool: CardPool, pictures: Sequence[ShownPicture] = ()
    ) -> None:
        self.card = card
        self.pool = pool
        self.pictures = pictures
        self.code = card.code
        self.name, self.subname = readers_language().title(card)
        self.level = card.level

    @property
    def english(self) -> str:
        """Its English name if the reader's language has another; else ""."""
        return "" if self.name == self.card.name else self.card.name

    @property
    def gist(self) -> Gist:
        """A summary of it, in our own words."""
        return gist_of(self.code)

    @property
    def sheet(self) -> list[tuple[SheetOption, str]]:
        """The lines of its upgrade sheet, with a summary of each."""
        gists = chain(self.gist.lines, repeat(""))
        return list(zip(self.card.sheet, gists, strict=False))

    @property
    def class_signs(self) -> tuple[str, ...]:
        """The names of its class icons."""
        if self.card.classes:
            return tuple(each.value for each in self.card.classes)
        if self.card.weakness:
            return ("weakness",)
        return () if self.card.scenario else ("neutral",)

    @property
    def class_names(self) -> str:
        """Its classes in words."""
        if self.card.classes:
            return ", ".join(str(CLASSES[each]) for each in self.card.classes)
        if self.card.weakness:
            return str(WEAKNESSES[self.card.weakness])
        return str(CLASSES["mythos" if self.card.scenario else "neutral"])

    @property
    def type_name(self) -> Words:
        """Its type in words."""
        return TYPES[self.card.type]

    @property
    def is_investigator(self) -> bool:
        """True for an investigator card."""
        return self.card.investigator is not None

    @property
    def slot_names(self) -> str:
        """Its slots in words: “Hand ×2”."""
        slots = dict.fromkeys(self.card.slots)
        return ", ".join(
            f"{SLOTS.get(slot, capfirst(slot))}"
            + (f" ×{times}" if (times := self.card.slots.count(slot)) > 1 else "")
            for slot in slots
        )

    @property
    def slot_signs(self) -> tuple[str, ...]:
        """The names of its slot icons; head has none."""
        return tuple(slot for slot in self.card.slots if slot != "head")

    @property
    def traits(self) -> str:
        """Its traits as printed: “Item. Elder Thing.”."""
        return " ".join(f"{capitals(trait)}." for trait in self.card.traits)

    @property
    def has_cost(self) -> bool:
        """True if cards of its type have a cost."""
        return self.card.type in (CardType.ASSET, CardType.EVENT)

    @property
    def cost(self) -> str:
        """Its cost: a number, X or a dash."""
        if self.card.cost is None:
            return "–"
        return "X" if self.card.cost == X else str(self.card.cost)

    @cached_property
    def icons(self) -> tuple[Count, ...]:
        """Its skill icons."""
        return icons_of(self.card)

    @property
    def skills(self) -> tuple[Count, ...]:
        """The four skills of an investigator."""
        return skills_of(self.card)

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """The words of its marks."""
        return marks_of(self.card)

    @property
    def signed_marks(self) -> tuple[str, ...]:
        """The marks that a list shows as icons."""
        return tuple(mark for mark in SIGNED_MARKS if mark in self.marks)

    @property
    def rules(self) -> list[Entry]:
        """The entries of the rules library about cards like this one."""
        slugs = (RULES.get(mark, mark) for mark in self.marks)
        named = dict.fromkeys((*slugs, self.card.type.value))
        return [library()[slug] for slug in named if slug in library()]

    @property
    def mark_names(self) -> tuple[tuple[str, Words], ...]:
        """Its marks with names, except those that its type and class imply."""
        apart = {
            "unique",
            "weakness",
            "basic-weakness",
            "multiclass",
            "signature",
            "errata",
        }
        if self.card.signature is not None:
            apart |= {"advanced", "replacement"}
        return tuple(
            (mark, MARKS[mark].name) for mark in self.marks if mark not in apart
        )

    @property
    def signature_name(self) -> Words:
        """Its kind of signature, in words."""
        return SIGNATURES[self.card.signature] if self.card.signature else ""

    @property
    def tags(self) -> tuple[tuple[Words, str], ...]:
        """The effects of its text, and where they are printed."""
        return tuple((TAGS[tag], cite) for tag, cite in self.card.tags)

    @property
    def encounter_set(self) -> str:
        """The name of its encounter set."""
        code = self.card.encounter_set
        return self.pool.encounter_sets.get(code, code)

    @cached_property
    def place(self) -> ShownPrinting:
        """Its first printing."""
        printing = first_printing(self.card, self.pool)
        return ShownPrinting(printing, self.pool.packs[printing.pack])

    @property
    def places(self) -> tuple[ShownPrinting, ...]:
        """Every printing, oldest first."""
        packs = self.pool.packs
        places = [ShownPrinting(each, packs[each.pack]) for each in self.card.printings]
        return tuple(
            sorted(places, key=lambda each: (each.pack.released, each.printing.code))
        )


def _counts(numbers: Iterable[int]) -> tuple[Count, ...]:
    return tuple(
        Count(name, number)
        for name, number in zip(SKILLS, numbers, strict=True)
        if number
    )


@dataclass(frozen=True, slots=True)
class TabooPeriod:
    """The taboo on a card from one list to another.

    ``until`` is the date of the list that ended it, "" while it lasts.
    """

    since: str
    until: str
    words: tuple[str, ...]
    text: str = ""

    def says(self, words: tuple[str, ...], text: str) -> bool:
        """Return True if another list says the same, apart from punctuation."""
        return self.words == words and fold_text(self.text) == fold_text(text)


def taboo_periods(
    card: Card, pool: CardPool, texts: dict[int, str]
) -> tuple[TabooPeriod, ...]:
    """Return the taboo history of a card, newest first; equal lists are one period.

    ``texts`` are printed texts by list, if they have been imported.
    """
    periods: list[TabooPeriod] = []
    for taboo in pool.taboo_lists:
        change = taboo.changes.get(card.code)
        words = taboo_words(change) if change else ()
        text = texts.get(taboo.id, "") if change else ""
        last = periods[-1] if periods else None
        if last is not None and last.says(words, text):
            continue
        if last is not None:
            periods[-1] = TabooPeriod(last.since, taboo.date, last.words, last.text)
        if words or last is not None:
            periods.append(TabooPeriod(taboo.date, "", words, text))
    return tuple(period for period in reversed(periods) if period.words)


@dataclass(frozen=True, slots=True)
class RequiredCard:
    """A card that a back requires, its copies, and cards that may replace it.

    ``copies`` is "" for one, and may be a range.
    """

    card: ShownCard
    copies: str
    alternatives: tuple[ShownCard, ...]


def required(back: Back, pool: CardPool) -> tuple[RequiredCard, ...]:
    """Return the cards that the back of an investigator requires."""
    return tuple(_required(each, pool) for each in back.requirements)


def _required(requirement: Requirement, pool: CardPool) -> RequiredCard:
    numbers = {requirement.copies, requirement.copies_at_most or requirement.copies}
    numbers |= {copies for _size, copies in requirement.copies_by_size}
    least, most = min(numbers), max(numbers)
    copies = f"{least}–{most}" if least != most else str(least) if least > 1 else ""
    codes = [code for code in requirement.codes() if code in pool]
    first, *others = (ShownCard(pool[code], pool) for code in dict.fromkeys(codes))
    return RequiredCard(first, copies, tuple(others))


PICTURE_SIZES = {"small": 420, "large": 840}  # pixels of the longer side


class ShownPicture(NamedTuple):
    """A picture as pages show it; width and height are those of the large one."""

    code: str
    side: str
    digest: str
    width: int
    height: int
    small_width: int
    source: str
    language: str

    @property
    def is_wide(self) -> bool:
        """True for landscape format, as of investigators."""
        return self.width > self.height


def pictures_of(codes: Collection[str]) -> dict[str, list[ShownPicture]]:
    """Return the pictures of cards by code, the front first.

    Each side has one, in the best language for the reader.
    """
    found: dict[str, list[ShownPicture]] = {}
    rows = Picture.objects.filter(code__in=codes).exclude(digest="")
    best = {(row.code, row.is_back): row for row in reversed(best_first(rows))}
    for _side, row in sorted(best.items()):
        shrunk = min(1.0, PICTURE_SIZES["small"] / max(row.width, row.height, 1))
        sizes = row.width, row.height, round(row.width * shrunk)
        shown = ShownPicture(
            row.code, row.side, row.digest, *sizes, row.source, row.language
        )
        found.setdefault(row.code, []).append(shown)
    return found


def with_pictures(cards: Iterable[Card], pool: CardPool) -> dict[str, ShownCard]:
    """Return cards by code, with their pictures."""
    by_code = {card.code: card for card in cards}
    pictures = pictures_of(by_code)
    return {
        code: ShownCard(card, pool, pictures.get(code, ()))
        for code, card in by_code.items()
    }
