"""The play screen: revealed tokens, odds of the live bag, several at once."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.test import Client

from arkham.rules.chaos import ChaosBag, Meaning, Token
from arkham.rules.chaos.starting import SymbolFact
from campaigns.at_table.odds import live_odds
from campaigns.models import Campaign
from campaigns.play.bag import practice_of
from tests.campaigns.scenario.helpers import do_at_table, kept_play, scenario_page

pytestmark = pytest.mark.django_db


def _odds(tokens: dict[str, int], *steps: str) -> dict[str, str]:
    """Return the odds by margin; a skull is −1 there, an elder sign +1."""
    play = practice_of(ChaosBag.of(tokens), "seed", list(steps))
    facts = {Token.SKULL: Meaning(-1), Token.ELDER_SIGN: Meaning(1)}
    odds = live_odds(play, {token: SymbolFact(each) for token, each in facts.items()})
    assert odds is not None
    return {each.margin: each.percent for each in odds.chances}


def test_the_odds_are_those_of_counting_the_tokens() -> None:
    """One token, no chain: passing tokens divided by all."""
    tokens = {"0": 1, "-1": 2, "-3": 1, "skull": 1, "auto_fail": 1, "elder_sign": 2}
    values = [0, -1, -1, -3, -1, 1, 1]
    found = _odds(tokens)
    for margin in range(-1, 7):
        share = Fraction(sum(margin + each >= 0 for each in values), 8)
        name = f"+{margin}" if margin > 0 else str(margin).replace("-", "−")
        assert found[name] == str(int(share * 100 + Fraction(1, 2)))  # never cut


def test_revealed_tokens_count_as_returned() -> None:
    """The odds are those of the next test; an empty bag has none."""
    tokens = {"0": 1, "-1": 1}
    assert _odds(tokens, "d") == _odds(tokens)
    assert live_odds(practice_of(ChaosBag.of({}), "seed", []), {}) is None


def test_a_revealed_token_says_what_it_does(
    as_alice: Client, playing: Campaign
) -> None:
    """A symbol by the reference card, an elder sign for each investigator."""
    page = scenario_page(as_alice, playing)
    assert "Chance to pass, by skill value minus difficulty" in page
    seen: set[str] = set()
    for _draw in range(7):
        version = playing.plays.values_list("version", flat=True).first() or 0
        do_at_table(as_alice, playing, "d", seen=version)
        page = scenario_page(as_alice, playing)
        now = page.partition('class="token-now')[2].partition('class="tests')[0]
        # Only draws of a phone without network are marked.
        assert "muted-small" not in now.partition('class="tray')[0]
        if "Skull" in now.partition('class="tray')[0]:
            seen.add("skull")
            assert "Ghoul enemies here" in now
        if "Elder sign" in now.partition('class="tray')[0]:
            seen.add("elder sign")
            assert "Roland Banks" in now
            assert "Daisy Walker" in now
    assert seen == {"skull", "elder sign"}


def test_several_tokens_are_revealed_by_one_press(
    as_alice: Client, playing: Campaign
) -> None:
    """Each can be undone; no more than the bag contains."""
    assert do_at_table(as_alice, playing, "d:3").status_code == 303
    assert kept_play(playing).steps == ("d",) * 3
    assert kept_play(playing).by == ("alice",) * 3
    do_at_table(as_alice, playing, "d:5", seen=1)
    assert len(kept_play(playing).steps) == 7
    page = scenario_page(as_alice, playing)
    assert 'class="tray' in page


def test_bless_curse_and_frost_are_shown_if_in_the_bag(
    as_alice: Client, playing: Campaign
) -> None:
    """This bag has a frost token; otherwise they are folded away."""
    assert 'id="limited"' not in scenario_page(as_alice, playing)
    do_at_table(as_alice, playing, "ts")
    assert 'id="limited"' in scenario_page(as_alice, playing)
