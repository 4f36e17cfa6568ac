"""JSON is read strictly, and each fault is reported with its place."""

from __future__ import annotations

import pytest

from arkham.rules.notation.reading import (
    MOST_BYTES,
    Fault,
    TooLarge,
    Unreadable,
    instant_of,
    read_items,
    read_json,
)


def _fault(text: str, pointer: str = "") -> Fault:
    with pytest.raises(Unreadable) as caught:
        read_json(text, pointer)
    (fault,) = caught.value.faults
    return fault


@pytest.mark.parametrize(
    ("text", "message", "expected", "line", "column"),
    [
        ("", "A value is missing or broken here.", "a JSON value", 1, 1),
        ('{"a":}', "A value is missing or broken here.", "a JSON value", 1, 6),
        ('{"a":1}}', "The value ends here, and more follows.", "the end", 1, 8),
        (
            '{\n "a": "b\n"}',
            "A text has a control character in it.",
            "an escape such as \\n or \\u0000",
            2,
            9,
        ),
        (
            '"abc',
            "The text that starts here has no end.",
            "a closing quotation mark",
            1,
            1,
        ),
        (
            '{"a":1 "b":2}',
            "A comma or a closing bracket is missing here.",
            "a comma or a closing bracket",
            1,
            8,
        ),
        ("{a:1}", "A key is missing or broken here.", "a key in double quotes", 1, 2),
        ('{"a" 1}', "The key has no value.", "a colon", 1, 6),
        ('"\\x"', "This is not JSON.", "a JSON value", 1, 2),
        ("\x00", "A value is missing or broken here.", "a JSON value", 1, 1),
        ('{"a":1,\n"a":2}', "The key “a” is there twice.", "each key once", 2, 1),
        (
            '{"a":"\\ud83d"}',
            "\\ud83d is half a character.",
            "Unicode text",
            1,
            7,
        ),
        (
            '{"a":"\\ude00\\ud83d"}',
            "\\ude00 is half a character.",
            "Unicode text",
            1,
            7,
        ),
    ],
)
def test_a_broken_text_is_described(
    text: str, message: str, expected: str, line: int, column: int
) -> None:
    """What is wrong, what was expected, and in which line and column."""
    fault = _fault(text)

    assert (fault.text, fault.expected) == (message, expected)
    assert (fault.line, fault.column) == (line, column)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e400"])
def test_numbers_too_large_to_represent_are_refused(number: str) -> None:
    """They would be written as something that is not JSON."""
    fault = _fault(f'{{"a":[1, "{number}",\n{number}]}}')

    assert fault.text == f"{number} isn’t a number we can read."
    assert (fault.pointer, fault.line, fault.column) == ("/a/2", 2, 1)


def test_thousands_of_digits_are_refused() -> None:
    """The interpreter refuses them."""
    fault = _fault(" -" + "9" * 5000)

    assert fault.text == "… isn’t a number we can read."
    assert (fault.pointer, fault.line, fault.column) == ("", 1, 2)
    assert read_json("9" * 4300) == int("9" * 4300)


@pytest.mark.parametrize("text", ["NaN}", "1e999]", "-Infinity}]", "9" * 5000 + "}"])
def test_an_invalid_number_before_a_surplus_bracket_is_refused(text: str) -> None:
    """What follows it is ignored."""
    fault = _fault(text)

    assert fault.text.endswith(" isn’t a number we can read.")
    assert (fault.pointer, fault.line, fault.column) == ("", 1, 1)


@pytest.mark.parametrize("more", ["x", '\ufffd,"b\x01\\": 1', '.5,"\\u12": 1', '"\\'])
@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "9" * 5000 + "e1"])
def test_text_after_an_invalid_number_is_ignored(number: str, more: str) -> None:
    """Letters that continue it, and texts that are not JSON at all."""
    fault = _fault(f'{{"a": [1, {number}{more}')

    assert fault.text.endswith(" isn’t a number we can read.")
    assert (fault.pointer, fault.line, fault.column) == ("/a/1", 1, 11)


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e+2026", "9" * 5000])
def test_text_after_a_single_invalid_number_is_ignored(number: str) -> None:
    """However broken it is."""
    fault = _fault(f' {number}x{{"a\\u0": 1, "b": {number}}}')

    assert fault.text.endswith(" isn’t a number we can read.")
    assert (fault.pointer, fault.line, fault.column) == ("", 1, 2)


def test_a_long_fraction_is_read_but_not_a_long_whole_number() -> None:
    assert _fault(f"[0.{'3' * 5000}, {'9' * 5000}]").pointer == "/1"


def test_endless_nesting_is_refused() -> None:
    """It must not exhaust the stack."""
    assert _fault("[" * 200_000).text == "This is nested too deeply."


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\\\ud83d"', "\\ud83d"),
        ('"\\u0000"', "\x00"),
        (
            ' {"a":{"a":1},"b":[{"a":1},{"a":2.5}]} ',
            {"a": {"a": 1}, "b": [{"a": 1}, {"a": 2.5}]},
        ),
        ("9" * 400, int("9" * 400)),
    ],
)
def test_unusual_but_valid_json_is_read(text: str, value: object) -> None:
    """Surrogate pairs, escaped backslashes, NUL, the same key in different objects."""
    assert read_json(text) == value


@pytest.mark.parametrize(
    ("text", "pointer", "column"),
    [
        ('{"a":1,"a":2}', "/meta/a", 8),
        ('{"a":}', "/meta", 6),
        ('"\\udfff"', "/meta", 2),
    ],
)
def test_a_fault_in_an_embedded_text_names_that_text(
    text: str, pointer: str, column: int
) -> None:
    """Line and column are counted in the embedded text."""
    fault = _fault(text, "/meta")

    assert (fault.pointer, fault.inside) == (pointer, "/meta")
    assert (fault.line, fault.column) == (1, column)


# -- arrays, item by item --


def _items(text: str) -> list[object]:
    """Return the values; for an unreadable item, its faults' pointers and texts."""
    return [
        [(fault.pointer, fault.text) for fault in item.faults]
        if isinstance(item, Unreadable)
        else item
        for item in read_items(text)
    ]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("[]", []),
        (" [ ] ", []),
        ("[1]", [1]),
        (' [ {"a":1} , [2] ,"x",null ]\n', [{"a": 1}, [2], "x", None]),
    ],
)
def test_the_items_of_an_array_are_read(text: str, items: list[object]) -> None:
    """With white space wherever JSON allows it."""
    assert _items(text) == items


def test_an_invalid_item_does_not_affect_the_others() -> None:
    """A repeated key, a number too large, half a surrogate pair."""
    text = (
        '[1,{"a":{"b":1,"b":2}},{"c":NaN},{"d":1e999},"\\ud800",[' + "9" * 5000 + "],2]"
    )

    assert _items(text) == [
        1,
        [("/a/b", "The key “b” is there twice.")],
        [("/c", "NaN isn’t a number we can read.")],
        [("/d", "1e999 isn’t a number we can read.")],
        [("", "\\ud800 is half a character.")],
        [("/0", "… isn’t a number we can read.")],
        2,
    ]


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("", "A value is missing or broken here.", 1, 1),
        ("  x", "A value is missing or broken here.", 1, 3),
        ("[", "A value is missing or broken here.", 1, 2),
        ("[1,\n]", "A value is missing or broken here.", 2, 1),
        ("[1 2]", "A comma or a closing bracket is missing here.", 1, 4),
        ("[1,2", "A comma or a closing bracket is missing here.", 1, 5),
        ("[1]]", "The value ends here, and more follows.", 1, 4),
        ("[] x", "The value ends here, and more follows.", 1, 4),
        (
            '[1,{"a":1 "b"}]',
            "A comma or a closing bracket is missing here.",
            1,
            11,
        ),
        ("[1e999 2]", "A comma or a closing bracket is missing here.", 1, 8),
        (
            '[{"a":NaN "b"}]',
            "A comma or a closing bracket is missing here.",
            1,
            11,
        ),
        (
            '[{"a":{"b":1,"b":1},"c"}]',
            "The key has no value.",
            1,
            24,
        ),
        (
            "[[1e999" + "[" * 200_000,
            "A comma or a closing bracket is missing here.",
            1,
            8,
        ),
        ("[[1e999," + "[" * 200_000, "This is nested too deeply.", 1, 1),
    ],
)
def test_a_broken_array_is_refused_with_the_place(
    text: str, message: str, line: int, column: int
) -> None:
    """Nothing after that place can be trusted."""
    with pytest.raises(Unreadable) as caught:
        list(read_items(text))

    (fault,) = caught.value.faults
    assert (fault.text, fault.line, fault.column) == (message, line, column)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"a":1}', "a {…} block"),
        ('"x"', "text"),
        ("true", "true or false"),
        ("null", "null"),
        ("-1", "a number"),
    ],
)
def test_a_value_that_is_not_an_array_is_named(text: str, kind: str) -> None:
    """It is not read completely."""
    with pytest.raises(Unreadable) as caught:
        list(read_items(text))

    assert caught.value.faults[0].text == f"This is {kind}."


def test_endless_nesting_in_an_item_refuses_the_array() -> None:
    """Because the end of the item is unknown."""
    with pytest.raises(Unreadable) as caught:
        list(read_items("[1," + "[" * 200_000))

    (fault,) = caught.value.faults
    assert (fault.pointer, fault.text) == ("/1", "This is nested too deeply.")


LARGE = '"' + "x" * (MOST_BYTES - 2) + '"'


def test_items_up_to_the_limit_are_read() -> None:
    """However many there are."""
    items = read_items(f"[{LARGE},{LARGE},{LARGE}]")

    assert [len(item) for item in items] == [1_048_574, 1_048_574, 1_048_574]


@pytest.mark.parametrize(
    "item",
    [
        f' {LARGE[:-1]}xx"',
        '"' + "x" * 5 * MOST_BYTES + '"',
        "[" + "1," * 3 * MOST_BYTES + "1]",
        "1" + "0" * 3 * MOST_BYTES,
        '{"a":"' + "x" * 3 * MOST_BYTES + '"}',
    ],
)
def test_an_item_beyond_the_limit_is_refused(item: str) -> None:
    """With its index, and before all of it was read."""
    with pytest.raises(TooLarge) as caught:
        list(read_items(f"[0,{item}," + "1," * 3 * MOST_BYTES + "2]"))

    assert caught.value.faults[0].pointer == "/1"


def test_many_small_items_are_read_through_a_moving_window() -> None:
    """None is lost."""
    text = "[1" + ",        1" * 399_999 + "]"

    assert sum(read_items(text)) == 400_000


def test_an_instant_is_read_in_utc() -> None:
    """Some databases can't store every offset."""
    read = instant_of("2026-01-01T00:00:00+23:59")
    assert read is not None
    assert read.isoformat() == "2025-12-31T00:01:00+00:00"
    assert instant_of("2025-12-31t00:01:00z") == read


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tomorrow",
        "2026-01-01T00:00:00",
        "2026-02-30T00:00:00+00:00",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "9999-06-01T00:00:00+00:00",
        "\u0662\u0660\u0662\u0666-01-01T00:00:00+00:00",
    ],
)
def test_an_invalid_or_ambiguous_instant_is_none(text: str) -> None:
    """Days that don't exist, no offset, other digits, years out of range."""
    assert instant_of(text) is None
