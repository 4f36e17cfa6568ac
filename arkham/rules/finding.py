"""A finding: what is wrong, what is allowed, and how to fix it.

A finding is a value. It names the rule, the cards, the actual and the allowed value,
where the rule is printed, and a remedy. Findings are never raised: a check returns all
of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from functools import update_wrapper
from typing import Any, Generic, NamedTuple, TypeVar, Union

Subject = TypeVar("Subject")


class Plural(NamedTuple):
    """A message's singular and plural; the value named ``by`` decides which is used."""

    one: str
    many: str
    by: str


class Phrase(NamedTuple):
    """A translatable phrase used as a value of another message.

    If ``capital`` is true, the filled phrase begins with a capital letter.
    """

    message: str | Plural
    values: Values = ()
    capital: bool = False


class Listing(NamedTuple):
    """Several values, joined by ``joint``."""

    items: tuple[Value, ...]
    joint: str = ", "


Message = str | Plural
# Plain text is a name or comes from a deck, so it isn't translated.
Value = Union[str, int, Phrase, Listing]  # noqa: UP007 (names the classes above)
Values = tuple[tuple[str, Value], ...]


class Language(NamedTuple):
    """The gettext and ngettext functions of one language."""

    gettext: Callable[[str], str]
    ngettext: Callable[[str, str, int], str]


ENGLISH = Language(str, lambda one, many, number: one if number == 1 else many)


class Severity(IntEnum):
    """The severity of a finding, ordered so that ``max`` gives the worst."""

    ADVICE = 1
    INCOMPLETE = 2
    ILLEGAL = 3

    word: str  # shown to users and compared by programs: advice, incomplete, illegal

    __hash__ = int.__hash__  # the hash of Enum itself is slow Python code

    def __init__(self, _weight: int) -> None:
        self.word = self.name.lower()


class Citation(NamedTuple):
    """Where a rule is printed: a document and the place in it.

    ``document`` is the short name users see ("FAQ 2.5"), ``section`` the printed
    heading or number ("1.15 Deckbuilding Options"), ``code`` the card if the rule is
    the card's own text.
    """

    document: str
    section: str = ""
    code: str = ""

    def __str__(self) -> str:
        return f"{self.document} {self.section}" if self.section else self.document


def rules_reference(section: str) -> Citation:
    """Cite an entry of the Rules Reference by its heading."""
    return Citation("Rules Reference", section)


def faq(section: str) -> Citation:
    """Cite a section of the official FAQ 2.5 of February 2026."""
    return Citation("FAQ 2.5", section)


def printed(name: str, code: str = "") -> Citation:
    """Cite the printed text of a card."""
    return Citation("Card", name, code)


class Remedy(NamedTuple):
    """How to fix a finding: an action that a button can offer.

    ``action`` is ``add``, ``remove``, ``choose``, ``record``, ``change`` or ``draw``.
    Any one of the cards in ``codes`` will do; ``copies`` says how many are needed;
    ``values`` lists the choices if the remedy isn't a card.
    """

    action: str
    codes: tuple[str, ...] = ()
    copies: int = 1
    values: tuple[str, ...] = ()


_new = tuple.__new__  # twice as fast as calling the class of a named tuple


class Finding(NamedTuple):
    """One thing that is wrong, unfinished or worth knowing.

    ``message`` is a whole sentence with ``{named}`` placeholders, and ``values`` fills
    them, in translations too. ``cards`` are card codes as the deck listed them;
    ``actual`` and ``expected`` are numbers or short words.
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
        """Return a copy that carries the id and citations of the rule that made it."""
        stamp = (rule, self[9] or cites)
        return _new(Finding, self[:8] + stamp)

    @property
    def text(self) -> str:
        """The message in English, with its placeholders filled."""
        return filled(self.message, self.values)

    @property
    def advice_text(self) -> str:
        """The remedy in English, with its placeholders filled."""
        return filled(self.remedy_text, self.values)


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort findings as they are always listed: illegal, incomplete, then advice.

    Findings of equal severity keep the order of their rules.
    """
    return tuple(sorted(findings, key=lambda finding: -finding.severity))


def filled(
    message: Message, values: Iterable[tuple[str, Value]], language: Language = ENGLISH
) -> str:
    """Translate a message and fill its placeholders.

    No full stop follows a name that ends in "!", such as "Lucky!".
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
    """Return a value of a message as text (or a number) in the given language."""
    if isinstance(value, Phrase):
        text = filled(value.message, value.values, language)
        return text[:1].upper() + text[1:] if value.capital else text
    if isinstance(value, Listing):
        return value.joint.join([str(worded(each, language)) for each in value.items])
    return value


def english(value: Value | None) -> int | str | None:
    """Return a finding's value in English, as programs read it."""
    return value if value is None else worded(value)


def gettext_noop(message: str) -> str:
    """Mark a message for translation; the layer that shows it translates it."""
    return message


def ngettext_noop(one: str, many: str, by: str) -> Plural:
    """Mark a message with singular and plural; ``by`` names the value counted."""
    return Plural(one, many, by)


Check = Callable[[Subject], Iterator[Finding]]


class Rule(Generic[Subject]):
    """A named check of a subject; calling it puts its id on every finding.

    A finding that carries an id already is returned unchanged, so cached ones are
    cheap. ``rows`` are the rows of the rule book that the rule implements, ``cites``
    the printed sections. ``wakes`` are the bits of a deck's tally that make it worth
    calling the rule: any one of them is enough.
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
    """Turn a generator of findings into a rule; there is no global registry."""

    def make(check: Callable[[Any], Iterator[Finding]]) -> Rule[Any]:
        return Rule(rule_id, check, rows=rows, cites=cites, wakes=wakes)

    return make
