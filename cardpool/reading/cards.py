"""Read the facts of one card, and the lines of its upgrade sheet."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from arkham.rules.card import Card, Restriction, SheetOption
from arkham.rules.investigator import Back, DeckOption, InvestigatorFacts, SideDeckBack
from arkham.rules.snapshot import embedded_pool
from arkham.rules.vocabulary import BoxChoice, CardClass, CardType, Tag, WeaknessKind
from cardpool.reading.corrections import Record
from cardpool.reading.library import RecordIndex, task_of
from cardpool.reading.options import TAG_NAMES, plural, read_options
from cardpool.reading.records import (
    read_bounds,
    read_demands,
    split_list,
    split_slots,
    split_tags,
)
from cardpool.reading.requirements import (
    bonus_experience,
    read_requirements,
    side_deck_size,
    signature_kind,
)

PARALLEL = "parallel"
_PLACEHOLDER = "01000"  # represents any basic weakness; its limit is not a rule
_NEUTRAL, _MYTHOS = "neutral", "mythos"
_ICONS = (
    "skill_willpower",
    "skill_intellect",
    "skill_combat",
    "skill_agility",
    "skill_wild",
)
_WEAKNESSES = {"basicweakness": WeaknessKind.BASIC, "weakness": WeaknessKind.OTHER}
_PRINTED_TEXT = "printed text"

_LIMIT = re.compile(r"Limit (\d+) per deck")
_SUBTITLE_LIMIT = re.compile(r"Limit (\d+) [^.]+ <i>\([^)]+\)</i> per deck")
_USES = re.compile(r"\bUses \((?:\d+|X)(?: \[\w+\])? (\w+)")
_AT_CREATION = re.compile(r"Purchase (?:only )?at deck creation")
_CAMPAIGN_ONLY = re.compile(r"Campaign mode only", re.IGNORECASE)
_MULTIPLAYER_ONLY = re.compile(r"Multiplayer only", re.IGNORECASE)
_RESEARCHED = re.compile(r"\bResearched\.")
_REWARD = re.compile(r"\bReward\.")


def read_card(
    record: Record, library: RecordIndex, cycle_of_pack: dict[str, str]
) -> Card:
    """Read the facts of a card; note in the record what can't be read."""
    text = record.text("text")
    factions = _factions(record)
    weakness = _weakness(record)
    kind = _type(record)
    level = None if weakness else record.number("xp")
    is_investigator = kind is CardType.INVESTIGATOR
    numbers = [record.number(field) or 0 for field in _ICONS]
    researched = _RESEARCHED.search(text) is not None
    lower = library.researched_from(record) if researched else ()
    signature = _restriction(record, library)
    restricted = signature is not None and bool(signature.investigators)
    limit, by_subname = _deck_limit(record, level, text)
    sheet = read_sheet(record)
    keep_places(record, sheet)
    return Card(
        code=record.code,
        name=record.wanted("name"),
        type=kind,
        printings=library.printings.get(record.code, ()),
        subname=record.text("subname"),
        classes=tuple(each for each in CardClass if each.value in factions),
        scenario=_MYTHOS in factions,
        weakness=weakness,
        level=level,
        cost=record.number("cost"),
        icons=(
            (0, 0, 0, 0, 0)
            if is_investigator
            else (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
        ),
        slots=split_slots(record.text("slot")),
        traits=split_list(record.text("traits")),
        health=record.number("health"),
        sanity=record.number("sanity"),
        victory=record.number("victory"),
        unique=record.flag("is_unique"),
        permanent=record.flag("permanent"),
        exceptional=record.flag("exceptional"),
        myriad=record.flag("myriad"),
        researched=researched,
        researched_from=tuple(each.code for each in lower),
        task=task_of(lower[0]) if lower else task_of(record),
        deck_limit=limit,
        limit_by_subname=by_subname,
        uses=_uses(text),
        tags=_tags(record, library),
        bonded_to=(record.text("bonded_to"),) if record.has("bonded_to") else (),
        encounter_set=record.text("encounter_code"),
        encounter_position=record.number("encounter_position"),
        restriction=signature,
        signature=signature_kind(record) if restricted else None,
        creation_only=_AT_CREATION.search(text) is not None and not is_investigator,
        campaign_only=_CAMPAIGN_ONLY.search(text) is not None,
        multiplayer_only=_MULTIPLAYER_ONLY.search(text) is not None,
        reward=_REWARD.search(text) is not None,
        hidden=record.flag("hidden") and not record.has("deck_requirements"),
        in_decks=_in_decks(record, kind),
        back_code=record.text("back_link"),
        sheet=sheet,
        skills=(
            (numbers[0], numbers[1], numbers[2], numbers[3])
            if is_investigator
            else None
        ),
        investigator=(
            _investigator(record, library, cycle_of_pack) if is_investigator else None
        ),
        errata=library.corrections.errata.get(record.code, ()),
    )


def _factions(record: Record) -> set[str]:
    fields = ("faction_code", "faction2_code", "faction3_code")
    factions = {record.text(field) for field in fields} - {""}
    known = {each.value for each in CardClass} | {_NEUTRAL, _MYTHOS}
    if not factions or factions - known:
        record.note("faction_code", ", ".join(factions) or None, "a class")
    return factions


def _type(record: Record) -> CardType:
    value = record.text("type_code")
    try:
        return CardType(value)
    except ValueError:
        record.note("type_code", value, "a card type")
        return CardType.ASSET


def _weakness(record: Record) -> WeaknessKind | None:
    value = record.text("subtype_code")
    if value and value not in _WEAKNESSES:
        record.note("subtype_code", value, " or ".join(_WEAKNESSES))
    return _WEAKNESSES.get(value)


def _restriction(record: Record, library: RecordIndex) -> Restriction | None:
    """Return the only investigators who may have the card; None for bonded cards."""
    if not record.has("restrictions") or record.has("bonded_to"):
        return None
    bounds = read_bounds(record.values["restrictions"])
    if bounds is None:
        record.note("restrictions", record.values["restrictions"], "who may hold it")
        return None
    bases = dict.fromkeys(library.base(each) for each in bounds.investigators)
    return Restriction(
        investigators=tuple(bases),
        traits=bounds.traits,
        classes=tuple(each for each in CardClass if each.value in bounds.classes),
    )


def _deck_limit(
    record: Record, level: int | None, text: str
) -> tuple[int | None, bool]:
    """Return the printed limit if it isn't the general one, and if it is by subtitle.

    The data have the resulting number on every card; it is a fact of the card only if
    the general rules (two, three if myriad, one if exceptional) don't give it.
    """
    by_subname = _SUBTITLE_LIMIT.search(text)
    printed = by_subname or _LIMIT.search(text)
    if printed:
        return int(printed[1]), by_subname is not None
    limit = record.number("deck_limit")
    if level is None or not limit or record.code == _PLACEHOLDER:
        return None, False
    general = 3 if record.flag("myriad") else 1 if record.flag("exceptional") else 2
    return (None if limit == general else limit), False


def _uses(text: str) -> str:
    found = _USES.search(text)
    return plural(found[1]) if found else ""


def _tags(record: Record, library: RecordIndex) -> tuple[tuple[Tag, str], ...]:
    """Return the effects of the text, each with its source (``corrections.toml``)."""
    listed = split_tags(record.text("tags"))
    unknown = set(listed) - set(TAG_NAMES)
    if unknown:
        record.note("tags", ", ".join(sorted(unknown)), ", ".join(TAG_NAMES))
    tags = {TAG_NAMES[each] for each in listed if each in TAG_NAMES}
    cite = library.corrections.cite(record.code, "tags") or _PRINTED_TEXT
    sources = dict.fromkeys(tags, cite)
    if record.flag("exile"):
        cite = library.corrections.cite(record.code, "exile") or _PRINTED_TEXT
        sources[Tag.EXILE] = cite
    return tuple((tag, sources[tag]) for tag in Tag if tag in sources)


def _in_decks(record: Record, kind: CardType) -> bool:
    """Return True if a deck can include the card; a missing limit counts as 0.

    An investigator card is never part of a deck, unless another investigator
    permanently becomes it (it is marked permanent then). The other side of a player
    card is listed by its front.
    """
    if not record.number("deck_limit") or record.has("bonded_to"):
        return False
    if kind is CardType.INVESTIGATOR:
        return record.flag("permanent")
    return (
        not record.flag("hidden")
        or record.has("encounter_code")
        or (record.code == _PLACEHOLDER)
    )


def _investigator(
    record: Record, library: RecordIndex, cycle_of_pack: dict[str, str]
) -> InvestigatorFacts:
    back = read_back(record, record, library)
    return InvestigatorFacts(
        base=library.base(record.code),
        back=back,
        playable=back is not None,
        parallel=cycle_of_pack.get(record.text("pack_code")) == PARALLEL,
    )


def read_back(source: Record, record: Record, library: RecordIndex) -> Back | None:
    """Read the back of an investigator; None if none is printed.

    ``source`` has the options and requirements: the record itself, or the entry of a
    taboo list that replaces them.
    """
    if not source.has("deck_requirements"):
        return None
    demands = read_demands(source.values["deck_requirements"])
    if demands is None or not demands.size:
        source.note("deck_requirements", source.values["deck_requirements"], "a size")
        return None
    text = record.text("back_text")
    options, choices = read_options(source, "deck_options", text)
    return Back(
        size=demands.size,
        options=options,
        choices=choices,
        requirements=read_requirements(
            source,
            demands,
            text,
            library.signatures.get(library.base(record.code), ()),
            library.root,
        ),
        basic_weaknesses=demands.basic_weaknesses,
        bonus_experience=bonus_experience(text),
        side_deck=_side_deck(record, text, library),
    )


def _side_deck(record: Record, text: str, library: RecordIndex) -> SideDeckBack | None:
    if not record.has("side_deck_requirements"):
        return None
    demands = read_demands(record.values["side_deck_requirements"])
    size = side_deck_size(text)
    if demands is None or size is None:
        record.note("side_deck_requirements", size, "a size and cards")
        return None
    options: tuple[DeckOption, ...]
    options, _ = read_options(record, "side_deck_options", "")
    required = tuple(library.root(group[0]) for group in demands.cards)
    return SideDeckBack(size=size, options=options, required=required)


_CHOICES = {
    "choose_trait": BoxChoice.TRAIT,
    "choose_skill": BoxChoice.SKILL,
    "choose_card": BoxChoice.CARD,
    "remove_slot": BoxChoice.SLOT,
}
# Our names for lines without a printed one, whose choice is made at once.
_UNNAMED = {
    BoxChoice.TRAIT: "Chosen trait",
    BoxChoice.SKILL: "Chosen skill",
    BoxChoice.CARD: "Named asset",
    BoxChoice.SLOT: "Chosen slot",
}


def read_sheet(record: Record) -> tuple[SheetOption, ...]:
    """Read the lines of a card's upgrade sheet; empty for cards without one.

    ``surcharges`` is ours: experience in addition to the boxes, by the line's name,
    from a correction.
    """
    lines = record.text("customization_text").split("\n")
    raw = record.objects("customization_options")
    if len(raw) > len(lines) or (raw and not lines[0]):
        record.note("customization_text", len(lines), f"{len(raw)} lines")
        return ()
    surcharges = record.values.get("surcharges")
    if not isinstance(surcharges, dict):
        surcharges = {}
    options: list[SheetOption] = []
    for position, each in enumerate(raw):
        try:
            option = _line(position, each, lines[position], options)
        except (KeyError, TypeError, ValueError, AttributeError):
            record.note(f"customization_options.{position}", each, "a sheet's line")
            continue
        if option.name in surcharges:
            option = replace(option, surcharge=surcharges[option.name])
        options.append(option)
    for name in set(surcharges) - {option.name for option in options}:
        record.note("surcharges", name, "a line of the sheet")
    return tuple(options)


def keep_places(record: Record, sheet: tuple[SheetOption, ...]) -> None:
    """Note lines whose place has changed, because decks refer to lines by place.

    They are compared with the embedded cards; new cards have no places to keep.
    """
    known = embedded_pool().get_card(record.code)
    for line, before in zip(sheet, known.sheet if known else (), strict=False):
        if line.id != before.id:
            field = f"customization_options.{line.position}"
            expected = f"{before.id}, as decks know the line"
            record.note(field, line.id, expected, serious=False)


def _line(
    position: int, raw: Mapping[str, Any], text: str, before: list[SheetOption]
) -> SheetOption:
    choice = _CHOICES[raw["choice"]] if "choice" in raw else None
    found = re.search(r"<b>(.+?)\.</b>", text)
    if found is None and choice is None:
        raise ValueError(text)
    name = found[1] if found else _UNNAMED[choice] if choice else ""
    again = sum(option.name == name for option in before)
    card = raw.get("card") or {}
    return SheetOption(
        id=slug(name) + (f"-{again + 1}" if again else ""),
        name=name,
        position=position,
        boxes=int(raw.get("xp") or 0),
        choice=choice,
        picks=int(raw.get("quantity") or 1) if choice else 0,
        card_types=tuple(CardType(each) for each in card.get("type", ())),
        card_traits=tuple(str(each).lower() for each in card.get("trait", ())),
        tags=tuple(TAG_NAMES[each] for each in split_tags(raw.get("tags", ""))),
        traits=split_list(raw["real_traits"]) if "real_traits" in raw else None,
        slots=split_slots(raw["real_slot"]) if "real_slot" in raw else None,
        deck_limit=raw.get("deck_limit"),
    )


def slug(name: str) -> str:
    """Turn a name into an id: "Dæmonic Influence" becomes ``daemonic-influence``."""
    plain = unicodedata.normalize("NFKD", name.lower().replace("æ", "ae"))
    ascii_only = plain.encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")
