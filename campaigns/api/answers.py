"""The API's messages about campaigns and their logs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from arkham.rest.messages import Data, Message, MessagePart, Number, schema, source
from arkham.rules.campaign.judging.between_games import journeys
from arkham.rules.campaign.settlement import fate_of
from arkham.rules.campaign.state.ledger import WrittenLine
from arkham.rules.draws.record import commitment_to
from arkham.rules.replaying import reported
from campaigns.api.questions import (
    JourneyPart,
    LogProblemShape,
    PendingShape,
    pending_data,
    problems_data,
)
from campaigns.log import entries
from campaigns.log.entries import Entry
from campaigns.log.replays import Folded
from campaigns.models import Guide, Membership, Role
from campaigns.play.plays import Pair, next_seed
from campaigns.settling.cards import card_lines


class GuideShape(Message):
    """A version of a guide: its name, and who has it."""

    id: Annotated[Number, source("pk")]
    guide: Annotated[str, source("guide_id"), "Its id in the app: core, dwl …"]
    name: str
    version: int
    origin: Annotated[str, schema(enum=Guide.Origin.values)]
    digest: str
    private: Annotated[bool, source("is_private"), "Whether it isn't for everyone."]
    brought_at: datetime


class SummaryPart(MessagePart):
    """A campaign's guide, and the length of its log."""

    id: Annotated[Number, source("pk")]
    name: str
    guide: GuideShape
    standalone: Annotated[str, "The scenario on its own, or “”."]
    simulated: Annotated[
        str, "The scenario to play after the earlier ones were only resolved, or “”."
    ]
    last: Annotated[int, "The sequence of the last entry."]
    linked: Annotated[Number | None, source("linked_id")]
    branched_from: Annotated[Number | None, source("branched_from_id")]
    branched_at: int | None
    made_at: datetime
    changed_at: datetime
    archived_at: datetime | None


class CampaignSummaryShape(SummaryPart, Message):
    """A campaign in a list."""


class NextDrawPart(MessagePart):
    """The next random draw."""

    entry: Number
    commitment: str


class ScenarioPart(MessagePart):
    """A scenario and its state."""

    id: str
    name: str
    status: str


class EarningPart(MessagePart):
    """A card of a deck that gives or takes experience."""

    investigator: str
    card: str
    copies: Number
    amount: int
    told: Annotated[bool, source("is_reported")]


class CampaignShape(SummaryPart, Message):
    """A campaign and its state: its log folded over its guide."""

    head: Annotated[str, "A digest of the whole log."]
    terms: Mapping[str, Any]
    role: Annotated[str, schema(enum=Role.values)]
    member: Number
    next_draw: Annotated[
        NextDrawPart,
        "The next random draw: the entry that will record it, and the SHA-256 of its "
        "seed, which that entry shows.",
    ]
    pending: PendingShape | None
    scenarios: list[ScenarioPart]
    fates: dict[str, str]
    state: Annotated[Mapping[str, Any], "The state, as recorded runs have it."]
    problems: list[LogProblemShape]
    earning: Annotated[
        list[EarningPart],
        "While decks are upgraded: cards of the decks kept here that give or take "
        "experience, and what was reported of each, or is expected.",
    ]
    journeys: Annotated[
        list[JourneyPart],
        "In a campaign with a map, while the prompt is `embark`: each possible "
        "journey, the shortest first.",
    ]


def campaign_data(member: Membership, known: Folded) -> Data:
    """Return a campaign as a member sees it."""
    campaign, replay = member.campaign, known.replay
    state, lines = replay.state, card_lines(campaign, replay)
    draw = commitment_to(next_seed(campaign))
    return CampaignShape.data(
        campaign,
        role=member.role,
        member=member.pk,
        next_draw={"entry": campaign.last + 1, "commitment": draw},
        pending=pending_data(replay.pending),
        scenarios=[ScenarioPart.data(each) for each in replay.scenarios],
        fates={code: fate_of(state, code).value for code in state.people},
        state=reported(replay),
        problems=problems_data(replay.problems),
        earning=[EarningPart.data(each) for each in lines],
        journeys=[JourneyPart.data(each) for each in journeys(state.guide, replay)],
    )


class EntryShape(Message):
    """An entry of a log; its payload is converted to the latest version."""

    sequence: Number
    kind: Annotated[str, schema(enum=[*entries.VALUES, *entries.OTHERS])]
    version: Annotated[Number, source(lambda row: entries.version_of(row.kind))]
    payload: Annotated[
        Mapping[str, Any],
        source(lambda row: entries.upcast(row.kind, row.version, row.payload)),
    ]
    cause: str
    author: Annotated[Number | None, source("author_id")]
    author_name: str
    recorded_at: datetime


class LogEntriesShape(Message):
    """The requested entries, and the last entry of the log."""

    last: int
    entries: list[EntryShape]


class WrittenShape(Message):
    """The entries written, and the next question.

    ``last`` is the value of ``after`` for the next entry.
    """

    last: int
    entries: list[EntryShape]
    pending: PendingShape | None
    problems: list[LogProblemShape]


class PersonChangePart(MessagePart):
    """The changes of an investigator."""

    code: str
    experience: int
    physical: int
    mental: int
    fate: Annotated[str, source("fate.value")]
    fate_is_new: bool
    gained: list[str]
    lost: list[str]
    pools: list[Pair]


Lines = list[Mapping[str, Any]]


class LogChangePart(MessagePart):
    """The changes in a section of the log."""

    section: str
    written: Annotated[Lines, source(lambda change: _lines(change.written))]
    crossed_out: Annotated[Lines, source(lambda change: _lines(change.crossed_out))]
    gone: Annotated[Lines, source(lambda change: _lines(change.gone))]
    code: Annotated[str, "Whose section it is, if each has one; or “”."]
    circled: list[Annotated[list[str | bool], "A line, and whether it is circled now."]]
    struck: Annotated[
        bool | None,
        "Whether the whole section is crossed out now; null if that is as it was.",
    ]


def _lines(lines: Iterable[WrittenLine]) -> list[Data]:
    return [each._asdict() for each in lines]


class MapChangePart(MessagePart):
    """The changes on a map."""

    location: Annotated[
        str | None, "Where the table is now; null if that is as it was."
    ]
    opened: list[str]
    closed: list[str]
    keys: list[Annotated[list[str], "A key and who has it now, or “”."]]


class ChangesShape(Message):
    """The changes between two moments of a campaign.

    For each investigator, and in the log; as pairs of what changed and by how much.
    """

    people: list[PersonChangePart]
    log: list[LogChangePart]
    counts: list[Pair]
    tokens: list[Pair]
    scenarios: list[Annotated[list[str], "A scenario’s id and its state."]]
    result: str
    result_gone: Annotated[str, "How the campaign had ended, if it is no longer over."]
    next_scenario: str
    map: MapChangePart


class LinkedChangesPart(MessagePart):
    """The changes in the linked campaign."""

    settlement: ChangesShape
    unreached: list[int]


class CampaignPreviewShape(Message):
    """The changes that entries would make.

    Other answers are listed by their sequence; answers not listed stay.
    """

    settlement: ChangesShape
    pending: PendingShape | None
    problems: list[LogProblemShape]
    changed: list[int]
    unreached: list[int]
    reached: list[int]
    again: list[int]
    linked: Annotated[
        LinkedChangesPart | None,
        source("beside"),
        "What would change in the linked campaign.",
    ]


class UnreachedPart(MessagePart):
    """An answer to a question that isn't asked any more."""

    sequence: int
    kind: str
    version: Number
    payload: Mapping[str, Any]


class DifferencesShape(Message):
    """The changes that another version of the guide makes.

    ``unreached`` are answers it doesn't ask for.
    """

    settlement: ChangesShape
    problems: list[LogProblemShape]
    unreached: Annotated[
        list[UnreachedPart],
        source(lambda found: [_encoded(each) for each in found.unreached]),
    ]


class _Encoded(NamedTuple):
    sequence: int
    kind: str
    version: int
    payload: Mapping[str, Any]


def _encoded(entry: Entry) -> _Encoded:
    return _Encoded(entry.sequence, *entries.encode(entry))
