"""Turns a table's records in the app into the answers a log keeps.

By the rules other questions may come up than the app asked. What it recorded of them
is translated, and where that cannot be, the scenario is settled as the app has it: a
campaign never stops at a question its table has played past.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.judging.given import with_choice
from arkham.rules.campaign.model.fixed_steps import AS_RECORDED
from arkham.rules.campaign.run import NOT_COUNTED
from arkham.rules.campaign.state.answers import Answer

# Answers, and the replay of fewer of them → their replay.
Refold: TypeAlias = Callable[[Sequence[Answer], Replay | None], Replay]
_Place: TypeAlias = tuple[str, str, str]  # kind, scenario and step


def translated(
    records: Sequence[Answer], as_recorded: Refold, by_the_rules: Refold
) -> list[Answer]:
    """The same answers, with the stable ids of choices, as a log has them.

    ``as_recorded`` folds as the app does, ``by_the_rules`` as campaigns kept here.
    """
    named = _with_choices(records, as_recorded)
    reached = as_recorded(records, None)
    rounds: dict[_Place, list[Answer]] = {}
    marked: list[str] = []
    while True:
        answers = _kept(named, rounds, marked)
        replay = by_the_rules(answers, None)
        if _another_round(replay, named, rounds, marked):
            continue
        stopped = _stopped_at(replay, reached)
        more = _to_be_marked(stopped, replay, marked) if stopped else []
        if not more:
            return answers
        marked += more


def _with_choices(records: Sequence[Answer], refold: Refold) -> list[Answer]:
    """Answers with the stable ids of the choices they name by number.

    One that is read in several rounds of a loop means another choice in each.
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
    """What a log keeps: each round's answer, or the one they share, and the marks."""
    found: list[Answer] = []
    for answer in named:
        apart = None if answer.scenario in marked else rounds.get(_place(answer))
        found += [answer] if apart is None else apart
    found += (Answer("decision", each, AS_RECORDED, True) for each in marked)
    return found


def _stopped_at(replay: Replay, reached: Replay) -> str | None:
    """The scenario that waits for what the app never left open; None if none does."""
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


def _question(waiting: Pending) -> tuple[str, str, str]:
    """What is asked, whichever round of a loop it is."""
    return waiting.kind, waiting.scenario, waiting.step.partition("#")[0]


def _another_round(
    replay: Replay,
    named: Sequence[Answer],
    rounds: dict[_Place, list[Answer]],
    marked: Sequence[str],
) -> bool:
    """Whether this round of a loop is answered by the record all rounds share."""
    waiting = replay.pending
    if waiting is None or waiting.scenario in marked:
        return False
    base, _mark, number = waiting.step.rpartition("#")
    if not (base and number.isdigit()):
        return False
    shared = (waiting.kind, waiting.scenario, f"{base}#{NOT_COUNTED}")
    record = next((each for each in reversed(named) if _place(each) == shared), None)
    if record is None:
        return False
    apart = rounds.setdefault(shared, [])
    if any(each.step == waiting.step for each in apart):
        return False  # it names no choice that can be had in this round
    apart.append(with_choice(record._replace(step=waiting.step), waiting))
    return True


def _to_be_marked(stopped: str, replay: Replay, marked: Sequence[str]) -> list[str]:
    """The scenario that stopped; if that was not enough, all that led there."""
    if stopped not in marked:
        return [stopped]
    begun = list(replay.begun)
    before = begun[: begun.index(stopped)] if stopped in begun else begun
    return [each for each in before if each not in marked]
