"""The round and an elimination, step by step, read from their addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.state.lookup import GameOutcome, TraumaKind
from arkham.rules.card import Card
from arkham.rules.play.elimination import (
    ELIMINATED,
    ELIMINATION_STEPS,
    Elimination,
    Setting,
    steps_of,
    trauma,
)
from arkham.rules.play.round import (
    MOMENTS,
    PHASES,
    SKILL_TEST,
    Moment,
    Phase,
    Place,
    after,
    begins_at,
    elsewhere,
    first_of,
)
from arkham.rules.pool import CardPool
from arkham.rules.ultimatums import RETURNS, UltimatumEffect, causing
from campaigns.play.addresses import (
    Pairs,
    digits,
    number,
    number_or_none,
    of_campaign,
    text_value,
    yes_or_no,
)
from decks.pages.notes import Note, notes_of

(DREAD,) = (row.id for row in causing(UltimatumEffect.MYTHOS_FIRST))
MOST_ROUNDS = 99


@dataclass(frozen=True, slots=True)
class ShownMoment:
    """A moment with its text, and whether it is now."""

    moment: Moment
    text: str
    now: bool


@dataclass(frozen=True, slots=True)
class ShownPhase:
    """A phase with its moments, and the address of the first."""

    phase: Phase
    title: str
    address: str
    now: bool
    moments: tuple[ShownMoment, ...]


@dataclass(frozen=True, slots=True)
class Tracked:
    """The place of the game in its round, under these ultimatums."""

    place: Place
    ultimatums: frozenset[str]
    campaign: str = ""  # the number of the campaign it was opened from

    @property
    def phases(self) -> Iterator[ShownPhase]:
        """The round, phase by phase."""
        for phase in PHASES:
            first = first_of(phase.name)
            places = range(first, first + len(phase.moments))
            yield ShownPhase(
                phase,
                _(phase.title),
                self._at(Place(self.place.round, first)),
                self.place.moment in places,
                tuple(
                    ShownMoment(moment, _(moment.text), at == self.place.moment)
                    for at, moment in zip(places, phase.moments, strict=True)
                ),
            )

    @property
    def skill_test(self) -> Iterator[ShownMoment]:
        """The steps of a skill test, in any phase."""
        for moment in SKILL_TEST:
            yield ShownMoment(moment, _(moment.text), now=False)

    @property
    def title(self) -> str:
        """The current phase."""
        return _(MOMENTS[self.place.moment][0].title)

    @property
    def text(self) -> str:
        """What happens now."""
        return _(MOMENTS[self.place.moment][1].text)

    @property
    def moment(self) -> Moment:
        """The current moment."""
        return MOMENTS[self.place.moment][1]

    @property
    def has_dread(self) -> bool:
        """Whether the first round has a Mythos phase."""
        return DREAD in self.ultimatums

    @property
    def onward(self) -> str:
        """The address of the next moment; “” after the last round that is counted."""
        if self.place.round == MOST_ROUNDS and self.place.moment + 1 == len(MOMENTS):
            return ""
        return self._at(after(self.place, self.ultimatums))

    @property
    def other(self) -> str:
        """The address where play may go instead; “” if there is no choice."""
        place = elsewhere(self.place)
        return self._at(place) if place else ""

    @property
    def other_words(self) -> str:
        """The label for that: the next investigator, or the end of the turn."""
        return _("The turn ends") if self.moment.is_window else _("Next investigator")

    @property
    def begin(self) -> str:
        """The address of a new game."""
        return self._at(begins_at(1, self.ultimatums))

    @property
    def dread(self) -> str:
        """The address of a new game with the Ultimatum of Dread toggled."""
        other = self.ultimatums ^ {DREAD}
        return Tracked(begins_at(1, other), other, self.campaign).begin

    def _at(self, place: Place) -> str:
        pairs: Pairs = [("round", place.round), ("at", place.moment)]
        if self.has_dread:
            pairs.append(("ultimatum", DREAD))
        return "?" + urlencode([*pairs, *of_campaign(self.campaign)])


def tracked(asked: QueryDict) -> Tracked:
    """Return the place of the game in an address; its beginning by default."""
    ultimatums = frozenset({DREAD} & set(asked.getlist("ultimatum")))
    round_number = max(number(text_value(asked, "round"), 1, MOST_ROUNDS), 1)
    begins = begins_at(round_number, ultimatums)
    moment = number(text_value(asked, "at"), begins.moment, len(MOMENTS) - 1)
    place = Place(round_number, max(moment, begins.moment))
    return Tracked(place, ultimatums, digits(asked, "campaign"))


LAST = len(ELIMINATION_STEPS)  # after the steps: what to record

HOW: Mapping[GameOutcome, str | Promise] = {
    GameOutcome.DAMAGE: gettext_lazy("Defeated by damage"),
    GameOutcome.HORROR: gettext_lazy("Defeated by horror"),
    GameOutcome.BOTH: gettext_lazy("Defeated by both at once"),
    GameOutcome.CARD: gettext_lazy("Defeated by a card effect"),
    GameOutcome.RESIGNED: gettext_lazy("Resigned"),
}
SETTINGS: Mapping[Setting, str | Promise] = {
    Setting.ANY: gettext_lazy("Any other"),
    Setting.DUNWICH: gettext_lazy("The Dunwich Legacy"),
    Setting.INNSMOUTH: gettext_lazy("The Innsmouth Conspiracy"),
    Setting.EDGE_OF_THE_EARTH: gettext_lazy("Edge of the Earth"),
    Setting.SCARLET_KEYS: gettext_lazy("The Scarlet Keys"),
}
TITLES: tuple[str | Promise, ...] = (
    gettext_lazy("Weaknesses"),
    gettext_lazy("Cards"),
    gettext_lazy("Clues and resources"),
    gettext_lazy("Engaged enemies"),
    gettext_lazy("Threat area and hidden cards"),
    gettext_lazy("Lead investigator"),
    gettext_lazy("Are any investigators left?"),
    gettext_lazy("To record"),
)
# Possible answers by step: the key, and the labels by value.
ANSWERS: Mapping[int, tuple[str, Mapping[str, str | Promise]]] = {
    5: (
        "lead",
        {"yes": gettext_lazy("Yes"), "no": gettext_lazy("No, another investigator is")},
    ),
    6: ("left", {"1": gettext_lazy("Yes"), "0": gettext_lazy("No")}),
    7: (
        "trauma",
        {"physical": gettext_lazy("Physical"), "mental": gettext_lazy("Mental")},
    ),
}


@dataclass(frozen=True, slots=True)
class StepMark:
    """A step in the row of all steps."""

    number: int
    title: str | Promise
    address: str
    now: bool
    done: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """An elimination and the step being shown; ``LAST`` comes after all steps."""

    elimination: Elimination
    investigator: Card | None
    pool: CardPool
    step: int
    campaign: str = ""  # the number of the campaign it was opened from

    @property
    def title(self) -> str | Promise:
        """The title of the step."""
        return TITLES[self.step]

    @property
    def how(self) -> str | Promise:
        """How the investigator was eliminated."""
        return HOW[self.elimination.outcome]

    @property
    def is_last(self) -> bool:
        """Whether only the record is left."""
        return self.step == LAST

    @property
    def notes(self) -> tuple[Note, ...]:
        """What to do or answer now."""
        if self.is_last:
            return notes_of(trauma(self.elimination), self.pool)
        return notes_of(steps_of(self.elimination)[self.step].findings, self.pool)

    @property
    def answers(self) -> list[tuple[str, str | Promise]]:
        """The possible answers of this step, with their addresses."""
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
        """The address of the previous step; of the beginning at the first."""
        if self.step:
            return address(self, self.step - 1)
        return address(self, 0, {"how": "", "step": ""})

    @property
    def marks(self) -> Iterator[StepMark]:
        """Every step with its address."""
        for at, title in enumerate(TITLES):
            yield StepMark(
                at, title, address(self, at), at == self.step, at < self.step
            )


def walk_of(asked: QueryDict, pool: CardPool) -> Walk | None:
    """Return the elimination in an address; None if it doesn't say how."""
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
        digits(asked, "campaign"),
    )


def address(walk: Walk, step: int, more: Mapping[str, str] | None = None) -> str:
    """Return the address of a step of the elimination, with more answers."""
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
        *of_campaign(walk.campaign),
    ]
    pairs = {**dict(known), **(more or {})}
    return "?" + urlencode({key: value for key, value in pairs.items() if value != ""})


def setting_parameter(guide: str) -> dict[str, str]:
    """Return a campaign's setting for an address, by its guide.

    Empty if it adds nothing to an elimination; a Return to uses the original's.
    """
    campaign = guide.removeprefix(RETURNS)
    return {"setting": campaign} if campaign in {*Setting} - {Setting.ANY} else {}
