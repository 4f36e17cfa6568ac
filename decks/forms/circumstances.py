"""The form for everything about a table that a deck list doesn't include."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, cast

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.deck import Environment
from arkham.rules.notation.circumstances_json import CYCLES_OF_LIMITED
from arkham.rules.notation.meta import CHOICE_KEYS
from arkham.rules.notation.names import names_of
from arkham.rules.rulings import DEFAULT_RULINGS, RULINGS
from arkham.rules.ultimatums import ULTIMATUMS
from cardpool.relations import full_name
from cardpool.words import no_card_called
from decks.forms.terms import MOST_EXPERIENCE, DeckTermsForm, LinesInput
from decks.pages import terms
from decks.pages.display import Judged
from decks.services.beginning import ARRIVAL

MOST_PLAYERS = 4


class Boxes(forms.CheckboxSelectMultiple):
    """Django's check boxes, rendered at once because there may be hundreds."""

    def render(
        self,
        name: str,
        value: Any,
        attrs: dict[str, Any] | None = None,
        renderer: object = None,
    ) -> SafeString:
        """Render a box and its label for every choice."""
        base = (attrs or {}).get("id", f"id_{name}")
        # A value may be offered and chosen several times, with a box for each.
        chosen = Counter(str(each) for each in value or ())
        rows = []
        for at, (each, label) in enumerate(self.choices):
            checked = _CHECKED[chosen[str(each)] > 0]
            chosen[str(each)] -= 1
            rows.append((base, at, name, each, base, at, checked, label))
        boxes = format_html_join(
            "",
            '<div><label for="{}_{}"><input type="checkbox" name="{}" value="{}" '
            'id="{}_{}"{}> {}</label></div>',
            rows,
        )
        return format_html('<div id="{}">{}</div>', base, boxes)


_CHECKED = {True: SafeString(" checked"), False: SafeString("")}


def date_of_environment(initial: object = None) -> forms.DateField:
    """Return the field for the date as of which an environment is current."""
    return forms.DateField(
        label=_("Current as of"),
        initial=initial,
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=_("Only for the current environment. Leave empty for the newest."),
    )


def require_environment(form: forms.Form, data: Mapping[str, Any]) -> None:
    """Require three cycles for a limited environment, and products for a list."""
    kind = data.get("environment")
    if kind == "limited" and len(data.get("cycles", ())) != CYCLES_OF_LIMITED:
        form.add_error("cycles", _("Choose three cycles."))
    if kind == "products" and not data.get("packs"):
        form.add_error("packs", _("Choose the products."))


class CircumstancesForm(DeckTermsForm):
    """Everything about a table that a deck list doesn't include."""

    prefix = None

    def __init__(self, judged: Judged, data: Any = None) -> None:
        super().__init__(judged, data)
        self._add_campaign()
        self._add_ultimatums()
        self._add_rulings()

    # The fields of each section of the page, in order.
    PARTS = (
        (gettext_lazy("The deck"), ("front", "back", *CHOICE_KEYS.values())),
        (gettext_lazy("The game"), ("taboo", "mode", "experience", "players")),
        (gettext_lazy("Products"), ("environment", "date", "cycles", "packs")),
        (
            gettext_lazy("The campaign so far"),
            (
                "arrival",
                "experience_earned",
                "story",
                "story_cards",
                "tasks_stated",
                "tasks",
                "lost_cards",
                "given_signatures",
            ),
        ),
        (gettext_lazy("Ultimatums and boons"), ("ultimatums", "banned_titles")),
    )

    def parts(self) -> list[tuple[terms.Words, list[forms.BoundField]]]:
        """Return the fields under their headings, without empty sections."""
        found = [
            (heading, [self[name] for name in names if name in self.fields])
            for heading, names in self.PARTS
        ]
        return [(heading, fields) for heading, fields in found if fields]

    def rulings(self) -> list[forms.BoundField]:
        """Return the fields of the rulings."""
        return [self[name] for name in self.fields if name in RULINGS]

    def _several(
        self,
        name: str,
        label: terms.Words,
        offers: terms.Offered,
        current: Iterable[str],
        help_text: terms.Words = "",
    ) -> None:
        """Add a field for several values, including current ones not on offer."""
        known = dict(offers)
        current = list(current)
        more = [(value, self._called(value)) for value in current if value not in known]
        self.fields[name] = forms.MultipleChoiceField(
            label=str(label),
            choices=[*offers, *more],
            initial=current,
            required=False,
            widget=Boxes,
            help_text=str(help_text),
        )

    def _called(self, value: str) -> str:
        """Return the name of a card or ultimatum, or else the value itself."""
        card = self.pool.get_card(value)
        if card is not None:
            return full_name(card, self.pool)
        return ULTIMATUMS[value].name if value in ULTIMATUMS else value

    def _add_environment(self) -> None:
        environment = self.judged.asked.circumstances.environment
        now = environment or Environment(packs=self.judged.asked.deck.card_pool)
        self._select(
            "environment",
            _("Environment"),
            terms.environments(self.judged),
            environment.kind if environment else "",
        )
        self.fields["date"] = date_of_environment(initial=now.date)
        self._several(
            "cycles",
            _("Cycles"),
            terms.cycles_of_limited(self.pool),
            now.cycles,
            _("Only for the limited environment: choose three."),
        )
        packs = sorted(
            self.pool.packs.values(), key=lambda each: (each.released, each.position)
        )
        self._several(
            "packs",
            _("Products"),
            [(each.code, each.name) for each in packs],
            now.packs,
            _("Only if you choose a list of products."),
        )

    def _add_campaign(self) -> None:
        circumstances = self.judged.content.circumstances
        self._number("players", _("Investigators in the game"), MOST_PLAYERS)
        self._several(
            "arrival",
            _("How the investigator joined the campaign"),
            [(each.value, label) for each, label in terms.ARRIVALS.items()],
            circumstances.get("arrival", ()),
        )
        self._number(
            "experience_earned",
            _("Experience earned since the beginning"),
            MOST_EXPERIENCE,
        )
        rows = self.judged.groups
        stories = [row for group in rows if group.key == "story" for row in group.rows]
        if stories or "story_cards" in circumstances:
            self.fields["story"] = forms.BooleanField(
                label=_("Choose the story cards earned"),
                initial="story_cards" in circumstances,
                required=False,
            )
            self._several(
                "story_cards",
                _("Earned"),
                [(row.code, row.name) for row in stories],
                circumstances.get("story_cards", ()),
            )
        tasks = self._tasks()
        if tasks or "tasks" in circumstances:
            self.fields["tasks_stated"] = forms.BooleanField(
                label=_("Choose the recorded tasks"),
                initial="tasks" in circumstances,
                required=False,
            )
            self._several("tasks", _("Recorded"), tasks, circumstances.get("tasks", ()))
        frame = self.judged.frame
        back = frame.printed_back if frame else None
        lost = circumstances.get("lost_cards", ())
        required = {
            each.original: frame.copies_required(each)[1]
            for each in (back.requirements if back else ())
            if frame is not None and each.original in self.pool
        }
        self._several(
            "lost_cards",
            _("Cards removed for the rest of the campaign"),
            self._each_copy(Counter(required) | Counter(lost)),
            lost,
        )
        advanced = [
            (code, self.pool[code].name)
            for each in (back.requirements if back else ())
            if (code := each.advanced or "") in self.pool
        ]
        if advanced or "given_signatures" in circumstances:
            self._several(
                "given_signatures",
                _("Advanced signatures earned in the campaign"),
                [*advanced],
                circumstances.get("given_signatures", ()),
            )

    def _each_copy(self, cards: Mapping[str, int]) -> terms.Offered:
        """Offer each card as often as there are copies of it, numbered."""
        numbered = _("%(name)s (copy %(number)d)")
        offers: terms.Offered = []
        for code, copies in cards.items():
            name = self._called(code)
            labels = [numbered % {"name": name, "number": n + 1} for n in range(copies)]
            offers += [(code, each) for each in (labels if copies > 1 else [name])]
        return offers

    def _tasks(self) -> terms.Offered:
        """Offer the lower-level versions of researched cards in the deck."""
        lower = {
            code
            for row in self.judged.rows
            if row.card is not None and row.card.researched
            for code in row.card.researched_from
            if code in self.pool
        }
        return [(code, self.pool[code].name) for code in sorted(lower)]

    def _add_ultimatums(self) -> None:
        circumstances = self.judged.content.circumstances
        self._several(
            "ultimatums",
            _("In use"),
            [(row.id, row.name) for row in ULTIMATUMS.values() if row.touches_decks],
            circumstances.get("ultimatums", ()),
            _("Those that affect deckbuilding."),
        )
        self.fields["banned_titles"] = forms.CharField(
            label=_("Allies lost to The Scream, one per line"),
            initial="\n".join(circumstances.get("banned_titles", ())),
            required=False,
            widget=LinesInput(attrs={"rows": 3}),
        )

    def _add_rulings(self) -> None:
        rulings = dict(self.judged.asked.circumstances.rulings)
        for ruling in RULINGS.values():
            self._select(
                ruling.id,
                _(ruling.question),
                [(value, _(meaning)) for value, meaning in ruling.readings],
                rulings.get(ruling.id, ruling.default),
            )

    def clean_banned_titles(self) -> list[str]:
        """Return the titles as printed; refuse the first line that names no card."""
        titles = []
        lines = map(str.strip, self.cleaned_data["banned_titles"].splitlines())
        for number, line in enumerate(lines, 1):
            called = names_of(self.pool).called(line) if line else []
            if line and not called:
                widget = cast(LinesInput, self.fields["banned_titles"].widget)
                widget.offer(number, names_of(self.pool).like(line))
                raise forms.ValidationError(no_card_called(line, self.pool))
            titles += [each.title for each in called[:1]]
        return titles

    def clean(self) -> dict[str, Any]:
        """Require what belongs to the environment."""
        data = super().clean() or {}
        require_environment(self, data)
        return data

    def decided(self) -> dict[str, Any]:
        """Return the circumstances chosen here; None for those left open."""
        data = self.cleaned_data
        decided = super().decided() | {
            "environment": self._environment(),
            "players": data["players"],
            "experience_earned": data["experience_earned"],
            "arrival": self._arrival(),
            "lost_cards": data["lost_cards"] or None,
            "ultimatums": data["ultimatums"] or None,
            "banned_titles": data["banned_titles"] or None,
            "rulings": {
                each: data[each]
                for each in RULINGS
                if data[each] not in ("", DEFAULT_RULINGS[each])
            }
            or None,
        }
        if "given_signatures" in data:
            decided["given_signatures"] = data["given_signatures"] or None
        if "story" in data:
            decided["story_cards"] = data["story_cards"] if data["story"] else None
        if "tasks_stated" in data:
            decided["tasks"] = data["tasks"] if data["tasks_stated"] else None
        return decided

    def _arrival(self) -> list[str] | None:
        """Return the arrival if it is chosen, or was before; else None."""
        chosen: list[str] = self.cleaned_data["arrival"]
        was_given = ARRIVAL in self.judged.content.circumstances
        return chosen if chosen or was_given else None

    def _environment(self) -> dict[str, Any] | None:
        data = self.cleaned_data
        kind = data["environment"]
        if kind == "current":
            day = data["date"]
            return {"kind": kind, "date": day.isoformat()} if day else {"kind": kind}
        if kind == "limited":
            return {"kind": kind, "cycles": data["cycles"]}
        if kind == "products":
            return {"kind": kind, "packs": data["packs"]}
        return {"kind": kind} if kind else None
