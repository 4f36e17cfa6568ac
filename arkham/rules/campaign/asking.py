"""The next question of a campaign, and an answer that is about to be given.

Each family in ``prompts`` defines what it asks and which answers it accepts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from arkham.rules.campaign.conditions import holds
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.state.answers import COUNTED, LISTED, Answer
from arkham.rules.campaign.state.lookup import Limit
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Citation, Finding
from arkham.rules.finding import gettext_noop as _

DISPLAY = "victory_display"  # the prompt for the victory display
# The prompt for a weakness that is chosen instead of drawn.
CHOSEN_WEAKNESS = "chosen_weakness"
GUIDE = (Citation("Campaign Guide"),)


class Offer(NamedTuple):
    """A choice that is available now, and the number by which it is recorded.

    A ``hidden`` one is not chosen directly: other steps of the guide lead to it.
    """

    number: int
    id: str
    hidden: bool = False


class Price(NamedTuple):
    """The price in experience of a ``choice``, or of each 1 of a number if it is "".

    A ``pool``, if there is one, pays first.
    """

    choice: str
    experience: int
    pool: str = ""


class Pending(NamedTuple):
    """The next question: its step, and the kind of answer it expects.

    - ``codes``: the investigators (or partners) it concerns
    - ``offers``: the choices; ``by_code``: those that differ by investigator
    - ``keys``: other things to answer for; in an upgrade, what is reported for each
      deck besides experience and trauma
    - ``least``, ``most``: limits of a number, or of how many are named (None: none);
      ``limits``: those of single items
    - ``each``: all of ``codes`` must answer; ``many``: how many things each names
    - ``once``: what no two may choose
    - ``others``: other cards may be named too; ``queries`` say of what kind
    - ``now``: the number that the answer is added to
    - ``worth``: the cards to expect in the victory display
    - ``costs``: a supply, its points, and whether it can be packed more than once
    - ``spends``: experience is spent now; ``prices``: what choices cost
    - ``random``: the guide leaves the choice to chance
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
        """The offers that are not hidden; all of them if there are no others."""
        return tuple(each for each in self.offers if not each.hidden) or self.offers

    @property
    def is_from_linked(self) -> bool:
        """Whether the linked campaign answers it instead of these players."""
        return self.kind == "campaign_link"

    @property
    def is_display(self) -> bool:
        """Whether it asks which cards are in the victory display."""
        return self.prompt == DISPLAY and self.kind == LISTED

    @property
    def is_upgrade(self) -> bool:
        """Whether it asks to bring decks up to date."""
        return self.prompt in ("upgrade_decks", "save_decks")

    @property
    def question(self) -> tuple[str, str, str]:
        """The key of the question, as in :attr:`Answer.question`."""
        return Answer(self.kind, self.scenario, self.step, None).question

    def is_answered_by(self, answer: Answer) -> bool:
        """Return whether an answer is for this question and of the expected kind.

        The victory display can also be answered with a number alone.
        """
        fits = answer.kind == self.kind or (self.is_display and answer.kind == COUNTED)
        return fits and answer.question == self.question


def offers_of(state: State, choices: Sequence[PromptChoice]) -> tuple[Offer, ...]:
    """Return the choices that are available now, numbered by their places."""
    shown = [choice for choice in choices if holds(state, choice.condition)]
    return tuple(
        Offer(number, choice.id, choice.hidden) for number, choice in enumerate(shown)
    )


def with_choice(answer: Answer, pending: Pending | None) -> Answer:
    """Return the answer with the stable id of the choice that its number means.

    The number is only the choice's place when it was chosen; the id stays the same.
    """
    if answer.kind != "choice" or answer.choice or pending is None:
        return answer
    if (answer.scenario, answer.step) != (pending.scenario, pending.step):
        return answer
    ids = {offer.number: offer.id for offer in pending.offers}
    return answer._replace(choice=ids.get(answer.value, ""))


class AnswerContext(NamedTuple):
    """An answer, the question it is for, and the campaign as it is now.

    ``limits`` are those of the victory display. ``unspent`` is the experience of those
    who may pay; if it is unknown, it is not checked. ``gone`` says, by title, what
    happened to investigators who no longer play.
    """

    answer: Answer
    pending: Pending | None
    state: State
    limits: tuple[Limit, ...] = ()
    unspent: Mapping[str, int] = MappingProxyType({})
    gone: Mapping[str, str] = MappingProxyType({})

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the answer's value (investigators, cards …), if it has any."""
        value = self.answer.value
        return tuple(value) if isinstance(value, Mapping) else ()

    @property
    def fits(self) -> bool:
        """Whether it answers the pending question with the expected kind."""
        return self.pending is not None and self.pending.is_answered_by(self.answer)


def not_offered(found: object, offered: Iterable[str], code: str = "") -> Finding:
    """Return the finding for a choice that is not available."""
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
    """Return the finding for a number, or a total, that is too low or high, or None."""
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
