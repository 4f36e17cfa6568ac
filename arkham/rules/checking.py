"""Judges decks given as JSON, and answers in JSON: one function for every interface.

A request is one deck: an ArkhamDB deck object, or ``{"deck": …, "circumstances": …}``.
The circumstances given for the whole call apply wherever the deck's own don't override
them. Lines of JSON are answered in order, one line each.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, NamedTuple

from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.finding import Citation, Finding, english
from arkham.rules.finding import gettext_noop as _
from arkham.rules.legality import Judge, Verdict, check
from arkham.rules.legality.standing import Assignment, Line, Share
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.notation.circumstances_json import read_circumstances
from arkham.rules.notation.meta import LONGEST_CODE
from arkham.rules.notation.places import line_and_column, position_of, token
from arkham.rules.notation.reading import (
    MOST_BYTES,
    Fault,
    TooLarge,
    Unreadable,
    kind_of,
    read_json,
)


class Outcome(IntEnum):
    """The outcome of one deck; the worst of a run is the exit code of a command."""

    LEGAL = 0
    NOT_LEGAL = 1
    UNREADABLE = 2


Label = str | int | float | None


class JudgeRequest(NamedTuple):
    """A parsed request: a deck, its circumstances, and an id to be echoed."""

    deck: DeckList
    circumstances: Circumstances
    id: Label = None


_BESIDE = frozenset({"deck", "circumstances"})
_new = tuple.__new__  # twice as fast as calling the class of a named tuple


def read_request(data: object, base: Circumstances = ANY_TABLE) -> JudgeRequest:
    """The deck and circumstances of one request (see the module).

    ``base`` applies unless the request overrides it. Raises :class:`Unreadable` with
    every fault; pointers are relative to the request.
    """
    if type(data) is dict and data.keys().isdisjoint(_BESIDE):
        label = data.get("id")
        if is_label(label):  # a deck and nothing else
            return _new(JudgeRequest, (read_deck(data), base, label))
    parts = parts_of(data)
    faults: list[Fault] = []
    deck, circumstances, label = None, base, None
    try:
        deck = read_deck(parts.deck)
    except Unreadable as error:
        faults.extend(fault.within(parts.prefix) for fault in error.faults)
    if parts.circumstances is not None:
        try:
            circumstances = read_circumstances(parts.circumstances, base=base)
        except Unreadable as error:
            faults.extend(error.faults)
    try:
        label = _label(parts)
    except Unreadable as error:
        faults.extend(error.faults)
    if deck is None or faults:
        raise Unreadable(*faults)
    return JudgeRequest(deck, circumstances, label)


class Parts(NamedTuple):
    """The parts of a request, unparsed; ``prefix`` is the pointer of the deck."""

    deck: Any
    prefix: str
    circumstances: Any = None
    id: Any = None
    inner_id: Any = None
    strange: tuple[str, ...] = ()


def parts_of(data: Any) -> Parts:
    """Find the deck, the circumstances and the id in a request.

    Either the request is a deck that includes them, or the deck is under ``deck``, next
    to ``circumstances`` and ``id`` only.
    """
    if type(data) is not dict:
        return Parts(data, "")
    if "deck" not in data or "slots" in data:
        return Parts(data, "", data.get("circumstances"), data.get("id"))
    deck = data["deck"]
    return Parts(
        deck,
        "/deck",
        data.get("circumstances"),
        data.get("id"),
        deck.get("id") if type(deck) is dict else None,
        tuple(sorted(data.keys() - {"deck", "circumstances", "id"})),
    )


def _label(parts: Parts) -> Label:
    """The id to be echoed; raise for any other fault outside deck and circumstances."""
    label: Label = parts.id
    if is_label(label) and parts.inner_id is None and not parts.strange:
        return label
    faults: list[Fault] = []
    for pointer, value in (("/id", label), ("/deck/id", parts.inner_id)):
        try:
            read_label(value, pointer)
        except Unreadable as error:
            faults.extend(error.faults)
    faults.extend(
        Fault(token(key), _("This must be left out."), "deck, circumstances, id")
        for key in parts.strange
    )
    if faults:
        raise Unreadable(*faults)
    return parts.inner_id if label is None else label


LONGEST_LABEL = 200  # characters: it is echoed in every answer, even in refusals
LARGEST_LABEL = 10**LONGEST_LABEL


def is_label(value: object) -> bool:
    """True if a value can be echoed as an id."""
    if value is None:
        return True
    if isinstance(value, str):
        return len(value) <= LONGEST_LABEL
    if isinstance(value, int):
        return value is not True and value is not False and abs(value) < LARGEST_LABEL
    return isinstance(value, float)


def read_label(value: object, pointer: str) -> Label:
    """Read an id to be echoed. Raises :class:`Unreadable`."""
    if is_label(value):
        return value  # type: ignore[return-value]  # is_label checked the type
    if type(value) in (str, int):
        message = _("This is too long.")
        raise Unreadable(Fault(pointer, message, _("at most 200 letters or digits")))
    expected = _("text, a number or null")
    raise Unreadable(Fault(pointer, _("This is {found}."), expected, kind_of(value)))


def label_of(data: object) -> Label:
    """The id of a request for its answer; None if it has no valid id."""
    parts = parts_of(data)
    label: Label = parts.inner_id if parts.id is None else parts.id
    return label if is_label(label) else None


def judge_request(judge: Judge, asked: JudgeRequest) -> tuple[str, Outcome]:
    """Judge one request; return the answer as JSON text, and the outcome."""
    verdict = check(judge, asked.deck, asked.circumstances)
    good = not verdict.findings or (verdict.legal and verdict.complete)
    return (
        verdict_text(asked.id, verdict),
        Outcome.LEGAL if good else Outcome.NOT_LEGAL,
    )


# -- writing --

_ENCODE = json.JSONEncoder(separators=(",", ":")).encode
MOST_MEMBERS = 30_000
MOST_FINDINGS = 4_096
LONGEST_FINDING = 1_000  # characters of a finding that is cached
_JSON = {True: "true", False: "false"}


class _Members(dict[tuple[str, tuple[Share, ...]], str]):
    """A cache of members of assignments that are worked out for one deck, as JSON."""

    def __missing__(self, member: tuple[str, tuple[Share, ...]]) -> str:
        text = _member(*member)
        if len(self) < MOST_MEMBERS and len(member[0]) <= LONGEST_CODE:
            self[member] = text
        return text


def _member(code: str, shares: tuple[Share, ...]) -> str:
    each = [
        f'{{"option":{quoted(share.option)},"copies":{share.copies}}}'
        for share in shares
    ]
    return f"{quoted(code)}:[{','.join(each)}]"


_MEMBERS = _Members()


def _members(assignment: Mapping[str, tuple[Share, ...]]) -> Iterable[str]:
    """The members of an assignment as JSON."""
    if isinstance(assignment, Assignment):
        return [line.written or _written(line) for line in assignment.lines]
    return map(_MEMBERS.__getitem__, assignment.items())


def _written(line: Line) -> str:
    """The member for one line; cached on the line, which decks share."""
    line.written = _member(line.code, line.shares)
    return line.written


@lru_cache(maxsize=8)  # of the pool in use, and of the one being replaced
def _versions_text(rules: str, pool: str) -> str:
    return f'"rules_version":{quoted(rules)},"pool_version":{quoted(pool)}'


def verdict_text(label: Label, verdict: Verdict) -> str:
    """The answer to one request as ASCII JSON text without line breaks.

    Equal to the JSON of ``{"id": label, **verdict.as_data()}``, but faster.
    """
    # Written by hand, not by the message class that describes it (``VerdictShape`` of
    # the API): throughput is measured by ``./run bench legality``.
    findings = verdict.findings
    result, found = '"legal","legal":true,"complete":true', ""
    if findings:
        legal, complete = verdict.legal, verdict.complete
        status = "illegal" if not legal else "legal" if complete else "incomplete"
        result = f'"{status}","legal":{_JSON[legal]},"complete":{_JSON[complete]}'
        found = ",".join([*map(_FINDINGS.__getitem__, findings)])
    assignment = ",".join(_members(verdict.assignment))
    return (
        f'{{"id":{_plain(label)},"status":{result}'
        f',"deck_size":{verdict.deck_size}'
        f',"experience_required":{verdict.experience_required}'
        f',"findings":[{found}],"assignment":{{{assignment}}}'
        f",{_versions_text(verdict.rules_version, verdict.pool_version)}"
        f',"taboo_id":{_plain(verdict.taboo_id)}}}'
    )


class _Findings(dict[Finding, str]):
    """A cache of findings as JSON; many decks have the same findings."""

    def __missing__(self, finding: Finding) -> str:
        text = _finding_text(finding)
        if len(text) <= LONGEST_FINDING:
            if len(self) >= MOST_FINDINGS:
                del self[next(iter(self))]
            self[finding] = text
        return text


_FINDINGS = _Findings()


def _finding_text(finding: Finding) -> str:
    """Equal to the JSON of the finding's ``finding_data``, but faster."""
    return (
        f'{{"rule":{quoted(finding.rule)},"severity":"{finding.severity.word}"'
        f',"message":{quoted(finding.text)}'
        f',"cards":[{",".join([*map(quoted, finding.cards)])}]'
        f',"actual":{_plain(english(finding.actual))}'
        f',"expected":{_plain(english(finding.expected))}'
        f',"remedy":{quoted(finding.advice_text)},"cites":{_cites_text(finding.cites)}}}'
    )


@lru_cache(maxsize=1_024)  # there are a few hundred
def _cites_text(cites: tuple[Citation, ...]) -> str:
    return _ENCODE([*map(str, cites)])


def _plain(value: Label) -> str:
    """The JSON of a value that is no array or object."""
    if value is None:
        return "null"
    return quoted(value) if isinstance(value, str) else repr(value)


def error_text(label: Label, fault: Fault, line: int, text: str = "") -> str:
    """The answer to a line that can't be read: where, what, and what was expected.

    ``line`` is the number of the line, ``text`` its content.
    """
    column, message = fault.column, fault.text
    if fault.inside:
        message = f"{fault.pointer}, {fault.line}:{fault.column}: {message}"
    elif fault.pointer:
        message = f"{fault.pointer}: {message}"
    if fault.inside or (fault.pointer and column == 1):
        column = line_and_column(text, position_of(text, fault.pointer))[1]
    error = {
        "line": line,
        "column": column,
        "message": message,
        "expected": fault.expected,
    }
    return _ENCODE({"id": label, "error": error})


def check_line(
    line: bytes, number: int, judge: Judge, base: Circumstances = ANY_TABLE
) -> tuple[str, Outcome]:
    """Answer one line of JSON, and return the outcome; ``number`` counts from 1.

    The answer to a line that can't be read is an error.
    """
    text, data = "", None
    try:
        text = text_of(line)
        data = read_line(text)
        return judge_request(judge, read_request(data, base))
    except Unreadable as error:
        answer = error_text(label_of(data), error.faults[0], number, text)
        return answer, Outcome.UNREADABLE


def read_line(text: str, expected: str = _("a deck as JSON")) -> Any:
    """The value of a line of JSON. Raises Unreadable, also for an empty line."""
    text = text.rstrip(" \t\r\n")
    if not text:
        raise Unreadable(Fault("", _("The line is empty."), expected))
    return read_json(text)


def text_of(document: bytes, most: int = MOST_BYTES) -> str:
    """Decode a document, without a byte order mark. Raises Unreadable.

    A document of more than ``most`` bytes is refused without reading it.
    """
    if len(document) > most:
        raise TooLarge(
            Fault("", _("The deck is too large."), _("at most 1,048,576 bytes"))
        )
    try:
        marked = document.startswith(codecs.BOM_UTF8)
        return document.decode("utf-8-sig" if marked else "utf-8")
    except UnicodeDecodeError as error:
        before = document[: error.start].decode("utf-8")
        line, column = line_and_column(before, len(before))
        byte = f"0x{document[error.start]:02x}"
        message, expected = (
            _("Byte {found} isn’t readable text."),
            _("plain Unicode text"),
        )
        raise Unreadable(
            Fault("", message, expected, byte, line=line, column=column)
        ) from None


Answers = tuple[str, Outcome]
# A line, its number, the judge and the circumstances → the answer and the outcome.
AnswerLine = Callable[[bytes, int, Judge, Circumstances], Answers]


def answers_to(
    lines: list[bytes],
    first: int,
    judge: Judge,
    base: Circumstances,
    answer_line: AnswerLine,
) -> Answers:
    """Answer several lines, one line each; return the worst outcome as well.

    ``first`` is the number of the first line.
    """
    worst, answers = Outcome.LEGAL, []
    for number, line in enumerate(lines, first):
        text, outcome = answer_line(line, number, judge, base)
        answers.append(text)
        worst = max(worst, outcome)
    answers.append("")
    return "\n".join(answers), worst
