"""A field of one card a line, where a button corrects a misspelt name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from decks.interchange.importing import corrected


class LinesInput(forms.Textarea):
    """Lines, and below them buttons with what the refused one may say instead."""

    offered: tuple[tuple[int, str], ...] = ()

    def offer(self, number: int, instead: Iterable[str]) -> None:
        """Show what the line of this number may say instead."""
        self.offered = tuple((number, each) for each in instead)

    def value_from_datadict(
        self, data: Mapping[str, Any], files: Any, name: str
    ) -> Any:
        """What was sent, with the line that a button corrected."""
        text = super().value_from_datadict(data, files, name)
        taken = data.get(f"take-{name}")
        # Lines are counted in what the field cleans: without what is blank around it.
        return corrected(text.strip(), taken) if text and taken else text

    def render(
        self,
        name: str,
        value: Any,
        attrs: dict[str, Any] | None = None,
        renderer: Any = None,
    ) -> SafeString:
        """The field, and the buttons if there are any."""
        field = super().render(name, value, attrs, renderer)
        if not self.offered:
            return field
        buttons = format_html_join(
            " ",
            '<button class="button small" name="take-{}" value="{}:{}">{}</button>',
            ((name, number, each, each) for number, each in self.offered),
        )
        told = _("Write instead:")
        return format_html('{}<p class="suggested">{} {}</p>', field, told, buttons)
