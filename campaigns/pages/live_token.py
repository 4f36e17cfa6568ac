"""The token in force at the live bag, and the odds of the next test out of it.

A symbol does what the scenario's reference card says as far as numbers can.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from arkham.rules.chaos import Automatic, Meaning, SkillTest, Token, odds_of
from arkham.rules.chaos.bag import PRINTED, SYMBOLS
from arkham.rules.chaos.starting import SymbolFact
from campaigns.at_table.odds import whole_percent
from campaigns.play.bag import Practice, ShownToken
from campaigns.words.tokens import signed, word_of

Facts = Mapping[Token, SymbolFact]
MARGINS = range(-1, 7)  # skill value minus difficulty
BASE = 20  # a difficulty no token takes a skill value of that size below 0


class LiveToken(NamedTuple):
    """The last token revealed, and what it does here."""

    shown: ShownToken
    does: str


class MarginOdds(NamedTuple):
    """The odds of passing with a skill value that much above the difficulty."""

    margin: str
    percent: str
    is_even: bool


class LiveOdds(NamedTuple):
    """The odds of the next test by margin; ``counted`` is what is assumed for them."""

    chances: tuple[MarginOdds, ...]
    counted: tuple[str, ...]


def live_token(play: Practice, facts: Facts) -> LiveToken | None:
    """The token in force; nothing where none was revealed since the last test."""
    if not play.outside:
        return None
    shown = play.outside[-1]
    return LiveToken(shown, _does(shown.token, facts))


def _does(token: Token, facts: Facts) -> str:
    """What a symbol does here, in a line; of numbers nothing."""
    if token not in SYMBOLS:
        return ""
    fact = facts.get(token)
    if fact is None:
        return _("See the scenario’s reference card.")
    return fact.gist or _meaning(fact.meaning)


def _meaning(meaning: Meaning) -> str:
    if meaning.automatic is Automatic.FAILURE:
        return _("Fails automatically")
    if meaning.automatic is Automatic.SUCCESS:
        return _("Succeeds automatically")
    words = signed(meaning.modifier)
    if meaning.reveal_another:
        return _("%(modifier)s, reveal another") % {"modifier": words}
    return words


def live_odds(play: Practice, facts: Facts) -> LiveOdds | None:
    """The odds out of the bag as it is with what was revealed put back.

    None for an empty bag, or one with too many chains.
    """
    bag = play.bag.after_the_test()
    meanings = {token: fact.meaning for token, fact in facts.items()}
    odds = odds_of(SkillTest(bag, meanings)) if bag.size else None
    if odds is None:
        return None
    chances = []
    for margin in MARGINS:
        passing = odds.passing(BASE + margin, BASE)
        chances.append(MarginOdds(signed(margin), whole_percent(passing), margin == 0))
    counted = [
        f"{word_of(token)} {_meaning(meanings.get(token, Meaning()))}"
        for token in (*SYMBOLS, Token.ELDER_SIGN)
        if bag[token] and token not in PRINTED and _is_assumed(token, facts)
    ]
    return LiveOdds(tuple(chances), tuple(counted))


def _is_assumed(token: Token, facts: Facts) -> bool:
    fact = facts.get(token)
    return fact is None or fact.varies
