"""API messages of a deck's games, upgrades and ledger, sent and answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Annotated, Any

from arkham.rest import reading
from arkham.rest.messages import (
    Message,
    MessagePart,
    Number,
    like,
    reads,
    schema,
    source,
)
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.circumstances_json import LONGEST
from arkham.rules.notation.reading import Fault, Unreadable
from arkham.rules.upgrade.window import READERS, read_window
from decks.models import LONGEST_REASON, LONGEST_SCENARIO, LedgerEntry
from decks.serializers.decks import (
    MOST_OF_IT,
    KeptList,
    WishedList,
    account_of,
    copies_in,
)
from decks.serializers.judged import CircumstancesShape, VerdictShape
from decks.serializers.priced import InvoiceShape, LedgerWindow, PinPart
from decks.services.ledger import (
    EARNED,
    MOST_CORRECTED,
    MOST_EARNED,
    Earned,
    balance_of,
)

MOST_ENTRIES = 20  # of one game
MOST_TASKS = 100
AVAILABLE = "available"  # only the ledger knows it
KINDS = [kind.value for kind in EARNED]
OTHERS = [kind for kind in KINDS if kind != LedgerEntry.Kind.VICTORY.value]

_SAID = r"^[^\x00]*[^\s\x00][^\x00]*$"  # not only blanks
Reason = Annotated[str, reading.text(LONGEST_REASON)]
Points = Annotated[int, schema(minimum=0, maximum=MOST_EARNED)]
Task = Annotated[str, reading.text(LONGEST, fewest=1)]
More = Annotated[int, schema(minimum=1, maximum=MOST_CORRECTED)]
Fewer = Annotated[int, schema(minimum=-MOST_CORRECTED, maximum=-1)]


def _window(value: Any) -> dict[str, Any]:
    """Read the time between two games, as JSON; drop nulls."""
    if value is None:
        return {}
    read_window(value, "")
    if value.get(AVAILABLE) is not None:
        known = ", ".join(key for key in READERS if key != AVAILABLE)
        raise Unreadable(
            Fault(f"/{AVAILABLE}", _("This comes from the ledger."), known)
        )
    return {key: each for key, each in value.items() if each is not None}


Window = Annotated[dict[str, Any], like(LedgerWindow | None), reads(_window)]


class VictoryPart(MessagePart, component="VictoryExperience"):
    """Experience from the victory display, which is never negative."""

    kind: Annotated[str, schema(enum=[LedgerEntry.Kind.VICTORY.value])]
    amount: Points
    reason: Annotated[Reason | None, "What it was for."] = None


class OtherPart(MessagePart, component="OtherExperience"):
    """Experience from another source."""

    kind: Annotated[str, schema(enum=OTHERS)]
    amount: Annotated[int, schema(minimum=-MOST_EARNED, maximum=MOST_EARNED)]
    reason: Annotated[Reason | None, "What it was for."] = None


def _earned(value: Any) -> Earned:
    kind = reading.read_object(value).get("kind")
    reading.read(Annotated[str, schema(enum=KINDS)], kind, "/kind")
    part = OtherPart if kind in OTHERS else VictoryPart
    found = reading.read(part, value, apart=True)
    return Earned(found.kind, found.amount, (found.reason or "").strip())


Earnings = Annotated[
    tuple[Annotated[Earned, like(VictoryPart | OtherPart), reads(_earned)], ...],
    schema(maxItems=MOST_ENTRIES),
]


class GameShape(Message):
    """The results of a scenario for a deck; what is left out or null didn't happen."""

    earned: Annotated[
        Earnings | None, "Experience by its source; a penalty is negative."
    ] = None
    scenario: Annotated[
        Annotated[str, reading.text(LONGEST_SCENARIO)] | None,
        "What was played: every entry of the game names it.",
    ] = None
    cost: Annotated[
        Points | None,
        "Paid to play a side scenario; absent: its printed price, if it is known and "
        "the deck isn't a standalone one.",
    ] = None
    window: Window = field(default_factory=dict)
    tasks: Annotated[
        Annotated[tuple[Task, ...], schema(maxItems=MOST_TASKS)] | None,
        "Codes of cards identified or translated from now on.",
    ] = None
    again: Annotated[
        bool | None,
        "Another game with the deck as the last one left it, with no upgrade in "
        "between.",
    ] = None


def _amount(value: Any) -> int:
    if type(value) is not int or not 0 < abs(value) <= MOST_CORRECTED:
        most = MOST_CORRECTED
        raise reading.Wrong(f"an integer from -{most} to {most}, not 0")
    return value


def _said(value: Any) -> str:
    said: str = reading.read(Reason, value).strip()
    if not said:
        raise Unreadable(Fault("", _("This is missing."), _("a reason")))
    return said


class CorrectionShape(Message):
    """The amount to add or remove, and the reason."""

    amount: Annotated[int, like(More | Fewer), reads(_amount)]
    reason: Annotated[Reason, schema(minLength=1, pattern=_SAID), reads(_said)]


class LedgerEntryShape(Message):
    """Experience that came or went; another entry corrects a mistake."""

    number: Annotated[Number, source("entry.number")]
    kind: Annotated[
        str,
        schema(enum=[kind.value for kind in LedgerEntry.Kind]),
        source("entry.kind"),
    ]
    amount: Annotated[int, source("entry.amount")]
    reason: Annotated[str, source("entry.reason")]
    revision: Annotated[
        Number, source("entry.revision"), "The revision that earned or spent it."
    ]
    author: Annotated[
        str | None, source(lambda running: account_of(running.entry.author))
    ]
    made_at: Annotated[datetime, source("entry.made_at")]
    balance: Annotated[int, "The balance after this entry."]


class WishedUpgradeShape(Message):
    """The whole deck as it is to be played next, with its window."""

    deck: Annotated[
        Any,
        like(WishedList),
        "The deck as it will be. Its name, notes and tags are not read: those change "
        f"by PATCH of the deck. {MOST_OF_IT}",
    ]
    circumstances: Annotated[
        Any,
        like(CircumstancesShape | None),
        "Circumstances; absent: as the last game left them (see GET upgrade).",
    ] = None
    window: Annotated[
        Window,
        "What you leave out is as recorded after the game; `pins` and `refused` are "
        "the player’s choices.",
    ] = field(default_factory=dict)


class AgreedUpgradeShape(WishedUpgradeShape):
    """The whole deck as it is to be played next, and the reason for a repair."""

    repair: Annotated[Reason | None, "The reason, for a repair."] = None


class OpeningShape(Message):
    """The start of an upgrade: the deck as the last game left it."""

    base: Annotated[Number, "The revision played last."]
    balance: int
    available: Annotated[int, "The balance, with an unplayed upgrade undone."]
    deck: Annotated[Any, like(KeptList), "The deck as the last game left it."]
    circumstances: Annotated[Any, like(CircumstancesShape)]
    window: Mapping[str, Any]


Difference = Annotated[int, "How much more the upgrade would cost."]


class AlternativePart(MessagePart):
    """A pin that would change the price."""

    pin: Annotated[Any, like(PinPart), source(lambda other: other.pin.as_data())]
    difference: Difference


class ReducingPart(MessagePart):
    """A card whose reductions may be refused."""

    card: Annotated[str, source("code")]
    difference: Difference


class PreviewShape(Message):
    """The price of an upgrade, which is not made."""

    base: Annotated[Number, source("preview.base.number")]
    balance: Annotated[
        int, source(lambda reckoning: balance_of(reckoning.preview.base.deck))
    ]
    available: Annotated[int, source("preview.available")]
    left: Annotated[int, source("preview.left"), "The balance afterwards."]
    lawful: Annotated[bool, "Nothing more serious than advice is found."]
    invoice: Annotated[Any, like(InvoiceShape)]
    verdict: Annotated[Any, like(VerdictShape)]
    exiled: Annotated[dict[str, int], copies_in("exiled"), "Copies that the game took."]
    replaced: Annotated[
        dict[str, int], copies_in("replaced"), "Copies that leave to make room."
    ]
    otherwise: Annotated[
        list[AlternativePart],
        source(lambda its: [each for line in its.cart for each in line.alternatives]),
    ]
    reducing: Annotated[list[ReducingPart], source("reductions")]


class DeskShape(Message):
    """An upgrade in progress; nothing is bought yet."""

    seen: Annotated[Number, "The revision it was begun from."]
    version: Annotated[int, "0 while the deck is as the game left it."]
    window: Mapping[str, Any]
    deck: Annotated[Any, like(KeptList)]
    circumstances: Annotated[Any, like(CircumstancesShape)]
