"""Reads and writes a card pool as a file, and opens the embedded one.

A snapshot has only facts (names, numbers, codes, traits, structure), never the text of
a card. Values equal to their default are left out; the same pool always gives the same
bytes. The first line names the format and the version (a hash of the content), the rest
is compressed JSON.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pkgutil import get_data
from threading import Lock
from typing import Any

from arkham.rules.card import (
    Card,
    Cycle,
    Pack,
    Printing,
    Restriction,
    SheetOption,
    TabooChange,
    TabooList,
)
from arkham.rules.investigator import (
    AtLeast,
    Back,
    Choice,
    DeckOption,
    InvestigatorFacts,
    Requirement,
    SideDeckBack,
)
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import (
    BoxChoice,
    CardClass,
    CardType,
    SignatureKind,
    Tag,
    WeaknessKind,
)

FORMAT = "orne-snapshot 1"
EMBEDDED = "snapshot"
_VERSION_LENGTH = 12

Facts = dict[str, Any]
Reader = Callable[[Any], Any]


class UnreadableSnapshot(ValueError):
    """The data is not a snapshot or is damaged; the message says what was expected."""


# -- from facts to plain JSON --


def _plain(value: Any) -> Any:
    """Convert a value to JSON types: objects without their default values, lists."""
    if isinstance(value, Printing):
        return [value.code, value.pack, value.position, value.quantity]
    if is_dataclass(value):
        return {
            name: _plain(found)
            for name, default in _defaults(value.__class__)
            if (found := getattr(value, name)) != default
        }
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value.value if isinstance(value, Enum) else value


@cache
def _defaults(kind: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((each.name, each.default) for each in fields(kind))


def card_facts(card: Card) -> Facts:
    """The facts of a card as JSON types; values equal to their default are left out."""
    return dict(_plain(card))


# -- and back --


def _each(reader: Reader) -> Reader:
    return lambda values: tuple([reader(value) for value in values])


def _pairs(reader: Reader) -> Reader:
    return lambda values: tuple([(first, reader(second)) for first, second in values])


def _member(kind: type[Enum]) -> Reader:
    """Make a reader of an enum's members, which is faster than calling the enum."""
    return {each.value: each for each in kind}.__getitem__


_tuple: Reader = tuple
_tuples = _each(tuple)


def _reader(kind: Callable[..., Any], **readers: Reader) -> Reader:
    """Make a reader of objects with fields that aren't plain JSON values."""

    def read(facts: Facts) -> Any:
        for name, reader in readers.items():
            value = facts.get(name)
            if value is not None:
                facts[name] = reader(value)
        return kind(**facts)

    return read


_class, _type, _tag = _member(CardClass), _member(CardType), _member(Tag)
_classes, _types, _tags = _each(_class), _each(_type), _each(_tag)
_option_facts = _reader(
    DeckOption,
    classes=_classes,
    levels=_tuple,
    start_levels=_tuple,
    types=_types,
    traits=_tuple,
    tags=_tags,
    uses=_tuple,
    slots=_tuple,
    spares=_tuple,
    at_least=_reader(AtLeast),
)


def _option(facts: Facts) -> Any:
    facts.pop("label", None)  # written by older versions, which stored labels
    return _option_facts(facts)


_options = _each(_option)
_requirements = _each(
    _reader(Requirement, copies_by_size=_tuples, replacements=_tuples)
)
_choice = _reader(
    Choice, offers=_tuple, template=_option, grants=_pairs(_options), sizes=_tuples
)
_back = _reader(
    Back,
    options=_options,
    choices=_each(_choice),
    requirements=_requirements,
    side_deck=_reader(SideDeckBack, options=_options, required=_tuple),
)
_sheet = _each(
    _reader(
        SheetOption,
        choice=_member(BoxChoice),
        card_types=_types,
        card_traits=_tuple,
        tags=_tags,
        traits=_tuple,
        slots=_tuple,
    )
)
_card = _reader(
    Card,
    type=_type,
    printings=_each(lambda row: Printing(*row)),
    classes=_classes,
    weakness=_member(WeaknessKind),
    icons=_tuple,
    slots=_tuple,
    traits=_tuple,
    researched_from=_tuple,
    tags=_each(lambda pair: (_tag(pair[0]), pair[1])),
    bonded_to=_tuple,
    restriction=_reader(
        Restriction, investigators=_tuple, traits=_tuple, classes=_classes
    ),
    signature=_member(SignatureKind),
    sheet=_sheet,
    skills=_tuple,
    investigator=_reader(InvestigatorFacts, back=_back),
    errata=_tuples,
)
_change = _reader(
    TabooChange,
    sheet=_sheet,
    options=_options,
    requirements=_requirements,
    drops_choices=_tuple,
)
_pack = _reader(Pack, holds=_tuple)
_cycle = _reader(Cycle)


def card_from_facts(facts: Mapping[str, Any]) -> Card:
    """The card with the facts that :func:`card_facts` returned.

    Raises ``UnreadableSnapshot`` for anything else.
    """
    try:
        card: Card = _card(_copy(facts))
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise UnreadableSnapshot(f"card {facts.get('code')}: {error}") from error
    return card


def _copy(value: Any) -> Any:
    """Deep-copy JSON, because reading an object modifies it."""
    if isinstance(value, Mapping):
        return {name: _copy(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_copy(each) for each in value]
    return value


def taboo_facts(change: TabooChange) -> Facts:
    """A taboo list's changes to a card, as JSON types."""
    return dict(_plain(change))


def taboo_from_facts(facts: Mapping[str, Any]) -> TabooChange:
    """The change with the facts that :func:`taboo_facts` returned."""
    try:
        change: TabooChange = _change(_copy(facts))
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise UnreadableSnapshot(f"taboo {facts.get('code')}: {error}") from error
    return change


# -- whole pools --


def make_pool(
    *,
    cards: Mapping[str, Card],
    taboo_lists: Iterable[TabooList] = (),
    packs: Iterable[Pack] = (),
    cycles: Iterable[Cycle] = (),
    encounter_sets: Mapping[str, str] | None = None,
) -> CardPool:
    """Create a card pool whose version is a hash of its contents."""
    pool = CardPool(
        version="",
        cards=dict(sorted(cards.items())),
        taboo_lists=tuple(taboo_lists),
        packs=tuple(packs),
        cycles=tuple(cycles),
        encounter_sets=encounter_sets,
    )
    pool.version = _version(_content(pool))
    return pool


def _version(content: bytes) -> str:
    import hashlib  # loads OpenSSL, which reading a snapshot can do without

    return hashlib.sha256(content).hexdigest()[:_VERSION_LENGTH]


def _content(pool: CardPool) -> bytes:
    """The canonical JSON of a pool."""
    content = {
        "cycles": [_plain(each) for each in sorted(pool.cycles.values(), key=_by_code)],
        "packs": [_plain(each) for each in sorted(pool.packs.values(), key=_by_code)],
        "encounter_sets": dict(sorted(pool.encounter_sets.items())),
        "cards": [card_facts(pool[code]) for code in sorted(pool)],
        "taboo_lists": [
            {
                "id": each.id,
                "date": each.date,
                "changes": [
                    taboo_facts(change) for _, change in sorted(each.changes.items())
                ],
            }
            for each in pool.taboo_lists
        ],
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _by_code(product: Pack | Cycle) -> str:
    return product.code


def write_snapshot(pool: CardPool) -> bytes:
    """The pool as a snapshot; the same pool gives the same bytes."""
    content = _content(pool)
    header = f"{FORMAT} {_version(content)}\n".encode()
    return header + lzma.compress(content, preset=9 | lzma.PRESET_EXTREME)


def read_snapshot(data: bytes) -> CardPool:
    """Read the pool of a snapshot. Raises ``UnreadableSnapshot`` if it can't."""
    version, body = _parted(data)
    try:
        content = _content_of(body)
        cards = {facts["code"]: _card(facts) for facts in content["cards"]}
        return CardPool(cards=cards, **_beside_cards(version, content))
    except (lzma.LZMAError, TypeError, ValueError, KeyError, AttributeError) as error:
        raise UnreadableSnapshot(f"the snapshot is damaged: {error}") from error


def _parted(data: bytes) -> tuple[str, bytes]:
    """Split a snapshot into its version and what follows its first line."""
    header, _, body = data.partition(b"\n")
    kind, _, version = header.decode(errors="replace").rpartition(" ")
    if kind != FORMAT:
        raise UnreadableSnapshot(f"found {kind[:40]!r}, expected {FORMAT!r}")
    return version, body


def _content_of(body: bytes) -> Facts:
    content: Facts = json.loads(lzma.decompress(body))
    return content


def _beside_cards(version: str, content: Facts) -> dict[str, Any]:
    """The contents of a pool, apart from its cards."""
    return {
        "version": version,
        "taboo_lists": tuple(_taboo_list(each) for each in content["taboo_lists"]),
        "packs": tuple(_pack(each) for each in content["packs"]),
        "cycles": tuple(_cycle(each) for each in content["cycles"]),
        "encounter_sets": content["encounter_sets"],
    }


def _taboo_list(facts: Facts) -> TabooList:
    changes = [_change(each) for each in facts["changes"]]
    return TabooList(facts["id"], facts["date"], {each.code: each for each in changes})


class _Unread(CardPool):
    """A pool that reads each card from its facts on first use.

    A deck needs about thirty cards, and reading all cards is slower than anything else.
    """

    def __init__(self, version: str, content: Facts) -> None:
        super().__init__(cards={}, **_beside_cards(version, content))
        facts = content["cards"]
        self._order = [each["code"] for each in facts]
        # By the code of every printing; None once the card was read.
        self._facts: dict[str, Facts | None] = {
            printing[0]: each for each in facts for printing in each["printings"]
        }
        self._facts.update(zip(self._order, facts, strict=True))
        self._lock = Lock()  # reading facts modifies them

    def __getitem__(self, code: str) -> Card:
        card = self.get_card(code)
        if card is None:
            raise KeyError(code)
        return card

    def __contains__(self, code: object) -> bool:
        return code in self._facts

    def __iter__(self) -> Iterator[str]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)

    def get_card(self, code: str) -> Card | None:
        """The card with this printing, or None."""
        return self._by_printing.get(code) or self._read(code)

    def _read(self, code: str) -> Card | None:
        with self._lock:
            facts = self._facts.get(code)
            if facts is not None:
                card = _card(facts)
                codes = [printing.code for printing in card.printings]
                for each in (card.code, *codes):
                    if self._facts[each] is facts:
                        self._facts[each] = None
                        self._by_printing[each] = card
            return self._by_printing.get(code)


@cache
def embedded_pool() -> CardPool:
    """The card pool that is part of the package: every card of the game as facts."""
    data = get_data("arkham.rules", f"data/{EMBEDDED}")  # works from a zip archive, too
    assert data is not None
    version, body = _parted(data)
    return _Unread(version, _content_of(body))
