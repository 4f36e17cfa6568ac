"""What the templates of campaigns need: a value by its name, a finding as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import template
from django.utils.translation import gettext as _

from arkham.rules.finding import Finding, filled

register = template.Library()


@register.filter
def at(values: Mapping[str, Sequence[str]], name: str) -> Sequence[str]:
    """What stands under a name; nothing if nothing does."""
    return values.get(name, ())


@register.simple_tag
def finding_text(finding: Finding) -> str:
    """What a finding says, in the reader's language."""
    return filled(_(finding.message), finding.values)
