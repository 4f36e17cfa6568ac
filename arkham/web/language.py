"""Messages of the rules, and numbers, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext, ngettext

from arkham.rules import finding
from arkham.rules.finding import Finding, Language, Message, Value


def _gettext(message: str) -> str:
    return gettext(message) if message else ""  # "" is the head of a catalogue


READERS = Language(_gettext, ngettext)


def said(message: Message, values: Iterable[tuple[str, Value]] = ()) -> str:
    """Return a message in the reader's language, with its values filled in."""
    return finding.filled(message, values, READERS)


def worded(value: Value) -> str:
    """Return a value of a message in the reader's language: a label, a number."""
    return str(finding.worded(value, READERS))


def signed(number: int) -> str:
    """Return a number with its sign, a true minus: +1, 0, −2."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def finding_text(found: Finding) -> str:
    """Return the text of a finding in the reader's language."""
    return said(found.message, found.values)


def advice_text(found: Finding) -> str:
    """Return the advice of a finding in the reader's language."""
    return said(found.remedy_text, found.values)
