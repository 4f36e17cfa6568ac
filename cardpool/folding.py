"""When are two card texts the same to a search? Folded, and without mark-up."""

from __future__ import annotations

import re

from arkham.rules.notation.names import fold

__all__ = ["fold", "fold_text", "listed"]

_MARKUP = re.compile(r"<[^<>]*+>|\[\[|\]\]")


def fold_text(text: str) -> str:
    """As :func:`fold`, without the mark-up of ArkhamDB's card texts."""
    return fold(_MARKUP.sub("", text))


def listed(values: tuple[str, ...] | list[str]) -> str:
    """Values as one text in which each can be looked for: ``|spell|relic|``."""
    return f"|{'|'.join(values)}|" if values else ""
