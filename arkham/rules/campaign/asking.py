"""What a campaign asks next, and an answer about to be given to it.

The families of prompts say what each asks and which answers it takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from arkham.rules.campaign.conditions import holds
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.state.answers import COUNTED, LISTED, Answer
from arkham.rules.campaign.state.outcomes import Limit
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Citation, Finding
from arkham.rules.finding import gettext_noop as _

DISPLAY = "victory_display"  # what a prompt is called that asks for it
# What the prompt of a weakness is called that is chosen, not drawn.
CHOSEN_WEAKNESS = "chosen_weakness"
GUIDE = (Citation("Campaign Guide"),)


class Offer(NamedTuple):
    """A choice that can be had now, and the number it is recorded by.

    A ``hidden`` one is never chosen by itself: other steps of the guide lead there.
    """

    number: int
    id: str
    hidden: bool = False


class Price(NamedTuple):
    """What a choice costs its maker, or each one that is named, if it is "".

    What lies in the ``pool`` pays first.
    """

    choice: str
    experience: int
    pool: str = ""


class Pending(NamedTuple):
    """What is asked next: which step, answered by which kind of record.

    ``codes`` are the investigators (or partners) it concerns; ``offers`` what can be
    chosen, ``by_code`` where that differs from one investigator to the next;
    ``keys`` what is to be answered for where that is no investigator, of an upgrade
    what is reported of each deck beside experience and trauma; ``others`` says
    that other cards, which nobody can list, may be named as well. ``least`` and
    ``most`` limit a number, or how many are to be named; None is no limit. ``each``
    says that every one of ``codes`` has to answer, ``many`` how many things each of
    them names, ``once`` what no two may choose. ``limits`` are the least and the most
    for single ones where they differ. ``now`` is the number as it stands, where one is
    added to. ``worth`` are the cards that can be expected in the victory display.
    ``costs`` is what is packed: its points, and whether more than once. ``queries`` say
    of what kind those other cards are. ``spends`` says that experience is spent while
    it is asked, ``prices`` what it costs to choose something. ``random`` says
    that the guide leaves the choice to chance.
    """

    scenario: str
    step: str
    kind: str
    prompt: str
    codes: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    by_code: tuple[tuple[str, tuple[str, ...]], ...] = ()
    keys: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    each: bool = False
    traits: tuple[str, ...] = ()
    worth: tuple[to.Worth, ...] = ()
    others: bool = False
    now: int | None = None
    many: int = 1
    once: tuple[str, ...] = ()
    limits: tuple[tuple[str, int, int | None], ...] = ()
    costs: tuple[tuple[str, int, bool], ...] = ()
    queries: tuple[to.CardQuery, ...] = ()
    spends: bool = False
    prices: tuple[Price, ...] = ()
    random: bool = False

    @property
    def open_offers(self) -> tuple[Offer, ...]:
        """The offers that are not hidden; all of them where there is no other."""
        return tuple(each for each in self.offers if not each.hidden) or self.offers

    @property
    def is_from_linked(self) -> bool:
        """Whether the linked campaign answers it, not this table."""
        return self.kind == "campaign_link"

    @property
    def is_display(self) -> bool:
        """Whether it asks which cards lie in the victory display."""
        return self.prompt == DISPLAY and self.kind == LISTED

    @property
    def is_upgrade(self) -> bool:
        """Whether decks are brought up to date."""
        return self.prompt in ("upgrade_decks", "save_decks")

    @property
    def question(self) -> tuple[str, str, str]:
        """What is asked, as the answers to it have it."""
        return Answer(self.kind, self.scenario, self.step, None).question

    def is_answered_by(self, answer: Answer) -> bool:
        """Whether an answer is to this question, in a form that is asked for.

        What the victory display is worth can be answered as a number alone.
        """
        fits = answer.kind == self.kind or (self.is_display and answer.kind == COUNTED)
        return fits and answer.question == self.question


def offers_of(state: State, choices: Sequence[PromptChoice]) -> tuple[Offer, ...]:
    """Those of the choices that can be had now, by their places among them."""
    shown = [choice for choice in choices if holds(state, choice.condition)]
    return tuple(
        Offer(number, choice.id, choice.hidden) for number, choice in enumerate(shown)
    )


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


class Given(NamedTuple):
    """An answer, what was asked, and the campaign as it is.

    ``limits`` are those in the victory display of this table, ``unspent`` is the
    experience of those who may pay; where it is unknown none of it is judged. ``gone``
    says of those who play no more, by title, what became of them.
    """

    answer: Answer
    pending: Pending | None
    state: State
    limits: tuple[Limit, ...] = ()
    unspent: Mapping[str, int] = MappingProxyType({})
    gone: Mapping[str, str] = MappingProxyType({})

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
    """The finding on a choice that cannot be had."""
    return Finding(
        _("You can’t choose this now."),
        cards=(code,) if code else (),
        actual=str(found),
        expected=", ".join(offered),
    )


TOO_HIGH = _("The number is too high: {number}, at most {bound}.")
TOO_LOW = _("The number is too low: {number}, at least {bound}.")
TOTAL_TOO_HIGH = _("The total is too high: {number}, at most {bound}.")
TOTAL_TOO_LOW = _("The total is too low: {number}, at least {bound}.")


def out_of_bounds(
    number: int,
    least: int | None,
    most: int | None,
    code: str = "",
    *,
    is_total: bool = False,
) -> Finding | None:
    """The finding on a number, or on a total of several, that is too low or high."""
    if most is not None and number > most:
        message, bound = TOTAL_TOO_HIGH if is_total else TOO_HIGH, most
    elif least is not None and number < least:
        message, bound = TOTAL_TOO_LOW if is_total else TOO_LOW, least
    else:
        return None
    return Finding(
        message,
        cards=(code,) if code else (),
        actual=number,
        expected=bound,
        values=(("number", number), ("bound", bound)),
    )
