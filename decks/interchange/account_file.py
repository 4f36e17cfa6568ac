"""The file format of an account: each part read and written by its type.

``decks.interchange.account_reading`` checks that the parts fit together, for this
version of the format and earlier ones.
"""

from __future__ import annotations

import json
from dataclasses import field
from datetime import datetime
from typing import Annotated, Any, NewType

from arkham.accounts.preferences import PREFERABLE, VALUE
from arkham.rest import reading
from arkham.rest.messages import MessagePart, Number, reads, schema
from arkham.rest.reading import Sent, Wrong
from arkham.rules.draws import DrawRecord
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.reading import Fault, Unreadable, instant_of
from arkham.rules.upgrade.price_rules import PRICE_RULES
from arkham.rules.upgrade.window import read_copies, read_window
from decks.lists.content import Content
from decks.models import (
    LONGEST_ADDRESS,
    LONGEST_AUTHOR,
    LONGEST_FOLDER,
    LONGEST_NAME,
    LONGEST_NOTES,
    LONGEST_REASON,
    LONGEST_SCENARIO,
    LONGEST_TAGS,
    Cause,
    LedgerEntry,
    Showing,
)
from decks.services.windows import AFTERMATH_CIRCUMSTANCES

FORMAT, VERSION = "orne-account", 4
MOST_BYTES = 64 * 1024 * 1024
MOST_DECKS = 10_000
MOST_REVISIONS = 100_000  # of a deck, as of its ledger entries and its draws
MOST_COLLECTIONS = 1_000
MOST_FOLDERS = 1_000
MOST_POINTS = 99_999
MOST_LINES = 500  # of an invoice
MOST_FINDINGS = 5_000  # of an invoice

Data = dict[str, Any]
# True if the account itself made it; the file has its name. Other names are unknown to
# this server.
Own = NewType("Own", bool)


def _instant(value: object) -> datetime:
    found = instant_of(value) if isinstance(value, str) else None
    if found is None:
        raise Wrong(_("a time such as 2026-02-01T22:38:59+00:00"))
    return found


def _kept(value: object) -> None:
    """Raise Unreadable if the value contains NUL, which databases can't store."""
    if "\\u0000" in json.dumps(value):
        raise Unreadable(
            Fault("", _("It contains a NUL character."), _("text without NUL"))
        )


def _window(value: object) -> Data:
    """Read a window between two games, with the other keys of an aftermath."""
    if value is None:
        return {}
    found = reading.read_object(value)
    _kept(found)
    others = {key: found[key] for key in found.keys() & {*AFTERMATH_CIRCUMSTANCES}}
    read_window({key: found[key] for key in found if key not in others}, "")
    reading.read(dict[str, Codes], others)
    return found


def _copies(value: object) -> dict[str, int]:
    """Read copies by code."""
    _kept(reading.read_object(value))
    return dict(read_copies(value, ""))


def _invoice(value: object) -> Data | None:
    """Read a stored invoice; null if nothing was paid."""
    if value is None:
        return None
    found = reading.read_object(value)
    _kept(found)
    invoice: FileInvoice = reading.read(FileInvoice, found)
    paid = sum(line.paid for line in invoice.lines)
    if paid != invoice.experience_spent:
        message = _("The lines add up to {found}.")
        raise Unreadable(Fault("/experience_spent", message, str(paid), str(paid)))
    return found


def _record(value: object) -> Data:
    """Read the record of a draw."""
    try:
        _kept(reading.read_object(value))
        return DrawRecord.from_data(reading.read_object(value)).as_data()
    except (KeyError, TypeError, ValueError):
        raise Wrong(_("a draw as Orne exports it")) from None


def _address(value: object) -> str:
    found: str = reading.read(Annotated[str, schema(maxLength=LONGEST_ADDRESS)], value)
    if not found.startswith("/"):
        raise Wrong(_("a path such as /decks/published/1/"))
    return found


def _preferred(value: object) -> str:
    """Read a preference whose values differ from server to server."""
    found: str = reading.read(Annotated[str, schema(maxLength=20)], value)
    if not VALUE.fullmatch(found):
        raise Wrong(_("small letters, digits and hyphens"))
    return found


def _choice(name: str) -> schema:
    return schema(enum=["", *PREFERABLE[name]])


Instant = Annotated[datetime, reads(_instant)]
Window = Annotated[Data, reads(_window)]
Copies = Annotated[dict[str, int], reads(_copies)]
Codes = Annotated[tuple[str, ...], schema(maxItems=MOST_LINES)]
Name = Annotated[str, schema(maxLength=LONGEST_NAME)]
FolderName = Annotated[str, schema(maxLength=LONGEST_FOLDER)]
Preferred = Annotated[str, reads(_preferred)]
Reason = Annotated[str, schema(maxLength=LONGEST_REASON)]
Points = Annotated[int, schema(minimum=-MOST_POINTS, maximum=MOST_POINTS)]
Count = Annotated[int, schema(minimum=0, maximum=MOST_POINTS)]
_MANY = schema(maxItems=MOST_REVISIONS)


class FilePart(MessagePart, is_open=True):
    """A part of a file; unknown keys are ignored."""


class FileReduction(FilePart):
    """A price reduction by a card."""

    card: str
    amount: int


class FileLine(FilePart):
    """A card that was bought, and its price."""

    rule: Annotated[str, schema(enum=list(PRICE_RULES))]
    card: str
    gross: int
    paid: int
    upgraded_from: str | None
    replaces: str | None
    reductions: Annotated[tuple[FileReduction, ...], schema(maxItems=50)]
    boxes: int
    side_deck: bool


class FileInvoice(FilePart):
    """The cost of an upgrade."""

    experience_spent: Points
    lines: Annotated[tuple[FileLine, ...], schema(maxItems=MOST_LINES)]
    findings: Annotated[tuple[dict[str, Any], ...], schema(maxItems=MOST_FINDINGS)]


class WithContent:
    """A part with a deck and the circumstances it is judged under."""

    deck: Any
    circumstances: Any

    @property
    def content(self) -> Content:
        """The deck and its circumstances."""
        return Content(self.deck, self.circumstances)


class FileRevision(WithContent, FilePart):
    """A revision of a deck; in version 1 its cause follows from the other fields."""

    number: Number
    made_at: Instant
    made_by: Own = Own(False)
    cause: Annotated[str, schema(enum=Cause.values)] = ""
    reason: Reason = ""
    restores: Number | None = None
    base: Number | None = None
    deck: Any
    circumstances: Any = None
    window: Window = field(default_factory=dict)
    invoice: Annotated[Data | None, reads(_invoice)] = None
    played_at: Instant | None = None
    aftermath: Window = field(default_factory=dict)
    scenario: Annotated[str, schema(maxLength=LONGEST_SCENARIO)] = ""


class FileEntry(FilePart):
    """An entry of the ledger."""

    number: Number
    kind: Annotated[str, schema(enum=LedgerEntry.Kind.values)]
    amount: Points
    reason: Reason = ""
    revision: Number
    author: Own = Own(False)
    made_at: Instant


class FileExperience(FilePart):
    """A summary of the ledger.

    ``balance`` can be spent now, ``total`` was earned since the campaign began,
    ``gained`` with the revision ``since`` alone.
    """

    balance: int
    total: int = 0
    gained: int = 0
    since: int = 0


class FileCorrection(FilePart):
    """The reason why a draw is not valid, and when it was declared so."""

    reason: Reason = ""
    made_at: Instant


class FileDraw(FilePart):
    """A draw; ``follows`` is the place of the draw whose results it chose from."""

    revision: Number
    made: Number | None = None
    made_at: Instant
    record: Annotated[Data, reads(_record)]
    follows: Count | None = None
    correction: FileCorrection | None = None


class FileDesk(WithContent, FilePart):
    """An upgrade in progress."""

    seen: Number
    version: Count
    deck: Any
    circumstances: Any = None
    window: Window = field(default_factory=dict)
    changed_at: Instant


class FileShowing(FilePart):
    """How others saw a deck; ``revision`` is None if they saw the latest.

    The key of a link is left out: it was given to people, and works on one server only.
    """

    kind: Annotated[str, schema(enum=Showing.Kind.values)]
    revision: Number | None = None
    since: Instant


class FileSource(FilePart):
    """The deck that a deck was copied from; ``address`` is a path on that server."""

    kind: Annotated[str, schema(enum=Showing.Kind.values)]
    name: Name
    author: Annotated[str, schema(maxLength=LONGEST_AUTHOR)]
    address: Annotated[str, reads(_address)]
    copied_at: Instant


class FileDeck(FilePart):
    """A deck: its revisions in order, its history, and where it is filed.

    ``folder`` is a name, "" for none; a deck with ``deleted_at`` is in the bin.
    """

    name: Name = ""
    folder: FolderName = ""
    archived_at: Instant | None = None
    deleted_at: Instant | None = None
    notes: Annotated[str, schema(maxLength=LONGEST_NOTES)] = ""
    tags: Annotated[str, schema(maxLength=LONGEST_TAGS)] = ""
    made_at: Instant
    changed_at: Instant
    revisions: Annotated[tuple[FileRevision, ...], _MANY]
    ledger: Annotated[tuple[FileEntry, ...], _MANY] = ()
    experience: FileExperience | None = None
    draws: Annotated[tuple[FileDraw, ...], _MANY] = ()
    desk: FileDesk | None = None
    shown: FileShowing | None = None
    source: FileSource | None = None

    @property
    def has_life(self) -> bool:
        """True if the file has more than revisions."""
        return self.experience is not None


class FileCollection(FilePart):
    """A collection."""

    name: Name = ""
    products: Copies
    missing: Copies
    lends: bool
    advises: bool
    changed_at: Instant


class FilePreferences(FilePart):
    """The preferences of a person, as in ``arkham.accounts.preferences``."""

    taboo: Preferred = ""
    environment: Annotated[str, _choice("environment")] = ""
    mode: Annotated[str, _choice("mode")] = ""
    theme: Annotated[str, _choice("theme")] = ""
    card_language: Preferred = ""


class AccountFile(MessagePart):
    """The whole account. ``folders`` has the names of all folders, empty ones too."""

    format: str = FORMAT
    version: int = VERSION
    account: Sent = ""
    written_at: Sent = ""
    decks: Annotated[tuple[FileDeck, ...], schema(maxItems=MOST_DECKS)]
    collections: Annotated[
        tuple[FileCollection, ...], schema(maxItems=MOST_COLLECTIONS)
    ] = ()
    folders: Annotated[tuple[FolderName, ...], schema(maxItems=MOST_FOLDERS)] = ()
    preferences: FilePreferences = FilePreferences()


def write_account(account: AccountFile) -> str:
    """Return the text of the file."""
    data = AccountFile.data(account)
    for deck in data["decks"]:
        for key, parts in (("made_by", deck["revisions"]), ("author", deck["ledger"])):
            for part in parts:
                part[key] = account.account if part[key] else None
    text = json.dumps(
        data, ensure_ascii=False, separators=(",", ":"), default=datetime.isoformat
    )
    return text + "\n"
