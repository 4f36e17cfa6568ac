"""Applies effects on the campaign log: lines, numbers, tasks, notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Codes, Mark, Numbers, Tally
from arkham.rules.campaign.state.ledger import LogSection, WrittenLine
from arkham.rules.campaign.state.lookup import SELECTED
from arkham.rules.campaign.state.state import State

LARGEST = 1_000_000_000  # the limit of numbers in the log, positive and negative
_NOBODY: frozenset[str] = frozenset()


def _line(state: State, effect: do.LogLine, codes: Codes, _: Numbers) -> None:
    name = effect.section
    if name == do.INPUT:
        name = codes[0] if codes else ""
    if effect.seat_section:
        people = state.seat_sections.setdefault(effect.seat_section, {})
        people[name] = _marked(state, people.get(name), effect, codes, name)
        return
    state.sections[name] = _marked(state, state.sections.get(name), effect, codes, name)


def _marked(
    state: State,
    section: LogSection | None,
    effect: do.LogLine,
    codes: Codes,
    name: str,
) -> LogSection:
    section = state.writing(section)
    if not effect.id:
        state.note("section", name, effect.mark)
        section.crossed_out = effect.mark is Mark.CROSS_OUT
        return section
    ids = codes if effect.id == do.INPUT else (effect.id,)
    for line_id in ids:
        if effect.mark is Mark.RECORD:
            section.add(WrittenLine("basic", line_id))
        else:
            section.mark(line_id, effect.mark, _NOBODY)
        state.note("line", name, (line_id, effect.mark))
    return section


def _cards(state: State, effect: do.LogCards, codes: Codes, numbers: Numbers) -> None:
    name = effect.section
    if name == do.INPUT:
        for code in codes:
            _cards_in(state, effect, code, codes, numbers)
        return
    _cards_in(state, effect, name, codes, numbers)


def _cards_in(
    state: State, effect: do.LogCards, name: str, codes: Codes, numbers: Numbers
) -> None:
    section = state.sections[name] = state.writing(state.sections.get(name))
    if not effect.id:
        section.crossed_out = effect.mark is Mark.CROSS_OUT
        state.note("section", name, effect.mark)
        return
    for line_id in codes if effect.id == do.INPUT else (effect.id,):
        cards = _named(state, effect, name, line_id, codes, numbers)
        state.note("line", name, (line_id, effect.mark))
        if effect.mark is not Mark.RECORD:
            meant = frozenset(card for card, _ in cards) if effect.cards else _NOBODY
            section.mark(line_id, effect.mark, meant)
        elif line_id == SELECTED:
            section.add(WrittenLine("card", line_id, cards=tuple(cards)))
        else:
            for card in cards:
                section.add(WrittenLine("card", line_id, cards=(card,)))


def _named(
    state: State,
    effect: do.LogCards,
    name: str,
    line_id: str,
    codes: Codes,
    numbers: Numbers,
) -> list[tuple[str, int]]:
    """Return the cards that a line names, each with its number."""
    who = effect.cards
    if not who:  # an investigator's own section names them
        return [(name if effect.section == do.INPUT else line_id, 1)]
    if who == "$input_value":
        if numbers:
            return list(zip(codes, numbers, strict=False))
        named: Sequence[str] = codes
    elif who == "$fixed_codes":
        named = effect.codes
    elif who == "$lead_investigator":
        named = state.select("lead", codes)
    elif who == "$all_investigators":
        named = state.alive()
    else:
        named = state.outcome_group(
            "defeated" if who == "$defeated_investigators" else "not_resigned"
        )
    return [(code, 1) for code in named]


# --- numbers


def tallied(
    tally: Tally, before: int, value: int, numbers: Numbers, least: int | None
) -> int:
    """Return the new number."""
    given = numbers[0] if numbers else 0
    match tally:
        case Tally.ADD:
            after = before + value
        case Tally.SET:
            after = value
        case Tally.ADD_INPUT:
            after = before + given
        case Tally.SUBTRACT_INPUT:
            after = before - given
        case _:
            after = given
    after = after if least is None else max(after, least)
    return min(max(after, -LARGEST), LARGEST)


def _count(state: State, effect: do.LogCount, codes: Codes, numbers: Numbers) -> None:
    name = effect.section
    if name == do.INPUT:
        name = codes[0] if codes else ""
    if not effect.id:
        before = state.counts.get(name, 0)
        after = tallied(effect.tally, before, effect.value, numbers, effect.least)
        state.counts[name] = after
        state.note("count", name, after - before)
        return
    section = state.sections[name] = state.writing(state.sections.get(name))
    line = section.counted(effect.id)
    before = 0
    if line is not None:
        before = (line.second or 0) if effect.second else line.number
    after = tallied(effect.tally, before, effect.value, numbers, effect.least)
    section.count(effect.id, after, second=effect.second)
    state.note("line_count", name, (effect.id, after - before))


def _seat_count(
    state: State, effect: do.SeatCount, codes: Codes, numbers: Numbers
) -> None:
    people = state.seat_sections.setdefault(effect.section, {})
    for code in state.select(effect.who, codes):
        own = people[code] = state.writing(people.get(code))
        if effect.tally is Tally.CROSS_OUT:
            own.mark(effect.id, Mark.CROSS_OUT, _NOBODY)
            continue
        before = own.counted_before(effect.id)
        after = tallied(effect.tally, before, effect.value, numbers, effect.least)
        own.count(effect.id, after)
        state.note("seat_count", code, (effect.section, effect.id, after - before))


def _assign(state: State, effect: do.AssignTask, codes: Codes, _: Numbers) -> None:
    if not codes:
        return
    section = state.writing(state.sections.get(effect.section))
    state.sections[effect.section] = section
    task = codes[0], effect.task_section, effect.task_id
    section.add(WrittenLine("task", effect.id, task=task))
    state.note("task", effect.id, codes[0])


def _task(state: State, effect: do.TaskCount, codes: Codes, numbers: Numbers) -> None:
    for line in state.section(effect.section).named(effect.id):
        if line.kind == "task" and not line.crossed_out:
            code, task_section, task_id = line.task
            _seat_count(
                state,
                do.SeatCount(
                    task_section,
                    task_id,
                    "input",
                    tally=effect.tally,
                    value=effect.value,
                    least=effect.least,
                ),
                (code,),
                numbers,
            )
            return


def _text(state: State, effect: do.LogText, codes: Codes, _: Numbers) -> None:
    section = state.sections.get(effect.section)
    if section is None and not state.policy.makes_missing_sections:
        return
    section = state.sections[effect.section] = state.writing(section)
    for words in codes:
        if effect.index is None:
            line = WrittenLine("freeform", effect.id or words, text=words)
        else:
            line = WrittenLine(
                "freeform",
                f"{effect.scenario}${effect.index}",
                text=words,
                note=(effect.scenario, effect.index),
            )
        section.add(line)
        state.note("line", effect.section, (line.id, Mark.RECORD))


LOG_EFFECTS: dict[type, Callable[[State, Any, Codes, Numbers], None]] = {
    do.LogLine: _line,
    do.LogCards: _cards,
    do.LogCount: _count,
    do.SeatCount: _seat_count,
    do.AssignTask: _assign,
    do.TaskCount: _task,
    do.LogText: _text,
}
