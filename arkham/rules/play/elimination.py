"""The steps of an elimination: what happens to an investigator's cards and tokens.

A table has steps 0 to 6, and what single campaigns and cards add; the page for an
elimination shows its rows. What the log must know is asked at the end of the game. Each
step is also a rule: its findings are either things to do (advice) or questions to the
table (incomplete). A step without findings needs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from arkham.rules.campaign.state.lookup import GameOutcome, TraumaKind, trauma_of
from arkham.rules.finding import (
    Citation,
    Finding,
    Rule,
    Severity,
    faq,
    rule,
    rules_reference,
)
from arkham.rules.finding import gettext_noop as _
from arkham.rules.ultimatums import RETURNS

_ELIMINATION = (rules_reference("Elimination"),)


@dataclass(frozen=True, slots=True)
class EliminationStep:
    """One thing to do; ``number`` is the step it belongs to, ``rows`` the rule's rows.

    ``campaign`` is the guide it belongs to, "" for all. ``lead`` and ``last``: only for
    the lead investigator, or the last one in the game; ``defeat`` and ``resigned``:
    only after one of these.
    """

    number: int
    sentence: str
    rows: tuple[str, ...]
    cites: tuple[Citation, ...] = _ELIMINATION
    campaign: str = ""
    lead: bool = False
    last: bool = False
    defeat: bool = False
    resigned: bool = False


STEPS: tuple[EliminationStep, ...] = (
    EliminationStep(
        0,
        _(
            "Resolve any end-of-game effects of weaknesses they own in play, then "
            "remove those weaknesses."
        ),
        ("ELIM-02", "TRA-13", "WEAK-16"),
        (faq("Rules Reference: Elimination"),),
    ),
    EliminationStep(
        1,
        _(
            "Remove the cards they control in play, and their cards out of play. "
            "Their cards that other investigators control stay until they leave play, "
            "then remove them."
        ),
        ("ELIM-03",),
    ),
    EliminationStep(
        1,
        _("Cards they own in the sacrifice pile stay there."),
        ("ELIM-13",),
        (faq("Frequently Asked Questions: The Dunwich Legacy"),),
        "dwl",
    ),
    EliminationStep(
        2,
        _(
            "Place their clues at their location and return their resources to the "
            "token pool."
        ),
        ("ELIM-04",),
    ),
    EliminationStep(
        2,
        _("Place key tokens they control at their location."),
        ("ELIM-10",),
        (rules_reference("Keys"),),
        "tic",
    ),
    EliminationStep(
        3,
        _("Enemies engaged with them stay at that location, unengaged."),
        ("ELIM-05",),
    ),
    EliminationStep(
        4,
        _("Discard other cards in their threat area, and hidden cards in their hand."),
        ("ELIM-06",),
        (*_ELIMINATION, faq("1.22 Elimination")),
    ),
    EliminationStep(
        4,
        _("Their partner is defeated with them."),
        ("ELIM-11",),
        (rules_reference("Partner"),),
        "eoe",
        defeat=True,
    ),
    EliminationStep(
        4,
        _("Their partner leaves undefeated; note its damage and horror."),
        ("ELIM-11",),
        (rules_reference("Partner"),),
        "eoe",
        resigned=True,
    ),
    EliminationStep(
        4,
        _("Set aside any key they hold; it stays bound to them."),
        ("ELIM-12",),
        (rules_reference("Keys"),),
        "tskc",
    ),
    EliminationStep(
        5, _("The others choose a new lead investigator."), ("ELIM-07",), lead=True
    ),
    EliminationStep(
        6,
        _("No investigators are left: the scenario ends with no resolution reached."),
        ("ELIM-08",),
        last=True,
    ),
)


class Leaving(NamedTuple):
    """An elimination: its outcome, other investigators left, lead or not, campaign."""

    outcome: GameOutcome
    others: int
    is_lead: bool = False
    campaign: str = ""


def table_of_steps(leaving: Leaving) -> tuple[EliminationStep, ...]:
    """The steps to follow, in order; none if the investigator survived (ELIM-01)."""
    if leaving.outcome is GameOutcome.SURVIVED:
        return ()
    campaign = leaving.campaign.removeprefix(RETURNS)
    return tuple(
        step
        for step in STEPS
        if step.campaign in ("", campaign)
        and ((leaving.is_lead and leaving.others) or not step.lead)
        and (not leaving.others or not step.last)
        and (leaving.outcome.is_defeat or not step.defeat)
        and (not leaving.outcome.is_defeat or not step.resigned)
    )


ELIMINATED = tuple(each for each in GameOutcome if each is not GameOutcome.SURVIVED)


class Setting(StrEnum):
    """Campaigns that add something to an elimination, by the ids of their guides."""

    ANY = ""
    DUNWICH = "dwl"
    INNSMOUTH = "tic"
    EDGE_OF_THE_EARTH = "eoe"
    SCARLET_KEYS = "tskc"


@dataclass(frozen=True, slots=True)
class Elimination:
    """An elimination as far as it is known; None means unknown.

    ``clues`` and ``resources`` are the investigator's; ``lead`` is whether they were
    the lead; ``left`` how many investigators are still in the game; ``chosen`` the
    trauma chosen if they were defeated by damage and horror at once.
    """

    outcome: GameOutcome
    setting: Setting = Setting.ANY
    clues: int | None = None
    resources: int | None = None
    lead: bool | None = None
    left: int | None = None
    chosen: TraumaKind | None = None


class Step(NamedTuple):
    """A step of an elimination: its number, its rule, and things to do or ask."""

    number: int
    rule: Rule[Elimination]
    findings: tuple[Finding, ...]

    @property
    def is_open(self) -> bool:
        """True if a question must be answered first."""
        return any(each.severity is Severity.INCOMPLETE for each in self.findings)


def _do(message: str, **values: str | int) -> Finding:
    return Finding(message, severity=Severity.ADVICE, values=tuple(values.items()))


def _ask(message: str) -> Finding:
    return Finding(message, severity=Severity.INCOMPLETE)


def _done(elimination: Elimination, number: int) -> Iterator[Finding]:
    """Yield what to do at a step, from the table of steps; each with its own source."""
    leaving = Leaving(
        elimination.outcome,
        1 if elimination.left is None else elimination.left,
        elimination.lead is True,
        elimination.setting,
    )
    for step in table_of_steps(leaving):
        if step.number == number:
            yield _do(step.sentence)._replace(cites=step.cites)


_PRINTED = (rules_reference("Elimination"),)


@rule(
    "elimination.weaknesses",
    rows=("ELIM-02", "TRA-13"),
    cites=(faq("Rules Reference: Elimination"),),
)
def weaknesses(elimination: Elimination) -> Iterator[Finding]:
    """Their weaknesses in play resolve as if the game had ended, then leave play."""
    yield from _done(elimination, 0)


@rule("elimination.cards", rows=("ELIM-03", "ELIM-13"), cites=_PRINTED)
def cards(elimination: Elimination) -> Iterator[Finding]:
    """Cards they control in play, their hand, deck and discard pile leave the game."""
    yield from _done(elimination, 1)


@rule("elimination.tokens", rows=("ELIM-04", "ELIM-10"), cites=_PRINTED)
def tokens(elimination: Elimination) -> Iterator[Finding]:
    """Their clues go to the location where they were, their resources to the pool."""
    yield from _done(elimination, 2)
    if elimination.clues:
        yield _do(_("Clues: {clues}."), clues=elimination.clues)
    if elimination.resources:
        yield _do(_("Resources: {resources}."), resources=elimination.resources)


@rule("elimination.enemies", rows=("ELIM-05",), cites=_PRINTED)
def enemies(elimination: Elimination) -> Iterator[Finding]:
    """Enemies engaged with them stay there, unengaged but otherwise unchanged."""
    yield from _done(elimination, 3)


@rule(
    "elimination.threats",
    rows=("ELIM-06", "ELIM-11", "ELIM-12"),
    cites=(*_PRINTED, faq("1.22 Elimination")),
)
def threats(elimination: Elimination) -> Iterator[Finding]:
    """Everything else in their threat area and hidden cards in hand are discarded.

    A partner leaves, and key cards are set aside.
    """
    yield from _done(elimination, 4)


@rule("elimination.lead", rows=("ELIM-07",), cites=_PRINTED)
def lead(elimination: Elimination) -> Iterator[Finding]:
    """If the lead investigator was eliminated, the remaining players choose a new
    one."""
    if elimination.lead is None and elimination.left != 0:
        yield _ask(_("Were they the lead investigator?"))
    yield from _done(elimination, 5)


@rule("elimination.end", rows=("ELIM-08", "ELIM-09"), cites=_PRINTED)
def end(elimination: Elimination) -> Iterator[Finding]:
    """If no investigators are left, the scenario ends with no resolution reached."""
    if elimination.left is None:
        yield _ask(_("Are other investigators still in the game?"))
    elif elimination.left:
        yield _do(_("The game goes on; values per investigator stay the same."))
    yield from _done(elimination, 6)


# In the order of the rulebook: a step's number is its index.
ELIMINATION_STEPS: tuple[Rule[Elimination], ...] = (
    weaknesses, cards, tokens, enemies, threats, lead, end,
)  # fmt: skip


@rule(
    "elimination.trauma",
    rows=("TRA-01", "TRA-02", "TRA-03", "TRA-04", "TRA-12", "ELIM-14"),
    cites=(rules_reference("Trauma"), rules_reference("Resign")),
)
def trauma(elimination: Elimination) -> Iterator[Finding]:
    """In a campaign, defeat by damage or horror causes 1 physical or mental trauma."""
    if elimination.outcome is GameOutcome.BOTH and elimination.chosen is None:
        yield _ask(_("Choose physical or mental trauma."))
        return
    if elimination.outcome is GameOutcome.CARD:
        yield _do(_("No trauma except what the card gives."))
        return
    match trauma_of(elimination.outcome, elimination.chosen):
        case TraumaKind.PHYSICAL:
            yield _do(_("In a campaign: 1 physical trauma."))
        case TraumaKind.MENTAL:
            yield _do(_("In a campaign: 1 mental trauma."))
        case None:
            yield _do(_("An investigator who resigns isn’t defeated: no trauma."))


ELIMINATION_RULES: tuple[Rule[Elimination], ...] = (*ELIMINATION_STEPS, trauma)


def steps_of(elimination: Elimination) -> tuple[Step, ...]:
    """Steps 0 to 6 of an elimination, each with things to do or ask."""
    return tuple(
        Step(number, each, tuple(each(elimination)))
        for number, each in enumerate(ELIMINATION_STEPS)
    )
