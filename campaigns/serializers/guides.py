"""How guides are told and described to programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arkham.rest.shapes import Refer, Schema, Shape, closed, or_null
from arkham.rules.campaign.reading.fields import Flaw
from arkham.rules.campaign.reading.lint import HARMLESS
from campaigns.guides.keeping import GuideChange, ImportReport
from campaigns.models import Guide

_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_DIGEST: Schema = {"type": "string", "description": "Of its whole content."}


def flaw_data(flaw: Iterable[str]) -> dict[str, Any]:
    """A flaw as JSON types."""
    told = Flaw(*flaw)
    return {
        "rule": told.rule,
        "at": told.at,
        "found": told.found,
        "expected": told.expected,
        "serious": told.rule not in HARMLESS,
    }


def guide_data(guide: Guide) -> dict[str, Any]:
    """A guide as JSON types, without its flaws and its words."""
    return {
        "id": guide.pk,
        "guide": guide.guide_id,
        "name": guide.name,
        "version": guide.version,
        "digest": guide.digest,
        "side_digest": guide.side_digest or None,
        "origin": guide.origin,
        "private": guide.is_private,
        "scenarios": guide.scenarios,
        "serious_flaws": guide.serious,
        "brought_at": guide.brought_at,
    }


def whole_guide_data(guide: Guide) -> dict[str, Any]:
    """The same with everything that is wrong with it."""
    return guide_data(guide) | {"flaws": [flaw_data(each) for each in guide.flaws]}


def report_data(report: ImportReport) -> dict[str, Any]:
    """What was taken in as JSON types."""
    return {
        "guides": [
            whole_guide_data(guide) | {"change": change.value}
            for guide, change in report.taken
        ],
        "flaws": [flaw_data(flaw) for flaw in report.flaws],
    }


class FlawShape(Shape):
    """Something wrong with a guide."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """A permanent id, the path to it, what was found and what was expected."""
        return closed(
            rule=_TEXT | {"description": "The permanent id of the flaw."},
            at=_TEXT | {"description": "The path: campaign, file, step, place in it."},
            found=_TEXT,
            expected=_TEXT,
            serious={
                "type": "boolean",
                "description": "Whether it loses something or stops a campaign.",
            },
        )


def _guide_parts() -> dict[str, Schema]:
    return {
        "id": {"type": "integer", "minimum": 1},
        "guide": _TEXT | {"description": "Its id in the field, such as dwl."},
        "name": _TEXT,
        "version": _COUNT,
        "digest": _DIGEST,
        "side_digest": or_null(_TEXT)
        | {"description": "That of the side scenarios it came with."},
        "origin": {"type": "string", "enum": list(Guide.Origin.values)},
        "private": {"type": "boolean", "description": "Whether only you have it."},
        "scenarios": _COUNT,
        "serious_flaws": _COUNT,
        "brought_at": {"type": "string", "format": "date-time"},
    }


class KeptGuideShape(Shape):
    """A guide that campaigns can be played by."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """What it is and whose."""
        return closed(**_guide_parts())


class WholeGuideShape(Shape):
    """A guide with everything that is wrong with it."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """What it is and whose, and its flaws."""
        flaws: Schema = {"type": "array", "items": refer(FlawShape)}
        return closed(**_guide_parts(), flaws=flaws)


class BroughtGuidesShape(Shape):
    """What became of the guides that were brought."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Each guide with its flaws, and the flaws that belong to none of them."""
        flaws: Schema = {"type": "array", "items": refer(FlawShape)}
        change: Schema = {
            "type": "string",
            "enum": [each.value for each in GuideChange],
        }
        guide = closed(**_guide_parts(), flaws=flaws, change=change)
        return closed(guides={"type": "array", "items": guide}, flaws=flaws)


class GuideAddressShape(Shape):
    """Where a zip of guides is."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """An address at one of the hosts this server reads guides from."""
        return closed(address=_TEXT | {"minLength": 1, "maxLength": 1000})
