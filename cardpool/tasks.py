"""Import texts and pictures of cards in the background.

The row of an import records its progress: pages watch and cancel it there. An import
that was cut short can be continued where it stopped.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import Any

from celery import shared_task
from django.conf import settings
from django.db import connection, transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arkham.jobs.models import JobKind
from cardpool import importing, services
from cardpool.catalog import current_pool
from cardpool.importing import UnreadableSource
from cardpool.languages import ENGLISH, languages_at, place_in
from cardpool.models import (
    CardImport,
    DataVersion,
    Picture,
)
from cardpool.pictures import (
    PictureSource,
    SourceGone,
    UnusablePicture,
    WantedPicture,
    keep,
    source_of,
)

logger = logging.getLogger(__name__)

CARDS = JobKind(
    name=CardImport.KIND,
    title=gettext_lazy("Import card texts and pictures"),
    words={},
    page="cardpool:import",
)
PREVIEW = JobKind(
    name=CardImport.PREVIEW,
    title=gettext_lazy("Preview an import of cards"),
    words={},
    page="cardpool:import",
)

# Sent when another card pool was imported; decks are judged again.
pool_imported = Signal()

MOST_PROBLEMS = 50  # stored problems
LONGEST_PROBLEM = 300  # characters
MOST_NAMES = 100  # names of cards in each list of changes
GLANCE = 1.0  # seconds between two checks for a cancellation while waiting
EVERY = 10  # pictures between two updates of the progress
UPLOADS = "imports"  # the folder for uploaded zips, in ORNE_DATA

State, Part = CardImport.State, CardImport.Part


class Cancelled(Exception):
    """The operator cancelled the import."""


class AlreadyRunning(Exception):
    """An import is already running; only one may."""


def begin_import(
    *,
    texts_from: str,
    pictures_from: str,
    now: datetime,
    language: str = ENGLISH,
    encounter_cards: bool = False,
) -> CardImport:
    """Create an import, to be run; raise AlreadyRunning."""
    return _begin(
        CardImport(
            texts_from=texts_from,
            pictures_from=pictures_from,
            language=language,
            encounter_cards=encounter_cards,
            since=now,
        ),
        now,
    )


def begin_preview(*, texts_from: str, now: datetime, language: str) -> CardImport:
    """Create a preview of an import of texts, to be run; raise AlreadyRunning."""
    row = CardImport(
        kind=CardImport.PREVIEW, texts_from=texts_from, language=language, since=now
    )
    return _begin(row, now)


def continue_import(row: CardImport, *, now: datetime) -> CardImport:
    """Create an import that does what a stopped one left undone."""
    has_texts = row.part == Part.PICTURES
    return _begin(
        CardImport(
            texts_from="" if has_texts else row.texts_from,
            texts=row.texts,
            pictures_from=row.pictures_from,
            language=row.language,
            encounter_cards=row.encounter_cards,
            since=row.since,
        ),
        now,
    )


@transaction.atomic
def _begin(row: CardImport, now: datetime) -> CardImport:
    # Two simultaneous requests queue here; SQLite lets only one write anyway.
    DataVersion.objects.select_for_update().first()
    latest = CardImport.latest()
    if latest is not None and latest.is_active(now):
        raise AlreadyRunning
    row.kind = row.kind or CardImport.KIND
    row.begun_at = row.seen_at = now
    row.part = Part.TEXTS if row.texts_from else Part.PICTURES
    row.save()
    return row


def run_beside(row: CardImport) -> None:
    """Run an import in a worker; without workers, in a thread of this server.

    A thread ends with the server: the import then has to be continued by hand.
    """
    if settings.CELERY_TASK_ALWAYS_EAGER:
        Thread(target=_run_in_thread, args=(row.pk,), daemon=True).start()
    else:
        run_import.delay(row.pk)


def _run_in_thread(number: int) -> None:
    try:
        run_import(number)
    finally:
        connection.close()


@shared_task
def run_import(number: int, **kwargs: Any) -> None:
    """Run an import that was begun, and record how it ends."""
    row = CardImport.objects.filter(pk=number, state=State.RUNNING).first()
    if row is not None:
        RunningImport(row).to_its_end()


@shared_task
def look_for_new_cards(**kwargs: Any) -> None:
    """Preview what is new in the operator's source; they decide to import it.

    Skipped unless the operator asked for it, and while an import runs or is stopped.
    """
    now, latest = timezone.now(), CardImport.latest()
    waits = latest is not None and latest.can_continue(now)
    if not (settings.CARD_NIGHTLY and settings.CARD_SOURCE) or waits:
        return
    with suppress(AlreadyRunning):
        row = begin_preview(
            texts_from=settings.CARD_SOURCE, now=now, language=settings.CARD_LANGUAGE
        )
        run_import(row.pk)


Records = Mapping[str, Mapping[str, Any]]


class RunningImport:
    """A running import.

    ``own`` are sites that the operator named; ``watch`` is called with the row whenever
    it is updated.
    """

    def __init__(
        self,
        row: CardImport,
        own: frozenset[str] | None = None,
        watch: Callable[[CardImport], None] = lambda row: None,
    ) -> None:
        self.row = row
        self.own = importing.own_sites() if own is None else own
        self.watch = watch

    def to_its_end(self) -> CardImport:
        """Import texts, then pictures; record the result in the row, even an error."""
        row = self.row
        try:
            records = self._texts() if row.texts_from else {}
            if row.pictures_from:
                is_same = row.pictures_from == row.texts_from
                self._pictures(records if is_same else {})
            row.state = State.DONE
        except Cancelled:
            row.state = State.CANCELLED
        except (UnreadableSource, SourceGone, OSError) as error:
            row.state, row.reason = State.STOPPED, str(error)
        except Exception:
            logger.exception("import of cards failed")
            row.state = State.STOPPED
            row.reason = _("Something went wrong here; the log has the details.")
        row.ended_at = timezone.now()
        self._note()
        if row.state == State.DONE:
            _delete_upload(row)
        return row

    def _texts(self) -> dict[str, Records]:
        """Import the texts; return the source's records of cards, by language.

        Cards are read with the first language, English if it is among them; if one of
        the other languages is missing, the import continues without it.
        """
        row = self.row
        said: dict[str, Records] = {}
        named = row.language.split(",")
        is_folder = not importing.is_address(row.texts_from)
        languages = languages_at(row.texts_from, named, holds_all=is_folder)
        if len(languages) < len(named):
            self._problem(_("Put {language} in the address to get other languages."))
        for language in languages[:1] if row.is_preview else languages:
            try:
                found = self._texts_in(language, is_first=not said)
            except UnreadableSource as error:
                if language == languages[0]:
                    raise
                self._problem(f"{language}: {error}")
                continue
            if found is not None:
                said[language] = found
        row.part = Part.PICTURES
        self._note()
        return said

    def _texts_in(self, language: str, *, is_first: bool) -> Records | None:
        """Import the texts of one language; return None if there are none."""
        row = self.row
        place = place_in(row.texts_from, language)
        reading = importing.read_place(place, language, self.own)
        self._look()
        if not reading.cards:
            message = _("There are no card texts in %(place)s.") % {"place": place}
            if not row.pictures_from:
                raise UnreadableSource(message)
            self._problem(message)
            return None
        contents = services.Contents.of(reading, place, language)
        if not is_first:
            contents = replace(contents, pool=current_pool())
            row.texts += services.add_translation(contents)
            return reading.records.cards
        lost = current_pool().keys() - reading.cards.keys()
        if lost or reading.faults:
            # Decks need their cards, and texts can be imported without changing those.
            number = len(lost) or len(reading.faults)
            message = ngettext(
                "Only texts are imported: %(number)d card is missing from the source "
                "or can’t be read.",
                "Only texts are imported: %(number)d cards are missing from the source "
                "or can’t be read.",
                number,
            )
            self._problem(message % {"number": number})
            row.texts = len(contents.texts or ())
            if not row.is_preview:
                contents = replace(contents, pool=current_pool())
                row.texts = services.load_texts(contents)
            return reading.records.cards
        load = services.preview_pool if row.is_preview else services.load_pool
        report = load(contents)
        row.texts, row.report = report.texts, report.data(MOST_NAMES)
        if not row.is_preview:
            pool_imported.send(sender=CardImport)
        return reading.records.cards

    def _pictures(self, said: Mapping[str, Records]) -> None:
        row = self.row
        every = services.wanted_pictures(encounter_cards=row.encounter_cards)
        row.done = row.total = row.missing = 0
        of_languages = []
        languages = languages_at(row.pictures_from, row.language.split(","))
        for language in languages:
            try:
                source = self._source(language, said.get(language, {}))
            except UnreadableSource as error:
                if language == languages[0]:
                    raise
                self._problem(f"{language}: {error}")
                continue
            has = source.names
            wanted = [
                each
                for each in every
                if has is None or any(name in has for name in each.names)
            ]
            row.total += len(wanted)
            row.missing += len(every) - len(wanted)
            of_languages.append((language, source, wanted))
        try:
            for language, source, wanted in of_languages:
                self._pictures_in(language, source, wanted)
        finally:
            services.note_change()

    def _source(self, language: str, records: Records) -> PictureSource:
        place = place_in(self.row.pictures_from, language)
        if importing.is_address(place) and "{code}" not in place and not records:
            records = importing.api_records(place, self.own)
        return source_of(place, self.own, records)

    def _pictures_in(
        self, language: str, source: PictureSource, wanted: list[WantedPicture]
    ) -> None:
        row = self.row
        kept = {
            (each.code, each.is_back): each.checked_at
            for each in Picture.objects.filter(language=language).only(
                "code", "is_back", "checked_at"
            )
        }
        for each in wanted:
            checked = kept.get((each.code, each.is_back))
            if checked is None or checked < row.since:
                self._keep(each, source, language)
            row.done += 1
            if row.done % EVERY == 0:
                self._look()

    def _keep(
        self, wanted: WantedPicture, source: PictureSource, language: str
    ) -> None:
        row = self.row
        try:
            picture, is_new = keep(wanted, source, language, timezone.now(), self._wait)
        except UnusablePicture as error:
            row.failed += 1
            self._problem(f"{wanted.names[0]}: {error}")
            return
        picture.save()
        row.new += is_new
        row.unchanged += bool(picture.digest) and not is_new
        row.missing += not picture.digest

    def _wait(self, seconds: float) -> None:
        while seconds > 0:
            time.sleep(min(seconds, GLANCE))
            seconds -= GLANCE
            self._look()

    def _look(self) -> None:
        """Record the progress; raise Cancelled if the operator asked for that."""
        self._note()
        if CardImport.objects.filter(pk=self.row.pk, cancel_asked=True).exists():
            raise Cancelled

    def _note(self) -> None:
        self.row.seen_at = timezone.now()
        fields = {each.name for each in CardImport._meta.concrete_fields}
        self.row.save(update_fields=fields - {"id", "job_ptr", "cancel_asked"})
        self.watch(self.row)

    def _problem(self, sentence: str) -> None:
        if len(self.row.problems) < MOST_PROBLEMS:
            self.row.problems.append(sentence[:LONGEST_PROBLEM])


def uploads() -> Path:
    """Return the folder where uploaded zips wait for their import."""
    return Path(settings.DATA_DIR) / UPLOADS


def _delete_upload(row: CardImport) -> None:
    for place in {row.texts_from, row.pictures_from} - {""}:
        if Path(place).parent == uploads():
            Path(place).unlink(missing_ok=True)
