"""The rules of deckbuilding and campaigns, in pure Python.

``check_deck(deck, pool)`` judges a deck; ``read_deck`` reads one in ArkhamDB's JSON
format; ``embedded_pool()`` is the card pool shipped with the package. Nothing here
knows Django, a network or a database.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arkham.rules.legality import check_deck
    from arkham.rules.notation.arkhamdb_json import read_deck
    from arkham.rules.snapshot import embedded_pool

__all__ = ["check_deck", "embedded_pool", "read_deck"]

# Loaded when first asked for: who wants one module doesn't pay for all of them.
_MODULES = {
    "check_deck": "arkham.rules.legality",
    "embedded_pool": "arkham.rules.snapshot",
    "read_deck": "arkham.rules.notation.arkhamdb_json",
}


def __getattr__(name: str) -> Any:
    """One of the three, from the module where it is written (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
