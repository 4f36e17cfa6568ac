"""Random decks with everything that a format may carry."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from arkham.rules.deck import DeckList, SheetMark
from arkham.rules.notation.exchanged import (
    Counts,
    Exchanged,
    Experience,
    ObjectKind,
    Origin,
)
from tests.rules.strategies import cards

# Names have single spaces only; texts have no control characters.
_LETTERS = st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp"))
WORDS = st.text(_LETTERS, min_size=1, max_size=12)
NAMES = st.lists(WORDS, max_size=5).map(" ".join)
NOTES = st.text(
    st.one_of(_LETTERS, st.sampled_from("\n \t#*_<>&]'\"")), max_size=60
).filter(lambda text: not text or text.strip() != "")
_NUMBERS = st.integers(0, 99)
_KEYS = st.one_of(st.none(), st.integers(1, 10**9), WORDS)


@cache
def codes() -> tuple[str, ...]:
    """Codes of every printing of every card that isn't an investigator."""
    return tuple(
        sorted(
            printing.code
            for card in cards().values()
            if not card.investigator
            for printing in card.printings
        )
    )


@cache
def players() -> tuple[str, ...]:
    """Investigators that decks can be built for."""
    return tuple(card.code for card in cards().investigators if card.plays)


CODES = st.deferred(lambda: st.sampled_from(codes()))
PLAYERS = st.deferred(lambda: st.sampled_from(players()))
ENTRIES = st.dictionaries(CODES, st.integers(1, 30), max_size=8)


@st.composite
def marks(draw: st.DrawFn) -> tuple[SheetMark, ...]:
    """Marks of an upgrade sheet, in the order of its lines."""
    lines = sorted(draw(st.sets(st.integers(0, 12), min_size=1, max_size=4)))
    word = st.sampled_from(["Relic", "Elder Thing", "willpower", "02185", "0"])
    written = st.lists(word, max_size=2).map(tuple)
    return tuple(SheetMark(at, draw(st.integers(0, 9)), draw(written)) for at in lines)


@st.composite
def deck_lists(draw: st.DrawFn) -> DeckList:
    """Deck lists that may use every field."""
    held = ENTRIES.filter(bool)
    side = st.one_of(st.just(""), PLAYERS)
    return DeckList(
        draw(PLAYERS),
        draw(ENTRIES),
        front=draw(side),
        back=draw(side),
        considered=draw(ENTRIES),
        set_aside=draw(ENTRIES),
        choices=draw(
            st.dictionaries(
                st.sampled_from(["class", "class_1", "class_2", "trait", "size"]),
                st.sampled_from(["mystic", "30", "blessed", "elder thing"]),
                max_size=3,
            )
        ),
        sheets=draw(st.dictionaries(CODES, marks(), max_size=3)),
        side_deck=draw(ENTRIES),
        attachments=draw(st.dictionaries(CODES, held, max_size=2)),
        transformed_into=draw(st.one_of(st.just(""), CODES)),
        taboo=draw(st.one_of(st.none(), st.integers(1, 10))),
        card_pool=draw(st.sampled_from([(), ("core",), ("rcore", "dwl", "tskp")])),
        name=draw(NAMES),
    )


@st.composite
def experiences(draw: st.DrawFn) -> Experience:
    """Experience of every kind, known and unknown."""
    points = draw(st.one_of(st.none(), _NUMBERS))
    counts = Counts.BALANCE if points is None else draw(st.sampled_from(Counts))
    gained = counts is Counts.GAINED
    return Experience(
        points,
        counts,
        since=draw(st.sampled_from(["", "59660", "deck:12/3"])) if gained else "",
        spent=draw(st.one_of(st.none(), _NUMBERS)),
        adjustment=draw(st.integers(-9, 9)),
    )


@st.composite
def origins(draw: st.DrawFn) -> Origin:
    """What a site may know about a deck."""
    instant = st.sampled_from(["", "2026-02-01T22:38:59+00:00"])
    kind = draw(st.sampled_from(ObjectKind))
    return Origin(
        kind,
        id=draw(_KEYS),
        author=draw(_KEYS),
        made_at=draw(instant),
        changed_at=draw(instant),
        version=draw(st.sampled_from(["", "1.0", "3.17"])),
        previous=draw(_KEYS),
        next=draw(_KEYS),
        problem=draw(st.sampled_from(["", "too_few_cards"])) if kind == "deck" else "",
        investigator=draw(NAMES),
    )


_JSON: SearchStrategy[object] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner)
    ),
    max_leaves=5,
)
KEPT = st.dictionaries(
    st.sampled_from(
        ["banner_url", "intro_md", "sealed_deck", "hidden_slots", "amk", "weird key",
         "card_pool_extension_1", "fan_made_content"]
    ),
    _JSON,
    max_size=4,
)  # fmt: skip


@st.composite
def exchanges(draw: st.DrawFn) -> Exchanged:
    """Decks with everything that can be exchanged with them."""
    return Exchanged(
        draw(deck_lists()),
        notes=draw(NOTES),
        tags=tuple(draw(st.lists(st.sampled_from(["solo", "theme", "Ünlü"])))),
        annotations=draw(st.dictionaries(CODES, NOTES, max_size=2)),
        experience=draw(experiences()),
        exiled=tuple(draw(st.lists(CODES, max_size=3))),
        origin=draw(origins()),
        choices_kept=draw(KEPT),
        others=draw(st.dictionaries(st.sampled_from(["uuid", "source"]), _JSON)),
    )
