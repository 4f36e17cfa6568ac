"""Faults of accessibility that no page may have, whichever way it is drawn."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from django.http import HttpResponse
from django.test import Client

pytestmark = pytest.mark.usefixtures("rows")

LANDMARKS = {"nav": "navigation", "aside": "complementary"}
LISTS = ("ul", "ol", "li", "dl")
ACTIVE = ("a", "button", "summary", "input", "select", "textarea")
FIELDS = ("input", "select", "textarea")
NAMED_BY_VALUE = ("hidden", "submit", "reset", "button", "image")
VOID = ("input", "br", "img", "meta", "link", "hr", "use", "path", "col", "wbr")
WORDS = re.compile(r"[\w'’]+")


class Semantics(HTMLParser):
    """Collects landmarks and faults of lists, controls, fields, pictures and ids."""

    def __init__(self) -> None:
        super().__init__()
        self.landmarks: Counter[tuple[str, str]] = Counter()
        self.faults: list[str] = []
        self._ids: Counter[str] = Counter()
        self._labelled: set[str] = set()
        self._fields: list[tuple[str, str]] = []  # id and name of what needs a label
        self._open: list[tuple[str, dict[str, str], list[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        role = values.get("role", LANDMARKS.get(tag, ""))
        if role in ("search", *LANDMARKS.values()):
            name = values.get("aria-label") or values.get("aria-labelledby", "")
            self.landmarks[role, name] += 1
        if tag in LISTS and values.get("role"):
            self.faults.append(f"<{tag} role={values['role']}>")
        if tag in ACTIVE and any(each in ACTIVE for each, *_rest in self._open):
            self.faults.append(f"<{tag}> inside another control")
        if tag == "img" and "alt" not in values:
            self.faults.append(f"<img src={values.get('src', '')}> without alt")
        if tag == "label" and "for" in values:
            self._labelled.add(values["for"])
        if "id" in values:
            self._ids[values["id"]] += 1
        if self._needs_label(tag, values):
            self._fields.append((values.get("id", ""), values.get("name", tag)))
        if tag not in VOID:
            self._open.append((tag, values, []))

    def _needs_label(self, tag: str, values: dict[str, str]) -> bool:
        """Whether it is a field that neither names itself nor lies in its label."""
        return (
            tag in FIELDS
            and values.get("type", "text") not in NAMED_BY_VALUE
            and not {"aria-label", "aria-labelledby"} & values.keys()
            and all(each != "label" for each, *_rest in self._open)
        )

    def close(self) -> None:
        """Add what only the whole page shows: fields without labels, ids used twice."""
        super().close()
        for field, name in self._fields:
            if field not in self._labelled:
                self.faults.append(f"field {name} without a label")
        self.faults += [f"id {each} twice" for each, n in self._ids.items() if n > 1]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Skip elements of drawings, which close themselves."""

    def handle_data(self, data: str) -> None:
        hidden = any(
            tag == "svg"
            or "unseen" in values.get("class", "").split()
            or values.get("aria-hidden") == "true"
            for tag, values, _text in self._open
        )
        if not hidden:
            for _tag, _values, text in self._open:
                text.append(data)

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            found, values, text = self._open.pop()
            if found in ("a", "button", "summary") and "aria-label" in values:
                self._check_name(values["aria-label"], "".join(text))
            if found == tag:
                return

    def _check_name(self, name: str, seen: str) -> None:
        """Compare what is seen with what is heard: people say what they see."""
        heard = " ".join(WORDS.findall(name.lower()))
        if " ".join(WORDS.findall(seen.lower())) not in heard:
            self.faults.append(f"seen “{seen.strip()}”, heard “{name}”")


def test_the_checks_find_what_they_look_for() -> None:
    """Each fault once."""
    page = Semantics()
    page.feed(
        '<form role="search"></form><form role="search"></form>'
        '<ul><li role="group"></li></ul><a href="/"><button>x</button></a>'
        '<button aria-label="Buy it">free <svg>ignored</svg></button>'
        '<button aria-label="2 experience: buy it">2</button>'
        '<input type="hidden" name="a"><label>B <input name="b"></label>'
        '<label for="c">C</label><input id="c"><select name="d"></select><i id="c"></i>'
        '<img src="e.webp"><img src="f.webp" alt="">'
    )
    page.close()
    assert page.landmarks == {("search", ""): 2}
    assert page.faults == [
        "<li role=group>",
        "<button> inside another control",
        "seen “free”, heard “Buy it”",
        "<img src=e.webp> without alt",
        "field d without a label",
        "id c twice",
    ]


def test_no_page_has_them(as_alice: Client, pages: list[str]) -> None:
    """Landmarks of one kind have names of their own; lists stay lists."""
    for address in (*pages, "/api/docs"):
        answer = as_alice.get(address, follow=True)
        if answer.status_code != 200 or "text/html" not in answer["Content-Type"]:
            continue
        assert isinstance(answer, HttpResponse)
        found = Semantics()
        found.feed(answer.content.decode())
        found.close()
        assert found.faults == [], address
        repeated = [each for each, times in found.landmarks.items() if times > 1]
        assert repeated == [], address
        assert ("search", "") not in found.landmarks, address


def test_a_refused_form_opens_at_the_first_field_that_was_refused(
    as_alice: Client,
) -> None:
    """What is wrong is often far below the top of a long page."""
    path = "/account/preferences/"
    asked = as_alice.get(path)
    refused = as_alice.post(path, {"theme": "", "mode": "x"})

    assert "autofocus" not in asked.text
    assert refused.status_code == 422
    marked = re.findall(r"<[^<>]+ autofocus[^<>]*>", refused.text)
    assert [re.findall(r' name="([^"]+)"', each) for each in marked] == [["mode"]]


def test_a_refused_file_is_described_by_what_is_wrong(as_alice: Client) -> None:
    """What the field points to is there."""
    refused = as_alice.post("/campaigns/bring/", {"csrfmiddlewaretoken": "a"}).text
    field = re.search(r'<input type="file"[^<>]*>', refused)
    assert field
    (described,) = re.findall(r'aria-describedby="([^"]+)"', field[0])
    for each in described.split():
        assert f'id="{each}"' in refused
