"""How did a game end for each investigator, and what follows by the rulebook alone?

For campaigns kept by hand, and wherever no guide says otherwise: trauma of a defeat,
fates by printed values, experience from the victory display.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from arkham.rules.campaign.applying_sworn import PERSEPHONE
from arkham.rules.campaign.settlement import Fate
from arkham.rules.campaign.state import Printed
from arkham.rules.campaign.victory import worth_of
from arkham.rules.finding import (
    Finding,
    Remedy,
    Rule,
    Severity,
    faq,
    rule,
    rules_reference,
)
from arkham.rules.finding import gettext_noop as _


class Outcome(StrEnum):
    """How the game ended for an investigator (ELIM-14)."""

    SURVIVED = "survived"
    RESIGNED = "resigned"
    DAMAGE = "defeated_by_damage"
    HORROR = "defeated_by_horror"
    BOTH = "defeated_by_both"
    CARD = "defeated_by_card"

    @property
    def is_defeat(self) -> bool:
        """Whether it is a defeat: resigning is none (TRA-04)."""
        return self not in (Outcome.SURVIVED, Outcome.RESIGNED)


class Trauma(StrEnum):
    """The two kinds of trauma."""

    PHYSICAL = "physical"
    MENTAL = "mental"


class Standing(NamedTuple):
    """An investigator as the game began."""

    physical: int = 0
    mental: int = 0
    experience: int = 0
    fate: Fate = Fate.ALIVE


class Reported(NamedTuple):
    """What the table reports of one investigator.

    ``chosen`` is the trauma chosen by one defeated by damage and horror at once;
    ``physical`` and ``mental`` what cards or the resolution give besides, ``bonus``
    what the resolution gives or takes of experience; ``fate`` if a card or the
    resolution decides it. ``prevented`` is the trauma suffered for a defeat that the
    Boon of Osiris prevented.
    """

    code: str
    outcome: Outcome
    chosen: Trauma | None = None
    physical: int = 0
    mental: int = 0
    bonus: int = 0
    fate: Fate = Fate.ALIVE
    prevented: Trauma | None = None


class Ending(NamedTuple):
    """How a game ended: for each, with which victory display.

    ``victory`` are the cards there with their printed values; ``corrected`` is the
    total the table says there was, with its reason, where it is another. ``replayed``
    says that the resolution orders the scenario to be played again.
    """

    reported: tuple[Reported, ...]
    before: Mapping[str, Standing]
    printed: Mapping[str, Printed]
    victory: tuple[tuple[str, int], ...] = ()
    corrected: tuple[int, str] | None = None
    bonus: int = 0
    replayed: bool = False
    ultimatums: frozenset[str] = frozenset()  # those in force in this game


def victory_points(ending: Ending) -> int:
    """The worth of the victory display, or what the table says it was (VIC-09)."""
    if ending.corrected is not None:
        return ending.corrected[0]
    return worth_of(value for _card, value in ending.victory)


def experience_of(ending: Ending, each: Reported) -> int:
    """What an investigator earns: the full display and the bonuses (XP-02, XP-29).

    Nothing for a game that is to be played again (XP-20), nor for the killed and the
    insane, nor for anybody under Induction (XP-25); more for a defeat under Persephone
    (XP-26).
    """
    if "induction" in ending.ultimatums:
        return 0
    if ending.replayed or fate_of(ending, each) is not Fate.ALIVE:
        return 0
    paid = victory_points(ending) + ending.bonus + each.bonus
    if "persephone" in ending.ultimatums and each.outcome.is_defeat:
        paid += PERSEPHONE
    return paid


def trauma_of(each: Reported) -> tuple[int, int]:
    """Physical and mental trauma: of the defeat, and of cards (TRA-01 … TRA-04).

    Under the Boon of Osiris there is also that of the defeat it prevented (TRA-16).
    """
    physical, mental = each.physical, each.mental
    physical += each.prevented is Trauma.PHYSICAL
    mental += each.prevented is Trauma.MENTAL
    match each.outcome:
        case Outcome.DAMAGE:
            physical += 1
        case Outcome.HORROR:
            mental += 1
        case Outcome.BOTH if each.chosen is Trauma.PHYSICAL:
            physical += 1
        case Outcome.BOTH if each.chosen is Trauma.MENTAL:
            mental += 1
    return physical, mental


def fate_of(ending: Ending, each: Reported) -> Fate:
    """What becomes of an investigator, by printed health and sanity (TRA-06)."""
    standing = ending.before.get(each.code, Standing())
    for fate in (standing.fate, each.fate):
        if fate is not Fate.ALIVE:
            return fate
    if "finality" in ending.ultimatums:
        end = _ends(each)
        if end is not Fate.ALIVE:
            return end
    printed = ending.printed.get(each.code)
    if printed is None:
        return Fate.ALIVE
    physical, mental = trauma_of(each)
    if standing.physical + physical >= printed.health:
        return Fate.KILLED
    if standing.mental + mental >= printed.sanity:
        return Fate.DRIVEN_INSANE
    return Fate.ALIVE


def _ends(each: Reported) -> Fate:
    """What a defeat comes to under Finality (TRA-14); of both, the one chosen."""
    if each.outcome is Outcome.DAMAGE or (
        each.outcome is Outcome.BOTH and each.chosen is Trauma.PHYSICAL
    ):
        return Fate.KILLED
    if each.outcome is Outcome.HORROR or (
        each.outcome is Outcome.BOTH and each.chosen is Trauma.MENTAL
    ):
        return Fate.DRIVEN_INSANE
    return Fate.ALIVE


def standings(ending: Ending) -> dict[str, Standing]:
    """Everybody after the game."""
    found = dict(ending.before)
    for each in ending.reported:
        before = found.get(each.code, Standing())
        physical, mental = trauma_of(each)
        found[each.code] = Standing(
            max(before.physical + physical, 0),
            max(before.mental + mental, 0),
            before.experience + experience_of(ending, each),
            fate_of(ending, each),
        )
    return found


@rule("ending.osiris", rows=("TRA-16", "ULT-26"), cites=(faq("Boon of Osiris"),))
def prevented_by_osiris(ending: Ending) -> Iterator[Finding]:
    """A defeat is prevented, its trauma suffered, only under the Boon of Osiris."""
    for each in ending.reported:
        if each.prevented is not None and "osiris" not in ending.ultimatums:
            yield Finding(
                _("Nothing prevents a defeat in this campaign."), cards=(each.code,)
            )


@rule("ending.choice-of-trauma", rows=("TRA-02",), cites=(rules_reference("Trauma"),))
def trauma_is_chosen(ending: Ending) -> Iterator[Finding]:
    """Who is defeated by damage and horror at once chooses one trauma."""
    for each in ending.reported:
        if each.outcome is Outcome.BOTH and each.chosen is None:
            yield Finding(
                _("Physical or mental trauma has to be chosen."),
                Severity.INCOMPLETE,
                cards=(each.code,),
                remedy=Remedy("choose", values=tuple(Trauma)),
            )


@rule("ending.gone", rows=("TRA-08", "LOG-08"), cites=(rules_reference("Trauma"),))
def nobody_is_gone(ending: Ending) -> Iterator[Finding]:
    """Who was killed or driven insane plays no more in that campaign."""
    for each in ending.reported:
        fate = ending.before.get(each.code, Standing()).fate
        if fate is not Fate.ALIVE:
            yield Finding(
                _("This investigator cannot have played."),
                cards=(each.code,),
                actual=fate.value,
                expected=Fate.ALIVE.value,
            )


@rule("ending.once", rows=("ELIM-14",), cites=(rules_reference("Elimination"),))
def each_ends_once(ending: Ending) -> Iterator[Finding]:
    """A game ends once for each investigator."""
    codes = [each.code for each in ending.reported]
    for code in dict.fromkeys(codes):
        if codes.count(code) > 1:
            yield Finding(
                _("This investigator is reported more than once."),
                cards=(code,),
                actual=codes.count(code),
                expected=1,
            )


@rule(
    "ending.values-known",
    rows=("TRA-06",),
    cites=(rules_reference("Trauma"),),
)
def values_are_known(ending: Ending) -> Iterator[Finding]:
    """Printed health and sanity decide when trauma kills or drives insane."""
    for each in ending.reported:
        if each.code not in ending.printed:
            yield Finding(
                _("Nobody knows the health and sanity of this investigator."),
                Severity.ADVICE,
                cards=(each.code,),
            )


@rule("ending.reason", rows=("VIC-09",), cites=(rules_reference("Victory Display"),))
def correction_has_a_reason(ending: Ending) -> Iterator[Finding]:
    """A total other than that of the cards in the display is given with its reason."""
    if ending.corrected is None or ending.corrected[1].strip():
        return
    total = worth_of(value for _card, value in ending.victory)
    if ending.corrected[0] != total:
        yield Finding(
            _("Why are there {found} victory points, and not {total}?"),
            Severity.INCOMPLETE,
            actual=ending.corrected[0],
            expected=total,
            values=(("found", ending.corrected[0]), ("total", total)),
        )


@rule(
    "ending.replayed",
    rows=("XP-20",),
    cites=(faq("Frequently Asked Questions: The Forgotten Age"),),
)
def a_replay_pays_nothing(ending: Ending) -> Iterator[Finding]:
    """A game whose resolution orders a replay pays no experience."""
    if ending.replayed and (victory_points(ending) or ending.bonus):
        yield Finding(
            _("No experience is earned: the scenario is played again."),
            Severity.ADVICE,
            actual=victory_points(ending) + ending.bonus,
            expected=0,
        )


@rule(
    "ending.defeat",
    rows=("TRA-03", "TRA-04"),
    cites=(rules_reference("Defeat by Card Ability"),),
)
def card_says_what_it_gives(ending: Ending) -> Iterator[Finding]:
    """A defeat by a card gives no trauma of its own; the card says what it gives."""
    for each in ending.reported:
        if each.outcome is Outcome.CARD and not (
            each.physical or each.mental or each.fate is not Fate.ALIVE
        ):
            yield Finding(
                _("Does the card that defeated this investigator give trauma?"),
                Severity.ADVICE,
                cards=(each.code,),
            )


ENDING_RULES: tuple[Rule[Ending], ...] = (
    each_ends_once,
    nobody_is_gone,
    trauma_is_chosen,
    prevented_by_osiris,
    values_are_known,
    card_says_what_it_gives,
    correction_has_a_reason,
    a_replay_pays_nothing,
)


def findings_of(ending: Ending) -> tuple[Finding, ...]:
    """Everything that is wrong with, or missing from, a report; all at once."""
    return tuple(finding for each in ENDING_RULES for finding in each(ending))
