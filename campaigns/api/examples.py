"""What the description of the API shows: a question about odds, and its answer."""

from __future__ import annotations

from typing import Any

# A standard bag with a bless and a curse in it; one skull sealed.
QUESTION: dict[str, Any] = {
    "bag": {
        "+1": 1,
        "0": 2,
        "-1": 3,
        "-2": 2,
        "-3": 1,
        "-4": 1,
        "skull": 1,
        "auto_fail": 1,
        "elder_sign": 1,
        "bless": 1,
    },
    "sealed": {"skull": 1},
    "meanings": {
        "skull": {"modifier": -2},
        "elder_sign": {"modifier": 1, "automatic": None},
    },
    "difficulty": 3,
    "skills": [3, 4],
}
ANSWER: dict[str, Any] = {
    "id": None,
    "tokens": 14,
    "difficulty": 3,
    "reveal": "1",
    "passing": [
        {"skill": 3, "odds": "31/91", "value": 0.34065934065934067},
        {"skill": 4, "odds": "51/91", "value": 0.5604395604395604},
    ],
    "modifiers": [
        {"modifier": 3, "odds": "1/91", "value": 0.01098901098901099},
        {"modifier": 2, "odds": "1/91", "value": 0.01098901098901099},
        {"modifier": 1, "odds": "29/182", "value": 0.15934065934065933},
        {"modifier": 0, "odds": "29/182", "value": 0.15934065934065933},
        {"modifier": -1, "odds": "20/91", "value": 0.21978021978021978},
        {"modifier": -2, "odds": "20/91", "value": 0.21978021978021978},
        {"modifier": -3, "odds": "1/14", "value": 0.07142857142857142},
        {"modifier": -4, "odds": "1/14", "value": 0.07142857142857142},
    ],
    "automatic_success": {"odds": "0", "value": 0.0},
    "automatic_failure": {"odds": "1/13", "value": 0.07692307692307693},
    "findings": [],
}

# A campaign with two investigators, one of them played by somebody else.
STARTED: dict[str, Any] = {
    "guide": 1,
    "name": "Friday nights",
    "terms": {"taboo": "none"},
    "seats": [
        {"investigator": "01001", "deck": 1},
        {"investigator": "01002", "name": "Dora", "kind": "paper", "mine": False},
    ],
    "oaths": [{"ultimatum": "agony"}],
}
SEAT: dict[str, Any] = {"investigator": "01001", "kind": "paper"}
# Three victory points lay in the victory display: the Ghoul Priest and the Attic.
ANSWERED: dict[str, Any] = {
    "after": 12,
    "entry": {
        "kind": "choice_list",
        "payload": {
            "scenario": "torch",
            "step": "earn_xp",
            "value": {"01116": [1], "01113": [1]},
        },
    },
}
