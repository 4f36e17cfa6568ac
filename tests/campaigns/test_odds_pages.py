"""The pages of the chaos bag: odds of a test, and a bag to practise with."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from django.http import HttpResponse
from django.test import Client

from campaigns.at_table.odds import percent
from campaigns.play.bag import MOST_STEPS

pytestmark = pytest.mark.django_db
ODDS, BAG = "/odds/", "/odds/bag/"
HTMX = {"hx-request": "true"}
SMALL = {"n_bless": "1", "n_-1": "1", "skill": "0", "difficulty": "1"}


def text_of(answer: object) -> str:
    """What is read on a page."""
    assert isinstance(answer, HttpResponse)
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_the_page_begins_with_a_usual_bag(client: Client) -> None:
    """The Gathering on Standard: 4 against 3 passes with 10 tokens of 16."""
    answer = client.get(ODDS)
    assert answer.status_code == 200
    assert "62.5 % skill 4 against difficulty 3 5/8" in text_of(answer)


def test_odds_of_a_test_are_exact(client: Client) -> None:
    text = text_of(client.get(ODDS, SMALL))
    assert "50.0 % skill 0 against difficulty 1 1/2" in text


def test_htmx_gets_only_the_result(client: Client) -> None:
    answer = client.get(ODDS, SMALL, headers=HTMX)
    assert "<h1" not in answer.content.decode()
    assert "50.0 %" in text_of(answer)
    assert "HX-Request" in answer["Vary"]


def test_a_scenario_fills_the_form(client: Client) -> None:
    answer = client.get(ODDS, {"scenario": "core.tentacles", "level": "hard"})
    page = answer.content.decode()
    for name, value in (("n_-5", 1), ("m_elder_thing", -7), ("m_cultist", -4)):
        assert re.search(rf'name="{name}" value="{value}"', page), name


def test_symbols_say_what_they_do_in_the_scenario(client: Client) -> None:
    page = text_of(client.get(ODDS, {"scenario": "core.torch", "level": "easy"}))
    assert "−X: Ghoul enemies here." in page
    hard = text_of(client.get(ODDS, {"scenario": "core.torch", "level": "hard"}))
    assert "−X: Ghoul enemies here." not in hard
    assert "−4. With a Ghoul enemy here: 1 damage and 1 horror." in hard


def test_a_bag_beyond_its_limits_is_reported(client: Client) -> None:
    text = text_of(client.get(ODDS, {**SMALL, "n_bless": "11"}))
    assert "There are 11 bless tokens in the bag and on cards. Remove 1." in text


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_0": "-1"},
        {"n_0": "many"},
        {"m_skull": "99"},
        {"e_skull": "explodes"},
        {"skill": ""},
        {"difficulty": "1000000000000"},
        {"reveal": "9 of 5"},
        {"scenario": "core.nowhere", "level": "hard"},
    ],
)
def test_an_invalid_form_is_refused(client: Client, wrong: dict[str, str]) -> None:
    answer = client.get(ODDS, {**SMALL, **wrong})
    assert answer.status_code == 422


def test_rare_sums_share_a_column_of_the_chart_and_not_a_line(client: Client) -> None:
    """Three curses and 0: sums of 0 to -6; with a fourth, -8 joins the last column."""
    few = {"n_curse": "3", "n_0": "1", "skill": "0", "difficulty": "1"}
    page = client.get(ODDS, few).content.decode()
    assert ">−6</text>" in page
    page = client.get(ODDS, {**few, "n_curse": "4"}).content.decode()
    assert ">≤−6</text>" in page
    assert '<th scope="row">−8</th>' in page


# -- a bag to practise with --


def _steps(client: Client, steps: str, **bag: str) -> str:
    tokens = bag or {"n_0": "1", "n_bless": "1", "n_skull": "1"}
    return text_of(client.get(BAG, {**tokens, "seed": "abc", "steps": steps}))


def test_an_address_without_a_seed_is_given_one(client: Client) -> None:
    answer = client.get(BAG, {"n_0": "2"})
    assert answer.status_code == 302
    assert re.fullmatch(r"/odds/bag/\?n_0=2&seed=[^&]+&steps=", answer["Location"])


def test_a_step_redirects_to_the_address_after_it(client: Client) -> None:
    asked = {"n_0": "2", "seed": "abc", "steps": "d", "do": "e"}
    answer = client.get(BAG, asked)
    assert answer["Location"] == "/odds/bag/?n_0=2&seed=abc&steps=d.e"


def test_an_address_always_shows_the_same(client: Client) -> None:
    assert _steps(client, "d.d") == _steps(client, "d.d")


def test_tokens_go_out_and_come_back(client: Client) -> None:
    assert "In the bag: 0 tokens" in _steps(client, "d.d.d")
    # The bless that was revealed is gone.
    assert "In the bag: 2 tokens" in _steps(client, "d.d.d.e")


def test_tokens_are_sealed_and_released(client: Client) -> None:
    sealed = _steps(client, "sk")
    assert "In the bag: 2 tokens" in sealed
    assert "Release Skull" in sealed
    assert "In the bag: 3 tokens" in _steps(client, "sk.rk")


def test_limits_hold(client: Client) -> None:
    full = _steps(client, ".".join(["aq"] * 12))
    assert "Bless × 10" in full
    assert "Only 0 of 1 bless tokens can be added" in full


def test_an_impossible_step_has_a_reason(client: Client) -> None:
    assert "There are 0 frost tokens in the bag, not 1." in _steps(client, "ss")


def test_two_frosts_end_the_test(client: Client) -> None:
    text = _steps(client, "d.d", n_frost="2")
    assert "Two frost tokens: the test fails automatically." in text


@pytest.mark.parametrize("steps", ["x.y.zz", "....", "d" * 5_000, "a", "az"])
def test_invalid_steps_are_ignored(client: Client, steps: str) -> None:
    assert "History: 0 steps" in _steps(client, steps)


def test_the_number_of_steps_in_an_address_is_limited(client: Client) -> None:
    text = _steps(client, ".".join(["aa"] * (MOST_STEPS + 50)))
    assert f"History: {MOST_STEPS} steps" in text
    assert "The bag has reached its limit of steps" in text


@pytest.mark.parametrize(
    ("odds", "shown"),
    [
        (Fraction(0), "0"),
        (Fraction(1, 10_000), "0.1"),
        (Fraction(5, 8), "62.5"),
        (Fraction(9_999, 10_000), "99.9"),
        (Fraction(1), "100"),
    ],
)
def test_only_certain_results_look_certain(odds: Fraction, shown: str) -> None:
    """And impossible ones; neither has a decimal, which would suggest rounding."""
    assert percent(odds) == shown


def test_what_a_varying_symbol_counts_as_is_changed_on_the_same_page(
    client: Client,
) -> None:
    """After the token was revealed too: the result follows, in the same scenario."""
    bag = {"n_skull": "1", "skill": "3", "difficulty": "3", "campaign": "7"}
    drawn = client.get("/table/test/", {**bag, "do": "draw"}, follow=True)
    assert "Passed by 0" in text_of(drawn)
    page = drawn.content.decode()
    assert page.count('name="m_skull"') == 1
    at = drawn.redirect_chain[-1][0]
    less = client.get(f"{at}&do=m_skull-", follow=True)
    assert "Failed by 1" in text_of(less)
    assert "scenario/#bag" in less.content.decode()
    assert 'value="-1"' in less.content.decode()
