"""Names, letters and signs of chaos tokens on pages."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from arkham.rules.chaos import Token
from arkham.rules.chaos.bag import NUMBERS
from arkham.web.language import signed

WORDS: dict[Token, str | Promise] = {
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
# The letters that represent tokens in addresses.
LETTERS: dict[Token, str] = {
    token: chr(ord("a") + place) for place, token in enumerate(Token)
}
TOKEN_OF: dict[str, Token] = {letter: token for token, letter in LETTERS.items()}


def word_of(token: Token) -> str:
    """Return a token's name, or its number with a true minus."""
    number = NUMBERS.get(token)
    return str(WORDS[token]) if number is None else signed(number)


def sign_of(token: Token) -> str:
    """Return the name of a token's sign; “” for a number, which needs none."""
    return "" if token in NUMBERS else token.value.replace("_", "-")
