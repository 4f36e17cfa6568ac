"""Trauma, fates and notes changed by hand, and corrections of decks.

``CorrectionContext`` is shared by these forms: the campaign and its names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.interpreter.replay import START, START_SIDE, Replay
from arkham.rules.campaign.model.app_names import (
    BY_CARD,
    COPIES,
    COUNTED_BY_UPGRADE,
    EXPERIENCE,
    TRAUMA_BY_CARD,
)
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.model.prompts import UpgradeDecks
from arkham.rules.campaign.prompts.decks import counted_by, held_cards
from arkham.rules.campaign.state.answers import Answer, Changes
from arkham.rules.campaign.state.ledger import Person
from arkham.web.forms import offer_choices
from campaigns.settling.cards import reported_for
from campaigns.words.names import CampaignNames
from decks.lists.content import whole


class CorrectionContext:
    """The campaign a form is about, and the names of its things."""

    def __init__(self, replay: Replay, names: CampaignNames) -> None:
        self.replay, self.names = replay, names

    @property
    def last(self) -> str:
        """The last finished scenario; "" before the first."""
        found = [
            each.id for each in self.replay.scenarios if each.status == "completed"
        ]
        return found[-1] if found else ""

    @property
    def again(self) -> str:
        """The scenario begun last, if it can be restarted; else ""."""
        # Scenarios from before the log began have no answers to undo.
        starts = {
            each.scenario
            for each in self.replay.used
            if isinstance(each, Answer) and each.kind in (START, START_SIDE)
        }
        found = [each for each in self.replay.begun if each in starts]
        return found[-1] if found and found[-1] != SETUP else ""

    @property
    def is_between(self) -> bool:
        """Whether no scenario is under way."""
        pending = self.replay.pending
        return bool(self.last) and (pending is None or pending.kind == START)

    @property
    def upgrading(self) -> tuple[str, ...]:
        """The investigators whose decks are being upgraded."""
        pending = self.replay.pending
        if pending is None or not pending.is_upgrade:
            return ()
        return pending.codes


class BetweenForm(forms.Form):
    """A form for what a table records between two scenarios."""

    title: str | Promise = ""
    help: str | Promise = ""
    submit: str | Promise = gettext_lazy("Record it")
    kind = ""
    codes: tuple[str, ...] = ()  # the investigators it is about; empty for the table

    def __init__(
        self, context: CorrectionContext, data: Any = None, *, prefix: str = ""
    ) -> None:
        super().__init__(data, auto_id=f"{prefix or self.kind}_%s")
        self.context = context
        self.prepare()

    def prepare(self) -> None:
        """Set the choices of the fields."""

    @property
    def named_rows(self) -> Iterable[tuple[str, list[forms.BoundField]]]:
        """The rows of fields, each with the investigator it is about, or ""."""
        return [("", [field]) for field in self]

    def answer(self) -> Answer:
        """Return the answer; only if the form is valid."""
        raise NotImplementedError


CHANGES = "inter_scenario"
LONGEST_NOTE = 300
MOST_NOTES = 20
MOST = 99  # limit of one correction
MOST_TRAUMA = 20
ALIVE, KILLED, INSANE = "", "killed", "insane"
_NUMBERS = (EXPERIENCE, "physical", "mental", KILLED, INSANE, COUNTED_BY_UPGRADE)
FATES = (
    (ALIVE, gettext_lazy("Still playing")),
    (KILLED, gettext_lazy("Killed")),
    (INSANE, gettext_lazy("Driven insane")),
)


class ChangesForm(BetweenForm):
    """Trauma and fates as they are after the last scenario, and notes."""

    title = gettext_lazy("Change trauma, fates or notes")
    help = gettext_lazy(
        "As they should be after the last scenario. Only changes are recorded."
    )
    kind = CHANGES
    notes = forms.CharField(
        label=gettext_lazy("Notes for the log, one per line"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=LONGEST_NOTE * MOST_NOTES,
    )

    def prepare(self) -> None:
        """Add a row for every known investigator."""
        earlier = self._earlier()
        self.fields["notes"].initial = "\n".join(earlier.notes)
        self.listed_before = {code for code, *_more in earlier.trauma}
        state = self.context.replay.state
        self.people = [
            code
            for code in dict.fromkeys((*state.players, *state.people))
            if code not in state.partners
        ]
        for code in self.people:
            physical, mental, fate = self._now(code)
            limits = state.limits(code, state.people.get(code))
            for what, label, initial, most in zip(
                ("physical", "mental"),
                (_("Physical trauma"), _("Mental trauma")),
                (physical, mental),
                limits or (MOST_TRAUMA, MOST_TRAUMA),
                strict=True,
            ):
                self.fields[f"{what}_{code}"] = forms.IntegerField(
                    label=label,
                    min_value=0,
                    max_value=max(most, initial),
                    initial=initial,
                )
            self.fields[f"fate_{code}"] = forms.ChoiceField(
                label=_("Fate"), choices=FATES, initial=fate, required=False
            )
        self.order_fields([*(each for each in self.fields if each != "notes"), "notes"])

    def _earlier(self) -> Changes:
        """Return the earlier changes of this scenario, which the new ones replace."""
        for each in reversed(self.context.replay.used):
            if isinstance(each, Answer) and each[:2] == (CHANGES, self.context.last):
                found: Changes = each.value
                return found
        return Changes((), ())

    def _now(self, code: str) -> tuple[int, int, str]:
        state = self.context.replay.state
        person = state.people.get(code) or Person()
        fate = KILLED if person.killed else INSANE if person.insane else ALIVE
        return *state.trauma(code), fate

    @property
    def named_rows(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """The fields of each investigator together, then the notes."""
        for code in self.people:
            fields = [self[f"{what}_{code}"] for what in ("physical", "mental", "fate")]
            yield self.context.names.card(code), fields
        yield "", [self["notes"]]

    def clean(self) -> dict[str, Any]:
        """Limit the number and length of the notes."""
        data = super().clean() or {}
        lines = whole(data.get("notes", "")).splitlines()
        notes = [each.strip() for each in lines if each.strip()]
        if len(notes) > MOST_NOTES or any(len(each) > LONGEST_NOTE for each in notes):
            message = _("At most %(lines)d lines of %(letters)d letters.")
            self.add_error(
                "notes", message % {"lines": MOST_NOTES, "letters": LONGEST_NOTE}
            )
        return {**data, "notes": notes}

    def answer(self) -> Answer:
        """Return the changes, with the earlier ones of the same scenario."""
        data = self.cleaned_data
        trauma = []
        for code in self.people:
            physical, mental = data[f"physical_{code}"], data[f"mental_{code}"]
            fate = data[f"fate_{code}"]
            if code in self.listed_before or (physical, mental, fate) != self._now(
                code
            ):
                killed, insane = fate == KILLED, fate == INSANE
                trauma.append((code, physical, mental, killed, insane))
        value = Changes(tuple(trauma), tuple(data["notes"]))
        return Answer(CHANGES, self.context.last, "", value)


def _number(label: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=-MOST, max_value=MOST, required=False, initial=0
    )


class DeckForm(BetweenForm):
    """The form that corrects a deck before it is upgraded."""

    kind = "deck"
    help = gettext_lazy("Enter what to add or subtract; the scenario’s results stay.")
    experience = _number(gettext_lazy("Experience"))
    physical = _number(gettext_lazy("Physical trauma"))
    mental = _number(gettext_lazy("Mental trauma"))
    fate = forms.ChoiceField(label=gettext_lazy("Fate"), choices=FATES, required=False)
    leaves = forms.MultipleChoiceField(
        label=gettext_lazy("Cards that leave the deck"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(
        self, context: CorrectionContext, data: Any = None, *, code: str
    ) -> None:
        self.code, self.codes = code, (code,)
        super().__init__(context, data, prefix=f"deck_{code}")
        name = context.names.card(code)
        self.title = _("Correct %(name)s’s results") % {"name": name}

    def prepare(self) -> None:
        """Set the current values, the guide's counts, and the campaign's cards."""
        pending = self.context.replay.pending
        assert pending is not None
        self.before = reported_for(self.context.replay, pending, self.code)
        self._count()
        for name, key in self._numbers().items():
            self.fields[name].initial = self.before.get(key, (0,))[0]
        fates = (fate for fate in (KILLED, INSANE) if fate in self.before)
        self.fields["fate"].initial = next(fates, ALIVE)
        self._leave()

    def _numbers(self) -> dict[str, str]:
        """Return the number fields, with their keys in the answer."""
        own = {"experience": EXPERIENCE, "physical": "physical", "mental": "mental"}
        return own | self.counted

    def _leave(self) -> None:
        """Offer the campaign's cards, including those that leave the deck."""
        person = self.context.replay.state.people.get(self.code)
        held = held_cards(person) if person is not None else {}
        names = self.context.names
        gone = [key for key in self.before if _is_card(key)]
        cards = dict.fromkeys([*(card for card, n in held.items() if n > 0), *gone])
        choices = [(card, names.card(card)) for card in cards]
        self.fields["leaves"].initial = gone
        if not choices:
            del self.fields["leaves"]
            return
        offer_choices(self, "leaves", choices)

    def _count(self) -> None:
        """Add a count and copies of cards, if the guide asks for them."""
        pending = self.context.replay.pending
        assert pending is not None
        self.counted = {key.replace("#", "_"): key for key in pending.keys}
        for name, key in self.counted.items():
            self.fields[name] = _number(self._counted(key))
        self.order_fields([each for each in self.fields if each != "leaves"])

    def _counted(self, key: str) -> str:
        """Return the label of a count: a section of the log, or a card."""
        names, pending = self.context.names, self.context.replay.pending
        if key != COUNTED_BY_UPGRADE:
            copies = names.card(key.removeprefix(COPIES))
            return _("Copies of %(card)s") % {"card": copies}
        assert pending is not None
        asked = names.question_at(pending.scenario, pending.step)
        own = asked.prompt if asked is not None else None
        prompt = own if isinstance(own, UpgradeDecks) else UpgradeDecks()
        return names.section(counted_by(self.context.replay.state, prompt))

    def clean(self) -> dict[str, Any]:
        """Require some correction."""
        data = super().clean() or {}
        if not self.errors and not any(data.values()) and not self.before:
            raise forms.ValidationError(_("This wouldn’t change anything."))
        return data

    def answer(self) -> Answer:
        """Return the correction as an answer about the deck."""
        data, pending = self.cleaned_data, self.context.replay.pending
        assert pending is not None
        numbers = {
            **{key: data[name] for name, key in self._numbers().items()},
            KILLED: data["fate"] == KILLED,
            INSANE: data["fate"] == INSANE,
            **{card: self.before.get(card, (1,))[0] for card in data.get("leaves", ())},
        }
        own = {*numbers, *filter(_is_card, self.before)}
        value = {key: entered for key, entered in self.before.items() if key not in own}
        value |= {key: (int(number),) for key, number in numbers.items() if number}
        return Answer(
            "choice_list", pending.scenario, f"{pending.step}#{self.code}", value
        )


def _is_card(key: str) -> bool:
    """Return whether a key of a deck's answer is a card that leaves the deck."""
    return key not in _NUMBERS and not key.startswith((BY_CARD, TRAUMA_BY_CARD, COPIES))
