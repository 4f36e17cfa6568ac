"""Describes campaigns, and what is changed about one as a whole, to programs."""

from __future__ import annotations

from arkham.rest.reading import LONGEST_TEXT, MOST_KEY, MOST_NUMBER
from arkham.rest.shapes import Refer, Schema, Shape, closed, or_null
from campaigns.models import Guide, Role
from campaigns.models.campaign import LONGEST_NAME
from campaigns.models.seats import LONGEST_CODE
from decks.serializers.kept import MOMENT, NUMBER

TEXT: Schema = {"type": "string"}
SENT: Schema = {"type": "string", "maxLength": LONGEST_TEXT}
SEQUENCE: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_NUMBER}
INTEGER: Schema = {"type": "integer"}
KEY: Schema = {"type": "integer", "minimum": 1, "maximum": MOST_KEY}
ANYTHING: Schema = {"type": "object", "additionalProperties": True}
FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {
    "type": "array",
    "description": "What, and how many or how much.",
    "items": {"anyOf": [TEXT, INTEGER]},
    "minItems": 2,
    "maxItems": 2,
}


def listed(item: Schema) -> Schema:
    """A list of these."""
    return {"type": "array", "items": item}


def sent(required: list[str], **properties: Schema) -> Schema:
    """An object that is read, with nothing else in it."""
    found: Schema = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    return {**found, "required": required} if required else found


class GuideShape(Shape):
    """A version of a guide."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """What it is called, and whose it is."""
        return closed(
            id=NUMBER,
            guide=TEXT | {"description": "Its id in the field: core, dwl …"},
            name=TEXT,
            version=INTEGER,
            origin={"type": "string", "enum": Guide.Origin.values},
            digest=TEXT,
            private=FLAG | {"description": "Whether only you have it."},
            brought_at=MOMENT,
        )


def _summary(refer: Refer) -> dict[str, Schema]:
    return {
        "id": NUMBER,
        "name": TEXT,
        "guide": refer(GuideShape),
        "standalone": TEXT | {"description": "The scenario on its own, or “”."},
        "simulated": TEXT
        | {"description": "The scenario all before it are only resolved for, or “”."},
        "last": INTEGER | {"description": "The sequence of the last entry."},
        "linked": or_null(NUMBER),
        "branched_from": or_null(NUMBER),
        "branched_at": or_null(INTEGER),
        "made_at": MOMENT,
        "changed_at": MOMENT,
        "archived_at": or_null(MOMENT),
    }


class CampaignSummaryShape(Shape):
    """A campaign in a list."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Which guide it follows and how long its log is."""
        return closed(**_summary(refer))


class PendingShape(Shape):
    """What is asked next, and of whom."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The answer has this ``scenario``, ``step`` and ``kind``."""
        return closed(
            scenario=TEXT,
            step=TEXT,
            kind=TEXT,
            prompt=TEXT,
            codes=listed(TEXT),
            offers=listed(closed(number=INTEGER, id=TEXT)),
            by_code=listed({"type": "array", "items": {"anyOf": [TEXT, listed(TEXT)]}})
            | {"description": "Of each investigator, the ids offered."},
            keys=listed(TEXT),
            others=FLAG,
            least=or_null(INTEGER),
            most=or_null(INTEGER),
            each=FLAG,
            traits=listed(TEXT),
            many=NUMBER | {"description": "How many things each of them names."},
            once=listed(TEXT) | {"description": "What no two may choose."},
            limits=listed({"type": "array", "items": or_null(TEXT, INTEGER)})
            | {"description": "Of single ones: who, the least, the most."},
            costs=listed({"type": "array", "items": {"anyOf": [TEXT, INTEGER, FLAG]}})
            | {"description": "What is packed, its points, whether more than once."},
            worth=listed(closed(code=TEXT, points=INTEGER, copies=or_null(INTEGER)))
            | {
                "description": "Cards that can be expected in the victory display: "
                "their points, and how many there are if anybody knows. The answer has "
                "copies by code, another “total” with its “reason”; or it is a “count”."
            },
            now=or_null(INTEGER)
            | {"description": "The number so far, where the answer is added to one."},
            queries=listed(
                closed(
                    codes=listed(TEXT),
                    source=TEXT,
                    traits=listed(TEXT),
                    types=listed(TEXT),
                    unique=FLAG,
                    vengeance=FLAG,
                    no_story=FLAG,
                    excluded=listed(TEXT),
                )
            )
            | {
                "description": "Of what kind other cards are that may be named: one of "
                "“codes”, or a card of “source” (a deck, the scenario) with one of "
                "these traits and types."
            },
            spends=FLAG
            | {"description": "Whether experience is spent while it is asked."},
            prices=listed(closed(choice=TEXT, experience=INTEGER, pool=TEXT))
            | {
                "description": "Experience paid by who makes a choice, or for each one "
                "that is named (“choice” is empty); what lies in the pool pays first."
            },
        )


class LogProblemShape(Shape):
    """Something in the log that does not go as it should."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Where it stands, and what was found."""
        return closed(rule=TEXT, scenario=TEXT, step=TEXT, found=TEXT, sequence=INTEGER)


def pending_schema(refer: Refer) -> Schema:
    """What is asked next; null where nothing is."""
    return or_null(refer(PendingShape))


class CampaignShape(Shape):
    """A campaign, and what it has come to."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its state is that of its log, folded over its guide."""
        return closed(
            **_summary(refer),
            head=TEXT | {"description": "A digest of the whole log."},
            terms=ANYTHING,
            role={"type": "string", "enum": Role.values},
            member=NUMBER,
            next_draw=closed(entry=NUMBER, commitment=TEXT)
            | {
                "description": "Of what chance decides next: the entry that will "
                "record it, and the SHA-256 of its seed, which that entry shows."
            },
            pending=pending_schema(refer),
            scenarios=listed(closed(id=TEXT, name=TEXT, status=TEXT)),
            fates={"type": "object", "additionalProperties": TEXT},
            state=ANYTHING | {"description": "As recorded runs tell it."},
            problems=listed(refer(LogProblemShape)),
            earning=listed(
                closed(
                    investigator=TEXT,
                    card=TEXT,
                    copies=NUMBER,
                    amount=INTEGER,
                    told=FLAG,
                )
            )
            | {
                "description": (
                    "While decks are upgraded: cards of the decks kept here that give "
                    "or take experience, and what was told of each, or is expected."
                )
            },
        )


class StartShape(Shape):
    """A campaign to begin."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``guide`` is the id of one of /guides.

        An oath is the id of a printed one, or any other with a ``name`` of your own.
        With ``both_halves`` the other half of The Dream-Eaters begins too, linked.
        """
        return sent(
            ["guide"],
            guide=KEY,
            name={"type": "string", "maxLength": LONGEST_NAME},
            standalone=SENT,
            simulated=SENT,
            terms=TERMS,
            seats=listed(SEAT) | {"maxItems": 8},
            oaths=listed(sent(["ultimatum"], ultimatum=SENT, name=SENT)),
            both_halves=FLAG,
        )


class CampaignChangeShape(Shape):
    """What is to be other than it is."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """What is null, or left out, stays as it is."""
        return sent(
            [],
            name=or_null({"type": "string", "maxLength": LONGEST_NAME}),
            terms=or_null(TERMS),
            archived=or_null(FLAG),
        )


class BranchShape(Shape):
    """How far a copy goes."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """To the last entry, if it is not told."""
        return sent(
            [],
            up_to=or_null(SEQUENCE),
            name={"type": "string", "maxLength": LONGEST_NAME},
        )


class LinkShape(Shape):
    """The other campaign of two."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """You organise both."""
        return sent(["campaign"], campaign=KEY)


class AdoptShape(Shape):
    """When another version of the guide is followed."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``after`` the last entry that was seen."""
        return sent(["after"], after=SEQUENCE)


TERMS: Schema = sent(
    [],
    taboo=SENT | {"description": "The id of a list, none, or “”."},
    taboos={
        "type": "object",
        "additionalProperties": SENT,
        "description": "Lists of single investigators, by code.",
    },
    environment=or_null(ANYTHING),
    rulings={"type": "object", "additionalProperties": SENT},
    faq=SENT,
    collection=or_null(KEY),
)
SEAT: Schema = sent(
    ["investigator"],
    investigator={"type": "string", "minLength": 1, "maxLength": LONGEST_CODE},
    name=SENT,
    deck=or_null(KEY),
    kind={"type": "string", "enum": ["paper", "none"]},
    mine=FLAG,
)
