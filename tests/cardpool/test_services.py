"""Loading a pool into the database: exact, idempotent, all or nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import IntegrityError

from arkham.rules.card import Printing, TabooChange
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from cardpool import catalog, rows, services
from cardpool.models import (
    Card,
    CardText,
    DataVersion,
    Environment,
    Pack,
    PublicCard,
    PublicList,
    TabooEntry,
)
from cardpool.models import Printing as PrintingRow
from tests.cardpool.builders import a_card, a_pool

LANTERN = a_card("01001", name="Lantern")
LAMP = a_card("01002", name="Lamp")


def load(pool: CardPool, **contents: object) -> services.LoadReport:
    return services.load_pool(services.Contents(pool, "test", **contents))  # type: ignore[arg-type]


@pytest.mark.django_db
class TestLoading:
    def test_an_added_card_is_reported(self) -> None:
        load(a_pool(LANTERN))
        report = load(a_pool(LANTERN, LAMP))
        assert report.added == ("Lamp (01002)",)
        assert report.changed == ()
        assert report.dropped == ()

    def test_a_changed_card_is_reported_and_rewritten(self) -> None:
        load(a_pool(LANTERN, LAMP))
        report = load(a_pool(replace(LANTERN, cost=4), LAMP))
        assert report.changed == ("Lantern (01001)",)
        assert Card.objects.get(code="01001").cost == 4

    def test_a_dropped_card_is_reported_and_gone_with_its_printings(self) -> None:
        load(a_pool(LANTERN, LAMP))
        report = load(a_pool(LAMP))
        assert report.dropped == ("Lantern (01001)",)
        assert list(Card.objects.values_list("code", flat=True)) == ["01002"]
        assert list(PrintingRow.objects.values_list("code", flat=True)) == ["01002"]

    def test_loading_twice_changes_nothing(self) -> None:
        pool = a_pool(LANTERN, LAMP)
        load(pool)
        report = load(pool)
        assert (report.added, report.changed, report.dropped) == ((), (), ())
        assert report.previous == report.version == pool.version

    def test_the_columns_follow_the_release_dates(self) -> None:
        both = replace(
            LANTERN,
            printings=(
                Printing("01001", "rcore", 1, 2),
                Printing("01501", "core", 1, 1),
            ),
        )
        load(a_pool(both))
        assert Card.objects.get().first_pack_id == "core"

    def test_a_failure_changes_nothing(self) -> None:
        load(a_pool(LANTERN))
        broken = a_pool(replace(LAMP, printings=(Printing("01002", "core", 2, -1),)))
        with pytest.raises(IntegrityError):
            load(broken)
        assert list(Card.objects.values_list("code", flat=True)) == ["01001"]

    def test_a_preview_writes_nothing(self) -> None:
        load(a_pool(LANTERN))
        contents = services.Contents(a_pool(LANTERN, LAMP), "test")
        assert services.preview_pool(contents).added == ("Lamp (01002)",)
        assert Card.objects.count() == 1

    def test_texts_are_kept_apart_and_replaced_when_given(self) -> None:
        load(a_pool(LANTERN, LAMP), texts={"01001": {"text": "<b>Old</b> words"}})
        assert CardText.objects.get().folded == "old words"
        load(a_pool(LANTERN))
        assert CardText.objects.get().text == "<b>Old</b> words"
        load(a_pool(LANTERN, LAMP), texts={"01002": {"back_text": "New"}})
        assert [each.card_id for each in CardText.objects.all()] == ["01002"]

    def test_a_taboo_entry_has_its_effect_in_words(self) -> None:
        change = TabooChange("01001", experience=2, deck_limit=1)
        load(a_pool(LANTERN, taboo=change))
        entry = TabooEntry.objects.get()
        assert entry.effects == "|dearer|limited|"
        assert catalog.read_pool(a_pool(LANTERN, taboo=change).version) is not None

    def test_two_environments_exist_from_the_start(self) -> None:
        load(a_pool(LANTERN))
        kinds = dict(Environment.objects.values_list("slug", "kind"))
        assert kinds == {"legacy": "legacy", "current": "current"}


@pytest.mark.django_db
class TestEmbedded:
    def test_an_empty_database_is_filled(self) -> None:
        DataVersion.objects.all().delete()
        Pack.objects.all().delete()
        report = services.ensure_embedded_pool()
        assert report is not None
        assert report.cards == len(embedded_pool()) == Card.objects.count()

    def test_the_pool_is_not_loaded_twice(self, rows: CardPool) -> None:
        assert services.ensure_embedded_pool() is None

    def test_an_older_snapshot_is_replaced(self, rows: CardPool) -> None:
        DataVersion.objects.update(version="older")
        assert services.ensure_embedded_pool() is not None

    def test_an_imported_pool_is_kept(self) -> None:
        load(a_pool(LANTERN))
        assert services.ensure_embedded_pool() is None
        assert Card.objects.count() == 1

    def test_rows_of_another_layout_are_rewritten(self) -> None:
        load(a_pool(LANTERN), texts={"01001": {"text": "Words"}})
        DataVersion.objects.update(layout=rows.LAYOUT + 1)
        assert services.ensure_embedded_pool() is not None
        assert Card.objects.count() == len(embedded_pool())


@pytest.mark.django_db
class TestCatalog:
    def test_the_embedded_version_uses_the_embedded_pool(self, rows: CardPool) -> None:
        assert catalog.current_pool() is embedded_pool()

    def test_a_database_without_cards_uses_the_embedded_pool(self) -> None:
        DataVersion.objects.all().delete()
        assert catalog.current_pool() is embedded_pool()

    def test_an_imported_pool_is_read_from_its_rows(self) -> None:
        change = TabooChange("01001", experience=2)
        pool = a_pool(LANTERN, LAMP, taboo=change)
        load(pool)
        found = catalog.current_pool()
        assert found.version == pool.version
        assert dict(found) == {"01001": LANTERN, "01002": LAMP}
        assert found.taboo_lists == pool.taboo_lists
        assert found.packs == pool.packs
        assert found.cycles == pool.cycles
        assert found.encounter_sets == {"torch": "The Gathering"}

    def test_the_pool_is_cached_between_requests(self) -> None:
        load(a_pool(LANTERN))
        assert catalog.current_pool() is catalog.current_pool()

    def test_every_embedded_card_survives_a_round_trip(self, rows: CardPool) -> None:
        found = catalog.read_pool(rows.version)
        assert dict(found) == {code: rows[code] for code in rows}


@pytest.mark.django_db
class TestPublicAnswers:
    def test_responses_of_an_older_format_are_rewritten(self, rows: CardPool) -> None:
        """Imported cards and their texts stay."""
        before = PublicCard.objects.get(pk="01020").body
        loaded = DataVersion.objects.get().loaded_at
        PublicCard.objects.update(body="{}")
        PublicList.objects.filter(name="shape").update(body="1")

        assert services.ensure_public_answers()
        assert PublicCard.objects.get(pk="01020").body == before
        assert DataVersion.objects.get().loaded_at > loaded

    def test_current_responses_are_kept(self, rows: CardPool) -> None:
        assert not services.ensure_public_answers()

    def test_a_database_without_cards_has_no_responses(self) -> None:
        assert not services.ensure_public_answers()
