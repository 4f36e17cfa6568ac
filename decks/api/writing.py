"""Reads the deck a program wants to save."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from arkham.rules.checking import parts_of
from arkham.rules.deck import Circumstances
from arkham.rules.notation import circumstances_json
from arkham.rules.notation.arkhamdb_object import read_object
from arkham.rules.notation.circumstances_json import read_circumstances
from arkham.rules.notation.reading import Unreadable
from arkham.rules.rulings import RULINGS
from cardpool.catalog import current_pool
from decks.api.refusals import MISSHAPEN, check_named, refusal
from decks.interchange.importing import carried
from decks.lists.content import Content, read_content
from decks.models import LONGEST_NAME, LONGEST_NOTES, LONGEST_TAGS, Deck, Revision
from decks.services import DeckLabels

LONGEST = {
    "name": LONGEST_NAME,
    "description_md": LONGEST_NOTES,
    "tags": LONGEST_TAGS,
}


# The parts of circumstances that are objects with parts of their own.
PARTS: dict[str, Collection[str]] = {
    "rulings": RULINGS,
    "environment": ("kind", "date", "cycles", "packs"),
}
# Those whose parts, named by players or cards, are objects with parts of their own.
PARTS_OF_EACH: dict[str, Collection[str]] = {"trauma": circumstances_json.KINDS}


class WrittenDeck(NamedTuple):
    """A deck as it was handed in, and what it has beside its list.

    ``carried`` is experience that it brings along to be spent.
    """

    content: Content
    beside: DeckLabels
    carried: int = 0


def written(data: Any) -> WrittenDeck:
    """The deck, its circumstances and the rest in the value of a body; or 422."""
    found = _read(data)
    _check_named(found.content.asked().circumstances)
    return found


def _check_named(circumstances: Circumstances) -> None:
    try:
        check_named(circumstances, current_pool())
    except Unreadable as error:
        raise refusal(error, MISSHAPEN, "") from None


def _read(data: Any) -> WrittenDeck:
    """The same, whatever cards the circumstances name."""
    try:
        content = read_content(data)
    except Unreadable as error:
        raise refusal(error, MISSHAPEN, "") from None
    parts = parts_of(data)
    faults: Any = dict(_faults(parts.deck))
    if faults:
        raise ValidationError({"deck": faults} if parts.prefix else faults)
    deck = read_object(parts.deck).value
    name = parts.deck.get("name") or ""
    beside = DeckLabels(name, deck.notes, " ".join(deck.tags))
    return WrittenDeck(content, beside, carried(deck.experience))


def _faults(deck: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """What is no text, and what is too long, by its key."""
    for key, most in LONGEST.items():
        value = deck.get(key)
        if value is not None and not isinstance(value, str):
            yield key, [_("A string or null is expected.")]
        elif value is not None and len(value) > most:
            yield key, [_("At most %(most)d characters are kept.") % {"most": most}]


def beside_data(beside: DeckLabels | Deck) -> dict[str, str]:
    """What a deck has beside its list, under the keys of ArkhamDB."""
    return {
        "name": beside.name,
        "description_md": beside.notes,
        "tags": beside.tags,
    }


def patched(latest: Revision, patch: Any) -> WrittenDeck:
    """The deck as it is, changed by a JSON merge patch; or 422."""
    _check(patch)
    content = latest.content
    deck = beside_data(latest.deck) | content.deck
    return _read(merged({"deck": deck, "circumstances": content.circumstances}, patch))


def _check(patch: Any) -> None:
    """Refuse what stands nowhere in a deck: merged, it might vanish unnoticed."""
    if not isinstance(patch, dict):
        return
    unknown = sorted(patch.keys() - {"deck", "circumstances"})
    if unknown:
        raise ValidationError(
            {key: [_("Nothing is expected here.")] for key in unknown}
        )
    patched = patch.get("circumstances")
    if isinstance(patched, dict):
        patched = {key: _without_nulls(key, value) for key, value in patched.items()}
    if patched is not None:
        try:
            circumstances = read_circumstances(patched)
        except Unreadable as error:
            raise refusal(error, MISSHAPEN, "") from None
        _check_named(circumstances)


def _without_nulls(key: str, value: Any) -> Any:
    """A circumstance without the parts that are to go, but for what is none of it."""
    kept = _parted(value, PARTS.get(key))
    inner = PARTS_OF_EACH.get(key)
    if inner is None or not isinstance(kept, dict):
        return kept
    return {name: _parted(each, inner) for name, each in kept.items()}


def _parted(value: Any, parts: Collection[str] | None) -> Any:
    """An object without its nulls; what is none of its parts stays, to be refused."""
    if not isinstance(value, dict):
        return value
    return {
        part: each
        for part, each in value.items()
        if each is not None or (parts is not None and part not in parts)
    }


def merged(target: Any, patch: Any) -> Any:
    """The target changed by a merge patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result
