"""The odds of a test in a sentence, charts and tables; also of the next live test.

At the live bag one token is in force, and the next test is made from the others. A
symbol does what the scenario's reference card says, as far as numbers can.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from arkham.charts import ChartShare, draw_shares
from arkham.rules.chaos import (
    Automatic,
    Meaning,
    Odds,
    SkillOdds,
    SkillTest,
    Token,
    odds_of,
)
from arkham.rules.chaos.bag import PRINTED, SYMBOLS
from arkham.rules.chaos.starting import SymbolFact
from arkham.rules.chaos.testing import check_test
from arkham.rules.finding import Finding
from arkham.rules.library import Entry, entry_of, library
from arkham.web.language import advice_text, finding_text, signed, word_of
from campaigns.play.bag import Practice, ShownToken

NO_CHART = SafeString()
LOWEST, HIGHEST = -6, 4  # sums beyond these share a column of the chart
BELOW, ABOVE = 4, 6  # skill values shown around the one asked for


@dataclass(frozen=True, slots=True)
class OddsRow:
    """A row of a table: its label, its odds, and whether it is the one asked for."""

    label: str
    odds: Fraction
    asked: bool = False

    @property
    def percent(self) -> str:
        """The odds in per cent, with one decimal; never rounded to 0 or 100."""
        return percent(self.odds)

    @property
    def exact(self) -> str:
        """The fraction in lowest terms."""
        return str(self.odds)


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding in the reader's language."""

    severity: str
    text: str
    remedy: str
    cites: tuple[str, ...]
    rule: str

    @property
    def entry(self) -> Entry | None:
        """The entry of the rules library that explains it."""
        return entry_of(library(), self.rule)


@dataclass(frozen=True, slots=True)
class ShownOdds:
    """The odds of a test as the page shows them."""

    passing: OddsRow | None
    skills: tuple[OddsRow, ...]
    modifiers: tuple[OddsRow, ...]
    notes: tuple[ShownFinding, ...]
    skill_chart: SafeString = NO_CHART
    modifier_chart: SafeString = NO_CHART


def shown_odds(test: SkillTest, skill: int, difficulty: int) -> ShownOdds:
    """Return the odds around a skill value, and those of every modifier."""
    notes = tuple(map(_noted, check_test(test)))
    odds = odds_of(test)
    if odds is None:
        return ShownOdds(None, (), (), notes)
    first = max(0, skill - BELOW)
    skills = tuple(
        OddsRow(str(each), odds.passing(each, difficulty), each == skill)
        for each in range(first, first + BELOW + ABOVE + 1)
    )
    modifiers, columns = tuple(_modifiers(odds)), tuple(_columns(odds))
    return ShownOdds(
        next(line for line in skills if line.asked),
        skills,
        modifiers,
        notes,
        _chart(skills, _("Chance to pass, by skill value")),
        _chart(columns, _("Odds of each modifier")) if columns else NO_CHART,
    )


def _modifiers(odds: SkillOdds) -> list[OddsRow]:
    """Return rows for failure, every sum from the lowest, and success."""
    every = odds.every
    if every is None:
        return []
    lines = [OddsRow(signed(each), share) for each, share in every.modifiers.items()]
    return _between(every, lines[::-1])


def _columns(odds: SkillOdds) -> list[OddsRow]:
    """Return rows for the chart, where rare sums far out share a column."""
    every = odds.every
    if every is None:
        return []
    shares: dict[int, Fraction] = {}
    for each, share in every.modifiers.items():
        place = min(max(each, LOWEST), HIGHEST)
        shares[place] = shares.get(place, Fraction(0)) + share
    beyond = {
        place
        for each in every.modifiers
        if (place := min(max(each, LOWEST), HIGHEST)) != each
    }
    marks = {LOWEST: "≤", HIGHEST: "≥"}
    lines = [
        OddsRow((marks[each] if each in beyond else "") + signed(each), shares[each])
        for each in sorted(shares)
    ]
    return _between(every, lines)


def _between(every: Odds, lines: list[OddsRow]) -> list[OddsRow]:
    if every.failure:
        lines.insert(0, OddsRow(_("automatic failure"), every.automatic_failure))
    if every.success:
        lines.append(OddsRow(_("automatic success"), every.automatic_success))
    return lines


def _chart(lines: tuple[OddsRow, ...], title: str) -> SafeString:
    shares = [
        ChartShare(line.label, float(line.odds), whole_percent(line.odds), _style(line))
        for line in lines
    ]
    spoken = ", ".join(f"{line.label}: {line.percent}%" for line in lines)
    drawing = draw_shares(shares, title=f"{title}: {spoken}")
    return mark_safe(drawing.svg())  # noqa: S308 (the drawing escapes its texts)


def _style(line: OddsRow) -> str:
    return "bar asked" if line.asked else "bar"


def percent(odds: Fraction) -> str:
    """Return per cent with one decimal, never rounded to 0 or 100."""
    if odds in (0, 1):
        return str(100 * int(odds))
    tenths = min(max(int(odds * 1000 + Fraction(1, 2)), 1), 999)
    return f"{tenths // 10}.{tenths % 10}"


def whole_percent(odds: Fraction) -> str:
    """Return per cent without decimals, for the chart."""
    whole = int(odds * 100 + Fraction(1, 2))
    if 0 < odds < 1:
        whole = min(max(whole, 1), 99)
    return str(whole)


def _noted(finding: Finding) -> ShownFinding:
    return ShownFinding(
        finding.severity.word,
        finding_text(finding),
        advice_text(finding),
        tuple(map(str, finding.cites)),
        finding.rule,
    )


Facts = Mapping[Token, SymbolFact]
MARGINS = range(-1, 7)  # skill value minus difficulty
BASE = 20  # so large that no token can take the skill value below 0


class LiveToken(NamedTuple):
    """The last token revealed, and what it does here."""

    shown: ShownToken
    does: str


class MarginOdds(NamedTuple):
    """The odds of passing if the skill value exceeds the difficulty by a margin."""

    margin: str
    percent: str
    is_even: bool


class LiveOdds(NamedTuple):
    """The odds of the next test by margin; ``counted`` are the assumptions."""

    chances: tuple[MarginOdds, ...]
    counted: tuple[str, ...]


def live_token(play: Practice, facts: Facts) -> LiveToken | None:
    """Return the token in force; None if none was revealed since the last test."""
    if not play.outside:
        return None
    shown = play.outside[-1]
    return LiveToken(shown, does_here(shown.token, facts))


def does_here(token: Token, facts: Facts) -> str:
    """Return what a symbol does here, in a line; "" for numbers."""
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
    """Return the odds of the bag with the revealed tokens put back.

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
