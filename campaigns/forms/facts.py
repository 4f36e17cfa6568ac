"""Forms for facts that a table states by hand, with a reason, or asserts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.effects.personal import sources_of
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.judging.roster import Roster
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Effect, Mark
from arkham.rules.campaign.settlement import Fate
from arkham.rules.campaign.state.answers import Asserted, Stated
from arkham.rules.campaign.state.lookup import is_pairing
from arkham.rules.chaos import Token
from arkham.web.forms import offer_choices
from arkham.web.language import word_of
from campaigns.questions.question import LONGEST_WORDS
from campaigns.services.writing import LONGEST_REASON
from campaigns.words.names import CampaignNames
from decks.lists.content import whole

MOST = 99  # limit of one correction
MOST_TOKENS = 10
Choices = Sequence[tuple[str, str | Promise]]
POINTED = "."  # separates a section and its line, as in assertions


class FactContext:
    """The possible subjects of facts: scenarios, people, tokens, lines.

    ``only`` limits it to these investigators, without the table; ``losable`` are the
    cards the table may lose.
    """

    def __init__(
        self,
        replay: Replay,
        names: CampaignNames,
        losable: Choices = (),
        only: frozenset[str] | None = None,
    ) -> None:
        self.replay, self.names, self.only = replay, names, only
        self.losable = losable

    def scenarios(self) -> Choices:
        """Return the scenarios that were begun, latest first."""
        begun = reversed(self.replay.begun)
        return [(each, self.names.scenario(each)) for each in begun]

    def people(self) -> Choices:
        """Return everyone who plays, or has anything."""
        state = self.replay.state
        known = dict.fromkeys((*state.players, *state.people))
        return [
            (code, self.names.card(code))
            for code in known
            if code not in state.partners and (self.only is None or code in self.only)
        ]

    def sections(self) -> Choices:
        """Return the sections for free text: the sheet's lists."""
        hidden = {each.id for each in self.names.guide.sections if each.hidden}
        return [
            (name, self.names.section(name))
            for name in self.replay.state.sections
            if name not in hidden and name not in self.names.pool
        ]

    def lines(self) -> Choices:
        """Return every line that isn't crossed out, with its section."""
        found = {}
        for name, title in self.sections():
            for line in self.replay.state.section(name).lines:
                if not (line.crossed_out or is_pairing(line.id)):
                    label = f"{title}: {self.names.line(name, line)}"
                    found[f"{name}{POINTED}{line.id}"] = label
        return list(found.items())

    def counts(self) -> Choices:
        """Return the sections with counts."""
        return [(name, self.names.section(name)) for name in self.replay.state.counts]


class FactForm(forms.Form):
    """The base of all facts: the scenario at whose end they apply."""

    title: str | Promise = ""
    is_personal = False
    scenario = forms.ChoiceField(label=gettext_lazy("At the end of"))

    def __init__(self, known: FactContext, data: Any = None) -> None:
        super().__init__(data, auto_id=f"{type(self).__name__}_%s")
        self.known = known
        offer_choices(self, "scenario", known.scenarios())
        self.prepare()

    def prepare(self) -> None:
        """Set the choices of all fields."""

    @property
    def is_possible(self) -> bool:
        """Whether every field has choices, and the visitor may state it."""
        is_allowed = self.known.only is None or self.is_personal
        return is_allowed and all(
            field.choices
            for field in self.fields.values()
            if isinstance(field, forms.ChoiceField)
        )

    def fact(self) -> Stated | Asserted:
        """Return the fact; only if the form is valid."""
        raise NotImplementedError


class Statement(FactForm):
    """A stated fact, with its reason."""

    reason = forms.CharField(label=gettext_lazy("Why"), max_length=LONGEST_REASON)

    def __init__(self, known: FactContext, data: Any = None) -> None:
        super().__init__(known, data)
        self.order_fields([*(each for each in self.fields if each != "reason")])

    def effect(self) -> Effect:
        """Return its effect."""
        raise NotImplementedError

    def codes(self) -> tuple[str, ...]:
        """Return the investigators it concerns, or its text."""
        return ()

    def fact(self) -> Stated:
        """Return the statement."""
        cleaned = self.cleaned_data
        reason = whole(cleaned["reason"]).strip()
        return Stated(cleaned["scenario"], self.effect(), self.codes(), (), reason)


class PersonForm(Statement):
    """Experience or trauma, added or removed."""

    title = gettext_lazy("Experience or trauma")
    is_personal = True
    who = forms.ChoiceField(label=gettext_lazy("Investigator"))
    what = forms.ChoiceField(
        label=gettext_lazy("Type"),
        choices=[
            ("experience", gettext_lazy("Experience")),
            ("physical", gettext_lazy("Physical trauma")),
            ("mental", gettext_lazy("Mental trauma")),
        ],
    )
    amount = forms.IntegerField(
        label=gettext_lazy("Amount (negative to remove)"),
        min_value=-MOST,
        max_value=MOST,
    )
    source = forms.ChoiceField(
        label=gettext_lazy("Source of the trauma, if it is one of these cards"),
        required=False,
    )

    def prepare(self) -> None:
        """Offer investigators, and the sources of trauma at this table."""
        offer_choices(self, "who", self.known.people())
        given = [(each.id, each.name) for each in sources_of(self.known.replay.state)]
        offer_choices(self, "source", [("", gettext_lazy("None of these")), *given])

    def clean_source(self) -> str:
        """Refuse a source for experience."""
        source: str = self.cleaned_data["source"]
        if source and self.cleaned_data.get("what") == "experience":
            raise forms.ValidationError(_("This gives trauma."))
        return source

    def clean_amount(self) -> int:
        """Refuse 0."""
        amount: int = self.cleaned_data["amount"]
        if not amount:
            raise forms.ValidationError(_("This wouldn’t change anything."))
        return amount

    def codes(self) -> tuple[str, ...]:
        """Return the investigator."""
        return (self.cleaned_data["who"],)

    def effect(self) -> Effect:
        """Return the change of experience or trauma."""
        amount: int = self.cleaned_data["amount"]
        source: str = self.cleaned_data["source"]
        match self.cleaned_data["what"]:
            case "physical":
                return do.Trauma("input", physical=amount, source=source)
            case "mental":
                return do.Trauma("input", mental=amount, source=source)
        return do.EarnExperience("input", bonus=amount)


class TokenForm(Statement):
    """Chaos tokens added to the bag, or removed."""

    title = gettext_lazy("Chaos tokens")
    token = forms.ChoiceField(label=gettext_lazy("Token"))
    way = forms.ChoiceField(
        label=gettext_lazy("Add or remove"),
        choices=[
            ("1", gettext_lazy("Add to the chaos bag")),
            ("-1", gettext_lazy("Remove from the chaos bag")),
        ],
    )
    count = forms.IntegerField(
        label=gettext_lazy("How many"), min_value=1, max_value=MOST_TOKENS, initial=1
    )

    def prepare(self) -> None:
        """Offer every kind of token."""
        offer_choices(self, "token", [(token.value, word_of(token)) for token in Token])

    def effect(self) -> Effect:
        """Return the change of the bag."""
        cleaned = self.cleaned_data
        return course.Tokens(
            (cleaned["token"],) * cleaned["count"], int(cleaned["way"])
        )


class WordsForm(Statement):
    """A line of the log, or a note, in the table's own words."""

    title = gettext_lazy("Campaign Log entry")
    section = forms.ChoiceField(label=gettext_lazy("Section"))
    words = forms.CharField(
        label=gettext_lazy("Text of the line"), max_length=LONGEST_WORDS
    )

    def prepare(self) -> None:
        """Offer sections for free text."""
        offer_choices(self, "section", self.known.sections())

    def codes(self) -> tuple[str, ...]:
        """Return the text."""
        return (whole(self.cleaned_data["words"]).strip(),)

    def effect(self) -> Effect:
        """Return the new line."""
        return do.LogText(self.cleaned_data["section"])


class CrossForm(Statement):
    """Crosses out a line."""

    title = gettext_lazy("Cross a line out")
    line = forms.ChoiceField(label=gettext_lazy("Line"))

    def prepare(self) -> None:
        """Offer the lines that aren't crossed out."""
        offer_choices(self, "line", self.known.lines())

    def effect(self) -> Effect:
        """Return the crossing out."""
        section, _point, line_id = self.cleaned_data["line"].partition(POINTED)
        return do.LogLine(section, line_id, Mark.CROSS_OUT)


class LostForm(Statement):
    """A card is lost: all its copies leave every deck (ULT-14, CYC-DW1)."""

    title = gettext_lazy("Card removed from the campaign")
    card = forms.ChoiceField(
        label=gettext_lazy("Card"),
        help_text=gettext_lazy(
            "All copies leave every deck after the game, and no deck can include it "
            "again."
        ),
    )

    def prepare(self) -> None:
        """Offer each title once, without those lost already."""
        offer_choices(self, "card", self.known.losable)

    def effect(self) -> Effect:
        """Return the loss for every investigator."""
        return do.Banish(self.cleaned_data["card"])


class ResultForm(Statement):
    """The campaign is lost: no investigator is left to choose (TRA-10)."""

    title = gettext_lazy("No investigators are left: the campaign is lost")
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=LONGEST_REASON,
        help_text=gettext_lazy(
            "An investigator was killed or driven insane, and their player has no "
            "investigator left to choose."
        ),
    )

    @property
    def is_possible(self) -> bool:
        """Whether a player has to choose again, and the campaign isn't over."""
        state = self.known.replay.state
        gone = {*Roster(state).gone.values()} & {Fate.KILLED, Fate.DRIVEN_INSANE}
        return super().is_possible and bool(gone) and not state.campaign_result

    def effect(self) -> Effect:
        """Return the loss of the campaign."""
        return course.SetResult("lose")


class AssertForm(FactForm):
    """“We have 11 experience here”: checked now and whenever the log changes."""

    title = gettext_lazy("Confirm a value")
    is_personal = True
    about = forms.ChoiceField(label=gettext_lazy("What"))
    value = forms.IntegerField(
        label=gettext_lazy("Should be"),
        min_value=-MOST,
        max_value=999,
        help_text=gettext_lazy(
            "This only checks a value. We’ll warn you if the log ever disagrees."
        ),
    )

    def prepare(self) -> None:
        """Offer numbers of people, tokens and sections."""
        offer_choices(self, "about", [*self._people(), *self._others()])

    def _people(self) -> Iterator[tuple[str, str]]:
        for code, name in self.known.people():
            yield f"experience {code}", _("Experience of %(name)s") % {"name": name}
            yield f"physical {code}", _("Physical trauma of %(name)s") % {"name": name}
            yield f"mental {code}", _("Mental trauma of %(name)s") % {"name": name}

    def _others(self) -> Iterator[tuple[str, str]]:
        if self.known.only is not None:
            return
        for name, title in self.known.counts():
            yield f"count {name}", str(title)
        for token in Token:
            label = _("Tokens in the bag: %(token)s") % {"token": word_of(token)}
            yield f"token {token.value}", label

    def fact(self) -> Asserted:
        """Return the assertion."""
        cleaned = self.cleaned_data
        what, _blank, which = cleaned["about"].partition(" ")
        return Asserted(cleaned["scenario"], what, which, cleaned["value"])


FORMS: dict[str, type[FactForm]] = {
    "person": PersonForm,
    "tokens": TokenForm,
    "words": WordsForm,
    "cross-out": CrossForm,
    "lost": LostForm,
    "result": ResultForm,
    "assert": AssertForm,
}
