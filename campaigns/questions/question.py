"""A question on a page: its heading, its fields, and how the value of one is read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.state.outcomes import GameOutcome
from campaigns.settling.cards import CardLine
from campaigns.words.names import CampaignNames

ANSWER = "answer"  # the name of the only field, where there is one
EMBARK = "embark"
FAST, PASSING = "fast", "passing"  # how one travels
OTHERS = "others"  # of the field for cards that nobody could list
NOBODY = ""
DIFFICULTIES = frozenset({"easy", "standard", "hard", "expert"})
MOST = 1_000  # where a guide sets no limit to a number
MOST_COPIES = 99
FINISH = "$finish"  # the option that ends the scenario


class FieldOption(NamedTuple):
    """Something that can be chosen: its value in the form, and what it says.

    ``group`` is the heading it stands under, if any.
    """

    value: str
    label: str
    group: str = ""


class QuestionField(NamedTuple):
    """Something to be filled in.

    ``kind`` is ``one`` (of the options), ``several``, ``number``, ``words``, ``line``
    (of words), ``cards`` (their names, one a line), ``card`` (one name; options are
    those to be expected), ``tick`` (there, or not), ``pick`` (one of the options, in a
    line) or ``menu`` (one of the options, each a button). ``initial`` is what is filled
    in beforehand, ``chosen`` which of several options are ticked, ``hint`` what stands
    beside it. Fields of one ``group``, an investigator or cards of a kind, stand
    together under its name, with the points (``budget``) that pay their ``cost``, or
    ``folded`` away where they may spoil what is unseen or are another’s to fill in.
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
        """How many of several options are to be chosen, where that is limited."""
        if self.kind != "several":
            return ""
        least, most = self.least or 0, self.most or len(self.options)
        if least == most:
            return _("Exactly %(number)d.") % {"number": most}
        if most < len(self.options):
            return _("At most %(number)d.") % {"number": most}
        return _("At least %(number)d.") % {"number": least} if least > 1 else ""

    @property
    def begins_with(self) -> list[str]:
        """What stands in it before anybody touches it."""
        if self.kind == "cards":
            return [self.initial] if self.initial else []
        return [*self.chosen] or self.initial.split()


class FormQuestion(NamedTuple):
    """What is asked next, ready for a page.

    ``text`` is cleaned. ``others`` is
    what cards of decks brought that others at the table report.
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
        """The question with the fields of one’s own investigators first.

        Only where each of the ``players`` has fields of their own, and nothing else.
        Supplies that others pay for are folded away.
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
        """Whether the scenario is being played: there is a page for that."""
        return self.pending.prompt == "play_scenario"

    @property
    def is_start(self) -> bool:
        """Whether the next scenario is to be begun; the heading is its name."""
        return self.pending.kind == "start_scenario"

    @property
    def is_one_tap(self) -> bool:
        """Whether one choice is the whole answer: its options are buttons."""
        return [field.kind for field in self.fields] == ["one"]

    @property
    def end(self) -> FieldOption | None:
        """The option that ends the scenario, apart from the others."""
        options = self.fields[0].options if self.is_play and self.fields else ()
        return next((each for each in options if each.value == FINISH), None)

    @property
    def buttons(self) -> tuple[FieldOption, ...]:
        """The options of a question of one tap, but for those beside the end."""
        return () if self.end else self.fields[0].options

    @property
    def in_play(self) -> tuple[FieldOption, ...]:
        """What may be recorded in play, before the scenario ends."""
        options = self.fields[0].options if self.end else ()
        return tuple(each for each in options if each.value != FINISH)

    @property
    def events(self) -> tuple[FieldOption, ...]:
        """What may be recorded in play of this scenario alone."""
        return tuple(each for each in self.in_play if not each.value.startswith("$"))

    @property
    def is_from_linked(self) -> bool:
        """Whether the campaign this one is linked to will answer it."""
        return self.pending.is_from_linked

    @property
    def is_about_players(self) -> bool:
        """Whether it asks who plays."""
        return self.pending.prompt == "choose_investigators"

    @property
    def is_upgrade(self) -> bool:
        """Whether decks are brought up to date here."""
        return self.pending.is_upgrade


Fields = tuple[QuestionField, ...]


class QuestionContext(NamedTuple):
    """All that putting a question depends on.

    ``sitting`` are the investigators of the table, who may be named as players,
    ``own`` those whose decks the visitor may report on; ``lines`` what cards of the
    decks brought, ``displayed`` the names of those that lie in the victory display,
    ``in_reach`` those a question about cards of decks or of the scenario can mean,
    ``drawn`` whose deck holds its random basic weaknesses already, ``outcomes`` how the
    game ends by the play areas.
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
    """Fields that are not filled in as they can be: what is wrong, by their names."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(next(iter(errors.values())))
        self.errors = errors
