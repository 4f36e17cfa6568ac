"""Choices of card filters, and forms whose values are in the query string."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any, Self

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from arkham.rules.card import Pack
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardClass, CardType, Tag
from arkham.signs import SIGNS
from cardpool.models import Scope
from cardpool.rows import scope_of
from cardpool.words import CLASSES, FAST, MARKS, SLOTS, TAGS, TYPES, Words, capitals

Choices = list[tuple[str, Words]]
HIGHEST_LEVEL = 5
HIGHEST_COST = 12
MOST_VALUES = 12  # of one filter

CLASS_FIELD: Choices = [(name, CLASSES[name]) for name in (*CardClass, "neutral")]
TYPE_FIELD: Choices = [
    (kind.value, TYPES[kind])
    for kind in (
        CardType.INVESTIGATOR,
        CardType.ASSET,
        CardType.EVENT,
        CardType.SKILL,
        CardType.TREACHERY,
        CardType.ENEMY,
    )
]
SLOT_FIELD: Choices = [
    *SLOTS.items(),
    ("hand x2", _("Two hands")),
    ("arcane x2", _("Two arcane")),
    ("none", _("No slot")),
]
SKILLS = ("willpower", "intellect", "combat", "agility", "wild")
SKILL_FIELD: Choices = [(name, SIGNS[name].title) for name in SKILLS]
MARK_FIELD: Choices = [
    (FAST, _("Fast")),
    *((word, MARKS[word].name) for word in ("permanent", "exceptional", "myriad")),
    ("exile", MARKS["exile"].name),
    *((word, MARKS[word].name) for word in ("bonded", "customizable", "researched")),
    *((str(tag), TAGS[tag]) for tag in (Tag.SEALS, Tag.HEALS_DAMAGE, Tag.HEALS_HORROR)),
    (str(Tag.PARLEY), TAGS[Tag.PARLEY]),
    *((word, MARKS[word].name) for word in ("multiclass", "unique", "signature")),
    *((word, MARKS[word].name) for word in ("weakness", "basic-weakness")),
]
SHOW_FIELD: Choices = [
    ("story", _("Story cards")),
    ("encounter", _("Encounter cards")),
]


def numbers(highest: int) -> Choices:
    """Return the choices: no number, and numbers from 0."""
    return [("", "–"), *((str(each), str(each)) for each in range(highest + 1))]


@lru_cache(maxsize=2)
def traits(pool: CardPool) -> Choices:
    """Return the traits of player cards."""
    named = {
        trait
        for card in pool.values()
        if scope_of(card) is Scope.PLAYER
        for trait in card.traits
    }
    return [(trait, capitals(trait)) for trait in sorted(named)]


@lru_cache(maxsize=2)
def packs(pool: CardPool) -> list[tuple[str, Choices]]:
    """Return the products with cards of their own, by cycle."""
    printed = {each.pack for card in pool.values() for each in card.printings}
    return by_cycle([pool.packs[code] for code in printed if code in pool.packs], pool)


def by_cycle(held: Sequence[Pack], pool: CardPool) -> list[tuple[str, Choices]]:
    """Return products under the names of their cycles, in order of appearance."""
    ordered = sorted(
        held, key=lambda pack: (pool.cycles[pack.cycle].position, pack.position)
    )

    def cycle(pack: Pack) -> str:
        return pool.cycles[pack.cycle].name

    return [
        (name, [(pack.code, pack.name) for pack in group])
        for name, group in groupby(ordered, cycle)
    ]


@lru_cache(maxsize=2)
def cycles(pool: CardPool) -> Choices:
    """Return the cycles in order of appearance."""
    cycles = sorted(pool.cycles.values(), key=lambda each: each.position)
    return [(each.code, each.name) for each in cycles]


class _SharedChoices(forms.ChoiceField):
    """A field whose forms share its choices, as copying them would be slow."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        shared = self.choices
        return super().__deepcopy__(memo | {id(shared): shared})


class SomeOfField(_SharedChoices, forms.MultipleChoiceField):
    """A field for several of its choices, ``MOST_VALUES`` at most."""

    default_error_messages = {
        "invalid_choice": _("“%(value)s” isn’t one of the choices."),
    }

    def __init__(self, label: Any, choices: Any = ()) -> None:
        super().__init__(
            required=False,
            label=label,
            choices=choices,
            widget=forms.CheckboxSelectMultiple,
        )

    def to_python(self, value: Any) -> list[str]:
        """Return the chosen values, without the empty first option of a long list."""
        return [each for each in super().to_python(value) if each]

    def validate(self, value: Sequence[str]) -> None:
        """Refuse unknown values, and too many of them."""
        if len(value) > MOST_VALUES:
            raise forms.ValidationError(
                ngettext(
                    "Choose %(number)d at most.",
                    "Choose %(number)d at most.",
                    MOST_VALUES,
                )
                % {"number": MOST_VALUES}
            )
        super().validate([each[:40] for each in value])


class OneOfField(_SharedChoices):
    """A field for one of its choices or none."""

    default_error_messages = SomeOfField.default_error_messages

    def __init__(self, label: Any, choices: Any = ()) -> None:
        super().__init__(required=False, label=label, choices=choices)


class AddressForm(forms.Form):
    """A form whose values are in the query string; invalid ones are ignored."""

    @cached_property
    def chosen(self) -> dict[str, Any]:
        """The chosen valid values, by field."""
        self.full_clean()
        return {name: each for name, each in self.cleaned_data.items() if each}

    @property
    def misread(self) -> list[str]:
        """The ignored values, with the reasons."""
        assert self.chosen is not None
        return [
            f"{self.fields[name].label}: {message}" if name in self.fields else message
            for name, messages in self.errors.items()
            if name != "q"  # errors in the search text are shown with the results
            for message in map(str, messages)
        ]

    @cached_property
    def state(self) -> list[tuple[str, str]]:
        """The valid values of each field, as pairs for a query string."""
        pairs: list[tuple[str, str]] = []
        for name, chosen in self.chosen.items():
            listed = chosen if isinstance(chosen, list) else [chosen]
            pairs += [(name, "1" if each is True else str(each)) for each in listed]
        return pairs
