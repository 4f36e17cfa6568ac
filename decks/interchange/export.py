"""Export a deck to other programs, and list what the formats leave out."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from arkham.rules.collection import listed_products
from arkham.rules.legality import judge_of
from arkham.rules.modifiers import SIDE_ROWS
from arkham.rules.notation.arkhamdb_object import read_object
from arkham.rules.notation.exchanged import Exchanged, Part
from arkham.rules.notation.formats import FORMATS, Format, LeftOut, left_out
from arkham.rules.notation.octgn import NO_IDS, read_ids, write_octgn
from arkham.rules.pool import CardPool
from arkham.rules.rulings import DEFAULT_RULINGS
from arkham.rules.vocabulary import Mode
from decks.models import Revision, Showing
from decks.queries import earlier_number, number_of
from decks.services.beginning import left_at_creation
from decks.services.ledger import balances_of, experience_until_game
from decks.services.sharing import history_of
from decks.services.windows import window_of

Words = str | Promise

LONGEST_FILE_NAME = 80
MOST_CODES = 5  # named, of the codes that a format leaves out
_UNFIT = frozenset('/\\:*?"<>|')  # forbidden in file names on some system

FILES: dict[str, Words] = {
    "json": gettext_lazy("JSON (ArkhamDB, arkham.build)"),
    "text": gettext_lazy("Text (ArkhamDB)"),
    "plain": gettext_lazy("Plain list, with choices and upgrade sheets"),
    "markdown": gettext_lazy("Markdown, with links and notes"),
    "octgn": gettext_lazy("OCTGN (.o8d)"),
}
# Dates and ids are not listed: no one expects them in a list.
PARTS: dict[Part, Words] = {
    Part.NAME: gettext_lazy("the name"),
    Part.CONSIDERED: gettext_lazy("the side deck"),
    Part.SET_ASIDE: gettext_lazy("which copies don’t count"),
    Part.TABOO: gettext_lazy("the taboo list"),
    Part.SIDES: gettext_lazy("the investigator’s sides"),
    Part.CHOICES: gettext_lazy("choices made at deck creation"),
    Part.SHEETS: gettext_lazy("upgrade sheets"),
    Part.SIDE_DECK: gettext_lazy("the spirit deck"),
    Part.ATTACHMENTS: gettext_lazy("cards set aside"),
    Part.TRANSFORMED: gettext_lazy("which card the investigator became"),
    Part.PRODUCTS: gettext_lazy("the products in use"),
    Part.NOTES: pgettext_lazy("of a deck", "notes"),
    Part.TAGS: gettext_lazy("tags"),
    Part.ANNOTATIONS: gettext_lazy("notes on single cards"),
    Part.EXPERIENCE: gettext_lazy("experience"),
    Part.EXILED: gettext_lazy("exiled cards"),
    Part.KEPT: gettext_lazy("entries of other programs"),
}


# Environments that a list can only express as products.
COMPUTED = ("current", "limited")
# Circumstances that no format includes, by key.
UNSAVED: dict[str, Words] = {
    "mode": gettext_lazy("that it is a standalone deck"),
    "taboo": gettext_lazy("that no taboo list is used"),
    "ultimatums": gettext_lazy("ultimatums and boons"),
    "rulings": gettext_lazy("rulings of the table"),
    "experience": gettext_lazy("experience at deck creation"),
    "experience_earned": gettext_lazy("experience earned so far"),
    "trauma": gettext_lazy("trauma chosen"),
    "arrival": gettext_lazy("how the investigator joined"),
    "tasks": gettext_lazy("recorded tasks"),
    "story_cards": gettext_lazy("which story cards were earned"),
    "lost_cards": gettext_lazy("which cards the campaign took"),
    "given_signatures": gettext_lazy("which signatures were earned"),
    "banned_titles": gettext_lazy("allies lost to The Scream"),
    "players": gettext_lazy("the number of investigators"),
}


@dataclass(frozen=True, slots=True)
class Copy:
    """The deck as a file of some format: its title, and what it leaves out."""

    form: Format
    title: Words
    left: tuple[Words, ...]


def octgn_ids() -> Mapping[str, str]:
    """Return OCTGN's ids, if the operator of this server has a table of them."""
    return _table(settings.ORNE_OCTGN_IDS)


@lru_cache(maxsize=1)
def _table(path: str) -> Mapping[str, str]:
    return read_ids(Path(path).read_text("utf-8")) if path else NO_IDS


def text_of(value: Exchanged, form: Format, pool: CardPool) -> str:
    """Return the deck in a format."""
    if form is FORMATS["octgn"]:
        return write_octgn(value, pool, octgn_ids())
    return form.write(value, pool)


def exchanged(
    revision: Revision, pool: CardPool, *, is_locked: bool = False
) -> Exchanged:
    """Return a revision as a deck for export; ``is_locked`` if a game followed it."""
    life = _of_its_life(revision, is_locked=is_locked)
    return read_object(_arkhamdb_fields(revision, pool) | life).value


def own_deck(revision: Revision, pool: CardPool, *, is_locked: bool) -> Exchanged:
    """Return a revision as ArkhamDB's API has a deck of the account."""
    life = _of_its_life(revision, is_locked=is_locked) | {"problem": None}
    return read_object(_named(_arkhamdb_fields(revision, pool)) | life).value


def shown_list(showing: Showing, revision: Revision, pool: CardPool) -> Exchanged:
    """Return a deck shown to others, as a decklist by its author."""
    number = number_of(showing.key) if _is_link(showing) else showing.pk
    data = _named(_arkhamdb_fields(revision, pool)) | {
        **_of_its_history(showing, revision, number),
        "user_id": showing.deck.owner_id,
        "date_creation": _moment(showing.since),
        "date_update": _moment(max(showing.changed_at, showing.since)),
        "version": "1.0",  # as for published decklists
    }
    return read_object(data).value


def _of_its_history(
    showing: Showing, revision: Revision, number: int
) -> dict[str, object]:
    """Return the version's id, and as much of its history as its owner shows.

    ``number`` is the id of the version shown last.
    """
    if not showing.shows_history:
        return {"id": number}
    chain = history_of(showing)
    place = [each.number for each in chain].index(revision.number)
    numbers = [earlier_number(showing, each.number) for each in chain[:-1]] + [number]
    fields: dict[str, object] = {
        "id": numbers[place],
        "next_deck": numbers[place + 1] if place + 1 < len(numbers) else None,
    }
    if place:
        fields["previous_deck"] = numbers[place - 1]
        fields |= _since(chain[place - 1], revision)
    return fields


def exile_string(exiled: Mapping[str, int]) -> str | None:
    """Return the code of each exiled copy, as ArkhamDB does; None if there is none."""
    codes = [code for code, copies in exiled.items() for _copy in range(copies)]
    return ",".join(codes) or None


def _of_its_life(revision: Revision, *, is_locked: bool) -> dict[str, Any]:
    """Return experience and exile as ArkhamDB counts them for this revision's step.

    The latest revision, unless it ``is_locked``, has the balance of the ledger as the
    difference of ``xp`` and ``xp_spent``. The values of a first list are kept if
    nothing was booked, or only what it brought along.
    """
    deck, listed = revision.deck, revision.list
    fields: dict[str, Any] = {}
    if revision.base is not None:
        base = deck.revisions.get(number=revision.base)
        fields = _since(base, revision)
    is_upgraded = revision.base is not None and revision.played_at is None
    if is_locked or is_upgraded or revision.number != deck.revision:
        return fields
    spent = fields.get("xp_spent")
    balance = balances_of([deck]).get(deck.pk)
    if left := left_at_creation(revision):
        balance = (balance or 0) + left
    said = (listed.get("xp") or 0) + (listed.get("xp_adjustment") or 0)
    could = (balance or 0) + (spent or 0)
    if balance is not None and ("xp" not in listed or said != could):
        fields |= {"xp": could, "xp_spent": spent, "xp_adjustment": 0}
    return fields


def _since(base: Revision, revision: Revision) -> dict[str, Any]:
    """Return exile, and what this revision could spend until its game, and did."""
    exiled = exile_string(window_of(base, revision).exiled)
    could, spent = experience_until_game(revision)
    experience = {"xp": could, "xp_spent": spent, "xp_adjustment": 0}
    return experience | {"exile_string": exiled}


def _meta(revision: Revision, pool: CardPool) -> dict[str, Any]:
    """Return the choices of a deck, including the products of its environment."""
    meta: dict[str, Any] = dict(revision.list["meta"])
    circumstances = revision.content.asked().circumstances
    if circumstances.environment is None:
        return meta
    rulings = {**DEFAULT_RULINGS, **dict(circumstances.rulings)}
    products = listed_products(circumstances.environment, pool, rulings)
    meta.pop("card_pool", None)
    return meta | ({"card_pool": ",".join(products)} if products else {})


def shown_deck(
    showing: Showing, revision: Revision, pool: CardPool, problem: str
) -> Exchanged:
    """Return a deck shown to others, as ArkhamDB's API has a deck."""
    number = number_of(showing.key) if _is_link(showing) else revision.deck_id
    data = _named(_arkhamdb_fields(revision, pool))
    history = _of_its_history(showing, revision, number)
    return read_object(data | history | {"problem": problem}).value


def _is_link(showing: Showing) -> bool:
    return showing.kind == Showing.Kind.LINK


def _arkhamdb_fields(revision: Revision, pool: CardPool) -> dict[str, Any]:
    """Return a revision under the keys of ArkhamDB."""
    deck = revision.deck
    card = pool.get_card(revision.list["investigator_code"])
    return {
        **revision.list,
        "taboo_id": _taboo(revision, pool),
        "meta": _meta(revision, pool),
        "name": deck.name,
        "description_md": deck.notes,
        "tags": deck.tags,
        "date_creation": _moment(deck.made_at),
        "date_update": _moment(revision.made_at),
        "version": f"0.{revision.number}",  # as for decks that were never published
        "investigator_name": card.name if card else "",
    }


def _taboo(revision: Revision, pool: CardPool) -> object:
    """Return the taboo list the deck is judged by; or else its own, if unknown here."""
    asked = revision.content.asked()
    found, _assumed = judge_of(pool).taboo_of(asked.deck, asked.circumstances)
    if found is not None or asked.circumstances.no_taboo:
        return found.id if found is not None else None
    return revision.list["taboo_id"]


def _named(data: dict[str, Any]) -> dict[str, Any]:
    """Name a deck without a name after its investigator: clients expect a name."""
    return data | {"name": data["name"] or data["investigator_name"]}


def _moment(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat(timespec="seconds")


def copies_of(value: Exchanged, revision: Revision, pool: CardPool) -> tuple[Copy, ...]:
    """Return a deck in every format; ``value`` is its exported revision."""
    environment = revision.content.asked().circumstances.environment
    is_computed = environment is not None and environment.kind in COMPUTED
    computed = (_("the environment of the products"),)
    unsaved = tuple(_unsaved(revision))
    return tuple(
        Copy(
            form,
            FILES[form.id],
            _left_out_words(left_out(value, form, pool))
            + (computed if is_computed and Part.PRODUCTS in form.carries else ())
            + unsaved,
        )
        for form in FORMATS.values()
    )


def _unsaved(revision: Revision) -> Iterator[Words]:
    """Yield circumstances that matter to the verdict and that no format includes."""
    asked = revision.content.asked()
    deck, circumstances = asked.deck, asked.circumstances
    sides = {deck.front or deck.investigator, deck.back or deck.investigator}
    for key, words in UNSAVED.items():
        matters = bool(revision.circumstances.get(key))
        if key == "mode":
            matters = circumstances.mode == Mode.STANDALONE
        elif key == "taboo":  # a list that is named is exported with the deck
            matters = circumstances.no_taboo
        elif key == "experience_earned":
            matters &= any(row.code in sides for row in SIDE_ROWS if row.per_experience)
        if matters:
            yield words


def _left_out_words(left: LeftOut) -> tuple[Words, ...]:
    """Return what is left out, in words."""
    parts = [PARTS[part] for part in left.parts if part in PARTS]
    if left.codes:
        codes = ", ".join(left.codes[:MOST_CODES])
        codes += " …" if len(left.codes) > MOST_CODES else ""
        parts.append(_("unknown card codes: %(codes)s") % {"codes": codes})
    return tuple(parts)


def file_name(name: str, form: Format, number: int) -> str:
    """Return the file name of a deck, made from its name or else its number.

    Leaves out characters that systems forbid, and invisible ones.
    """
    fit = "".join(
        " " if each in _UNFIT or unicodedata.category(each)[0] in "CZ" else each
        for each in name
    )
    stem = " ".join(fit.split())[:LONGEST_FILE_NAME].strip(" .")
    return f"{stem or f'deck-{number}'}.{form.suffix}"
