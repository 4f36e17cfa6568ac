"""Forms for collections: products, missing cards, decks that share collections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.card import Card, Printing
from arkham.rules.collection import copies_owned
from arkham.rules.notation.names import names_of
from arkham.rules.pool import CardPool
from cardpool.words import LONGEST_GUESSED, MOST_MEANT, no_card_called
from decks.forms.terms import LinesInput
from decks.models import LONGEST_NAME, Collection, Deck
from decks.pages.owned import MOST_COPIES, Shelves

LONGEST_LIST = 5_000
AWAY = "away"
_LINE = re.compile(r"(?:(\d{1,2})\s{0,9}[x×]?\s{1,9})?(\S.*)", re.ASCII)
_CODE = re.compile(r"\d{5}[a-z]?\b", re.ASCII)
_LEVEL = re.compile(r"\s{0,9}\((\d)\)$", re.ASCII)


@dataclass(frozen=True, slots=True)
class Press:
    """The copies by product that one press sets, in a cycle or, with "", in all."""

    copies: Mapping[str, int]
    cycle: str = ""
    removes_many: bool = False


def read_press(sent: Mapping[str, str], shelves: Shelves) -> Press | None:
    """Read the button that was pressed: a product, a group, everything or nothing.

    ``add`` adds the products of a group that aren't owned, ``remove`` removes them all.
    """
    packs = shelves.pool.packs
    code, _colon, number = sent.get("own", "").partition(":")
    if code in packs and re.fullmatch(r"\d", number, re.ASCII):
        return Press({code: min(int(number), MOST_COPIES)}, packs[code].cycle)
    if "everything" in sent:
        unowned = (
            each for each in packs.values() if not shelves.products.get(each.code)
        )
        return Press({each.code: 1 for each in unowned if not each.holds})
    if "nothing" in sent:
        return Press(dict.fromkeys(shelves.products, 0), removes_many=True)
    add, found = sent.get("add", ""), shelves.group(sent.get("remove", ""))
    if found is not None:
        rows = found[1].rows
        return Press({row.pack.code: 0 for row in rows}, found[0], removes_many=True)
    found = shelves.group(add)
    if found is None:
        return None
    return Press({r.pack.code: 1 for r in found[1].rows if not r.copies}, found[0])


class CollectionForm(forms.Form):
    """The name of a collection, and what it is used for."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=LONGEST_NAME, show_hidden_initial=True
    )
    advises = forms.BooleanField(
        label=gettext_lazy("Use it for my decks"),
        required=False,
        help_text=gettext_lazy("Your decks then show which cards you don’t own."),
        show_hidden_initial=True,
    )
    lends = forms.BooleanField(
        label=gettext_lazy("Lend its cards to others at a table"),
        required=False,
        show_hidden_initial=True,
    )

    def __init__(self, data: Any, collection: Collection | None) -> None:
        initial: dict[str, Any] = {
            "name": _("My collection"),
            "advises": True,
            "lends": True,
        }
        if collection is not None:
            initial = {name: getattr(collection, name) for name in initial}
        super().__init__(data, initial=initial)

    @property
    def changed(self) -> dict[str, Any]:
        """The values changed on this page, so that other windows' changes stay."""
        return {name: self.cleaned_data[name] for name in self.changed_data}


class MissingForm(forms.Form):
    """Cards missing from the products that a person owns, by name or code."""

    missing = forms.CharField(
        label=gettext_lazy("Add missing cards"),
        max_length=LONGEST_LIST,
        widget=LinesInput(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=gettext_lazy("One card a line: Machete, or 2 Emergency Cache."),
    )

    def __init__(self, data: Any, collection: Collection, pool: CardPool) -> None:
        super().__init__(data)
        self.pool = pool
        self.owned = copies_owned(collection.content, pool)

    def clean_missing(self) -> dict[str, int]:
        """Return missing copies by printing; refuse a line that isn't understood."""
        found: dict[str, int] = {}
        lines = self.cleaned_data["missing"].splitlines()
        for number, line in enumerate(map(str.strip, lines), 1):
            read = _LINE.fullmatch(line)
            if read is None:
                continue
            printing = _CODE.match(read[2])
            code = printing[0] if printing else ""
            card = self.pool.get_card(code) or self._called(read[2])
            if card is None:
                self._refuse(number, read)
            else:
                self._take(card, int(read[1] or 1), code, found)
        return found

    def _called(self, text: str) -> Card | None:
        """Return the card of this name; “Shrivelling (3)” is the one of that level."""
        level = _LEVEL.search(text)
        wanted = int(level[1]) if level else None
        cards = names_of(self.pool).called(_LEVEL.sub("", text))
        ranked = sorted(cards, key=lambda each: (each.level != wanted, each.level or 0))
        return ranked[0] if ranked else None

    def _take(self, card: Card, copies: int, code: str, found: dict[str, int]) -> None:
        """Spread the copies over the printings that are owned, the one named first."""
        mine = [each for each in card.printings if self._owned(each)]
        order = sorted(mine, key=lambda each: (each.code != code, -self._owned(each)))
        for printing in order:
            room = self._owned(printing) - found.get(printing.code, 0)
            if taken := min(copies, max(room, 0)):
                found[printing.code] = found.get(printing.code, 0) + taken
                copies -= taken

    def _owned(self, printing: Printing) -> int:
        """Count the owned copies of a printing that aren't missing."""
        return self.owned.get(printing.code, 0)

    def _refuse(self, number: int, read: re.Match[str]) -> None:
        name = read[2][:LONGEST_GUESSED]
        near = list(names_of(self.pool).like(name))[:MOST_MEANT]
        widget = cast(LinesInput, self.fields["missing"].widget)
        widget.offer(
            number, [f"{read[1]} {each}" if read[1] else each for each in near]
        )
        raise forms.ValidationError(no_card_called(name, self.pool))


class TableForm(forms.Form):
    """The decks at a table, and the collection that each is built from."""

    def __init__(
        self,
        data: Any,
        decks: Iterable[tuple[Deck, str]],
        collections: Iterable[Collection],
    ) -> None:
        super().__init__(data or None)
        choices = [
            (AWAY, _("Not playing")),
            *((str(each.pk), each.name) for each in collections),
            ("", _("Playing, no collection")),
        ]
        for deck, title in decks:
            self.fields[f"deck_{deck.pk}"] = forms.ChoiceField(
                label=title, choices=choices, required=False, initial=AWAY
            )

    def seated(self) -> dict[int, int | None]:
        """Return the decks at the table, with the collection of each."""
        return {
            int(name.removeprefix("deck_")): int(value) if value else None
            for name, value in self.cleaned_data.items()
            if value != AWAY and name in self.data
        }
