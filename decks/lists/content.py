"""The stored content of a deck: its list in ArkhamDB's format, its circumstances.

Everything stored passes through :func:`read_content`, so that what is read back is
known to be well-formed. The rules judge its meaning.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from arkham.rules.checking import JudgeRequest, read_request
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.arkhamdb_object import ANNOTATION
from arkham.rules.notation.meta import CHOICE_KEYS, is_read
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, read_json

MOST_CARDS = 400  # different ones; no deck needs a third of it
MOST_CHARACTERS = 60_000  # of both together, as JSON
_ENTRIES = ("slots", "sideSlots", "ignoreDeckLimitSlots")
# Optional keys of a list about its deck's history: type, and value to leave out.
LIFE: dict[str, tuple[type, object]] = {
    "xp": (int, None),
    "xp_adjustment": (int, 0),
    "exile_string": (str, ""),
}


@dataclass(frozen=True, slots=True)
class Content:
    """A deck and the circumstances it is judged under, as JSON types.

    ``deck`` has the keys ``investigator_code``, ``slots``, ``sideSlots``,
    ``ignoreDeckLimitSlots`` (code → copies, none of them zero), ``meta`` (an object)
    and ``taboo_id``, and those of ``LIFE`` that it has. Both are values: change a copy,
    never the dicts themselves.
    """

    deck: dict[str, Any]
    circumstances: dict[str, Any]

    def asked(self) -> JudgeRequest:
        """Return both as the judge takes them."""
        return read_request({"deck": self.deck, "circumstances": self.circumstances})

    def as_json(self) -> str:
        """Return both as one JSON text, which :func:`parse_content` reads."""
        data = {"deck": self.deck, "circumstances": self.circumstances}
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def with_investigator_of(content: Content, other: Content) -> Content:
    """Return a list that names no investigator with the other's, sides and choices."""
    if content.deck["investigator_code"]:
        return content
    code, meta = other.deck["investigator_code"], other.deck["meta"]
    kept = meta.keys() & {"alternate_front", "alternate_back", *CHOICE_KEYS}
    meta = {key: meta[key] for key in kept} | content.deck["meta"]
    return replace(
        content, deck=content.deck | {"investigator_code": code, "meta": meta}
    )


def empty_content(investigator: str) -> Content:
    """Return a deck without cards and circumstances."""
    return read_content({"investigator_code": investigator, "slots": {}})


def read_content(data: object) -> Content:
    """Return the content of a deck object, or of ``{"deck": …, "circumstances": …}``.

    All keys of ``meta`` are kept, for other programs; unknown keys of the deck are not.
    Raises Unreadable with a pointer for every fault.
    """
    read_request(data)
    assert isinstance(data, dict)
    deck, circumstances = data, None
    if "deck" in data and "slots" not in data:
        deck, circumstances = data["deck"], data.get("circumstances")
    content = Content(
        {
            "investigator_code": deck["investigator_code"],
            **{key: _entries(deck.get(key)) for key in _ENTRIES},
            "meta": _meta(deck.get("meta")),
            "taboo_id": deck.get("taboo_id") or None,
            **_life(deck),
        },
        {
            key: value
            for key, value in sorted((circumstances or {}).items())
            if value is not None
        },
    )
    _measure(content)
    return content


def checked(content: Content) -> Content:
    """Return a changed content if it is still well-formed; raise Unreadable if not."""
    content.asked()
    _measure(content)
    return content


def parse_content(text: str) -> Content:
    """Return the content of a JSON text; raise Unreadable."""
    return read_content(read_json(text))


def _entries(value: object) -> dict[str, int]:
    if not isinstance(value, Mapping):
        return {}
    return {code: copies for code, copies in sorted(value.items()) if copies > 0}


def _meta(value: object) -> dict[str, Any]:
    if isinstance(value, str):
        value = read_json(value, "/meta") if value else {}
    if not isinstance(value, Mapping):
        return {}
    meta = {
        key: each
        for key, each in sorted(value.items())
        if each not in (None, "") or not is_read(key)
    }
    if "deck_size_selected" in meta:
        meta["deck_size_selected"] = str(meta["deck_size_selected"])
    return meta


def _life(deck: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of ``LIFE`` that have the right type and say something."""
    return {
        key: value
        for key, (kind, silence) in LIFE.items()
        if type(value := deck.get(key)) is kind and value != silence
    }


# Circumstances that repeat a code for each copy; others name it once.
COPIES = frozenset({"lost_cards"})


# NUL as JSON escapes it; after an escaped backslash these are only letters.
_NUL = re.compile(r"(?<!\\)(?:\\\\)*+\\u0000")


def _measure(content: Content) -> None:
    faults = [
        Fault(
            token(key),
            _("It has {found} entries."),
            f"at most {MOST_CARDS} entries",
            str(len(content.deck[key])),
        )
        for key in _ENTRIES
        if len(content.deck[key]) > MOST_CARDS
    ]
    text = content.as_json()
    characters = len(text)
    if _NUL.search(text):
        faults.append(
            Fault("", _("It contains a NUL character."), _("text without NUL"))
        )
    if characters > MOST_CHARACTERS:
        faults.append(
            Fault(
                "",
                _("It has {found} characters."),
                f"at most {MOST_CHARACTERS:,} characters",
                str(characters),
            )
        )
    if faults:
        raise Unreadable(*faults)


LONGEST_REMARK = 280


def remark_on(content: Content, code: str) -> str:
    """Return the note on a card of a list, as arkham.build stores them; "" for none."""
    found = content.deck["meta"].get(f"{ANNOTATION}{code}", "")
    return found if isinstance(found, str) else ""


def with_remark(content: Content, code: str, text: str) -> Content:
    """Return the content with another note on a card; "" removes it."""
    key, said = f"{ANNOTATION}{code}", " ".join(whole(text).split())[:LONGEST_REMARK]
    meta = {k: kept for k, kept in content.deck["meta"].items() if k != key}
    meta |= {key: said} if said else {}
    return replace(content, deck={**content.deck, "meta": dict(sorted(meta.items()))})


def whole(text: str) -> str:
    """Return the text with a question mark for NUL, which databases can't store."""
    return text.replace("\x00", "?")
