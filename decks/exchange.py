"""How does a deck that is kept here leave for other programs, and what stays behind?"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from arkham.rules.notation.arkhamdb_object import read_object
from arkham.rules.notation.exchanged import Exchanged, Part
from arkham.rules.notation.formats import FORMATS, Format, LeftOut, left_out
from arkham.rules.notation.octgn import NO_IDS, read_ids, write_octgn
from arkham.rules.pool import CardPool
from decks.models import Revision

Words = str | Promise

LONGEST_FILE_NAME = 80
MOST_CODES = 5  # named, of those that a format cannot hold
_UNFIT = frozenset('/\\:*?"<>|')  # for the name of a file, on some system

FILES: dict[str, Words] = {
    "json": gettext_lazy("JSON, as ArkhamDB and its kin read it"),
    "text": gettext_lazy("Text, as ArkhamDB exports it"),
    "plain": gettext_lazy("Plain list, with choices and sheets"),
    "markdown": gettext_lazy("Markdown, with links and notes"),
    "octgn": gettext_lazy("OCTGN (.o8d)"),
}
# That a list tells not when it was made surprises nobody: the origin is not told.
PARTS: dict[Part, Words] = {
    Part.NAME: gettext_lazy("the name"),
    Part.CONSIDERED: gettext_lazy("considered cards"),
    Part.SET_ASIDE: gettext_lazy("which copies do not count"),
    Part.TABOO: gettext_lazy("the list of taboos"),
    Part.SIDES: gettext_lazy("the investigator’s sides"),
    Part.CHOICES: gettext_lazy("choices made at deck creation"),
    Part.SHEETS: gettext_lazy("upgrade sheets"),
    Part.SIDE_DECK: gettext_lazy("the second deck"),
    Part.ATTACHMENTS: gettext_lazy("cards set apart"),
    Part.TRANSFORMED: gettext_lazy("what the investigator became"),
    Part.PRODUCTS: gettext_lazy("the products in use"),
    Part.NOTES: pgettext_lazy("of a deck", "notes"),
    Part.TAGS: gettext_lazy("tags"),
    Part.ANNOTATIONS: gettext_lazy("notes on single cards"),
    Part.EXPERIENCE: gettext_lazy("experience"),
    Part.EXILED: gettext_lazy("exiled cards"),
    Part.KEPT: gettext_lazy("what other programs keep in it"),
}


@dataclass(frozen=True, slots=True)
class Copy:
    """The deck as a file of some format: what it is called, what it leaves out."""

    form: Format
    title: Words
    left: tuple[Words, ...]

    @property
    def address(self) -> str:
        """The name of the address that leads to the file."""
        return f"decks:list-{self.form.id}"


def octgn_ids() -> Mapping[str, str]:
    """OCTGN's ids, if the keeper of this server has a table of them."""
    return _table(settings.ORNE_OCTGN_IDS)


@lru_cache(maxsize=1)
def _table(path: str) -> Mapping[str, str]:
    return read_ids(Path(path).read_text("utf-8")) if path else NO_IDS


def text_of(value: Exchanged, form: Format, pool: CardPool) -> str:
    """The deck in a format."""
    if form is FORMATS["octgn"]:
        return write_octgn(value, pool, octgn_ids())
    return form.write(value, pool)


def exchanged(revision: Revision, pool: CardPool) -> Exchanged:
    """A revision as it travels."""
    deck = revision.deck
    card = pool.get_card(revision.list["investigator_code"])
    data = {
        **revision.list,
        "name": deck.name,
        "description_md": deck.notes,
        "tags": deck.tags,
        "date_creation": deck.made_at.isoformat(timespec="seconds"),
        "date_update": revision.made_at.isoformat(timespec="seconds"),
        "version": f"0.{revision.number}",  # as of a deck that was never published
        "investigator_name": card.name if card else "",
    }
    return read_object(data).value


def copies_of(revision: Revision, pool: CardPool) -> tuple[Copy, ...]:
    """The deck in every format."""
    value = exchanged(revision, pool)
    return tuple(
        Copy(form, FILES[form.id], _told(left_out(value, form, pool)))
        for form in FORMATS.values()
    )


def _told(left: LeftOut) -> tuple[Words, ...]:
    """What is left out, in words."""
    told = [PARTS[part] for part in left.parts if part in PARTS]
    if left.codes:
        codes = ", ".join(left.codes[:MOST_CODES])
        codes += " …" if len(left.codes) > MOST_CODES else ""
        told.append(_("codes that are no card’s: %(codes)s") % {"codes": codes})
    return tuple(told)


def file_name(name: str, form: Format, number: int) -> str:
    """What the file of a deck is called: by the deck, or by its number.

    Without what systems forbid, and what would make it look like another name.
    """
    fit = "".join(
        " " if each in _UNFIT or unicodedata.category(each)[0] in "CZ" else each
        for each in name
    )
    stem = " ".join(fit.split())[:LONGEST_FILE_NAME].strip(" .")
    return f"{stem or f'deck-{number}'}.{form.suffix}"
