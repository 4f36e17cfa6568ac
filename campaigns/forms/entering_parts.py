"""Parts of the form for a campaign that began on paper: its place, and belongings.

The place is the scenario the campaign has reached. Belongings are what people have on
paper besides trauma and cards: supplies, tasks, keys, partners, and the table's place
on its map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.by_hand.facts import campaign_facts, known_campaigns
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.paper import EnteredPartner, Position, orderings
from arkham.rules.campaign.paper.judging import STATES
from arkham.rules.campaign.reading.references import key_thieves
from arkham.rules.chaos.starting import Difficulty
from arkham.web.forms import offer_choices
from campaigns.words.changes import PARTNER_WORDS
from campaigns.words.log_entries import question
from campaigns.words.names import CHOICES, CampaignNames

PRINTING = "printing"


@dataclass(frozen=True, slots=True)
class PaperFormContext:
    """The data of these forms: names and seated investigators."""

    names: CampaignNames
    sitting: tuple[str, ...]

    @property
    def orders(self) -> dict[str, tuple[str, ...]]:
        """The possible orders of play, if there are several."""
        found = orderings(self.names.guide)
        return {f"{each.step}.{each.choice.id}": each.order for each in found}

    def bag(self, difficulty: str) -> Mapping[str, int]:
        """Return the starting bag of a difficulty, if it is known."""
        campaign = self.names.guide.id
        if campaign not in known_campaigns() or difficulty not in {*Difficulty}:
            return {}
        bag = campaign_facts(campaign).bags.get(Difficulty(difficulty))
        return {token.value: count for token, count in bag.counts} if bag else {}

    def later(self, played: tuple[str, ...]) -> set[tuple[str, str]]:
        """Return lines that are only written after these scenarios, as far as known."""
        campaign = self.names.guide.id
        if campaign not in known_campaigns() or not played:
            return set()
        facts = campaign_facts(campaign)
        earlier = {*facts.setup.lines}
        for each in played:
            earlier |= {
                *(facts.scenarios[each].lines if each in facts.scenarios else ())
            }
        return {
            line for each in facts.scenarios.values() for line in each.lines
        } - earlier


class PlaceForm(forms.Form):
    """The current scenario, and the difficulty."""

    scenario = forms.ChoiceField(label=gettext_lazy("The scenario you will play now"))
    difficulty = forms.ChoiceField(
        label=gettext_lazy("Difficulty"),
        choices=[(each.value, CHOICES[each.value]) for each in Difficulty],
        initial=Difficulty.STANDARD.value,
    )

    def __init__(self, known: PaperFormContext, data: Any = None) -> None:
        super().__init__(data)
        self.known = known
        guide = known.names.guide
        listed = dict.fromkeys((*guide.order, *guide.scenarios))
        names = [(each, known.names.scenario(each)) for each in listed]
        offer_choices(self, "scenario", names)
        if found := orderings(guide):
            self.fields[PRINTING] = forms.ChoiceField(
                label=question(SETUP, found[0].step, known.names),
                choices=[
                    (f"{step}.{choice.id}", known.names.choice(SETUP, step, choice.id))
                    for step, choice, _order in found
                ],
            )

    @property
    def order(self) -> tuple[str, ...]:
        """The chosen order of play; empty for the guide's."""
        return self.known.orders.get(self.cleaned_data.get(PRINTING, ""), ())

    def before(self) -> tuple[str, ...]:
        """Return the scenarios before the current one in that order."""
        order = self.order or self.known.names.guide.order
        scenario = self.cleaned_data["scenario"]
        return order[: order.index(scenario)] if scenario in order else ()


MOST_OWN = 99
Choices = Sequence[tuple[str, str]]
Fields = list[forms.BoundField]


class BelongingsForm(forms.Form):
    """Things that a campaign tracks about people and places."""

    def __init__(self, known: PaperFormContext, data: Any = None) -> None:
        super().__init__(data)
        self.known = known
        guide = known.names.guide
        is_known = guide.id in known_campaigns()
        self.facts = campaign_facts(guide.id) if is_known else None
        for code in known.sitting:
            for place, label in self._numbers():
                self._number(f"own {place} {code}", label)
            if self._tasks:
                self._several(f"tasks {code}", _("Tasks"), self._tasks)
        words = [(each, _state(each)) for each in STATES]
        for code, partner in self.known.names.guide.partners.items():
            health, sanity = partner.limits(resolute=True)
            self._number(f"damage {code}", _("Damage"), health)
            self._number(f"horror {code}", _("Horror"), sanity)
            self._several(f"states {code}", _("What happened to them"), words)
        bearing = (*known.sitting, *key_thieves(guide))
        bearers = [(code, known.names.card(code)) for code in bearing]
        for key, name in self._keys:
            self._one(f"key {key}", name, [("", _("not found")), *bearers])
        if guide.map:
            places = sorted(
                ((each, known.names.place(each)) for each in guide.map),
                key=lambda place: place[1],
            )
            self._one("location", _("Where you are now"), [("", "–"), *places])
            self._several("visited", _("Visited"), places)
            locked = [each for each in places if guide.map[each[0]].status == "locked"]
            self._several("opened", _("Open to you"), locked)

    # -- content --

    def _numbers(self) -> Iterator[tuple[str, str]]:
        """Yield the counts of each investigator: supplies, and counted sections."""
        supplies = self.facts.supplies if self.facts else {}
        for section in self.known.names.guide.sections:
            if section.hidden:
                continue
            for supply, name in supplies.get(section.id, {}).items():
                yield f"{section.id}.{supply}", name
            if section.kind == "investigator_count":
                yield f"{section.id}.$count", self.known.names.section(section.id)

    @property
    def _tasks(self) -> Choices:
        names = self.known.names
        scenarios = self.facts.scenarios.values() if self.facts else ()
        places = dict.fromkeys(each for one in scenarios for each in one.tasks)
        return [
            (f"{section}.{task}", names.phrase(section, task))
            for section, task in places
        ]

    @property
    def _keys(self) -> Choices:
        keys = self.facts.keys if self.facts else {}
        return [each for named in keys.values() for each in named.items()]

    # -- fields --

    def _number(self, name: str, label: str, most: int = MOST_OWN) -> None:
        self.fields[name] = forms.IntegerField(
            label=label, min_value=0, max_value=most, initial=0, required=False
        )

    def _several(self, name: str, label: str, choices: Choices) -> None:
        self.fields[name] = forms.MultipleChoiceField(
            label=label,
            choices=choices,
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )

    def _one(self, name: str, label: str, choices: Choices) -> None:
        self.fields[name] = forms.ChoiceField(
            label=label, choices=choices, required=False
        )

    # -- groups for the page --

    def numbers_of(self, code: str) -> Fields:
        """Return the counts of one investigator."""
        return [self[f"own {place} {code}"] for place, _label in self._numbers()]

    def tasks_of(self, code: str) -> Fields:
        """Return the tasks of one investigator, if there are any."""
        return [self[f"tasks {code}"]] if self._tasks else []

    @property
    def partners(self) -> Iterator[tuple[str, Fields, forms.BoundField]]:
        """Each partner's fields: damage, horror, and states."""
        for code in self.known.names.guide.partners:
            hurt = [self[f"damage {code}"], self[f"horror {code}"]]
            yield self.known.names.card(code), hurt, self[f"states {code}"]

    @property
    def keys(self) -> Fields:
        """The field of each key's bearer."""
        return [self[f"key {key}"] for key, _name in self._keys]

    @property
    def places(self) -> Fields:
        """The fields of the map: the table's place, visited and opened ones."""
        names = ("location", "visited", "opened")
        return [self[name] for name in names if name in self.fields]

    # -- the result --

    def added_to(self, position: Position) -> Position:
        """Return the position with all of this; only if the form is valid."""
        data = self.cleaned_data
        people = tuple(
            each
            if each.code not in self.known.sitting
            else each._replace(
                counts=self._counted(each.code),
                lines=tuple(
                    (place.partition(".")[0], place.partition(".")[2])
                    for place in data.get(f"tasks {each.code}", ())
                ),
            )
            for each in position.people
        )
        partners = (
            EnteredPartner(
                code,
                data[f"damage {code}"] or 0,
                data[f"horror {code}"] or 0,
                tuple(data[f"states {code}"]),
            )
            for code in self.known.names.guide.partners
        )
        borne = {key: data[f"key {key}"] for key, _name in self._keys}
        return position._replace(
            people=people,
            partners=tuple(each for each in partners if any(each[1:])),
            keys={key: bearer for key, bearer in borne.items() if bearer},
            location=data.get("location", ""),
            visited=tuple(data.get("visited", ())),
            opened=tuple(data.get("opened", ())),
        )

    def _counted(self, code: str) -> dict[str, int]:
        counted = {
            place: self.cleaned_data[f"own {place} {code}"] or 0
            for place, _label in self._numbers()
        }
        return {place: number for place, number in counted.items() if number}


def _state(word: str) -> str:
    return str(PARTNER_WORDS.get(word) or _("crossed out"))
