"""Forms for terms of decks and preferences, and a field with one card per line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.accounts.preferences import Preferences
from arkham.rules.deck import Environment
from arkham.rules.notation.meta import CHOICE_KEYS
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import Mode
from arkham.web.http import mark_of
from cardpool.catalog import loaded
from cardpool.languages import languages_of, named_languages
from cardpool.relations import side_label
from decks.interchange.importing import corrected
from decks.lists.content import Content
from decks.lists.editing import Edit, apply
from decks.pages import terms
from decks.pages.display import Judged
from decks.services.beginning import MODE


class LinesInput(forms.Textarea):
    """A text area whose invalid line gets buttons with suggestions below."""

    offered: tuple[tuple[int, str], ...] = ()

    def offer(self, number: int, instead: Iterable[str]) -> None:
        """Show suggestions for the line of this number."""
        self.offered = tuple((number, each) for each in instead)

    def value_from_datadict(
        self, data: Mapping[str, Any], files: Any, name: str
    ) -> Any:
        """Return what was sent, with the line that a button corrected."""
        text = super().value_from_datadict(data, files, name)
        taken = data.get(f"take-{name}")
        # Count lines as the field cleans them: without surrounding blanks.
        return corrected(text.strip(), taken) if text and taken else text

    def render(
        self,
        name: str,
        value: Any,
        attrs: dict[str, Any] | None = None,
        renderer: Any = None,
    ) -> SafeString:
        """Render the field, and the buttons if there are any."""
        field = super().render(name, value, attrs, renderer)
        if not self.offered:
            return field
        buttons = format_html_join(
            " ",
            '<button class="button small" name="take-{}" value="{}:{}">{}</button>',
            ((name, number, each, each) for number, each in self.offered),
        )
        label = _("Did you mean:")
        return format_html('{}<p class="suggested">{} {}</p>', field, label, buttons)


MOST_EXPERIENCE = 999
AT_ONCE = ("", "legacy", "current")
UNCHANGED = "unchanged"  # keeps the environment


class FirstTermsForm(forms.Form):
    """The terms that a new deck gets if its list names none."""

    TERMS = ("taboo", "environment", "mode")

    def add_terms(
        self,
        preferences: Preferences,
        pool: CardPool,
        chosen: Preferences | None = None,
    ) -> None:
        """Add the fields, filled in from preferences or earlier choices."""
        labels = (_("Taboo list"), _("Environment"), _("The deck is for"))
        self.offers = terms.first_terms(pool)
        for name, label in zip(self.TERMS, labels, strict=True):
            value = getattr(chosen or preferences, name)
            self.fields[name] = forms.ChoiceField(
                label=label,
                choices=self.offers[name],
                initial=value if value in dict(self.offers[name]) else "",
                required=False,
            )
        self.is_preferred = all(
            self[name].value() == getattr(preferences, name) for name in self.TERMS
        )

    @property
    def term_fields(self) -> list[forms.BoundField]:
        """The fields of the terms."""
        return [self[name] for name in self.TERMS]

    @property
    def terms_said(self) -> list[terms.Words]:
        """The terms that are filled in, each in a few words."""
        chosen = ((name, self[name].value()) for name in self.TERMS)
        return [
            dict(self.offers[name]).get(value, value) for name, value in chosen if value
        ]

    @property
    def first_terms(self) -> Preferences:
        """The chosen terms; preferences for those that the form doesn't send."""
        return Preferences(
            **{
                name: str(
                    self.cleaned_data[name]
                    if name in self.data
                    else self.fields[name].initial
                )
                for name in self.TERMS
            }
        )


class PreferencesForm(FirstTermsForm):
    """The preferences of a person; only changed values are saved."""

    theme = forms.ChoiceField(
        label=gettext_lazy("Theme"),
        choices=[
            ("", gettext_lazy("System")),
            ("light", gettext_lazy("Light")),
            ("dark", gettext_lazy("Dark")),
        ],
        widget=forms.RadioSelect,
        required=False,
    )

    def __init__(
        self, preferences: Preferences, pool: CardPool, data: Any = None
    ) -> None:
        super().__init__(data, initial={"theme": preferences.theme})
        languages = named_languages(languages_of(loaded()))
        if len(languages) > 1:
            known = preferences.card_language in dict(languages)
            self.fields["card_language"] = forms.ChoiceField(
                label=_("Language of cards"),
                choices=languages,
                initial=preferences.card_language if known else languages[0][0],
                required=False,
            )
        self.add_terms(preferences, pool)
        for field in self.fields.values():
            field.show_hidden_initial = True

    @property
    def changed(self) -> dict[str, str]:
        """The values changed on the page, by name."""
        return {name: str(self.cleaned_data[name]) for name in self.changed_data}


class DeckTermsForm(forms.Form):
    """The choices of the back and the main terms of a deck, for quick changes."""

    # The search for cards is sent with it, and also has a trait and a taboo list.
    prefix: str | None = "terms"

    def __init__(self, judged: Judged, data: Any = None) -> None:
        super().__init__(data)
        self.judged = judged
        self.pool = judged.pool
        self._add_sides()
        self._add_choices()
        self._add_terms()
        self._add_environment()

    @staticmethod
    def mark_for(judged: Judged, words: object) -> str:
        """Return a digest of all that the form shows below ``words``, without it."""
        deck = judged.asked.deck
        sides = deck.investigator, deck.front, deck.back, sorted(deck.choices.items())
        given = deck.taboo, deck.card_pool, sorted(judged.content.circumstances.items())
        return mark_of("terms", sides, given, words)

    # -- the fields --

    def _select(
        self, name: str, label: terms.Words, offers: terms.Offered, current: str
    ) -> None:
        """Add a choice among values, including the current one even if unknown."""
        if current not in dict(offers):
            offers = [*offers, (current, _("“%(value)s”") % {"value": current})]
        self.fields[name] = forms.ChoiceField(
            label=str(label), choices=offers, initial=current, required=False
        )

    def _number(
        self, name: str, label: terms.Words, most: int, help_text: terms.Words = ""
    ) -> None:
        self.fields[name] = forms.IntegerField(
            label=str(label),
            min_value=0,
            max_value=most,
            required=False,
            initial=self.judged.content.circumstances.get(name),
            help_text=str(help_text),
        )

    def _add_sides(self) -> None:
        card = self.pool.get_card(self.judged.asked.deck.investigator)
        if card is None or card.investigator is None:
            return
        versions = terms.sides(card, self.pool)
        if len(versions) < 2:
            return
        offers = [(each.code, side_label(each, self.pool)) for each in versions]
        deck = self.judged.asked.deck
        self._select("front", _("Front"), [*offers], deck.front or card.code)
        self._select("back", _("Back"), [*offers], deck.back or card.code)

    def _add_choices(self) -> None:
        frame = self.judged.frame
        for choice in frame.printed_back.choices if frame else ():
            offers = [("", _("Not chosen yet")), *terms.choice_values(choice)]
            current = self.judged.asked.deck.choices.get(choice.key, "")
            self._select(choice.key, terms.CHOICES[choice.key], offers, current)

    def _add_terms(self) -> None:
        circumstances = self.judged.asked.circumstances
        self._select(
            "taboo",
            _("Taboo list"),
            terms.taboos(self.pool),
            terms.taboo_choice(self.judged),
        )
        self._select(
            "mode", _("The deck is for"), terms.modes(), circumstances.mode.value
        )
        self._number(
            "experience",
            _("Experience to spend"),
            MOST_EXPERIENCE,
            _("Extra experience for a new deck, or the total for standalone."),
        )

    def _add_environment(self) -> None:
        """Offer simple environments; one set on the page for all terms stays."""
        environment = self.judged.asked.circumstances.environment
        offers = terms.environments(self.judged)
        short = [(kind, label) for kind, label in offers if kind in AT_ONCE]
        if environment is not None and environment != Environment(environment.kind):
            short.append((UNCHANGED, terms.environment_label(environment, self.pool)))
            current = UNCHANGED
        else:
            current = environment.kind if environment else ""
        self._select("environment", _("Environment"), short, current)
        self.fields["environment"].help_text = _(
            "Three cycles, a date or your own products: open “All rules and rulings”."
        )

    # -- values --

    def content(self) -> Content:
        """Return the deck under these terms."""
        data = self.cleaned_data
        choices = {"front", "back", *CHOICE_KEYS.values()} & set(data)
        changes = [Edit("choose", key, value=str(data[key])) for key in sorted(choices)]
        if data["taboo"] != terms.taboo_choice(self.judged):
            changes.append(Edit("choose", "taboo", value=str(data["taboo"])))
        content = apply(self.judged.content, changes, self.pool)
        decided = dict(content.circumstances) | self.decided()
        return Content(
            content.deck,
            {key: value for key, value in sorted(decided.items()) if value is not None},
        )

    def decided(self) -> dict[str, Any]:
        """Return the circumstances chosen here; None for those left open."""
        mode = self.cleaned_data["mode"]
        is_given = MODE in self.judged.content.circumstances or mode != Mode.CAMPAIGN
        return {
            "mode": mode if mode and is_given else None,
            "experience": self.cleaned_data["experience"],
            "environment": self._environment(),
        }

    def _environment(self) -> dict[str, Any] | None:
        kind = self.cleaned_data["environment"]
        if kind == UNCHANGED or self.add_prefix("environment") not in self.data:
            environment: dict[str, Any] | None
            environment = self.judged.content.circumstances.get("environment")
            return environment
        return {"kind": kind} if kind else None
