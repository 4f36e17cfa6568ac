"""Import many decks at once, and report the outcome of each.

They come as a JSON array, as JSON objects or texts one after the other, as addresses,
one per line, as a backup of the Arkham Cards app, or as files in a zip. Unreadable ones
don't stop the others, and decks that the account already has are not imported again.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.accounts.preferences import NO_PREFERENCES, Preferences
from arkham.rules.card import Card
from arkham.rules.notation.lines import NOTES
from arkham.rules.notation.reading import Unreadable, read_json
from arkham.rules.notation.text import NOTES_HEADING
from arkham.rules.pool import CardPool
from arkham.web.bodies import ZIP_FAULTS, TooManyMembers, open_zip, read_member
from arkham.web.quotas import QuotaReached
from decks import queries, services
from decks.interchange.arkhamdb import Unreachable, is_address, read_address
from decks.interchange.importing import (
    MOST_LETTERS,
    OCTGN_FILE,
    ReadList,
    is_json,
    read_list,
)
from decks.lists.content import Content
from decks.models import Deck, Revision, Showing, Source
from decks.services import DeckLabels

MOST_PLACES = 100  # decks at once
MOST_BACKED_UP = 1_000  # decks in a backup; MOST_PLACES of them are imported at once
MOST_ADDRESSES = 20  # of them to be read from other sites
MOST_REASONS = 10  # for one deck
MOST_UNPACKED = 8 * 1024 * 1024  # of a zip
MOST_LISTED = 256 * 1024  # bytes of a zip's directory: some 2,000 files
_NEXT = ("nextDeckId", "next_deck")  # keys of a deck that was upgraded, in a backup
_PARTING = re.compile(r"[-=]{3,}")
_FILE = "file"  # of OCTGN
# A line in our own text exports.
_PLAYED_BY = re.compile(r"[ \t*-]{0,8}Investigator:", re.IGNORECASE)
_ENDINGS = frozenset((".json", ".txt", ".md", ".o8d", ""))


class TooMany(Exception):
    """There are too many decks, or the zip can't be read; the message says which."""


Lines = list[tuple[int, str]]  # each with its number


class ListPlace(NamedTuple):
    """A deck in what was sent: its label, its text and its first line."""

    label: str
    text: str
    file: str = ""
    line: int = 1
    is_backed_up: bool = False


class PlaceOutcome(NamedTuple):
    """The outcome for a place: ``imported``, ``here``, ``unread`` or ``full``.

    ``reasons`` say why it could not be read, or which lines were not understood.
    """

    label: str
    kind: str
    deck: Deck | None = None
    reasons: tuple[str, ...] = ()
    investigator: Card | None = None  # for decks without a name


def places_in(text: str) -> list[ListPlace]:
    """Return the decks in a text; raise TooMany."""
    return _bounded(_places(text.lstrip("\ufeff")))


def places_in_zip(content: bytes) -> list[ListPlace]:
    """Return the decks in the files of a zip; raise TooMany."""
    try:
        with open_zip(io.BytesIO(content), MOST_LISTED) as file:
            return _bounded(_zipped(file))
    except TooManyMembers:
        raise _too_many() from None
    except ZIP_FAULTS:
        raise TooMany(_("We can’t open this zip.")) from None


def import_places(
    *,
    owner: User,
    places: list[ListPlace],
    pool: CardPool,
    here: str,
    now: datetime,
    preferences: Preferences = NO_PREFERENCES,
) -> list[PlaceOutcome]:
    """Import each place; ``here`` is the beginning of this server's addresses.

    Lists that name no terms get those of the ``preferences``.
    """
    found: list[PlaceOutcome] = []
    own = _OwnDecks(owner)
    for place in places:
        try:
            found.append(_imported(own, place, pool, here, now, preferences))
        except Unreachable as error:
            found.append(PlaceOutcome(place.label, "unread", None, (str(error),)))
        except QuotaReached as error:
            found.append(PlaceOutcome(place.label, "full", None, (str(error),)))
    # Others may see them only now, and they look only a little way back.
    made = [each.deck.pk for each in found if each.kind == "imported" and each.deck]
    Deck.objects.filter(pk__in=made).update(noted_at=timezone.now())
    return found


# -- private --


def _bounded(places: Iterator[ListPlace]) -> list[ListPlace]:
    """Return the places; raise TooMany as soon as there are too many."""
    some = islice(places, MOST_BACKED_UP + 1)
    found = [each._replace(text=each.text[:MOST_LETTERS]) for each in some]
    most = MOST_BACKED_UP if all(each.is_backed_up for each in found) else MOST_PLACES
    if len(found) > most:
        raise _too_many(most)
    if sum(is_address(each.text) for each in found) > MOST_ADDRESSES:
        message = _("You can import at most %(number)d addresses at once.")
        raise TooMany(message % {"number": MOST_ADDRESSES})
    return found


def _too_many(most: int = MOST_PLACES) -> TooMany:
    message = _("You can import at most %(number)d decks at once.")
    if most == MOST_BACKED_UP:
        message = _("A backup may have at most %(number)d decks.")
    return TooMany(message % {"number": most})


def _places(text: str) -> Iterator[ListPlace]:
    bare = text.lstrip()
    if not is_json(bare):
        yield from _in_lines(text)
    elif bare.startswith("["):
        yield from _in_array(text)
    else:
        yield from _in_stream(text)


def _in_array(text: str) -> Iterator[ListPlace]:
    try:
        data = read_json(text)
    except Unreadable:
        data = None
    if not isinstance(data, list):
        yield ListPlace(_("The list"), text)  # reading it will report the fault
        return
    for number, each in enumerate(data, 1):
        written = each if isinstance(each, str) else json.dumps(each)
        yield ListPlace(_("Deck %(number)d") % {"number": number}, written)


def _backed_up(data: Any) -> list[Any]:
    """Return the latest version of each deck in a backup of the app."""
    decks = data.get("decks") if type(data) is dict and "campaigns" in data else None
    listed = [*decks.values()] if type(decks) is dict else decks
    found = listed if type(listed) is list else []
    return [e for e in found if type(e) is dict and not any(map(e.get, _NEXT))]


def _in_stream(text: str) -> Iterator[ListPlace]:
    """Yield JSON objects one after the other; the rest of invalid text is one place."""
    start, decoder = len(text) - len(text.lstrip()), json.JSONDecoder()
    while start < len(text):
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            value, end = None, len(text)
        if decks := _backed_up(value):
            for place in _in_array(json.dumps(decks)):
                yield place._replace(is_backed_up=True)
            return
        line = text.count("\n", 0, start) + 1
        yield ListPlace(
            _("Line %(number)d") % {"number": line}, text[start:end], "", line
        )
        while end < len(text) and (text[end].isspace() or text[end] == ","):
            end += 1
        start = end


def _in_lines(text: str) -> Iterator[ListPlace]:
    """Yield texts separated by lines of dashes, and addresses, one per line."""
    for chunk in _parted(text):
        said = [(number, line) for number, line in chunk if line.strip()]
        if said and all(is_address(line) for _number, line in said):
            for number, line in said:
                yield ListPlace(line.strip(), line.strip(), "", number)
        elif said:
            first = said[0][0]
            lines = [line for number, line in chunk if number >= first]
            label = _("Line %(number)d") % {"number": first}
            yield ListPlace(label, "\n".join(lines), "", first)


def _parted(text: str) -> Iterator[Lines]:
    """Yield the lines of each list; a line of dashes in notes separates nothing."""
    parts: list[Lines] = [[(0, "")]]
    for numbered in enumerate(text.splitlines(), 1):
        if _PARTING.fullmatch(numbered[1].strip(" \t")):
            parts.append([])
        parts[-1].append(numbered)
    chunk: Lines = []
    within = ""
    for part in parts:
        is_named = any(_PLAYED_BY.match(line) for _number, line in part)
        if within == _FILE or (within == NOTES and not is_named):
            more = part
        else:
            yield chunk
            chunk, within, more = [], "", part[1:]
        chunk += more
        within = _not_ended(more, within)
    yield chunk


def _not_ended(part: Lines, within: str) -> str:
    """Return what continues after these lines: an OCTGN file, notes, or nothing."""
    said = "\n".join([line for _number, line in part])
    if within == _FILE or OCTGN_FILE.match(said.lstrip()):
        return "" if "</deck" in said.lower() else _FILE
    return NOTES if within == NOTES or NOTES_HEADING.search(f"{said}\n") else ""


def _zipped(file: zipfile.ZipFile) -> Iterator[ListPlace]:
    left = MOST_UNPACKED
    for each in file.infolist():
        path = PurePosixPath(each.filename)
        is_file = bool(each.filename) and not each.is_dir()  # some members have no name
        is_hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
        if not is_file or is_hidden or path.suffix.lower() not in _ENDINGS:
            continue
        content = read_member(file, each, min(left, MOST_LETTERS) + 1)
        left -= len(content)
        if left < 0:
            message = _("The zip unpacks to more than %(number)d MB.")
            raise TooMany(message % {"number": MOST_UNPACKED // 1024 // 1024})
        text = content.decode("utf-8-sig", "replace")
        inside = list(_places(text)) if len(content) <= MOST_LETTERS else []
        for place in inside or [ListPlace("", text[:MOST_LETTERS])]:
            label = f"{path}: {place.label}" if len(inside) > 1 else str(path)
            yield place._replace(label=label, file=path.name)


def _imported(
    own: _OwnDecks,
    place: ListPlace,
    pool: CardPool,
    here: str,
    now: datetime,
    preferences: Preferences,
) -> PlaceOutcome:
    text = place.text
    if is_address(text):
        if text.startswith(here):
            return _copied(own.owner, place, queries.shown_at(text[len(here) :]), now)
        text = read_address(text)
    read = read_list(text, pool, place.file, preferences)
    if read.content is None:
        reasons = tuple(f"{each.where}: {each.message}" for each in read.faults)
        return PlaceOutcome(place.label, "unread", None, reasons)
    if not read.content.deck["investigator_code"]:
        reasons = (_("The list has no investigator."), *_missed(read, place))
        return PlaceOutcome(place.label, "unread", None, reasons[:MOST_REASONS])
    labels = DeckLabels(read.name, read.notes, read.tags)
    name = labels.kept().name
    card = pool.get_card(read.content.deck["investigator_code"])
    if known := own.like(read.content, name):
        return PlaceOutcome(place.label, "here", known, (), card)
    if own.added >= MOST_PLACES:
        reasons = (str(_too_many()), _("Import the file again for the rest."))
        return PlaceOutcome(place.label, "later", None, reasons, card)
    deck = services.create_deck(
        owner=own.owner,
        content=read.content,
        now=now,
        carried=read.carried,
        **labels._asdict(),
    )
    own.add(deck, read.content, name)
    missed = _missed(read, place)[:MOST_REASONS]
    return PlaceOutcome(place.label, "imported", deck, missed, card)


def _copied(
    owner: User, place: ListPlace, showing: Showing | None, now: datetime
) -> PlaceOutcome:
    """Copy a deck that is shown on this server."""
    if showing is None:
        reason = _("There is no deck at this address, or its owner doesn’t share it.")
        return PlaceOutcome(place.label, "unread", None, (reason,))
    if showing.deck.owner_id == owner.pk:
        return PlaceOutcome(place.label, "here", showing.deck)
    copies = Source.objects.filter(
        showing=showing.pk, deck__owner=owner, deck__deleted_at=None
    )
    if known := copies.select_related("deck").first():
        return PlaceOutcome(place.label, "here", known.deck)
    deck = services.copy_shown(showing=showing, owner=owner, now=now)
    return PlaceOutcome(place.label, "imported", deck)


class _OwnDecks:
    """The decks of an owner as first built and as they are now, cached by name."""

    def __init__(self, owner: User) -> None:
        self.owner, self.added = owner, 0
        self._called: dict[str, list[tuple[Deck, dict[str, Any]]]] = {}

    def like(self, content: Content, name: str) -> Deck | None:
        """Return the deck of this name that has this list now, or began with it."""
        if name not in self._called:
            decks = Deck.objects.filter(owner=self.owner, name=name)
            revisions = Revision.objects.filter(
                Q(number=1) | Q(number=F("deck__revision")), deck__in=decks
            )
            found = revisions.select_related("deck").order_by("deck_id", "number")
            self._called[name] = [(each.deck, each.list) for each in found]
        held = self._called[name]
        return next((deck for deck, known in held if known == content.deck), None)

    def add(self, deck: Deck, content: Content, name: str) -> None:
        """Add a new deck whose name was looked up before."""
        self._called[name].append((deck, content.deck))
        self.added += 1


def _missed(read: ReadList, place: ListPlace) -> tuple[str, ...]:
    """Return what was not understood, with line numbers in the whole text."""
    text = _("We couldn’t read “%(said)s”.")
    in_line = _("We couldn’t read line %(line)d: %(said)s")
    return tuple(
        in_line % {"line": each.line + place.line - 1, "said": each.said}
        if each.line
        else text % {"said": each.said}
        for each in read.missed
    )
