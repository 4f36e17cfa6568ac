"""What a table has agreed on beside its log.

Which taboos bind whom, which products and readings of open rules hold, which version of
the FAQ is followed, and whose collection weaknesses are drawn from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from arkham.rules.library import VERSIONS
from arkham.rules.notation.circumstances_json import read_circumstances
from arkham.rules.notation.reading import Fault, Unreadable
from campaigns.log import shapes

WITHOUT_TABOOS = "none"
LONGEST_LIST = 6  # digits of its number
ORTHODOXY = "orthodoxy"  # the ultimatum


class TableTerms(NamedTuple):
    """The terms of a table; what is empty was not agreed on.

    ``taboo`` is the list everybody follows: its id, ``none``, or nothing; ``taboos``
    those of single investigators by code, where they differ. ``environment`` and
    ``rulings`` are written as in the circumstances of a deck. ``faq`` is the version of
    the FAQ a table began with; its log pins another one. ``collection`` is the key of
    the collection weaknesses are drawn from.
    """

    taboo: str = ""
    taboos: dict[str, str] = {}
    environment: dict[str, Any] | None = None
    rulings: dict[str, str] = {}
    faq: str = ""
    collection: shapes.Key | None = None


def read_terms(data: object) -> TableTerms:
    """The terms in a JSON object. Raises :class:`Unreadable` with every fault."""
    terms: TableTerms = shapes.read(TableTerms, data)
    read_circumstances(circumstances_of(terms), "")
    for code, taboo in {"": terms.taboo, **terms.taboos}.items():
        if taboo and taboo != WITHOUT_TABOOS and not _is_list(taboo):
            at = f"/taboos/{code}" if code else "/taboo"
            message = _("There is no list of taboos called {found}.")
            raise Unreadable(Fault(at, message, "a number, or none", taboo[:40]))
    if terms.faq and terms.faq not in VERSIONS:
        message = _("There is no version {found} of the FAQ.")
        expected = ", ".join(VERSIONS)
        raise Unreadable(Fault("/faq", message, expected, terms.faq[:40]))
    return terms


def terms_data(terms: TableTerms) -> dict[str, Any]:
    """The terms as JSON; what was not agreed on is left out."""
    found = {
        "taboo": terms.taboo,
        "taboos": dict(terms.taboos),
        "environment": terms.environment,
        "rulings": dict(terms.rulings),
        "faq": terms.faq,
        "collection": terms.collection,
    }
    return {key: value for key, value in found.items() if value}


def orthodoxy(terms: TableTerms) -> Iterator[Finding]:
    """Under the Ultimatum of Orthodoxy nobody plays without a list (TABOO-02)."""
    without = [code for code, taboo in terms.taboos.items() if taboo == WITHOUT_TABOOS]
    if terms.taboo == WITHOUT_TABOOS or without:
        yield Finding(
            _("Under the Ultimatum of Orthodoxy everybody follows a list of taboos."),
            rule="terms.orthodoxy",
            cards=tuple(without),
            actual=WITHOUT_TABOOS,
        )


def _is_list(taboo: str) -> bool:
    """Whether it can be the number of a list of taboos."""
    return taboo.isascii() and taboo.isdigit() and len(taboo) <= LONGEST_LIST


def circumstances_of(terms: TableTerms, investigator: str = "") -> dict[str, Any]:
    """What the table tells of a deck, as the circumstances it is judged under."""
    told: dict[str, Any] = {}
    taboo = terms.taboos.get(investigator, terms.taboo)
    if taboo == WITHOUT_TABOOS:
        told["taboo"] = WITHOUT_TABOOS
    elif _is_list(taboo):
        told["taboo"] = int(taboo)
    if terms.environment is not None:
        told["environment"] = terms.environment
    if terms.rulings:
        told["rulings"] = dict(terms.rulings)
    return told
