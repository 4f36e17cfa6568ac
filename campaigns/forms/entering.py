"""The form for everything on the sheet of a campaign that began on paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.by_hand.facts import campaign_facts, known_campaigns
from arkham.rules.campaign.model.guide import Section
from arkham.rules.campaign.paper import EnteredInvestigator, Position, crossed_out_whole
from arkham.rules.campaign.paper.judging import marks
from arkham.rules.campaign.reading.references import (
    listed_cards,
    naming_lines,
    waiting_pool,
)
from arkham.rules.campaign.settlement import Fate
from arkham.rules.campaign.state.state import HARD_TIMES_VALUE
from arkham.rules.chaos import Token
from arkham.rules.chaos.bag import LIMITS, PASSING
from arkham.web.forms import offer_choices
from arkham.web.language import word_of
from campaigns.forms.entering_parts import BelongingsForm, PaperFormContext, PlaceForm
from campaigns.questions.form import cards_named
from campaigns.questions.question import LONGEST_WORDS
from campaigns.services.writing import LONGEST_REASON
from campaigns.words.names import readable
from decks.lists.content import whole

MOST_EXPERIENCE, MOST_TRAUMA, MOST_TOKENS, MOST_COUNT = 200, 12, 20, 99
Choices = Sequence[tuple[str, str]]
Written = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PersonFields:
    """The fields of a person: figures, counts and cards."""

    name: str
    figures: list[forms.BoundField]
    numbers: list[forms.BoundField]
    others: list[forms.BoundField]

    @property
    def is_open(self) -> bool:
        """Whether a count has an error, which must be visible."""
        return any(field.errors for field in self.numbers)


@dataclass(frozen=True, slots=True)
class SectionFields:
    """The fields of a section: recorded lines, and crossed-out ones."""

    standing: list[forms.BoundField]
    crossed_out: list[forms.BoundField]

    @property
    def is_open(self) -> bool:
        """Whether a field has an error, which must be visible."""
        return any(field.errors for field in (*self.standing, *self.crossed_out))


class StandingForm(forms.Form):
    """Everything on the paper sheet."""

    killed = forms.CharField(
        label=gettext_lazy("Investigators who were killed, one per line"),
        required=False,
        widget=forms.Textarea({"rows": 2}),
    )
    insane = forms.CharField(
        label=gettext_lazy("Investigators who were driven insane, one per line"),
        required=False,
        widget=forms.Textarea({"rows": 2}),
    )
    played = forms.MultipleChoiceField(
        label=gettext_lazy("Played so far"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    reason = forms.CharField(
        label=gettext_lazy("Note for the log"),
        max_length=LONGEST_REASON,
        initial=gettext_lazy("Started on paper."),
    )

    def __init__(
        self, known: PaperFormContext, place: PlaceForm, data: Any = None
    ) -> None:
        super().__init__(data)
        self.known, self.place = known, place
        self.belongings = BelongingsForm(known, data)
        guide = known.names.guide
        self.sections = [each for each in guide.sections if not each.hidden]
        self.wholes, self.marks = crossed_out_whole(guide), marks(guide)
        self.waits = bool(waiting_pool(guide))
        self.listed, self.naming = listed_cards(guide), naming_lines(guide)
        listed = dict.fromkeys((*(place.order or guide.order), *guide.scenarios))
        listed.pop(place.cleaned_data["scenario"], None)
        names = [(each, known.names.scenario(each)) for each in listed]
        offer_choices(self, "played", names)
        self.fields["played"].initial = list(place.before())
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
        # In the page's order, because it opens at the first field with an error.
        last = ("played", "killed", "insane", "reason")
        self.order_fields([each for each in self.fields if each not in last])

    def _add_number(self, name: str, label: str, most: int, initial: int = 0) -> None:
        self.fields[name] = forms.IntegerField(
            label=label, min_value=0, max_value=most, initial=initial, required=False
        )

    def _add_person(self, code: str) -> None:
        self._add_number(f"experience {code}", _("Unspent experience"), MOST_EXPERIENCE)
        if self.waits:
            label = _("Experience you can’t spend yet")
            self._add_number(f"waiting {code}", label, MOST_EXPERIENCE)
        card = self.known.names.pool.get_card(code)
        health, sanity = (card.health, card.sanity) if card else (None, None)
        # Body of a Yithian may be among the cards; the judge knows the exact limits.
        for name, label, most in (
            (f"physical {code}", _("Physical"), health),
            (f"mental {code}", _("Mental"), sanity),
        ):
            self._add_number(name, label, max(most or MOST_TRAUMA, HARD_TIMES_VALUE))
        self.fields[f"cards {code}"] = forms.CharField(
            label=_("Story cards and weaknesses of the campaign, one per line"),
            required=False,
            widget=forms.Textarea({"rows": 2}),
        )

    def _add_section(self, section: Section) -> None:
        """Add a section's count, or its possible lines and free text."""
        for place, label in self._numbers(section):
            self._add_number(f"count {place}", label, MOST_COUNT)
        if section.kind in _NO_LINES:
            return
        for place, label in self._about(section):
            self.fields[f"named {place}"] = forms.CharField(
                label=label, required=False, widget=forms.Textarea({"rows": 1})
            )
        lines = self._lines(section)
        whole = [("", _("The whole section"))] if section.id in self.wholes else []
        for name, label, choices in (
            ("lines", _("Recorded"), lines),
            ("crossed", _("Crossed out"), [*whole, *lines]),
        ):
            if choices:
                self.fields[f"{name} {section.id}"] = forms.MultipleChoiceField(
                    label=label,
                    choices=choices,
                    required=False,
                    widget=forms.CheckboxSelectMultiple,
                )
        for name, label in (
            ("words", _("Other lines")),
            ("struck", _("Other lines that are crossed out")),
        ):
            self.fields[f"{name} {section.id}"] = forms.CharField(
                label=label, required=False, widget=forms.Textarea({"rows": 2})
            )

    def _lines(self, section: Section) -> Choices:
        names = self.known.names
        later = self.known.later(self.place.before())
        found = []
        cards = dict.fromkeys(self.listed.get(section.id, ()), "#name#")
        for each, text in {**cards, **names.words.lines(section.id)}.items():
            known = (c for c in (each, section.id) if names.is_card(c))
            name = names.card(code) if (code := next(known, "")) else "#"
            if (
                "#" not in text.replace("#name#", name)
                and (section.id, each) not in later
            ):
                found.append((each, names.phrase(section.id, each, name) or name))
        return found

    def _about(self, section: Section) -> Iterator[tuple[str, str]]:
        """Yield the lines that name cards or people."""
        later = self.known.later(self.place.before())
        for place in self.naming:
            if place[0] == section.id and place not in later:
                yield ".".join(place), self.known.names.phrase(*place, "…")

    def _numbers(self, section: Section) -> Iterator[tuple[str, str]]:
        title = self.known.names.section(section.id)
        if section.kind == "count":
            yield section.id, title
        for place, track in self.marks.items():
            if track == section.id:
                words = self.known.names.phrase(*place.split(".", 1))
                yield place, f"{title}: {words.rstrip(' …')}"
        campaign = self.known.names.guide.id
        if campaign not in known_campaigns():
            return
        for line_id in campaign_facts(campaign).numbers.get(section.id, ()):
            if line_id != "$count":
                label = readable(line_id.removeprefix(f"{campaign}_"))
                yield f"{section.id}.{line_id}", f"{title}: {label}"

    # -- groups for the page --

    @property
    def people(self) -> Iterator[PersonFields]:
        """Everyone's fields."""
        for code in self.known.sitting:
            yield PersonFields(
                self.known.names.card(code),
                [
                    self[f"{each} {code}"]
                    for each in ("experience", "waiting", "physical", "mental")
                    if f"{each} {code}" in self.fields
                ],
                self.belongings.numbers_of(code),
                [self[f"cards {code}"], *self.belongings.tasks_of(code)],
            )

    @property
    def tokens(self) -> list[forms.BoundField]:
        """The number fields of each token."""
        return [self[name] for name in self.fields if name.startswith("token ")]

    @property
    def parts(self) -> Iterator[tuple[str, SectionFields]]:
        """The sections of the log with their fields."""
        for section in self.sections:
            places = {f"count {place}" for place, _label in self._numbers(section)}
            places |= {f"named {place}" for place, _label in self._about(section)}
            found = SectionFields(
                self._those(places, section, "lines", "words"),
                self._those(set(), section, "crossed", "struck"),
            )
            if found.standing or found.crossed_out:
                yield self.known.names.section(section.id), found

    def _those(
        self, wanted: set[str], section: Section, *kinds: str
    ) -> list[forms.BoundField]:
        names = wanted | {f"{kind} {section.id}" for kind in kinds}
        return [self[name] for name in self.fields if name in names]

    # -- the result --

    def is_valid(self) -> bool:
        """Return whether everything is valid."""
        return super().is_valid() & self.belongings.is_valid()

    def clean(self) -> dict[str, Any]:
        """Require that every named card exists."""
        data = super().clean() or {}
        for name in self.fields:
            if name.startswith(("cards ", "named ")) or name in ("killed", "insane"):
                try:
                    data[name] = self._codes(data.get(name, ""))
                except LookupError as error:
                    self.add_error(name, str(error))
        return data

    def _codes(self, text: str, first: tuple[str, ...] = ()) -> list[str]:
        """Return cards by name; ``first``, then the campaign's own, have priority."""
        names = self.known.names
        own = {name.casefold(): code for code, name in names.guide.cards.items()}
        people = (*self.known.names.guide.partners, *self.known.sitting)
        for code in (*names.guide.cards, *people, *first):
            own[names.card(code).casefold()] = code
        lines = (line.strip() for line in text.splitlines())
        asked = "\n".join(own.get(line.casefold(), line) for line in lines)
        return cards_named(asked, self.known.names.pool)

    @property
    def position(self) -> Position:
        """The position of the campaign; only if the form is valid."""
        crossed, struck = [*self._said("crossed ")], [*self._written("struck ")]
        cards = dict(self._cards_among((*self._written("words "), *struck)))
        crossed += [cards[each] for each in struck if each in cards]
        lines = dict.fromkeys(
            (*self._said("lines "), *cards.values(), *filter(all, crossed))
        )
        struck = [each for each in struck if each not in cards]
        words = [each for each in self._written("words ") if each not in cards]
        position = Position(
            self.place.cleaned_data["scenario"],
            (*map(self._person, self.known.sitting), *self._gone()),
            self._counted("token "),
            self.place.cleaned_data["difficulty"],
            lines=tuple(lines),
            crossed_out=(*crossed, *struck),
            words=(*words, *struck),
            counts=self._counted("count "),
            played=tuple(self.cleaned_data["played"]),
            order=self.place.order,
            named={
                name.removeprefix("named "): tuple(codes)
                for name, codes in self.cleaned_data.items()
                if name.startswith("named ") and codes
            },
        )
        return self.belongings.added_to(position)

    def _cards_among(
        self, words: Iterable[Written]
    ) -> Iterator[tuple[Written, Written]]:
        """Yield free text that names a card, in sections whose lines are cards."""
        for section, line in words:
            if section in self.listed:
                with suppress(LookupError):
                    (code,) = self._codes(line, self.listed[section])
                    yield (section, line), (section, code)

    def _person(self, code: str) -> EnteredInvestigator:
        data = self.cleaned_data
        return EnteredInvestigator(
            code,
            data[f"experience {code}"] or 0,
            data[f"physical {code}"] or 0,
            data[f"mental {code}"] or 0,
            cards=tuple(data[f"cards {code}"]),
            waiting=data.get(f"waiting {code}") or 0,
        )

    def _gone(self) -> Iterator[EnteredInvestigator]:
        for name, fate in (("killed", Fate.KILLED), ("insane", Fate.DRIVEN_INSANE)):
            for code in self.cleaned_data[name]:
                if code not in self.known.sitting:
                    yield EnteredInvestigator(code, fate=fate)

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

    def _written(self, start: str) -> Iterator[tuple[str, str]]:
        for name, text in self.cleaned_data.items():
            if name.startswith(start):
                for line in filter(None, map(str.strip, whole(text).splitlines())):
                    yield name.removeprefix(start), line[:LONGEST_WORDS]


# Sections without text lines.
_NO_LINES = frozenset(
    {"count", "investigator_count", "supplies", "header", "partner", "scarlet_keys"}
)
