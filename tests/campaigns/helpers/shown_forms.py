"""Parses the forms of a page, as a browser would send them."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple

Pairs = list[tuple[str, str]]


class ShownForm(NamedTuple):
    """A form as one of its buttons sends it."""

    action: str
    button: str
    pairs: tuple[tuple[str, str], ...]

    @property
    def data(self) -> dict[str, list[str]]:
        """Return the fields that are sent."""
        found: dict[str, list[str]] = {}
        for name, value in self.pairs:
            found.setdefault(name, []).append(value)
        return found


def forms_in(page: str, path: str) -> list[ShownForm]:
    """Return every enabled form in the page's main part, once for each button."""
    reader = _Reader(path)
    reader.feed(page)
    return [
        ShownForm(action, told, (*reader.fields.get(form, ()), *sent))
        for form, action in reader.actions.items()
        for told, sent in reader.buttons.get(form, ())
    ]


class _Reader(HTMLParser):
    """Collects forms, and fields elsewhere that belong to them."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path, self.is_main, self.form, self.count = path, False, "", 0
        self.actions: dict[str, str] = {}
        self.fields: dict[str, Pairs] = {}
        self.buttons: dict[str, list[tuple[str, Pairs]]] = {}
        self.chosen: tuple[str, str] | None = None  # a select: its form, its name
        self.first: str | None = None  # what is sent of it: selected, or else the first
        self.written: tuple[str, str] | None = None  # a text area likewise

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "main":
            self.is_main = True
        if not self.is_main:
            return
        form, name = told.get("form", self.form), told.get("name", "")
        value = told.get("value", "")
        if tag == "form" and told.get("method", "").lower() == "post":
            self.count += 1
            self.form = told.get("id") or f"form {self.count}"
            self.actions[self.form] = told.get("action") or self.path
        elif "disabled" in told or not form:
            return
        elif tag == "input" and name and name != "csrfmiddlewaretoken":
            if told.get("type") not in ("radio", "checkbox") or "checked" in told:
                self._add(form, name, value)
        elif tag == "textarea" and name:
            self.written = (form, name)
        elif tag == "select" and name:
            self.chosen, self.first = (form, name), None
        elif tag == "option" and self.chosen:
            self.first = (
                value if self.first is None or "selected" in told else self.first
            )
        elif tag == "button":
            sent = [(name, value)] if name else []
            self.buttons.setdefault(form, []).append((f"{name}={value}", sent))

    def handle_data(self, data: str) -> None:
        if self.written:
            self._add(*self.written, data)
            self.written = None

    def handle_endtag(self, tag: str) -> None:
        if tag == "main":
            self.is_main = False
        elif tag == "form":
            self.form = ""
        elif tag == "textarea":
            self.written = None
        elif tag == "select":
            if self.chosen and self.first is not None:
                self._add(*self.chosen, self.first)
            self.chosen = None

    def _add(self, form: str, name: str, value: str) -> None:
        self.fields.setdefault(form, []).append((name, value))
