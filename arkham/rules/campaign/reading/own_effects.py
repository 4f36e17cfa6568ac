"""What follows from a step of our own guides: one key names each effect.

``{ record = "house_burned" }`` writes a line down, ``{ trauma = "lead", mental = 1 }``
is trauma for the lead investigator. ``docs/guides-own.md`` lists all of them.
"""

from __future__ import annotations

from collections.abc import Callable

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Batch, Effect, Mark, Tally
from arkham.rules.campaign.reading.own_table import NOTES, TomlTable

CARRIED = "carried"  # the cards, people or words the answer before has named
_WHO = frozenset(
    {
        "all", "lead", "defeated", "not_defeated", "resigned", "not_resigned",
        "choice", "any", "any_resigned", CARRIED,
    }
)  # fmt: skip
_GROUPS = {
    "lead": "$lead_investigator",
    "all": "$all_investigators",
    "defeated": "$defeated_investigators",
    "not_resigned": "$not_resigned",
    CARRIED: do.INPUT,
}
_MARKS = {
    "record": Mark.RECORD,
    "cross_out": Mark.CROSS_OUT,
    "restore": Mark.RESTORE,
    "circle": Mark.CIRCLE,
    "erase": Mark.REMOVE,
}
DIFFICULTIES = ("easy", "standard", "hard", "expert")


def read_batch(table: TomlTable, key: str = "does") -> Batch | None:
    """The effects a table lists, or None if it lists none."""
    effects = [
        effect
        for each in table.tables(key)
        if (effect := read_effect(each)) is not None
    ]
    return do.batch(*effects) if effects else None


def read_batches(table: TomlTable) -> tuple[Batch, ...]:
    """The effects a table lists, as what a choice or an option has."""
    found = read_batch(table)
    return () if found is None else (found,)


def read_effect(table: TomlTable) -> Effect | None:
    """One effect, or None, with a flaw, if no key, or more than one, names it."""
    named = [key for key in table.raw if key in EFFECTS]
    if len(named) != 1:
        expected = ", ".join(sorted(EFFECTS))
        table.fields.flaw("guide.unknown-kind", table.at, table.raw, expected)
        return None
    effect = EFFECTS[named[0]](table, named[0])
    table.close()
    return effect


def _who(table: TomlTable, key: str, default: str = "") -> tuple[str, str]:
    """Whom an effect concerns, and the code of the one who is named."""
    who = table.text(key, default)
    if who[:1].isdigit():
        return "fixed", who
    if who and who not in _WHO:
        table.flaw("guide.unknown-kind", key, who, ", ".join(sorted(_WHO)))
        return "all", ""
    return ("input" if who == CARRIED else who), ""


def _carried(word: str) -> str:
    return do.INPUT if word == CARRIED else word


def _line(table: TomlTable, key: str) -> Effect:
    line = _carried(table.text(key))
    section = _carried(table.text("section", NOTES))
    return do.LogLine(section, line, _MARKS[key], table.text("seat_section"))


def _section(table: TomlTable, key: str) -> Effect:
    return do.LogLine(table.text(key), "", Mark.CROSS_OUT)


def _cards(table: TomlTable, key: str) -> Effect:
    """Cards by a code, of a group, or those carried; under a line or each its own."""
    mark = Mark.RECORD if key == "record_cards" else Mark.CROSS_OUT
    named = table.text(key)
    line = table.text("line")
    section = table.text("section", NOTES)
    if not line:
        return do.LogCards(section, _carried(named), mark=mark)
    if named[:1].isdigit():
        return do.LogCards(section, line, "$fixed_codes", tuple(named.split()), mark)
    if named not in _GROUPS:
        table.flaw("guide.unknown-kind", key, named, ", ".join(sorted(_GROUPS)))
    return do.LogCards(section, line, _GROUPS.get(named, ""), (), mark)


def _count(table: TomlTable, key: str) -> Effect:
    tally = _TALLIES[key]
    if tally in (Tally.ADD, Tally.SET):
        value, line = table.number(key), table.text("line")
    else:
        value, line = 0, table.text(key)
    return do.LogCount(
        table.text("section", NOTES),
        line,
        tally,
        value,
        table.number_or_none("least"),
        table.flag("second"),
    )


_TALLIES = {
    "add": Tally.ADD,
    "set": Tally.SET,
    "add_carried": Tally.ADD_INPUT,
    "subtract_carried": Tally.SUBTRACT_INPUT,
    "set_carried": Tally.SET_INPUT,
}


def _experience(table: TomlTable, key: str) -> Effect:
    who, fixed = _who(table, key)
    return do.EarnExperience(
        who,
        fixed,
        table.number("bonus"),
        table.number("times", 1),
        table.flag("side_scenario_cost"),
    )


def _trauma(table: TomlTable, key: str) -> Effect:
    who, fixed = _who(table, key)
    return do.Trauma(
        who,
        fixed,
        table.number("physical"),
        table.number("mental"),
        table.number_or_none("set_physical"),
        table.number_or_none("set_mental"),
        either=table.number_or_none("either"),
    )


def _fate(table: TomlTable, key: str) -> Effect:
    who, fixed = _who(table, key)
    return do.Trauma(who, fixed, killed=key == "kill", insane=key == "drive_insane")


def _earn_card(table: TomlTable, key: str) -> Effect:
    who, fixed = _who(table, "who", "choice")
    return do.AddCard(
        who,
        table.text(key),
        fixed,
        table.flag("optional"),
        table.flag("beyond_limit"),
        table.flag("aside"),
    )


def _lose_card(table: TomlTable, key: str) -> Effect:
    who, fixed = _who(table, "who")
    return do.RemoveCard(
        _carried(table.text(key)), who, fixed, table.flag("aside"), table.flag("exile")
    )


def _replace_card(table: TomlTable, key: str) -> Effect:
    who, _ = _who(table, "who")
    return do.ReplaceCard(table.text(key), table.text("by"), who, table.text("holding"))


def _weakness(table: TomlTable, key: str) -> Effect:
    who, fixed = _who(table, key)
    return do.AddWeakness(who, fixed, table.words("traits"))


EFFECTS: dict[str, Callable[[TomlTable, str], Effect]] = {
    **dict.fromkeys(_MARKS, _line),
    "cross_out_section": _section,
    "record_cards": _cards,
    "cross_out_cards": _cards,
    **dict.fromkeys(_TALLIES, _count),
    "experience": _experience,
    "trauma": _trauma,
    "kill": _fate,
    "drive_insane": _fate,
    "earn_card": _earn_card,
    "lose_card": _lose_card,
    "replace_card": _replace_card,
    "weakness": _weakness,
    "add_tokens": lambda table, key: do.Tokens(table.tokens(key), 1),
    "remove_tokens": lambda table, key: do.Tokens(table.tokens(key), -1),
    "result": lambda table, key: do.SetResult(table.known(key, do.RESULTS, "lose")),
    "difficulty": lambda table, key: do.SetDifficulty(
        table.known(key, frozenset(DIFFICULTIES), "standard")
    ),
    "next": lambda table, key: do.NextScenario(
        table.text(key), table.flag("continuation")
    ),
    "skip": lambda table, key: do.SkipScenario(table.text(key)),
    "replay": lambda table, key: do.ReplayScenario(table.text(key)),
    "outcome": lambda table, key: do.Outcome(table.known(key, do.OUTCOMES, "alive")),
    "write": lambda table, key: do.LogText(table.text(key)),
}
