"""How lists from elsewhere, and the formats decks leave in, are described."""

from __future__ import annotations

from arkham.rules.notation.formats import FORMATS
from decks.interchange.importing import MOST_LETTERS
from decks.serializers.judged import (
    CircumstancesShape,
    Refer,
    Schema,
    Shape,
    closed,
    or_null,
)
from decks.serializers.kept import KeptDeckShape, named_content

LONGEST_FILE = 255  # of the name of its file
_TEXT: Schema = {"type": "string"}


class ListShape(Shape):
    """A deck list from elsewhere."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its text, and the name of its file where the format knows none."""
        return {
            "type": "object",
            "required": ["text"],
            "properties": {
                "text": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": MOST_LETTERS,
                    "description": (
                        "ArkhamDB’s JSON or text, a list as people write it, Markdown, "
                        "an OCTGN file, or the address of a deck."
                    ),
                },
                "file": or_null({"type": "string", "maxLength": LONGEST_FILE}),
            },
            "additionalProperties": False,
        }


class ReadListShape(Shape):
    """A list as it was understood."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The deck it is (null: none), and everything it says."""
        line = closed(
            line=or_null(
                {"type": "integer"}, description="From 1; null where there are none."
            ),
            said=_TEXT | {"description": "As it stands there."},
            understood={"type": "boolean"},
            meaning=_TEXT | {"description": "What was understood."},
            expected=_TEXT | {"description": "What could have been."},
            note=_TEXT | {"description": "Worth knowing either way."},
        )
        read = closed(deck=named_content(), circumstances=refer(CircumstancesShape))
        return closed(
            read=or_null(read),
            carried={
                "type": "integer",
                "description": "Experience it has still to spend.",
            },
            is_under_way={
                "type": "boolean",
                "description": "No first deck looks like this: unless told otherwise, "
                "it is judged as a deck of a campaign under way.",
            },
            missed={"type": "integer", "description": "Lines not understood."},
            lines={"type": "array", "items": line},
            faults={
                "type": "array",
                "description": "Why it is no deck.",
                "items": closed(where=_TEXT, message=_TEXT, expected=_TEXT),
            },
        )


class ImportedDeckShape(Shape):
    """The deck that a list became."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """With the report on the list."""
        return closed(deck=refer(KeptDeckShape), report=refer(ReadListShape))


class ExportShape(Shape):
    """A format the deck leaves in."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its address, and what it has no place for."""
        return closed(
            format={"type": "string", "enum": list(FORMATS)},
            media_type=_TEXT,
            file_name=_TEXT,
            leaves_out={"type": "array", "items": _TEXT},
            url={"type": "string", "format": "uri"},
        )
