"""Writes everything of an account as one JSON file.

``decks.interchange.account_reading`` reads it, this version and those before it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from decks.lists.content import Content
from decks.models import Cause
from decks.services.ledger import EARNED

FORMAT, VERSION = "orne-account", 3
MOST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileRevision:
    """A revision of a deck in a file; ``own`` if the account itself made it."""

    content: Content
    restores: int | None
    made_at: datetime
    cause: str = Cause.EDITED
    own: bool = False
    base: int | None = None
    window: Mapping[str, Any] = field(default_factory=dict)
    invoice: Mapping[str, Any] | None = None
    reason: str = ""
    played_at: datetime | None = None
    aftermath: Mapping[str, Any] = field(default_factory=dict)
    scenario: str = ""


@dataclass(frozen=True, slots=True)
class Booked:
    """An entry of the ledger in a file."""

    kind: str
    amount: int
    reason: str
    revision: int
    own: bool
    made_at: datetime


@dataclass(frozen=True, slots=True)
class FileDraw:
    """A draw in a file.

    ``follows`` is the place of the draw it chose among; ``wrong`` the reason for which
    it does not hold, and ``wrong_at`` when that was said.
    """

    revision: int
    made: int | None
    record: Mapping[str, Any]
    follows: int | None
    made_at: datetime
    wrong: str = ""
    wrong_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class FileDesk:
    """An upgrade under way in a file."""

    seen: int
    version: int
    content: Content
    window: Mapping[str, Any]
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class FileShowing:
    """That others saw a deck; ``revision`` is None if they saw the latest.

    The key of a link is not written: it was given away, and opens one door alone.
    """

    kind: str
    revision: int | None
    since: datetime


@dataclass(frozen=True, slots=True)
class Copied:
    """What a deck in a file was copied from; ``address`` is a path of that server."""

    kind: str
    name: str
    author: str
    address: str
    copied_at: datetime


@dataclass(frozen=True, slots=True)
class Chain:
    """A deck in a file: its revisions in order, and all that happened to it.

    ``has_life`` is False for a file that knew of revisions alone.
    """

    name: str
    notes: str
    tags: str
    made_at: datetime
    changed_at: datetime
    steps: tuple[FileRevision, ...]
    ledger: tuple[Booked, ...] = ()
    draws: tuple[FileDraw, ...] = ()
    desk: FileDesk | None = None
    shown: FileShowing | None = None
    source: Copied | None = None
    has_life: bool = True

    @property
    def balance(self) -> int:
        """The sum of the ledger."""
        return sum(each.amount for each in self.ledger)


@dataclass(frozen=True, slots=True)
class Owned:
    """A collection in a file."""

    name: str
    products: Mapping[str, int]
    missing: Mapping[str, int]
    lends: bool
    advises: bool
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class AccountFile:
    """Everything of an account."""

    chains: tuple[Chain, ...] = ()
    collections: tuple[Owned, ...] = ()


def write_account(account: AccountFile, *, name: str, now: datetime) -> str:
    """The text of the file of the account of this name."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        "account": name,
        "written_at": now.isoformat(),
        "decks": [_chain_data(chain, name) for chain in account.chains],
        "collections": [_owned_data(each) for each in account.collections],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def _chain_data(chain: Chain, name: str) -> dict[str, Any]:
    return {
        "name": chain.name,
        "notes": chain.notes,
        "tags": chain.tags,
        "made_at": chain.made_at.isoformat(),
        "changed_at": chain.changed_at.isoformat(),
        "revisions": [
            _step_data(number, step, name) for number, step in enumerate(chain.steps, 1)
        ],
        "ledger": [
            _booked_data(number, each, name)
            for number, each in enumerate(chain.ledger, 1)
        ],
        "experience": _experience_data(chain),
        "draws": [_drawn_data(each) for each in chain.draws],
        "desk": _laid_data(chain.desk) if chain.desk else None,
        "shown": _shown_data(chain.shown) if chain.shown else None,
        "source": _copied_data(chain.source) if chain.source else None,
    }


def _step_data(number: int, step: FileRevision, name: str) -> dict[str, Any]:
    return {
        "number": number,
        "made_at": step.made_at.isoformat(),
        "made_by": name if step.own else None,
        "cause": step.cause,
        "reason": step.reason,
        "restores": step.restores,
        "base": step.base,
        "deck": step.content.deck,
        "circumstances": step.content.circumstances,
        "window": step.window,
        "invoice": step.invoice,
        "played_at": _when(step.played_at),
        "aftermath": step.aftermath,
        "scenario": step.scenario,
    }


def _booked_data(number: int, booked: Booked, name: str) -> dict[str, Any]:
    return {
        "number": number,
        "kind": booked.kind,
        "amount": booked.amount,
        "reason": booked.reason,
        "revision": booked.revision,
        "author": name if booked.own else None,
        "made_at": booked.made_at.isoformat(),
    }


def _experience_data(chain: Chain) -> dict[str, int]:
    """The ledger in short: every number says what it counts.

    ``balance`` may be spent now, ``total`` was earned since the campaign began,
    ``gained`` with the revision ``since`` alone.
    """
    latest = len(chain.steps)
    earned = [each for each in chain.ledger if each.kind in EARNED]
    return {
        "balance": chain.balance,
        "total": sum(each.amount for each in earned),
        "gained": sum(each.amount for each in earned if each.revision == latest),
        "since": latest,
    }


def _drawn_data(drawn: FileDraw) -> dict[str, Any]:
    wrong = {"reason": drawn.wrong, "made_at": _when(drawn.wrong_at)}
    return {
        "revision": drawn.revision,
        "made": drawn.made,
        "made_at": drawn.made_at.isoformat(),
        "record": drawn.record,
        "follows": drawn.follows,
        "correction": wrong if drawn.wrong_at else None,
    }


def _laid_data(laid: FileDesk) -> dict[str, Any]:
    return {
        "seen": laid.seen,
        "version": laid.version,
        "deck": laid.content.deck,
        "circumstances": laid.content.circumstances,
        "window": laid.window,
        "changed_at": laid.changed_at.isoformat(),
    }


def _shown_data(shown: FileShowing) -> dict[str, Any]:
    return {
        "kind": shown.kind,
        "revision": shown.revision,
        "since": shown.since.isoformat(),
    }


def _copied_data(copied: Copied) -> dict[str, Any]:
    return {
        "kind": copied.kind,
        "name": copied.name,
        "author": copied.author,
        "address": copied.address,
        "copied_at": copied.copied_at.isoformat(),
    }


def _owned_data(owned: Owned) -> dict[str, Any]:
    return {
        "name": owned.name,
        "products": owned.products,
        "missing": owned.missing,
        "lends": owned.lends,
        "advises": owned.advises,
        "changed_at": owned.changed_at.isoformat(),
    }


def _when(instant: datetime | None) -> str | None:
    return instant.isoformat() if instant else None
