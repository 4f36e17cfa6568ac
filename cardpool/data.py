"""Cards and taboo changes as JSON types, with examples for the API's description."""

from __future__ import annotations

from typing import Any

from arkham.rules import card as facts
from arkham.rules.deck import Environment
from arkham.rules.finding import english
from arkham.rules.investigator import (
    Back,
    Choice,
    DeckOption,
    InvestigatorFacts,
    Requirement,
)
from arkham.rules.labels import option_label
from cardpool import models
from cardpool.rows import scope_of

CARD: dict[str, Any] = {
    "code": "01060",
    "name": "Shrivelling",
    "subname": "",
    "type": "asset",
    "scope": "player",
    "classes": ["mystic"],
    "weakness": None,
    "level": 0,
    "cost": 3,
    "icons": {"willpower": 0, "intellect": 0, "combat": 1, "agility": 0, "wild": 0},
    "skills": None,
    "slots": ["arcane"],
    "traits": ["spell"],
    "health": None,
    "sanity": None,
    "victory": None,
    "unique": False,
    "permanent": False,
    "exceptional": False,
    "myriad": False,
    "researched": False,
    "researched_from": [],
    "deck_limit": None,
    "uses": "charges",
    "tags": [],
    "bonded_to": [],
    "encounter_set": None,
    "restriction": None,
    "signature": None,
    "creation_only": False,
    "campaign_only": False,
    "multiplayer_only": False,
    "reward": False,
    "in_decks": True,
    "customization": [],
    "errata": [],
    "printings": [
        {"code": "01060", "pack": "core", "position": 60, "quantity": 1},
        {"code": "01560", "pack": "rcore", "position": 60, "quantity": 2},
    ],
    "investigator": None,
}

# The parts that the card in full has besides.
DETAIL: dict[str, Any] = CARD | {
    "versions": ["01060", "02154", "02306"],
    "bonded": [],
    "taboo": [],
    "text": None,
}

PACK: dict[str, Any] = {
    "code": "dwlp",
    "name": "The Dunwich Legacy Investigator Expansion",
    "cycle": "dwl",
    "cycle_name": "The Dunwich Legacy",
    "position": 1,
    "released": "2024-01-12",
    "chapter": 1,
    "holds": ["dwl", "tmm", "tece", "bota", "uau", "wda", "litas"],
}

TABOO_LIST: dict[str, Any] = {"id": 1, "date": "2019-04-20", "cards": 13}

# Its first two changes.
TABOO_DETAIL: dict[str, Any] = {
    "id": 1,
    "date": "2019-04-20",
    "cards": 13,
    "changes": [
        {
            "code": "01020",
            "experience": 2,
            "exceptional": None,
            "deck_limit": None,
            "campaign_only": False,
            "text_only": False,
        },
        {
            "code": "01033",
            "experience": 0,
            "exceptional": None,
            "deck_limit": None,
            "campaign_only": False,
            "text_only": True,
        },
    ],
}

ENVIRONMENT: dict[str, Any] = {
    "slug": "current",
    "name": "Current",
    "kind": "current",
    "date": None,
    "cycles": [],
    "packs": [
        "core",
        "fhvc",
        "fhvp",
        "har",
        "jac",
        "nat",
        "rcore",
        "ste",
        "tdcc",
        "tdcp",
        "tskc",
        "tskp",
        "win",
    ],
}


def environment_of(row: models.Environment) -> Environment:
    """The environment of a row; the rules' defaults where a row says nothing."""
    return Environment(
        kind=row.kind,
        date=row.date,
        cycles=tuple(sorted(cycle.pk for cycle in row.cycles.all())),
        packs=tuple(sorted(pack.pk for pack in row.packs.all())),
    )


Data = dict[str, Any]

SKILLS = ("willpower", "intellect", "combat", "agility")


def card_data(card: facts.Card) -> Data:
    """A card as JSON types."""
    restriction = card.restriction
    return {
        "code": card.code,
        "name": card.name,
        "subname": card.subname,
        "type": card.type.value,
        "scope": scope_of(card).value,
        "classes": [each.value for each in card.classes],
        "weakness": card.weakness and card.weakness.value,
        "level": card.level,
        "cost": card.cost,
        "icons": dict(zip((*SKILLS, "wild"), card.icons, strict=True)),
        "skills": card.skills and dict(zip(SKILLS, card.skills, strict=True)),
        "slots": list(card.slots),
        "traits": list(card.traits),
        "health": card.health,
        "sanity": card.sanity,
        "victory": card.victory,
        "unique": card.unique,
        "permanent": card.permanent,
        "exceptional": card.exceptional,
        "myriad": card.myriad,
        "researched": card.researched,
        "researched_from": list(card.researched_from),
        "deck_limit": card.deck_limit,
        "uses": card.uses,
        "tags": [{"tag": tag.value, "cite": cite} for tag, cite in card.tags],
        "bonded_to": list(card.bonded_to),
        "encounter_set": card.encounter_set or None,
        "restriction": restriction
        and {
            "investigators": list(restriction.investigators),
            "traits": list(restriction.traits),
            "classes": [each.value for each in restriction.classes],
        },
        "signature": card.signature and card.signature.value,
        "creation_only": card.creation_only,
        "campaign_only": card.campaign_only,
        "multiplayer_only": card.multiplayer_only,
        "reward": card.reward,
        "in_decks": card.in_decks,
        "customization": [_sheet_option(each) for each in card.sheet],
        "errata": [{"faq": faq, "concerns": what} for faq, what in card.errata],
        "printings": [
            {
                "code": each.code,
                "pack": each.pack,
                "position": each.position,
                "quantity": each.quantity,
            }
            for each in card.printings
        ],
        "investigator": card.investigator and _investigator(card.investigator),
    }


def _sheet_option(option: facts.SheetOption) -> Data:
    return {
        "id": option.id,
        "name": option.name,
        "position": option.position,
        "boxes": option.boxes,
        "choice": option.choice and option.choice.value,
        "picks": option.picks,
    }


def _investigator(found: InvestigatorFacts) -> Data:
    back = found.back or Back(size=0, options=())
    has_back = found.back is not None
    return {
        "base": found.base,
        "playable": found.playable,
        "parallel": found.parallel,
        "deck_size": back.size if has_back else None,
        "basic_weaknesses": back.basic_weaknesses if has_back else None,
        "bonus_experience": back.bonus_experience if has_back else None,
        "options": [_option(each) for each in back.options if not each.counts_only],
        "choices": [_choice(each) for each in back.choices],
        "requirements": [_requirement(each) for each in back.requirements],
    }


def _option(option: DeckOption) -> Data:
    return {
        "id": option.id,
        "label": english(option_label(option)),
        "limit": option.limit,
        "other": option.other,
        "forbids": option.forbids,
    }


def _choice(choice: Choice) -> Data:
    return {"key": choice.key, "offers": list(choice.offers)}


def _requirement(requirement: Requirement) -> Data:
    return {
        "code": requirement.original,
        "copies": requirement.copies,
        "copies_at_most": requirement.copies_at_most or requirement.copies,
        "advanced": requirement.advanced,
        "replacements": [
            {"code": code, "copies": copies}
            for code, copies in requirement.replacements
        ],
    }


def change_data(change: facts.TabooChange) -> Data:
    """A taboo change as JSON types."""
    return {
        "code": change.code,
        "experience": change.experience,
        "exceptional": change.exceptional,
        "deck_limit": change.deck_limit,
        "campaign_only": change.campaign_only,
        "text_only": change.text_only,
    }
