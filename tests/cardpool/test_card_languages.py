"""Card languages are imported side by side, and shown by preference."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from rest_framework.test import APIClient

from arkham.accounts.models import User
from arkham.accounts.preferences import save_preferences
from cardpool import pictures
from cardpool.languages import read_languages
from cardpool.models import CardImport, CardText, Picture
from cardpool.pictures import file_of
from cardpool.queries import found_codes, read_search
from cardpool.tasks import RunningImport, begin_import
from tests.cardpool.api_shape import Site, picture_site
from tests.cardpool.helpers import names
from tests.cardpool.sources import LANTERN, a_picture, a_source
from tests.decks.building import a_draft, press

pytestmark = pytest.mark.usefixtures("rows")

# Qs is made up. It has a name for the machete and the text of another card.
KNIFE = LANTERN | {"code": "01020", "name": "Machete"}
ROLAND = LANTERN | {"code": "01001", "name": "Roland Banks", "position": 2}
WORDS = [
    {"code": "01020", "name": "Zuquzu", "subname": "Vuq", "text": "Quzo 1."},
    {"code": "01001", "name": "Roqand Qanks", "subname": "Feq", "text": "Quza."},
]
PAGE = "/account/preferences/"


@pytest.fixture(autouse=True)
def _data(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.DATA_DIR = tmp_path / "data"
    settings.CARD_LANGUAGE = "en,qs"
    monkeypatch.setattr(pictures, "PAUSE", 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of two cards in English and in Qs."""
    place = "translations/qs/pack/core/core.json"
    return a_source(tmp_path / "cards", KNIFE, ROLAND, **{place: WORDS})


def imported(place: Path | str, language: str = "en,qs", **more: Any) -> CardImport:
    """Run an import to its end."""
    given = {"texts_from": str(place), "pictures_from": "", "language": language}
    row = begin_import(now=timezone.now(), **(given | more))
    return RunningImport(row).to_its_end()


@pytest.fixture
def in_both(folder: Path) -> CardImport:
    """Import the folder in both languages."""
    return imported(folder)


@pytest.fixture
def reader(client: Client, in_both: CardImport) -> Client:
    """A visitor without an account who reads cards in Qs."""
    assert client.post(PAGE, {"card_language": "qs"}).status_code == 303
    return client


class TestImport:
    def test_texts_are_kept_for_each_language(self, in_both: CardImport) -> None:
        assert (in_both.state, in_both.texts) == ("done", 4)
        kept = CardText.objects.filter(card="01020").values_list(
            "language", "name", "text"
        )
        english = ("en", "", "<b>Forced</b> – It glows.")
        assert [*kept] == [english, ("qs", "Zuquzu", "Quzo 1.")]

    def test_importing_one_language_keeps_the_others(
        self, folder: Path, in_both: CardImport
    ) -> None:
        imported(folder, "qs")
        assert CardText.objects.count() == 4

    def test_a_missing_language_is_reported(self, folder: Path) -> None:
        row = imported(folder, "en,qs,fr")
        assert (row.state, row.texts) == ("done", 4)
        assert any("translations/fr" in each for each in row.problems)

    def test_the_command_imports_languages_too(self, folder: Path) -> None:
        said = StringIO()
        call_command("import_cards", str(folder), keep_going=True, stdout=said)
        assert "qs: 2 texts." in said.getvalue()
        assert CardText.objects.filter(language="qs").count() == 2
        with pytest.raises(CommandError, match="Enter languages"):
            call_command("import_cards", str(folder), language="../x", stdout=said)

    def test_several_languages_need_an_address_each(
        self, tmp_path: Path, settings: Settings
    ) -> None:
        """A site's cards are in one language, whatever that is called."""
        with picture_site() as site:
            site.add_cards(a_source(tmp_path, KNIFE), c01020=a_picture(300, 420))
            settings.CARD_SOURCE = site.base
            row = imported(site.base, pictures_from=site.base)
        assert "Put {language} in the address" in row.problems[0]
        assert {each.language for each in CardText.objects.all()} == {"en"}
        assert [each.language for each in Picture.objects.all()] == ["en"]

    @pytest.mark.parametrize(
        ("text", "found"),
        [("en", ("en",)), ("DE, zh-cn,de", ("de", "zh-cn"))],
    )
    def test_a_list_of_languages(self, text: str, found: tuple[str, ...]) -> None:
        assert read_languages(text) == found

    @pytest.mark.parametrize("text", ["", ",", "german", "en;de", "../x"])
    def test_an_invalid_list_of_languages_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match=r".*"):
            read_languages(text)

    def test_the_page_takes_several(self, as_alice: Client, alice: User) -> None:
        alice.is_staff = True
        alice.save()
        page = as_alice.get("/cards/import/").content.decode()
        assert 'name="language" value="en,qs"' in page
        sent = {"source": "/nowhere", "texts": "on", "language": "en, x!"}
        answer = as_alice.post("/cards/import/", sent)
        assert "Enter languages as" in answer.content.decode()


class TestPictures:
    @pytest.fixture
    def site(self, tmp_path: Path) -> Iterator[Site]:
        """A site with one picture in two languages, and another in English alone."""
        with picture_site() as site:
            site.replies["/en/01020.jpg"] = a_picture(300, 420, "JPEG")
            site.replies["/qs/01020.jpg"] = a_picture(310, 420, "JPEG")
            site.replies["/en/01001.jpg"] = a_picture(420, 300, "JPEG")
            yield site

    @pytest.fixture
    def place(self, site: Site, settings: Settings) -> str:
        settings.CARD_IMAGES = site.base + "/{language}/{code}.jpg"
        return str(settings.CARD_IMAGES)

    @pytest.fixture(autouse=True)
    def _few(self, monkeypatch: pytest.MonkeyPatch) -> None:
        wanted = [
            pictures.WantedPicture("01020", False, ("01020",)),
            pictures.WantedPicture("01001", False, ("01001",)),
        ]
        monkeypatch.setattr(
            "cardpool.services.wanted_pictures", lambda *, encounter_cards: wanted
        )

    def test_each_reader_gets_their_language(self, client: Client, place: str) -> None:
        row = imported("", pictures_from=place)
        assert (row.state, row.new, row.missing, row.total) == ("done", 3, 1, 4)
        digests = {
            (each.code, each.language): each.digest for each in Picture.objects.all()
        }
        assert digests["01020", "en"] in _face(client)
        client.post(PAGE, {"card_language": "qs"})
        assert digests["01020", "qs"] in _face(client)
        assert digests["01020", "en"] not in _face(client)
        assert digests["01001", "en"] in _face(client, "01001")
        assert digests["01020", "en"] in _face(Client())

    def test_languages_with_one_picture_share_its_files(
        self, site: Site, place: str
    ) -> None:
        """A new picture for one doesn't affect the other."""
        site.replies["/qs/01020.jpg"] = site.replies["/en/01020.jpg"]
        imported("", pictures_from=place)
        old = Picture.objects.get(code="01020", language="qs").digest
        site.replies["/en/01020.jpg"] = a_picture(200, 280, "JPEG")
        imported("", pictures_from=place)
        assert file_of("01020", "front", old, "large").is_file()
        site.replies["/qs/01020.jpg"] = a_picture(210, 280, "JPEG")
        imported("", pictures_from=place)
        assert not file_of("01020", "front", old, "large").is_file()


def _face(client: Client, code: str = "01020") -> str:
    return client.get(f"/cards/{code}/face").content.decode()


class TestPreference:
    def test_the_choice_is_offered_if_there_is_one(
        self, client: Client, folder: Path
    ) -> None:
        choice = 'name="card_language"'
        assert choice not in client.get(PAGE).content.decode()
        imported(folder, "en")
        assert choice not in client.get(PAGE).content.decode()
        imported(folder, "qs")
        page = client.get(PAGE).content.decode()
        assert choice in page
        assert '<option value="en" selected>English</option>' in page
        assert client.post(PAGE, {"card_language": "fr"}).status_code == 422

    def test_the_servers_first_language_is_the_default(
        self, client: Client, in_both: CardImport, settings: Settings
    ) -> None:
        assert "Zuquzu" not in _face(client)
        settings.CARD_LANGUAGE = "qs,en"
        assert "Zuquzu" in _face(client)

    def test_a_single_language_is_shown(self, client: Client, folder: Path) -> None:
        """Even if the settings name another."""
        imported(folder, "qs")
        assert "Zuquzu" in _face(client)

    def test_an_account_has_a_language(
        self, as_alice: Client, alice: User, reader: Client
    ) -> None:
        assert "Zuquzu" not in _face(as_alice)
        save_preferences(user=alice, changed={"card_language": "qs"})
        assert "Zuquzu" in _face(as_alice)

    def test_a_program_changes_the_language_and_reads_english(
        self, as_alice: Client, alice: User, in_both: CardImport
    ) -> None:
        api = APIClient()
        api.force_authenticate(alice)
        for code, status in (("qs", 200), ("fr", 422), ("", 200), ("qs", 200)):
            answer = api.patch("/api/v1/me/", {"card_language": code}, format="json")
            assert answer.status_code == status, code
        assert "Zuquzu" in _face(as_alice)
        card = as_alice.get("/api/v1/cards/01020/").json()
        assert card["name"] == "Machete"
        assert "It glows" in card["text"]["front"]


class TestPages:
    def test_a_card_has_its_name_text_and_english_name(self, reader: Client) -> None:
        page = reader.get("/cards/01020/").content.decode()
        assert "<title>Zuquzu" in page
        assert '<p class="subtitle">Vuq</p>' in page
        assert '<p class="subtitle" lang="en">Machete</p>' in page
        assert '<div class="printed" lang="qs"><p>Quzo 1.</p>' in page
        face = _face(reader)
        assert ">Zuquzu</a></h2>" in face
        assert '<p class="subtitle" lang="en">Machete</p>' in face

    def test_a_card_without_a_translation_is_in_english(self, reader: Client) -> None:
        page = reader.get("/cards/01060/").content.decode()
        assert "<title>Shrivelling " in page
        assert 'class="subtitle" lang="en"' not in page

    def test_each_language_has_its_own_lists(self, reader: Client) -> None:
        """They are cached for each, in its own order."""
        other = Client()
        query = "/cards/?q=machete"
        for _again in range(2):
            assert names(reader.get(query))[0] == "Zuquzu"
            assert names(other.get(query))[0] == "Machete"
        both = "/cards/?q=name%3Dmachete+or+name%3Dvicious-blow"
        assert names(reader.get(both))[0] == "Vicious Blow"
        assert names(other.get(both))[0] == "Machete"

    def test_a_new_import_is_shown_at_once(self, reader: Client, folder: Path) -> None:
        assert names(reader.get("/cards/?q=machete"))[0] == "Zuquzu"
        CardText.objects.filter(language="qs").delete()
        imported(folder, "qs", texts_from=str(_renamed(folder, "Zuquzi")))
        assert names(reader.get("/cards/?q=machete"))[0] == "Zuquzi"

    def test_decks_and_the_builder_name_their_cards(self, reader: Client) -> None:
        deck = a_draft(reader)
        answer = press(reader, deck, do="add=01020:2", headers={"HX-Request": "true"})
        assert "Zuquzu: 2 copies." in answer.content.decode()
        place = f"/decks/{deck.pk}/"
        for page in (place, place + "edit?view=add&q=machete", place + "sheet"):
            html = reader.get(page).content.decode()
            assert "Zuquzu" in html, page
            assert "Roqand Qanks" in html, page

    def test_a_cached_part_belongs_to_its_language(self, reader: Client) -> None:
        """The builder leaves out what the page has; not what it has in another."""
        deck = a_draft(reader)
        edition = _edition(reader.get(f"/decks/{deck.pk}/edit").content.decode())
        reader.post(PAGE, {"card_language": "en"})
        after = _edition(reader.get(f"/decks/{deck.pk}/edit").content.decode())
        assert edition != after

    def test_investigators_are_found_by_both_names(self, reader: Client) -> None:
        for name in ("roqand", "roland"):
            page = reader.get(f"/investigators/?q={name}").content.decode()
            assert "Roqand Qanks" in page, name


def _edition(page: str) -> str:
    return page.partition('data-edition="')[2].partition('"')[0]


def _renamed(folder: Path, name: str) -> Path:
    place = "translations/qs/pack/core/core.json"
    words = [WORDS[0] | {"name": name}]
    return a_source(folder, KNIFE, ROLAND, **{place: words})


class TestSearch:
    @pytest.mark.parametrize(
        "text",
        ["zuquzu", "zuqu", "name:zuquzu", "name=zuquzu", "zuquzzu", "zu quzu"],
    )
    def test_a_name_is_found_in_every_language(
        self, text: str, in_both: CardImport
    ) -> None:
        """Misspelt too, whatever language its reader prefers."""
        assert found_codes(read_search(text)) == ("01020",)

    def test_english_names_are_found_as_before(self, reader: Client) -> None:
        assert names(reader.get("/cards/?q=machete"))[0] == "Zuquzu"

    def test_texts_are_found_in_every_language(self, in_both: CardImport) -> None:
        assert found_codes(read_search("text:quzo")) == ("01020",)
        assert set(found_codes(read_search('text:"it glows"'))) >= {"01020", "01001"}
        assert "01020" not in found_codes(read_search("-text:quzo class:guardian"))
