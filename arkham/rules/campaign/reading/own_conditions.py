"""Reads the conditions of our own guides; each question is named by one key.

``{ logged = "house_burned" }`` has the answer yes or no, ``{ number = "players" }`` a
number. ``is``, ``at_least``, ``at_most`` and ``not`` turn an answer into yes or no;
``all`` and ``any`` combine several. ``docs/guides-own.md`` lists all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model.conditions import (
    Condition,
    ConditionOption,
    ConditionOptions,
    Key,
    Operand,
)
from arkham.rules.campaign.reading.conditions import DEPTH, bonus_apart
from arkham.rules.campaign.reading.cursor import Cursor
from arkham.rules.campaign.reading.own_effects import (
    NOTES,
    SUPPLIES,
    read_batches,
    read_partners,
)

NEVER = ask.LogCheck("", "", ConditionOptions({}))
_SIGNS = {"at_least": (0, 1), "at_most": (-1, 0)}  # signs of the difference
_WHO = frozenset({"any", "each", "defeated", "lead", "all"})
_CAMPAIGN = {
    key: key
    for key in ("difficulty", "standalone", "linked_campaign", "cycle", "next_scenario")
} | {"survivors": "investigator_status"}
_NUMBERS = frozenset(
    {"players", "tokens", "lines", "line", "tally", "task", "keys", "seats"}
)
_BEARERS = frozenset({"investigator", "enemy"})


class Question(NamedTuple):
    """A question; ``with_options`` makes a condition of it and its answers' options.

    ``keys`` is the type of its answers; ``operand`` the number it asks for, if any.
    """

    with_options: Callable[[ConditionOptions], Condition]
    keys: type[bool | int | str]
    operand: Operand | None = None


def _logged(table: Cursor, key: str) -> Question:
    line, section = table.text(key), table.text("section", NOTES)
    return Question(lambda options: ask.LogCheck(section, line, options), bool)


def _cards_logged(table: Cursor, key: str) -> Question:
    line, section = table.text(key), table.text("section", NOTES)
    return Question(lambda options: ask.LogCardsCheck(section, line, options), bool)


def _named(table: Cursor, key: str) -> Question:
    """Whom a line names, or with ``no`` whom it doesn't; they are passed on."""
    line, section = table.text(key), table.text("section", NOTES)
    return Question(
        lambda options: ask.SeatLogCards(
            section, line, next(iter(options.by_key.values()))
        ),
        bool,
    )


def _section(table: Cursor, key: str) -> Question:
    section = table.text(key)
    return Question(lambda options: ask.SectionCheck(section, options), bool)


def _has_card(table: Cursor, key: str) -> Question:
    card, who = table.text(key), table.known_or("who", _WHO, "any")
    return Question(lambda options: ask.HasCard(who, card, options), bool)


def _fate(table: Cursor, key: str) -> Question:
    fate = table.known_or(key, frozenset({"killed", "insane", "alive"}), "killed")
    who = table.known_or("who", _WHO, "lead")
    return Question(lambda options: ask.TraumaCheck(who, fate, options), bool)


def _task(table: Cursor, key: str) -> Question:
    """Who has a task; they are passed on."""
    task, section = table.text(key), table.text("section", NOTES)
    return Question(
        lambda options: ask.TaskCheck(section, task, bonus_apart(options)), bool
    )


def _trauma(table: Cursor, key: str) -> Question:
    """Which investigators have trauma of a kind."""
    kind = table.known_or(key, frozenset({"physical", "mental"}), "physical")
    return Question(lambda options: ask.TraumaCheck("each", kind, options), bool)


def _supply(table: Cursor, key: str) -> Question:
    """Who has a supply: ``any`` gives one answer for all, ``all`` one for each."""
    supply, section = table.text(key), table.text("section", SUPPLIES)
    who = table.known_or("who", frozenset({"any", "all"}), "any")
    return Question(
        lambda options: ask.SuppliesCheck(who, section, supply, options), bool
    )


def _outcome(table: Cursor, key: str) -> Question:
    outcome, code = table.text(key), table.text("code")
    return Question(lambda options: ask.OutcomeCheck(outcome, code, options), bool)


def _campaign(table: Cursor, key: str) -> Question:
    question = _CAMPAIGN[table.known_or(key, frozenset(_CAMPAIGN), "standalone")]
    keys = str if question in ("difficulty", "cycle") else bool
    return Question(lambda options: ask.CampaignCheck(question, options), keys)


def _scenario(table: Cursor, key: str) -> Question:
    scenario, question = table.text(key), f"scenario_{key}"
    return Question(
        lambda options: ask.CampaignCheck(question, options, scenario), bool
    )


def _resolution(table: Cursor, key: str) -> Question:
    table.flag(key)
    return Question(lambda options: ask.ResolutionCheck(False, options), str)


def _investigator(table: Cursor, key: str) -> Question:
    what = table.known_or(key, frozenset({"trait", "class", "code"}), "trait")
    each, excluded = table.flag("each"), frozenset(table.words("except"))
    return Question(
        lambda options: ask.InvestigatorCheck(what, each, excluded, options), str
    )


def _card_logged(table: Cursor, key: str) -> Question:
    """Which card a line names."""
    line, section = table.text(key), table.text("section", NOTES)
    return Question(lambda options: ask.LogCardsSwitch(section, line, options), str)


def _place(status: str) -> Callable[[Cursor, str], Question]:
    """Return a reader: whether the group was at a place on the map, or is there now."""

    def read(table: Cursor, key: str) -> Question:
        place = table.text(key)
        return Question(lambda options: ask.LocationCheck(status, place, options), bool)

    return read


def _borne(table: Cursor, key: str) -> Question:
    """Whether an investigator, or an enemy, bears a key."""
    name = table.text(key)
    bearer = table.known_or("bearer", _BEARERS, "investigator")
    return Question(lambda options: ask.KeyCheck(name, bearer, options), bool)


def _partner(table: Cursor, key: str) -> Question:
    """Whether a partner, or any partner, has these statuses; they are passed on."""
    check = read_partners(table, key)
    return Question(
        lambda options: replace(check, options=options), bool, ask.PartnerOperand(check)
    )


# Operations on two numbers, and the type of the answers.
_TOGETHER: dict[str, tuple[str, type[bool | int | str]]] = {
    "compared_with": ("compare", int),
    "plus": ("sum", int),
    "equals": ("equals", bool),
    "divided_by": ("divide", int),
}


def _number(table: Cursor, key: str) -> Question:
    """A number, alone or combined with another one."""
    found = _one_number(table, key)
    for joint, (operation, keys) in _TOGETHER.items():
        if joint in table and (first := found.operand) is not None:
            second = read_operand(table, joint)
            return Question(partial(ask.Math, operation, first, second), keys)
    return found


def _one_number(table: Cursor, key: str) -> Question:
    """A number: of players, of tokens in the bag, or in the log."""
    what = table.known_or(key, _NUMBERS, "players")
    if what == "keys":
        bearer = table.known_or("bearer", _BEARERS, "investigator")
        return Question(lambda options: ask.KeyCount(bearer, options), int)
    if what == "players":
        return Question(ask.PlayerCount, int, ask.PlayersOperand())
    if what == "tokens":
        token = table.text("token")
        return Question(
            lambda options: ask.BagCheck(token, options), int, ask.BagOperand(token)
        )
    section = table.text("section", NOTES)
    if what == "seats":
        return Question(
            lambda options: ask.SeatCountCheck(section, False, options), int
        )
    if what == "task":
        operand = ask.TaskOperand(section, table.text("line"))
        whole = partial(ask.Math, "sum", operand, ask.Constant(0))
        return Question(whole, int, operand)
    line = {"lines": "$num_entries", "tally": "$count"}.get(what) or table.text("line")
    return Question(
        lambda options: ask.LogCountCheck(section, line, options),
        int,
        ask.LogCountOperand(section, line),
    )


QUESTIONS: dict[str, Callable[[Cursor, str], Question]] = {
    "logged": _logged,
    "cards_logged": _cards_logged,
    "named": _named,
    "section": _section,
    "has_card": _has_card,
    "fate": _fate,
    "task": _task,
    "trauma": _trauma,
    "supply": _supply,
    "outcome": _outcome,
    "campaign": _campaign,
    "completed": _scenario,
    "replayed": _scenario,
    "resolution": _resolution,
    "investigator": _investigator,
    "number": _number,
    "card_logged": _card_logged,
    "visited": _place("visited"),
    "at": _place("current"),
    "key": _borne,
    "partner": _partner,
}
JOINED = ("all", "any")


def read_question(table: Cursor) -> Question | None:
    """Read a question; None, with a flaw, unless exactly one key names it."""
    # A section may also be the section of another question's line.
    named = [key for key in table.raw if key in QUESTIONS]
    if len(named) > 1:
        named = [key for key in named if key != "section"]
    if len(named) != 1:
        expected = ", ".join([*sorted(QUESTIONS), *JOINED])
        table.found.flaw("guide.unknown-kind", table.at, table.raw, expected)
        return None
    return QUESTIONS[named[0]](table, named[0])


def read_check(table: Cursor, depth: int = 0) -> Condition:
    """Read a condition that is met or not: it has an option, or none."""
    if depth > DEPTH:
        table.found.flaw("guide.too-deep", table.at, depth, f"at most {DEPTH}")
        return NEVER
    wanted = not table.flag("not")
    for key in JOINED:
        if key in table:
            return _joined(table, key, wanted, depth)
    question = read_question(table)
    if question is None:
        return NEVER
    found = _judged(table, question, wanted)
    table.close()
    return found


def _joined(table: Cursor, key: str, wanted: bool, depth: int) -> Condition:
    parts = tuple(read_check(each, depth + 1) for each in table.items(key))
    least = len(parts) if key == "all" else table.number("least") or 1
    table.close()
    return ask.Multi(parts, least, _yes_if(wanted))


def _yes_if(*keys: Key) -> ConditionOptions:
    return ConditionOptions({key: ConditionOption(key) for key in keys})


def _judged(table: Cursor, question: Question, wanted: bool) -> Condition:
    """Return the question as a condition, met if its answer is one of those wanted."""
    for key, signs in _SIGNS.items():
        if key in table and question.operand is not None:
            return _compared(table, key, question.operand, signs)
    if "is" in table:
        keys = read_keys(table, question.keys)
        return question.with_options(_yes_if(*keys))
    if question.keys is not bool:
        table.flaw("guide.missing", "is", None, "is, at_least or at_most")
        return NEVER
    return question.with_options(_yes_if(wanted))


def _compared(
    table: Cursor, key: str, first: Operand, signs: tuple[int, ...]
) -> Condition:
    return ask.Math("compare", first, read_operand(table, key), _yes_if(*signs))


def read_operand(table: Cursor, key: str) -> Operand:
    """Read a number: a constant, ``players``, or that of a table's question."""
    value = table.take(key)
    if type(value) is int:
        return ask.Constant(value)
    if value == "players":
        return ask.PlayersOperand()
    if type(value) is dict and (inner := table.inner(key)) is not None:
        question = read_question(inner)
        inner.close()
        if question is not None and question.operand is not None:
            return question.operand
    table.flaw("guide.wrong-type", key, value, "a number, or players")
    return ask.Constant(0)


def read_keys(table: Cursor, kind: type[Any]) -> list[Key]:
    """Read the values in ``is``: one or several, of the type of the answers."""
    value = table.take("is")
    listed = value if type(value) is list else [value]
    for each in listed:
        if type(each) is not kind:
            table.flaw("guide.wrong-type", "is", each, kind.__name__)
    return [each for each in listed if type(each) is kind]


def read_branch(table: Cursor) -> Condition:
    """Read the condition of a step, with what follows from each answer."""
    condition = table.inner("if")
    if condition is None:
        return NEVER
    if "cases" in table:
        return _cases(table, condition)
    options = ConditionOptions(
        {key: _follows(table, name, key) for name, key in _ANSWERS if name in table}
    )
    if not options.by_key:
        table.flaw("guide.missing", "yes", None, "yes, no or cases")
    if set(condition.raw) & {"all", "any", "is", "at_least", "at_most", "not"}:
        return ask.Multi((read_check(condition),), 1, options)
    question = read_question(condition)
    condition.close()
    if question is None or question.keys is not bool:
        table.flaw("guide.missing", "cases", None, "is, at_least, at_most or cases")
        return NEVER
    return question.with_options(options)


_ANSWERS = (("yes", True), ("no", False))


def _cases(table: Cursor, condition: Cursor) -> Condition:
    question = read_question(condition)
    condition.close()
    if question is None:
        return NEVER
    by_key: dict[Any, ConditionOption] = {}
    for case in table.items("cases"):
        batches, steps = read_batches(case), case.words("then")
        for key in read_keys(case, question.keys):
            by_key.setdefault(key, ConditionOption(key, batches, steps))
        case.close()
    default = _follows(table, "otherwise", None) if "otherwise" in table else None
    return question.with_options(ConditionOptions(by_key, default))


def _follows(table: Cursor, name: str, key: Key) -> ConditionOption:
    """Read what follows from an answer: steps, or a table that also has effects."""
    if type(table.raw[name]) is list:
        return ConditionOption(key, (), table.words(name))
    inner = table.inner(name)
    if inner is None:
        return ConditionOption(key)
    option = ConditionOption(key, read_batches(inner), inner.words("then"))
    inner.close()
    return option
