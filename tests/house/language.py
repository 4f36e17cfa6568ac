"""Which sentences of a template or a module could never be translated?"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser

# Proper names; and the signs and initials that are the same in every language.
PROPER = {"Orne", "API", "JSON", "OpenAPI"}

_TRANSLATED = re.compile(
    r"{%\s*blocktrans(?:late)?\b.*?%}.*?{%\s*endblocktrans(?:late)?\s*%}"
    # The block "layout" holds class names.
    r"|{%\s*block layout\s*%}.*?{%\s*endblock[^%]*%}"
    r"|{%\s*comment\b.*?%}.*?{%\s*endcomment\s*%}|{#.*?#}",
    re.DOTALL,
)
_TAG = re.compile(r"{%(.*?)%}|{{(.*?)}}", re.DOTALL)
# A text handed on to another template, or put where a variable is empty.
_HANDED_ON = re.compile(r"""\w+=(["'])(?=[^"']*(?:\s|^[A-Z]))(?P<text>[^"']*)\1""")
_FALLBACK = re.compile(r"""\|(?:default|default_if_none|yesno|pluralize)\b:?["']?""")
_SPOKEN_ATTRIBUTES = {
    "alt", "title", "placeholder", "label", "aria-label", "aria-description",
    "aria-roledescription", "aria-valuetext",
}  # fmt: skip


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]{2,}", text) if word not in PROPER]


class _Reader(HTMLParser):
    """Collects what is read or spoken, except what says ``translate="no"``."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        spoken = _SPOKEN_ATTRIBUTES
        values = dict(attrs)
        if tag == "meta" and values.get("name") == "description":
            spoken = {"content"}
        # A <button> shows what is in it; its value is for the server alone.
        if tag == "input" and values.get("type") in ("submit", "reset", "button"):
            spoken = spoken | {"value"}
        for name, value in attrs:
            if name in spoken or name.startswith("data-say"):
                self._see(value or "")
        if self._silent:
            if tag == self._silent[0]:
                self._silent.append(tag)
        elif tag in ("script", "style") or values.get("translate") == "no":
            self._silent.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._silent and tag == self._silent[0]:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._see(data)

    def _see(self, text: str) -> None:
        if _words(text):
            self.found.append(" ".join(text.split()))


def literals_of_template(source: str) -> list[str]:
    """Texts of a template that are read or spoken and not marked for translation."""
    source = _TRANSLATED.sub("", source)
    found = []
    for match in _TAG.finditer(source):
        tag = match.group(1) or match.group(2)
        if tag.split()[0:1] in (["include"], ["with"]):
            found += [text["text"] for text in _HANDED_ON.finditer(tag)]
        found += [
            literal
            for use in _FALLBACK.finditer(tag)
            for literal in [tag[use.start() :].strip()]
            if use[0].startswith("|pluralize") or _words(_quoted(literal))
        ]
    reader = _Reader()
    reader.feed(_TAG.sub("", source))
    reader.close()
    return found + reader.found


def _quoted(text: str) -> str:
    match = re.match(r"""\|\w+:(["'])(.*?)\1""", text)
    # A choice of class names is not prose; a capital or a space betrays prose.
    return match[2] if match and re.search(r"[A-Z\s]", match[2]) else ""


# Where Python says something to a user: by keyword, by the function called.
_KEYWORDS = {
    "verbose_name", "verbose_name_plural", "help_text", "label", "empty_label",
    "detail", "short_description",
}  # fmt: skip
_SPEAKERS = {
    "ValidationError": ("django.", "rest_framework."),
    "Problem": ("arkham.web.problems",),
    "CommandError": ("django.",),
}
_MESSAGES = {"debug", "info", "success", "warning", "error", "add_message"}
_CHOICES = {"TextChoices", "IntegerChoices"}


def literals_of_module(source: str) -> list[str]:
    """Texts a module says to users without gettext, with their lines."""
    return [
        f"{node.lineno}: {ast.unparse(node)}"
        for node in _untranslated(ast.parse(source))
    ]


def _untranslated(tree: ast.AST) -> Iterator[ast.expr]:
    speakers = _speakers(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from (
                keyword.value
                for keyword in node.keywords
                if keyword.arg in _KEYWORDS and _is_prose(keyword.value)
            )
            if _speaks(node.func, speakers):
                yield from filter(_is_prose, node.args)
        elif isinstance(node, ast.ClassDef) and _is_choices(node):
            for statement in node.body:
                if isinstance(statement, ast.Assign):
                    value = statement.value
                    if isinstance(value, ast.Tuple) and _is_prose(value.elts[-1]):
                        yield value.elts[-1]


def _speakers(tree: ast.AST) -> set[str]:
    """Those of the speakers the module means: a class of its own may share a name."""
    return {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if f"{node.module}.".startswith(_SPEAKERS.get(alias.name, ("-",)))
    } | {"serializers.ValidationError", "forms.ValidationError"}


def _speaks(function: ast.expr, speakers: set[str]) -> bool:
    if ast.unparse(function) in speakers:
        return True
    match function:
        case ast.Attribute(value=ast.Name(id="messages"), attr=name):
            return name in _MESSAGES
    return False


def _is_choices(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).rpartition(".")[2] in _CHOICES for base in node.bases)


def _is_prose(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str(text)):
            return bool(_words(text))
        case ast.JoinedStr(values=values):
            return any(_is_prose(value) for value in values)
        case ast.BinOp(left=left, op=ast.Mod() | ast.Add()):
            return _is_prose(left)
    return False
