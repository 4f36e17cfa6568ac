"""Effects on single investigators: whom they concern, and trauma that players report.

Boons, ultimatums and cards cost trauma that no guide asks for: the players report it
of an investigator at the end of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, TypeAlias

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Batch, Effect
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.outcomes import TraumaKind
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Citation, faq
from arkham.rules.ultimatums import ALL, RETURNS


@dataclass(frozen=True, slots=True)
class TraumaSource:
    """What gives trauma: of these kinds, to each in a game no more than ``most``.

    ``by_ultimatum``: the table must have chosen it; ``campaign`` is the guide it
    belongs to, “” for any; ``of_defeat`` that it is the trauma of a defeat, which none
    suffers in a standalone game; ``in_play`` that the eliminated do not suffer it.
    """

    id: str
    name: str
    rows: tuple[str, ...]
    cites: tuple[Citation, ...]
    kinds: tuple[TraumaKind, ...]
    most: int | None = None
    by_ultimatum: bool = False
    campaign: str = ""
    of_defeat: bool = False
    in_play: bool = False


def _by_ultimatum(
    source: str,
    row: str,
    kinds: tuple[TraumaKind, ...],
    most: int | None = None,
    *,
    of_defeat: bool = False,
    in_play: bool = False,
) -> TraumaSource:
    """An ultimatum or boon; its name and source are those of the table of them."""
    entry = ALL[source]
    return TraumaSource(
        source,
        entry.name,
        (row, entry.row),
        entry.cites,
        kinds,
        most,
        by_ultimatum=True,
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
        _by_ultimatum("osiris", "TRA-16", tuple(TraumaKind), 1, of_defeat=True),
        _by_ultimatum("venom", "TRA-17", _PHYSICAL, in_play=True),
        _by_ultimatum("unspeakable-name", "TRA-18", _MENTAL),
        _card("smite-the-wicked", "Smite the Wicked", ("TRA-20", "ERR-32")),
        _card("searching-for-izzie", "Searching for Izzie", ("TRA-20", "ERR-32")),
        _card("seeing-red", "Seeing Red", ("TRA-21", "ERR-38"), "tskc"),
    )
}


def sources_of(state: State) -> tuple[TraumaSource, ...]:
    """What can give trauma at this table: ultimatums in force, and cards."""
    return tuple(each for each in SOURCES.values() if _is_here(each, state))


def _is_here(source: TraumaSource, state: State) -> bool:
    if source.by_ultimatum:
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


Codes = tuple[str, ...]
_Named: TypeAlias = (
    do.AddCard | do.RemoveCard | do.EarnExperience | do.Trauma | do.AddWeakness
)
Numbers = tuple[int, ...]


class Group(NamedTuple):
    """Effects that follow, and what they carry; ``key`` sets groups of a step apart."""

    batch: Batch
    codes: Codes = ()
    numbers: Numbers = ()
    key: str = ""


class Asking(Protocol):
    """Who asks: the state asked about, the answers there are, and how to wait."""

    state: State

    def answer_of(
        self, kind: str, step_id: str, codes: Sequence[str], must: Sequence[str] = ()
    ) -> Answer | None:
        """What those who are asked have answered to a prompt, or None."""

    def asks_nobody(self, kind: str, step_id: str, codes: Sequence[str]) -> bool:
        """Whether nobody is there to answer it."""

    def draws_weakness(self, code: str) -> bool:
        """Whether an investigator is dealt one who was not dealt one before."""

    def wait(
        self, step_id: str, kind: str, prompt: object = None, codes: Sequence[str] = ()
    ) -> bool:
        """Stop until a prompt is answered."""


Todo: TypeAlias = list[tuple[Effect, tuple[str, ...], tuple[int, ...]]]


def settled(run: Asking, effects_id: str, groups: Sequence[Group]) -> Todo | None:
    """All effects of a step with those they concern; None while somebody is asked."""
    todo: Todo = []
    for group in groups:
        for effect in group.batch.plain:
            todo.append((effect, group.codes, group.numbers))
        for effect in group.batch.personal:
            key = effects_id + group.key
            more = _settled(run, key, effect, group)
            if more is None:
                return None
            todo.extend(more)
    return todo


def _settled(run: Asking, key: str, effect: Effect, group: Group) -> Todo | None:
    match effect:
        case do.AddWeakness():
            return _weaknesses(run, key, effect, group)
        case do.Trauma(either=int(either)):
            return _either(run, key, effect, either, group)
        case do.AddCard(who="fixed") | do.RemoveCard(who="fixed"):
            return [(_replaced(effect), _concerned(run, effect, group), group.numbers)]
        case do.EarnExperience(who="fixed") | do.Trauma(who="fixed"):
            return [(_replaced(effect), _concerned(run, effect, group), group.numbers)]
    return _chosen(run, key, effect, group)


def _concerned(run: Asking, effect: _Named, group: Group) -> Codes:
    """Those an effect carries on to: the one it names, or whom the step carries."""
    if effect.who == "fixed":
        return run.state.playing_as(effect.fixed)
    return group.codes


def _replaced(effect: Effect) -> Effect:
    """The same effect on those the step carries."""
    found = _CARRIED.get(effect)
    if found is None:
        match effect:
            case do.AddCard(_, card, _, _, beyond, aside):
                found = do.AddCard("input", card, "", False, beyond, aside)
            case do.RemoveCard(card, _, _, aside, exile):
                found = do.RemoveCard(card, "input", "", aside, exile)
            case do.EarnExperience():
                found = replace(effect, who="fixed", fixed="")
            case do.Trauma(_, _, p, m, sp, sm, killed, insane, healed, _):
                found = do.Trauma("fixed", "", p, m, sp, sm, killed, insane, healed)
            case _:
                found = effect
        _CARRIED[effect] = found
    return found


_CARRIED: dict[Effect, Effect] = {}


def _answer(
    run: Asking, key: str, suffix: str, effect: Effect, codes: Sequence[str]
) -> Answer | None:
    step_id = key + suffix
    must = codes if suffix != "_investigator" else ()
    answer = run.answer_of("string_choices", step_id, codes, must)
    if answer is None and run.asks_nobody("string_choices", step_id, codes):
        return Answer("string_choices", "", step_id, {})
    if answer is None:
        run.wait(step_id, "string_choices", effect, codes)
    return answer


def _chosen(run: Asking, key: str, effect: Effect, group: Group) -> Todo | None:
    """A card somebody takes or gives up: whoever the table names, or nobody."""
    answer = _answer(run, key, "_investigator", effect, run.state.alive())
    if answer is None:
        return None
    return [(_replaced(effect), tuple(answer.value), group.numbers)]


def _weaknesses(
    run: Asking, key: str, effect: do.AddWeakness, group: Group
) -> Todo | None:
    codes = _concerned(run, effect, group)
    selected = run.state.select(effect.who, codes)
    concerned = tuple(code for code in selected if run.draws_weakness(code))
    if effect.count_carried and group.numbers:
        effect = replace(effect, count=group.numbers[0])
    answer = _answer(run, key, "_weakness", effect, concerned)
    if answer is None:
        return None
    return [
        (do.AddCard("input", card, aside=True), (code,), ())
        for code, cards in answer.value.items()
        for card in cards
    ]


def _either(
    run: Asking, key: str, effect: do.Trauma, amount: int, group: Group
) -> Todo | None:
    """Physical or mental trauma, as each of those concerned chooses."""
    codes = _concerned(run, effect, group)
    concerned = tuple(run.state.select(effect.who, codes))
    answer = _answer(run, key, "_trauma", effect, concerned)
    if answer is None:
        return None
    todo: Todo = []
    for code, kinds in answer.value.items():
        if "physical" in kinds:
            todo.append((do.Trauma("input", physical=amount), (code,), ()))
        if "mental" in kinds:
            todo.append((do.Trauma("input", mental=amount), (code,), ()))
    return todo
