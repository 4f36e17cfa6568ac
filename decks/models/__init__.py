"""Decks, their revisions and experience, and what others see of them.

A deck is a chain of revisions with a ledger; both are append-only. A shared verdict
never changes, nor does a revision, except that it is played once.
"""

from __future__ import annotations

from decks.models.deck import (
    DRAFT_LIFETIME,
    KEY_BYTES,
    LONGEST_ADDRESS,
    LONGEST_AUTHOR,
    LONGEST_FOLDED,
    LONGEST_KEY,
    LONGEST_NOTES,
    LONGEST_REASON,
    LONGEST_SCENARIO,
    LONGEST_TAGS,
    Cause,
    Deck,
    Judgement,
    Notice,
    PlayedCard,
    Revision,
    SharedVerdict,
    Showing,
    Source,
    new_key,
)
from decks.models.filing import (
    BIN_LIFETIME,
    LONGEST_FOLDER,
    LONGEST_NAME,
    LONGEST_REPORT,
    Collection,
    Folder,
    Report,
)
from decks.models.ledger import Correction, Desk, Draw, LedgerEntry

__all__ = [
    "BIN_LIFETIME",
    "DRAFT_LIFETIME",
    "KEY_BYTES",
    "LONGEST_ADDRESS",
    "LONGEST_AUTHOR",
    "LONGEST_FOLDED",
    "LONGEST_FOLDER",
    "LONGEST_KEY",
    "LONGEST_NAME",
    "LONGEST_NOTES",
    "LONGEST_REASON",
    "LONGEST_REPORT",
    "LONGEST_SCENARIO",
    "LONGEST_TAGS",
    "Cause",
    "Collection",
    "Correction",
    "Deck",
    "Desk",
    "Draw",
    "Folder",
    "Judgement",
    "LedgerEntry",
    "Notice",
    "PlayedCard",
    "Report",
    "Revision",
    "SharedVerdict",
    "Showing",
    "Source",
    "new_key",
]
