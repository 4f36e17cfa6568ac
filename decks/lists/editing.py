"""Changes of a deck, one at a time.

Every change is an :class:`Edit`: a verb, a card, and the verb's arguments. Pages send
it as a word and a text, which :func:`read_edits` reads: ``add`` with ``01020`` or
``01020:2``, ``choose`` with ``class:rogue``. A change takes a content and returns a
content, legal or not. All verbs are in one long module so that the language can be read
from end to end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from arkham.rules.deck import SheetMark
from arkham.rules.notation.meta import CHOICE_KEYS
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import is_digits
from decks.lists.content import Content

MOST_COPIES = 99
MOST_CHANGES = 100
LONGEST_WRITTEN = 200
Slots = dict[str, int]  # code → copies
_META_KEYS = {choice: key for key, choice in CHOICE_KEYS.items()}
_META_KEYS |= {"front": "alternate_front", "back": "alternate_back"}


class Misread(ValueError):
    """A change that can't be read: the page was not ours, or is too old."""


class Edit(NamedTuple):
    """One change of a deck.

    ``verb`` is a key of ``CHANGES``, ``code`` the card it is about (for ``choose`` the
    name of the choice), ``number`` how many copies, boxes or points, ``value`` what is
    chosen, attached, written or recorded, ``line`` that of a sheet.
    """

    verb: str
    code: str
    number: int = 1
    value: str = ""
    line: int = 0


def apply(content: Content, edits: Iterable[Edit], pool: CardPool) -> Content:
    """Return the content after all the changes, in order."""
    for edit in edits:
        content = CHANGES[edit.verb](content, edit, pool)
    return content


def copies_of(content: Content, code: str, pool: CardPool) -> int:
    """Count the copies of a card in the deck, over its printings."""
    slots = content.deck["slots"]
    return sum(slots[each] for each in slots if _same(each, code, pool))


def marks_of(content: Content, code: str, pool: CardPool) -> tuple[SheetMark, ...]:
    """Return the marks on the sheet of a card, whichever printing names it."""
    sheets = content.asked().deck.sheets
    return next(
        (marks for listed, marks in sheets.items() if _same(listed, code, pool)), ()
    )


def attached_to(content: Content, holder: str, pool: CardPool) -> Slots:
    """Return the cards attached to a card, or to an investigator."""
    attachments = content.asked().deck.attachments
    under = (each for code, each in attachments.items() if _same(code, holder, pool))
    return dict(next(under, {}))


def _same(listed: str, code: str, pool: CardPool) -> bool:
    if listed == code:
        return True
    card = pool.get_card(code)
    return card is not None and pool.get_card(listed) is card


def _listed_as(entries: Slots, code: str, pool: CardPool) -> str:
    """Return the code under which a card is already listed, or its own."""
    if code in entries:
        return code
    return next((listed for listed in entries if _same(listed, code, pool)), code)


def _sheet_key(content: Content, code: str, pool: CardPool) -> str:
    for key in content.deck["meta"]:
        if key.startswith("cus_") and _same(key[4:], code, pool):
            return str(key)
    card = pool.get_card(code)
    return f"cus_{card.code if card else code}"


def _with(content: Content, **keys: Any) -> Content:
    return replace(content, deck={**content.deck, **keys})


def _with_meta(content: Content, key: str, value: str) -> Content:
    meta = {each: kept for each, kept in content.deck["meta"].items() if each != key}
    if value:
        meta[key] = value
    return _with(content, meta=dict(sorted(meta.items())))


def _with_circumstance(content: Content, key: str, value: Any) -> Content:
    kept = {each: old for each, old in content.circumstances.items() if each != key}
    if value is not None:
        kept[key] = value
    return replace(content, circumstances=dict(sorted(kept.items())))


def _changed(entries: Slots, code: str, by: int, pool: CardPool) -> Slots:
    """Add or remove copies of a card; remove from one printing after the other."""
    kept = dict(entries)
    code = _listed_as(kept, code, pool)
    copies = kept.pop(code, 0) + by
    if copies > 0:
        kept[code] = min(copies, MOST_COPIES)
    elif copies < 0 and _listed_as(kept, code, pool) in kept:
        return _changed(kept, code, copies, pool)
    return dict(sorted(kept.items()))


def _change_copies(content: Content, code: str, by: int, pool: CardPool) -> Content:
    """Add or remove copies; with the last one, remove its sheet and attached cards."""
    before, aside = (content.deck[key] for key in ("slots", "ignoreDeckLimitSlots"))
    slots = _changed(before, code, by, pool)
    left = {each: slots.get(each, 0) for each, _n in before.items() - slots.items()}
    fit = {each: min(n, left.get(each, n)) for each, n in aside.items()}
    fit = {each: n for each, n in fit.items() if n}
    content = _with(content, slots=slots, ignoreDeckLimitSlots=fit)
    if not copies_of(content, code, pool):
        sheet = _sheet_key(content, code, pool)
        for key in (sheet, *_holder_keys(content, code, pool)):
            content = _with_meta(content, key, "")
    return content


def _copies(by: int) -> Change:
    """Add or remove copies in the deck."""

    def change(content: Content, edit: Edit, pool: CardPool) -> Content:
        return _change_copies(content, edit.code, by * edit.number, pool)

    return change


def _set(content: Content, edit: Edit, pool: CardPool) -> Content:
    """Set the number of copies in the deck, over all printings of the card."""
    missing = edit.number - copies_of(content, edit.code, pool)
    return _change_copies(content, edit.code, missing, pool) if missing else content


def _aside(content: Content, edit: Edit, pool: CardPool) -> Content:
    """Mark copies that an effect added, so that they don't count toward deck size."""
    slots, aside = (content.deck[key] for key in ("slots", "ignoreDeckLimitSlots"))
    for _copy in range(edit.number):
        room = {code: n for code, n in slots.items() if n > aside.get(code, 0)}
        code = _listed_as(room, edit.code, pool)
        aside = {**aside, code: aside.get(code, 0) + 1} if code in room else aside
    return _with(content, ignoreDeckLimitSlots=dict(sorted(aside.items())))


def _count(content: Content, edit: Edit, pool: CardPool) -> Content:
    """Count copies again that were set aside."""
    aside = content.deck["ignoreDeckLimitSlots"]
    aside = _changed(aside, edit.code, -edit.number, pool)
    return _with(content, ignoreDeckLimitSlots=aside)


def _edited(entries: Slots, edit: Edit, by: int, pool: CardPool) -> Slots:
    """Add or remove copies, or set their number if ``by`` is 0."""
    here = sum(n for each, n in entries.items() if _same(each, edit.code, pool))
    more = by * edit.number if by else edit.number - here
    return _changed(entries, edit.code, more, pool)


def _consider(by: int) -> Change:
    """Add or remove cards that the player only considers; no rule looks at them."""

    def change(content: Content, edit: Edit, pool: CardPool) -> Content:
        considered = _edited(content.deck["sideSlots"], edit, by, pool)
        return _with(content, sideSlots=considered)

    return change


def _written_entries(entries: Slots) -> str:
    return ",".join(code for code, copies in entries.items() for _copy in range(copies))


def _side(by: int) -> Change:
    """Add or remove cards of the second deck that some investigators have."""

    def change(content: Content, edit: Edit, pool: CardPool) -> Content:
        entries = _edited(dict(content.asked().deck.side_deck), edit, by, pool)
        return _with_meta(content, "extra_deck", _written_entries(entries))

    return change


def _holder_keys(content: Content, holder: str, pool: CardPool) -> list[str]:
    """Return the keys of the cards attached to a card, whichever printing they name."""
    parts = ((key, *key.partition("_")) for key in content.deck["meta"])
    words = ("attachments", "attachment")
    return [k for k, word, _, c in parts if word in words and _same(c, holder, pool)]


def _attach(by: int) -> Change:
    """Attach a copy to a card, or detach one."""

    def change(content: Content, edit: Edit, pool: CardPool) -> Content:
        entries = attached_to(content, edit.code, pool)
        entries = _edited(entries, edit._replace(code=edit.value), by, pool)
        keys = _holder_keys(content, edit.code, pool)
        key = keys[0] if keys else f"attachments_{edit.code}"
        return _with_meta(content, key, _written_entries(entries))

    return change


def _choose(content: Content, edit: Edit, pool: CardPool) -> Content:
    """Choose an option of the back, a side or a taboo list; "" leaves it open."""
    key, value = edit.code, edit.value
    if (key, value) == ("taboo", "none"):
        return _with(_with_circumstance(content, "taboo", value), taboo_id=None)
    if key == "taboo":
        number = _number(value) or None if value else None
        return _with(_with_circumstance(content, "taboo", None), taboo_id=number)
    if key == "investigator":
        for side in ("alternate_front", "alternate_back"):
            content = _with_meta(content, side, "")
        return _with(content, investigator_code=value)
    if key not in _META_KEYS:
        raise Misread(key)
    if key in ("front", "back") and value == content.deck["investigator_code"]:
        value = ""
    return _with_meta(content, _META_KEYS[key], value)


def _mark(content: Content, edit: Edit, pool: CardPool) -> Content:
    """Set how many boxes of a line of a sheet are marked."""
    return _with_mark(content, edit.code, edit.line, pool, boxes=edit.number)


def _write(content: Content, edit: Edit, pool: CardPool) -> Content:
    """Write entries on a line of a sheet, separated by ``^``."""
    if len(edit.value) > LONGEST_WRITTEN or set(edit.value) & set(",|"):
        raise Misread(edit.value)
    written = tuple(each.strip() for each in edit.value.split("^") if each.strip())
    return _with_mark(content, edit.code, edit.line, pool, written=written)


def _with_mark(
    content: Content,
    code: str,
    position: int,
    pool: CardPool,
    *,
    boxes: int | None = None,
    written: tuple[str, ...] | None = None,
) -> Content:
    marks = {mark.position: mark for mark in marks_of(content, code, pool)}
    before = marks.get(position, SheetMark(position, 0))
    marks[position] = SheetMark(
        position,
        before.boxes if boxes is None else boxes,
        before.written if written is None else written,
    )
    entries = [
        f"{each.position}|{each.boxes}"
        + (f"|{'^'.join(each.written)}" if each.written else "")
        for each in sorted(marks.values(), key=lambda each: each.position)
        if each.boxes or each.written
    ]
    return _with_meta(content, _sheet_key(content, code, pool), ",".join(entries))


def _record(content: Content, edit: Edit, pool: CardPool) -> Content:
    """Record in the campaign log a done ``task`` or an earned ``story`` card."""
    name = {"task": "tasks", "story": "story_cards"}.get(edit.value)
    if name is None:
        raise Misread(edit.value)
    recorded = {*content.circumstances.get(name, ()), edit.code}
    return _with_circumstance(content, name, sorted(recorded))


def _share(content: Content, edit: Edit, pool: CardPool) -> Content:
    """Set how much ``physical`` or ``mental`` trauma a card of a first deck gives."""
    shares = content.circumstances.get("trauma", {})
    share = shares.get(edit.code, {}) | {edit.value: edit.number}
    return _with_circumstance(content, "trauma", shares | {edit.code: share})


def _play_without(content: Content, edit: Edit, pool: CardPool) -> Content:
    """Drop an ultimatum or boon."""
    named = content.circumstances.get("ultimatums", ())
    used = [each for each in named if each != edit.code]
    return _with_circumstance(content, "ultimatums", used or None)


Change = Callable[[Content, Edit, CardPool], Content]

CHANGES: dict[str, Change] = {
    "add": _copies(+1),
    "remove": _copies(-1),
    "set": _set,
    "aside": _aside,
    "count": _count,
    "consider": _consider(+1),
    "forget": _consider(-1),
    "consider-set": _consider(0),
    "side-add": _side(+1),
    "side-remove": _side(-1),
    "side-set": _side(0),
    "attach": _attach(+1),
    "detach": _attach(-1),
    "choose": _choose,
    "mark": _mark,
    "write": _write,
    "record": _record,
    "share": _share,
    "without": _play_without,
}


# -- reading changes that a page sends --


def read_edits(text: str, of_window: Collection[str] = ()) -> list[Edit]:
    """Return the changes in the text of a button, ``MOST_CHANGES`` at most.

    ``of_window`` are verbs of changes of an upgrade window that may be among them.
    Raises Misread if there is no change, or an unknown one.
    """
    edits: list[Edit] = []
    for each in text.split(maxsplit=MOST_CHANGES)[:MOST_CHANGES]:
        word, _equals, what = each.partition("=")
        if word in of_window:
            code, _colon, value = what.partition(":")
            edits.append(Edit(word, code, value=value))
        else:
            edits += read_edit(word, what)
    if not edits:
        raise Misread(text)
    return edits


def read_edit(word: str, text: str) -> Iterator[Edit]:
    """Yield the changes in one word and its text. Raises Misread."""
    if word not in CHANGES:
        raise Misread(word)
    if word in ("attach", "detach", "choose"):
        code, value = _parts(text, 2)
        yield Edit(word, code, value=value)
    elif word == "mark":
        code, line, boxes = _parts(text, 3)
        yield Edit(word, code, _number(boxes), line=_number(line))
    elif word == "write":
        code, line, value = _parts(text, 3)
        yield Edit(word, code, value=value, line=_number(line))
    elif word == "record":
        kind, code = _parts(text, 2)
        yield Edit(word, code, value=kind)
    elif word == "share":
        code, physical, mental = _parts(text, 3)
        yield Edit(word, code, _number(physical), "physical")
        yield Edit(word, code, _number(mental), "mental")
    elif word == "without":
        yield Edit(word, text)
    else:
        yield Edit(word, *_code_and_copies(text))


def _number(text: str) -> int:
    if not is_digits(text, 4):
        raise Misread(text)
    return int(text)


def _parts(text: str, number: int) -> list[str]:
    parts = text.split(":", number - 1)
    if len(parts) != number or not parts[0]:
        raise Misread(text)
    return parts


def _code_and_copies(text: str) -> tuple[str, int]:
    """Read “01001:2”, or “01001” for one copy; codes themselves may contain colons."""
    code, colon, copies = text.rpartition(":")
    if not colon:
        code, copies = text, "1"
    if not code:
        raise Misread(text)
    return code, min(_number(copies), MOST_COPIES)
