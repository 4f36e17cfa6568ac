"""The form for a test's odds, and for the source of its bag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy, pgettext_lazy

from arkham.rules.chaos import Automatic, ChaosBag, Meaning, RevealWay, SkillTest, Token
from arkham.rules.chaos.bag import SYMBOLS
from arkham.rules.chaos.starting import (
    Difficulty,
    StartingScenario,
    SymbolFact,
    campaigns,
    scenarios,
    starting_bags,
    symbols_of,
)
from arkham.rules.odds import MOST_MODIFIER, MOST_OF_A_KIND, MOST_SKILL
from arkham.web.forms import offer_choices
from arkham.web.language import sign_of, word_of
from campaigns.at_table.skill_test import (
    ANOTHER,
    FAILURE,
    SUCCESS,
    elder_sign_of,
    symbol_pairs,
)

MEANING_ASKED = (*SYMBOLS, Token.ELDER_SIGN)
USUAL = "core.torch"
EFFECTS = [
    ("", gettext_lazy("modifier")),
    (ANOTHER, gettext_lazy("modifier, then reveal another")),
    (SUCCESS, gettext_lazy("automatic success")),
    (FAILURE, gettext_lazy("automatic failure")),
]
LEVELS = [
    (Difficulty.EASY.value, gettext_lazy("Easy")),
    (Difficulty.STANDARD.value, gettext_lazy("Standard")),
    (Difficulty.HARD.value, gettext_lazy("Hard")),
    (Difficulty.EXPERT.value, gettext_lazy("Expert")),
]
WAYS = [
    (RevealWay.ONE.value, gettext_lazy("one token")),
    (RevealWay.AGAIN.value, gettext_lazy("one token; redraw the first auto-fail")),
    (RevealWay.TWO.value, gettext_lazy("two, all resolved")),
    (RevealWay.THREE.value, gettext_lazy("three, all resolved")),
    (RevealWay.ONE_OF_TWO.value, gettext_lazy("two, one chosen")),
    (RevealWay.ONE_OF_THREE.value, gettext_lazy("three, one chosen")),
    (RevealWay.TWO_OF_THREE.value, gettext_lazy("three, two chosen")),
    (RevealWay.ONE_OF_FOUR.value, gettext_lazy("four, one chosen")),
    (RevealWay.ONE_OF_FIVE.value, gettext_lazy("five, one chosen")),
]


class SourceForm(forms.Form):
    """The source of a bag: a scenario and a difficulty."""

    scenario = forms.ChoiceField(label=gettext_lazy("Scenario"))
    level = forms.ChoiceField(
        label=pgettext_lazy("of a campaign", "Difficulty"), choices=LEVELS
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(
            data, initial={"scenario": USUAL, "level": Difficulty.STANDARD.value}
        )
        offer_choices(self, "scenario", _scenarios())


def _scenarios() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return every scenario to choose from, grouped by campaign."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for key, scenario in scenarios().items():
        campaign = campaigns().get(scenario.campaign)
        name = campaign.name if campaign else str(gettext_lazy("Solo game"))
        groups.setdefault(name, []).append((key, scenario.name))
    return list(groups.items())


NO_SYMBOLS: Mapping[Token, SymbolFact] = {}  # if no scenario is chosen


class TokenRow(NamedTuple):
    """A token with its fields; ``gist`` is what it does here, “” if unknown."""

    token: Token
    word: str
    sign: str
    count: Any
    modifier: Any = None
    effect: Any = None
    gist: str = ""


class OddsForm(forms.Form):
    """The bag, what its symbols do, and the test."""

    skill = forms.IntegerField(
        label=gettext_lazy("Skill value"),
        help_text=gettext_lazy("Committed icons included."),
        min_value=0,
        max_value=MOST_SKILL,
    )
    difficulty = forms.IntegerField(
        label=pgettext_lazy("of a test", "Difficulty"),
        min_value=0,
        max_value=MOST_SKILL,
    )
    reveal = forms.ChoiceField(
        label=gettext_lazy("Revealed"), choices=WAYS, required=False
    )

    def __init__(
        self,
        data: Any = None,
        initial: Mapping[str, Any] | None = None,
        symbols: Mapping[Token, SymbolFact] = NO_SYMBOLS,
    ) -> None:
        super().__init__(data, initial={"skill": 4, "difficulty": 3, **(initial or {})})
        self.symbols = symbols
        for token in Token:
            self.fields[f"n_{token}"] = forms.IntegerField(
                label=word_of(token),
                min_value=0,
                max_value=MOST_OF_A_KIND,
                required=False,
            )
        for token in MEANING_ASKED:
            self.fields[f"m_{token}"] = forms.IntegerField(
                label=gettext_lazy("Modifier"),
                min_value=-MOST_MODIFIER,
                max_value=MOST_MODIFIER,
                required=False,
            )
            self.fields[f"e_{token}"] = forms.ChoiceField(
                label=gettext_lazy("What it does"), choices=EFFECTS, required=False
            )
        for name, field in self.fields.items():
            if name[:2] in ("n_", "m_"):
                field.widget.attrs["inputmode"] = (
                    "text" if name[0] == "m" else "numeric"
                )

    def plain(self) -> Iterator[TokenRow]:
        """Yield the tokens with a printed meaning."""
        for token in Token:
            if token not in MEANING_ASKED:
                yield TokenRow(
                    token, word_of(token), sign_of(token), self[f"n_{token}"]
                )

    def asked(self) -> Iterator[TokenRow]:
        """Yield the tokens whose meaning is asked for."""
        for token in MEANING_ASKED:
            yield TokenRow(
                token,
                word_of(token),
                sign_of(token),
                self[f"n_{token}"],
                self[f"m_{token}"],
                self[f"e_{token}"],
                self.symbols[token].gist if token in self.symbols else "",
            )

    def test(self) -> SkillTest:
        """Return the test; the form must be valid."""
        data = self.cleaned_data
        tokens = {token.value: data[f"n_{token}"] or 0 for token in Token}
        meanings = {
            token: _meaning(data[f"m_{token}"] or 0, data[f"e_{token}"])
            for token in MEANING_ASKED
        }
        way = RevealWay(data["reveal"] or RevealWay.ONE.value)
        return SkillTest(ChaosBag.of(tokens), meanings, way)


def _meaning(modifier: int, effect: str) -> Meaning:
    automatic = Automatic(effect) if effect in (SUCCESS, FAILURE) else None
    return Meaning(modifier, effect == ANOTHER, automatic)


def filled(
    scenario: StartingScenario, level: Difficulty, investigator: str = ""
) -> tuple[dict[str, Any], Mapping[Token, SymbolFact]]:
    """Return the form's values for a scenario's bag, and what its symbols do."""
    bags = starting_bags(scenario)
    bag = bags.get(level) or next(iter(bags.values()))
    facts = dict(symbols_of(scenario, level))
    facts[Token.ELDER_SIGN] = elder_sign_of(investigator)
    values: dict[str, Any] = {f"n_{token}": bag[token] or "" for token in Token}
    values |= dict(symbol_pairs(facts))
    return values, facts


def is_asked(data: QueryDict) -> bool:
    """Return whether an address has a test."""
    return "difficulty" in data
