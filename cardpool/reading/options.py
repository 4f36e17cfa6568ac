"""Read the Deckbuilding Options of an investigator's back.

The data say which cards fit; only the printed back says "other", "from any other class"
and "unless they are also". Both are read here, and neither is stored as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from arkham.rules.investigator import AtLeast, Choice, DeckOption
from arkham.rules.vocabulary import CardClass, CardType, Tag
from cardpool.reading.corrections import Record
from cardpool.reading.records import split_slots

ALL_CLASSES = tuple(CardClass)
CHOSEN = {"class": "chosen", "class_1": "first", "class_2": "second"}

_TAG_IDS = {Tag.FIREARM: "firearm-in-text"}  # the trait has the plain word


def named(option: DeckOption, *, key: str = "") -> DeckOption:
    """Return the option with its id; ``key`` names the choice that fills it."""
    return replace(option, id=option_id(option, key=key))


def option_id(option: DeckOption, *, key: str = "") -> str:
    """Return a readable id of an option, unique on its back."""
    parts: list[str] = [CHOSEN[key]] if key else []
    if option.forbids:
        parts.append("no")
    if option.counts_only:
        parts.append("each")
    if option.classes == ALL_CLASSES:
        parts.append("any")
    elif len(option.classes) == len(ALL_CLASSES) - 1:
        parts.append("other")
    else:
        parts.extend(each.value for each in option.classes)
    if option.neutral:
        parts.append("neutral")
    if option.permanent is not None:
        parts.append("permanent" if option.permanent else "not-permanent")
    parts.extend(each.replace(" ", "-") for each in option.traits)
    parts.extend(_TAG_IDS.get(each, each.value) for each in option.tags)
    parts.extend(option.uses)
    parts.extend(f"{each}-slot" for each in option.slots)
    parts.extend(each.value for each in option.types)
    if option.levels is not None:
        parts.extend(str(each) for each in option.levels)
    if option.limit is not None:
        parts.append(f"limit-{option.limit}")
    return "-".join(parts)


TAG_NAMES: Mapping[str, Tag] = {
    "hh": Tag.HEALS_HORROR,
    "hd": Tag.HEALS_DAMAGE,
    "pa": Tag.PARLEY,
    "se": Tag.SEALS,
    "fa": Tag.FIREARM,
}
# Tags of the data that no card has; the trait or uses of the option say the same.
_EMPTY_TAGS = frozenset({"st", "uc"})
_USES = {"charge": "charges"}


_KNOWN_KEYS = frozenset(
    {
        *("atleast", "base_level", "deck_size_select", "error", "faction"),
        *("faction_select", "id", "ignore_match", "level", "limit", "name", "not"),
        *("option_select", "permanent", "slot", "tag", "text", "trait", "type"),
        "uses",
    }
)


class _Wrong(ValueError):
    """An option that makes no sense: what was found, what was expected."""

    def __init__(self, found: object, expected: str) -> None:
        super().__init__(expected)
        self.found = found
        self.expected = expected


def read_options(
    record: Record, field: str, back_text: str
) -> tuple[tuple[DeckOption, ...], tuple[Choice, ...]]:
    """Read the options, with restrictions, and choices in a field of a record."""
    options: list[DeckOption] = []
    choices: list[Choice] = []
    for index, raw in enumerate(record.objects(field)):
        try:
            unknown = set(raw) - _KNOWN_KEYS
            if unknown:
                raise _Wrong(", ".join(sorted(unknown)), "keys of deck options")
            if "faction_select" in raw or "option_select" in raw:
                choices.append(_choice(raw, back_text))
            elif "deck_size_select" in raw:
                choices.append(_size_choice(raw))
            elif not _is_empty(raw):
                options.append(_option(raw, back_text))
        except _Wrong as wrong:
            record.note(f"{field}.{index}", wrong.found, wrong.expected)
        except (TypeError, ValueError, KeyError, AttributeError):
            record.note(f"{field}.{index}", raw, "a deck option")
    return tuple(_finished(options, back_text)), tuple(choices)


def _is_empty(raw: Mapping[str, Any]) -> bool:
    """Return True if an option asks for a tag that no card has."""
    return bool(raw.get("tag")) and set(raw["tag"]) <= _EMPTY_TAGS


def _option(raw: Mapping[str, Any], back_text: str) -> DeckOption:
    names = [str(each) for each in raw.get("faction", ())]
    limit = raw.get("limit")
    if limit is not None and not isinstance(limit, int):
        raise _Wrong(limit, "a number of copies")
    forbids = bool(raw.get("not"))
    option = DeckOption(
        id="",
        classes=tuple(each for each in ALL_CLASSES if each.value in names),
        neutral="neutral" in names,
        levels=_levels(raw.get("level")),
        start_levels=_levels(raw.get("base_level")),
        types=tuple(CardType(each) for each in raw.get("type", ())),
        traits=tuple(str(each).lower() for each in raw.get("trait", ())),
        tags=tuple(TAG_NAMES[each] for each in raw.get("tag", ())),
        uses=_uses(raw.get("uses", ())),
        slots=tuple(slot for each in raw.get("slot", ()) for slot in split_slots(each)),
        permanent=raw.get("permanent"),
        limit=limit,
        other=limit is not None and _says_other(back_text),
        forbids=forbids,
        spares=_spares(back_text) if forbids else (),
        counts_only=bool(raw.get("ignore_match")),
        at_least=_at_least(raw.get("atleast")),
    )
    unknown = set(names) - {each.value for each in ALL_CLASSES} - {"neutral"}
    if unknown:
        raise _Wrong(", ".join(sorted(unknown)), "a class or neutral")
    if forbids and option.levels == (0, 5):
        option = replace(option, levels=None)  # bans cards without a level too
    return option


def _levels(raw: object) -> tuple[int, int] | None:
    if raw is None:
        return None
    if not isinstance(raw, dict):
        raise _Wrong(raw, "levels with min and max")
    least, most = raw.get("min"), raw.get("max")
    if not isinstance(least, int) or not isinstance(most, int) or least > most:
        raise _Wrong(raw, "levels with min and max")
    return least, most


def _uses(raw: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(plural(each) for each in raw))


def plural(kind: str) -> str:
    """Return the kind of a use as the rules name it: "charge" becomes "charges"."""
    return _USES.get(kind, kind)


def _at_least(raw: object) -> AtLeast | None:
    if raw is None:
        return None
    if not isinstance(raw, dict) or set(raw) != {"factions", "min"}:
        raise _Wrong(raw, "a number of classes and of cards each")
    return AtLeast(classes=int(raw["factions"]), cards=int(raw["min"]))


# -- from the printed back only --


def _limited_phrase(back_text: str) -> str:
    """Return the printed phrase of the back's limited option (there is only one)."""
    found = re.search(r"up to \w+ [^.]*", _options_line(back_text))
    return found[0] if found else ""


def _options_line(back_text: str) -> str:
    found = re.search(r"<b>Deckbuilding Options:?</b>:?([^\n]*)", back_text)
    return found[1] if found else ""


def _says_other(back_text: str) -> bool:
    """Return True if the limited option has the printed word "other" (FAQ 1.15)."""
    return re.search(r"\bother\b", _limited_phrase(back_text)) is not None


def _spares(back_text: str) -> tuple[str, ...]:
    found = re.search(r"unless they are also \[\[(\w+)\]\]", back_text)
    return (found[1].lower(),) if found else ()


# -- finishing a back --


def _finished(options: list[DeckOption], back_text: str) -> Iterator[DeckOption]:
    """Yield options with their implied classes and ids, without workarounds.

    An option listed only because of another's place (parallel Rex: neutral Cursed cards
    before the restriction) is contained in a wider one, and dropped.
    """
    any_other = "any other class" in _limited_phrase(back_text)
    own = {each for option in options if not option.limit for each in option.classes}
    for option in options:
        if option.limit is not None and not option.classes and any_other:
            others = tuple(each for each in ALL_CLASSES if each not in own)
            option = replace(option, classes=others)
        if any(_lies_within(option, wider) for wider in options):
            continue
        yield named(option)


def _lies_within(option: DeckOption, wider: DeckOption) -> bool:
    """Return True if the second option allows all that the first does, and more."""
    if option is wider or option.forbids or wider.forbids or wider.limit is not None:
        return False
    if option.limit is not None or not option.traits or wider.traits:
        return False
    return option == replace(wider, traits=option.traits)


# -- choices --


def _choice(raw: Mapping[str, Any], back_text: str) -> Choice:
    if "option_select" in raw:
        return _trait_choice(raw)
    key = str(raw.get("id", "faction")).replace("faction", "class")
    if key not in CHOSEN:
        raise _Wrong(raw.get("id"), "faction_1 or faction_2")
    plain = {
        name: value
        for name, value in raw.items()
        if name not in ("id", "name", "faction_select")
    }
    template = named(_option(plain, back_text), key=key)
    offers = tuple(CardClass(each).value for each in raw["faction_select"])
    return Choice(key=key, kind="class", offers=offers, template=template)


def _trait_choice(raw: Mapping[str, Any]) -> Choice:
    grants: list[tuple[str, tuple[DeckOption, ...]]] = []
    sizes: list[tuple[str, int]] = []
    for each in raw["option_select"]:
        plain = {k: v for k, v in each.items() if k not in ("id", "name", "size")}
        grants.append((each["id"], (named(_option(plain, "")),)))
        if "size" in each:
            sizes.append((each["id"], int(each["size"])))
    return Choice(
        key="trait",
        kind="trait",
        offers=tuple(value for value, _ in grants),
        grants=tuple(grants),
        sizes=tuple(sizes),
    )


def _size_choice(raw: Mapping[str, Any]) -> Choice:
    sizes = [int(each) for each in raw["deck_size_select"]]
    return Choice(
        key="size",
        kind="size",
        offers=tuple(str(size) for size in sizes),
        sizes=tuple((str(size), size - sizes[0]) for size in sizes),
    )
