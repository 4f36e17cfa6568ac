"""Read an account file; nothing of it if any part can't be read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from arkham.rest.reading import read_by, strict_reader
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.arkhamdb_json import shown
from arkham.rules.notation.reading import Fault, Unreadable, read_json
from decks.interchange.account_file import (
    FORMAT,
    MOST_POINTS,
    VERSION,
    AccountFile,
    FileDeck,
    FileDraw,
    FileEntry,
    FileRevision,
    Own,
)
from decks.lists.content import read_content
from decks.models import Cause, LedgerEntry, Showing
from decks.services.windows import spends_as_it_came

Kind = LedgerEntry.Kind


def read_account(text: str) -> AccountFile:
    """Return the account in a file; raise Unreadable with every fault.

    Files of version 1 only have revisions, whose causes follow from them. Versions 1
    and 2 lack sharing and sources, versions 1 to 3 folders, archive, bin and
    preferences.
    """
    data = read_json(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        message = _("This isn’t a file exported from an account.")
        raise Unreadable(Fault("/format", message, f'{{"format": "{FORMAT}"}}'))
    version = data.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        message = _("We don’t know this version of the file: {found}.")
        raise Unreadable(Fault("/version", message, f"1 … {VERSION}", shown(version)))
    name = data.get("account")
    reader = strict_reader()
    reader.register_structure_hook(
        Own, lambda value, _own: bool(name) and value == name
    )
    account: AccountFile = read_by(reader, AccountFile, data, apart=True)
    checks = _Checks(version)
    decks = tuple(
        checks.deck(deck, f"/decks/{place}") for place, deck in enumerate(account.decks)
    )
    if checks.faults:
        raise Unreadable(*checks.faults)
    return replace(account, decks=decks)


class _Checks:
    """Checks that the parts of a file fit together, and collects faults."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.faults: list[Fault] = []

    def _fail(self, pointer: str, message: str, expected: str, found: str = "") -> None:
        self.faults.append(Fault(pointer, message, expected, found))

    def _within(self, number: int | None, least: int, most: int, pointer: str) -> None:
        if number is not None and not least <= number <= most:
            message = _("We don’t understand {found}.")
            self._fail(pointer, message, f"{least} … {most}", str(number))

    def deck(self, deck: FileDeck, here: str) -> FileDeck:
        """Return the deck with contents and causes for its revisions."""
        latest = len(deck.revisions)
        if not latest:
            message = _("The deck has no versions.")
            self._fail(f"{here}/revisions", message, _("at least one"))
        bases: set[int] = set()
        revisions = tuple(
            self._revision(each, place, f"{here}/revisions/{place}", bases)
            for place, each in enumerate(deck.revisions)
        )
        desk = deck.desk and self._with_content(deck.desk, f"{here}/desk")
        if deck.desk is not None:
            self._within(deck.desk.seen, 1, latest, f"{here}/desk/seen")
        if deck.shown is not None and deck.shown.kind == Showing.Kind.PUBLISHED:
            shown = deck.shown.revision or 0
            self._within(shown, 1, latest, f"{here}/shown/revision")
        self._draws(deck.draws, f"{here}/draws", latest)
        self._ledger(deck.ledger, f"{here}/ledger", latest)
        balance = sum(each.amount for each in deck.ledger)
        stated = 0 if self.version == 1 else None
        if deck.experience is not None:
            stated = deck.experience.balance
        if stated != balance:
            message, found = _("The ledger adds up to {found}."), str(balance)
            self._fail(f"{here}/experience/balance", message, found, found)
        return replace(deck, revisions=revisions, desk=desk)

    def _revision(
        self, step: FileRevision, place: int, here: str, bases: set[int]
    ) -> FileRevision:
        if step.number != place + 1:
            message = _("Versions must be numbered from 1 without a gap.")
            self._fail(f"{here}/number", message, str(place + 1))
        for key, earlier in (("restores", step.restores), ("base", step.base)):
            if earlier is not None and earlier > place:
                message = _("This isn’t an earlier version.")
                expected = _("an earlier number or null")
                self._fail(f"{here}/{key}", message, expected)
            elif key == "base" and earlier is not None and earlier not in bases:
                message = _("Version {found} wasn’t played.")
                expected = _("the number of a version that was played")
                self._fail(f"{here}/base", message, expected, str(earlier))
        if step.invoice is not None and type(step.window.get("available")) is not int:
            message, expected = (
                _("This is missing."),
                _("the experience that could be spent"),
            )
            self._fail(f"{here}/window/available", message, expected)
        read = self._with_content(step, here)
        if read is not None:
            if step.played_at is not None or spends_as_it_came(read.content):
                bases.add(place + 1)
            step = read
        return step if step.cause else replace(step, cause=_cause(place, step))

    def _with_content(self, part: Any, here: str) -> Any:
        """Return the part with its deck and circumstances read, or note faults."""
        try:
            content = read_content(
                {"deck": part.deck, "circumstances": part.circumstances}
            )
        except Unreadable as error:
            self.faults.extend(each.within(here) for each in error.faults)
            return None
        return replace(part, deck=content.deck, circumstances=content.circumstances)

    def _ledger(self, entries: Iterable[FileEntry], here: str, latest: int) -> None:
        for place, each in enumerate(entries):
            at = f"{here}/{place}"
            if each.number != place + 1:
                message = _("Entries must be numbered from 1 without a gap.")
                self._fail(f"{at}/number", message, str(place + 1))
            least = 1 if each.kind == Kind.RETURNED else -MOST_POINTS
            most = -1 if each.kind == Kind.SPENT else MOST_POINTS
            self._within(each.amount, least, most, f"{at}/amount")
            self._within(each.revision, 1, latest, f"{at}/revision")
            if each.kind == Kind.CORRECTION and not each.reason:
                self._fail(f"{at}/reason", _("This is missing."), _("a reason"))

    def _draws(self, draws: Iterable[FileDraw], here: str, latest: int) -> None:
        followed: set[int] = set()
        for place, each in enumerate(draws):
            at = f"{here}/{place}"
            self._within(each.revision, 1, latest, f"{at}/revision")
            self._within(each.made, 1, latest, f"{at}/made")
            self._within(each.follows, 0, place - 1, f"{at}/follows")
            if each.follows in followed:
                message = _("Two draws follow the same draw.")
                self._fail(f"{at}/follows", message, _("a place or null"))
            if each.follows is not None:
                followed.add(each.follows)


def _cause(place: int, step: FileRevision) -> str:
    """Return the cause of a revision in a file that has no causes."""
    if place == 0:
        return Cause.BUILT
    return Cause.EDITED if step.restores is None else Cause.RESTORED
