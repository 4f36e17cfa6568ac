"""How form fields are written everywhere: no colon, no endless text, no raw value."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.forms.renderers import DjangoTemplates
from django.forms.widgets import Widget
from django.utils.safestring import SafeString

LONGEST_SHOWN = 500_000  # letters; half a list of decks' most, far more than any name


class PageField(BoundField):
    """A field on a page; its label is the label and nothing more."""

    def value(self) -> Any:
        """What the field shows; nothing where more was sent than any field takes.

        A page may hold a refused form again, and writes a quote in six letters.
        """
        value = super().value()
        is_long = isinstance(value, str) and len(value) > LONGEST_SHOWN
        return "" if is_long else value

    def build_widget_attrs(
        self, attrs: dict[str, Any], widget: Widget | None = None
    ) -> dict[str, Any]:
        """The attributes; the first field that is refused is where the page opens.

        On a long page the refusal would go unseen otherwise.
        """
        attrs = super().build_widget_attrs(attrs, widget)
        refused = (each.name for each in self.form.visible_fields() if each.errors)
        is_first = self.name == next(refused, "")
        is_seen = widget is None or not widget.is_hidden
        if self.errors and is_first and is_seen:
            attrs["autofocus"] = True
        return attrs

    def label_tag(
        self,
        contents: str | None = None,
        attrs: dict[str, Any] | None = None,
        label_suffix: str | None = None,
        tag: str | None = None,
    ) -> SafeString:
        """The label, without the suffix Django would add."""
        return super().label_tag(contents, attrs, label_suffix="", tag=tag)


class Renderer(DjangoTemplates):
    """Django's own form templates, with our fields."""

    bound_field_class = PageField


def hide_raw_values() -> None:
    """Refuse a choice that isn't offered without its value: that is ours, not a word.

    It was perhaps offered when the page was opened.
    """
    message = forms.ModelChoiceField.default_error_messages["invalid_choice"]
    for field in (forms.ChoiceField, forms.MultipleChoiceField):
        field.default_error_messages["invalid_choice"] = message
