"""XML from untrusted sources is read as elements and text, without entities."""

from __future__ import annotations

import pytest

from arkham.rules.notation.octgn import Element, read_elements
from arkham.rules.notation.reading import TooLarge, Unreadable

# Nine entities, each ten times the one before: a billion characters.
LAUGHS = '<!ENTITY l0 "ha">' + "".join(
    f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10)
)
NO_TYPE = "A deck can’t have a document type or entities of its own."


def test_elements_are_read_with_their_places() -> None:
    """Path from the root, attributes, text, and the line of the start tag."""
    text = '<deck a="1">\n <notes>x &amp; <![CDATA[<y>]]></notes>\n</deck>'

    assert read_elements(text) == [
        Element(("deck",), {"a": "1"}, "\n \n", 1),
        Element(("deck", "notes"), {}, "x & <y>", 2),
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"<!DOCTYPE deck [{LAUGHS}]><deck>&l9;</deck>",
        '<!DOCTYPE deck [<!ENTITY x SYSTEM "file:///etc/hostname">]><deck>&x;</deck>',
        '<!DOCTYPE deck SYSTEM "http://127.0.0.1:9/deck.dtd"><deck/>',
        '<!DOCTYPE deck PUBLIC "-//X//Y" "http://127.0.0.1:9/x"><deck/>',
        '<!DOCTYPE deck [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x"> %p;]><deck/>',
        '<!DOCTYPE deck [<!ENTITY a "b">]><deck/>',
        "<!DOCTYPE deck><deck/>",
        '<?xml version="1.0" standalone="no"?><!DOCTYPE deck [<!ENTITY a "b">]><deck/>',
        '<!DOCTYPE deck [<!ATTLIST deck game CDATA "x">]><deck/>',
        '<!DOCTYPE d [<!NOTATION n SYSTEM "n"><!ENTITY u SYSTEM "u" NDATA n>]><d/>',
    ],
)
def test_a_document_type_is_refused(text: str) -> None:
    """Of every kind, before any entity is expanded or fetched."""
    with pytest.raises(Unreadable) as refused:
        read_elements(text)

    assert [fault.text for fault in refused.value.faults] == [NO_TYPE]
    assert refused.value.faults[0].line == 1


def test_an_undeclared_entity_is_refused() -> None:
    """Only the five entities of XML itself exist."""
    with pytest.raises(Unreadable, match="undefined entity"):
        read_elements("<deck>&secret;</deck>")


@pytest.mark.parametrize("encoding", ["UTF-7", "utf-16", "UTF-16LE", "latin-1", "x"])
def test_another_encoding_is_refused(encoding: str) -> None:
    """Text that looks harmless must not mean something else to another reader."""
    hidden = "<deck>+ADwAIQ-DOCTYPE deck+AD4-</deck>"
    with pytest.raises(Unreadable, match="the encoding") as refused:
        read_elements(f'<?xml version="1.0" encoding="{encoding}"?>{hidden}')

    assert refused.value.faults[0].expected == "UTF-8"


def test_bytes_of_another_encoding_are_refused() -> None:
    """Here UTF-16 is read as Latin-1."""
    text = "<!DOCTYPE deck><deck/>".encode("utf-16").decode("latin-1")
    with pytest.raises(Unreadable, match="This is not XML"):
        read_elements(text)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("no", 1, 1),
        ("<deck>\n <section>\n</deck>", 3, 3),
        ("<deck/><deck/>", 1, 8),
        ("<deck a='1' a='2'/>", 1, 13),
        ("<deck>\x00</deck>", 1, 7),
        ("<deck>\ud800</deck>", 1, 7),
    ],
)
def test_broken_xml_is_reported_with_its_place(
    text: str, line: int, column: int
) -> None:
    """Line and column, both counted from 1."""
    with pytest.raises(Unreadable) as refused:
        read_elements(text)

    (fault,) = refused.value.faults
    assert (fault.line, fault.column) == (line, column)


def test_depth_count_and_length_are_limited() -> None:
    """However small the file."""
    with pytest.raises(Unreadable, match="nested too deeply"):
        read_elements("<a>" * 21 + "</a>" * 21)
    with pytest.raises(Unreadable, match="too many elements"):
        read_elements(f"<a>{'<b/>' * 20_000}</a>")
    with pytest.raises(TooLarge):
        read_elements("<a>" + " " * 1_048_576 + "</a>")
