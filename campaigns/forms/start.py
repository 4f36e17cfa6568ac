"""The start of a campaign: its guide, its seats and decks, its terms; and uploads.

A campaign file is JSON up to a size limit; guides come as a zip or from an address.
"""

from __future__ import annotations

from collections.abc import Collection as Collection_
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.interpreter import HALVES, TOGETHER
from arkham.rules.card import Card
from arkham.rules.notation.reading import Unreadable, read_json
from arkham.rules.pool import CardPool
from campaigns.files.campaign_file import MOST_BYTES
from campaigns.forms.settings import SEATS, AgreeingForm
from campaigns.guides.files import LONGEST_ADDRESS
from campaigns.guides.opening import newest
from campaigns.models import Guide
from campaigns.models.campaign import LONGEST_NAME
from campaigns.models.people import LONGEST_PERSON
from campaigns.people.table import OwnDeck
from campaigns.services import Sitting
from cardpool.relations import version_labels, version_name
from decks.models import Collection

DECK, CODE = "deck", "code"
FIRST = "core"  # the campaign in the core set
ORIGINS = tuple(
    sorted(Guide.Origin.values, key=lambda each: each == Guide.Origin.FACTS.value)
)
INSTEAD = "instead"  # the group of guides by hand that have a full guide too
Choices = list[tuple[str, Any]]


class GuideSelect(forms.Select):
    """A selection of guides; halves are marked, for the question about halves."""

    halves: Collection_[str] = ()

    def create_option(self, name: str, value: Any, *args: Any, **more: Any) -> Any:
        """Return the option, with ``data-half`` if it is a half."""
        option = super().create_option(name, value, *args, **more)
        if str(value) in self.halves:
            option["attrs"]["data-half"] = ""
        return option


class StartForm(AgreeingForm):
    """Everything a table chooses before its campaign starts."""

    guide = forms.ChoiceField(label=gettext_lazy("Campaign"), widget=GuideSelect)
    both = forms.BooleanField(
        label=gettext_lazy("Begin the other half too, linked to this one"),
        required=False,
        help_text=gettext_lazy(
            "The Dream-Eaters has two campaigns, The Dream-Quest and The Web of "
            "Dreams, each with its own investigators, log and chaos bag. If they are "
            "linked, decisions in one count in the other. Players in the other half "
            "join that campaign."
        ),
    )
    standalone = forms.CharField(required=False, widget=forms.HiddenInput)
    simulated = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(
        label=gettext_lazy("Name of the campaign"),
        required=False,
        max_length=LONGEST_NAME,
        help_text=gettext_lazy(
            "What your group calls it. Without a name, we use the printed one."
        ),
    )

    def __init__(
        self,
        data: Any,
        *,
        guides: list[Guide],
        decks: list[OwnDeck],
        collections: list[Collection],
        pool: CardPool,
        beginning: Mapping[str, str],
    ) -> None:
        """``beginning`` has initial values: a guide, and a scenario of it.

        Without a guide it is the campaign most groups start with.
        """
        ours = (each for each in newest(guides) if each.origin == Guide.Origin.OURS)
        first = [str(each.pk) for each in ours if each.guide_id == FIRST]
        filled = {"guide": first[0]} if first else {}
        super().__init__(data, initial=filled | dict(beginning))
        self.decks = {str(each.deck.pk): each for each in decks}
        self.guides = {str(guide.pk): guide for guide in guides}
        chosen = self._field("guide")
        chosen.choices = by_origin(guides)
        assert isinstance(chosen.widget, GuideSelect)
        halves = {pk for pk, guide in self.guides.items() if guide.guide_id in HALVES}
        chosen.widget.halves = halves
        if not halves:
            del self.fields["both"]
        seats = [("", _("No one")), *seat_choices(decks, investigators_of(pool), pool)]
        for number in SEATS:
            self.fields[f"seat_{number}"] = forms.ChoiceField(
                label=_("Seat %(number)d") % {"number": number},
                choices=seats,
                required=False,
            )
            self.fields[f"player_{number}"] = forms.CharField(
                label=_("Player in seat %(number)d") % {"number": number},
                required=False,
                max_length=LONGEST_PERSON,
            )
        self.agree(collections, pool)

    def _field(self, name: str) -> forms.ChoiceField:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        return field

    def clean(self) -> dict[str, Any]:
        """Refuse an investigator who is seated twice."""
        data = super().clean() or {}
        codes = [each.investigator for each in self.sitting(data)]
        for number, code in enumerate(codes):
            if code in codes[:number]:
                raise forms.ValidationError(_("You chose an investigator twice."))
        return data

    def sitting(self, data: dict[str, Any] | None = None) -> list[Sitting]:
        """Return the chosen seats, in order."""
        values = self.cleaned_data if data is None else data
        found: list[Sitting] = []
        for number in SEATS:
            if chosen := values.get(f"seat_{number}"):
                name = values.get(f"player_{number}") or ""
                found.append(self._sitting(chosen, name, is_first=not found))
        return found

    def _sitting(self, chosen: str, name: str, is_first: bool = False) -> Sitting:
        """Return a seat; the organiser's own are the first and those with their decks.

        Any other is free for people who join.
        """
        kind, _colon, value = chosen.partition(":")
        if kind == DECK:
            own = self.decks[value]
            return Sitting(own.investigator, name, own.deck)
        return Sitting(value, name, is_mine=is_first and not name)

    @property
    def seats(self) -> Iterator[tuple[forms.BoundField, forms.BoundField]]:
        """The fields of each seat."""
        for number in SEATS:
            yield self[f"seat_{number}"], self[f"player_{number}"]

    @property
    def is_of_both(self) -> bool:
        """Whether the other half starts too; only if the form is valid."""
        data = self.cleaned_data
        single = data["standalone"] or data["simulated"]
        is_half = self.chosen_guide.guide_id in HALVES
        return bool(is_half and data.get("both") and not single)

    @property
    def chosen_guide(self) -> Guide:
        """The chosen guide."""
        return self.guides[self.cleaned_data["guide"]]

    @property
    def terms(self) -> dict[str, Any]:
        """The terms, with each seat's taboo list."""
        data = self.cleaned_data
        taboos = {
            self._sitting(data[f"seat_{number}"], "").investigator: taboo
            for number in SEATS
            if data[f"seat_{number}"] and (taboo := data[f"taboo_{number}"])
        }
        return {**super().terms, "taboos": taboos}


def by_origin(guides: list[Guide]) -> Choices:
    """Return guides in groups: full guides first, then those by hand.

    Guides by hand that have a full guide too come last. Older versions are left out:
    they are for campaigns that use them.
    """
    guides = newest(guides)
    by_hand = Guide.Origin.FACTS
    guided = {guide.guide_id for guide in guides if guide.origin != by_hand}
    groups: dict[str, list[tuple[str, str]]] = {key: [] for key in (*ORIGINS, INSTEAD)}
    for guide in guides:
        whole = TOGETHER.get(guide.guide_id)
        name = f"{whole}: {guide.name}" if whole else guide.name
        is_instead = guide.origin == by_hand and guide.guide_id in guided
        groups[INSTEAD if is_instead else guide.origin].append((str(guide.pk), name))
    labels = dict(Guide.Origin.choices) | {
        Guide.Origin.OURS.value: _("Guided"),
        INSTEAD: _("Kept by hand instead of the guide"),
    }
    for each in groups.values():
        each.sort(key=lambda named: named[1].removeprefix("The ").casefold())
    return [(str(labels[key]), each) for key, each in groups.items() if each]


def investigators_of(pool: CardPool) -> list[Card]:
    """Return every investigator with a deck, by name; not those of single scenarios."""
    return sorted(
        (each for each in pool.investigators if not each.hidden),
        key=lambda each: (each.name, each.code),
    )


def seat_choices(
    decks: Iterable[OwnDeck], investigators: Iterable[Card], pool: CardPool
) -> Choices:
    """Return the user's own decks, and these investigators, with version labels."""
    own = [(f"{DECK}:{each.deck.pk}", each.title) for each in decks]
    cards = list(investigators)
    labels = version_labels(cards, pool)
    named = [
        (f"{CODE}:{card.code}", version_name(card, labels[card.code])) for card in cards
    ]
    groups: Choices = []
    if own:
        groups.append((_("My decks"), own))
    return [*groups, (_("Investigators"), named)]


_UNREADABLE = gettext_lazy(
    "This file isn’t a campaign exported from Orne or a backup of Arkham Cards. It "
    "may be damaged or incomplete: export it again and try once more."
)


class FileForm(forms.Form):
    """An uploaded campaign file."""

    file = forms.FileField(
        label=gettext_lazy("Campaign file"),
        widget=forms.FileInput(attrs={"accept": ".json,.acb,application/json"}),
    )

    def clean_file(self) -> Any:
        """Return the content of the file."""
        given = self.cleaned_data["file"]
        if (given.size or 0) > MOST_BYTES:
            raise forms.ValidationError(
                _("At most %(number)d MB.") % {"number": MOST_BYTES // 1024**2}
            )
        try:
            return read_json(given.read().decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise forms.ValidationError(_UNREADABLE) from error
        except Unreadable as error:
            fault = error.faults[0]
            details = _("Line %(line)d, column %(column)d: %(fault)s") % {
                "fault": _(fault.message).format(found=fault.found),
                "line": fault.line,
                "column": fault.column,
            }
            raise forms.ValidationError([_UNREADABLE, _details(details)]) from error


def _details(text: str) -> forms.ValidationError:
    """Return an error with details for those who look into the file."""
    return forms.ValidationError(text, code="details")


class GuidesForm(forms.Form):
    """The source of guides: a zip or an address."""

    file = forms.FileField(
        label=gettext_lazy("Zip with guides"),
        required=False,
        max_length=255,
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )
    address = forms.CharField(
        label=gettext_lazy("Or its address"),
        required=False,
        max_length=LONGEST_ADDRESS,
        widget=forms.TextInput(
            attrs={"inputmode": "url", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    @property
    def source(self) -> IO[bytes] | str:
        """The zip that was handed in, or the address."""
        file = self.cleaned_data.get("file")
        if not isinstance(file, UploadedFile):
            return str(self.cleaned_data["address"])
        assert file.file is not None
        return file.file

    def clean(self) -> None:
        """Require exactly one of the two."""
        given = [self.cleaned_data.get(name) for name in ("file", "address")]
        if not self.errors and sum(map(bool, given)) != 1:
            raise forms.ValidationError(
                _("Choose a zip or enter its address, not both.")
            )
