"""The rules of deckbuilding and campaigns, in pure Python.

``check_deck(deck, pool)`` judges a deck; ``read_deck`` reads one in ArkhamDB's JSON
format; ``embedded_pool()`` is the card pool shipped with the package. ``check_line``
and ``price_line`` answer a line of JSON as the shell does, given the judge that
``judge_of`` makes of a pool; ``price_upgrade`` prices a change of deck. Nothing here
needs Django, a network or a database.

The rules of decks are also a package of their own, ``orne-rules``: the ``README.md``
next to this file lists its contents and its public names.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arkham.rules.checking import check_line
    from arkham.rules.legality import check_deck, judge_of
    from arkham.rules.notation.arkhamdb_json import read_deck
    from arkham.rules.pricing import price_line
    from arkham.rules.snapshot import embedded_pool
    from arkham.rules.upgrade import price_upgrade

__version__ = "1.0.0"  # of the package orne-rules, by semantic versioning

__all__ = [
    "check_deck",
    "check_line",
    "embedded_pool",
    "judge_of",
    "price_line",
    "price_upgrade",
    "read_deck",
]

# Imported on first use, so that importing one name doesn't load every module.
_MODULES = {
    "check_deck": "arkham.rules.legality",
    "check_line": "arkham.rules.checking",
    "embedded_pool": "arkham.rules.snapshot",
    "judge_of": "arkham.rules.legality",
    "price_line": "arkham.rules.pricing",
    "price_upgrade": "arkham.rules.upgrade",
    "read_deck": "arkham.rules.notation.arkhamdb_json",
}


def __getattr__(name: str) -> Any:
    """Import a public name from its module on first use (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
