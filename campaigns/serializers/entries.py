"""Describes the entries of a log, and a campaign entered from paper, to programs."""

from __future__ import annotations

from arkham.rest.reading import MOST_NUMBER
from arkham.rest.shapes import Refer, Schema, Shape, closed, or_null
from arkham.rules.campaign.paper.judging import MOST_TOKENS, STATES
from arkham.rules.chaos.starting import Difficulty
from campaigns.log import entries
from campaigns.serializers.tables import (
    ANYTHING,
    COUNT,
    FLAG,
    INTEGER,
    SENT,
    SEQUENCE,
    TEXT,
    LogProblemShape,
    listed,
    pending_schema,
    sent,
)
from decks.serializers.kept import MOMENT, NUMBER

_OUTSIDE = ("stated", "asserted")

_NUMBER: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_NUMBER}
_NUMBERS: Schema = {"type": "object", "additionalProperties": _NUMBER}
_TOKENS: Schema = {
    "type": "object",
    "additionalProperties": {"type": "integer", "minimum": 0, "maximum": MOST_TOKENS},
}
_NAMES = listed(SENT)
_PLACES = _NAMES | {"description": "A section and the id of a line: SECTION.LINE."}


class EnteredPersonShape(Shape):
    """An investigator as the table has them."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """What is unspent, suffered and held; ``counts`` and ``lines`` of their own."""
        return sent(
            ["investigator"],
            investigator=SENT,
            experience=_NUMBER,
            physical=_NUMBER,
            mental=_NUMBER,
            fate={"type": "string", "enum": ["alive", "killed", "driven_insane"]},
            cards=_NAMES,
            weaknesses=_NAMES,
            counts=_NUMBERS,
            lines=_PLACES,
        )


class EnteredPartnerShape(Shape):
    """A partner as the table has them."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """What they suffered, and what they are."""
        states = listed({"type": "string", "enum": list(STATES)})
        return sent(["code"], code=SENT, damage=_NUMBER, horror=_NUMBER, states=states)


class EnteredWordsShape(Shape):
    """A line in the table's own words."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its section, and what stands there."""
        return sent(["section", "words"], section=SENT, words=SENT)


class EnterShape(Shape):
    """Where a campaign stands that began on paper."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``scenario`` is the one to be played now; ``played`` those before it."""
        return sent(
            ["after", "scenario", "people"],
            after=SEQUENCE,
            scenario=SENT,
            people=listed(refer(EnteredPersonShape)) | {"minItems": 1, "maxItems": 40},
            bag=_TOKENS,
            difficulty={"type": "string", "enum": [*Difficulty]},
            lines=_PLACES,
            crossed_out=_PLACES,
            words=listed(refer(EnteredWordsShape)),
            counts=_NUMBERS,
            played=_NAMES,
            order=_NAMES,
            partners=listed(refer(EnteredPartnerShape)),
            keys={"type": "object", "additionalProperties": SENT},
            location=SENT,
            visited=_NAMES,
            opened=_NAMES,
            reason=SENT,
        )


class EntryShape(Shape):
    """An entry of a log."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its payload is of the version named, the latest there is."""
        return closed(
            sequence=NUMBER,
            kind={"type": "string", "enum": [*entries.VALUES, *entries.OTHERS]},
            version=NUMBER,
            payload=ANYTHING,
            cause=TEXT,
            author=or_null(NUMBER),
            author_name=TEXT,
            recorded_at=MOMENT,
        )


class LogEntriesShape(Shape):
    """What stands in a log."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The entries asked for, and how far the log is."""
        return closed(last=INTEGER, entries=listed(refer(EntryShape)))


class WrittenShape(Shape):
    """What was written, and what is asked next."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``last`` is what the next entry comes ``after``."""
        return closed(
            last=INTEGER,
            entries=listed(refer(EntryShape)),
            pending=pending_schema(refer),
            problems=listed(refer(LogProblemShape)),
        )


class GivenEntryShape(Shape):
    """An answer or a fact."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """What the payload of each kind is, docs/campaigns.md tells."""
        return sent(
            ["kind", "payload"],
            kind={"type": "string", "enum": [*entries.VALUES, *_OUTSIDE]},
            payload=ANYTHING,
            version=or_null({"type": "integer", "minimum": 1, "maximum": 99}),
        )


class AppendShape(Shape):
    """An entry to be written."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """It comes ``after`` the last entry that was seen."""
        return sent(["after", "entry"], after=SEQUENCE, entry=refer(GivenEntryShape))


class AnswerCorrectionShape(Shape):
    """An answer to take the place of an earlier one."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``target`` is the sequence of that one."""
        return sent(
            ["after", "target", "entry"],
            after=SEQUENCE,
            target=SEQUENCE,
            entry=refer(GivenEntryShape),
            reason=SENT,
        )


class RetractionShape(Shape):
    """What is to be taken back."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """A ``target`` or a ``scenario``; a ``reason`` releases an ultimatum."""
        return sent(
            ["after"],
            after=SEQUENCE,
            target=or_null(SEQUENCE),
            scenario=or_null(SENT),
            reason=SENT,
        )


class CampaignQuestionShape(Shape):
    """What would be written, put right, or taken back."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """An ``entry``, a ``target``, both, or a ``scenario``."""
        return sent(
            [],
            entry=or_null(refer(GivenEntryShape)),
            target=or_null(SEQUENCE),
            scenario=or_null(SENT),
        )


class ChangesShape(Shape):
    """What changed between two moments of a campaign."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """For each investigator, and in the log; pairs of what and by how much."""
        return closed(
            people=listed(
                closed(
                    code=TEXT,
                    experience=INTEGER,
                    physical=INTEGER,
                    mental=INTEGER,
                    fate=TEXT,
                    fate_is_new=FLAG,
                    gained=listed(TEXT),
                    lost=listed(TEXT),
                    pools=listed(COUNT),
                )
            ),
            log=listed(
                closed(
                    section=TEXT,
                    written=listed(ANYTHING),
                    crossed_out=listed(ANYTHING),
                    gone=listed(ANYTHING),
                    code=TEXT
                    | {"description": "Whose section it is, if each has one; or “”."},
                    circled=listed(
                        {"type": "array", "items": {"anyOf": [TEXT, FLAG]}}
                        | {"description": "A line, and whether it is circled now."}
                    ),
                    struck=or_null(FLAG)
                    | {
                        "description": "Whether the whole section is crossed out now; "
                        "null if that is as it was."
                    },
                )
            ),
            counts=listed(COUNT),
            tokens=listed(COUNT),
            scenarios=listed(
                listed(TEXT) | {"description": "Its id, and how it stands."}
            ),
            result=TEXT,
            result_gone=TEXT
            | {"description": "How it had ended, where it is not over any more."},
            next_scenario=TEXT,
            map=closed(
                location=or_null(TEXT)
                | {"description": "Where the table is now; null if that is as it was."},
                opened=listed(TEXT),
                closed=listed(TEXT),
                keys=listed(
                    listed(TEXT) | {"description": "A key and who has it now, or “”."}
                ),
            ),
        )


class CampaignPreviewShape(Shape):
    """What would change."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Other answers by their sequence; those that are not told hold."""
        return closed(
            settlement=refer(ChangesShape),
            pending=pending_schema(refer),
            problems=listed(refer(LogProblemShape)),
            changed=listed(INTEGER),
            unreached=listed(INTEGER),
            reached=listed(INTEGER),
            again=listed(INTEGER),
            linked=or_null(
                closed(settlement=refer(ChangesShape), unreached=listed(INTEGER))
            )
            | {"description": "What would change in the linked campaign."},
        )


class DifferencesShape(Shape):
    """What another version of the guide changes."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``unreached`` are answers it does not ask for."""
        return closed(
            settlement=refer(ChangesShape),
            problems=listed(refer(LogProblemShape)),
            unreached=listed(
                closed(sequence=INTEGER, kind=TEXT, version=NUMBER, payload=ANYTHING)
            ),
        )
