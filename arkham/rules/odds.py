"""Answers requests for odds, from every interface.

A request is an object with ``bag`` (numbers of tokens by kind), ``sealed`` (tokens
sealed on cards, which count against the limits), ``meanings`` (what symbols, the elder
sign, bless, curse and the auto-fail do), ``difficulty``, ``skills`` (the skill values
asked about), ``reveal`` (how tokens are revealed) and ``id``. Only ``bag`` and
``difficulty`` are required.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from arkham.rules.chaos import (
    Automatic,
    ChaosBag,
    Meaning,
    RevealWay,
    SkillTest,
    Token,
    odds_of,
)
from arkham.rules.chaos.bag import WITH_MEANINGS
from arkham.rules.chaos.testing import check_test
from arkham.rules.checking import Label, read_label
from arkham.rules.finding import gettext_noop as _
from arkham.rules.legality import finding_data
from arkham.rules.notation.circumstances_json import misread
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, kind_of

MOST_OF_A_KIND = 15
MOST_MODIFIER = 20
MOST_SKILL = 40
MOST_SKILLS = 41
USUAL_SKILLS = tuple(range(13))
_KEYS = ("id", "bag", "sealed", "meanings", "difficulty", "skills", "reveal")
_NEEDED = ("bag", "difficulty")


class AskedOdds(NamedTuple):
    """A parsed request: a test, its difficulty, skill values, and an id."""

    test: SkillTest
    difficulty: int
    skills: tuple[int, ...] = USUAL_SKILLS
    id: Label = None


def read_odds(data: object) -> AskedOdds:
    """The test of one request (see the module).

    Raises :class:`Unreadable` with every fault; pointers are relative to the request.
    """
    if not isinstance(data, dict):
        message = _("The request is {found}.")
        raise Unreadable(Fault("", message, _("a {…} block"), kind_of(data)))
    faults = [
        Fault(token(key), _("This must be left out."), ", ".join(_KEYS))
        for key in sorted(data.keys() - set(_KEYS))
    ]
    faults += [
        Fault(token(key), _("This is missing."), _EXPECTED[key])
        for key in _NEEDED
        if key not in data
    ]
    read: dict[str, Any] = {}
    for key, reading in _READINGS.items():
        if key in data and (data[key] is not None or key in _NEEDED):
            try:
                read[key] = reading(data[key], token(key))
            except Unreadable as error:
                faults.extend(error.faults)
    if faults:
        raise Unreadable(*faults)
    sealed = [
        ("", each) for each, n in read.get("sealed", {}).items() for _i in range(n)
    ]
    bag = replace(ChaosBag.of(read["bag"]), sealed=tuple(sealed))
    return AskedOdds(
        SkillTest(bag, read.get("meanings", {}), read.get("reveal", RevealWay.ONE)),
        read["difficulty"],
        read.get("skills", USUAL_SKILLS),
        read.get("id"),
    )


_EXPECTED = {
    "bag": _("a {…} block: kind of token → number"),
    "difficulty": _("a whole number from 0 to 40"),
}


def _tokens(value: object, here: str) -> Mapping[Token, int]:
    if not isinstance(value, dict):
        raise misread(here, value, _EXPECTED["bag"])
    known, names = frozenset(Token), ", ".join(Token)
    faults: list[Fault] = []
    for kind, count in value.items():
        if kind not in known:
            faults.extend(misread(here + token(kind), kind, names).faults)
        elif type(count) is not int or not 0 <= count <= MOST_OF_A_KIND:
            expected = _("a whole number from 0 to 15")
            faults.extend(misread(here + token(kind), count, expected).faults)
    if faults:
        raise Unreadable(*faults)
    return {Token(kind): count for kind, count in value.items()}


def _meanings(value: object, here: str) -> Mapping[Token, Meaning]:
    if not isinstance(value, dict):
        raise misread(here, value, _("a {…} block: kind of token → what it does"))
    names = ", ".join(WITH_MEANINGS)
    read: dict[Token, Meaning] = {}
    faults: list[Fault] = []
    for kind, meaning in value.items():
        try:
            if kind not in WITH_MEANINGS:
                raise misread(here + token(kind), kind, names)
            read[Token(kind)] = _meaning(meaning, here + token(kind))
        except Unreadable as error:
            faults.extend(error.faults)
    if faults:
        raise Unreadable(*faults)
    return read


def _meaning(value: object, here: str) -> Meaning:
    if not isinstance(value, dict):
        raise misread(here, value, _("a {…} block"))
    known = ("modifier", "reveal_another", "automatic")
    for key in sorted(value.keys() - set(known)):
        raise misread(here + token(key), key, ", ".join(known))
    modifier = value.get("modifier", 0)
    if type(modifier) is not int or abs(modifier) > MOST_MODIFIER:
        raise misread(f"{here}/modifier", modifier, _("a whole number from -20 to 20"))
    another = value.get("reveal_another", False)
    if type(another) is not bool:
        raise misread(f"{here}/reveal_another", another, _("true or false"))
    automatic = value.get("automatic")
    if automatic is not None and automatic not in list(Automatic):
        raise misread(f"{here}/automatic", automatic, "success, failure, null")
    return Meaning(modifier, another, Automatic(automatic) if automatic else None)


def _number(value: object, here: str) -> int:
    if type(value) is not int or not 0 <= value <= MOST_SKILL:
        raise misread(here, value, _EXPECTED["difficulty"])
    return value


def _skills(value: object, here: str) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > MOST_SKILLS:
        raise misread(here, value, _("a list of at most 41 skill values"))
    return tuple(_number(each, here + token(str(at))) for at, each in enumerate(value))


def _way(value: object, here: str) -> RevealWay:
    known = [each.value for each in RevealWay]
    if value not in known:
        raise misread(here, value, "; ".join(known))
    return RevealWay(value)


_READINGS: Mapping[str, Callable[[Any, str], Any]] = {
    "bag": _tokens,
    "sealed": _tokens,
    "meanings": _meanings,
    "difficulty": _number,
    "skills": _skills,
    "reveal": _way,
    "id": read_label,
}


def odds_data(asked: AskedOdds) -> dict[str, Any]:
    """The answer to one request as JSON types."""
    odds = odds_of(asked.test)
    every = odds.every if odds else None
    return {
        "id": asked.id,
        "tokens": asked.test.bag.size,
        "difficulty": asked.difficulty,
        "reveal": asked.test.way.value,
        "passing": odds
        and [
            {"skill": skill, **_share(odds.passing(skill, asked.difficulty))}
            for skill in asked.skills
        ],
        "modifiers": every
        and [{"modifier": m, **_share(o)} for m, o in every.modifiers.items()],
        "automatic_success": every and _share(every.automatic_success),
        "automatic_failure": every and _share(every.automatic_failure),
        "findings": [finding_data(each) for each in check_test(asked.test)],
    }


def _share(odds: Fraction) -> dict[str, Any]:
    return {"odds": str(odds), "value": float(odds)}


_ENCODE = json.JSONEncoder(separators=(",", ":")).encode


def odds_text(asked: AskedOdds) -> str:
    """The answer to one request as ASCII JSON text without line breaks."""
    return _ENCODE(odds_data(asked))
