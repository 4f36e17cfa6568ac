"""An answer about to be written: what it says, what was asked, and the campaign.

The number in it stands for a choice, whose stable id is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.state import State
from arkham.rules.campaign.state.victory import Limit
from arkham.rules.finding import Citation, Finding
from arkham.rules.finding import gettext_noop as _


def with_choice(answer: Answer, pending: Pending | None) -> Answer:
    """The answer with the stable id of the choice it names by its number alone.

    The number only says where a choice stood when it was chosen; the id stays.
    """
    if answer.kind != "choice" or answer.choice or pending is None:
        return answer
    if (answer.scenario, answer.step) != (pending.scenario, pending.step):
        return answer
    ids = {offer.number: offer.id for offer in pending.offers}
    return answer._replace(choice=ids.get(answer.value, ""))


GUIDE = (Citation("Campaign Guide"),)


class Given(NamedTuple):
    """An answer, what was asked, and the campaign as it is.

    ``limits`` are those in the victory display of this table, ``unspent`` is the
    experience of those who may pay; where it is unknown nobody's is judged.
    """

    answer: Answer
    pending: Pending | None
    state: State
    limits: tuple[Limit, ...] = ()
    unspent: Mapping[str, int] = MappingProxyType({})

    @property
    def keys(self) -> tuple[str, ...]:
        """Whom or what the answer names, if it names anything."""
        value = self.answer.value
        return tuple(value) if isinstance(value, Mapping) else ()

    @property
    def fits(self) -> bool:
        """Whether it answers what is asked, in the form that is asked for."""
        return self.pending is not None and self.pending.is_answered_by(self.answer)


def not_offered(found: object, offered: Iterable[str], code: str = "") -> Finding:
    """What is said of a choice that cannot be had."""
    return Finding(
        _("This cannot be chosen now."),
        cards=(code,) if code else (),
        actual=str(found),
        expected=", ".join(offered),
    )


def out_of_bounds(
    number: int, least: int | None, most: int | None, code: str = ""
) -> Finding | None:
    """What is said of a number that is too low or too high; nothing else is."""
    if most is not None and number > most:
        told, bound = _("The number is too high: {number}, at most {bound}."), most
    elif least is not None and number < least:
        told, bound = _("The number is too low: {number}, at least {bound}."), least
    else:
        return None
    return Finding(
        told,
        cards=(code,) if code else (),
        actual=number,
        expected=bound,
        values=(("number", number), ("bound", bound)),
    )
