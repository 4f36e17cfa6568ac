"""What to say of a name that nothing has: which names were perhaps meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from django.utils.translation import gettext as _

from arkham.rules.notation.names import names_of
from arkham.rules.pool import CardPool
from cardpool.folding import fold

LONGEST_GUESSED = 60  # letters; nothing longer is a misspelt name
MOST_MEANT = 3
ALIKE = 0.7  # how alike two names must be, 1 for the same


def no_card_called(name: str, pool: CardPool) -> str:
    """No card is called so, and which cards are called nearly so."""
    told = _("No card is called “%(name)s”.") % {"name": name[:LONGEST_GUESSED]}
    return with_meant(told, names_of(pool).like(name))


def meant(name: str, names: Iterable[str]) -> list[str]:
    """The names that somebody who wrote this perhaps meant, the likeliest first."""
    if len(name) > LONGEST_GUESSED:
        return []
    by_spelling = {fold(each): each for each in names}
    close = get_close_matches(fold(name), by_spelling, n=MOST_MEANT, cutoff=ALIKE)
    return [by_spelling[each] for each in close]


def with_meant(told: str, names: Iterable[str]) -> str:
    """What is said, and after it the names that were perhaps meant."""
    suggested = _(" or ").join(f"“{each}”" for each in names)
    if not suggested:
        return told
    return f"{told} " + _("Did you mean %(names)s?") % {"names": suggested}
