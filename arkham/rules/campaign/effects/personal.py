"""Effects on single investigators: whom they concern, and trauma that players report.

No guide asks for the trauma of boons, ultimatums and cards: the players report it for
an investigator at the end of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, TypeAlias

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Batch, Codes, Effect, Numbers
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.lookup import TraumaKind
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Citation, faq
from arkham.rules.ultimatums import ALL, RETURNS


@dataclass(frozen=True, slots=True)
class TraumaSource:
    """Something that gives trauma of these kinds, to each at most ``most`` per game.

    ``by_ultimatum``: the group must have chosen it. ``campaign``: its guide, “” for
    any. ``of_defeat``: it is the trauma of a defeat, which no one suffers in a
    standalone game. ``in_play``: eliminated investigators don't suffer it.
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

    def is_over_for(self, state: State, code: str) -> bool:
        """Return whether an investigator was eliminated, and so doesn't suffer it."""
        return self.in_play and state.outcomes().get(code, "alive") != "alive"


def _by_ultimatum(
    source: str,
    row: str,
    kinds: tuple[TraumaKind, ...],
    most: int | None = None,
    *,
    of_defeat: bool = False,
    in_play: bool = False,
) -> TraumaSource:
    """Return the source for an ultimatum or boon, with its name from their table."""
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
    """Return the source for a card that gives one mental trauma at a game's end."""
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
    """Return what can give trauma in this campaign: ultimatums in effect, and cards."""
    return tuple(each for each in SOURCES.values() if _is_here(each, state))


def _is_here(source: TraumaSource, state: State) -> bool:
    if source.by_ultimatum:
        return source.id in state.ultimatums
    return source.campaign in ("", state.guide.id.removeprefix(RETURNS))


def can_give_trauma(state: State, effect: do.Trauma, code: str) -> bool:
    """Return whether its source can give an investigator this trauma in this game."""
    source = SOURCES.get(effect.source)
    if source is None or not _is_here(source, state):
        return False
    if source.is_over_for(state, code):
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
    """Return how much trauma of this source the investigator has had this game."""
    return sum(
        change.value
        for change in state.changes
        if (change.what, change.which) == (source.id, code)
        and isinstance(change.value, int)
        and state.causes[change.cause].scenario == state.scenario
    )


_Named: TypeAlias = (
    do.AddCard | do.RemoveCard | do.EarnExperience | do.Trauma | do.AddWeakness
)


class Group(NamedTuple):
    """A batch, with what is passed on to it; ``key`` distinguishes a step's groups."""

    batch: Batch
    codes: Codes = ()
    numbers: Numbers = ()
    key: str = ""


class AnswerSource(Protocol):
    """What is needed of a run: its state, its answers, and a way to wait for more."""

    state: State

    def answer_of(
        self,
        kind: str,
        step_id: str,
        codes: Sequence[str],
        must: Sequence[str] = (),
        fits: Callable[[Any], bool] | None = None,
    ) -> Answer | None:
        """Return the answer to a prompt for these investigators if it fits, or None."""

    def asks_nobody(self, kind: str, step_id: str, codes: Sequence[str]) -> bool:
        """Return whether a prompt is skipped because no one is left to answer it."""

    def draws_weakness(self, code: str) -> bool:
        """Return whether an investigator draws a weakness here."""

    def wait(
        self, step_id: str, kind: str, prompt: object = None, codes: Sequence[str] = ()
    ) -> bool:
        """Stop until a prompt is answered."""


Todo: TypeAlias = list[tuple[Effect, Codes, Numbers]]


def effects_with_targets(
    run: AnswerSource, effects_id: str, groups: Sequence[Group]
) -> Todo | None:
    """Return all effects of a step with whom they concern; None if a prompt waits."""
    todo: Todo = []
    for group in groups:
        for effect in group.batch.plain:
            todo.append((effect, group.codes, group.numbers))
        for effect in group.batch.personal:
            key = effects_id + group.key
            more = _effect_with_targets(run, key, effect, group)
            if more is None:
                return None
            todo.extend(more)
    return todo


def _effect_with_targets(
    run: AnswerSource, key: str, effect: Effect, group: Group
) -> Todo | None:
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


def _concerned(run: AnswerSource, effect: _Named, group: Group) -> Codes:
    """Return whom an effect concerns: the investigator it names, or the group."""
    if effect.who == "fixed":
        return run.state.playing_as(effect.fixed)
    return group.codes


def _replaced(effect: Effect) -> Effect:
    """Return the same effect for the codes passed on with it."""
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
    run: AnswerSource, key: str, suffix: str, effect: Effect, codes: Sequence[str]
) -> Answer | None:
    step_id, able, fits = key + suffix, codes, None
    must = codes if suffix != "_investigator" else ()
    if isinstance(effect, do.RemoveCard) and effect.count is not None:
        able = givers(run.state, effect, codes)
        number = min(effect.count, len(able))

        def fits(said: Mapping[str, Any]) -> bool:
            return len(said) == number and set(said) <= set(able)

    answer = run.answer_of("string_choices", step_id, codes, must, fits)
    if answer is None and run.asks_nobody("string_choices", step_id, able):
        return Answer("string_choices", "", step_id, {})
    if answer is None:
        run.wait(step_id, "string_choices", effect, codes)
    return answer


def givers(state: State, effect: do.RemoveCard, codes: Iterable[str]) -> list[str]:
    """Return which of these investigators have the card that someone gives up."""
    people = ((code, state.people.get(code)) for code in codes)
    return [code for code, one in people if one and effect.card in (one.story or ())]


def _chosen(run: AnswerSource, key: str, effect: Effect, group: Group) -> Todo | None:
    """Resolve a card that an investigator of the players' choice gets or loses.

    Supplies pass on one code for each use, and each use concerns one deck.
    """
    asked: Effect = effect
    if isinstance(effect, do.RemoveCard) and group.codes:
        asked = replace(effect, count=len(group.codes))
    answer = _answer(run, key, "_investigator", asked, run.state.alive())
    if answer is None:
        return None
    return [(_replaced(effect), tuple(answer.value), group.numbers)]


def _weaknesses(
    run: AnswerSource, key: str, effect: do.AddWeakness, group: Group
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
    run: AnswerSource, key: str, effect: do.Trauma, amount: int, group: Group
) -> Todo | None:
    """Resolve trauma that is physical or mental, as each investigator chooses."""
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
