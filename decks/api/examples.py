"""Requests and answers shown in the API's description; a test keeps them true."""

from __future__ import annotations

from typing import Any

from arkham.rules.legality.verdict import RULES_VERSION

TOO_FEW: dict[str, Any] = {
    "rule": "deck.size",
    "severity": "incomplete",
    "message": "The deck has 4 of 30 cards.",
    "cards": [],
    "actual": 4,
    "expected": 30,
    "remedy": "Add 26 cards.",
    "cites": ["Rules Reference Deckbuilding"],
}
DECK: dict[str, Any] = {
    "id": 1,
    "investigator_code": "01001",
    "slots": {"01006": 1, "01007": 1, "01016": 3, "01032": 1, "01102": 1},
    "taboo_id": None,
    "meta": "",
}

HELD: dict[str, Any] = {
    "id": "roland",
    "deck": {"investigator_code": "01001", "slots": {"01006": 1, "01007": 1}},
    "circumstances": {"mode": "start", "experience": 5, "taboo": "latest"},
}

VERDICT: dict[str, Any] = {
    "id": 1,
    "status": "illegal",
    "legal": False,
    "complete": False,
    "deck_size": 4,
    "experience_required": 0,
    "findings": [
        {
            "rule": "copies.title",
            "severity": "illegal",
            "message": "3 copies of .45 Automatic; at most 2 are allowed.",
            "cards": ["01016"],
            "actual": 3,
            "expected": 2,
            "remedy": "Remove 1 of .45 Automatic.",
            "cites": ["Rules Reference Deckbuilding", "FAQ 2.5 2.21"],
        },
        TOO_FEW,
    ],
    "assignment": {
        "01006": [{"option": "required", "copies": 1}],
        "01007": [{"option": "required", "copies": 1}],
        "01016": [{"option": "guardian-neutral-0-5", "copies": 3}],
        "01032": [{"option": "seeker-0-2", "copies": 1}],
        "01102": [{"option": "weakness", "copies": 1}],
    },
    "rules_version": RULES_VERSION,
    "pool_version": "ab7f1b8d6c72",
    "taboo_id": None,
}

BATCH: list[dict[str, Any]] = [DECK, {"id": 2, "investigator_code": "01001"}]

BATCH_ANSWER: list[dict[str, Any]] = [
    VERDICT,
    {
        "id": 2,
        "problem": {
            "type": "urn:orne:problem:invalid",
            "title": "The request isn’t valid",
            "status": 422,
            "detail": "/1/slots: slots is missing.",
            "instance": "/api/v1/legality/batch",
            "pointer": "/1/slots",
            "errors": [
                {
                    "detail": "slots is missing.",
                    "pointer": "/1/slots",
                    "expected": "a {…} block: code → copies",
                }
            ],
        },
    },
]

_CONTENT: dict[str, Any] = {
    "investigator_code": "01001",
    "slots": {"01006": 1, "01007": 1, "01016": 2},
    "sideSlots": {},
    "ignoreDeckLimitSlots": {},
    "meta": {},
    "taboo_id": None,
}

WRITTEN: dict[str, Any] = {
    "deck": {
        "name": "Badge and gun",
        "investigator_code": "01001",
        "slots": {"01006": 1, "01007": 1, "01016": 2},
    },
    "circumstances": {"mode": "start"},
}

KEPT: dict[str, Any] = {
    "id": 7,
    "revision": 1,
    "made_at": "2026-11-21T19:30:00Z",
    "changed_at": "2026-11-21T19:30:00Z",
    "is_played": False,
    "played_at": None,
    "balance": 0,
    "visibility": "private",
    "page": None,
    "decklist": None,
    "link": None,
    "link_number": None,
    "shown_revision": None,
    "shows_history": False,
    "source": None,
    "deck": {"name": "Badge and gun", "description_md": "", "tags": "", **_CONTENT},
    "circumstances": {"mode": "start"},
}

CHANGES: dict[str, Any] = {"deck": {"slots": {"01017": 1, "01016": None}}}

COMPARISON: dict[str, Any] = {
    "before": 1,
    "after": 2,
    "differences": [
        {
            "pointer": "/deck/slots/01016",
            "what": ".45 Automatic",
            "before": 2,
            "after": None,
        },
        {
            "pointer": "/deck/slots/01017",
            "what": "Physical Training",
            "before": None,
            "after": 1,
        },
    ],
    "added": {"01017": 1},
    "removed": {"01016": 2},
    "exiled": {},
    "paid": [],
    "experience_spent": 0,
}

GAME: dict[str, Any] = {
    "scenario": "The House Always Wins",
    "earned": [
        {"kind": "victory", "amount": 4},
        {"kind": "bonus", "amount": 1, "reason": "The rift was closed."},
    ],
    "window": {"exiled": {"02115": 1}},
}

CORRECTION: dict[str, Any] = {"amount": -1, "reason": "Counted twice."}

WISHED: dict[str, Any] = {
    "deck": {
        "investigator_code": "01001",
        "slots": {"01006": 1, "01007": 1, "01016": 1, "02186": 1},
    },
    "window": {"pins": [{"card": "02186", "way": "upgrade", "from": "01016"}]},
}

UPGRADE: dict[str, Any] = {
    "id": "agnes",
    "prev": {
        "investigator_code": "01004",
        "slots": {"01012": 1, "01013": 1, "01060": 2, "01088": 2},
    },
    "next": {
        "investigator_code": "01004",
        "slots": {"01012": 1, "01013": 1, "02154": 2, "01088": 2},
        "xp": 7,
    },
}

INVOICE: dict[str, Any] = {
    "id": "agnes",
    "experience_spent": 6,
    "lines": [
        {
            "rule": "price.upgrade",
            "card": "02154",
            "gross": 3,
            "paid": 3,
            "upgraded_from": "01060",
            "replaces": None,
            "reductions": [],
            "boxes": 0,
            "side_deck": False,
        }
    ]
    * 2,
    "findings": [
        TOO_FEW,
        {
            "rule": "weakness.required",
            "severity": "incomplete",
            "message": "Random basic weaknesses: 0 of 1.",
            "cards": [],
            "actual": 0,
            "expected": 1,
            "remedy": "Draw the missing ones.",
            "cites": ["Rules Reference Deckbuilding"],
        },
    ],
}

NOTICE: dict[str, Any] = {
    "id": 1,
    "deck": 7,
    "revision": 3,
    "made_at": "2026-03-01T12:00:00Z",
    "dismissed_at": None,
    "serious": True,
    "before": {
        "status": "legal",
        "experience_required": 6,
        "rules_version": RULES_VERSION,
        "pool_version": "2f1c5fb8d0aa",
    },
    "after": {
        "status": "illegal",
        "experience_required": 6,
        "rules_version": RULES_VERSION,
        "pool_version": "ab7f1b8d6c72",
    },
    "appeared": [
        {
            "rule": "taboo.forbidden",
            "severity": "illegal",
            "message": (
                "Double or Nothing is forbidden by the taboo list of 2026-02-19."
            ),
            "cards": ["02026"],
            "actual": 1,
            "expected": 0,
            "remedy": "Remove Double or Nothing.",
            "cites": ["FAQ 2.5 The List of Taboos, Forbidden"],
        }
    ],
    "gone": [],
}

LIST: dict[str, Any] = {"text": "Roland Banks\n\n2x Machete\n2x Beat Cop\n1x Macheet\n"}
