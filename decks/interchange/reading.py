"""Explain what each part of an imported list means."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from arkham.rules.legality.verdict import named
from arkham.rules.notation.arkhamdb_object import ObjectRead
from arkham.rules.notation.exchanged import Counts, Exchanged
from arkham.rules.notation.lines import LineKind, LineRead
from arkham.rules.notation.meta import CHOICE_KEYS
from arkham.rules.pool import CardPool
from cardpool.relations import side_name
from decks.lists.content import Content, whole
from decks.models import LONGEST_NOTES, LONGEST_TAGS
from decks.services.ledger import MOST_CORRECTED

MOST_SAID = 120  # characters quoted from a list


@dataclass(frozen=True, slots=True)
class ReadPart:
    """One part of a list.

    ``said`` is its text, ``meaning`` what was understood; if that is "", ``expected``
    says what would have been. ``note`` is worth knowing either way. ``line`` counts
    from 1, 0 if the list has no lines of its own. ``suggestions`` are names that may
    have been meant, each with the corrected line.
    """

    said: str
    meaning: str = ""
    expected: str = ""
    line: int = 0
    note: str = ""
    suggestions: tuple[tuple[str, str], ...] = ()

    @property
    def understood(self) -> bool:
        """True if it was understood."""
        return bool(self.meaning)


def parts_of_object(
    read: ObjectRead, content: Content, pool: CardPool
) -> tuple[ReadPart, ...]:
    """Return all parts of a deck object, in the order of reading."""
    deck: Mapping[str, Any] = content.deck
    return (
        *_of_the_list(deck, pool),
        *_below_zero(read.value, pool),
        *_of_people(read.value),
        *_of_its_life(read.value, pool),
        *_of_the_site(read),
    )


def _of_the_list(deck: Mapping[str, Any], pool: CardPool) -> Iterator[ReadPart]:
    """Yield the investigator, cards, the taboo list and choices."""
    code = deck["investigator_code"]
    card = pool.get_card(code)
    name = side_name(card, pool) if card else ""
    yield ReadPart(code, name, _("the code of an investigator"))
    for key, title in (
        ("slots", "{copies} × {name}"),
        ("sideSlots", _("side deck: {copies} × {name}")),
        ("ignoreDeckLimitSlots", _("not counted: {copies} × {name}")),
    ):
        for code, copies in deck[key].items():
            card = pool.get_card(code)
            name = named(pool.called(card), card.level) if card else ""
            yield ReadPart(
                f"{code}: {copies}",
                title.format(copies=copies, name=name) if card else "",
                _("the code of a card"),
            )
    if deck["taboo_id"] is not None:
        found = pool.taboo_list(deck["taboo_id"])
        yield ReadPart(
            f"taboo_id: {deck['taboo_id']}",
            _("the taboo list of %(date)s") % {"date": found.date} if found else "",
            ", ".join(str(each.id) for each in pool.taboo_lists),
        )
    for key, value in deck["meta"].items():
        yield _of_meta(key, value, pool)


def _below_zero(value: Exchanged, pool: CardPool) -> Iterator[ReadPart]:
    """Yield entries with a negative number of copies, which no deck has."""
    for code in value.deck.below_zero:
        card = pool.get_card(code)
        yield ReadPart(
            f"{named(pool.called(card), card.level)} ({code})" if card else code,
            expected=_("0 copies or more; we read it as none"),
        )


def _of_meta(key: str, value: object, pool: CardPool) -> ReadPart:
    """Explain one key of ``meta``; keys of other programs are kept unread."""
    said = _cut(f"{key}: {value if isinstance(value, str) else json.dumps(value)}")
    word, _bar, code = key.partition("_")
    card = pool.get_card(code)
    if key in CHOICE_KEYS:
        return ReadPart(said, _("a choice made at deck creation"))
    if key in ("alternate_front", "alternate_back"):
        side = pool.get_card(str(value))
        name = side_name(side, pool) if side else ""
        return ReadPart(said, name, _("the code of an investigator"))
    if key == "extra_deck":
        return ReadPart(said, _("the spirit deck"))
    if key == "card_pool":
        return ReadPart(said, _("the products in use"))
    if key in ("sealed_deck", "sealed_deck_name"):
        return ReadPart(said, _("a sealed deck: kept, but no printed rule uses it"))
    if key == "transform_into":
        return ReadPart(said, _("which card the investigator became"))
    if word == "annotation" and card is not None:
        return ReadPart(said, _("a note on %(name)s") % {"name": card.name})
    if word == "cus":
        meaning = (
            _("the upgrade sheet of %(name)s") % {"name": card.name} if card else ""
        )
        return ReadPart(said, meaning, _("the code of a card"))
    if word in ("attachments", "attachment"):
        meaning = _("set aside under %(name)s") % {"name": card.name} if card else ""
        return ReadPart(said, meaning, _("the code of a card"))
    return ReadPart(said, _("kept for other programs; rules ignore it"))


def _of_people(value: Exchanged) -> Iterator[ReadPart]:
    """Yield notes and tags of a deck; those that are too long are left out."""
    if value.notes:
        kept = len(value.notes) <= LONGEST_NOTES
        yield ReadPart(
            _cut(f"description_md: {value.notes}"),
            _("the notes of the deck") if kept else "",
            _at_most(LONGEST_NOTES),
        )
    if value.tags:
        tags = " ".join(value.tags)
        yield ReadPart(
            _cut(f"tags: {tags}"),
            _("the tags of the deck") if len(tags) <= LONGEST_TAGS else "",
            _at_most(LONGEST_TAGS),
        )


def _at_most(letters: int) -> str:
    return _("at most %(number)s characters") % {"number": f"{letters:,}"}


def _of_the_site(read: ObjectRead) -> Iterator[ReadPart]:
    """Yield the site's own data about the deck, and keys of other programs."""
    origin = read.value.origin
    known = {
        "id": origin.id,
        "version": origin.version,
        "previous_deck": origin.previous,
        "next_deck": origin.next,
        "problem": origin.problem,
    }
    said = [f"{key}: {each}" for key, each in known.items() if each not in (None, "")]
    if said:
        yield ReadPart(
            _cut(", ".join(said)), _("belongs to another site; not imported")
        )
    for fault in read.faults:
        note = _(fault.message).format(found=_(fault.found))
        yield ReadPart(fault.pointer[1:], expected=_(fault.expected), note=note)
    strange = {fault.pointer[1:] for fault in read.faults}
    for key in read.value.others:
        if key not in strange and key != "circumstances":
            yield ReadPart(_cut(key), _("belongs to other programs; not imported"))


def _of_its_life(value: Exchanged, pool: CardPool) -> Iterator[ReadPart]:
    """Yield what an object says about experience and exiled cards."""
    experience = value.experience
    if experience.points is not None:
        meaning = {
            Counts.BALANCE: _(
                "%(points)d experience to spend: carried over and gained"
            ),
            Counts.GAINED: _("%(points)d experience gained since %(since)s"),
            Counts.TOTAL: _("%(points)d experience since the campaign began"),
        }[experience.counts]
        since = experience.since or _("the previous deck")
        said = meaning % {"points": experience.points, "since": since}
        kept = abs(experience.left) <= MOST_CORRECTED
        yield ReadPart(
            f"xp: {experience.points}",
            said if kept else "",
            _("at most %(most)d experience to spend") % {"most": MOST_CORRECTED},
        )
    if experience.spent is not None:
        said = _("experience spent, as another program counts it; not imported")
        if experience.points is not None and experience.counts is Counts.BALANCE:
            said = _("how much of it was spent, as another program counts it")
        yield ReadPart(f"xp_spent: {experience.spent}", said)
    if experience.adjustment:
        said = f"xp_adjustment: {experience.adjustment}"
        yield ReadPart(said, _("a correction of the experience to spend"))
    for code, copies in Counter(value.exiled).items():
        card = pool.get_card(code)
        meaning = _("exiled: {copies} × {name}") if card else ""
        name = named(pool.called(card), card.level) if card else ""
        yield ReadPart(
            f"exile_string: {code}",
            meaning.format(copies=copies, name=name),
            _("the code of a card"),
        )


def _cut(said: str) -> str:
    """Return the text in one line, cut to ``MOST_SAID`` characters."""
    bare = whole(" ".join(said.split()))
    return bare if len(bare) <= MOST_SAID else f"{bare[: MOST_SAID - 1]}…"


def too_long(part: ReadPart) -> ReadPart:
    """Mark notes as longer than we keep."""
    return replace(part, meaning="", expected=_at_most(LONGEST_NOTES))


def part_of_line(line: LineRead, pool: CardPool) -> ReadPart:
    """Explain one line of a list."""
    card = pool.get_card(line.code)
    name = named(pool.called(card), card.level) if card else ""
    meanings = {
        LineKind.NAME: _("the name of the deck"),
        LineKind.INVESTIGATOR: name,
        LineKind.CARD: f"{line.copies} × {name}",
        LineKind.SIDE_CARD: _("side deck: {copies} × {name}").format(
            copies=line.copies, name=name
        ),
        LineKind.APART: _("set aside: {copies} × {name}").format(
            copies=line.copies, name=name
        ),
        LineKind.TABOO: _("the taboo list"),
        LineKind.CHOICE: name or _("a choice made at deck creation"),
        LineKind.SHEET: _("a line of an upgrade sheet"),
        LineKind.NOTES: _("the notes of the deck"),
        LineKind.PASSED_OVER: _("nothing we can read"),
    }
    return ReadPart(
        line.said.strip(),
        meanings.get(line.kind, ""),
        _(line.expected) if line.expected else "",
        line.line,
        _(line.message).format(**dict(line.values)) if line.message else "",
        line.suggestions,
    )
