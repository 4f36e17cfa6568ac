"""A finding: what is wrong, what is allowed, and how to fix it.

A finding is a value: it names the rule, the cards, what was found, what is allowed,
where that is printed, and the way out. Findings are returned, never raised, and all
of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from functools import update_wrapper
from typing import Any, Generic, NamedTuple, TypeVar, Union

Subject = TypeVar("Subject")


class Plural(NamedTuple):
    """A sentence for one and a sentence for several; the value named ``by`` chooses."""

    one: str
    many: str
    by: str


class Phrase(NamedTuple):
    """Words of ours among the values of a message: translated, then filled.

    ``capital`` is true where they begin with a capital letter.
    """

    message: str | Plural
    values: Values = ()
    capital: bool = False


class Listing(NamedTuple):
    """Values one after the other."""

    items: tuple[Value, ...]
    joint: str = ", "


Message = str | Plural
# A text by itself is a name, or comes from a deck: it is not translated.
Value = Union[str, int, Phrase, Listing]  # noqa: UP007 (names the classes above)
Values = tuple[tuple[str, Value], ...]


class Language(NamedTuple):
    """How sentences of ours are said in a language: gettext and ngettext."""

    gettext: Callable[[str], str]
    ngettext: Callable[[str, str, int], str]


ENGLISH = Language(str, lambda one, many, number: one if number == 1 else many)


class Severity(IntEnum):
    """How much a finding weighs; ordered, so that the worst is the maximum."""

    ADVICE = 1
    INCOMPLETE = 2
    ILLEGAL = 3

    word: str  # that users read and programs compare: advice … illegal

    __hash__ = int.__hash__  # that of an enumeration is written in Python

    def __init__(self, _weight: int) -> None:
        self.word = self.name.lower()


class Citation(NamedTuple):
    """Where a rule is printed: a document and the place in it.

    ``document`` is the short name users see ("FAQ 2.5"), ``section`` the printed
    heading or number ("1.15 Deckbuilding Options"), ``code`` a card whose own text is
    the rule.
    """

    document: str
    section: str = ""
    code: str = ""

    def __str__(self) -> str:
        return f"{self.document} {self.section}" if self.section else self.document


def rules_reference(section: str) -> Citation:
    """The Rules Reference, by the heading of its entry."""
    return Citation("Rules Reference", section)


def faq(section: str) -> Citation:
    """The official FAQ 2.5 of February 2026, by its section."""
    return Citation("FAQ 2.5", section)


def printed(name: str, code: str = "") -> Citation:
    """The printed text of a card itself."""
    return Citation("Card", name, code)


class Remedy(NamedTuple):
    """The way out of a finding: an action a button can offer.

    ``action`` is ``add``, ``remove``, ``choose``, ``record``, ``change`` or ``draw``;
    ``codes`` are the cards any one of which will do; ``copies`` is how many; ``values``
    are the choices offered where no card is meant.
    """

    action: str
    codes: tuple[str, ...] = ()
    copies: int = 1
    values: tuple[str, ...] = ()


_new = tuple.__new__  # half of what calling a named tuple's class costs


class Finding(NamedTuple):
    """One thing that is wrong, unfinished or worth knowing.

    ``message`` is a whole sentence with ``{named}`` places; ``values`` fills them, so
    that a translated sentence can be filled the same way. ``cards`` are card codes as
    the deck listed them; ``actual`` and ``expected`` are numbers or short words.
    """

    message: Message
    severity: Severity = Severity.ILLEGAL
    cards: tuple[str, ...] = ()
    actual: Value | None = None
    expected: Value | None = None
    remedy: Remedy | None = None
    remedy_text: Message = ""
    values: Values = ()
    rule: str = ""
    cites: tuple[Citation, ...] = ()

    def stamped(self, rule: str, cites: tuple[Citation, ...]) -> Finding:
        """The same finding under the name of the rule that made it."""
        stamp = (rule, self[9] or cites)
        return _new(Finding, self[:8] + stamp)

    @property
    def text(self) -> str:
        """The message in English with its places filled."""
        return filled(self.message, self.values)

    @property
    def advice_text(self) -> str:
        """The remedy in English with its places filled."""
        return filled(self.remedy_text, self.values)


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings as every answer lists them: illegal, then missing, then advice.

    Those that weigh the same stay in the order of their rules.
    """
    return tuple(sorted(findings, key=lambda finding: -finding.severity))


def filled(
    message: Message, values: Iterable[tuple[str, Value]], language: Language = ENGLISH
) -> str:
    """A sentence in a language, its places filled.

    "Lucky!" at its end is full stop enough.
    """
    if isinstance(message, Plural):
        values = tuple(values)
        number = dict(values)[message.by]
        assert isinstance(number, int)
        sentence = language.ngettext(message.one, message.many, number)
    else:
        sentence = language.gettext(message)
    if "{" not in sentence:
        return sentence
    whole = sentence.format(**{name: worded(each, language) for name, each in values})
    return whole[:-1] if whole.endswith("!.") else whole


def worded(value: Value, language: Language = ENGLISH) -> str | int:
    """A value of a message as it is shown in a language."""
    if isinstance(value, Phrase):
        text = filled(value.message, value.values, language)
        return text[:1].upper() + text[1:] if value.capital else text
    if isinstance(value, Listing):
        return value.joint.join([str(worded(each, language)) for each in value.items])
    return value


def english(value: Value | None) -> int | str | None:
    """A value of a finding as programs read it."""
    return value if value is None else worded(value)


def gettext_noop(message: str) -> str:
    """Mark a sentence for translation; the layer that shows it translates it."""
    return message


def ngettext_noop(one: str, many: str, by: str) -> Plural:
    """Mark a sentence in both numbers; ``by`` names the value that is counted."""
    return Plural(one, many, by)


Check = Callable[[Subject], Iterator[Finding]]


class Rule(Generic[Subject]):
    """A named judgement on a subject; calling it stamps its id on what it finds.

    A finding that is often the same, and kept, comes stamped already.

    ``rows`` are the rows of the rule book the rule implements, ``cites`` the printed
    sections; ``wakes`` is the set of bits of a deck's tally any of which can make
    the rule speak.
    """

    def __init__(
        self,
        rule_id: str,
        check: Check[Subject],
        *,
        rows: tuple[str, ...],
        cites: tuple[Citation, ...],
        wakes: int = 0,
    ) -> None:
        self.id = rule_id
        self.rows = rows
        self.cites = cites
        self.wakes = wakes
        self._check = check
        update_wrapper(self, check)  # the docstring is the rule

    @property
    def sentence(self) -> str:
        """The rule in one sentence, in the game's own terms."""
        return (self.__doc__ or "").strip().split("\n\n")[0].replace("\n    ", " ")

    def __call__(self, subject: Subject) -> list[Finding]:
        found = []
        for each in self._check(subject):
            found.append(each if each[8] else each.stamped(self.id, self.cites))
        return found

    def __repr__(self) -> str:
        return f"<Rule {self.id}>"


def rule(
    rule_id: str,
    *,
    rows: tuple[str, ...],
    cites: tuple[Citation, ...],
    wakes: int = 0,
) -> Callable[[Callable[[Any], Iterator[Finding]]], Rule[Any]]:
    """Make a rule of a generator of findings; nothing is registered anywhere."""

    def make(check: Callable[[Any], Iterator[Finding]]) -> Rule[Any]:
        return Rule(rule_id, check, rows=rows, cites=cites, wakes=wakes)

    return make
