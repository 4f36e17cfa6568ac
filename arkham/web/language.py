"""Says the messages of the rules in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext, ngettext

from arkham.rules import finding
from arkham.rules.finding import Finding, Language, Message, Value


def _gettext(message: str) -> str:
    return gettext(message) if message else ""  # "" is the head of a catalogue


READERS = Language(_gettext, ngettext)


def said(message: Message, values: Iterable[tuple[str, Value]] = ()) -> str:
    """A message in the reader's language, its places filled."""
    return finding.filled(message, values, READERS)


def worded(value: Value) -> str:
    """A value of a message in the reader's language: a label, a number."""
    return str(finding.worded(value, READERS))


def finding_text(found: Finding) -> str:
    """What a finding says, in the reader's language."""
    return said(found.message, found.values)


def advice_text(found: Finding) -> str:
    """What a finding advises, in the reader's language."""
    return said(found.remedy_text, found.values)
