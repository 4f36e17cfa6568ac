"""What the templates of campaigns need: a value by its name, a finding as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.finding import Finding, filled

register = template.Library()

COUNTER_NAMES: Mapping[str, str | Promise] = {
    "Doom": gettext_lazy("Doom"),
    "Clues": gettext_lazy("Clues"),
    "Round": gettext_lazy("Round"),
}


@register.filter
def at(values: Mapping[str, Sequence[str]], name: str) -> Sequence[str]:
    """What stands under a name; nothing if nothing does."""
    return values.get(name, ())


@register.filter
def among(value: str, values: Sequence[str]) -> bool:
    """Whether something is one of several."""
    return value in values


@register.simple_tag
def counter_name(name: str) -> str:
    """What a counter is called: a usual one in the reader's language."""
    return str(COUNTER_NAMES.get(name, name))


@register.simple_tag
def finding_text(finding: Finding) -> str:
    """What a finding says, in the reader's language."""
    return filled(_(finding.message), finding.values)
