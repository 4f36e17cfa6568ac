"""A finding as pages show it: its text, and the buttons and links that fix it.

A rule describes its remedy in general terms: an action, cards, values. This module
turns that into buttons: changes for ``decks.lists.editing``, or links to another place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from arkham.rules.finding import Finding, Remedy, Severity
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.verdict import named
from arkham.rules.library import Entry, entry_of, library
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import SignatureKind
from arkham.web.http import mark_of
from arkham.web.language import advice_text, finding_text
from cardpool.relations import in_full
from cardpool.words import CLASSES, TYPES, capitals

Words = str | Promise

# A finding on more cards than this is shown only at the top; the cards get a mark.
MOST_CARDS_MARKED = 3

SEVERITIES: dict[Severity, Words] = {
    Severity.ILLEGAL: gettext_lazy("Illegal"),
    Severity.INCOMPLETE: gettext_lazy("Incomplete"),
    Severity.ADVICE: gettext_lazy("Note"),
}


@dataclass(frozen=True, slots=True)
class Note:
    """A finding in the reader's language, with its remedies.

    ``number`` counts from 1 in the rules' order; ``style`` is ``illegal``,
    ``incomplete`` or ``advice``.
    """

    number: int
    rule: str
    style: str
    word: Words
    text: str
    advice: str
    cites: tuple[str, ...]
    cards: tuple[str, ...]
    ways: tuple[DeckRemedy, ...]

    @property
    def mark(self) -> str:
        """A digest of everything visible in the note."""
        return mark_of("note", self)

    @property
    def entry(self) -> Entry | None:
        """The entry about it in the rules library."""
        return entry_of(library(), self.rule)

    @property
    def is_short(self) -> bool:
        """True if it is also shown at its cards."""
        return len(self.cards) <= MOST_CARDS_MARKED


def translated(finding: Finding) -> tuple[str, str]:
    """Return a finding's sentence and advice, in the reader's language."""
    return finding_text(finding), advice_text(finding)


def notes_of(
    findings: Iterable[Finding], pool: CardPool, built: BuiltDeck | None = None
) -> tuple[Note, ...]:
    """Return the findings as notes."""
    notes = []
    for number, finding in enumerate(findings, 1):
        text, advice = translated(finding)
        notes.append(
            Note(
                number,
                finding.rule,
                finding.severity.word,
                SEVERITIES[finding.severity],
                text,
                advice,
                tuple(str(each) for each in finding.cites),
                finding.cards,
                ways_out(finding, pool, built),
            )
        )
    return tuple(notes)


_TYPES = {each.value: label for each, label in TYPES.items()}
MOST_BUTTONS = 8  # any more would be a list to choose from, as the deck is


@dataclass(frozen=True, slots=True)
class DeckRemedy:
    """One remedy for a finding.

    ``changes`` are words and texts for ``decks.lists.editing``; empty for a link: then
    ``search`` is a search for cards to add, ``card`` a card of the deck to open,
    ``place`` another page (``investigator``, ``terms`` or ``weaknesses``). ``into`` is
    where the found cards are to be added, as in the builder's search.
    """

    label: str
    changes: tuple[tuple[str, str], ...] = ()
    search: str | None = None
    into: str = ""
    card: str = ""
    place: str = ""

    @property
    def value(self) -> str:
        """The changes as the text of one button; ``read_edits`` reads it."""
        return " ".join(f"{word}={text}" for word, text in self.changes)


def ways_out(
    finding: Finding, pool: CardPool, built: BuiltDeck | None = None
) -> tuple[DeckRemedy, ...]:
    """Return the remedies for a finding, the surest first."""
    remedy = finding.remedy
    if remedy is None:
        return ()
    maker = _SPECIAL.get(finding.rule) or _MAKERS.get(remedy.action, _nothing)
    return tuple(maker(_Case(finding, remedy, pool, built)))


@dataclass(frozen=True, slots=True)
class _Case:
    """A finding with its remedy, and the pool that names its cards."""

    finding: Finding
    remedy: Remedy
    pool: CardPool
    built: BuiltDeck | None

    def name(self, code: str) -> str:
        """Return the name of a card with its level, if it has one."""
        card = self.pool.get_card(code)
        return named(card.name, card.level) if card else code

    def version(self, code: str) -> str:
        """Return the name of a signature, marked if it is the advanced version."""
        card = self.pool.get_card(code)
        if card is not None and card.signature is SignatureKind.ADVANCED:
            return _("%(name)s (advanced)") % {"name": card.name}
        return self.name(code)

    def names_apart(self, codes: Iterable[str]) -> list[tuple[str, str]]:
        """Return each code with a name, as far as possible a unique one among them."""
        apart = [(code, self.name(code)) for code in codes]
        for more in (self._in_full, self._of_product):
            names = Counter(name for _code, name in apart)
            apart = [
                (code, more(code) if names[name] > 1 else name) for code, name in apart
            ]
        return apart

    def _in_full(self, code: str) -> str:
        card = self.pool.get_card(code)
        version = self.version(code)
        if card is None or version != self.name(code):
            return version
        return in_full(card.name, card.subname or "", card.level)

    def _of_product(self, code: str) -> str:
        card = self.pool.get_card(code)
        packs = (
            self.pool.packs.get(each.pack)
            for each in (card.printings if card else ())
            if each.code == code
        )
        pack = next(packs, None)
        names = {"name": self._in_full(code), "product": pack.name if pack else ""}
        return _("%(name)s of %(product)s") % names if pack else names["name"]


def _add(case: _Case) -> Iterator[DeckRemedy]:
    second = case.finding.rule.startswith("side-deck.")
    word, into = ("side-add", "side") if second else ("add", "")
    codes = case.remedy.codes
    if len(codes) == 1:
        copies = case.remedy.copies
        label = ngettext("Add %(name)s", "Add %(copies)d × %(name)s", copies)
        yield DeckRemedy(
            label % {"name": case.name(codes[0]), "copies": copies},
            ((word, f"{codes[0]}:{copies}"),),
        )
    elif codes:
        for code, name in case.names_apart(codes[:MOST_BUTTONS]):
            yield DeckRemedy(
                pgettext("one copy", "Add %(name)s") % {"name": name}, ((word, code),)
            )
    elif case.remedy.values:
        for value in case.remedy.values:
            yield DeckRemedy(
                _("Find cards: %(kind)s") % {"kind": _as_printed(value)},
                search=f'{_key_of(value)}:"{value}"',
            )
    else:
        yield DeckRemedy(_("Find cards to add"), search="", into=into)


def _key_of(value: str) -> str:
    if value in CLASSES:
        return "class"
    return "type" if value in _TYPES else "trait"


def _as_printed(value: str) -> str:
    """Return a class, type, trait or number as cards and players write it."""
    return str(CLASSES.get(value) or _TYPES.get(value) or capitals(value))


def _is_of_second(case: _Case) -> bool:
    """Return True if the finding is only about cards of the second deck."""
    if case.finding.rule.startswith("side-deck."):
        return True
    if case.built is None:
        return False
    first, second = case.built.deck.entries, case.built.deck.side_deck
    codes = {*case.remedy.codes}
    return bool(codes & second.keys()) and not codes & first.keys()


def _remove(case: _Case) -> Iterator[DeckRemedy]:
    word = "side-remove" if _is_of_second(case) else "remove"
    codes = case.remedy.codes
    if len(codes) == 1:
        copies = case.remedy.copies
        label = ngettext("Remove %(name)s", "Remove %(copies)d × %(name)s", copies)
        yield DeckRemedy(
            label % {"name": case.name(codes[0]), "copies": copies},
            ((word, f"{codes[0]}:{copies}"),),
        )
    elif len(codes) <= MOST_BUTTONS:
        for code, name in case.names_apart(codes):
            yield DeckRemedy(_("Remove 1 %(name)s") % {"name": name}, ((word, code),))


def _choose(case: _Case) -> Iterator[DeckRemedy]:
    values = dict(case.finding.values)
    key = "taboo" if case.finding.rule == "taboo.list" else str(values.get("key", ""))
    for value in case.remedy.values:
        taboos = case.pool.taboo_list(value) if key == "taboo" else None
        called = taboos.date if taboos else _as_printed(value)
        yield DeckRemedy(
            _("Choose %(value)s") % {"value": called}, (("choose", f"{key}:{value}"),)
        )
    if not case.remedy.values:
        yield from _open(case)


def _own_sides(case: _Case) -> Iterator[DeckRemedy]:
    """Use the investigator's own front and back."""
    name = case.name(case.remedy.codes[0])
    yield DeckRemedy(
        _("Use both sides of %(name)s") % {"name": name},
        (("choose", "front:"), ("choose", "back:")),
    )


def _another_investigator(case: _Case) -> Iterator[DeckRemedy]:
    is_first = case.finding.rule == "deck.investigator"
    label = (
        _("Choose an investigator") if is_first else _("Choose another investigator")
    )
    yield DeckRemedy(label, place="investigator")


def _open(case: _Case) -> Iterator[DeckRemedy]:
    """Open the cards in the deck; or the terms, if the remedy names no card."""
    for code in case.remedy.codes[:MOST_BUTTONS]:
        yield DeckRemedy(_("Open %(name)s") % {"name": case.name(code)}, card=code)
    if not case.remedy.codes:
        yield DeckRemedy(_("Check the rules used"), place="terms")


def _share_out(case: _Case) -> Iterator[DeckRemedy]:
    """Choose which trauma a card gives or heals."""
    (code,) = case.finding.cards
    for value in case.remedy.values:
        physical, mental = map(int, value.split(":"))
        points = {"physical": physical, "mental": mental}
        if physical and mental:
            label = _("%(physical)d physical and %(mental)d mental") % points
        elif physical:
            label = _("%(physical)d physical") % points
        else:
            label = _("%(mental)d mental") % points
        word = "share" if case.finding.rule == "start.trauma" else "suffer"
        yield DeckRemedy(label, ((word, f"{code}:{value}"),))


def _record(case: _Case) -> Iterator[DeckRemedy]:
    """Record in the campaign log that the task is done."""
    cards = [case.pool.get_card(code) for code in case.remedy.codes]
    lower = dict.fromkeys(
        each for card in cards if card for each in card.researched_from[:1]
    )
    for code in list(lower)[:MOST_BUTTONS]:
        yield DeckRemedy(
            _("Record the task of %(name)s") % {"name": case.name(code)},
            (("record", f"task:{code}"),),
        )


def _one_version(case: _Case) -> Iterator[DeckRemedy]:
    """Replace mixed signatures by all signatures of one version."""
    if case.built is None:
        return
    held, aside = case.built.signature_match.held, case.built.signatures_aside
    pure = [each for each in case.built.frame.signature_sets if not each.mixed]
    nearest = min(each.distance(held, aside) for each in pure)
    for each in pure:
        if each.distance(held, aside) > nearest:
            continue
        wanted = {code: least for code, least, _most in each.copies}
        changes = [
            ("remove", f"{code}:{copies}")
            for code, copies in held.items()
            if code not in wanted
        ]
        changes += [
            ("add", f"{code}:{least - held.get(code, 0)}")
            for code, least in wanted.items()
            if least > held.get(code, 0)
        ]
        names = ", ".join(case.version(code) for code in wanted)
        yield DeckRemedy(_("Use %(names)s") % {"names": names}, tuple(changes))


def _play_without(case: _Case) -> Iterator[DeckRemedy]:
    name = dict(case.finding.values).get("name", "")
    yield DeckRemedy(
        _("Play without %(name)s") % {"name": name},
        (("without", str(case.finding.actual)),),
    )


def _draw(case: _Case) -> Iterator[DeckRemedy]:
    """Draw at random, on a page of its own."""
    yield DeckRemedy(_("Draw at random"), place="weaknesses")


def _add_or_draw(case: _Case) -> Iterator[DeckRemedy]:
    if case.remedy.action == "add":
        yield from _draw(case)
        yield from _add(case)
    else:
        yield from _remove(case)


def _put_back(case: _Case) -> Iterator[DeckRemedy]:
    """Return a copy to the deck that doesn't count toward deck size."""
    (code,) = case.remedy.codes
    text = f"{code}:{case.remedy.copies}"
    changes = [("add", text)] if case.remedy.action == "add" else []
    label = _("Put %(name)s back without counting it")
    yield DeckRemedy(label % {"name": case.name(code)}, (*changes, ("aside", text)))


def _nothing(case: _Case) -> Iterator[DeckRemedy]:
    return iter(())


_Maker = Callable[[_Case], Iterator[DeckRemedy]]

_MAKERS: dict[str, _Maker] = {
    "add": _add,
    "remove": _remove,
    "choose": _choose,
    "change": _open,
    "record": _record,
    "draw": _draw,
}
# Rules whose remedies need buttons of their own.
_SPECIAL: dict[str, _Maker] = {
    "deck.investigator": _another_investigator,
    "environment.investigator": _another_investigator,
    "deck.sides": _own_sides,
    "required.versions": _one_version,
    "start.trauma": _share_out,
    "upgrade.set-aside": _put_back,
    "upgrade.trauma": _share_out,
    "ultimatum.campaign-only": _play_without,
    "weakness.required": _add_or_draw,
}
