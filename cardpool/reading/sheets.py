"""Reads the lines of a customizable card's upgrade sheet."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from arkham.rules.card import SheetOption
from arkham.rules.snapshot import embedded_pool
from arkham.rules.vocabulary import BoxChoice, CardType
from cardpool.reading.layouts import split_list, split_slots, split_tags
from cardpool.reading.options import TAG_NAMES
from cardpool.reading.problems import Record

_CHOICES = {
    "choose_trait": BoxChoice.TRAIT,
    "choose_skill": BoxChoice.SKILL,
    "choose_card": BoxChoice.CARD,
    "remove_slot": BoxChoice.SLOT,
}
# What we call the lines that are a choice to make at once and have no printed name.
_UNNAMED = {
    BoxChoice.TRAIT: "Chosen trait",
    BoxChoice.SKILL: "Chosen skill",
    BoxChoice.CARD: "Named asset",
    BoxChoice.SLOT: "Chosen slot",
}


def read_sheet(record: Record) -> tuple[SheetOption, ...]:
    """The lines of a card's upgrade sheet, empty for cards without one.

    ``surcharges`` is ours: experience on top of the boxes, by the line's name, where
    a correction says so.
    """
    lines = record.text("customization_text").split("\n")
    raw = record.objects("customization_options")
    if len(raw) > len(lines) or (raw and not lines[0]):
        record.note("customization_text", len(lines), f"{len(raw)} lines")
        return ()
    surcharges = record.values.get("surcharges")
    if not isinstance(surcharges, dict):
        surcharges = {}
    options: list[SheetOption] = []
    for position, each in enumerate(raw):
        try:
            option = _line(position, each, lines[position], options)
        except (KeyError, TypeError, ValueError, AttributeError):
            record.note(f"customization_options.{position}", each, "a sheet's line")
            continue
        if option.name in surcharges:
            option = replace(option, surcharge=surcharges[option.name])
        options.append(option)
    for name in set(surcharges) - {option.name for option in options}:
        record.note("surcharges", name, "a line of the sheet")
    return tuple(options)


def keep_places(record: Record, sheet: tuple[SheetOption, ...]) -> None:
    """Note lines that stand elsewhere than they did: decks name them by their place.

    Orne's own cards are the measure; a card new to them has no places to keep.
    """
    known = embedded_pool().get_card(record.code)
    for line, before in zip(sheet, known.sheet if known else (), strict=False):
        if line.id != before.id:
            field = f"customization_options.{line.position}"
            expected = f"{before.id}, as decks know the line"
            record.note(field, line.id, expected, serious=False)


def _line(
    position: int, raw: Mapping[str, Any], text: str, before: list[SheetOption]
) -> SheetOption:
    choice = _CHOICES[raw["choice"]] if "choice" in raw else None
    found = re.search(r"<b>(.+?)\.</b>", text)
    if found is None and choice is None:
        raise ValueError(text)
    name = found[1] if found else _UNNAMED[choice] if choice else ""
    again = sum(option.name == name for option in before)
    card = raw.get("card") or {}
    return SheetOption(
        id=slug(name) + (f"-{again + 1}" if again else ""),
        name=name,
        position=position,
        boxes=int(raw.get("xp") or 0),
        choice=choice,
        picks=int(raw.get("quantity") or 1) if choice else 0,
        card_types=tuple(CardType(each) for each in card.get("type", ())),
        card_traits=tuple(str(each).lower() for each in card.get("trait", ())),
        tags=tuple(TAG_NAMES[each] for each in split_tags(raw.get("tags", ""))),
        traits=split_list(raw["real_traits"]) if "real_traits" in raw else None,
        slots=split_slots(raw["real_slot"]) if "real_slot" in raw else None,
        deck_limit=raw.get("deck_limit"),
    )


def slug(name: str) -> str:
    """A name as an id: "Dæmonic Influence" is ``daemonic-influence``."""
    plain = unicodedata.normalize("NFKD", name.lower().replace("æ", "ae"))
    ascii_only = plain.encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")
