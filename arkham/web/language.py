"""Messages of the rules, numbers and chaos tokens, in the reader's language."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy

from arkham.rules import finding
from arkham.rules.chaos import Token
from arkham.rules.chaos.bag import NUMBERS
from arkham.rules.finding import Finding, Language, Value


def _gettext(message: str) -> str:
    return gettext(message) if message else ""  # "" is the head of a catalogue


READERS = Language(_gettext, ngettext)
TOKENS: dict[Token, str | Promise] = {
    Token.SKULL: pgettext_lazy("chaos token", "Skull"),
    Token.CULTIST: pgettext_lazy("chaos token", "Cultist"),
    Token.TABLET: pgettext_lazy("chaos token", "Tablet"),
    Token.ELDER_THING: pgettext_lazy("chaos token", "Elder thing"),
    Token.AUTO_FAIL: pgettext_lazy("chaos token", "Auto-fail"),
    Token.ELDER_SIGN: pgettext_lazy("chaos token", "Elder sign"),
    Token.BLESS: pgettext_lazy("chaos token", "Bless"),
    Token.CURSE: pgettext_lazy("chaos token", "Curse"),
    Token.FROST: pgettext_lazy("chaos token", "Frost"),
}


def worded(value: Value) -> str:
    """Return a value of a message in the reader's language: a label, a number."""
    return str(finding.worded(value, READERS))


def signed(number: int) -> str:
    """Return a number with its sign, a true minus: +1, 0, −2."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def finding_text(found: Finding) -> str:
    """Return the text of a finding in the reader's language."""
    return finding.filled(found.message, found.values, READERS)


def advice_text(found: Finding) -> str:
    """Return the advice of a finding in the reader's language."""
    return finding.filled(found.remedy_text, found.values, READERS)


def word_of(token: Token) -> str:
    """Return a token's name, or its number with a true minus."""
    number = NUMBERS.get(token)
    return str(TOKENS[token]) if number is None else signed(number)


def sign_of(token: Token) -> str:
    """Return the name of a token's sign; “” for a number, which needs none."""
    return "" if token in NUMBERS else token.value.replace("_", "-")
