"""Refusals of a search: where, what is wrong, what to write instead."""

from __future__ import annotations

from typing import cast

from django.utils.translation import gettext as _
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken


class QueryError(ValueError):
    """A search that cannot be carried out.

    ``column`` counts characters from 1; ``found`` is the text at fault, "" at the
    end; ``expected`` says what belongs there; ``suggestion`` is the nearest thing
    that exists, "" for none; ``end`` is the column after what it would replace.
    """

    def __init__(
        self,
        column: int,
        message: str,
        *,
        found: str,
        expected: str,
        suggestion: str,
        end: int | None = None,
    ) -> None:
        super().__init__(message)
        self.column = column
        self.end = column + len(found) if end is None else end
        self.found = found
        self.expected = expected
        self.suggestion = suggestion


def refusal_of(text: str, error: UnexpectedInput) -> QueryError:
    """What the parser tripped over, in the words of the language."""
    if isinstance(error, UnexpectedToken):
        at_end = error.token.type == "$END"
        place = len(text.rstrip()) if at_end else (error.token.start_pos or 0)
        found = "" if at_end else str(error.token)
        wanted = set(error.accepts or error.expected)
    else:
        assert isinstance(error, UnexpectedCharacters)
        place = cast("int", error.pos_in_stream)
        found = text[place]
        wanted = set(error.allowed)
    expected = _expected(wanted)
    if found in ('"', "“"):
        message = _("The quotation mark is never closed.")
        expected = _("a closing quotation mark")
    elif found == ")":
        message = _("No parenthesis is open here, or it holds nothing.")
    elif found:
        message = _("“%(found)s” does not belong here. Expected: %(expected)s.") % {
            "found": found,
            "expected": expected,
        }
    else:
        message = _("The search ends too early. Expected: %(expected)s.") % {
            "expected": expected
        }
    return QueryError(place + 1, message, found=found, expected=expected, suggestion="")


def _expected(terminals: set[str]) -> str:
    """The terminals that would have fitted, as words."""
    if "VALUE" in terminals:
        return _("a value")
    if "OPERATOR" in terminals:
        return _("an operator such as : or <=")
    if "KEY" not in terminals and "WORD" in terminals:
        return _("a word")
    if "RPAR" in terminals:
        return _("a closing parenthesis")
    if "KEY" in terminals and "OR" not in terminals:
        return _("a word or a condition such as class:seeker")
    return _("a condition, or quotation marks around a name")
