"""Find the differences between two versions of a deck, and describe them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arkham.rules.notation.circumstances_json import read_environment
from arkham.rules.notation.meta import CHOICE_KEYS, read_marks
from arkham.rules.pool import CardPool
from arkham.rules.rulings import RULINGS
from arkham.rules.ultimatums import ULTIMATUMS
from arkham.rules.vocabulary import Mode
from arkham.web.language import signed
from arkham.web.problems import pointer
from cardpool.languages import shown_name
from cardpool.relations import shown_full_name, side_name
from decks.lists.content import Content
from decks.pages.terms import (
    ARRIVALS,
    CHOICES,
    MODES,
    WITHOUT_TABOOS,
    environment_label,
    value_label,
)

Words = str | Promise
Say = Callable[[object, CardPool], str]
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between two versions: what differs, and both values in words.

    ``pointer`` leads to it in ``{"deck": …, "circumstances": …}``; ``mine`` and
    ``theirs`` are the values themselves. A missing value is "" in words and None here.
    """

    what: Words
    here: str
    there: str
    pointer: str
    mine: Any
    theirs: Any


def differences(
    here: Content, there: Content, pool: CardPool
) -> tuple[Difference, ...]:
    """List the differences between two versions: cards, then choices and terms."""
    return (
        *_entries_apart(here.deck, there.deck, pool),
        *_said_apart(("deck",), here.deck, there.deck, pool, _SAID.get),
        *_said_apart(
            ("deck", "meta"),
            here.deck["meta"],
            there.deck["meta"],
            pool,
            lambda key: _said_in_meta(key, pool),
        ),
        *_said_apart(
            ("circumstances",),
            here.circumstances,
            there.circumstances,
            pool,
            lambda key: _CIRCUMSTANCES.get(key, (key, _verbatim)),
        ),
    )


def change_words(here: Content, there: Content, pool: CardPool) -> str:
    """Describe what changed from the first version to the second: “+2 Machete”."""
    changes = [_change_word(each) for each in differences(here, there, pool)]
    shown, more = changes[:MOST_NAMED], len(changes) - MOST_NAMED
    words = ", ".join(shown)
    if more <= 0:
        return words
    text = ngettext(
        "%(changes)s and %(more)d more", "%(changes)s and %(more)d more", more
    )
    return text % {"changes": words, "more": more}


def _change_word(each: Difference) -> str:
    if not each.pointer.startswith("/deck/slots/"):
        return str(each.what)
    return f"{signed((each.theirs or 0) - (each.mine or 0))} {each.what}"


def _entries_apart(
    here: Mapping[str, Any], there: Mapping[str, Any], pool: CardPool
) -> Iterator[Difference]:
    """Yield differences in the copies of cards."""
    for key, label in (
        ("slots", "{name}"),
        ("ignoreDeckLimitSlots", _("{name}: copies that don’t count")),
        ("sideSlots", _("{name}: side deck")),
    ):
        for code, mine, theirs in _apart(here[key], there[key]):
            yield Difference(
                label.format(name=_name(code, pool)),
                _text(mine),
                _text(theirs),
                pointer("deck", key, code),
                mine,
                theirs,
            )


def _said_apart(
    place: tuple[str, ...],
    here: Mapping[str, Any],
    there: Mapping[str, Any],
    pool: CardPool,
    said: Callable[[str], tuple[Words, Say] | None],
) -> Iterator[Difference]:
    """Yield differences in values whose name and wording ``said`` knows."""
    for key, mine, theirs in _apart(here, there):
        known = said(key)
        if known is not None:
            what, say = known
            words = say(mine, pool), say(theirs, pool)
            yield Difference(what, *words, pointer(*place, key), mine, theirs)


def _apart(
    here: Mapping[str, Any], there: Mapping[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    for key in sorted({*here, *there}):
        if here.get(key) != there.get(key):
            yield key, here.get(key), there.get(key)


# -- values in words --


def _text(value: object) -> str:
    """Return a value as text."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return str(value)


def _name(code: object, pool: CardPool) -> str:
    """Return the name of a card, or the code if it is unknown."""
    card = pool.get_card(str(code or ""))
    return shown_full_name(card, pool) if card else _text(code)


def _side(code: object, pool: CardPool) -> str:
    """Return the name and version of a side of an investigator, or an unknown code."""
    card = pool.get_card(str(code or ""))
    return side_name(card, pool) if card else _text(code)


def _taboo(number: object, pool: CardPool) -> str:
    if number in (0, "0", WITHOUT_TABOOS):
        return _("No taboo list")
    found = pool.taboo_list(number) if isinstance(number, (int, str)) else None
    return found.date if found else _text(number)


def _cards(codes: object, pool: CardPool) -> str:
    """Return the names of comma-separated codes."""
    return _names(str(codes or "").split(","), pool)


def _names(codes: Any, pool: CardPool) -> str:
    """Return the names of a list of codes; repeated ones with their number."""
    copies = Counter(code for code in codes or () if code)
    counted = ((_name(code, pool), number) for code, number in copies.items())
    return ", ".join(f"{n} × {name}" if n > 1 else name for name, n in counted)


def _verbatim(value: object, pool: CardPool) -> str:
    return _text(value)


def _labels(known: Mapping[str, Words]) -> Say:
    """Return a function that shows each value of a list by its label."""

    def say(values: Any, pool: CardPool) -> str:
        return ", ".join(str(known.get(each, each)) for each in values or ())

    return say


def _mode(value: Any, pool: CardPool) -> str:
    """Return what a deck is for; without a value, for a campaign under way."""
    return str(MODES[Mode(value or Mode.CAMPAIGN)])


def _environment(value: object, pool: CardPool) -> str:
    return str(environment_label(read_environment(value, ""), pool)) if value else ""


def _owned(value: Any, pool: CardPool) -> str:
    """Return the size of a collection, which may include every product."""
    if value is None:
        return ""
    return ngettext(
        "%(count)d product or card", "%(count)d products and cards", len(value)
    ) % {"count": len(value)}


def _rulings(value: Any, pool: CardPool) -> str:
    """Return each question with its chosen reading."""
    known = (
        (RULINGS[each], reading)
        for each, reading in (value or {}).items()
        if each in RULINGS
    )
    return " ".join(
        f"{_(ruling.question)} {_(dict(ruling.readings).get(reading, reading))}"
        for ruling, reading in known
    )


def _trauma(value: Any, pool: CardPool) -> str:
    """Return the trauma that each card gives."""
    said = _("%(name)s: %(physical)d physical, %(mental)d mental")
    return "; ".join(
        said
        % {
            "name": _name(code, pool),
            "physical": kinds.get("physical", 0),
            "mental": kinds.get("mental", 0),
        }
        for code, kinds in (value or {}).items()
    )


_SAID: dict[str, tuple[Words, Say]] = {
    "investigator_code": (gettext_lazy("Investigator"), _side),
    "taboo_id": (gettext_lazy("Taboo list"), _taboo),
    "xp": (gettext_lazy("Experience to spend, as listed"), _verbatim),
    "xp_adjustment": (gettext_lazy("Experience corrected by hand"), _verbatim),
    "exile_string": (gettext_lazy("Exiled earlier"), _cards),
}
_META: dict[str, tuple[Words, Say]] = {
    "alternate_front": (gettext_lazy("Front"), _side),
    "alternate_back": (gettext_lazy("Back"), _side),
    "extra_deck": (gettext_lazy("Spirit deck"), _cards),
}
_CIRCUMSTANCES: dict[str, tuple[Words, Say]] = {
    "banned_titles": (gettext_lazy("Allies lost to The Scream"), _verbatim),
    "arrival": (
        gettext_lazy("Joined a running campaign"),
        _labels({each.value: label for each, label in ARRIVALS.items()}),
    ),
    "environment": (gettext_lazy("Environment"), _environment),
    "experience_carried": (
        gettext_lazy("Experience spent before the first game"),
        _verbatim,
    ),
    "experience": (gettext_lazy("Experience to spend"), _verbatim),
    "experience_earned": (gettext_lazy("Experience earned"), _verbatim),
    "given_signatures": (gettext_lazy("Signatures earned in the campaign"), _names),
    "campaign_cards": (gettext_lazy("Story cards from recorded games"), _names),
    "lost_cards": (gettext_lazy("Cards removed for the rest of the campaign"), _names),
    "mode": (gettext_lazy("The deck is for"), _mode),
    "owned": (gettext_lazy("Collection"), _owned),
    "players": (gettext_lazy("Investigators in the game"), _verbatim),
    "rulings": (gettext_lazy("Table rulings"), _rulings),
    "story_cards": (gettext_lazy("Story cards earned"), _names),
    "taboo": (gettext_lazy("Taboo list"), _taboo),
    "tasks": (gettext_lazy("Tasks recorded"), _names),
    "trauma": (gettext_lazy("Trauma chosen"), _trauma),
    "ultimatums": (
        gettext_lazy("Ultimatums and boons"),
        _labels({each.id: each.name for each in ULTIMATUMS.values()}),
    ),
}


def _said_in_meta(key: str, pool: CardPool) -> tuple[Words, Say]:
    """Return the label of a key of ``meta``, and the function that words its value."""
    if key in CHOICE_KEYS:
        return CHOICES[CHOICE_KEYS[key]], _chosen(CHOICE_KEYS[key])
    if key in _META:
        return _META[key]
    word, _bar, code = key.partition("_")
    card = pool.get_card(code)
    if word == "cus" and card is not None:
        return _("Upgrade sheet of %(name)s") % {"name": shown_name(card)}, _sheet_of(
            code
        )
    if word == "annotation" and card is not None:
        return _("Note on %(name)s") % {"name": shown_name(card)}, _verbatim
    if word in ("attachments", "attachment") and card is not None:
        return _("Set aside under %(name)s") % {"name": shown_name(card)}, _cards
    return key, _verbatim


def _chosen(key: str) -> Say:
    """Return a function that words a choice of the back."""
    kind = key.partition("_")[0]
    return lambda value, pool: str(value_label(kind, str(value))) if value else ""


def _sheet_of(code: str) -> Say:
    """Return a function that lists a sheet's marked lines with boxes and entries."""

    def say(value: object, pool: CardPool) -> str:
        names = {line.position: line.name for line in pool[code].sheet}
        parts = []
        for mark in read_marks(str(value or "")):
            name = names.get(mark.position, str(mark.position))
            written = [_name(each, pool) for each in mark.written]
            boxes = [str(mark.boxes)] if mark.boxes else []
            parts.append(f"{name} {', '.join(boxes + written)}")
        return "; ".join(parts)

    return say
