"""Reads runs recorded by the Arkham Cards app: their JSON → answers, or an error.

Each record names its type, scenario and step. Maps keyed by numbers are read in the
order in which the app walks them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from arkham.rules.campaign.asking import Pending, with_choice
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.scenario_steps import AS_RECORDED
from arkham.rules.campaign.run import NOT_COUNTED
from arkham.rules.campaign.state.answers import Answer, Changes, Journey, SideScenario
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, kind_of
from arkham.rules.vocabulary import is_digits

# Answers, and the replay of some of them → the replay of all.
Refold: TypeAlias = Callable[[Sequence[Answer], Replay | None], Replay]
_Place: TypeAlias = tuple[str, str, str]  # kind, scenario and step
_DECKS = ("upgrade_decks", "save_decks")  # answered only with “done”
_TAKES = "chosen_investigator"
MOST_ROUNDS = 100  # of a loop answered by one record; real ones take a few


def translated(
    records: Sequence[Answer], as_recorded: Refold, by_the_rules: Refold
) -> list[Answer]:
    """Return the answers with stable ids of choices, as a log stores them.

    ``as_recorded`` folds like the app, ``by_the_rules`` like campaigns kept here.
    """
    named = _with_choices(records, as_recorded)
    reached = as_recorded(named, None)
    while (settled := _settled_unasked(named, reached)) is not None:
        named.append(settled)
        reached = as_recorded(named, reached)
    rounds: dict[_Place, list[Answer]] = {}
    marked: list[str] = []
    replay: Replay | None = None
    while True:
        answers = _kept(named, rounds, marked)
        replay = by_the_rules(answers, replay)
        if _another_round(replay, named, rounds, marked):
            continue
        stopped = _stopped_at(replay, reached)
        more = _to_be_marked(stopped, replay, marked) if stopped else []
        if not more:
            return answers
        marked += more


def _with_choices(records: Sequence[Answer], refold: Refold) -> list[Answer]:
    """Return the answers with the stable ids of the choices they name by number.

    Records shared by several rounds of a loop are left out: they differ by round.
    """
    found: list[Answer] = []
    replay = None
    for answer in records:
        if answer.kind == "choice" and not answer.choice and not _is_of_rounds(answer):
            replay = refold(found, replay)
            answer = with_choice(answer, replay.pending)
        found.append(answer)
    return found


def _is_of_rounds(answer: Answer) -> bool:
    return answer.step.rpartition("#")[2] == NOT_COUNTED


def _place(answer: Answer) -> _Place:
    return answer.kind, answer.scenario, answer.step


def _kept(
    named: Sequence[Answer], rounds: dict[_Place, list[Answer]], marked: Sequence[str]
) -> list[Answer]:
    """Return what a log keeps: an answer per round, or a shared one, and the marks.

    A scenario's mark comes before its answers, so that truncated copies have it too.
    """
    found: list[Answer] = []
    marks = {each: [Answer("decision", each, AS_RECORDED, True)] for each in marked}
    for answer in named:
        found += marks.pop(answer.scenario, ())
        apart = None if answer.scenario in marked else rounds.get(_place(answer))
        found += [answer] if apart is None else apart
    return sum(marks.values(), found)


def _stopped_at(replay: Replay, reached: Replay) -> str | None:
    """Return the scenario that waits although the app had gone on, or None."""
    waiting, there = replay.pending, reached.pending
    if waiting is None or not waiting.step:
        return None
    if there is not None and _question(waiting) == _question(there):
        return None
    read = {_place(each) for each in replay.used if isinstance(each, Answer)}
    for each in reached.used:
        if isinstance(each, Answer) and _place(each) not in read:
            return waiting.scenario
    return None


def _settled_unasked(named: Sequence[Answer], reached: Replay) -> Answer | None:
    """Return the answer to a question that this guide asks and the app's guide did not.

    The question went unanswered if records for later steps exist. None if there is no
    such question, or its answer can't be known.
    """
    waiting = reached.pending
    if waiting is None or not waiting.step:
        return None
    read = {each.sequence for each in reached.used if isinstance(each, Answer)}
    mine = (each.sequence for each in named if each.scenario == waiting.scenario)
    last = max((each for each in mine if each in read), default=0)
    step = waiting.step.partition("#")[0]
    if not any(
        each.sequence > last and each.step.partition("#")[0] != step for each in named
    ):
        return None
    value: Any = None
    if waiting.prompt in _DECKS:
        value = True
    elif waiting.prompt == "who_takes" and len(waiting.codes) == 1:
        value = {waiting.codes[0]: (_TAKES,)}
    answer = Answer(waiting.kind, waiting.scenario, waiting.step, value)
    if value is None or any(_place(each) == _place(answer) for each in named):
        return None
    return answer


def _question(waiting: Pending) -> tuple[str, str, str]:
    """Return the key of a question without the round of its loop."""
    return waiting.kind, waiting.scenario, waiting.step.partition("#")[0]


def _another_round(
    replay: Replay,
    named: Sequence[Answer],
    rounds: dict[_Place, list[Answer]],
    marked: Sequence[str],
) -> bool:
    """Answer a round of a loop with the record that all rounds share, if possible."""
    waiting = replay.pending
    if waiting is None or waiting.scenario in marked:
        return False
    base, _mark, number = waiting.step.rpartition("#")
    if not (base and is_digits(number)):
        return False
    shared = (waiting.kind, waiting.scenario, f"{base}#{NOT_COUNTED}")
    record = next((each for each in reversed(named) if _place(each) == shared), None)
    if record is None:
        return False
    apart = rounds.setdefault(shared, [])
    if len(apart) >= MOST_ROUNDS:
        return False  # with the same answer each time, this loop never ends
    if any(each.step == waiting.step for each in apart):
        return False  # it names a choice that isn't available in this round
    apart.append(with_choice(record._replace(step=waiting.step), waiting))
    return True


def _to_be_marked(stopped: str, replay: Replay, marked: Sequence[str]) -> list[str]:
    """Return the scenario that stopped; if it is marked already, all that led to it."""
    if stopped not in marked:
        return [stopped]
    begun = list(replay.begun)
    before = begun[: begun.index(stopped)] if stopped in begun else begun
    return [each for each in before if each not in marked]


Json = Mapping[str, Any]
MOST_ANSWERS = 20_000  # of one campaign; the longest recorded run has 473
_LAST_INDEX = 2**32 - 2  # of an array in JavaScript
_SEEN = _("This is {found}.")
_MISSING = _("This is missing.")


def read_answers(raws: object, at: str) -> list[Answer]:
    """Return all answers of a run, in the order they were given.

    ``at`` is the JSON pointer of the list. Raises :class:`Unreadable`.
    """
    if not isinstance(raws, list):
        raise Unreadable(Fault(at, _SEEN, _("a list of answers"), kind_of(raws)))
    if len(raws) > MOST_ANSWERS:
        many = _("It has {found} answers.")
        raise Unreadable(Fault(at, many, f"at most {MOST_ANSWERS}", str(len(raws))))
    return [
        read_answer(raw, f"{at}/{index}", index + 1) for index, raw in enumerate(raws)
    ]


def read_answer(raw: object, at: str, sequence: int = 0) -> Answer:
    """Return one answer. Raises :class:`Unreadable`."""
    if not isinstance(raw, dict):
        raise _wrong(at, raw, _("a {…} block"))
    kind = raw.get("type")
    reader = _VALUES.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise _wrong(f"{at}/type", kind, ", ".join(sorted(_VALUES)))
    step = "" if kind in _WITHOUT_STEP else _text(raw, "step", at)
    choice = "" if raw.get("choice_id") is None else _text(raw, "choice_id", at)
    scenario = _text(raw, "scenario", at)
    return Answer(str(kind), scenario, step, reader(raw, at), sequence, choice)


def _wrong(at: str, found: object, expected: str) -> Unreadable:
    if found is None:
        return Unreadable(Fault(at, _MISSING, expected))
    shown = repr(found) if isinstance(found, str) else kind_of(found)
    return Unreadable(Fault(at, _SEEN, expected, shown[:60]))


def in_recorded_order(keys: Mapping[str, Any]) -> list[str]:
    """Return the keys in the app's order: indices first, ascending, then as written."""
    numbers = [key for key in keys if _is_index(key)]
    if not numbers:
        return list(keys)
    numbers.sort(key=int)
    seen = frozenset(numbers)
    return numbers + [key for key in keys if key not in seen]


def _is_index(key: str) -> bool:
    """Return whether JavaScript treats a key as an index: an integer of 32 bits."""
    is_number = is_digits(key) and (key[0] != "0" or key == "0")
    is_short = len(key) <= len(str(_LAST_INDEX))  # Python refuses much longer ones
    return is_number and is_short and int(key) <= _LAST_INDEX


def _text(raw: Json, key: str, at: str) -> str:
    value = raw.get(key)
    if not isinstance(value, str):
        raise _wrong(at + token(key), value, _("text"))
    return value


def _whole(raw: Json, key: str, at: str) -> int:
    value = raw.get(key)
    if type(value) is not int:
        raise _wrong(at + token(key), value, _("a whole number"))
    return value


def _flag(raw: Json, key: str, at: str) -> bool:
    value = raw.get(key)
    if type(value) is not bool:
        raise _wrong(at + token(key), value, _("true or false"))
    return value


def _object(raw: Json, key: str, at: str) -> dict[str, Any]:
    value = raw.get(key)
    if not isinstance(value, dict):
        raise _wrong(at + token(key), value, _("a {…} block"))
    return value


def _lists(raw: Json, at: str, kind: type, expected: str) -> dict[str, tuple[Any, ...]]:
    choices = _object(raw, "choices", at)
    for key, values in choices.items():
        if type(values) is not list or any(type(each) is not kind for each in values):
            raise _wrong(f"{at}/choices{token(key)}", values, expected)
    return {key: tuple(choices[key]) for key in in_recorded_order(choices)}


def _words(raw: Json, at: str) -> dict[str, tuple[str, ...]]:
    return _lists(raw, at, str, _("a list of words"))


def _numbers(raw: Json, at: str) -> dict[str, tuple[int, ...]]:
    return _lists(raw, at, int, _("a list of whole numbers"))


def _supplies(raw: Json, at: str) -> dict[str, dict[str, int]]:
    supplies = _object(raw, "supplies", at)
    for code in supplies:
        packed = _object(supplies, code, f"{at}/supplies")
        for supply in packed:
            _whole(packed, supply, f"{at}/supplies{token(code)}")
    return {code: dict(supplies[code]) for code in in_recorded_order(supplies)}


def _journey(raw: Json, at: str) -> Journey | None:
    if raw.get("embarkData") is None:
        return None
    data, where = _object(raw, "embarkData", at), f"{at}/embarkData"
    return Journey(
        _text(data, "previousScenarioId", where),
        _text(data, "destination", where),
        "" if data.get("departure") is None else _text(data, "departure", where),
        _whole(data, "time", where),
        _text(data, "nextScenario", where),
        data.get("fast") is True,
        data.get("transit") is True,
    )


def _side(raw: Json, at: str) -> SideScenario:
    return SideScenario(
        _text(raw, "previousScenarioId", at),
        _text(raw, "sideScenarioType", at),
        _text(raw, "name", at) if raw.get("name") is not None else "",
        _whole(raw, "xpCost", at) if raw.get("xpCost") is not None else 0,
        _journey(raw, at),
    )


def _changes(raw: Json, at: str) -> Changes:
    people = _object(raw, "investigatorData", at)
    trauma = []
    for code in in_recorded_order(people):
        person = _object(people, code, f"{at}/investigatorData")
        where = f"{at}/investigatorData{token(code)}"
        trauma.append(
            (
                code,
                _whole(person, "physical", where) if "physical" in person else None,
                _whole(person, "mental", where) if "mental" in person else None,
                person.get("killed") is True,
                person.get("insane") is True,
            )
        )
    notes = raw.get("campaignLogEntries") or []
    if not isinstance(notes, list) or any(type(note) is not str for note in notes):
        raise _wrong(f"{at}/campaignLogEntries", notes, _("a list of words"))
    return Changes(tuple(trauma), tuple(notes))


_VALUES: dict[str, Callable[[Json, str], Any]] = {
    "choice": lambda raw, at: _whole(raw, "choice", at),
    "decision": lambda raw, at: _flag(raw, "decision", at),
    "count": lambda raw, at: _whole(raw, "count", at),
    "string_choices": _words,
    "choice_list": _numbers,
    "supplies": _supplies,
    "text": lambda raw, at: _text(raw, "text", at),
    "campaign_link": lambda raw, at: _text(raw, "decision", at),
    "inter_scenario": _changes,
    "start_scenario": _journey,
    "start_side_scenario": _side,
}
_WITHOUT_STEP = frozenset({"inter_scenario", "start_scenario", "start_side_scenario"})
