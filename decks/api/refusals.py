"""The API's answer to a deck that cannot be read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from arkham.rules.notation.reading import Fault, Unreadable
from arkham.web import bodies
from arkham.web.problems import Problem

MOST_DETAILS = 3  # of a problem's faults, told in its detail; errors has all


class Refusal(NamedTuple):
    """A kind of refusal: its status and its permanent name."""

    status: int
    name: str


PLACE = ("pointer", "line", "column")
NOT_JSON = Refusal(400, "not-json")
TOO_LARGE = Refusal(413, "too-large")
MISSHAPEN = Refusal(422, "invalid")
TOO_MUCH = Refusal(429, "too-much")


def refusal(error: Unreadable, kind: Refusal, where: str | None = None) -> Problem:
    """The problem that tells every fault.

    ``where`` is the pointer to the deck in question; line and column are told where
    the question is about the whole body (None).
    """
    errors = [_told(fault, kind, where) for fault in error.faults]
    told = [_placed(each) for each in errors]
    more = len(told) - MOST_DETAILS
    if more > 0:
        told[MOST_DETAILS:] = [_("And %(count)d more.") % {"count": more}]
    members = {key: errors[0][key] for key in PLACE if key in errors[0]}
    return Problem(
        kind.status,
        " ".join(told),
        kind=kind.name,
        title=_("The request is not valid") if kind is MISSHAPEN else "",
        **members,
        errors=errors,
    )


def _told(fault: Fault, kind: Refusal, where: str | None) -> dict[str, Any]:
    """A fault as an entry of ``errors``."""
    told = bodies.told(replace(fault, pointer=(where or "") + fault.pointer))
    broken_here = kind is NOT_JSON and where is None
    if not (broken_here or fault.inside):
        del told["line"], told["column"]
    return told


def _placed(told: dict[str, Any]) -> str:
    """What is wrong, after the pointer to it."""
    pointer, detail = told["pointer"], told["detail"]
    return f"{pointer}: {detail}" if pointer else str(detail)
