"""Import a list from elsewhere, and report line by line what was understood.

A list is JSON in ArkhamDB's format, an OCTGN file, or text as people write decks,
including Markdown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import PurePath

from django.utils.translation import gettext as _

from arkham.accounts.preferences import NO_PREFERENCES, Preferences
from arkham.rules.legality import judge_of
from arkham.rules.notation.arkhamdb_object import read_object
from arkham.rules.notation.exchanged import Exchanged, Experience
from arkham.rules.notation.lines import LineKind, ListRead
from arkham.rules.notation.octgn import read_octgn
from arkham.rules.notation.reading import Fault, Unreadable, read_json
from arkham.rules.notation.text import read_text
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import Mode, is_digits
from decks.interchange.export import octgn_ids
from decks.interchange.reading import ReadPart, part_of_line, parts_of_object, too_long
from decks.lists.content import Content, read_content, whole
from decks.models import LONGEST_NAME, LONGEST_NOTES, LONGEST_TAGS
from decks.pages.investigators import signed_by
from decks.services.beginning import MODE, begun, preferred
from decks.services.ledger import MOST_CORRECTED

MOST_LETTERS = 1_000_000  # of a list that is pasted, uploaded or sent


@dataclass(frozen=True, slots=True)
class ReadList:
    """A list as it was understood; ``content`` is None if it isn't a deck at all.

    ``faults`` say why, each with its place. ``name``, ``notes`` and ``tags`` are those
    of the deck, ``carried`` its unspent experience, 0 if unknown. ``is_under_way``: the
    list has no mode, and is read as that of a campaign under way, because it can't be a
    first deck or ``is_upgraded``: it has experience, or an earlier deck.
    ``investigators`` are suggestions for a list that names none, from the signature
    cards in it.
    """

    content: Content | None
    name: str = ""
    notes: str = ""
    tags: str = ""
    carried: int = 0
    is_under_way: bool = False
    is_upgraded: bool = False
    parts: tuple[ReadPart, ...] = ()
    faults: tuple[FaultPlace, ...] = ()
    investigators: tuple[str, ...] = ()

    @property
    def missed(self) -> tuple[ReadPart, ...]:
        """The parts that were not understood."""
        return tuple(each for each in self.parts if not each.understood)


@dataclass(frozen=True, slots=True)
class FaultPlace:
    """A fault in the reader's language, and where it is."""

    where: str
    message: str
    expected: str


def read_list(
    text: str, pool: CardPool, file: str = "", preferences: Preferences = NO_PREFERENCES
) -> ReadList:
    """Read a list in any known format; never raise.

    ``file`` is the name of its file, used as the deck's name if the format has none.
    The content gets a mode: first deck, unless the list shows otherwise. Terms that the
    list doesn't name come from the ``preferences``.
    """
    read = _read_any(text, pool, file)
    if read.content is None:
        return read
    read = replace(read, content=preferred(read.content, preferences, pool))
    assert read.content is not None
    content = begun(read.content, judge_of(pool), is_upgraded=read.is_upgraded)
    assumed = MODE not in read.content.circumstances
    under_way = assumed and content.circumstances[MODE] == Mode.CAMPAIGN
    return replace(read, content=content, is_under_way=under_way)


def _read_any(text: str, pool: CardPool, file: str) -> ReadList:
    bare = text.lstrip("\ufeff \t\r\n")
    if is_json(bare):
        return _read_json(text.lstrip("\ufeff"), pool)
    if OCTGN_FILE.match(bare):
        return _read_octgn(bare, pool, file)
    read = _read(read_text(text, pool), pool)
    if read.content is None or any(each.suggestions for each in read.missed):
        return read
    deck = read.content.deck
    if deck["investigator_code"]:
        return read
    return replace(read, investigators=signed_by(deck["slots"], pool))


OCTGN_FILE = re.compile(
    r"<(?:\?xml\b|!--|!DOCTYPE\b|deck\s*+/?>|deck\s++[\w:]++\s*+=)", re.IGNORECASE
)
# How JSON continues after its first bracket, even with some errors.
_BEGUN = re.compile(
    r"""\{\s*+ (?: ["'“‘}] | \w++\s*+: | $ )
    | \[\s*+ (?!\d{5}\s*+\]) # unlike a card's code
      (?: [{"'“‘\]] | -?\d[\d.]*+\s*+[,\]] | (?:true|false|null)\b | $ )""",
    re.VERBOSE,
)
# Text in brackets without JSON strings, followed by what JSON can't have there.
_IN_BRACKETS = re.compile(r"[\[{][^\"\n\[\]{}]{1,100}[\]}]\s*+[^\s,\]}\[{]")


def is_json(text: str) -> bool:
    """Return True if a text is meant as JSON; a deck's name may begin with [ or {."""
    return bool(_BEGUN.match(text)) and not _IN_BRACKETS.match(text)


def corrected(text: str, taken: str) -> str:
    """Replace a line of a list by a suggestion; unchanged if ``taken`` is invalid.

    ``taken`` is the number of a line and its new text, separated by a colon. Line 0
    goes before the first.
    """
    number, _colon, said = taken.partition(":")
    lines = text.splitlines()
    if not is_digits(number, 6):
        return text
    if int(number) > len(lines):
        return text
    start = max(int(number) - 1, 0)
    return "\n".join([*lines[:start], said, *lines[int(number) :]])


def placed(faults: tuple[Fault, ...]) -> tuple[FaultPlace, ...]:
    """Return the faults in the reader's language, each with its place."""
    return tuple(
        FaultPlace(
            whole(fault.pointer[1:].replace("/", " → "))
            or _("line %(line)d, column %(column)d")
            % {"line": fault.line, "column": fault.column},
            whole(_(fault.message).format(found=fault.found)),
            _(fault.expected),
        )
        for fault in faults
    )


def _read_json(text: str, pool: CardPool) -> ReadList:
    try:
        data = read_json(text)
        content = read_content(data)
    except Unreadable as error:
        return ReadList(None, faults=placed(error.faults))
    deck = data["deck"] if "deck" in data and "slots" not in data else data
    read = read_object(deck)
    labels = _read_labels(read.value)
    parts = parts_of_object(read, content, pool)
    return replace(labels, content=content, parts=parts)


def _read_labels(value: Exchanged) -> ReadList:
    """Return name, notes and tags; drop those that are too long."""
    return ReadList(
        None,
        name=whole(value.deck.name),
        notes=whole(value.notes) if len(value.notes) <= LONGEST_NOTES else "",
        tags=tags if len(tags := whole(" ".join(value.tags))) <= LONGEST_TAGS else "",
        carried=carried(value.experience),
        is_upgraded=_is_upgraded(value),
    )


def _is_upgraded(value: Exchanged) -> bool:
    """Return True if a list has experience or an earlier deck."""
    experience = value.experience
    return bool(
        experience.points
        or experience.spent
        or experience.adjustment
        or value.origin.previous is not None
    )


def carried(experience: Experience) -> int:
    """Return the unspent experience of a list.

    If it is more than a ledger takes at once, it can't be right, and 0 is returned.
    """
    return experience.left if abs(experience.left) <= MOST_CORRECTED else 0


def _read_octgn(text: str, pool: CardPool, file: str) -> ReadList:
    try:
        read = _read(read_octgn(text, pool, octgn_ids()), pool)
    except Unreadable as error:
        return ReadList(None, faults=placed(error.faults))
    # Suggestions replace lines, which such a file doesn't have.
    parts = tuple(replace(each, suggestions=()) for each in read.parts)
    read = replace(read, parts=parts)
    return replace(read, name=read.name or whole(PurePath(file).stem)[:LONGEST_NAME])


def _read(read: ListRead, pool: CardPool) -> ReadList:
    """Return the result for a list that was read line by line."""
    parts = tuple(
        part_of_line(line, pool)
        for line in read.lines
        if line.kind is not LineKind.PASSED_OVER or line.message
    )
    if len(read.deck.get("description_md") or "") > LONGEST_NOTES:
        notes = {line.line for line in read.lines if line.kind is LineKind.NOTES}
        parts = tuple(too_long(each) if each.line in notes else each for each in parts)
    if not (read.deck["investigator_code"] or read.deck["slots"]):
        place = FaultPlace(
            _("line %(line)d") % {"line": read.lines[0].line if read.lines else 1},
            _("This doesn’t look like a deck list."),
            _("an investigator’s name, and one card per line: 2x Machete"),
        )
        return ReadList(None, parts=parts, faults=(place,))
    try:
        content = read_content(read.deck)
    except Unreadable as error:
        return ReadList(None, parts=parts, faults=placed(error.faults))
    labels = _read_labels(read_object(read.deck).value)
    return replace(labels, content=content, parts=parts)
