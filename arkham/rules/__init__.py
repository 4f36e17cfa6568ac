"""The rules of deckbuilding and campaigns, in pure Python.

``check_deck(deck, pool)`` judges a deck; ``read_deck`` reads one in ArkhamDB's JSON
format; ``embedded_pool()`` is the card pool shipped with the package. ``check_line``
and ``price_line`` answer a line of JSON as the shell does, with the judge that
``judge_of`` makes of a pool; ``price_upgrade`` prices a change of deck. Nothing here
knows Django, a network or a database.

The rules of decks are a package of their own, ``orne-rules``: ``README.md`` beside this
file says what it holds and which of its names are kept.
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

__version__ = "1.0.0"  # of the package orne-rules, as semver.org counts

__all__ = [
    "check_deck",
    "check_line",
    "embedded_pool",
    "judge_of",
    "price_line",
    "price_upgrade",
    "read_deck",
]

# Loaded when first asked for: who wants one module doesn't pay for all of them.
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
    """A public name, from the module where it is written (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
