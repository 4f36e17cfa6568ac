"""What a chaos bag may contain, and what each change does to it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.chaos import ChaosBag, Token
from arkham.rules.chaos.bag import LIMITS, check_bag
from arkham.rules.chaos.changes import (
    Add,
    Change,
    EndGame,
    EndTest,
    Leave,
    Pay,
    Release,
    Remove,
    Reveal,
    Seal,
    applied,
    check_change,
)
from arkham.rules.draws import replayed
from arkham.rules.draws.record import Draws, Step, draw_token, numbered, played
from arkham.rules.finding import Severity

BAG = ChaosBag.of({"0": 2, "-1": 1, "skull": 2, "auto_fail": 1, "bless": 8, "frost": 7})


def test_counts_are_sorted_and_leave_out_zeros() -> None:
    bag = ChaosBag.of({"frost": 1, "skull": 0, "+1": 2})
    assert bag.counts == ((Token.PLUS_ONE, 2), (Token.FROST, 1))
    assert bag.size == 3


@pytest.mark.parametrize("tokens", [{"skull": -1}, {"squid": 1}])
def test_an_invalid_bag_is_refused(tokens: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"squid|fewer"):
        ChaosBag.of(tokens)


# -- limits --


def test_a_bag_within_its_limits_has_no_findings() -> None:
    full = {"bless": 10, "curse": 10, "frost": 8, "skull": 40, "0": 30}
    assert check_bag(ChaosBag.of(full)) == ()


@pytest.mark.parametrize(
    ("token", "limit"), [(Token.BLESS, 10), (Token.CURSE, 10), (Token.FROST, 8)]
)
def test_sealed_tokens_count_against_the_limit(token: Token, limit: int) -> None:
    bag = replace(ChaosBag.of({token: limit}), sealed=(("05314", token),))
    (finding,) = check_bag(bag)
    assert finding.rule == f"bag.{token}"
    assert finding.severity is Severity.ILLEGAL
    assert (finding.actual, finding.expected) == (limit + 1, limit)
    assert finding.text == (
        f"There are {limit + 1} {token.value} tokens in the bag and on cards."
    )
    assert finding.advice_text == "Remove 1."


def test_revealed_bless_tokens_make_room_and_revealed_frost_tokens_do_not() -> None:
    out = (Token.BLESS, Token.FROST)
    bag = replace(ChaosBag.of({"bless": 9, "frost": 7}), revealed=out)
    assert bag.room(Token.BLESS) == 1
    assert bag.room(Token.FROST) == 0
    assert bag.room(Token.SKULL) is None


def test_an_effect_adds_only_as_many_tokens_as_are_left() -> None:
    (finding,) = check_change(BAG, Add(Token.BLESS, 3))
    assert finding.rule == "bag.as-many-as-there-are"
    assert finding.severity is Severity.ADVICE
    assert (finding.actual, finding.expected) == (3, 2)
    assert applied(BAG, Add(Token.BLESS, 3))[Token.BLESS] == 10
    assert check_change(BAG, Add(Token.BLESS, 2)) == ()


def test_a_cost_is_paid_in_full_or_not_at_all() -> None:
    (finding,) = check_change(BAG, Pay(Token.BLESS, 3))
    assert finding.rule == "bag.cost"
    assert finding.severity is Severity.ILLEGAL
    with pytest.raises(ValueError, match="You can’t pay the cost"):
        applied(BAG, Pay(Token.BLESS, 3))
    assert check_change(BAG, Pay(Token.BLESS, 2)) == ()
    assert applied(BAG, Pay(Token.BLESS, 2))[Token.BLESS] == 10


def test_other_tokens_have_no_limit() -> None:
    assert check_change(BAG, Add(Token.AUTO_FAIL, 30)) == ()
    assert applied(BAG, Add(Token.AUTO_FAIL, 30))[Token.AUTO_FAIL] == 31


# -- possible and impossible changes --


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (Seal(Token.ELDER_SIGN, "Seal of the Elder Sign"), "bag.absent"),
        (Reveal(Token.ELDER_SIGN), "bag.absent"),
        (Remove(Token.SKULL, 3), "bag.absent"),
        (Release(Token.SKULL, "The Chthonian Stone"), "bag.not-sealed"),
        (Add(Token.SKULL, 0), "bag.count"),
        (Pay(Token.CURSE, -1), "bag.count"),
        (Remove(Token.SKULL, 0), "bag.count"),
    ],
)
def test_an_impossible_change_is_refused(change: Change, rule: str) -> None:
    assert [each.rule for each in check_change(BAG, change)] == [rule]
    with pytest.raises(ValueError, match=r"\w"):
        applied(BAG, change)


@pytest.mark.parametrize(
    "change",
    [
        Seal(Token.SKULL, "The Chthonian Stone"),
        Reveal(Token.SKULL),
        Remove(Token.SKULL, 2),
        Leave("a card without tokens"),
        EndTest(),
        EndGame(),
    ],
)
def test_a_possible_change_has_no_findings(change: Change) -> None:
    assert check_change(BAG, change) == ()


# -- where tokens go --


def test_sealed_tokens_leave_the_bag_and_return_when_released() -> None:
    sealed = applied(BAG, Seal(Token.SKULL, "The Chthonian Stone"))
    assert sealed[Token.SKULL] == 1
    assert sealed.sealed == (("The Chthonian Stone", Token.SKULL),)
    back = applied(sealed, Release(Token.SKULL, "The Chthonian Stone"))
    assert back == BAG
    assert applied(sealed, Leave("The Chthonian Stone")) == BAG
    assert applied(sealed, Leave("another")) == sealed


def test_after_a_test_bless_and_curse_tokens_are_gone_and_others_return() -> None:
    bag = ChaosBag.of({"bless": 2, "curse": 1, "frost": 1, "0": 1})
    for token in (Token.BLESS, Token.CURSE, Token.FROST, Token.ZERO):
        bag = applied(bag, Reveal(token))
    assert bag.revealed == (Token.BLESS, Token.CURSE, Token.FROST, Token.ZERO)
    after = applied(bag, EndTest())
    assert after == ChaosBag.of({"bless": 1, "frost": 1, "0": 1})


def test_after_the_game_bless_and_curse_tokens_are_gone() -> None:
    bag = ChaosBag.of({"bless": 2, "curse": 1, "frost": 2, "skull": 1, "0": 1})
    bag = applied(bag, Seal(Token.BLESS, "Rite of Sanctification"))
    bag = applied(bag, Seal(Token.FROST, "a card"))
    bag = applied(bag, Seal(Token.SKULL, "The Chthonian Stone"))
    bag = applied(bag, Reveal(Token.ZERO))
    after = applied(bag, EndGame())
    assert after == ChaosBag.of({"frost": 2, "skull": 1, "0": 1})


# -- draws --


def test_a_draw_is_recorded_and_can_be_replayed() -> None:
    record, bag = draw_token(BAG, "arkham")
    assert record.pool == (
        ("-1", 1), ("0", 2), ("auto_fail", 1), ("bless", 8), ("frost", 7), ("skull", 2),
    )  # fmt: skip
    assert record.result == ("frost",)
    assert bag.revealed == (Token.FROST,)
    assert bag[Token.FROST] == 6
    assert replayed(record) == record


def test_an_empty_bag_gives_no_token() -> None:
    record, bag = draw_token(ChaosBag(), "arkham")
    assert record.result == ()
    assert bag == ChaosBag()


def test_play_continues_after_a_forbidden_step() -> None:
    steps: list[Step] = [Draws(), Seal(Token.CURSE, "x"), EndTest(), Add(Token.CURSE)]
    events = played(BAG, numbered("arkham"), steps)
    assert [event.forbidden for event in events] == [False, True, False, False]
    assert events[0].draw is not None
    assert events[0].draw.seed == "arkham/1"
    assert events[1].bag == events[0].bag
    assert events[-1].bag == applied(BAG, Add(Token.CURSE))
    assert played(BAG, numbered("arkham"), steps) == events


tokens = st.sampled_from(list(Token))
cards = st.sampled_from(["one card", "another"])
counts = st.integers(1, 12)
steps = st.lists(
    st.one_of(
        st.builds(Add, tokens, counts),
        st.builds(Pay, tokens, counts),
        st.builds(Remove, tokens, counts),
        st.builds(Seal, tokens, cards),
        st.builds(Release, tokens, cards),
        st.builds(Leave, cards),
        st.just(EndTest()),
        st.just(EndGame()),
        st.just(Draws()),
    ),
    max_size=30,
)


@given(steps)
def test_a_bag_is_never_outside_its_limits(taken: list[Step]) -> None:
    for event in played(BAG, numbered("seed"), taken):
        assert check_bag(event.bag) == ()
        assert all(count > 0 for _token, count in event.bag.counts)
        for token, limit in LIMITS.items():
            assert event.bag.held(token) <= limit
