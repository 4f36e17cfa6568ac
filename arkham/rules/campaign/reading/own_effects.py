"""Reads the effects of steps in our own guides; each is named by one key.

``{ record = "house_burned" }`` records a line, ``{ trauma = "lead", mental = 1 }`` is
trauma for the lead investigator. ``docs/guides-own.md`` lists all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from string import digits

from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.conditions import ConditionOption, ConditionOptions
from arkham.rules.campaign.model.effects import Batch, Effect, Mark, Tally
from arkham.rules.campaign.reading.conditions import PARTNER_STATES
from arkham.rules.campaign.reading.cursor import (
    Cursor,
    Reader,
    always,
    known_or,
    number_or,
    row,
    text_or,
)
from arkham.rules.campaign.reading.effects import DIFFICULTIES, PARTNER_WORDS, POOLS
from arkham.rules.chaos.bag import MOST_OF_A_KIND, Token

NOTES = "campaign_notes"  # the default section of the log
SUPPLIES = "supplies"  # the section of each investigator's supplies
TEAM = "expedition_team"  # the section of partners
TRAUMAS = frozenset({"physical", "mental"})
KEYS = "keys"  # the section for the bearers of keys
UNPRINTED = "ztsk_"  # prefix of codes for people without a card
PASSED_ON = "carried"  # the cards, people or text passed on by an answer
_TOKENS = frozenset(token.value for token in Token)
_WHO = frozenset(
    {
        "all", "lead", "defeated", "not_defeated", "resigned", "not_resigned",
        "choice", "any", "any_resigned", PASSED_ON,
    }
)  # fmt: skip
_GROUPS = {
    "lead": "$lead_investigator",
    "all": "$all_investigators",
    "defeated": "$defeated_investigators",
    "not_resigned": "$not_resigned",
    PASSED_ON: do.INPUT,
}
_MARKS = {
    "record": Mark.RECORD,
    "cross_out": Mark.CROSS_OUT,
    "restore": Mark.RESTORE,
    "circle": Mark.CIRCLE,
    "erase": Mark.REMOVE,
}


def read_batch(here: Cursor, key: str = "does") -> Batch | None:
    """Read the effects under a key, or return None if there are none."""
    effects = [
        effect for each in here.items(key) if (effect := read_effect(each)) is not None
    ]
    return do.batch(*effects) if effects else None


def read_batches(here: Cursor) -> tuple[Batch, ...]:
    """Read the same effects as a tuple, as choices and options need it."""
    found = read_batch(here)
    return () if found is None else (found,)


def read_effect(here: Cursor) -> Effect | None:
    """Read one effect; None, with a flaw, unless exactly one key names it."""
    named = [key for key in here.raw if key in EFFECTS]
    if len(named) != 1:
        expected = ", ".join(sorted(EFFECTS))
        here.flaw("guide.unknown-kind", "", here.raw, expected)
        return None
    effect = EFFECTS[named[0]](here)
    here.close()
    return effect


def read_tokens(here: Cursor, key: str) -> tuple[str, ...]:
    """Read chaos tokens, separated by spaces."""
    listed = here.text(key).split()
    for token in listed:
        if token not in _TOKENS:
            here.flaw("guide.unknown-kind", key, token, ", ".join(sorted(_TOKENS)))
    return tuple(token for token in listed if token in _TOKENS)


def _tokens(key: str, sign: int, times: int = 1) -> Callable[[Cursor], Effect]:
    return row(
        course.Tokens,
        tokens=lambda here: read_tokens(here, key) * times,
        sign=always(sign),
    )


def _is_code(named: str) -> bool:
    """Return whether it is a card's code, also one that was never printed."""
    return named.startswith((*digits, UNPRINTED))


def _whom(key: str, default: str = "") -> dict[str, Reader]:
    """Return the fields of a row for whom an effect concerns: a group or a code."""

    def fixed(here: Cursor) -> str:
        named = here.raw.get(key)
        return named if type(named) is str and _is_code(named) else ""

    return {"who": _who(key, default), "fixed": fixed}


def _who(key: str, default: str = "") -> Reader:
    def who(here: Cursor) -> str:
        named = here.text(key, default)
        if _is_code(named):
            return "fixed"
        if named and named not in _WHO:
            here.flaw("guide.unknown-kind", key, named, ", ".join(sorted(_WHO)))
            return "all"
        return "input" if named == PASSED_ON else named

    return who


def _carried(key: str, default: str = "") -> Reader:
    def carried(here: Cursor) -> str:
        word = here.text(key, default)
        return do.INPUT if word == PASSED_ON else word

    return carried


def _line(key: str, mark: Mark) -> Callable[[Cursor], Effect]:
    return row(
        do.LogLine,
        "seat_section",
        id=_carried(key),
        section=_carried("section", NOTES),
        mark=always(mark),
    )


def _flagged(key: str, effect: Effect) -> Callable[[Cursor], Effect]:
    """Return a reader for an effect without values; its key is ``true``."""

    def flagged(here: Cursor) -> Effect:
        here.flag(key)
        return effect

    return flagged


def _cards(key: str, mark: Mark) -> Callable[[Cursor], Effect]:
    """Return a reader for cards: by code, of a group, or passed on."""
    carried = _carried(key)

    def read(here: Cursor) -> Effect:
        named, line = here.text(key), here.text("line")
        section = _carried("section", NOTES)(here)
        if not line:
            return do.LogCards(section=section, id=carried(here), mark=mark)
        group, codes = _GROUPS.get(named, ""), tuple[str, ...]()
        if _is_code(named):
            group, codes = "$fixed_codes", tuple(named.split())
        elif named not in _GROUPS:
            here.flaw("guide.unknown-kind", key, named, ", ".join(sorted(_GROUPS)))
        return do.LogCards(
            section=section, id=line, cards=group, codes=codes, mark=mark
        )

    return read


def _count(key: str, tally: Tally) -> Callable[[Cursor], Effect]:
    is_printed = tally in (Tally.ADD, Tally.SET)
    named = {"value": key, "id": "line"} if is_printed else {"id": key}
    return row(
        do.LogCount,
        "least",
        "second",
        section=text_or("section", NOTES),
        tally=always(tally),
        **named,
    )


def _seat_count(key: str, tally: Tally) -> Callable[[Cursor], Effect]:
    """Return a reader for a number that a section has for each investigator."""
    return row(
        do.SeatCount,
        "section",
        "least",
        id=always("$count"),
        tally=always(tally),
        value=key,
        **_whom("who"),
    )


def _bind(here: Cursor) -> Effect:
    """Read a key's new bearer: investigator, enemy, thief, or the old one again."""
    enemy = here.text("enemy")
    bearer = "enemy" if enemy else here.known_or("bearer", _BEARERS, "carried")
    return do.BindKey(
        here.text("section", KEYS),
        here.text("bind_key"),
        "investigator" if bearer == PASSED_ON else bearer,
        enemy,
    )


_BEARERS = frozenset({PASSED_ON, "steal", "return"})
_MAP = ("unlock_location", "lock_location", "unlock_dossier", "hide_dossier")
_TALLIES = {
    "add": Tally.ADD,
    "set": Tally.SET,
    "add_carried": Tally.ADD_INPUT,
    "subtract_carried": Tally.SUBTRACT_INPUT,
    "set_carried": Tally.SET_INPUT,
}
EFFECTS: dict[str, Callable[[Cursor], Effect]] = {
    **{key: _line(key, mark) for key, mark in _MARKS.items()},
    "cross_out_section": row(
        do.LogLine, section="cross_out_section", mark=always(Mark.CROSS_OUT)
    ),
    "record_cards": _cards("record_cards", Mark.RECORD),
    "cross_out_cards": _cards("cross_out_cards", Mark.CROSS_OUT),
    **{key: _count(key, tally) for key, tally in _TALLIES.items()},
    "seat_add": _seat_count("seat_add", Tally.ADD),
    "seat_set": _seat_count("seat_set", Tally.SET),
    "assign_task": row(
        do.AssignTask,
        section=text_or("section", NOTES),
        id="assign_task",
        task_section="counted_in",
        task_id=always("$count"),
    ),
    "experience": row(
        do.EarnExperience,
        "bonus",
        "side_scenario_cost",
        scale=number_or("times", 1),
        pool=known_or("pool", POOLS),
        emptied_pool=known_or("emptied_pool", POOLS),
        **_whom("experience"),
    ),
    "trauma": row(
        do.Trauma,
        *("physical", "mental", "set_physical", "set_mental", "either"),
        healed=known_or("heals", TRAUMAS),
        **_whom("trauma"),
    ),
    "kill": row(do.Trauma, killed=always(True), **_whom("kill")),
    "drive_insane": row(do.Trauma, insane=always(True), **_whom("drive_insane")),
    "earn_card": row(
        do.AddCard,
        *("optional", "beyond_limit", "aside"),
        card="earn_card",
        **_whom("who", "choice"),
    ),
    "lose_card": row(
        do.RemoveCard, "aside", "exile", card=_carried("lose_card"), **_whom("who")
    ),
    "replace_card": row(
        do.ReplaceCard, "holding", old="replace_card", new="by", who=_who("who")
    ),
    "weakness": row(
        do.AddWeakness, "traits", choose_only="chosen", **_whom("weakness")
    ),
    "gain_supplies": row(
        do.GainSupplies, section=text_or("section", SUPPLIES), supplies="gain_supplies"
    ),
    "lose_supply": row(
        do.LoseSupplies, section=text_or("section", SUPPLIES), supply="lose_supply"
    ),
    "partner": row(
        do.PartnerStatus,
        section=text_or("section", TEAM),
        status=known_or("partner", PARTNER_WORDS, "eliminated"),
        partner="code",
        added=lambda here: not here.flag("removed"),
    ),
    "add_tokens": _tokens("add_tokens", 1),
    "remove_tokens": _tokens("remove_tokens", -1),
    "clear_tokens": _tokens("clear_tokens", -1, MOST_OF_A_KIND),
    "result": row(course.SetResult, value=known_or("result", course.RESULTS, "lose")),
    "difficulty": row(
        course.SetDifficulty,
        value=known_or("difficulty", frozenset(DIFFICULTIES), "standard"),
    ),
    "order": row(course.SetScenarios, scenarios="order"),
    "next": row(course.NextScenario, "continuation", scenario="next"),
    "skip": row(course.SkipScenario, scenario="skip"),
    "replay": row(course.ReplayScenario, scenario="replay"),
    "outcome": row(
        course.Outcome, status=known_or("outcome", course.OUTCOMES, "alive")
    ),
    "resolved": row(
        course.ScenarioStatus, status=always("resolution"), resolution="resolved"
    ),
    "read": row(do.Shown, steps="read"),
    "leads": _flagged("leads", course.Lead()),
    "started": _flagged("started", course.ScenarioStatus("started")),
    "kept_aside": row(course.Backup, restore=lambda here: not here.flag("kept_aside")),
    "write": row(do.LogText, section="write", id="line"),
    "swap_bag": row(course.SwapBag, fresh="swap_bag"),
    "play_step": row(course.HubStep, step="play_step"),
    "completed": _flagged("completed", course.ScenarioStatus("completed")),
    "bind_key": _bind,
    "embark": row(course.Embark, "may_return", "transit", location="embark"),
    **{key: row(course.MapChange, change=always(key), value=key) for key in _MAP},
    "unlock_map": _flagged("unlock_map", course.MapChange("unlock_map")),
}


def read_partners(table: Cursor, key: str) -> ask.PartnerCheck:
    """Read partners with all these statuses, or ``either``; ``not`` negates.

    ``code`` names a single partner.
    """
    states = table.words(key)
    for state in states:
        if state not in PARTNER_STATES:
            expected = ", ".join(sorted(PARTNER_STATES))
            table.flaw("guide.unknown-kind", key, state, expected)
    section, code = table.text("section", TEAM), table.text("code")
    wanted = not table.flag("not")
    options = ConditionOptions({wanted: ConditionOption(wanted)})
    return ask.PartnerCheck(section, code, states, not table.flag("either"), options)
