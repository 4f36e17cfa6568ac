"""Carries out the requests of a document and checks the responses.

A block ``http`` is a request: method and address, headers, an empty line, a body. The
block ``json`` after it, with a status behind the word, lists members that the response
must have. A value ``"$NAME"`` in a response is stored under that name, or compared once
it is known; ``$NAME`` in a request is replaced by the stored value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.test import Client

_BLOCK = re.compile(r"^```(http|json)(?: (\d+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_NAME = re.compile(r"\$([A-Z]+)")


class Step(NamedTuple):
    """A request, and the expected response."""

    method: str
    path: str
    headers: dict[str, str]
    body: str
    status: int
    expected: Any


def steps_of(document: str) -> Iterator[Step]:
    """Return the document's requests with their responses, in order."""
    request = ""
    for block in _BLOCK.finditer(document):
        kind, status, text = block.groups()
        if kind == "http":
            request = text
            continue
        head, _blank, body = request.partition("\n\n")
        first, *lines = head.strip().splitlines()
        method, path = first.split()
        headers = dict(line.split(": ", 1) for line in lines)
        yield Step(method, path, headers, body, int(status), json.loads(text))


class Walk:
    """Carries out one step after the other and stores named values."""

    def __init__(self, **known: Any) -> None:
        self.known: dict[str, Any] = known

    def take(self, step: Step) -> None:
        """Send a request, and compare its response with the document's."""
        body = self._filled(step.body)
        answer = Client().generic(
            step.method,
            self._filled(step.path),
            body.encode(),
            CONTENT_TYPE="application/json",
            headers={name: self._filled(each) for name, each in step.headers.items()},
        )
        where = f"{step.method} {step.path} {step.body}\n{answer.content.decode()}"
        assert answer.status_code == step.status, where
        self._hold(step.expected, answer.json() if answer.content else None, where)

    def _filled(self, text: str) -> str:
        return _NAME.sub(lambda name: str(self.known[name[1]]), text)

    def _hold(self, expected: Any, found: Any, where: str) -> None:
        """Compare; unexpected keys are ignored, and items of lists may be anywhere."""
        if isinstance(expected, dict):
            assert isinstance(found, dict), where
            for key, value in expected.items():
                assert key in found, f"{key}: {where}"
                self._hold(value, found[key], where)
        elif isinstance(expected, list) and expected and isinstance(expected[0], dict):
            for each in expected:
                assert self._is_among(each, found, where), f"{each}: {where}"
        elif isinstance(expected, str) and (name := _NAME.fullmatch(expected)):
            assert self.known.setdefault(name[1], found) == found, where
        else:
            assert found == expected, f"{expected}: {where}"

    def _is_among(self, expected: Any, found: Any, where: str) -> bool:
        known = dict(self.known)
        for each in found:
            try:
                self._hold(expected, each, where)
            except AssertionError:
                self.known = dict(known)
            else:
                return True
        return False
