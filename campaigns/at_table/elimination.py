"""An elimination read from its address, one step at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arkham.rules.campaign.state.outcomes import GameOutcome, TraumaKind
from arkham.rules.card import Card
from arkham.rules.play.elimination import (
    ELIMINATED,
    ELIMINATION_STEPS,
    Elimination,
    Setting,
    steps_of,
    trauma,
)
from arkham.rules.pool import CardPool
from arkham.rules.ultimatums import RETURNS
from campaigns.play.addresses import (
    Pairs,
    number,
    number_or_none,
    text_value,
    yes_or_no,
)
from decks.pages.notes import Note, notes_of

LAST = len(ELIMINATION_STEPS)  # after the steps: what is recorded

HOW: Mapping[GameOutcome, str | Promise] = {
    GameOutcome.DAMAGE: _("Defeated by damage"),
    GameOutcome.HORROR: _("Defeated by horror"),
    GameOutcome.BOTH: _("Defeated by both at once"),
    GameOutcome.CARD: _("Defeated by a card"),
    GameOutcome.RESIGNED: _("Resigned"),
}
SETTINGS: Mapping[Setting, str | Promise] = {
    Setting.ANY: _("Any other"),
    Setting.DUNWICH: _("The Dunwich Legacy"),
    Setting.INNSMOUTH: _("The Innsmouth Conspiracy"),
    Setting.EDGE_OF_THE_EARTH: _("Edge of the Earth"),
    Setting.SCARLET_KEYS: _("The Scarlet Keys"),
}
TITLES: tuple[str | Promise, ...] = (
    _("Weaknesses"),
    _("Cards"),
    _("Clues and resources"),
    _("Engaged enemies"),
    _("Threat area and hidden cards"),
    _("Lead investigator"),
    _("Are any investigators left?"),
    _("To be recorded"),
)
# What may be answered: at which step, under which key, and the words.
ANSWERS: Mapping[int, tuple[str, Mapping[str, str | Promise]]] = {
    5: ("lead", {"yes": _("Yes"), "no": _("No, another investigator is")}),
    6: ("left", {"1": _("Yes"), "0": _("No")}),
    7: ("trauma", {"physical": _("Physical"), "mental": _("Mental")}),
}


@dataclass(frozen=True, slots=True)
class StepMark:
    """A step as the row of all steps shows it."""

    number: int
    title: str | Promise
    address: str
    now: bool
    done: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """An elimination and the step that is looked at; ``LAST`` is after them all."""

    elimination: Elimination
    investigator: Card | None
    pool: CardPool
    step: int

    @property
    def title(self) -> str | Promise:
        """What the step is about."""
        return TITLES[self.step]

    @property
    def how(self) -> str | Promise:
        """How the investigator came to it."""
        return HOW[self.elimination.outcome]

    @property
    def is_last(self) -> bool:
        """Whether only the record is left."""
        return self.step == LAST

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is to be done or asked now."""
        if self.is_last:
            return notes_of(trauma(self.elimination), self.pool)
        return notes_of(steps_of(self.elimination)[self.step].findings, self.pool)

    @property
    def answers(self) -> list[tuple[str, str | Promise]]:
        """What the question of this step may be answered, with the addresses."""
        if self.step not in ANSWERS or not any(
            note.style == "incomplete" for note in self.notes
        ):
            return []
        key, words = ANSWERS[self.step]
        return [
            (address(self, self.step, {key: value}), word)
            for value, word in words.items()
        ]

    @property
    def onward(self) -> str:
        """The address of the next step; “” after the last and before an answer."""
        if self.is_last or self.answers:
            return ""
        return address(self, self.step + 1)

    @property
    def back(self) -> str:
        """The address of the step before; of the beginning at the first."""
        return address(self, self.step - 1) if self.step else "?"

    @property
    def marks(self) -> Iterator[StepMark]:
        """Every step with its address."""
        for at, title in enumerate(TITLES):
            yield StepMark(
                at, title, address(self, at), at == self.step, at < self.step
            )


def walk_of(asked: QueryDict, pool: CardPool) -> Walk | None:
    """The elimination an address holds; None where it does not say how."""
    if text_value(asked, "how") not in ELIMINATED:
        return None
    setting, chosen = text_value(asked, "setting"), text_value(asked, "trauma")
    return Walk(
        Elimination(
            GameOutcome(text_value(asked, "how")),
            Setting(setting) if setting in list(Setting) else Setting.ANY,
            number_or_none(text_value(asked, "clues")),
            number_or_none(text_value(asked, "resources")),
            yes_or_no(text_value(asked, "lead")),
            number_or_none(text_value(asked, "left"), 3),
            TraumaKind(chosen) if chosen in list(TraumaKind) else None,
        ),
        pool.get_card(text_value(asked, "investigator")),
        pool,
        number(text_value(asked, "step"), 0, LAST),
    )


def address(walk: Walk, step: int, more: Mapping[str, str] | None = None) -> str:
    """The address of a step of the same elimination, with an answer more."""
    each = walk.elimination
    known: Pairs = [
        ("investigator", walk.investigator.code if walk.investigator else ""),
        ("how", each.outcome.value),
        ("setting", each.setting.value),
        ("clues", "" if each.clues is None else each.clues),
        ("resources", "" if each.resources is None else each.resources),
        ("lead", {True: "yes", False: "no", None: ""}[each.lead]),
        ("left", "" if each.left is None else each.left),
        ("trauma", each.chosen.value if each.chosen else ""),
        ("step", step),
    ]
    pairs = {**dict(known), **(more or {})}
    return "?" + urlencode({key: value for key, value in pairs.items() if value != ""})


def setting_parameter(guide: str) -> dict[str, str]:
    """The setting of a campaign by its guide, as an address has it; a Return to's own.

    Nothing where the campaign adds nothing to an elimination.
    """
    campaign = guide.removeprefix(RETURNS)
    return {"setting": campaign} if campaign in {*Setting} - {Setting.ANY} else {}
