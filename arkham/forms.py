"""How form fields are written everywhere: no colon after a label, no endless text."""

from __future__ import annotations

from typing import Any

from django.forms.boundfield import BoundField
from django.forms.renderers import DjangoTemplates
from django.utils.safestring import SafeString

LONGEST_SHOWN = 500_000  # letters; half a list of decks' most, far more than any name


class Field(BoundField):
    """A field on a page; its label is the label and nothing more."""

    def value(self) -> Any:
        """What the field shows; nothing where more was sent than any field takes.

        A page may hold a refused form again, and writes a quote in six letters.
        """
        value = super().value()
        is_long = isinstance(value, str) and len(value) > LONGEST_SHOWN
        return "" if is_long else value

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

    bound_field_class = Field
