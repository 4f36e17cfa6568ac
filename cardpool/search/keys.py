# ruff: noqa: E501 (the table aligns)
"""The keys of the search language, and the values each one takes.

One row per key: its name, ArkhamDB's one or two letters, other names, its finder, its
name in a sentence, and an example.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arkham.rules.vocabulary import CardClass, CardType, Tag
from cardpool.search import conditions as find
from cardpool.search import finders as by
from cardpool.search.conditions import Finder
from cardpool.search.lexicon import Lexicon, Words
from cardpool.words import MARKS, fold


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the language; ``says`` is its name in a sentence."""

    name: str
    letters: str
    aliases: tuple[str, ...]
    finder: Finder
    says: str | Promise
    example: str

    @property
    def spellings(self) -> tuple[str, ...]:
        """Everything that is accepted before the operator."""
        letters = (self.letters,) if self.letters else ()
        return (self.name, *letters, *self.aliases)


CLASSES: Words = {each.value: each.value for each in CardClass} | {
    "neutral": "neutral",
    "mythos": "mythos",
}
TYPES: Words = {fold(each.value): each.value for each in CardType}
TAGS: Words = {fold(each.value): each.value for each in Tag}
WEAKNESSES: Words = {
    "basic": "basic",
    "basicweakness": "basic",
    "basic weakness": "basic",
    "weakness": "other",
    "other": "other",
}
EFFECTS: Words = {
    "dearer": "dearer",
    "chained": "dearer",
    "cheaper": "cheaper",
    "unchained": "cheaper",
    "exceptional": "exceptional",
    "limited": "limited",
    "forbidden": "forbidden",
    "customization": "customization",
    "investigator": "investigator",
    "text": "text",
}

_LEVEL = _("a level: a number from 0 to 5, a range such as 1-3, or none")
_COST = _("a cost: a number, a range such as 0-2, x, or none")
_NUMBER = _("a number, or a range such as 1-3")
_NUMBER_OR_NONE = _("a number, a range such as 1-3, or none")


def _number(column: str) -> Finder:
    return find.number(column, _NUMBER)


def _optional(column: str) -> Finder:
    return find.number(column, _NUMBER_OR_NONE, none=None, x=-2)


def _slots(lexicon: Lexicon) -> Words:
    return lexicon.slots


def _traits(lexicon: Lexicon) -> Words:
    return lexicon.traits


def _uses(lexicon: Lexicon) -> Words:
    return lexicon.uses


def _encounter_sets(lexicon: Lexicon) -> Words:
    return lexicon.encounter_sets


_CLASS = find.listed_choice("classes", CLASSES, ", ".join(CLASSES))
_TYPE = find.choice(
    "type", TYPES, _("a type such as asset, event or skill (for a trait, use k:)")
)
_TRAIT = find.listed_word("traits", _traits, _("a trait"))
_SLOT = find.listed_word(
    "slots", _slots, _("a slot: hand, arcane, ally …, or none"), none="none"
)
_USES = find.listed_word(
    "uses", _uses, _("the kind of uses a card has: charges, ammo …")
)
_TAG = find.listed_choice("tags", TAGS, ", ".join(Tag))
_WEAKNESS = find.choice("weakness", WEAKNESSES, _("basic or other"))
_ENCOUNTER = find.word("encounter_set", _encounter_sets, _("an encounter set"))
_EFFECT = by.by_taboo_effect(EFFECTS, ", ".join(dict.fromkeys(EFFECTS.values())))

# fmt: off
KEYS: tuple[Key, ...] = (
    #   name          ADB   other names            finder                 in a sentence             example
    Key("class",      "f",  ("faction",),          _CLASS,                _("class"),               "class:seeker|mystic"),
    Key("type",       "t",  (),                    _TYPE,                 _("type"),                "type:asset"),
    Key("level",      "p",  ("xp",),               find.number("level", _LEVEL, none=None), _("level"), "level<=2"),
    Key("cost",       "o",  (),                    find.number("cost", _COST, none=None, x=-2), _("cost"), "cost:0-2"),
    Key("trait",      "k",  ("traits",),           _TRAIT,                _("trait"),               "trait:spell"),
    Key("slot",       "z",  ("slots",),            _SLOT,                 _("slot"),                "slot:arcane"),
    Key("name",       "",   ("title",),            by.by_name,          _("name"),                'name="Ward of Protection"'),
    Key("text",       "x",  (),                    by.by_text,          _("text"),                'text:"draw 1 card"'),
    Key("is",         "",   (),                    by.by_mark,          _("property"),            "is:customizable"),
    Key("tag",        "",   ("tags",),             _TAG,                  _("tag"),                 "tag:heals-horror"),
    Key("uses",       "",   (),                    _USES,                 _("uses"),                "uses:charges"),
    Key("willpower",  "w",  (),                    _number("willpower"),  _("willpower icons"),     "willpower>=2"),
    Key("intellect",  "i",  (),                    _number("intellect"),  _("intellect icons"),     "intellect:1"),
    Key("combat",     "c",  (),                    _number("combat"),     _("combat icons"),        "combat>0"),
    Key("agility",    "a",  (),                    _number("agility"),    _("agility icons"),       "agility>0"),
    Key("wild",       "d",  (),                    _number("wild"),       _("wild icons"),          "wild:2"),
    Key("health",     "h",  (),                    _optional("health"),   _("health"),              "health>=3"),
    Key("sanity",     "s",  (),                    _optional("sanity"),   _("sanity"),              "sanity:none"),
    Key("victory",    "j",  (),                    _optional("victory"),  _("victory points"),      "victory>0"),
    Key("limit",      "",   ("deck_limit",),       _optional("deck_limit"), _("printed deck limit"), "limit:1"),
    Key("weakness",   "b",  ("subtype",),          _WEAKNESS,             _("weakness"),            "weakness:basic"),
    Key("pack",       "e",  ("product",),          by.by_pack,          _("product"),             "pack:core"),
    Key("cycle",      "y",  (),                    by.by_cycle,         _("cycle"),               "cycle:dunwich"),
    Key("set",        "m",  ("encounter",),        _ENCOUNTER,            _("encounter set"),       'set:"the gathering"'),
    Key("released",   "r",  (),                    by.by_release,       _("first released"),      "released>=2024"),
    Key("quantity",   "qt", (),                    by.by_quantity,      _("copies in a product"), "quantity>2"),
    Key("access",     "do", (),                    by.by_access,        _("may be included by"),  "access:01004"),
    Key("owner",      "",   (),                    by.by_owner,         _("signature card of"),   "owner:01001"),
    Key("owned",      "",   ("own",),              find.owned,            _("in your collection"),  "owned:yes"),
    Key("taboo",      "",   (),                    by.by_taboo,         _("on the taboo list"),   "taboo:latest"),
    Key("change",     "",   (),                    _EFFECT,               _("changed by the taboo list"), "change:forbidden"),
    Key("bonded",     "",   (),                    by.by_bond,          _("bonded to"),           'bonded:"Dream Diary"'),
    Key("unique",     "u",  (),                    find.mark("unique"),   MARKS["unique"].name,     "unique:yes"),
    Key("permanent",  "",   (),                    find.mark("permanent"), MARKS["permanent"].name, "permanent:yes"),
    Key("exceptional", "",  (),                    find.mark("exceptional"), MARKS["exceptional"].name, "exceptional:yes"),
    Key("myriad",     "",   (),                    find.mark("myriad"),   MARKS["myriad"].name,     "myriad:yes"),
    Key("researched", "",   (),                    find.mark("researched"), MARKS["researched"].name, "researched:yes"),
    Key("customizable", "", (),                    find.mark("customizable"), MARKS["customizable"].name, "customizable:yes"),
    Key("exile",      "",   (),                    find.mark("exile"),    MARKS["exile"].name,      "exile:yes"),
)
# fmt: on

BY_SPELLING = {spelling: key for key in KEYS for spelling in key.spellings}

# Directives are outside of parentheses and apply to the whole search.
DIRECTIVES = ("show", "under", "sort")

# Keys of ArkhamDB for data that the card pool doesn't have.
ABSENT = {
    "v": _("flavour text"),
    "flavor": _("flavour text"),
    "flavour": _("flavour text"),
    "l": _("illustrators"),
    "illustrator": _("illustrators"),
    "cl": _("clues"),
    "dm": _("doom"),
    "sh": _("shroud"),
    "ed": _("enemy damage"),
    "eh": _("enemy horror"),
    "ef": _("enemy fight values"),
    "ee": _("enemy evade values"),
}
