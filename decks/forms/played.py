"""The form for cards a deck lost or gained in a game, and other events."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.notation.names import names_of
from arkham.rules.upgrade.price_rules import DEVOURERS, RAVEN_QUILL, TABLE_REDUCTIONS
from arkham.rules.upgrade.window import window_copies
from arkham.rules.vocabulary import CardType
from arkham.signs import SIGNS
from cardpool.markup import linked
from cardpool.relations import researched_into
from cardpool.words import fold, no_card_called
from decks.forms.search import CLASSES
from decks.forms.terms import LinesInput
from decks.pages.display import Judged
from decks.pages.rows import Row, SideEntry
from decks.services.ledger import MOST_EARNED

MOST_GRANTED = 20
MOST_COPIES = 9  # no game exiles more copies of one card
_LINE = re.compile(r"(?:(\d{1,2})\s*[x×]?\s+)?(.+)")


class WindowForm(forms.Form):
    """Everything about a game that the next upgrade needs; ``window`` fills it in."""

    def __init__(
        self, judged: Judged, data: Any = None, window: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data, initial=_initial(window or {}))
        self.judged = judged
        self.pool = judged.pool
        # A card in both decks of an investigator is one line of the form.
        rows: dict[str, Row | SideEntry] = {}
        copies = Counter[str]()
        listed: list[Row | SideEntry] = []
        for group in judged.groups:
            listed += group.rows
        for row in [*listed, *judged.second_deck]:
            rows.setdefault(row.code, row)
            copies[row.code] += row.copies
        for code, row in rows.items():
            self._add_copies("exiled", row, copies[code])
            self._add_copies("taken", row, copies[code])
        self._add_granted()
        self._add_tasks()
        self._add_table_facts()
        self._add_boxes()

    # -- the fields --

    def _amount(
        self, name: str, label: str, least: int = 0, help_text: str = ""
    ) -> None:
        self.fields[name] = forms.IntegerField(
            label=label,
            min_value=least,
            max_value=MOST_EARNED,
            required=False,
            help_text=help_text,
        )

    def _add_copies(self, word: str, row: Row | SideEntry, copies: int) -> None:
        most = min(copies, MOST_COPIES)
        self.fields[f"{word}-{row.code}"] = forms.ChoiceField(
            label=linked(row.card, row.name) if row.card else row.name,
            choices=[(str(number), str(number)) for number in range(most + 1)],
            initial="0",
            required=False,
            widget=forms.RadioSelect,
        )

    def _add_granted(self) -> None:
        self.fields["granted"] = forms.CharField(
            label=_("Story cards and weaknesses added to the deck"),
            required=False,
            max_length=2_000,
            widget=LinesInput(attrs={"rows": 3, "spellcheck": "false"}),
            help_text=_("One per line: copies, then a name or a code."),
        )

    def _add_tasks(self) -> None:
        open_to = [
            row
            for row in self.judged.rows
            if row.card is not None and researched_into(row.card, self.pool)
        ]
        if open_to:
            self.fields["tasks"] = forms.MultipleChoiceField(
                label=_("Recorded tasks: cards identified or translated"),
                choices=[(row.code, row.name) for row in open_to],
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )

    def _add_table_facts(self) -> None:
        """Add fields for facts about cards that only the table knows."""
        held = {row.card.code for row in self.judged.rows if row.card is not None}
        for each in TABLE_REDUCTIONS:
            if each.code in held:
                self._amount(
                    each.counted, _("%(name)s: how many") % {"name": each.name}
                )
        if RAVEN_QUILL.code in held:
            self._add_quills()
        back = self.judged.back
        if back is not None and back.code in DEVOURERS:
            self.fields["devoured"] = forms.ChoiceField(
                label=_("Most devoured class"),
                choices=[("", _("None")), *((e, SIGNS[e].title) for e in CLASSES)],
                required=False,
            )
        for name, label in _CLOSED.items():
            self.fields[name] = forms.BooleanField(label=label, required=False)

    def _add_quills(self) -> None:
        assets = [
            (row.code, row.name)
            for row in self.judged.rows
            if row.card is not None and row.card.type is CardType.ASSET
        ]
        self.fields["quills"] = forms.ChoiceField(
            label=_("Asset named on %(name)s") % {"name": RAVEN_QUILL.name},
            choices=[("", _("None")), *assets],
            required=False,
        )

    def _add_boxes(self) -> None:
        for row in self.judged.rows:
            if row.sheet and row.card is not None:
                self._amount(
                    f"free-{row.card.code}",
                    _("Boxes of %(name)s marked without experience")
                    % {"name": row.name},
                )

    # -- for the page --

    def copies_exiled(self) -> list[forms.BoundField]:
        """Return the fields for exiled copies of each card."""
        return self._starting("exiled-")

    def copies_taken(self) -> list[forms.BoundField]:
        """Return the fields for copies of each card that the campaign took."""
        return self._starting("taken-")

    def more(self) -> list[forms.BoundField]:
        """Return the fields that are rarely filled in."""
        return [self[name] for name in self.fields if not name.startswith(_NOT_RARE)]

    @property
    def more_errors(self) -> bool:
        """True if a rarely used field has an error."""
        return any(field.errors for field in self.more())

    def _starting(self, prefix: str) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(prefix)]

    # -- values --

    def clean_granted(self) -> dict[str, int]:
        """Return copies by code."""
        granted: dict[str, int] = {}
        lines = self.cleaned_data["granted"].splitlines()[:MOST_GRANTED]
        for number, line in enumerate(lines, 1):
            read = _LINE.fullmatch(line.strip())
            if read is not None:
                code = self._code(number, read)
                granted[code] = granted.get(code, 0) + int(read[1] or 1)
        return granted

    def _code(self, number: int, line: re.Match[str]) -> str:
        """Return the code of the card a line names; if unknown, offer suggestions."""
        text = line[2]
        if text in self.pool:
            return text
        named = [c.code for c in self.pool.values() if fold(c.name) == fold(text)]
        if len(named) == 1:
            return named[0]
        instead = sorted(named) or names_of(self.pool).like(text)
        copies = line.string[: line.start(2)]
        widget = cast(LinesInput, self.fields["granted"].widget)
        widget.offer(number, [f"{copies}{each}" for each in instead])
        if named:
            message = _(
                "Several cards are called “%(name)s”: %(codes)s. Enter the code."
            )
            codes = ", ".join(sorted(named))
            raise forms.ValidationError(message % {"name": text, "codes": codes})
        raise forms.ValidationError(no_card_called(text, self.pool))

    def tasks(self) -> tuple[str, ...]:
        """Return the tasks recorded."""
        return tuple(self.cleaned_data.get("tasks", ()))

    def aftermath(self) -> dict[str, Any]:
        """Return the window after the game, as JSON, without usual values."""
        data = self.cleaned_data
        quilled = data.get("quills")
        aftermath = {
            "exiled": self._copies("exiled-"),
            "taken": self._copies("taken-"),
            "granted": data["granted"],
            "free_boxes": self._copies("free-"),
            "quills": {quilled: 1} if quilled else {},
            "pelts": data.get("pelts"),
            "offerings": data.get("offerings"),
            "devoured": data.get("devoured"),
        }
        closed = {name: False for name in _CLOSED if data[name]}
        return {key: value for key, value in aftermath.items() if value} | closed

    def _copies(self, prefix: str) -> dict[str, int]:
        return {
            name.removeprefix(prefix): int(value)
            for name, value in self.cleaned_data.items()
            if name.startswith(prefix) and value and int(value)
        }


_NOT_RARE = ("exiled-", "taken-", "scenario", "cost", "victory", "bonus_", "card_")
_CLOSED = {
    "spending": gettext_lazy("The campaign doesn’t let you spend experience now"),
    "altering": gettext_lazy("The campaign doesn’t let you change decks now"),
}


def _initial(window: Mapping[str, Any]) -> dict[str, Any]:
    """Return a window as initial values of the fields."""
    found: dict[str, Any] = {
        f"{word}-{code}": str(copies)
        for word in ("exiled", "taken")
        for code, copies in window_copies(window, word).items()
    }
    free = window_copies(window, "free_boxes")
    found |= {f"free-{code}": copies for code, copies in free.items()}
    granted = window_copies(window, "granted").items()
    found["granted"] = "\n".join(f"{copies} {code}" for code, copies in granted)
    found["quills"] = next(iter(window_copies(window, "quills")), "")
    found |= {key: window.get(key) for key in ("pelts", "offerings", "devoured")}
    found |= {name: window.get(name) is False for name in _CLOSED}
    return found
