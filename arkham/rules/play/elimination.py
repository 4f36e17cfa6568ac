"""What becomes of an eliminated investigator's cards and tokens, step by step?

Each step is a rule: what it finds is either to be done (advice) or to be asked of the
table (incomplete). A step that finds nothing asks nothing of anybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from arkham.rules.campaign.outcomes import Outcome, Reported, Trauma, trauma_of
from arkham.rules.finding import (
    Finding,
    Rule,
    Severity,
    faq,
    rule,
    rules_reference,
)
from arkham.rules.finding import gettext_noop as _

ELIMINATED = tuple(each for each in Outcome if each is not Outcome.SURVIVED)


class Setting(StrEnum):
    """Campaigns and scenarios that add something to an elimination."""

    ANY = ""
    BLOOD_ON_THE_ALTAR = "blood-on-the-altar"
    INNSMOUTH = "innsmouth"
    EDGE_OF_THE_EARTH = "edge-of-the-earth"
    SCARLET_KEYS = "scarlet-keys"


@dataclass(frozen=True, slots=True)
class Elimination:
    """An elimination as far as it was told; None is what nobody has said.

    ``clues`` and ``resources`` are those of the investigator; ``lead`` whether they
    were the lead; ``left`` how many investigators are still in the game; ``chosen``
    the trauma chosen by one defeated by damage and horror at once.
    """

    outcome: Outcome
    setting: Setting = Setting.ANY
    clues: int | None = None
    resources: int | None = None
    lead: bool | None = None
    left: int | None = None
    chosen: Trauma | None = None


class Step(NamedTuple):
    """A step of an elimination: its number, its rule, what is to be done or asked."""

    number: int
    rule: Rule[Elimination]
    findings: tuple[Finding, ...]

    @property
    def is_open(self) -> bool:
        """Whether something has to be told first."""
        return any(each.severity is Severity.INCOMPLETE for each in self.findings)


def _do(message: str, **values: str | int) -> Finding:
    return Finding(message, severity=Severity.ADVICE, values=tuple(values.items()))


def _ask(message: str) -> Finding:
    return Finding(message, severity=Severity.INCOMPLETE)


_STEP_0 = (faq("Rulebook Errata 1.0"),)
_PRINTED = (rules_reference("Elimination"),)


@rule("elimination.weaknesses", rows=("ELIM-02", "TRA-13"), cites=_STEP_0)
def weaknesses(elimination: Elimination) -> Iterator[Finding]:
    """For weaknesses the game has ended, and those in play act on it, then leave it."""
    yield _do(
        _(
            "Weaknesses they own in play: resolve what happens when the game ends, "
            "trauma included; then they leave the game."
        )
    )


@rule("elimination.cards", rows=("ELIM-03", "ELIM-11", "ELIM-13"), cites=_PRINTED)
def cards(elimination: Elimination) -> Iterator[Finding]:
    """Cards they control in play, their hand, deck and discard pile leave the game."""
    yield _do(_("Out of the game: cards they control in play, hand, deck, discards."))
    yield _do(_("Cards of theirs that another controls stay until they leave play."))
    if elimination.setting is Setting.EDGE_OF_THE_EARTH:
        if elimination.outcome is Outcome.RESIGNED:
            yield _do(
                _("Their partner leaves play undefeated; note its damage and horror.")
            )
        else:
            yield _do(_("Their partner is defeated too: cross it out of the team."))
    if elimination.setting is Setting.BLOOD_ON_THE_ALTAR:
        yield _do(_("Cards sacrificed or under the agenda deck stay where they are."))
    if elimination.setting is Setting.SCARLET_KEYS:
        yield _do(_("Key cards they bear are set aside and remain bound to them."))


@rule("elimination.tokens", rows=("ELIM-04", "ELIM-10"), cites=_PRINTED)
def tokens(elimination: Elimination) -> Iterator[Finding]:
    """Their clues go to the location where they were, their resources to the pool."""
    if elimination.clues is None:
        yield _do(_("All their clues go to the location where they were."))
    elif elimination.clues:
        yield _do(
            _("Clues that go to the location where they were: {clues}."),
            clues=elimination.clues,
        )
    if elimination.resources is None:
        yield _do(_("All their resources go to the pool."))
    elif elimination.resources:
        yield _do(
            _("Resources that go to the pool: {resources}."),
            resources=elimination.resources,
        )
    if elimination.setting is Setting.INNSMOUTH:
        yield _do(_("Key tokens they control go to that location."))


@rule("elimination.enemies", rows=("ELIM-05",), cites=_PRINTED)
def enemies(elimination: Elimination) -> Iterator[Finding]:
    """Enemies engaged with them stay at that location, unengaged, and as they were."""
    yield _do(_("Enemies engaged with them stay at that location, unengaged."))


@rule(
    "elimination.threats",
    rows=("ELIM-06", "CYC-PC4"),
    cites=(*_PRINTED, faq("1.22")),
)
def threats(elimination: Elimination) -> Iterator[Finding]:
    """Whatever else is in their threat area, and what is hidden in hand, is discarded.

    Hidden cards go to the encounter discard pile.
    """
    yield _do(_("Other cards in their threat area go each to its discard pile."))
    yield _do(_("Hidden cards from their hand go to the encounter discard pile."))


@rule("elimination.lead", rows=("ELIM-07",), cites=_PRINTED)
def lead(elimination: Elimination) -> Iterator[Finding]:
    """If it was the lead, the players who remain choose another one."""
    if elimination.left == 0 or elimination.lead is False:
        return
    if elimination.lead is None:
        yield _ask(_("Were they the lead investigator?"))
    else:
        yield _do(_("Those who remain choose a new lead investigator."))


@rule("elimination.end", rows=("ELIM-08", "ELIM-09"), cites=_PRINTED)
def end(elimination: Elimination) -> Iterator[Finding]:
    """With nobody left the scenario ends, and no resolution was reached."""
    if elimination.left is None:
        yield _ask(_("Is anybody else still in the game?"))
    elif elimination.left == 0:
        yield _do(_("The scenario ends: read what stands under no resolution."))
    else:
        yield _do(_("The game goes on; values per investigator stay as they were."))


# In the order of the rulebook: a step's number is its place.
ELIMINATION_STEPS: tuple[Rule[Elimination], ...] = (
    weaknesses, cards, tokens, enemies, threats, lead, end,
)  # fmt: skip


@rule(
    "elimination.trauma",
    rows=("TRA-01", "TRA-02", "TRA-03", "TRA-04", "TRA-12", "ELIM-14"),
    cites=(rules_reference("Trauma"), rules_reference("Resign")),
)
def trauma(elimination: Elimination) -> Iterator[Finding]:
    """In a campaign, a defeat by damage or by horror means a trauma of its kind."""
    if elimination.outcome is Outcome.BOTH and elimination.chosen is None:
        yield _ask(_("Physical or mental trauma has to be chosen."))
        return
    if elimination.outcome is Outcome.CARD:
        yield _do(_("No trauma but what the card gives."))
        return
    reported = Reported("", elimination.outcome, elimination.chosen)
    physical, mental = trauma_of(reported)
    if physical:
        yield _do(_("In a campaign: 1 physical trauma."))
    if mental:
        yield _do(_("In a campaign: 1 mental trauma."))
    if not physical + mental:
        yield _do(_("Who resigns is not defeated: no trauma."))


ELIMINATION_RULES: tuple[Rule[Elimination], ...] = (*ELIMINATION_STEPS, trauma)


def steps_of(elimination: Elimination) -> tuple[Step, ...]:
    """Steps 0 to 6 of an elimination, each with what is to be done or asked."""
    return tuple(
        Step(number, each, tuple(each(elimination)))
        for number, each in enumerate(ELIMINATION_STEPS)
    )
