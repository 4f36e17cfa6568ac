"""Import texts and pictures of cards: from a folder, a zip, or an API like ArkhamDB's.

It is in the project, not in ``cardpool``, because decks are judged again afterwards.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from cardpool import importing, services, tasks
from cardpool.catalog import current_pool
from cardpool.languages import languages_at, place_in, read_languages
from cardpool.models import CardImport
from cardpool.reading import SourceReading
from cardpool.reading.corrections import RecordProblem
from decks.tasks import judge_decks_again

NAMES_SHOWN = 20
PICTURES_SHOWN = 100  # pictures between two reports of progress
NAMED = "?"


class Command(BaseCommand):
    """Load the card pool of a source, with full texts; import pictures."""

    help = "Import card data, texts and pictures from a folder, a zip, or an API."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the sources of texts and pictures, and options."""
        parser.add_argument(
            "source",
            nargs="?",
            help="a folder in json-data's layout, a zip of it, or the address of an "
            "API like ArkhamDB's (default without --pictures: CARD_SOURCE)",
        )
        parser.add_argument(
            "--pictures",
            nargs="?",
            const=NAMED,
            metavar="PLACE",
            help="pictures too, or only pictures: from an address with {code} in it, "
            "a folder, a zip, or an API (default: CARD_IMAGES, or the source)",
        )
        parser.add_argument(
            "--encounter-cards",
            action="store_true",
            help="pictures of encounter cards too",
        )
        parser.add_argument(
            "--continue",
            action="store_true",
            dest="goes_on",
            help="continue with the pictures of an import that stopped",
        )
        parser.add_argument(
            "--language",
            help="languages of texts and pictures: en,pl (default: CARD_LANGUAGE)",
        )
        parser.add_argument(
            "--keep-going",
            action="store_true",
            help="import what can be read even if some records can’t",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="report, and change nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Import texts, then pictures; exit with 1 if a source was refused."""
        source, pictures = options["source"], options["pictures"]
        if options["goes_on"]:
            self._continue()
            return
        if source is None and pictures is None:
            source, pictures = settings.CARD_SOURCE, settings.CARD_IMAGES
        if pictures == NAMED:
            pictures = settings.CARD_IMAGES or source or settings.CARD_SOURCE
        if not source and not pictures:
            raise CommandError(
                _("Enter where the texts are: a folder, a zip file, or an address.")
            )
        try:
            named = read_languages(options["language"] or settings.CARD_LANGUAGE)
        except ValueError:
            raise CommandError(_("Enter languages as “en” or “en, zh-cn”.")) from None
        if source:
            is_folder = not importing.is_address(source)
            first, *others = languages_at(source, named, holds_all=is_folder)
            self._import_texts(source, first, options)
            for each in others:
                self._add_translation(source, each, options)
        if pictures and not options["dry_run"]:
            own = importing.own_sites(pictures, source or "")
            self._import_pictures(
                lambda: tasks.begin_import(
                    texts_from="",
                    pictures_from=pictures,
                    language=",".join(named),
                    encounter_cards=options["encounter_cards"],
                    now=timezone.now(),
                ),
                own,
            )

    # -- texts --

    def _import_texts(self, place: str, language: str, options: dict[str, Any]) -> None:
        began = time.monotonic()
        place = place_in(place, language)
        reading = self._read(place, language)
        bad = [problem for problem in reading.problems if problem.serious]
        for problem in reading.problems:
            self._write_problem(problem)
        if bad and not options["keep_going"]:
            raise CommandError(
                ngettext(
                    "%(count)d problem; nothing was imported. "
                    "--keep-going imports the rest.",
                    "%(count)d problems; nothing was imported. "
                    "--keep-going imports the rest.",
                    len(bad),
                )
                % {"count": len(bad)}
            )
        if not reading.cards:
            raise CommandError(_("The source has no cards; nothing was imported."))
        self.stdout.write(
            _("%(cards)d cards read; writing …") % {"cards": len(reading.cards)}
        )
        contents = services.Contents.of(reading, place, language)
        load = services.preview_pool if options["dry_run"] else services.load_pool
        self._report(load(contents))
        if not options["dry_run"]:
            self.stdout.write(_("Judging stored decks again …"))
            judge_decks_again.delay()
        self.stdout.write(
            (
                _("Dry run: nothing was saved (%(seconds).1f s).")
                if options["dry_run"]
                else _("Done (%(seconds).1f s).")
            )
            % {"seconds": time.monotonic() - began}
        )

    def _add_translation(
        self, place: str, language: str, options: dict[str, Any]
    ) -> None:
        place = place_in(place, language)
        contents = services.Contents.of(self._read(place, language), place, language)
        if not options["dry_run"]:
            contents = replace(contents, pool=current_pool())
            number = services.add_translation(contents)
            self.stdout.write(
                _("%(language)s: %(texts)d texts.")
                % {"language": language, "texts": number}
            )

    def _read(self, place: str, language: str) -> SourceReading:
        self.stdout.write(_("Reading %(source)s …") % {"source": place})
        try:
            return importing.read_place(place, language)
        except importing.UnreadableSource as error:
            raise CommandError(str(error)) from error

    # -- pictures --

    def _continue(self) -> None:
        latest = CardImport.objects.filter(kind=CardImport.KIND).first()
        if latest is None or latest.state == CardImport.State.DONE:
            raise CommandError(_("There is no import to continue."))
        own = importing.own_sites(latest.pictures_from, latest.texts_from)
        self._import_pictures(
            lambda: tasks.continue_import(latest, now=timezone.now()), own
        )

    def _import_pictures(
        self, begin: Callable[[], CardImport], own: frozenset[str]
    ) -> None:
        try:
            row = begin()
        except tasks.AlreadyRunning:
            raise CommandError(_("An import is running.")) from None
        self.stdout.write(
            _("Getting pictures from %(place)s …") % {"place": row.pictures_from}
        )
        self.shown = 0
        try:
            tasks.RunningImport(row, own, self._watch).to_its_end()
        except KeyboardInterrupt:
            row.state = CardImport.State.CANCELLED
            row.save()
        for problem in row.problems:
            self.stderr.write(self.style.WARNING(problem))
        self.stdout.write(
            _(
                "%(new)d new, %(unchanged)d unchanged, %(missing)d not found, "
                "%(failed)d unusable."
            )
            % {
                "new": row.new,
                "unchanged": row.unchanged,
                "missing": row.missing,
                "failed": row.failed,
            }
        )
        if row.state != CardImport.State.DONE:
            raise CommandError(
                _("%(reason)s Continue with --continue.") % {"reason": row.reason}
            )

    def _watch(self, row: CardImport) -> None:
        if row.done - self.shown >= PICTURES_SHOWN:
            self.shown = row.done
            self.stdout.write(
                _("%(done)d of %(total)d pictures")
                % {"done": row.done, "total": row.total}
            )

    def _write_problem(self, problem: RecordProblem) -> None:
        style = self.style.ERROR if problem.serious else self.style.WARNING
        self.stderr.write(style(str(problem)))

    def _report(self, report: services.LoadReport) -> None:
        for title, names in (
            (_("Added"), report.added),
            (_("Changed"), report.changed),
            (_("Dropped"), report.dropped),
        ):
            shown = ", ".join(names[:NAMES_SHOWN])
            more = len(names) - NAMES_SHOWN
            if more > 0:
                shown += _(" and %(count)d more") % {"count": more}
            listed = f": {shown}" if names else ""
            self.stdout.write(f"{title} {len(names)}{listed}")
        self.stdout.write(
            _("Card pool %(version)s (was %(previous)s), %(texts)d texts.")
            % {
                "version": report.version,
                "previous": report.previous or "–",
                "texts": report.texts,
            }
        )
