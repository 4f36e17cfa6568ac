"""Decks are judged again when rules, cards or taboos change; owners are notified."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from arkham.accounts.models import User
from arkham.rules.legality import verdict
from arkham.rules.snapshot import embedded_pool
from cardpool.models import DataVersion, TabooEntry
from decks import services, tasks
from decks.interchange import account_import
from decks.interchange.account_import import import_account
from decks.interchange.account_reading import read_account
from decks.lists.content import Content
from decks.lists.starter import starter_deck
from decks.models import Deck, Judgement, Notice, Revision
from decks.services import judgements
from tests.cardpool.sources import LANTERN, a_source
from tests.decks.edits import apply

pytestmark = pytest.mark.usefixtures("rows")

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
MACHETE, COP = "01020", "01018"
FORBIDDEN = "Machete is forbidden by the taboo list of 2026-02-19."


def _content(*changes: tuple[str, str]) -> Content:
    """A legal deck by the list of 2026 that holds Machetes."""
    all_changes = [
        ("remove", "01000"),
        ("add", "01101"),
        ("choose", "taboo:10"),
        *changes,
    ]
    return apply(starter_deck(embedded_pool(), "01001"), all_changes, embedded_pool())


@pytest.fixture
def deck(alice: User) -> Deck:
    """Alice's, judged legal."""
    return services.create_deck(owner=alice, content=_content(), now=NOW, name="Blades")


def _change_cards(version: str, code: str = MACHETE, **facts: Any) -> None:
    """Another pool is loaded: the list of 2026 says something new of one card."""
    TabooEntry.objects.update_or_create(
        taboo_list_id=10,
        card_id=code,
        defaults={"effects": "", "facts": {"code": code, **facts}},
    )
    DataVersion.objects.update(version=version, embedded=False)


def _judge_again() -> judgements.JudgedAgain:
    return [judgements.JudgedAgain(), *services.judge_again(now=LATER)][-1]


def _rules(findings: list[dict[str, Any]]) -> list[str]:
    return [each["rule"] for each in findings if each["severity"] != "advice"]


class TestRemembering:
    def test_a_verdict_is_kept_with_every_revision(self, deck: Deck) -> None:
        kept = Judgement.objects.get(deck=deck)
        assert (kept.revision, kept.status, _rules(kept.findings)) == (1, "legal", [])
        assert kept.pool_version == embedded_pool().version
        assert kept.rules_version == verdict.RULES_VERSION
        services.revise_deck(
            deck=deck,
            content=_content(("remove", MACHETE)),
            expected_revision=1,
            now=LATER,
        )
        kept.refresh_from_db()
        assert (kept.revision, kept.status) == (2, "incomplete")
        assert _rules(kept.findings) == ["deck.size"]

    def test_an_imported_deck_has_a_verdict(self, deck: Deck, bob: User) -> None:
        assert deck.owner is not None
        text = account_import.account_text(owner=deck.owner, now=NOW)
        import_account(owner=bob, account=read_account(text))
        assert Judgement.objects.get(deck__owner=bob).status == "legal"


class TestJudgingAgain:
    def test_changed_verdicts_are_recorded(self, deck: Deck) -> None:
        _change_cards("machete-forbidden", deck_limit=0)
        assert _judge_again() == (1, 1, 0)
        notice = Notice.objects.get()
        assert (notice.status_before, notice.status_after) == ("legal", "illegal")
        assert _rules(notice.appeared) == ["taboo.forbidden"]
        assert notice.appeared[0]["message"] == FORBIDDEN
        assert notice.gone == []
        assert notice.is_serious
        assert notice.pool_before == embedded_pool().version
        assert notice.pool_after == "machete-forbidden"
        assert Judgement.objects.get().status == "illegal"

    def test_resolved_findings_are_recorded_as_well(self, deck: Deck) -> None:
        _change_cards("machete-forbidden-once", deck_limit=0)
        _judge_again()
        _change_cards("machete-allowed", text_only=True)
        assert _judge_again() == (1, 1, 0)
        second = Notice.objects.last()
        assert second is not None
        assert (_rules(second.gone), second.appeared) == (["taboo.forbidden"], [])

    def test_a_dearer_card_is_notified(self, deck: Deck) -> None:
        _change_cards("machete-dearer", experience=2)
        _judge_again()
        notice = Notice.objects.get()
        assert (notice.experience_before, notice.experience_after) == (0, 4)

    def test_an_unaffected_deck_gets_no_notice(self, alice: User) -> None:
        services.create_deck(
            owner=alice, content=_content(("choose", "taboo:9")), now=NOW
        )
        _change_cards("elsewhere", deck_limit=0)
        assert _judge_again() == (1, 0, 0)
        assert not Notice.objects.exists()
        assert Judgement.objects.get().pool_version == "elsewhere"

    def test_changed_rules_count_as_changed_cards_do(
        self, deck: Deck, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert _judge_again() == (0, 0, 0)
        Judgement.objects.update(
            rules_version="FAQ 2.4/1",
            status="incomplete",
            findings=[
                {
                    "rule": "deck.gone",
                    "severity": "incomplete",
                    "message": "A rule of old.",
                    "cards": [],
                    "actual": 1,
                    "expected": 2,
                    "remedy": "",
                    "cites": [],
                }
            ],
        )
        assert _judge_again() == (1, 1, 0)
        notice = Notice.objects.get()
        assert (notice.rules_before, notice.rules_after) == (
            "FAQ 2.4/1",
            verdict.RULES_VERSION,
        )
        assert [each["message"] for each in notice.gone] == ["A rule of old."]

    def test_new_advice_gives_no_notice(self, deck: Deck) -> None:
        advice: dict[str, Any] = {
            "rule": "copies.title",
            "severity": "advice",
            "message": "Think of it.",
            "cards": [],
            "actual": None,
            "expected": None,
            "remedy": "",
            "cites": [],
        }
        found = Judgement.objects.get().findings
        Judgement.objects.update(rules_version="old", findings=[*found, advice])
        assert _judge_again() == (1, 1, 0)
        assert Notice.objects.get().is_serious is False

    def test_a_deck_without_a_verdict_has_no_comparison(self, deck: Deck) -> None:
        Judgement.objects.all().delete()
        assert _judge_again() == (1, 0, 0)
        assert Judgement.objects.get().status == "legal"

    def test_an_interrupted_run_is_resumed(
        self, alice: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(judgements, "A_BATCH", 2)
        for number in range(5):
            services.create_deck(
                owner=alice, content=_content(), now=NOW, name=str(number)
            )
        _change_cards("half-way", deck_limit=0)
        begun = services.judge_again(now=LATER)
        assert next(begun) == (2, 2, 0)
        del begun
        assert Notice.objects.count() == 2
        assert _judge_again() == (3, 3, 0)
        assert _judge_again() == (0, 0, 0)
        assert Notice.objects.count() == 5

    def test_a_larger_batch_takes_no_more_queries(
        self, alice: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        counts = []
        for decks in (1, 12):
            for _deck in range(decks):
                services.create_deck(owner=alice, content=_content(), now=NOW)
            Judgement.objects.update(pool_version="old")
            with CaptureQueriesContext(connection) as asked:
                _judge_again()
            counts.append(len(asked))
        assert counts[0] == counts[1]

    def test_an_unreadable_deck_does_not_stop_the_others(
        self, alice: User, deck: Deck
    ) -> None:
        services.create_deck(owner=alice, content=_content(), now=NOW)
        Revision.objects.filter(deck=deck).update(list={"slots": {}})
        Judgement.objects.update(pool_version="old")
        assert _judge_again() == (1, 0, 1)

    def test_the_command_reports_its_result(self, deck: Deck) -> None:
        _change_cards("by-hand", deck_limit=0)
        out = StringIO()
        call_command("rejudge_decks", stdout=out)
        assert out.getvalue() == (
            "1 decks judged …\nJudged again: 1. Different now: 1. Not readable: 0.\n"
        )

    def test_without_a_broker_it_runs_at_once(self, deck: Deck) -> None:
        _change_cards("eager", deck_limit=0)
        tasks.judge_decks_again.delay()
        assert Notice.objects.count() == 1


class TestOccasions:
    def test_an_import_of_cards_judges_decks(self, deck: Deck, tmp_path: Path) -> None:
        """A pool of one card: the deck's own are unknown. A dry run judges none."""
        source = str(a_source(tmp_path, LANTERN))
        call_command("import_cards", source, "--dry-run", stdout=StringIO())
        assert not Notice.objects.exists()
        call_command("import_cards", source, stdout=StringIO())
        notice = Notice.objects.get()
        assert notice.pool_before == embedded_pool().version
        assert "deck.investigator" in _rules(notice.appeared)

    def test_an_update_of_the_server_judges_decks(self, deck: Deck) -> None:
        """If it brought new cards or rules."""
        call_command("up", "--prepare")
        assert not Notice.objects.exists()
        Judgement.objects.update(rules_version="FAQ 2.4/1", experience=7)
        call_command("up", "--prepare")
        notice = Notice.objects.get()
        assert (notice.experience_before, notice.experience_after) == (7, 0)


class TestPages:
    def test_the_owner_is_notified_and_dismisses_the_notice(
        self, deck: Deck, as_alice: Client
    ) -> None:
        quiet = as_alice.get("/decks/").content.decode()
        assert "a new verdict" not in quiet
        _change_cards("pages", deck_limit=0)
        _judge_again()
        mine = as_alice.get("/decks/").content.decode()
        assert "1 deck has a new verdict" in mine
        assert f'href="/decks/{deck.pk}/#news"' in mine
        page = as_alice.get(f"/decks/{deck.pk}/").content.decode()
        told = page[page.index('id="news"') : page.index("Dismiss")]
        assert FORBIDDEN in told
        assert "Before: Legal. Now: Illegal." in told
        assert f'href="/decks/{deck.pk}/edit#finding-' in told
        last = Notice.objects.get().pk
        answer = as_alice.post(f"/decks/{deck.pk}/notices/dismiss", {"last": last})
        assert answer["Location"] == f"/decks/{deck.pk}/"
        assert 'id="news"' not in as_alice.get(f"/decks/{deck.pk}/").content.decode()
        assert Notice.objects.get().dismissed_at is not None

    def test_a_notice_is_dismissed_among_all_decks_too(
        self, deck: Deck, as_alice: Client
    ) -> None:
        _change_cards("list", deck_limit=0)
        _judge_again()
        page = as_alice.get("/decks/").content.decode()
        assert "before: Legal, now: Illegal" in page
        fields = {"last": Notice.objects.get().pk, "list": "1"}
        answer = as_alice.post(f"/decks/{deck.pk}/notices/dismiss", fields)
        assert answer["Location"] == "/decks/"
        assert "a new verdict" not in as_alice.get("/decks/").content.decode()

    def test_a_later_notice_is_not_dismissed(
        self, deck: Deck, as_alice: Client
    ) -> None:
        _change_cards("first", deck_limit=0)
        _judge_again()
        seen = Notice.objects.get().pk
        _change_cards("second", text_only=True)
        _judge_again()
        as_alice.post(f"/decks/{deck.pk}/notices/dismiss", {"last": seen})
        page = as_alice.get(f"/decks/{deck.pk}/").content.decode()
        assert "Findings that are gone" in page

    def test_a_finding_that_came_and_went_is_no_news(
        self, deck: Deck, as_alice: Client
    ) -> None:
        _change_cards("come", deck_limit=0)
        _judge_again()
        _change_cards("went", text_only=True)
        _judge_again()
        page = as_alice.get(f"/decks/{deck.pk}/").content.decode()
        assert 'id="news"' not in page
        assert "a new verdict" not in as_alice.get("/decks/").content.decode()

    def test_a_finding_the_owner_resolved_since_says_so(
        self, deck: Deck, as_alice: Client
    ) -> None:
        _change_cards("mended", deck_limit=0)
        _judge_again()
        services.revise_deck(
            deck=deck,
            content=_content(("remove", f"{MACHETE}:2")),
            expected_revision=1,
            now=LATER,
        )
        page = as_alice.get(f"/decks/{deck.pk}/").content.decode()
        assert "New findings, already corrected" in page
        assert "Correct the deck in the builder" not in page

    def test_a_played_deck_is_repaired_at_the_desk(
        self, deck: Deck, alice: User, as_alice: Client
    ) -> None:
        services.mark_played(
            deck=deck,
            game=services.PlayedGame(earned=(), aftermath={}),
            expected_revision=1,
            actor=alice,
            now=NOW,
        )
        _change_cards("played", deck_limit=0)
        _judge_again()
        page = as_alice.get(f"/decks/{deck.pk}/").content.decode()
        assert "Correct the deck at the upgrade desk" in page

    def test_only_the_owner_dismisses_a_notice(
        self, deck: Deck, as_charlie: Client
    ) -> None:
        _change_cards("charlie", deck_limit=0)
        _judge_again()
        last = Notice.objects.get().pk
        answer = as_charlie.post(f"/decks/{deck.pk}/notices/dismiss", {"last": last})
        assert answer.status_code == 404
        assert Notice.objects.get().dismissed_at is None

    @pytest.mark.parametrize("last", ["", "x", "-1", "9" * 30])
    def test_an_invalid_form_is_refused(
        self, deck: Deck, as_alice: Client, last: str
    ) -> None:
        answer = as_alice.post(f"/decks/{deck.pk}/notices/dismiss", {"last": last})
        assert answer.status_code == 400

    def test_many_notices_cost_no_more_queries(
        self,
        alice: User,
        as_alice: Client,
        django_assert_max_num_queries: DjangoAssertNumQueries,
    ) -> None:
        for _deck in range(6):
            services.create_deck(owner=alice, content=_content(), now=NOW)
        _change_cards("many", deck_limit=0)
        _judge_again()
        as_alice.get("/decks/")  # what is looked up once of these cards
        with django_assert_max_num_queries(11):  # as without, and the decks of them
            page = as_alice.get("/decks/").content.decode()
        assert "6 decks have a new verdict" in page


class TestApi:
    def test_programs_read_and_dismiss_notices(
        self, deck: Deck, as_alice: Client
    ) -> None:
        assert as_alice.get("/api/v1/notices/").json()["results"] == []
        _change_cards("api", deck_limit=0)
        _judge_again()
        (told,) = as_alice.get("/api/v1/notices/").json()["results"]
        assert told["deck"] == deck.pk
        assert told["before"] == {
            "status": "legal",
            "experience_required": 0,
            "rules_version": verdict.RULES_VERSION,
            "pool_version": embedded_pool().version,
        }
        assert told["after"]["status"] == "illegal"
        assert [each["message"] for each in told["appeared"]] == [FORBIDDEN]
        assert (told["gone"], told["dismissed_at"]) == ([], None)
        answer = as_alice.post(f"/api/v1/notices/{told['id']}/dismiss")
        assert answer.status_code == 200
        assert answer.json()["dismissed_at"] is not None
        assert as_alice.get("/api/v1/notices/").json()["results"] == []
        history = as_alice.get(f"/api/v1/decks/{deck.pk}/notices/").json()["results"]
        assert [each["id"] for each in history] == [told["id"]]

    def test_notices_of_others_do_not_exist(
        self, deck: Deck, as_charlie: Client
    ) -> None:
        _change_cards("api-charlie", deck_limit=0)
        _judge_again()
        number = Notice.objects.get().pk
        assert as_charlie.get("/api/v1/notices/").json()["results"] == []
        for answer in (
            as_charlie.get(f"/api/v1/decks/{deck.pk}/notices/"),
            as_charlie.post(f"/api/v1/notices/{number}/dismiss"),
        ):
            assert answer.status_code == 404
        assert Notice.objects.get().dismissed_at is None

    def test_strangers_are_asked_to_sign_in(self, client: Client) -> None:
        assert client.get("/api/v1/notices/").status_code == 401


def test_a_new_wording_is_no_difference() -> None:
    """The rule, its severity, the numbers and the cards count."""
    finding = {
        "rule": "deck.size",
        "severity": "incomplete",
        "message": "Too few.",
        "cards": [],
        "actual": 29,
        "expected": 30,
    }
    reworded = finding | {"message": "One is missing."}
    worse = finding | {"expected": 50}
    assert judgements.differences([finding], [reworded]) == ([], [])
    assert judgements.differences([finding], [worse]) == ([worse], [finding])
    assert judgements.differences([finding], [finding, finding]) == ([finding], [])
