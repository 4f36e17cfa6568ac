"""Importing texts and pictures from a site: politely, and resumable."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from arkham.accounts.models import User
from arkham.jobs import services as jobs
from cardpool import pictures, tasks
from cardpool.models import Card, CardImport, CardText, Picture
from cardpool.tasks import (
    RunningImport,
    begin_import,
    begin_preview,
    continue_import,
    look_for_new_cards,
    run_import,
)
from cardpool.templatetags.cards import nothing_imported
from tests.cardpool.api_shape import Site, picture_site
from tests.cardpool.helpers import text_of
from tests.cardpool.sources import LANTERN, a_picture, a_source, a_zip

pytestmark = pytest.mark.django_db

# Codes of cards that Orne knows: a machete, an investigator, an encounter card.
KNIFE = LANTERN | {"code": "01020"}
LAMP = LANTERN | {"code": "02001", "name": "Lamp", "position": 2, "double_sided": True}
SPRITE = {
    "code": "01163",
    "name": "Sprite",
    "pack_code": "core",
    "position": 3,
    "quantity": 1,
    "type_code": "treachery",
    "faction_code": "mythos",
    "encounter_code": "x",
}
FRONT, BACK = "/bundles/cards/02001.png", "/bundles/cards/02001b.png"
State = CardImport.State


@pytest.fixture(autouse=True)
def _quick(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.DATA_DIR = tmp_path / "data"
    monkeypatch.setattr(pictures, "PAUSE", 0)
    monkeypatch.setattr(pictures, "PATIENCE", 0.0)


@pytest.fixture
def site(tmp_path: Path, settings: Settings) -> Iterator[Site]:
    """A site of the operator's own, with three cards, and pictures of two."""
    sets = [{"code": "x", "name": "Ghosts"}]
    folder = a_source(tmp_path, KNIFE, LAMP, SPRITE, **{"encounters.json": sets})
    with picture_site() as site:
        site.add_cards(
            folder,
            c01020=a_picture(300, 420),
            c02001=a_picture(301, 420),
            c02001b=a_picture(420, 300),
            c01163=a_picture(302, 420),
        )
        settings.CARD_SOURCE = site.base
        yield site


def imported(place: str, **more: Any) -> CardImport:
    """Run an import to its end."""
    given = {"texts_from": place, "pictures_from": place} | more
    return RunningImport(begin_import(now=timezone.now(), **given)).to_its_end()


def kept() -> list[str]:
    """Return the stored pictures."""
    return [str(each) for each in Picture.objects.exclude(digest="")]


class TestSite:
    def test_texts_and_both_sides_are_imported(self, site: Site) -> None:
        row = imported(site.base)
        assert (row.state, row.reason) == (State.DONE, "")
        assert (row.texts, row.new, row.done, row.total) == (3, 3, 3, 3)
        assert kept() == ["01020 front", "02001 front", "02001 back"]
        assert CardText.objects.get(card="02001").source == "127.0.0.1"
        assert site.agents == {"Orne"}

    def test_a_second_import_sends_only_changes(self, site: Site) -> None:
        imported(site.base)
        site.replies[FRONT] = a_picture(200, 280)
        row = imported(site.base)
        assert (row.state, row.new, row.unchanged) == (State.DONE, 1, 2)

    def test_encounter_cards_are_imported_on_request(self, site: Site) -> None:
        row = imported(site.base, encounter_cards=True)
        assert row.new == 4
        assert "01163 front" in kept()

    def test_cards_missing_from_the_source_stay(self, site: Site) -> None:
        number = Card.objects.count()
        row = imported(site.base, pictures_from="")
        assert (row.state, row.texts) == (State.DONE, 3)
        assert Card.objects.count() == number
        assert "Only texts are imported" in row.problems[0]

    def test_texts_and_pictures_are_imported_separately(
        self, site: Site, tmp_path: Path
    ) -> None:
        """A picture pattern is tried for every card."""
        call_command("import_cards", str(tmp_path), stdout=StringIO())
        row = imported(site.base, pictures_from="")
        assert (row.state, row.texts, row.problems) == (State.DONE, 3, [])
        site.replies["/en/01020.jpg"] = a_picture(300, 420, "JPEG")
        place = site.base + "/{language}/{code}.jpg"
        row = imported(place, texts_from="")
        assert (row.new, row.missing) == (1, 2)
        assert site.asked[3:] == ["/en/01020.jpg", "/en/02001.jpg", "/en/02001b.jpg"]

    def test_a_folder_has_texts_in_its_languages(self, tmp_path: Path) -> None:
        place = "translations/pl/pack/core/core.json"
        words = [{"code": "01020", "name": "Latarnia", "text": "Świeci."}]
        folder = a_source(tmp_path, KNIFE, **{place: words})
        row = imported(str(folder), language="pl", pictures_from="")
        text = CardText.objects.get(card="01020")
        assert (row.state, text.text, text.language) == (State.DONE, "Świeci.", "pl")
        row = imported(str(folder), language="fr", pictures_from="")
        assert "translations/fr" in row.reason


class TestPreview:
    @pytest.mark.usefixtures("site")
    def test_a_dry_run_reports_changes_and_makes_none(self, tmp_path: Path) -> None:
        call_command("import_cards", str(tmp_path), stdout=StringIO())
        before = list(Card.objects.values_list("code", "facts", "name"))
        sets = [{"code": "x", "name": "Ghosts"}]
        dear = LAMP | {"cost": 9}
        later = tmp_path / "later"
        later.mkdir()
        a_source(later, KNIFE, dear, SPRITE, **{"encounters.json": sets})
        number = CardText.objects.count()
        row = begin_preview(texts_from=str(later), language="en", now=timezone.now())
        row = RunningImport(row).to_its_end()
        assert (row.state, row.problems) == (State.DONE, [])
        assert row.report["changed"] == {"number": 1, "names": ["Lamp (02001)"]}
        assert row.report["added"]["number"] == row.report["dropped"]["number"] == 0
        assert list(Card.objects.values_list("code", "facts", "name")) == before
        assert CardText.objects.count() == number
        assert kept() == []

    def test_a_dry_run_reports_cards_that_would_stay(self, site: Site) -> None:
        """It counts as no import: the first page still offers one."""
        row = begin_preview(texts_from=site.base, language="en", now=timezone.now())
        row = RunningImport(row).to_its_end()
        assert (row.texts, row.report) == (3, {})
        assert "Only texts are imported" in row.problems[0]
        assert not CardText.objects.exists()
        assert nothing_imported()
        with pytest.raises(CommandError, match="no import to continue"):
            call_command("import_cards", "--continue", stdout=StringIO())

    @pytest.mark.usefixtures("site")
    def test_new_cards_are_looked_for_at_night(
        self, tmp_path: Path, settings: Settings, client: Client
    ) -> None:
        """If the operator wants it; the first page says so until the import."""
        call_command("import_cards", str(tmp_path), stdout=StringIO())
        client.force_login(User.objects.create_user("op", is_staff=True))
        later = tmp_path / "later"
        later.mkdir()
        lists = {"encounters.json": [{"code": "x", "name": "Ghosts"}]}
        a_source(later, KNIFE, LAMP | {"cost": 9}, SPRITE, **lists)
        settings.CARD_SOURCE = str(later)
        look_for_new_cards()
        assert CardImport.latest() is None

        settings.CARD_NIGHTLY = True
        look_for_new_cards()
        first_page = client.get("/")
        assert "New card data: 0 new, 1 changed, 0 removed" in text_of(first_page)
        call_command("import_cards", str(later), stdout=StringIO())
        assert "New card data" not in client.get("/").content.decode()
        look_for_new_cards()
        assert CardImport.objects.count() == 2
        assert "New card data" not in client.get("/").content.decode()

    def test_the_nightly_look_waits_for_imports(
        self, site: Site, settings: Settings
    ) -> None:
        """While one is interrupted or running."""
        settings.CARD_NIGHTLY = True
        row = begin_import(texts_from=site.base, pictures_from="", now=timezone.now())
        for state in (State.RUNNING, State.STOPPED, State.CANCELLED):
            CardImport.objects.update(state=state)
            look_for_new_cards()
        assert CardImport.latest() == row


class TestFailures:
    def test_an_invalid_picture_is_reported_and_the_others_imported(
        self, site: Site
    ) -> None:
        site.replies[FRONT] = (200, {}, b"<html>Sign in</html>")
        site.replies[BACK] = (200, {}, a_picture(420, 300)[:200])
        row = imported(site.base)
        assert (row.state, row.new, row.failed) == (State.DONE, 1, 2)
        assert row.problems[-2:] == [
            "02001: not a picture, or a damaged one",
            "02001b: not a picture, or a damaged one",
        ]

    def test_a_huge_picture_is_not_read(
        self, site: Site, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pictures, "MOST_BYTES", 20_000)
        site.replies[FRONT] = b"x" * 20_001
        row = imported(site.base)
        assert (row.new, row.failed) == (2, 1)

    def test_an_import_retries_when_the_site_says(self, site: Site) -> None:
        busy = (429, {"Retry-After": "0"}, b"")
        site.replies[FRONT] = [busy, busy, site.replies[FRONT]]
        row = imported(site.base)
        assert (row.state, row.new) == (State.DONE, 3)
        assert site.asked.count(FRONT) == 3

    @pytest.mark.parametrize(
        "refusal", [(503, {}, b""), (429, {"Retry-After": "86400"}, b"")]
    )
    def test_an_import_pauses_and_is_resumed_later(
        self, site: Site, refusal: tuple[int, dict[str, str], bytes]
    ) -> None:
        whole, site.replies[FRONT] = site.replies[FRONT], refusal
        row = imported(site.base)
        assert (row.state, row.new) == (State.STOPPED, 1)
        assert row.reason == "127.0.0.1 stopped answering. Continue later."
        assert site.asked.count(FRONT) <= pictures.MOST_FAILURES
        site.replies[FRONT], site.asked[:] = whole, []
        again = RunningImport(continue_import(row, now=timezone.now())).to_its_end()
        assert (again.state, again.new, again.texts) == (State.DONE, 2, 3)
        assert site.asked == ["/api/public/cards/?encounter=1", FRONT, BACK]

    def test_a_private_address_must_be_configured(
        self, site: Site, settings: Settings
    ) -> None:
        settings.CARD_SOURCE = ""
        row = imported(site.base)
        assert row.state == State.STOPPED
        assert "Name it in CARD_SOURCE" in row.reason
        assert site.asked == []

    def test_a_missing_source_is_reported(self, tmp_path: Path) -> None:
        row = imported(str(tmp_path / "nowhere"), texts_from="")
        assert "We can’t find" in row.reason

    def test_a_bug_is_reported_too(
        self, site: Site, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tasks, "keep", None)
        row = imported(site.base)
        assert (row.state, bool(row.reason)) == (State.STOPPED, True)


class TestOneAtATime:
    def test_a_second_import_waits(self, site: Site) -> None:
        row = begin_import(texts_from="", pictures_from="x", now=timezone.now())
        with pytest.raises(tasks.AlreadyRunning):
            imported(site.base)
        later = row.seen_at + timedelta(minutes=5)
        assert continue_import(row, now=later).since == row.since

    def test_an_import_is_cancelled_at_the_next_picture(
        self, site: Site, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tasks, "EVERY", 1)
        row = begin_import(texts_from="", pictures_from=site.base, now=timezone.now())
        watched: list[int] = []

        def watch(row: CardImport) -> None:
            watched.append(row.done)
            jobs.cancel(row, now=timezone.now())

        ended = RunningImport(row, watch=watch).to_its_end()
        assert ended.state == State.CANCELLED
        assert kept() == ["01020 front"]
        assert CardImport.latest() == ended


class TestShell:
    def run(self, *arguments: str) -> str:
        """Return the command's output."""
        out = StringIO()
        call_command("import_cards", *arguments, stdout=out, stderr=StringIO())
        return out.getvalue()

    def test_texts_and_pictures(self, site: Site, settings: Settings) -> None:
        settings.CARD_SOURCE = ""
        out = self.run(site.base, "--pictures")
        assert "3 texts" in out
        assert "3 new, 0 unchanged, 0 not found, 0 unusable." in out

    def test_by_the_settings(self, site: Site, settings: Settings) -> None:
        settings.CARD_IMAGES = site.base + "/bundles/cards/{code}.png"
        assert "3 new" in self.run()

    def test_an_interrupted_import_is_resumed(self, site: Site) -> None:
        whole, site.replies[FRONT] = site.replies[FRONT], (500, {}, b"")
        with pytest.raises(CommandError, match="Continue with --continue"):
            self.run("--pictures", site.base)
        site.replies[FRONT] = whole
        assert "2 new" in self.run("--continue")
        with pytest.raises(CommandError, match="There is no import to continue"):
            self.run("--continue")


class TestPage:
    @pytest.fixture
    def operator(self, alice: User, as_alice: Client) -> Client:
        """Alice, who runs this server."""
        User.objects.filter(pk=alice.pk).update(is_staff=True)
        return as_alice

    @pytest.fixture(autouse=True)
    def _at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """No thread: it would not see what the test wrote."""
        monkeypatch.setattr(tasks, "run_beside", lambda row: tasks.run_import(row.pk))

    def test_only_the_operator_sees_it(self, client: Client, as_bob: Client) -> None:
        assert "/login/" in client.get("/cards/import/")["Location"]
        assert as_bob.get("/cards/import/").status_code == 404
        assert as_bob.post("/cards/import/", {"act": "begin"}).status_code == 404

    def test_the_first_page_offers_an_import_once(
        self, operator: Client, site: Site
    ) -> None:
        assert "/cards/import/" in operator.get("/").content.decode()
        imported(site.base)
        assert "/cards/import/" not in operator.get("/").content.decode()
        assert "/cards/import/" in operator.get("/account/").content.decode()

    def test_an_import_is_begun_and_shown(self, operator: Client, site: Site) -> None:
        fields = {
            "source": site.base,
            "texts": "on",
            "pictures": "on",
            "language": "en",
        }
        answer = operator.post("/cards/import/", fields | {"act": "begin"})
        assert answer.status_code == 303
        page = operator.get("/cards/import/").content.decode()
        assert "Done." in page
        assert "3 new, 0 unchanged" in page
        assert "hx-trigger" not in page.partition('id="import"')[2]

    def test_a_zip_is_uploaded(
        self, operator: Client, tmp_path: Path, settings: Settings
    ) -> None:
        path = a_zip(a_source(tmp_path / "s", KNIFE), tmp_path / "my cards.zip")
        with path.open("rb") as file:
            operator.post(
                "/cards/import/", {"zip": file, "texts": "on", "language": "en"}
            )
        assert CardText.objects.get().source == "my_cards.zip"
        assert list((settings.DATA_DIR / "imports").iterdir()) == []

    @pytest.mark.parametrize(
        ("fields", "said"),
        [
            ({"source": "/x"}, "Choose texts, pictures, or both."),
            ({"texts": "on"}, "Enter where the texts are."),
            ({"pictures": "on"}, "Enter where the pictures are."),
            (
                {"source": "/x", "texts": "on", "language": "../x"},
                "zh-cn”.",
            ),
        ],
    )
    def test_an_incomplete_form_is_refused(
        self, operator: Client, fields: dict[str, str], said: str
    ) -> None:
        answer = operator.post("/cards/import/", {"language": "en"} | fields)
        assert answer.status_code == 422
        assert said in answer.content.decode()
        assert not CardImport.objects.exists()

    def test_a_preview_is_begun_and_shown(self, operator: Client, site: Site) -> None:
        """Of texts alone; it can't be continued."""
        fields = {"source": site.base, "language": "en", "act": "preview"}
        answer = operator.post("/cards/import/", fields | {"pictures": "on"})
        assert answer.status_code == 422
        with patch.object(tasks, "run_beside", lambda row: run_import(row.pk)):
            operator.post("/cards/import/", fields | {"texts": "on"})
        page = operator.get("/cards/import/").content.decode()
        assert "Nothing was imported." in page
        CardImport.objects.update(state=State.STOPPED)
        page = operator.get("/cards/import/").content.decode()
        assert 'value="continue"' not in page
        operator.post("/cards/import/", {"act": "continue", "language": "en"})
        assert CardImport.objects.count() == 1

    def test_a_running_import_is_watched_and_cancelled(self, operator: Client) -> None:
        row = begin_import(texts_from="", pictures_from="x", now=timezone.now())
        CardImport.objects.update(done=30, total=90, new=30)
        page = operator.get("/cards/import/").content.decode()
        assert '<progress class="bar" id="progress" max="90" value="30">' in page
        assert '<meta http-equiv="refresh"' in page
        part = operator.get("/cards/import/", HTTP_HX_REQUEST="true").content.decode()
        assert part.lstrip().startswith('<section id="import"')
        fields = {"source": "/x", "texts": "on", "language": "en", "act": "begin"}
        assert operator.post("/cards/import/", fields).status_code == 409
        operator.post("/cards/import/", {"act": "cancel"})
        row.refresh_from_db()
        assert row.cancel_asked

    def test_an_interrupted_import_is_continued(
        self, operator: Client, site: Site
    ) -> None:
        begin_import(texts_from="", pictures_from=site.base, now=timezone.now())
        CardImport.objects.update(seen_at=timezone.now() - timedelta(hours=1))
        assert "was interrupted" in operator.get("/cards/import/").content.decode()
        operator.post("/cards/import/", {"act": "continue"})
        assert CardImport.latest().new == 3  # type: ignore[union-attr]
