"""A question on a page: its heading and fields, and what they depend on."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.state.lookup import GameOutcome
from campaigns.settling.cards import CardLine
from campaigns.words.names import CampaignNames

ANSWER = "answer"  # the name of the only field of a question
EMBARK = "embark"
FAST, PASSING = "fast", "passing"  # how to travel
OTHERS = "others"  # the field for cards that can't be listed
NO_CHOICE = ""
DIFFICULTIES = frozenset({"easy", "standard", "hard", "expert"})
MOST = 1_000  # if a guide sets no limit to a number
MOST_COPIES = 99
MOST_PRESSES = 6  # the highest number of a row of buttons on a phone
FINISH = "$finish"  # the option that ends the scenario


class FieldOption(NamedTuple):
    """An option: its value in the form, and its label.

    ``group`` is the heading it appears under, if any.
    """

    value: str
    label: str
    group: str = ""


class QuestionField(NamedTuple):
    """A field of a question.

    ``kind`` is ``one`` (of the options), ``several``, ``number``, ``words``, ``line``
    (of text), ``cards`` (names, one per line), ``card`` (one name; options are the
    expected ones), ``tick`` (yes or no), ``pick`` (one of the options, in a line) or
    ``menu`` (one of the options, each a button). ``initial`` is the initial value,
    ``chosen`` are the options ticked initially, ``hint`` appears next to the field.
    Fields of one ``group``, an investigator or a kind of cards, appear under its name,
    with the points (``budget``) that pay their ``cost``; they are ``folded`` if they
    may spoil something or are for another player to fill in.
    """

    name: str
    label: str
    kind: str
    options: tuple[FieldOption, ...] = ()
    least: int | None = None
    most: int | None = None
    is_needed: bool = True
    initial: str = ""
    hint: str = ""
    group: str = ""
    budget: int | None = None
    cost: int = 0
    chosen: tuple[str, ...] = ()
    folded: bool = False

    @property
    def how_many(self) -> str:
        """How many of several options to choose, if that is limited."""
        if self.kind != "several":
            return ""
        if not self.options:
            return _("There is nothing to choose: continue.")
        least, most = self.least or 0, self.most or len(self.options)
        if least == most:
            return _("Exactly %(number)d.") % {"number": most}
        if most < len(self.options):
            return _("At most %(number)d.") % {"number": most}
        return _("At least %(number)d.") % {"number": least} if least > 1 else ""

    @property
    def presses(self) -> tuple[str, ...]:
        """The numbers up to the highest, if so few that each is a press."""
        most = self.most if self.kind == "number" else None
        if most is None or most > MOST_PRESSES:
            return ()
        return tuple(map(str, range(most + 1)))

    @property
    def begins_with(self) -> list[str]:
        """The initial values of the field; all options if no other answer is right."""
        if self.kind == "cards":
            return [self.initial] if self.initial else []
        needed = self.least or 0 if self.kind == "several" else int(self.is_needed)
        if self.kind in ("one", "several") and needed >= len(self.options) > 0:
            return [each.value for each in self.options]
        return [*self.chosen] or self.initial.split()


class FormQuestion(NamedTuple):
    """The next question, ready for a page.

    ``text`` is sanitised HTML. ``others`` is what other members report about cards of
    decks.
    """

    pending: Pending
    heading: str
    place: str
    text: SafeString
    bullets: tuple[SafeString, ...]
    fields: tuple[QuestionField, ...]
    submit: str
    others: tuple[str, ...] = ()

    def in_order(self, own: Collection[str], players: Collection[str]) -> FormQuestion:
        """Return the question with the fields of one’s own investigators first.

        Applies only if every field belongs to one of the ``players``. Supplies that
        others pay for are folded.
        """
        heads = [each.name.partition(".")[0] for each in self.fields]
        if not {*heads} <= {*players}:
            return self
        paired = sorted(
            zip(heads, self.fields, strict=True), key=lambda it: it[0] not in own
        )
        fields = tuple(
            field._replace(folded=field.budget is not None and head not in own)
            for head, field in paired
        )
        return self._replace(fields=fields if {*heads} & {*own} else self.fields)

    @property
    def is_play(self) -> bool:
        """Whether the scenario is in play: it has a page of its own."""
        return self.pending.prompt == "play_scenario"

    @property
    def is_start(self) -> bool:
        """Whether it starts the next scenario; the heading is its name."""
        return self.pending.kind == "start_scenario"

    @property
    def is_one_tap(self) -> bool:
        """Whether one choice is the whole answer, shown as buttons."""
        return [field.kind for field in self.fields] == ["one"]

    @property
    def end(self) -> FieldOption | None:
        """The option that ends the scenario, or None."""
        options = self.fields[0].options if self.is_play and self.fields else ()
        return next((each for each in options if each.value == FINISH), None)

    @property
    def buttons(self) -> tuple[FieldOption, ...]:
        """The options of a one-tap question, unless it is about a scenario in play."""
        return () if self.end else self.fields[0].options

    @property
    def in_play(self) -> tuple[FieldOption, ...]:
        """The options that can be recorded in play, before the scenario ends."""
        options = self.fields[0].options if self.end else ()
        return tuple(each for each in options if each.value != FINISH)

    @property
    def events(self) -> tuple[FieldOption, ...]:
        """The options that only this scenario has in play."""
        return tuple(each for each in self.in_play if not each.value.startswith("$"))

    @property
    def is_about_players(self) -> bool:
        """Whether it asks who plays."""
        return self.pending.prompt == "choose_investigators"

    @property
    def is_upgrade(self) -> bool:
        """Whether decks are upgraded here."""
        return self.pending.is_upgrade


Fields = tuple[QuestionField, ...]


class QuestionContext(NamedTuple):
    """Everything needed to put a question.

    ``sitting`` are the table's investigators, who can be named as players, ``own``
    those whose decks the visitor may report on; ``lines`` is what cards in decks gave,
    ``displayed`` the names of those in the victory display, ``in_reach`` the cards that
    a question about decks or the scenario allows, ``drawn`` the investigators whose
    decks have their random basic weaknesses, ``outcomes`` how the game ends by the play
    areas.
    """

    replay: Replay
    names: CampaignNames
    sitting: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()
    lines: tuple[CardLine, ...] = ()
    displayed: tuple[str, ...] = ()
    in_reach: tuple[str, ...] = ()
    drawn: frozenset[str] = frozenset()
    outcomes: Mapping[str, GameOutcome] = MappingProxyType({})


LONGEST_WORDS = 300


class Misfilled(ValueError):
    """Fields with errors: the messages, by field name."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(next(iter(errors.values())))
        self.errors = errors
