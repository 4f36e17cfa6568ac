"""The steps of a small deck in letters, as its address has them.

``d`` draws, ``k`` shuffles back what was drawn, ``g`` shuffles the discard pile in.
Before the number of a card ``t`` puts it on top, ``b`` on the bottom, ``s`` shuffles it
in, ``i`` puts it into play, ``x`` on the discard pile, ``r`` out of the game, and
``h1`` … ``h4`` with a colon into the deck of a player. An exploration ends with ``f``,
found and put into play, or ``e``, a treachery resolved; whatever else was drawn is
shuffled back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from arkham.rules.play.pile import (
    DrawTop,
    GatherIn,
    OnBottom,
    OnTop,
    PutAway,
    ShuffleBack,
    ShuffleIn,
    Step,
)

PLAY, DISCARD, REMOVED = "i", "x", "r"
_STEP = re.compile(r"[dkg]|[tbsixrfe]\d{1,2}|h[1-4]:\d{1,2}")
_ALONE: Mapping[str, Step] = {
    "d": DrawTop(),
    "k": ShuffleBack(),
    "g": GatherIn(DISCARD),
}
_BACK: Mapping[str, Callable[[int], Step]] = {
    "t": OnTop,
    "b": OnBottom,
    "s": ShuffleIn,
}
_ENDS: Mapping[str, str] = {"f": PLAY, "e": DISCARD}


def steps_of(text: str, cards: int, players: int) -> tuple[Step, ...]:
    """The steps of a text; none where it names what there is not."""
    if not _STEP.fullmatch(text):
        return ()
    letter, _colon, held = text.partition(":")
    if text in _ALONE:
        return (_ALONE[text],)
    number = int(held or text[1:])
    if number >= cards or (held and int(letter[1]) > players):
        return ()
    if text[0] in _ENDS:
        return (PutAway(number, _ENDS[text[0]]), ShuffleBack())
    if text[0] in _BACK:
        return (_BACK[text[0]](number),)
    return (PutAway(number, letter if held else text[0]),)
