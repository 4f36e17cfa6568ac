"""The search language: the meaning of searches, and the place of errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardpool.search.lexicon import QueryError
from cardpool.search.query import (
    And,
    Condition,
    Name,
    Not,
    Or,
    SearchValue,
    Term,
    parse,
)


def said(term: Term) -> str:
    """Write a tree so that a person can check it."""
    match term:
        case Name(values):
            return "/".join(value.text for value in values)
        case Condition(key, operator, values):
            return f"{key.text}{operator}{'/'.join(value.text for value in values)}"
        case Not(inner):
            return f"not[{said(inner)}]"
        case And(terms):
            return f"all[{', '.join(said(each) for each in terms)}]"
        case Or(terms):
            return f"any[{', '.join(said(each) for each in terms)}]"


@pytest.mark.parametrize(
    ("search", "meaning"),
    [
        ("", "all[]"),
        ("   ", "all[]"),
        ("shrivelling", "shrivelling"),
        ("hot streak", "all[hot, streak]"),
        ('"hot streak"', "hot streak"),
        ("“hot streak”", "hot streak"),
        ("class:seeker", "class:seeker"),
        ("f:seeker|mystic", "f:seeker/mystic"),
        ("f!neutral", "f!neutral"),
        ("o<3", "o<3"),
        ("level <= 2", "level<=2"),
        ("level != 2", "level!=2"),
        ("class: seeker", "class:seeker"),
        ('x:"draw 1 card" e:core|dwl', "all[x:draw 1 card, e:core/dwl]"),
        ("r<2017-01-01", "r<2017-01-01"),
        ("cost:-", "cost:-"),
        ('z:"hand x2"', "z:hand x2"),
        ("-trait:spell", "not[trait:spell]"),
        ("--a", "not[not[a]]"),
        ("-(k:tome or k:relic)", "not[any[k:tome, k:relic]]"),
        ("a OR b c", "any[a, all[b, c]]"),
        ("a AND b OR c", "any[all[a, b], c]"),
        ("t:asset or t:event cost:0", "any[t:asset, all[t:event, cost:0]]"),
        ("(t:asset or t:event) cost:0", "all[any[t:asset, t:event], cost:0]"),
        ("t:asset and cost:0", "all[t:asset, cost:0]"),
        ("((class:seeker))", "class:seeker"),
        # A small "or" between bare words belongs to the name.
        ("double or nothing", "all[double, or, nothing]"),
        ("class:rogue double or nothing", "all[class:rogue, double, or, nothing]"),
        ("trial and error", "all[trial, and, error]"),
        ("double or class:rogue", "any[double, class:rogue]"),
        ('"hot streak" or flare', "any[hot streak, flare]"),
        ("(double or nothing)", "any[double, nothing]"),
        ("(double) or (nothing)", "any[double, nothing]"),
        ("or die trying", "all[or, die, trying]"),
        ("double or", "all[double, or]"),
        ("orphan android", "all[orphan, android]"),
        # Marks inside names are no operators.
        ("Fire!", "Fire!"),
        ("O'Toole", "O'Toole"),
        ("self-sacrifice", "self-sacrifice"),
        (".45", ".45"),
        ("hot streak|flare", "all[hot, streak/flare]"),
    ],
)
def test_a_search_is_parsed(search: str, meaning: str) -> None:
    assert said(parse(search)) == meaning


def test_values_know_their_columns() -> None:
    term = parse("class:seeker|mystic  level<=2")
    assert term == And(
        (
            Condition(
                SearchValue("class", 1),
                ":",
                (SearchValue("seeker", 7), SearchValue("mystic", 14)),
            ),
            Condition(SearchValue("level", 22), "<=", (SearchValue("2", 29),)),
        )
    )


@pytest.mark.parametrize(
    ("search", "column", "found", "expected"),
    [
        ("class:", 7, "", "a value"),
        ("class:seeker|", 14, "", "a value"),
        ("level<=", 8, "", "a value"),
        ("(a", 3, "", "a closing parenthesis"),
        ("a)", 2, ")", "a condition, or quotation marks around a name"),
        ("()", 2, ")", "a word or a condition such as class:seeker"),
        ('say "abc', 5, '"', "a closing quotation mark"),
        ("10:00", 3, ":", "a condition, or quotation marks around a name"),
        ("a | | b", 5, "|", "a word"),
        (":", 1, ":", "a word or a condition such as class:seeker"),
    ],
)
def test_an_invalid_search_is_refused_at_its_place(
    search: str, column: int, found: str, expected: str
) -> None:
    with pytest.raises(QueryError) as refusal:
        parse(search)
    assert (refusal.value.column, refusal.value.found, refusal.value.expected) == (
        column,
        found,
        expected,
    )


@pytest.mark.parametrize(
    ("search", "column"),
    [
        ("x" * 1_001, 1_001),
        ("-" * 500 + "a", 1),
        ("-(" * 200 + "a" + ")" * 200, 1),
        ("a " * 61, 121),
    ],
)
def test_a_search_is_limited(search: str, column: int) -> None:
    with pytest.raises(QueryError) as refusal:
        parse(search)
    assert refusal.value.column == column


def test_apparently_deep_searches_are_read() -> None:
    assert said(parse("(" * 400 + "a" + ")" * 400)) == "a"
    assert said(parse("a " * 60)) == f"all[{', '.join('a' * 60)}]"


PIECES = st.sampled_from(
    ["class", "level", ":", "<=", "!", "=", "|", "(", ")", "-", '"', "or", "AND", " ",
     "seeker", "2", "“", "”", "x", "\x00", "é", "\n", "::", "!!", "f!neutral"]
)  # fmt: skip


def refusal_of(search: str) -> QueryError | None:
    try:
        parse(search)
    except QueryError as refusal:
        return refusal
    return None


@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=25).map("".join)))
def test_any_input_is_read_or_refused_at_a_place(search: str) -> None:
    refusal = refusal_of(search)
    if refusal is not None:
        assert 1 <= refusal.column <= len(search) + 1
        assert refusal.expected
        assert str(refusal)
