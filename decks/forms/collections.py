"""Forms for a collection, and for decks that share it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.card import Pack
from arkham.rules.notation.names import names_of
from arkham.rules.pool import CardPool
from cardpool.words import LONGEST_GUESSED, MOST_MEANT, with_meant
from decks.forms.terms import LinesInput
from decks.models import LONGEST_NAME, Collection, Deck

MOST_COPIES = 9
LONGEST_LIST = 5_000
AWAY = "away"
_LINE = re.compile(r"^(?:(\d{1,2})\s*[x×]?\s+)?(\d{5}[a-z]?)\b.*$", re.ASCII)
_COPIES = re.compile(r"^\d{1,2}\s{0,9}[x×]?\s+", re.ASCII)


class CollectionForm(forms.Form):
    """The products of a collection, in copies, and the cards that lack from them."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)
    advises = forms.BooleanField(
        label=gettext_lazy("My decks are built from it"),
        required=False,
        help_text=gettext_lazy("Decks then say which cards are not owned."),
    )
    lends = forms.BooleanField(
        label=gettext_lazy("Its cards may be lent to others at a table"), required=False
    )
    missing = forms.CharField(
        label=gettext_lazy("Missing cards"),
        required=False,
        max_length=LONGEST_LIST,
        widget=LinesInput(attrs={"rows": 4, "spellcheck": "false"}),
        help_text=gettext_lazy("One card a line, by its code: 01020, or 2 x 01088."),
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, data: Any, pool: CardPool, collection: Collection | None = None
    ) -> None:
        held = collection.products if collection else {}
        initial: dict[str, Any] = {"lends": True, "advises": True}
        if collection is not None:
            initial = {
                "name": collection.name,
                "lends": collection.lends,
                "advises": collection.advises,
                "missing": _written(collection, pool),
                "seen": collection.changed_at.isoformat(),
            }
        super().__init__(data, initial=initial)
        self.pool = pool
        for pack in pool.packs.values():
            self.fields[f"pack_{pack.code}"] = forms.IntegerField(
                label=pack.name,
                min_value=0,
                max_value=MOST_COPIES,
                required=False,
                initial=held.get(pack.code, 0),
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )
        # As on the page, which opens at the first field that is refused.
        self.order_fields([each for each in self.fields if each != "missing"])

    def clean(self) -> None:
        """Refused once, with what is there now, where another window changed it."""
        now, seen = self.initial.get("seen", ""), self.cleaned_data.get("seen")
        others = [self[name] for name in self.changed_data if name != "seen"]
        if not seen or not now or seen == now or not others:
            return
        sent: dict[str, Any] = dict(self.data.items())
        self.data = sent | {"seen": now}
        there = "; ".join(f"{each.label}: {_said(each.initial)}" for each in others)
        raise forms.ValidationError(
            _(
                "It was changed meanwhile, perhaps by you in another window. "
                "Kept there: %(there)s. Keep yours again if it is to stand."
            ),
            params={"there": there},
        )

    def shelves(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """The fields of the products, by cycle, in order of appearance."""
        by_cycle: dict[str, list[Pack]] = {}
        for pack in self.pool.packs.values():
            by_cycle.setdefault(pack.cycle, []).append(pack)
        cycles = self.pool.cycles
        order = sorted(
            by_cycle, key=lambda code: cycles[code].position if code in cycles else 0
        )
        for code in order:
            packs = sorted(by_cycle[code], key=lambda each: (each.position, each.code))
            name = cycles[code].name if code in cycles else code
            yield name, [self[f"pack_{pack.code}"] for pack in packs]

    def products(self) -> dict[str, int]:
        """The copies of each product."""
        return {
            code: self.cleaned_data.get(f"pack_{code}") or 0 for code in self.pool.packs
        }

    def _near(self, line: str) -> list[str]:
        """Lines with the codes of the cards that were perhaps meant by a name."""
        name = re.sub(r"^\s*\d{0,2}\s{0,9}[x×]?\s", "", line[:LONGEST_GUESSED]).strip()
        names = names_of(self.pool)
        cards = names.called(name) or [
            card for each in names.like(name) for card in names.called(each)
        ]
        return [f"{card.code} {card.name}" for card in cards[:MOST_MEANT]]

    def clean_missing(self) -> dict[str, int]:
        """Copies lacking by printing; a line that is not understood is named."""
        found: dict[str, int] = {}
        for number, line in enumerate(self.cleaned_data["missing"].splitlines(), 1):
            if not line.strip():
                continue
            read = _LINE.match(line.strip())
            if read is None or read[2] not in self.pool:
                message = _(
                    "Line %(number)d, “%(line)s”: the code of a card was expected."
                ) % {"number": number, "line": line.strip()[:40]}
                near = self._near(line)
                copies = "".join(_COPIES.findall(line.strip()))
                widget = cast(LinesInput, self.fields["missing"].widget)
                widget.offer(number, [f"{copies}{each}" for each in near])
                raise forms.ValidationError(with_meant(message, near))
            found[read[2]] = found.get(read[2], 0) + int(read[1] or 1)
        return found


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return ", ".join(str(value).splitlines()) or "–"


def _written(collection: Collection, pool: CardPool) -> str:
    lines = []
    for code, copies in sorted(collection.missing.items()):
        card = pool.get_card(code)
        lines.append(f"{copies} x {code} {card.name if card else ''}".rstrip())
    return "\n".join(lines)


class TableForm(forms.Form):
    """Which decks sit down, and what each is built from."""

    def __init__(
        self,
        data: Any,
        decks: Iterable[tuple[Deck, str]],
        collections: Iterable[Collection],
    ) -> None:
        super().__init__(data or None)
        choices = [
            (AWAY, _("not at the table")),
            *((str(each.pk), each.name) for each in collections),
            ("", _("without a collection")),
        ]
        for deck, title in decks:
            self.fields[f"deck_{deck.pk}"] = forms.ChoiceField(
                label=title, choices=choices, required=False, initial=AWAY
            )

    def seated(self) -> dict[int, int | None]:
        """The decks at the table, with the collection of each."""
        return {
            int(name.removeprefix("deck_")): int(value) if value else None
            for name, value in self.cleaned_data.items()
            if value != AWAY and name in self.data
        }
