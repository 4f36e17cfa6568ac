"""Everything the sheet of a campaign says that began on paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.by_hand.facts import campaign_facts, known_campaigns
from arkham.rules.campaign.entering import Entering, Position
from arkham.rules.campaign.model.guide import Section
from arkham.rules.campaign.settlement import Fate
from arkham.rules.chaos import Token
from arkham.rules.chaos.token import LIMITS, PASSING
from arkham.rules.vocabulary import WeaknessKind
from campaigns.filled import LONGEST_WORDS, cards_named
from campaigns.forms.entering_place import Known, PlaceForm
from campaigns.names import readable
from campaigns.services.writing import LONGEST_REASON
from campaigns.tokens import word_of
from decks.content import whole

MOST_EXPERIENCE, MOST_TRAUMA, MOST_TOKENS, MOST_COUNT = 200, 12, 20, 99
Choices = Sequence[tuple[str, str]]


class StandingForm(forms.Form):
    """Everything the sheet of paper says."""

    killed = forms.CharField(
        label=gettext_lazy("Investigators who were killed, one a line"),
        required=False,
        widget=forms.Textarea({"rows": 2}),
    )
    insane = forms.CharField(
        label=gettext_lazy("Investigators who were driven insane, one a line"),
        required=False,
        widget=forms.Textarea({"rows": 2}),
    )
    played = forms.MultipleChoiceField(
        label=gettext_lazy("Played so far"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    reason = forms.CharField(
        label=gettext_lazy("Noted beside all of it"),
        max_length=LONGEST_REASON,
        initial=gettext_lazy("Begun on paper."),
    )

    def __init__(self, known: Known, place: PlaceForm, data: Any = None) -> None:
        super().__init__(data)
        self.known, self.place = known, place
        guide = known.names.guide
        self.sections = [each for each in guide.sections if not each.hidden]
        played = self.fields["played"]
        assert isinstance(played, forms.MultipleChoiceField)
        listed = dict.fromkeys((*(place.order or guide.order), *guide.scenarios))
        listed.pop(place.cleaned_data["scenario"], None)
        played.choices = [(each, known.names.scenario(each)) for each in listed]
        played.initial = list(place.before())
        for code in known.sitting:
            self._add_person(code)
        bag = known.bag(place.cleaned_data["difficulty"])
        for token in Token:
            if token not in PASSING:
                most = LIMITS.get(token, MOST_TOKENS)
                self._add_number(
                    f"token {token}", word_of(token), most, bag.get(token, 0)
                )
        for section in self.sections:
            self._add_section(section)

    def _add_number(self, name: str, label: str, most: int, initial: int = 0) -> None:
        self.fields[name] = forms.IntegerField(
            label=label, min_value=0, max_value=most, initial=initial, required=False
        )

    def _add_person(self, code: str) -> None:
        self._add_number(f"experience {code}", _("Experience"), MOST_EXPERIENCE)
        self._add_number(f"physical {code}", _("Physical"), MOST_TRAUMA)
        self._add_number(f"mental {code}", _("Mental"), MOST_TRAUMA)
        self.fields[f"cards {code}"] = forms.CharField(
            label=_("Story cards and weaknesses of the campaign, one a line"),
            required=False,
            widget=forms.Textarea({"rows": 2}),
        )

    def _add_section(self, section: Section) -> None:
        """Its number, or the lines it may have and words of the table's own."""
        for place, label in self._numbers(section):
            self._add_number(f"count {place}", label, MOST_COUNT)
        if section.kind in _NO_LINES:
            return
        lines = self._lines(section)
        if lines:
            self.fields[f"lines {section.id}"] = forms.MultipleChoiceField(
                label=_("What stands there"),
                choices=lines,
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )
        self.fields[f"words {section.id}"] = forms.CharField(
            label=_("Other lines"), required=False, widget=forms.Textarea({"rows": 2})
        )

    def _lines(self, section: Section) -> Choices:
        told = self.known.names.words.lines(section.id)
        later = self.known.later(self.place.before())
        return [
            (each, text)
            for each, text in told.items()
            if "#" not in text and (section.id, each) not in later
        ]

    def _numbers(self, section: Section) -> Iterator[tuple[str, str]]:
        title = self.known.names.section(section.id)
        if section.kind == "count":
            yield section.id, title
        campaign = self.known.names.guide.id
        if campaign not in known_campaigns():
            return
        for line_id in campaign_facts(campaign).numbers.get(section.id, ()):
            if line_id != "$count":
                told = readable(line_id.removeprefix(f"{campaign}_"))
                yield f"{section.id}.{line_id}", f"{title}: {told}"

    # -- in groups, for the page --

    @property
    def people(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """Everybody with their fields."""
        for code in self.known.sitting:
            names = (
                f"{each} {code}"
                for each in ("experience", "physical", "mental", "cards")
            )
            yield self.known.names.card(code), [self[name] for name in names]

    @property
    def tokens(self) -> list[forms.BoundField]:
        """How many of each token."""
        return [self[name] for name in self.fields if name.startswith("token ")]

    @property
    def parts(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """The sections of the log with their fields."""
        for section in self.sections:
            places = {f"count {place}" for place, _label in self._numbers(section)}
            wanted = {*places, f"lines {section.id}", f"words {section.id}"}
            fields = [self[name] for name in self.fields if name in wanted]
            if fields:
                yield self.known.names.section(section.id), fields

    # -- what it says --

    def clean(self) -> dict[str, Any]:
        """Every card that is named exists."""
        data = super().clean() or {}
        for name in self.fields:
            if name.startswith("cards ") or name in ("killed", "insane"):
                try:
                    data[name] = self._codes(data.get(name, ""))
                except LookupError as error:
                    self.add_error(name, str(error))
        return data

    def _codes(self, text: str) -> list[str]:
        """Cards by their names; those of the campaign before any other."""
        own = {
            name.casefold(): code for code, name in self.known.names.guide.cards.items()
        }
        lines = (line.strip() for line in text.splitlines())
        asked = "\n".join(own.get(line.casefold(), line) for line in lines)
        return cards_named(asked, self.known.names.pool)

    @property
    def position(self) -> Position:
        """Where the campaign stands; only of a form that is valid."""
        return Position(
            self.place.cleaned_data["scenario"],
            (*map(self._person, self.known.sitting), *self._gone()),
            self._counted("token "),
            self.place.cleaned_data["difficulty"],
            lines=tuple(self._said("lines ")),
            words=tuple(self._written()),
            counts=self._counted("count "),
            played=tuple(self.cleaned_data["played"]),
            order=self.place.order,
        )

    def _person(self, code: str) -> Entering:
        data, pool = self.cleaned_data, self.known.names.pool
        cards = data[f"cards {code}"]
        basic = [
            each
            for each in cards
            if (card := pool.get_card(each)) and card.weakness is WeaknessKind.BASIC
        ]
        return Entering(
            code,
            data[f"experience {code}"] or 0,
            data[f"physical {code}"] or 0,
            data[f"mental {code}"] or 0,
            cards=tuple(each for each in cards if each not in basic),
            weaknesses=tuple(basic),
        )

    def _gone(self) -> Iterator[Entering]:
        for name, fate in (("killed", Fate.KILLED), ("insane", Fate.DRIVEN_INSANE)):
            for code in self.cleaned_data[name]:
                if code not in self.known.sitting:
                    yield Entering(code, fate=fate)

    def _counted(self, start: str) -> dict[str, int]:
        return {
            name.removeprefix(start): number
            for name, number in self.cleaned_data.items()
            if name.startswith(start) and number
        }

    def _said(self, start: str) -> Iterator[tuple[str, str]]:
        for name, chosen in self.cleaned_data.items():
            if name.startswith(start):
                for each in chosen:
                    yield name.removeprefix(start), each

    def _written(self) -> Iterator[tuple[str, str]]:
        for name, text in self.cleaned_data.items():
            if name.startswith("words "):
                for line in filter(None, map(str.strip, whole(text).splitlines())):
                    yield name.removeprefix("words "), line[:LONGEST_WORDS]


# Sections whose lines are no words.
_NO_LINES = frozenset(
    {"count", "investigator_count", "supplies", "header", "partner", "scarlet_keys"}
)
