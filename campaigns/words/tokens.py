"""How chaos tokens are called and drawn on pages."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from arkham.rules.chaos import Token
from arkham.rules.chaos.bag import NUMBERS

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
# One letter each, where an address keeps them.
LETTERS: dict[Token, str] = {
    token: chr(ord("a") + place) for place, token in enumerate(Token)
}
TOKEN_OF: dict[str, Token] = {letter: token for token, letter in LETTERS.items()}


def word_of(token: Token) -> str:
    """The token in a word, or as its number with a true minus."""
    number = NUMBERS.get(token)
    return str(WORDS[token]) if number is None else signed(number)


def signed(number: int) -> str:
    """A modifier as it is printed: +1, 0, −2."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


def sign_of(token: Token) -> str:
    """The name of the token's sign; “” for a number, which is its own sign."""
    return "" if token in NUMBERS else token.value.replace("_", "-")
