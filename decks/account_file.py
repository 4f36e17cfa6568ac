"""How is everything of an account written in one JSON file, and read from it?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import (
    Fault,
    Unreadable,
    kind_of,
    read_json,
    shortened,
)
from decks.content import Content, read_content
from decks.models import LONGEST_NAME, LONGEST_NOTES, LONGEST_TAGS

FORMAT, VERSION = "orne-account", 1
MOST_BYTES = 64 * 1024 * 1024
MOST_DECKS = 10_000
MOST_REVISIONS = 100_000  # of one deck
MOST_FAULTS = 100  # told at once
_KEYS = ("format", "version", "account", "written_at", "decks")


@dataclass(frozen=True, slots=True)
class Step:
    """A revision of a deck in a file."""

    content: Content
    restores: int | None
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Chain:
    """A deck in a file, with all its revisions in order."""

    name: str
    notes: str
    tags: str
    made_at: datetime
    changed_at: datetime
    steps: tuple[Step, ...]


def write_account(chains: Iterable[Chain], *, account: str, now: datetime) -> str:
    """The text of a file."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        "account": account,
        "written_at": now.isoformat(),
        "decks": [_chain_data(chain) for chain in chains],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def _chain_data(chain: Chain) -> dict[str, Any]:
    return {
        "name": chain.name,
        "notes": chain.notes,
        "tags": chain.tags,
        "made_at": chain.made_at.isoformat(),
        "changed_at": chain.changed_at.isoformat(),
        "revisions": [
            {
                "number": number,
                "made_at": step.made_at.isoformat(),
                "restores": step.restores,
                "deck": step.content.deck,
                "circumstances": step.content.circumstances,
            }
            for number, step in enumerate(chain.steps, 1)
        ],
    }


def read_account(text: str) -> tuple[Chain, ...]:
    """The decks in the text of a file; raises Unreadable with every fault."""
    data = read_json(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        message = _("This is no file of an account.")
        raise Unreadable(Fault("/format", message, f'{{"format": "{FORMAT}"}}'))
    if data.get("version") != VERSION:
        message = _("This version of the file is not known here: {found}.")
        found = shortened(str(data.get("version")))
        raise Unreadable(Fault("/version", message, str(VERSION), found))
    reader = _Reader()
    for key in sorted(data.keys() - {*_KEYS}):
        reader.fail(token(key), _("Nothing is expected here."), ", ".join(_KEYS))
    decks = reader.array(data.get("decks"), "/decks", MOST_DECKS)
    chains = tuple(
        chain
        for place, deck in enumerate(decks)
        if (chain := reader.chain(deck, f"/decks/{place}")) is not None
    )
    if reader.faults:
        raise Unreadable(*reader.faults[:MOST_FAULTS])
    return chains


class _Reader:
    """A file while it is read, and what of it cannot be."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fail(self, pointer: str, message: str, expected: str, found: str = "") -> None:
        """Note a fault."""
        self.faults.append(Fault(pointer, message, expected, found))

    def array(self, value: object, pointer: str, most: int) -> list[Any]:
        """The items of an array; none where its faults have been noted."""
        if not isinstance(value, list):
            self.fail(pointer, _("This is {found}."), _("an array"), kind_of(value))
            return []
        if len(value) > most:
            message, expected = _("These are {found} entries."), f"≤ {most}"
            self.fail(pointer, message, expected, str(len(value)))
            return []
        return value

    def chain(self, data: Any, pointer: str) -> Chain | None:
        """A deck; None where its faults have been noted."""
        if not isinstance(data, dict):
            self.fail(pointer, _("This is {found}."), _("an object"), kind_of(data))
            return None
        before = len(self.faults)
        steps = [*self._steps(data.get("revisions"), f"{pointer}/revisions")]
        chain = Chain(
            self._text(data, "name", pointer, LONGEST_NAME),
            self._text(data, "notes", pointer, LONGEST_NOTES),
            self._text(data, "tags", pointer, LONGEST_TAGS),
            self._instant(data, "made_at", pointer),
            self._instant(data, "changed_at", pointer),
            tuple(steps),
        )
        return chain if len(self.faults) == before else None

    def _steps(self, value: object, pointer: str) -> Iterator[Step]:
        revisions = self.array(value, pointer, MOST_REVISIONS)
        if not revisions:
            self.fail(pointer, _("There is no revision."), _("at least one"))
        for place, data in enumerate(revisions):
            here = f"{pointer}/{place}"
            if not isinstance(data, dict):
                self.fail(here, _("This is {found}."), _("an object"), kind_of(data))
                continue
            if data.get("number") != place + 1:
                message = _("Revisions are numbered from 1 without a gap.")
                self.fail(f"{here}/number", message, str(place + 1))
            content = self._content(data, here)
            restores = self._restores(data, place, here)
            made_at = self._instant(data, "made_at", here)
            if content is not None:
                yield Step(content, restores, made_at)

    def _restores(self, data: dict[str, Any], place: int, pointer: str) -> int | None:
        number = data.get("restores")
        if type(number) is int and 1 <= number <= place:
            return number
        if number is not None:
            message = _("This is no earlier revision.")
            self.fail(f"{pointer}/restores", message, _("an earlier number or null"))
        return None

    def _content(self, data: dict[str, Any], pointer: str) -> Content | None:
        try:
            return read_content(
                {key: data.get(key) for key in ("deck", "circumstances")}
            )
        except Unreadable as error:
            for fault in error.faults:
                self.fail(
                    pointer + fault.pointer, fault.message, fault.expected, fault.found
                )
        return None

    def _text(self, data: dict[str, Any], key: str, pointer: str, most: int) -> str:
        value = data.get(key, "")
        if isinstance(value, str) and len(value) <= most and "\x00" not in value:
            return value
        message, expected = _("This is no text, or too long."), _("a text")
        self.fail(f"{pointer}/{key}", message, f"{expected} ≤ {most}")
        return ""

    def _instant(self, data: dict[str, Any], key: str, pointer: str) -> datetime:
        value = data.get(key)
        try:
            instant = datetime.fromisoformat(value if isinstance(value, str) else "")
            if instant.tzinfo is not None:
                return instant
        except ValueError:
            pass
        message, expected = _("This is no instant."), "2026-02-01T22:38:59+00:00"
        self.fail(f"{pointer}/{key}", message, expected)
        return datetime.min
