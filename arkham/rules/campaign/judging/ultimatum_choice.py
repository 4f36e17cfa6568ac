"""Judges whether an ultimatum may be chosen, drawn or dropped.

Entries are judged before they are added to the log. Ultimatums stay to the end;
dropping one chosen by mistake needs a reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import (
    Entry,
    Retracted,
    UltimatumChosen,
    UltimatumDropped,
)
from arkham.rules.campaign.state.state import State
from arkham.rules.draws.record import DrawRecord, Purpose, draw, replayed
from arkham.rules.finding import Finding, Remedy, Rule, Severity, faq, rule
from arkham.rules.finding import gettext_noop as _
from arkham.rules.ultimatums import (
    ALL,
    ULTIMATUMS,
    Touch,
    UltimatumEffect,
    belongs,
    causing,
    under,
)

_FRAME = (faq("Ultimatums and Boons"),)
EASY = frozenset({"easy", "standard"})  # where the hard side makes a difference
# They change decks after a game; the group decides whether to include them (ULT-50).
AFTER_PLAY = tuple(
    row.id
    for row in causing(
        UltimatumEffect.LOSES_ALLIES, UltimatumEffect.WEAKNESS_FOR_DEFEAT
    )
)


class UltimatumChoice(NamedTuple):
    """An entry about ultimatums, the campaign as it is, and the log so far."""

    entry: UltimatumChosen | Retracted | UltimatumDropped
    state: State
    log: tuple[Entry, ...] = ()

    @property
    def chosen(self) -> UltimatumChosen | None:
        """The ultimatum that is chosen or dropped."""
        if isinstance(self.entry, UltimatumChosen):
            return self.entry
        target = self.entry.target
        found = (each for each in self.log if each.sequence == target)
        return next((each for each in found if isinstance(each, UltimatumChosen)), None)


def may_be_drawn(state: State, also: Iterable[str] = ()) -> tuple[str, ...]:
    """Return what the Ultimatum of Ultimatums may draw for the next game (ULT-50).

    Ultimatums that affect deckbuilding or the bag, and those already in effect, are
    left out; ``also`` are those of :data:`AFTER_PLAY` that the group includes.
    """
    left_out = set(AFTER_PLAY).difference(also)
    # One drawn for an earlier game may be drawn again.
    left_out.update(each for each, game in state.ultimatums.items() if not game)
    if state.difficulty and state.difficulty not in EASY:
        left_out.update(row.id for row in causing(UltimatumEffect.HARD_SIDE))
    return tuple(
        row.id
        for row in ULTIMATUMS.values()
        if not row.builds and row.id not in left_out
    )


def draw_ultimatum(state: State, seed: str, also: Iterable[str] = ()) -> DrawRecord:
    """Draw an ultimatum for the next game, recorded so that anyone can verify it."""
    pool = may_be_drawn(state, also)
    return draw(Purpose.ULTIMATUM, seed, dict.fromkeys(pool, 1))


def is_due(state: State, scenario: str) -> bool:
    """Return whether one still has to be drawn before this game (ULT-16).

    Interludes need none.
    """
    ultimatums = state.ultimatums
    is_drawn = bool(under(ultimatums, UltimatumEffect.DRAWN_BEFORE_GAMES))
    return (
        is_drawn
        and scenario not in ultimatums.values()
        and state.guide.is_game(scenario)
    )


# -- the rules --


@rule("oath.known", rows=("ULT-00a",), cites=_FRAME)
def is_known(choice: UltimatumChoice) -> Iterator[Finding]:
    """An ultimatum is one of the printed ones, or one your table named."""
    entry = choice.entry
    if not isinstance(entry, UltimatumChosen):
        return
    if entry.ultimatum in ALL or entry.name.strip():
        return
    yield Finding(
        _("What is this ultimatum called?"),
        Severity.INCOMPLETE,
        actual=entry.ultimatum,
        remedy=Remedy("choose", values=tuple(ALL)),
    )


@rule("oath.once", rows=("ULT-00a",), cites=_FRAME)
def is_new(choice: UltimatumChoice) -> Iterator[Finding]:
    """You can combine any number of ultimatums, each of them once."""
    entry = choice.entry
    if not isinstance(entry, UltimatumChosen):
        return
    if choice.state.ultimatums.get(entry.ultimatum) in ("", entry.scenario):
        yield Finding(_("This is already in use."), actual=entry.ultimatum)


@rule("oath.campaign-only", rows=("ULT-00b", "STAND-13"), cites=_FRAME)
def is_for_this_mode(choice: UltimatumChoice) -> Iterator[Finding]:
    """You can't choose an ultimatum marked for campaigns in a standalone game."""
    entry = choice.entry
    row = ALL.get(entry.ultimatum) if isinstance(entry, UltimatumChosen) else None
    if row is not None and row.campaign_only and choice.state.is_single:
        yield Finding(
            _("{name} is for campaigns only."),
            actual=row.id,
            expected="campaign",
            values=(("name", row.name),),
        )


@rule("oath.place", rows=("ULT-00c",), cites=(faq("Refractions"),))
def is_of_this_campaign(choice: UltimatumChoice) -> Iterator[Finding]:
    """You can choose a refraction only for the campaign or scenario it belongs to."""
    entry, state = choice.entry, choice.state
    row = ALL.get(entry.ultimatum) if isinstance(entry, UltimatumChosen) else None
    alone = ""
    if state.is_single and isinstance(entry, UltimatumChosen):
        alone = state.simulated or entry.scenario
    if row is not None and not belongs(row, state.guide.id, alone):
        yield Finding(
            _("{name} belongs to another campaign."),
            actual=choice.state.guide.id,
            expected=row.campaign,
            values=(("name", row.name),),
        )


@rule(
    "oath.difficulty",
    rows=("ULT-19", "TEST-17"),
    cites=(faq("Ultimatum of Malevolence"),),
)
def suits_the_difficulty(choice: UltimatumChoice) -> Iterator[Finding]:
    """Malevolence is for Easy and Standard; Hard and Expert use that side anyway."""
    entry, difficulty = choice.entry, choice.state.difficulty
    if not isinstance(entry, UltimatumChosen):
        return
    if not under((entry.ultimatum,), UltimatumEffect.HARD_SIDE):
        return
    if difficulty and difficulty not in EASY:
        yield Finding(
            _("This makes no difference at this difficulty."),
            Severity.ADVICE,
            actual=difficulty,
            expected="standard",
        )


@rule("oath.at-the-start", rows=("ULT-00a", "CAMP-28", "SRC-11"), cites=_FRAME)
def is_at_the_start(choice: UltimatumChoice) -> Iterator[Finding]:
    """The whole group chooses ultimatums before the campaign begins."""
    entry, state = choice.entry, choice.state
    if not isinstance(entry, UltimatumChosen) or entry.record is not None:
        return
    if entry.scenario != SETUP and not state.is_single:
        yield Finding(
            _(
                "The campaign has already begun: this no longer changes deckbuilding "
                "or setup."
            ),
            Severity.ADVICE,
            actual=entry.scenario,
            expected=SETUP,
        )


@rule("oath.permanent", rows=("ULT-00a", "CAMP-28"), cites=_FRAME)
def is_permanent(choice: UltimatumChoice) -> Iterator[Finding]:
    """An ultimatum stays to the end of the campaign; to correct a mistake, give the
    reason."""
    entry = choice.entry
    if isinstance(entry, UltimatumChosen) or choice.chosen is None:
        return
    if isinstance(entry, UltimatumDropped) and entry.reason.strip():
        return
    yield Finding(
        _("This stays until the end of the campaign."),
        actual=choice.chosen.ultimatum,
        remedy=Remedy("record"),
        remedy_text=_("If you recorded it by mistake, give the reason."),
    )


@rule("oath.drawn", rows=("ULT-16", "ULT-50"), cites=(faq("Ultimatum of Ultimatums"),))
def is_drawn_well(choice: UltimatumChoice) -> Iterator[Finding]:
    """Before each game you draw one at random that doesn't affect deckbuilding."""
    entry, state = choice.entry, choice.state
    if not isinstance(entry, UltimatumChosen) or entry.record is None:
        return
    if not under(state.ultimatums, UltimatumEffect.DRAWN_BEFORE_GAMES):
        yield Finding(
            _("You draw one only with the Ultimatum of Ultimatums."),
            actual=entry.ultimatum,
        )
    if not state.guide.is_game(entry.scenario):
        yield Finding(
            _("This isn’t a scenario. You draw one before the next scenario."),
            actual=entry.scenario,
        )
    if entry.scenario in state.ultimatums.values():
        yield Finding(
            _("You have already drawn one for this scenario."), actual=entry.scenario
        )
    yield from _checked(entry, entry.record, state)


def _checked(
    entry: UltimatumChosen, record: Mapping[str, Any], state: State
) -> Iterator[Finding]:
    """Yield what is wrong with a draw's record: unreadable, wrong pool or result."""
    try:
        drawn = DrawRecord.from_data(record)
    except (KeyError, TypeError, ValueError):
        yield Finding(_("This isn’t the record of a draw."), actual=entry.ultimatum)
        return
    pool = {name for name, copies in drawn.pool if copies == 1}
    least, most = may_be_drawn(state), may_be_drawn(state, AFTER_PLAY)
    if not (set(least) <= pool <= set(most) and len(pool) == len(drawn.pool)):
        yield Finding(
            _("This can’t be drawn here."),
            actual=", ".join(sorted(pool)),
            expected=", ".join(least),
        )
        return
    again = replayed(drawn)
    if again != drawn or drawn.result != (entry.ultimatum,):
        yield Finding(
            _("This seed gives {expected}."),
            actual=entry.ultimatum,
            expected=", ".join(again.result),
            values=(("expected", ", ".join(again.result)),),
        )


ULTIMATUM_CHOICE_RULES: tuple[Rule[UltimatumChoice], ...] = (
    is_known,
    is_new,
    is_for_this_mode,
    is_of_this_campaign,
    suits_the_difficulty,
    is_at_the_start,
    is_permanent,
    is_drawn_well,
)


def findings_of(choice: UltimatumChoice) -> tuple[Finding, ...]:
    """Return all findings against an entry about ultimatums."""
    return tuple(finding for each in ULTIMATUM_CHOICE_RULES for finding in each(choice))


def for_decks(state: State) -> frozenset[str]:
    """Return the ultimatums in effect that deck lists are judged under."""
    return frozenset(
        each
        for each in state.ultimatums
        if each in ULTIMATUMS
        and {Touch.DECKS, Touch.WEAKNESSES}.intersection(ULTIMATUMS[each].touches)
    )
