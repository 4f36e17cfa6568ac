"""Examples of answers about the card pool, for the API's description."""

from __future__ import annotations

from typing import Any

from arkham.rules.gists import gist_of

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
    "gist": {"text": gist_of("01060").text, "elder_sign": "", "lines": []},
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
