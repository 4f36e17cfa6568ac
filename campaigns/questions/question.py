"""A question on a page: its heading, its fields, and how the value of one is read."""

from __future__ import annotations

from typing import NamedTuple

from django.http import QueryDict
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.pool import CardPool
from campaigns.settling.cards import CardLine
from campaigns.words.names import CampaignNames
from cardpool.relations import full_name
from cardpool.words import no_card_called

ANSWER = "answer"  # the name of the only field, where there is one
EMBARK = "embark"
FAST, PASSING = "fast", "passing"  # how one travels
OTHERS = "others"  # of the field for cards that nobody could list
NOBODY = ""
DIFFICULTIES = frozenset({"easy", "standard", "hard", "expert"})
MOST = 1_000  # where a guide sets no limit to a number
MOST_COPIES = 99


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
    in beforehand, ``chosen`` which of several options are ticked, ``hint`` what is told
    beside it. Fields of one ``group``, an investigator or cards of a kind, stand
    together under its name, with the points (``budget``) they are paid out of, or
    ``folded`` away where they may tell what nobody has seen.
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
    what cards of decks brought that others at the table tell of.
    """

    pending: Pending
    heading: str
    place: str
    text: SafeString
    bullets: tuple[SafeString, ...]
    fields: tuple[QuestionField, ...]
    submit: str
    others: tuple[str, ...] = ()

    @property
    def is_play(self) -> bool:
        """Whether the scenario is being played: there is a page for that."""
        return self.pending.prompt == "play_scenario"

    @property
    def is_heard(self) -> bool:
        """Whether the campaign this one is linked to will tell it."""
        return self.pending.is_heard

    @property
    def is_difficulty(self) -> bool:
        """Whether the table chooses how difficult it shall be."""
        return {offer.id for offer in self.pending.offers} >= DIFFICULTIES

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
    ``own`` those whose decks the visitor may tell of; ``lines`` what cards of the
    decks brought, ``displayed`` the names of those that lie in the victory display,
    ``in_reach`` those a question about cards of decks or of the scenario can mean,
    ``drawn`` whose deck holds its random basic weaknesses already.
    """

    replay: Replay
    names: CampaignNames
    sitting: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()
    lines: tuple[CardLine, ...] = ()
    displayed: tuple[str, ...] = ()
    in_reach: tuple[str, ...] = ()
    drawn: frozenset[str] = frozenset()


LONGEST_WORDS = 300
LONGEST_CARDS = 4_000
MOST_CARDS = 60


class Misfilled(ValueError):
    """A field that is not filled in as it can be; ``field`` is its name."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def chosen_in(field: QuestionField, data: QueryDict) -> str:
    """The one that was chosen. Raises Misfilled."""
    value = data.get(field.name, "")
    if value in {option.value for option in field.options}:
        return value
    if not field.is_needed and not value:
        return NOBODY
    raise Misfilled(field.name, _("Choose one of these."))


def several_in(field: QuestionField, data: QueryDict) -> list[str]:
    """All that were chosen, of those that are offered."""
    offered = {option.value for option in field.options}
    return [
        value for value in dict.fromkeys(data.getlist(field.name)) if value in offered
    ]


def number_in(field: QuestionField, data: QueryDict) -> int:
    """The number that stands there. Raises Misfilled."""
    text = data.get(field.name, "").strip() or field.initial or "0"
    text = text.replace("−", "-")
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 6):
        raise Misfilled(field.name, _("This is a whole number."))
    return int(text)


def lines_in(field: QuestionField, data: QueryDict) -> list[str]:
    """What stands there, line by line."""
    return _lines(data.get(field.name, ""))


def cards_in(field: QuestionField, data: QueryDict, pool: CardPool) -> list[str]:
    """The codes of cards, named one a line. Raises Misfilled."""
    try:
        return cards_named(data.get(field.name, ""), pool)
    except LookupError as error:
        raise Misfilled(field.name, str(error)) from None


def cards_named(text: str, pool: CardPool) -> list[str]:
    """The codes of cards, named one a line. Raises LookupError, and says which."""
    found = []
    for name in _lines(text):
        code = name if name in pool else _code_named(name, pool)
        if code is None:
            raise LookupError(no_card_called(name, pool))
        found.append(code)
    return found


def _lines(text: str) -> list[str]:
    lines = text[:LONGEST_CARDS].splitlines()[:MOST_CARDS]
    return [line.strip() for line in lines if line.strip()]


def _code_named(name: str, pool: CardPool) -> str | None:
    """The card of a name, with its subtitle where only that tells it apart.

    Raises LookupError for weaknesses that share a name.
    """
    wanted = name.casefold()
    begun = [card for card in pool.values() if wanted.startswith(card.name.casefold())]
    called = [card for card in begun if card.name.casefold() == wanted]
    apart = dict.fromkeys(full_name(card, pool) for card in called if card.weakness)
    if len(apart) > 1:
        raise LookupError(_("Which one: %(names)s?") % {"names": ", ".join(apart)})
    called = called or [
        card for card in begun if full_name(card, pool).casefold() == wanted
    ]
    return called[0].code if called else None
