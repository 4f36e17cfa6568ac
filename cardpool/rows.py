"""Write a card pool as rows, with one function per model.

The columns besides ``facts`` are derived only here; ``LAYOUT`` changes when they do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arkham.rules import card as facts
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import card_facts, taboo_facts
from arkham.rules.vocabulary import CardClass, CardType
from cardpool.models import (
    Card,
    CardText,
    Cycle,
    EncounterSet,
    Pack,
    Printing,
    Scope,
    TabooEntry,
    TabooList,
)
from cardpool.words import fold, fold_text, listed, marks_of

LAYOUT = 2
LONGEST_NAME = 200  # of a translated name or subtitle

_CLASSES = tuple(CardClass)
_TYPES = tuple(CardType)
_MULTICLASS, _NEUTRAL, _CLASSLESS, _MYTHOS = range(len(_CLASSES), len(_CLASSES) + 4)


def cycle_row(cycle: facts.Cycle) -> Cycle:
    """Return the row of a cycle."""
    return Cycle(code=cycle.code, name=cycle.name, position=cycle.position)


def pack_row(pack: facts.Pack) -> Pack:
    """Return the row of a product."""
    return Pack(
        code=pack.code,
        name=pack.name,
        cycle_id=pack.cycle,
        position=pack.position,
        released=pack.released,
        chapter=pack.chapter,
        holds=list(pack.holds),
        holds_type=pack.holds_type,
    )


def encounter_set_row(code: str, name: str) -> EncounterSet:
    """Return the row of an encounter set."""
    return EncounterSet(code=code, name=name)


def scope_of(card: facts.Card) -> Scope:
    """Return the audience of a card; cards of encounter sets may be spoilers."""
    if not card.encounter_set:
        return Scope.PLAYER
    return Scope.STORY if card.in_decks and not card.scenario else Scope.ENCOUNTER


def class_words(card: facts.Card) -> tuple[str, ...]:
    """Return the values of ``class:`` for a card; a weakness has none."""
    if card.classes:
        return tuple(each.value for each in card.classes)
    if card.scenario:
        return ("mythos",)
    return () if card.weakness else ("neutral",)


def class_order(card: facts.Card) -> int:
    """Return the place of a card among the classes; multiclass comes after the five."""
    if len(card.classes) > 1:
        return _MULTICLASS
    if card.classes:
        return _CLASSES.index(card.classes[0])
    if card.scenario:
        return _MYTHOS
    return _CLASSLESS if card.weakness else _NEUTRAL


def first_printing(card: facts.Card, pool: CardPool) -> facts.Printing:
    """Return the printing that appeared first; by code if dates don't decide."""

    def age(printing: facts.Printing) -> tuple[str, str]:
        released = pool.packs[printing.pack].released
        return released or "9999", printing.code

    return min(card.printings, key=age)


def card_row(card: facts.Card, pool: CardPool) -> Card:
    """Return the row of a card."""
    first = first_printing(card, pool)
    willpower, intellect, combat, agility = card.skills or card.icons[:4]
    names = (fold(card.name), fold(card.subname))
    restriction = card.restriction
    return Card(
        code=card.code,
        name=card.name,
        subname=card.subname,
        folded_name=names[0],
        folded_names=" | ".join(name for name in names if name),
        type=card.type.value,
        type_order=_TYPES.index(card.type),
        scope=scope_of(card),
        hidden=card.hidden,
        classes=listed(class_words(card)),
        class_order=class_order(card),
        weakness=card.weakness.value if card.weakness else "",
        level=card.level,
        cost=card.cost,
        willpower=willpower,
        intellect=intellect,
        combat=combat,
        agility=agility,
        wild=card.icons[4],
        health=card.health,
        sanity=card.sanity,
        victory=card.victory,
        deck_limit=card.deck_limit,
        slots=listed(card.slots),
        traits=listed(card.traits),
        uses=listed((card.uses,) if card.uses else ()),
        tags=listed(tuple(tag.value for tag, _cite in card.tags)),
        marks=listed(marks_of(card)),
        owners=listed(restriction.investigators if restriction else ()),
        bonded_to=listed(tuple(fold(title) for title in card.bonded_to)),
        encounter_set=card.encounter_set,
        first_pack_id=first.pack,
        first_position=first.position,
        facts=card_facts(card),
    )


def printing_rows(card: facts.Card) -> Iterator[Printing]:
    """Yield the rows of a card's printings."""
    for printing in card.printings:
        yield Printing(
            code=printing.code,
            card_id=card.code,
            pack_id=printing.pack,
            position=printing.position,
            quantity=printing.quantity,
        )


def text_row(
    code: str, texts: Mapping[str, str], source: str, language: str
) -> CardText:
    """Return the row of a card's printed text, from fields named as in json-data."""
    front, back = texts.get("text", ""), texts.get("back_text", "")
    sheet = texts.get("customization_text", "")
    return CardText(
        card_id=code,
        name=texts.get("name", "")[:LONGEST_NAME],
        subname=texts.get("subname", "")[:LONGEST_NAME],
        text=front,
        back_text=back,
        sheet_text=sheet,
        folded=fold_text(" | ".join((front, back, sheet))),
        source=source,
        language=language,
    )


def taboo_list_row(taboo: facts.TabooList) -> TabooList:
    """Return the row of a taboo list."""
    return TabooList(id=taboo.id, date=taboo.date)


def taboo_entry_rows(
    taboo: facts.TabooList, texts: Mapping[str, str]
) -> Iterator[TabooEntry]:
    """Yield the rows of a taboo list's entries, with their texts by card code."""
    for code, change in sorted(taboo.changes.items()):
        yield TabooEntry(
            taboo_list_id=taboo.id,
            card_id=code,
            effects=listed(effects_of(change)),
            facts=taboo_facts(change),
            text=texts.get(code, ""),
        )


def effects_of(change: facts.TabooChange) -> tuple[str, ...]:
    """Return the values of ``change:`` for a taboo entry."""
    effects = {
        "dearer": change.experience > 0,
        "cheaper": change.experience < 0,
        "exceptional": change.exceptional is True,
        "forbidden": change.deck_limit == 0,
        "limited": bool(change.deck_limit),
        "customization": change.sheet is not None,
        "investigator": change.options is not None or change.size is not None,
        "text": change.text_only,
    }
    return tuple(word for word, holds in effects.items() if holds)
