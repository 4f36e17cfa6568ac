"""Reads the file of an account; nothing of it, if any part cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, read_json, shortened
from decks.interchange.account_fields import MOST_POINTS, FileFields
from decks.interchange.account_file import (
    FORMAT,
    VERSION,
    AccountFile,
    Booked,
    Chain,
    Copied,
    FileDesk,
    FileDraw,
    FileRevision,
    FileShowing,
    Owned,
)
from decks.models import (
    LONGEST_ADDRESS,
    LONGEST_AUTHOR,
    LONGEST_NAME,
    LONGEST_NOTES,
    LONGEST_REASON,
    LONGEST_SCENARIO,
    LONGEST_TAGS,
    Cause,
    LedgerEntry,
    Showing,
)
from decks.services.windows import spends_as_it_came

MOST_DECKS = 10_000
MOST_REVISIONS = 100_000  # of one deck, as of entries in its ledger and of draws
MOST_COLLECTIONS = 1_000
_KEYS = ("format", "version", "account", "written_at", "decks", "collections")
Kind = LedgerEntry.Kind


def read_account(text: str) -> AccountFile:
    """What the text of a file holds; raises Unreadable with every fault.

    A file of version 1 knows of revisions alone: the cause of each follows from it.
    One of version 2 does not know who saw a deck and what it was copied from.
    """
    data = read_json(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        message = _("This is no file of an account.")
        raise Unreadable(Fault("/format", message, f'{{"format": "{FORMAT}"}}'))
    version = data.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        message = _("This version of the file is not known here: {found}.")
        found = shortened(str(version))
        raise Unreadable(Fault("/version", message, f"1 … {VERSION}", found))
    reader = _Reader(str(data.get("account") or ""), version)
    known = _KEYS if version > 1 else _KEYS[:-1]
    for key in sorted(data.keys() - {*known}):
        reader.fail(token(key), _("Nothing is expected here."), ", ".join(known))
    account = AccountFile(
        tuple(reader.chains(data.get("decks"))),
        tuple(reader.collections(data.get("collections"))) if version > 1 else (),
    )
    if reader.faults:
        raise Unreadable(*reader.faults)
    return account


class _Reader(FileFields):
    """A file while it is read; ``name`` is that of the account it was taken from."""

    def __init__(self, name: str, version: int) -> None:
        super().__init__()
        self.name = name
        self.version = version

    def chains(self, value: object) -> Iterator[Chain]:
        """The decks; those whose faults have been noted are left out."""
        for _place, data, here in self.objects(value, "/decks", MOST_DECKS):
            before = len(self.faults)
            steps = tuple(self._steps(data.get("revisions"), f"{here}/revisions"))
            chain = Chain(
                self.text(data, "name", here, LONGEST_NAME),
                self.text(data, "notes", here, LONGEST_NOTES),
                self.text(data, "tags", here, LONGEST_TAGS),
                self.instant(data, "made_at", here),
                self.instant(data, "changed_at", here),
                steps,
                has_life=self.version > 1,
            )
            if self.version > 1:
                chain = self._with_life(chain, data, here)
            if self.version > 2:
                shown = self._shown(data.get("shown"), f"{here}/shown", len(steps))
                source = self._source(data.get("source"), f"{here}/source")
                chain = replace(chain, shown=shown, source=source)
            if len(self.faults) == before:
                yield chain

    def collections(self, value: object) -> Iterator[Owned]:
        """What the account owns."""
        places = self.objects(value, "/collections", MOST_COLLECTIONS)
        for _place, data, here in places:
            yield Owned(
                self.text(data, "name", here, LONGEST_NAME),
                self.copies(data, "products", here),
                self.copies(data, "missing", here),
                self.flag(data, "lends", here),
                self.flag(data, "advises", here),
                self.instant(data, "changed_at", here),
            )

    # -- a deck --

    def _steps(self, value: object, pointer: str) -> Iterator[FileRevision]:
        if not self.array(value, pointer, MOST_REVISIONS):
            self.fail(pointer, _("There is no revision."), _("at least one"))
        bases: set[int] = set()
        for place, data, here in self.objects(value, pointer, MOST_REVISIONS):
            if data.get("number") != place + 1:
                message = _("Revisions are numbered from 1 without a gap.")
                self.fail(f"{here}/number", message, str(place + 1))
            content = self.content(data, here)
            restores = self._earlier(data, "restores", place, here)
            made_at = self.instant(data, "made_at", here)
            if content is None:
                continue
            step = FileRevision(
                content, restores, made_at, self._default_cause(place, restores)
            )
            if self.version > 1:
                step = self._with_cause(step, data, place, here)
                if step.base is not None and step.base not in bases:
                    message = _("Revision {found} was not played.")
                    expected = _("the number of a revision that was played")
                    self.fail(f"{here}/base", message, expected, str(step.base))
                if step.played_at is not None or spends_as_it_came(step.content):
                    bases.add(place + 1)
            yield step

    def _default_cause(self, place: int, restores: int | None) -> str:
        if place == 0:
            return Cause.BUILT
        return Cause.EDITED if restores is None else Cause.RESTORED

    def _with_cause(
        self, step: FileRevision, data: dict[str, Any], place: int, here: str
    ) -> FileRevision:
        before = len(self.faults)
        window, invoice = self.window(data, "window", here), self.invoice(data, here)
        paid = invoice is not None and len(self.faults) == before
        if paid and type(window.get("available")) is not int:
            message = _("This is missing.")
            expected = _("what there was to spend")
            self.fail(f"{here}/window/available", message, expected)
        return replace(
            step,
            cause=self.one_of(data, "cause", here, Cause.values),
            own=self._own(data, "made_by"),
            base=self._earlier(data, "base", place, here),
            window=window,
            invoice=invoice,
            reason=self.text(data, "reason", here, LONGEST_REASON),
            played_at=self.instant_or_none(data, "played_at", here),
            aftermath=self.window(data, "aftermath", here),
            # Files of earlier versions name no scenarios.
            scenario=self.text(data, "scenario", here, LONGEST_SCENARIO)
            if "scenario" in data
            else "",
        )

    def _earlier(
        self, data: dict[str, Any], key: str, place: int, pointer: str
    ) -> int | None:
        number = data.get(key)
        if type(number) is int and 1 <= number <= place:
            return number
        if number is not None:
            message = _("This is no earlier revision.")
            self.fail(f"{pointer}/{key}", message, _("an earlier number or null"))
        return None

    def _own(self, data: dict[str, Any], key: str) -> bool:
        """Whether the account itself did it; others are strangers to this server."""
        return bool(self.name) and data.get(key) == self.name

    # -- its life --

    def _with_life(self, chain: Chain, data: dict[str, Any], here: str) -> Chain:
        latest = max(len(chain.steps), 1)
        chain = replace(
            chain,
            ledger=tuple(self._ledger(data.get("ledger"), f"{here}/ledger", latest)),
            draws=tuple(self._draws(data.get("draws"), f"{here}/draws", latest)),
            desk=self._desk(data.get("desk"), f"{here}/desk", latest),
        )
        experience = data.get("experience")
        balance = experience.get("balance") if isinstance(experience, dict) else None
        if balance != chain.balance:
            message = _("The ledger sums up to {found}.")
            place, found = f"{here}/experience/balance", str(chain.balance)
            self.fail(place, message, found, found)
        return chain

    def _ledger(self, value: object, pointer: str, latest: int) -> Iterator[Booked]:
        for place, data, here in self.objects(value, pointer, MOST_REVISIONS):
            if data.get("number") != place + 1:
                message = _("Entries are numbered from 1 without a gap.")
                self.fail(f"{here}/number", message, str(place + 1))
            kind = self.one_of(data, "kind", here, Kind.values)
            least = 1 if kind == Kind.RETURNED else -MOST_POINTS
            most = -1 if kind == Kind.SPENT else MOST_POINTS
            reason = self.text(data, "reason", here, LONGEST_REASON)
            if kind == Kind.CORRECTION and not reason:
                self.fail(f"{here}/reason", _("This is missing."), _("a reason"))
            yield Booked(
                kind,
                self.number(data, "amount", here, least, most),
                reason,
                self.number(data, "revision", here, 1, latest),
                self._own(data, "author"),
                self.instant(data, "made_at", here),
            )

    def _draws(self, value: object, pointer: str, latest: int) -> Iterator[FileDraw]:
        followed: set[int] = set()
        for place, data, here in self.objects(value, pointer, MOST_REVISIONS):
            follows = self.number_or_none(data, "follows", here, 0, place - 1)
            if follows in followed:
                message = _("Two draws follow the same.")
                self.fail(f"{here}/follows", message, _("a place or null"))
            if follows is not None:
                followed.add(follows)
            wrong, wrong_at = "", None
            if (correction := data.get("correction")) is not None:
                at = f"{here}/correction"
                correction = correction if isinstance(correction, dict) else {}
                wrong = self.text(correction, "reason", at, LONGEST_REASON)
                wrong_at = self.instant(correction, "made_at", at)
            yield FileDraw(
                self.number(data, "revision", here, 1, latest),
                self.number_or_none(data, "made", here, 1, latest),
                self.record(data, here),
                follows,
                self.instant(data, "made_at", here),
                wrong,
                wrong_at,
            )

    def _desk(self, value: object, here: str, latest: int) -> FileDesk | None:
        if value is None:
            return None
        data = value if isinstance(value, dict) else {}
        content = self.content(data, here)
        window = self.window(data, "window", here)
        changed_at = self.instant(data, "changed_at", here)
        seen = self.number(data, "seen", here, 1, latest)
        version = self.number(data, "version", here, 0, MOST_POINTS)
        return FileDesk(seen, version, content, window, changed_at) if content else None

    # -- who saw it, and where it comes from --

    def _shown(self, value: object, here: str, latest: int) -> FileShowing | None:
        if value is None:
            return None
        data = value if isinstance(value, dict) else {}
        kind = self.one_of(data, "kind", here, Showing.Kind.values)
        revision = None
        if kind == Showing.Kind.PUBLISHED:
            revision = self.number(data, "revision", here, 1, max(latest, 1))
        return FileShowing(kind, revision, self.instant(data, "since", here))

    def _source(self, value: object, here: str) -> Copied | None:
        if value is None:
            return None
        data = value if isinstance(value, dict) else {}
        address = self.text(data, "address", here, LONGEST_ADDRESS)
        if not address.startswith("/"):
            message = _("This is no path of a server.")
            self.fail(f"{here}/address", message, "/decks/published/1/")
        return Copied(
            self.one_of(data, "kind", here, Showing.Kind.values),
            self.text(data, "name", here, LONGEST_NAME),
            self.text(data, "author", here, LONGEST_AUTHOR),
            address,
            self.instant(data, "copied_at", here),
        )
