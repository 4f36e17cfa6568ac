"""Cards in the format of ArkhamDB's API, field by field and in its order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arkham.rules.gists import NO_GIST, gist_of
from cardpool.reading.records import Records, Values, is_number


def php_json(value: Any) -> str:
    r"""Write a value as PHP's ``json_encode`` does: ASCII only, slashes as ``\/``."""
    return json.dumps(value, separators=(",", ":")).replace("/", r"\/")


def parsed(value: Any) -> Any:
    """Parse ``card:01006:90030, size:30``; return anything but text unchanged.

    ``{"card": {"01006": {"01006": "01006", "90030": "90030"}}, "size": 30}``
    """
    if not isinstance(value, str):
        return value
    result: dict[str, Any] = {}
    for item in (part.strip() for part in value.split(",")):
        kind, *bits = item.split(":")
        if bits:
            _take(result, kind, bits)
    return result


def _take(result: dict[str, Any], kind: str, bits: list[str]) -> None:
    match kind, bits:
        case "size", [size] if is_number(size):
            result["size"] = int(size)
        case "card", [first, *_]:
            groups = result.setdefault("card", {})
            groups.setdefault(first, {}).update({code: code for code in bits})
        case "investigator", _:
            result.setdefault("investigator", {}).update({code: code for code in bits})
        case "random", [target, value]:
            random = result.setdefault("random", [])
            random.append({"target": target, "value": value})
        case "faction", _:
            # The site writes missing levels this way.
            name, least, most = [*bits, False, False][:3]
            result.setdefault("faction", {})[name] = {"min": least, "max": most}
        case "cards", [name, limit, most]:
            bounds = {"min": 0, "max": most, "limit": limit}
            result.setdefault("cards", {})[name] = bounds
        case _:
            result.setdefault(kind, []).append(":".join(bits))


# code, name, whether it is a class of player cards
FACTIONS = (
    ("guardian", "Guardian", True),
    ("seeker", "Seeker", True),
    ("rogue", "Rogue", True),
    ("mystic", "Mystic", True),
    ("survivor", "Survivor", True),
    ("neutral", "Neutral", True),
    ("mythos", "Mythos", False),
)
FACTION_NAMES = {code: name for code, name, _primary in FACTIONS}
TYPE_NAMES = {
    "act": "Act",
    "agenda": "Agenda",
    "asset": "Asset",
    "enemy": "Enemy",
    "enemy_location": "Enemy-Location",
    "event": "Event",
    "investigator": "Investigator",
    "key": "Key",
    "location": "Location",
    "scenario": "Scenario",
    "skill": "Skill",
    "story": "Story",
    "treachery": "Treachery",
}
SUBTYPE_NAMES = {"basicweakness": "Basic Weakness", "weakness": "Weakness"}

_COSTS_AND_TEXT = ("bonded_to", "bonded_count", "cost")
_SHEET = ("customization_text", "customization_change", "customization_options")
_SKILLS = tuple(
    f"skill_{name}" for name in ("willpower", "intellect", "combat", "agility", "wild")
)
_ENEMY = ("enemy_damage", "enemy_horror", "enemy_fight", "enemy_evade")
_DEMANDS = ("deck_requirements", "side_deck_requirements", "restrictions")


# Raised when cards are written differently: older rows are written again.
SHAPE = 4


@dataclass(frozen=True, slots=True)
class PublicCardBody:
    """A card in the API's format.

    ``body`` is its JSON, whose address lacks the host. ``bonded`` is the part of it
    that only the list of all cards has, "" for none.
    """

    code: str
    pack: str
    encounter: bool
    hidden: bool
    body: str
    bonded: str


class PublicCardWriter:
    """Writes every card of some records in the API's format."""

    def __init__(self, records: Records, encounter_sets: Mapping[str, str]) -> None:
        self.records = records
        self.encounter_sets = encounter_sets
        self.packs = {each["code"]: each for each in records.packs}
        self.released = {
            code: str(each.get("date_release") or "9999")
            for code, each in self.packs.items()
        }
        self.has_texts = any(each.get("text") for each in records.cards.values())
        # A reprint's record has only the fields that differ.
        self.whole = {code: self._whole(code) for code in records.cards}
        self._duplicates = self._by("duplicate_of")
        self._alternates = self._by("alternate_of")
        self._bonded: dict[str, list[Values]] = {}
        for values in self.whole.values():
            if values.get("bonded_to") is not None:
                self._bonded.setdefault(values["bonded_to"], []).append(values)

    def bodies(self, places: Mapping[str, tuple[int, int]]) -> Iterator[PublicCardBody]:
        """Yield every card, by cycle, product, position, name and code.

        ``places`` are the positions of products: that of the cycle, that within it.
        """
        last = (1_000_000, 0)

        def order(values: Values) -> tuple[Any, ...]:
            place = places.get(str(values.get("pack_code")), last)
            return (
                *place,
                values.get("position") or 0,
                str(values.get("name", "")),
                values["code"],
            )

        for values in sorted(self.whole.values(), key=order):
            bonded = self._bonded_cards(values)
            yield PublicCardBody(
                code=values["code"],
                pack=str(values.get("pack_code", "")),
                encounter=bool(values.get("encounter_code")),
                hidden=bool(values.get("hidden")),
                body=php_json(self.card(values)),
                bonded=f',"bonded_cards":{php_json(bonded)}' if bonded else "",
            )

    def card(self, values: Values) -> Values:
        """Return a card as an object with its keys in order, without nulls."""
        linked = self.whole.get(str(values.get("back_link")))
        spoils = any(each.get("encounter_code") for each in (values, linked or {}))
        entries = self._own(values) | {
            "spoiler": 1 if spoils else None,
            "linked_card": self._own(linked) if linked else None,
            "bonded_cards": self._bonded_cards(values) or None,
            "duplicated_by": self._duplicates.get(values["code"]),
            "alternated_by": self._alternates.get(values["code"]),
            "errata_date": _moment(values.get("errata_date")),
        }
        return {name: value for name, value in entries.items() if value is not None}

    def _own(self, values: Values) -> Values:
        """Return the fields of a card itself, without related cards."""
        get = values.get
        entries = {
            **self._sets(values),
            "position": get("position"),
            "exceptional": bool(get("exceptional")),
            "myriad": bool(get("myriad")),
            "encounter_position": get("encounter_position"),
            "code": get("code"),
            **_twice(values, "name"),
            "subname": get("subname"),
            **{name: get(name) for name in _COSTS_AND_TEXT},
            # Bots read these two fields of every card.
            **_twice(values, "text", self._gist(values)),
            **{name: get(name) for name in _SHEET},
            "quantity": get("quantity"),
            **{name: get(name) for name in _SKILLS},
            **{name: get(name) for name in ("xp", "shroud", "clues")},
            "clues_fixed": get("clues_fixed") or None,
            **{name: get(name) for name in ("doom", "health")},
            "health_per_investigator": bool(get("health_per_investigator")),
            "sanity": get("sanity"),
            **{name: get(name) for name in _ENEMY},
            **{name: get(name) for name in ("victory", "vengeance", "deck_limit")},
            **_twice(values, "slot", ""),
            "stage": get("stage"),
            **_twice(values, "traits"),
            "tags": get("tags"),
            "deck_requirements": parsed(get("deck_requirements")),
            "deck_options": get("deck_options"),
            "restrictions": parsed(get("restrictions")),
            "side_deck_requirements": parsed(get("side_deck_requirements")),
            "side_deck_options": get("side_deck_options"),
            **{name: get(name) for name in ("flavor", "illustrator")},
            "is_unique": bool(get("is_unique")),
            "exile": bool(get("exile")) or None,
            "hidden": bool(get("hidden")) or None,
            "permanent": bool(get("permanent")),
            "double_sided": bool(get("double_sided")),
            **{name: get(name) for name in ("back_text", "back_flavor", "back_name")},
            "octgn_id": get("octgn_id"),
            "url": f"/card/{values['code']}",
        }
        return {name: value for name, value in entries.items() if value is not None}

    def _gist(self, values: Values) -> str:
        """Return our own summary of a card, if no texts were imported."""
        if self.has_texts:
            return ""
        gist = gist_of(values["code"])
        if gist is NO_GIST and values.get("duplicate_of"):
            gist = gist_of(str(values["duplicate_of"]))
        elder_sign = f"[elder_sign]: {gist.elder_sign}" if gist.elder_sign else ""
        return "\n".join(part for part in (gist.text, elder_sign) if part)

    def _sets(self, values: Values) -> Values:
        """Return what a card belongs to, by code and name."""
        pack = self.packs.get(str(values.get("pack_code")), {})
        fields: Values = {
            "pack_code": values.get("pack_code"),
            "pack_name": pack.get("name"),
        }
        for name, names in (
            ("type", TYPE_NAMES),
            ("subtype", SUBTYPE_NAMES),
            ("faction", FACTION_NAMES),
            ("faction2", FACTION_NAMES),
            ("faction3", FACTION_NAMES),
            ("encounter", self.encounter_sets),
        ):
            code = values.get(f"{name}_code")
            fields[f"{name}_code"] = code
            fields[f"{name}_name"] = names.get(str(code), code) if code else None
        for name, source in (
            ("linked_to", "back_link"),
            ("duplicate_of", "duplicate_of"),
            ("alternate_of", "alternate_of"),
        ):
            other = self.whole.get(str(values.get(source)), {})
            fields[f"{name}_code"] = other.get("code")
            fields[f"{name}_name"] = other.get("name")
        return fields

    def _whole(self, code: str) -> Values:
        """Return a card with the fields its record leaves to the card it repeats."""
        chain = [code]
        while (last := self.records.cards[chain[-1]].get("duplicate_of")) is not None:
            if last not in self.records.cards or last in chain:
                break
            chain.append(last)
        whole: Values = {}
        for each in reversed(chain):
            values = self.records.cards[each]
            whole |= {
                name: value for name, value in values.items() if value is not None
            }
        return whole

    def _by(self, field: str) -> dict[str, list[str]]:
        """Return the codes of cards that name another in a field; the newest first."""
        found: dict[str, list[str]] = {}
        for code in sorted(sorted(self.whole), key=self._release, reverse=True):
            values = self.records.cards[code]
            if values.get(field) is not None:
                found.setdefault(values[field], []).append(code)
        return found

    def _release(self, code: str) -> str:
        return self.released.get(str(self.whole[code].get("pack_code")), "9999")

    def _bonded_cards(self, values: Values) -> list[Values]:
        """Return the cards bonded to this one by its title, with their copies."""
        bonded = self._bonded.get(str(values.get("name")), ())
        return [
            {"count": each.get("bonded_count"), "code": each["code"]} for each in bonded
        ]


def _twice(values: Values, name: str, absent: str | None = None) -> Values:
    """Return a field in the site's language and in English, ``absent`` without one."""
    found = values.get(name)
    return {name: found, f"real_{name}": absent if found is None else found}


def _moment(value: Any) -> Any:
    """Return a day as PHP writes it."""
    if not isinstance(value, str):
        return value
    return {
        "date": f"{value} 00:00:00.000000",
        "timezone_type": 3,
        "timezone": "UTC",
    }
