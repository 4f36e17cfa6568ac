"""The API's refusals of a deck: unreadable, or with terms that name unknown cards.

Nothing would follow from a card the pool doesn't have, and the player wouldn't notice.
What is kept already is read as it is, whatever has become of its cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from django.utils.translation import gettext as _

from arkham.rest import reading
from arkham.rest.messages import Message
from arkham.rules.deck import Circumstances
from arkham.rules.finding import gettext_noop as noop
from arkham.rules.notation.names import names_of
from arkham.rules.notation.reading import Fault, Unreadable, shortened
from arkham.rules.pool import CardPool
from arkham.web import bodies
from arkham.web.problems import Problem


def check_named(circumstances: Circumstances, pool: CardPool) -> None:
    """Raise Unreadable with every title and code that no card has.

    Story cards and tasks may be those of a campaign that only its players know.
    """
    faults = [
        *_titles(circumstances.banned_titles, pool),
        *_codes("lost_cards", circumstances.lost_cards, pool),
        *_codes("given_signatures", circumstances.given_signatures, pool),
    ]
    if faults:
        raise Unreadable(*faults)


def _titles(titles: frozenset[str], pool: CardPool) -> Iterator[Fault]:
    """A fault for each title that stands on no card, with those that are like it."""
    if not titles:
        return
    for each in sorted(titles - {card.title for card in pool.values()}):
        alike = [card.title for card in names_of(pool).called(each)]
        meant = ", ".join(alike[:1] or names_of(pool).like(each))
        yield Fault(
            "/circumstances/banned_titles",
            noop("No card has the title {found}."),
            meant or noop("the title of a card"),
            shortened(each),
        )


def _codes(key: str, codes: Iterable[str], pool: CardPool) -> Iterator[Fault]:
    for each in sorted(set(codes)):
        if pool.get_card(each) is None:
            message, expected = (
                noop("No card has the code {found}."),
                noop("a card code"),
            )
            yield Fault(f"/circumstances/{key}", message, expected, shortened(each))


Body = TypeVar("Body", bound=Message)
MOST_DETAILS = 3  # of a problem's faults, given in its detail; errors has all


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
    """The problem with every fault.

    ``where`` is the pointer to the deck in question; line and column are given where
    the question is about the whole body (None).
    """
    errors = [_error_data(fault, kind, where) for fault in error.faults]
    details = [_placed(each) for each in errors]
    more = len(details) - MOST_DETAILS
    if more > 0:
        details[MOST_DETAILS:] = [_("And %(count)d more.") % {"count": more}]
    members = {key: errors[0][key] for key in PLACE if key in errors[0]}
    return Problem(
        kind.status,
        " ".join(details),
        kind=kind.name,
        title=_("The request isn’t valid") if kind is MISSHAPEN else "",
        **members,
        errors=errors,
    )


def body_of(message: type[Body], value: Any) -> Body:
    """The value of a body as this message; or 422 with every fault."""
    try:
        return reading.read(message, value, apart=True)  # type: ignore[no-any-return]
    except Unreadable as error:
        raise refusal(error, MISSHAPEN, "") from None


def _error_data(fault: Fault, kind: Refusal, where: str | None) -> dict[str, Any]:
    """A fault as an entry of ``errors``."""
    error = bodies.fault_data(replace(fault, pointer=(where or "") + fault.pointer))
    broken_here = kind is NOT_JSON and where is None
    if not (broken_here or fault.inside):
        del error["line"], error["column"]
    return error


def _placed(error: dict[str, Any]) -> str:
    """What is wrong, after the pointer to it."""
    pointer, detail = error["pointer"], error["detail"]
    return f"{pointer}: {detail}" if pointer else str(detail)
