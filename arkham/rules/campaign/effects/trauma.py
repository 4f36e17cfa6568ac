"""Boons, ultimatums and cards whose trauma the players report themselves.

No guide asks for it: somebody states it of an investigator, at the end of the game.
"""

from __future__ import annotations

from dataclasses import dataclass

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.outcomes import TraumaKind
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Citation, faq
from arkham.rules.ultimatums import ALL, RETURNS


@dataclass(frozen=True, slots=True)
class TraumaSource:
    """What gives trauma: of these kinds, to each in a game no more than ``most``.

    ``sworn`` says that the table must have sworn to it; ``campaign`` is the guide it
    belongs to, “” for any; ``of_defeat`` that it is the trauma of a defeat, which none
    suffers in a standalone game; ``in_play`` that the eliminated do not suffer it.
    """

    id: str
    name: str
    rows: tuple[str, ...]
    cites: tuple[Citation, ...]
    kinds: tuple[TraumaKind, ...]
    most: int | None = None
    sworn: bool = False
    campaign: str = ""
    of_defeat: bool = False
    in_play: bool = False


def _sworn(
    source: str,
    row: str,
    kinds: tuple[TraumaKind, ...],
    most: int | None = None,
    *,
    of_defeat: bool = False,
    in_play: bool = False,
) -> TraumaSource:
    """An ultimatum or boon; its name and source are those of the table of them."""
    told = ALL[source]
    return TraumaSource(
        source,
        told.name,
        (row, told.row),
        told.cites,
        kinds,
        most,
        sworn=True,
        of_defeat=of_defeat,
        in_play=in_play,
    )


def _card(
    source: str, name: str, rows: tuple[str, ...], campaign: str = ""
) -> TraumaSource:
    """A card that gives one mental trauma at the end of a game."""
    cites = (faq(name),)
    return TraumaSource(source, name, rows, cites, _MENTAL, 1, campaign=campaign)


_PHYSICAL, _MENTAL = (TraumaKind.PHYSICAL,), (TraumaKind.MENTAL,)
SOURCES: dict[str, TraumaSource] = {
    each.id: each
    for each in (
        _sworn("osiris", "TRA-16", tuple(TraumaKind), 1, of_defeat=True),
        _sworn("venom", "TRA-17", _PHYSICAL, in_play=True),
        _sworn("unspeakable-name", "TRA-18", _MENTAL),
        _card("smite-the-wicked", "Smite the Wicked", ("TRA-20", "ERR-32")),
        _card("searching-for-izzie", "Searching for Izzie", ("TRA-20", "ERR-32")),
        _card("seeing-red", "Seeing Red", ("TRA-21", "ERR-38"), "tskc"),
    )
}


def sources_of(state: State) -> tuple[TraumaSource, ...]:
    """What can give trauma at this table: what is sworn to, and cards."""
    return tuple(each for each in SOURCES.values() if _is_here(each, state))


def _is_here(source: TraumaSource, state: State) -> bool:
    if source.sworn:
        return source.id in state.ultimatums
    return source.campaign in ("", state.guide.id.removeprefix(RETURNS))


def can_be(state: State, effect: do.Trauma, code: str) -> bool:
    """Whether its source gives this trauma to this investigator in this game."""
    source = SOURCES.get(effect.source)
    if source is None or not _is_here(source, state):
        return False
    if source.in_play and state.outcomes().get(code, "alive") != "alive":
        return False
    given = {TraumaKind.PHYSICAL: effect.physical, TraumaKind.MENTAL: effect.mental}
    if any(
        count < 0 or (count and kind not in source.kinds)
        for kind, count in given.items()
    ):
        return False
    total = sum(given.values())
    if source.most is None:
        return total > 0
    return total > 0 and total + _had(state, source, code) <= source.most


def _had(state: State, source: TraumaSource, code: str) -> int:
    """How much of it the investigator has suffered in this game already."""
    return sum(
        change.value
        for change in state.changes
        if (change.what, change.which) == (source.id, code)
        and isinstance(change.value, int)
        and state.causes[change.cause].scenario == state.scenario
    )
