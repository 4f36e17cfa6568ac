"""What does a list from elsewhere say, line by line, and what of it is not understood?

A list is JSON in ArkhamDB's format, or text as people write decks down.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from arkham.rules.legality.remedies import named
from arkham.rules.notation.arkhamdb_json import CHOICE_KEYS
from arkham.rules.notation.lines import Kind, LineRead
from arkham.rules.notation.reading import Fault, Unreadable, read_json
from arkham.rules.notation.text import read_text
from arkham.rules.pool import CardPool
from decks.content import Content, read_content, whole


@dataclass(frozen=True, slots=True)
class Heard:
    """One thing a list says.

    ``said`` is how it stands there, ``meaning`` what was understood; where that is
    "" nothing was, and ``expected`` says what could have been. ``note`` is worth
    knowing either way. ``line`` counts from 1, 0 where the list has no lines of its
    own.
    """

    said: str
    meaning: str = ""
    expected: str = ""
    line: int = 0
    note: str = ""

    @property
    def understood(self) -> bool:
        """Whether it meant something."""
        return bool(self.meaning)


@dataclass(frozen=True, slots=True)
class Import:
    """A list as it was understood; ``content`` is None if it is no deck at all.

    ``faults`` say why, each with its place.
    """

    content: Content | None
    name: str = ""
    heard: tuple[Heard, ...] = ()
    faults: tuple[Place, ...] = ()

    @property
    def missed(self) -> tuple[Heard, ...]:
        """What was not understood."""
        return tuple(each for each in self.heard if not each.understood)


@dataclass(frozen=True, slots=True)
class Place:
    """A fault in the reader's language, and where it is."""

    where: str
    message: str
    expected: str


def read_list(text: str, pool: CardPool) -> Import:
    """A list in any format known here; never raises."""
    bare = text.lstrip("\ufeff \t\r\n")
    if bare[:1] in ("{", "["):
        return _read_json(text.lstrip("\ufeff"), pool)
    return _read_text(text, pool)


def _placed(faults: tuple[Fault, ...]) -> tuple[Place, ...]:
    return tuple(
        Place(
            whole(fault.pointer)
            or _("line %(line)d, column %(column)d")
            % {"line": fault.line, "column": fault.column},
            whole(_(fault.message).format(found=fault.found)),
            _(fault.expected),
        )
        for fault in faults
    )


def _read_json(text: str, pool: CardPool) -> Import:
    try:
        data = read_json(text)
        content = read_content(data)
    except Unreadable as error:
        return Import(None, faults=_placed(error.faults))
    deck = data["deck"] if "deck" in data and "slots" not in data else data
    name = deck.get("name")
    return Import(
        content,
        name=whole(name) if isinstance(name, str) else "",
        heard=tuple(_heard(deck, content, pool)),
    )


def _heard(
    deck: Mapping[str, Any], content: Content, pool: CardPool
) -> Iterator[Heard]:
    """What a deck object says, in the order of reading."""
    code = content.deck["investigator_code"]
    card = pool.get_card(code)
    yield Heard(
        code,
        card.name if card else "",
        _("the code of an investigator"),
    )
    for key, title in (
        ("slots", "{copies} × {name}"),
        ("sideSlots", _("considered: {copies} × {name}")),
        ("ignoreDeckLimitSlots", _("not counted: {copies} × {name}")),
    ):
        for code, copies in content.deck[key].items():
            card = pool.get_card(code)
            name = named(card, card.level) if card else ""
            yield Heard(
                f"{code}: {copies}",
                title.format(copies=copies, name=name) if card else "",
                _("the code of a card"),
            )
    if content.deck["taboo_id"] is not None:
        found = pool.taboo_list(content.deck["taboo_id"])
        yield Heard(
            f"taboo_id: {content.deck['taboo_id']}",
            _("the list of taboos of %(date)s") % {"date": found.date} if found else "",
            ", ".join(str(each.id) for each in pool.taboo_lists),
        )
    for key, value in content.deck["meta"].items():
        yield _heard_meta(key, value, pool)


def _heard_meta(key: str, value: object, pool: CardPool) -> Heard:
    """What one key of ``meta`` says; those of other programs are kept unread."""
    said = f"{key}: {value if isinstance(value, str) else json.dumps(value)}"
    said = said if len(said) <= 120 else f"{said[:117]}…"
    word, _bar, code = key.partition("_")
    card = pool.get_card(code)
    if key in CHOICE_KEYS:
        return Heard(said, _("a choice made at deck creation"))
    if key in ("alternate_front", "alternate_back"):
        side = pool.get_card(str(value))
        name = f"{side.name} ({side.code})" if side else ""
        return Heard(said, name, _("the code of an investigator"))
    if key == "extra_deck":
        return Heard(said, _("the second deck"))
    if key == "card_pool":
        return Heard(said, _("the products in use"))
    if key == "transform_into":
        return Heard(said, _("what the investigator became"))
    if word == "cus":
        meaning = (
            _("the upgrade sheet of %(name)s") % {"name": card.name} if card else ""
        )
        return Heard(said, meaning, _("the code of a card"))
    if word in ("attachments", "attachment"):
        meaning = _("set apart under %(name)s") % {"name": card.name} if card else ""
        return Heard(said, meaning, _("the code of a card"))
    return Heard(said, _("kept for other programs; no rule reads it"))


def _read_text(text: str, pool: CardPool) -> Import:
    read = read_text(text, pool)
    heard = tuple(
        _heard_line(line, pool)
        for line in read.lines
        if line.kind is not Kind.PASSED_OVER or line.message
    )
    if not (read.deck["investigator_code"] or read.deck["slots"]):
        place = Place(
            _("line %(line)d") % {"line": read.lines[0].line if read.lines else 1},
            _("Nothing here reads like a deck list."),
            _("an investigator’s name, and a card a line: 2x Machete"),
        )
        return Import(None, heard=heard, faults=(place,))
    try:
        content = read_content(read.deck)
    except Unreadable as error:
        return Import(None, heard=heard, faults=_placed(error.faults))
    return Import(content, str(read.deck["name"]), heard)


def _heard_line(line: LineRead, pool: CardPool) -> Heard:
    card = pool.get_card(line.code)
    name = named(card, card.level) if card else ""
    meanings = {
        Kind.NAME: _("the name of the deck"),
        Kind.INVESTIGATOR: name,
        Kind.CARD: f"{line.copies} × {name}",
        Kind.SIDE_CARD: _("considered: {copies} × {name}").format(
            copies=line.copies, name=name
        ),
        Kind.TABOO: _("the list of taboos"),
        Kind.PASSED_OVER: _("nothing to be understood"),
    }
    return Heard(
        line.said.strip(),
        meanings.get(line.kind, ""),
        _(line.expected) if line.expected else "",
        line.line,
        _(line.message).format(**dict(line.values)) if line.message else "",
    )
