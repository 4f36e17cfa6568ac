"""Filters of cards as fields of a form, each a condition of the search language.

A filter is written in the search language and compiled with the typed search, so the
two always agree, and a page can show the filter in the search language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from arkham.rules.card import TabooList
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import Tag
from cardpool.catalog import current_pool
from cardpool.filter_fields import (
    CLASS_FIELD,
    HIGHEST_COST,
    HIGHEST_LEVEL,
    MARK_FIELD,
    SKILL_FIELD,
    SLOT_FIELD,
    TYPE_FIELD,
    AddressForm,
    Choices,
    OneOfField,
    SomeOfField,
    cycles,
    numbers,
    packs,
    traits,
)
from cardpool.search.lexicon import QueryError
from cardpool.search.query import EVERYTHING, Or, Term, parse
from cardpool.words import Words

# -- the reader's collection --

CardsOwned = Callable[[HttpRequest], frozenset[str] | None]
_owned: list[CardsOwned] = []


def register_owned(source: CardsOwned) -> None:
    """Register a function that returns the cards a reader owns; apps above know it."""
    if source not in _owned:
        _owned.append(source)


def owned_by_reader(request: HttpRequest) -> frozenset[str] | None:
    """Return the codes of the cards the reader owns; None if unknown."""
    found = [codes for source in _owned if (codes := source(request)) is not None]
    return frozenset().union(*found) if found else None


# -- the form --


def _is_choice(typed: str) -> bool:
    """Return True if “or” joins the words, which binds looser than added conditions."""
    try:
        return isinstance(parse(typed), Or)
    except QueryError:
        return False


PLAIN = re.compile(r"[a-z0-9_-]+")


def _condition(key: str, values: Sequence[str], operator: str = ":") -> str:
    said = (each if PLAIN.fullmatch(each) else f'"{each}"' for each in values)
    return f"{key}{operator}{'|'.join(said)}"


def _range(key: str, least: str, most: str) -> str:
    if least and most:
        return f"{key}:{least}" if least == most else f"{key}:{least}-{most}"
    return f"{key}>={least}" if least else f"{key}<={most}"


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in use: its label, and the query string without it.

    ``fields`` are the fields it fills, ``value`` its value in them; "" for all of it.
    """

    label: str
    fields: str
    value: str
    without: str


@dataclass(frozen=True, slots=True)
class LongList:
    """A filter with many choices: the chosen ones, and all of them by group."""

    name: str
    label: Words
    adds: Words
    chosen: Choices
    groups: Sequence[tuple[str, Choices]]


class FilterForm(AddressForm):
    """The filters of cards. Invalid values are reported and ignored.

    ``taboo`` is the list for “changed by the taboo list”, ``owned`` what the reader
    owns; ``kept`` are query parameters that stay when a filter is removed.
    """

    q = forms.CharField(required=False, strip=True, label=_("Search"))
    by_class = SomeOfField(_("Class"), CLASS_FIELD)
    type = SomeOfField(_("Type"), TYPE_FIELD)
    least = OneOfField(_("Level from"), numbers(HIGHEST_LEVEL))
    most = OneOfField(_("to"), numbers(HIGHEST_LEVEL))
    cost_least = OneOfField(_("Cost from"), numbers(HIGHEST_COST))
    cost_most = OneOfField(_("to"), numbers(HIGHEST_COST))
    slot = SomeOfField(_("Slot"), SLOT_FIELD)
    icon = SomeOfField(_("Skill icons"), SKILL_FIELD)
    trait = SomeOfField(_("Trait"))
    cycle = SomeOfField(_("Cycle"))
    pack = SomeOfField(_("Product"))
    mark = SomeOfField(_("Properties"), MARK_FIELD)
    owned = forms.BooleanField(required=False, label=_("Only what I own"))
    taboo = forms.BooleanField(required=False, label=_("Changed by the taboo list"))

    # Filters whose values are alternatives, and their keys in the search language.
    ALTERNATIVES: Mapping[str, str] = {
        "by_class": "class",
        "type": "type",
        "slot": "slot",
        "trait": "trait",
    }
    RANGES: Mapping[str, tuple[str, str]] = {
        "level": ("least", "most"),
        "cost": ("cost_least", "cost_most"),
    }

    def __init__(
        self,
        data: Mapping[str, Any],
        *,
        pool: CardPool | None = None,
        owned: frozenset[str] | None = None,
        taboo: TabooList | None = None,
        kept: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(data, auto_id="f-%s")
        self.pool = pool or current_pool()
        self.owned_codes = owned
        self.taboo_list = taboo or self.pool.taboo_list("latest")
        self.kept = kept or {}
        for name, choices in (("trait", traits), ("cycle", cycles), ("pack", packs)):
            field = self.fields[name]
            assert isinstance(field, SomeOfField)
            field.choices = partial(choices, self.pool)

    def clean(self) -> dict[str, Any]:
        """Refuse ranges whose end is below their beginning."""
        data = self.cleaned_data
        for least, most in self.RANGES.values():
            first, last = data.get(least), data.get(most)
            if first and last and int(first) > int(last):
                self.add_error(least, _("The lowest is above the highest."))
                del data[most]
        return data

    @property
    def misread(self) -> list[str]:
        """The ignored parts of the filters, with the reasons."""
        assert self.term is not None  # this finds too many conditions
        said = super().misread
        if self.wants_collection:
            said.append(str(_("Only what I own: we don’t know what you own yet.")))
        return said

    @property
    def wants_collection(self) -> bool:
        """True if the reader asks for owned cards without a collection."""
        return "owned" in self.chosen and self.lacks_collection

    # -- in the search language --

    @property
    def lacks_collection(self) -> bool:
        """True if the reader's collection is unknown."""
        return self.owned_codes is None

    @cached_property
    def words(self) -> str:
        """The filters in the search language."""
        return " ".join(self._conditions(self.chosen))

    @cached_property
    def term(self) -> Term:
        """The filters as a tree of conditions."""
        try:
            return parse(self.words)
        except QueryError as error:  # more conditions than one search may have
            self.add_error(None, str(error))
            return EVERYTHING

    def _conditions(self, chosen: Mapping[str, Any]) -> Iterator[str]:
        for name, key in self.ALTERNATIVES.items():
            if name in chosen:
                yield _condition(key, chosen[name])
        for key, (least, most) in self.RANGES.items():
            if least in chosen or most in chosen:
                yield _range(key, chosen.get(least, ""), chosen.get(most, ""))
        for name in chosen.get("icon", ()):
            yield _condition(name, ["1"], ">=")
        for word in chosen.get("mark", ()):
            yield _condition("tag" if word in set(Tag) - {Tag.EXILE} else "is", [word])
        products = [
            _condition(key, chosen[key]) for key in ("cycle", "pack") if key in chosen
        ]
        if products:
            yield products[0] if len(products) == 1 else f"({' or '.join(products)})"
        if "owned" in chosen and self.owned_codes is not None:
            yield "owned:yes"
        if "taboo" in chosen and self.taboo_list is not None:
            yield f"taboo:{self.taboo_list.date}"

    # -- as fields --

    @property
    def long_lists(self) -> Iterator[LongList]:
        """The filters with too many choices for check boxes."""
        for name, adds, groups in (
            ("trait", _("Add a trait"), [("", traits(self.pool))]),
            ("cycle", _("Add a cycle"), [("", cycles(self.pool))]),
            ("pack", _("Add a product"), packs(self.pool)),
        ):
            chosen = self.chosen.get(name, ())
            picked = [each for _g, held in groups for each in held if each[0] in chosen]
            yield LongList(name, self.fields[name].label or "", adds, picked, groups)

    # -- as chips --

    @cached_property
    def chips(self) -> list[Chip]:
        """The filters in use, each removable with one press."""
        return [self._chip(*each) for each in self._active(self.chosen)]

    def _active(self, chosen: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        """Yield the label of each filter in use, its fields, and its value."""
        for name in self.fields:
            words = self._words_of(name) if name in chosen else {}
            for value in chosen[name] if words else ():
                yield words[value], name, value
        for key, fields in self.RANGES.items():
            least, most = (chosen.get(each, "") for each in fields)
            if least or most:
                yield self._range_label(key, least, most), " ".join(fields), ""
        for name in ("owned", "taboo"):
            if name in chosen and (name == "taboo" or self.owned_codes is not None):
                yield str(self.fields[name].label), name, ""

    def _words_of(self, name: str) -> dict[str, str]:
        """Return the values of a field for several, with the labels of their chips."""
        field = self.fields[name]
        if not isinstance(field, SomeOfField):
            return {}
        said: dict[str, str] = {}
        choices: Any = field.choices
        for value, label in choices:
            inner = label if isinstance(label, list) else [(value, label)]
            said.update({key: self._chip_label(name, str(each)) for key, each in inner})
        return said

    @staticmethod
    def _chip_label(name: str, label: str) -> str:
        match name:
            case "icon":
                return str(_("%(skill)s icon") % {"skill": label})
            case "trait":
                return str(_("Trait: %(trait)s") % {"trait": label})
            case "slot":
                return str(_("Slot: %(slot)s") % {"slot": label})
        return label

    @staticmethod
    def _range_label(key: str, least: str, most: str) -> str:
        name = _("Level") if key == "level" else _("Cost")
        words = {"name": name, "least": least, "most": most}
        if least == most:
            return str(_("%(name)s %(least)s") % words)
        if least and most:
            return str(_("%(name)s %(least)s–%(most)s") % words)
        if least:
            return str(_("%(name)s %(least)s or more") % words)
        return str(_("%(name)s %(most)s or less") % words)

    def _chip(self, label: str, fields: str, value: str) -> Chip:
        gone = [(name, value) for name in fields.split()]
        left = [
            (name, each)
            for name, each in self.state
            if (name, each) not in gone and (value or name not in fields.split())
        ]
        return Chip(label, fields, value, urlencode([*self.kept.items(), *left]))

    @property
    def without_filters(self) -> str:
        """The query string with only the typed search and the display options."""
        kept = [pair for pair in self.state if pair[0] in self.KEPT]
        return urlencode([*self.kept.items(), *kept])

    @property
    def in_words(self) -> str:
        """The query string with the filters moved into the search box."""
        kept = [(name, each) for name, each in self.state if name in self.KEPT - {"q"}]
        typed = self.chosen.get("q", "")
        words = f"{f'({typed})' if _is_choice(typed) else typed} {self.words}".strip()
        return urlencode([*self.kept.items(), ("q", words), *kept])

    # Fields that don't narrow the search: they stay when the filters are cleared.
    KEPT: frozenset[str] = frozenset({"q", "sort", "group", "order", "into"})
