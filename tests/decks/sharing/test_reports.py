"""Published decks are reported by anyone, and withdrawn by operators alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import Q
from django.test import Client

from arkham.accounts.models import ApiKey, User
from arkham.accounts.services import make_key
from decks import services
from decks.models import Deck, Report, Showing
from decks.services import reports
from tests.api.helpers import set_rates
from tests.decks.helpers import NOW, text_of
from tests.decks.sharing.helpers import POOL, a_deck

pytestmark = pytest.mark.usefixtures("rows")

SENT = {"reason": "spam", "text": "The notes sell\nwatches."}
DESK = "/operator/reports/"


@pytest.fixture
def published(alice: User) -> Showing:
    """A published deck of Alice's, with a link as well."""
    deck = a_deck(alice, name="Badge and gun")
    services.share_deck(deck=deck, now=NOW)
    return services.publish_deck(deck=deck, number=1, pool=POOL, now=NOW)


@pytest.fixture
def operator(charlie: User) -> Client:
    """Charlie, who operates the server."""
    charlie.is_staff = True
    charlie.save()
    client = Client()
    client.force_login(charlie)
    return client


def a_report(showing: Showing, reporter: User | None = None, **said: str) -> Report:
    """An open report of a deck."""
    sent: Any = {"reason": "spam", "text": "Watches.", **said}
    services.report_deck(showing=showing, reporter=reporter, now=NOW, **sent)
    return Report.objects.latest("pk")


def decided(operator: Client, report: Report, act: str, answer: str = "") -> str:
    """The page after an operator decided."""
    sent = {"report": report.pk, "act": act, "answer": answer}
    return text_of(operator.post(DESK, sent, follow=True))


def test_anyone_reports_a_published_deck(
    client: Client, as_bob: Client, bob: User, published: Showing
) -> None:
    """With a link on its page; whether there is an account is kept."""
    page = f"/decks/published/{published.pk}/"
    for visitor, reporter in ((client, None), (as_bob, bob)):
        assert f'href="{page}report"' in visitor.get(page).content.decode()
        assert "Report this deck" in text_of(visitor.get(f"{page}report"))
        sent = visitor.post(f"{page}report", SENT, follow=True)
        assert "An operator will look at the deck." in text_of(sent)
        assert sent.redirect_chain == [(page, 303)]
        report = Report.objects.latest("pk")
        assert (report.deck, report.reporter) == (published.deck, reporter)
        assert (report.reason, report.text) == ("spam", "The notes sell watches.")


def by_api(showing: Showing, **sent: Any) -> Any:
    """The answer to a program's report; ``headers`` may have a key."""
    headers = sent.pop("headers", {})
    path = f"/api/v1/decklists/{showing.pk}/report"
    kind = "application/json"
    return Client().post(path, {**SENT, **sent}, content_type=kind, headers=headers)


def test_a_program_reports_a_published_deck(
    bob: User, published: Showing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a page does, with a key or without; what isn't kept is refused."""
    key = make_key(owner=bob, name="Bot", scope=ApiKey.Scope.WRITE, now=NOW)[1]
    for headers, reporter in (({}, None), ({"Authorization": f"Bearer {key}"}, bob)):
        assert by_api(published, headers=headers).status_code == 204
        assert Report.objects.latest("pk").reporter == reporter
    for wrong in (
        {"reason": "ugly"},
        {"text": ""},
        {"text": " \n"},
        {"text": "x" * 501},
        {"a": 1},
    ):
        assert by_api(published, **wrong).status_code == 422
    for _time in range(reports.MOST_OPEN):
        a_report(published)
    refused = by_api(published)
    assert refused.status_code == 409
    assert refused.json()["type"] == "urn:orne:problem:report-not-kept"
    set_rates(monkeypatch, reports="1/hour", anon="9/min", user="9/min", key="9/min")
    assert by_api(published).status_code == 429
    services.unpublish_deck(deck=published.deck, now=NOW)
    assert by_api(published).status_code == 404


@pytest.mark.parametrize(
    "sent",
    [{}, {"reason": "spam"}, {**SENT, "reason": "ugly"}, {**SENT, "text": "x" * 501}],
)
def test_a_report_has_a_reason_and_a_text(
    client: Client, published: Showing, sent: dict[str, str]
) -> None:
    """Else the form is shown again."""
    answer = client.post(f"/decks/published/{published.pk}/report", sent)
    assert answer.status_code == 422
    assert not Report.objects.exists()


def test_only_what_is_published_can_be_reported(
    as_alice: Client, client: Client, published: Showing
) -> None:
    """A private deck isn't there; its owner has no link to report it."""
    page = f"/decks/published/{published.pk}/"
    assert "Report this deck" not in text_of(as_alice.get(page))
    shared = client.get(f"/decks/shared/{published.key}/")
    assert "Report this deck" not in text_of(shared)
    services.unpublish_deck(deck=published.deck, now=NOW)
    assert client.get(f"{page}report").status_code == 404
    assert client.post(f"{page}report", SENT).status_code == 404
    assert not Report.objects.exists()


def test_a_visitor_reports_so_many_decks_an_hour(
    client: Client, published: Showing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then 429, and nothing is stored; a refused form doesn't count."""
    set_rates(monkeypatch, reports="2/hour")
    page = f"/decks/published/{published.pk}/report"
    assert client.post(page, {}).status_code == 422
    found = [client.post(page, {**SENT, "text": str(n)}).status_code for n in range(3)]
    assert found == [303, 303, 429]
    assert Report.objects.count() == 2


def test_reports_of_a_deck_are_bounded(bob: User, published: Showing) -> None:
    """An account has three open ones, the first included; all together have twenty."""
    sent = ["First.", "Second.", "Third."]
    for text in [*sent, "Fourth."]:
        a_report(
            published, bob, text=text, reason="hate" if text == "First." else "spam"
        )
    kept = Report.objects.values_list("reason", "text")
    assert [*kept] == [("hate", "First."), ("spam", "Second."), ("spam", "Third.")]
    for _time in range(reports.MOST_OPEN + 3):
        a_report(published)
    assert Report.objects.count() == reports.MOST_OPEN


def test_a_report_without_a_place(
    client: Client, as_bob: Client, bob: User, charlie: User, published: Showing
) -> None:
    """An account's replaces the oldest without one; else the visitor reads of it."""
    oldest = a_report(published)
    for _time in range(reports.MOST_OPEN - 1):
        a_report(published)
    page = f"/decks/published/{published.pk}/report"
    sent = text_of(client.post(page, {**SENT, "text": "Late."}, follow=True))
    assert "Your report isn’t kept" in sent
    assert "Thank you." not in sent
    sent = text_of(as_bob.post(page, SENT, follow=True))
    assert "Thank you." in sent
    assert Report.objects.count() == reports.MOST_OPEN
    assert not Report.objects.filter(Q(pk=oldest.pk) | Q(text="Late.")).exists()
    a_report(published, bob, text="More.")  # takes no other report's place
    assert not Report.objects.filter(text="More.").exists()
    assert Report.objects.get(reporter=bob).text == "The notes sell watches."

    sent = text_of(as_bob.post(page, {**SENT, "text": "More."}, follow=True))
    assert "you have reported this deck already" in sent
    assert "enough open reports" not in sent
    Report.objects.filter(reporter=None).delete()
    for text in ("Second.", "Third.", "Fourth."):
        sent = text_of(as_bob.post(page, {**SENT, "text": text}, follow=True))
    assert "you have reported this deck already" in sent
    assert not Report.objects.filter(text="Fourth.").exists()

    for _time in range(reports.MOST_OPEN):
        a_report(published)
    Report.objects.update(reporter=charlie)
    for visitor in (client, as_bob):
        sent = text_of(visitor.post(page, {**SENT, "text": "Late."}, follow=True))
        assert "the deck has enough open reports already" in sent
    assert not Report.objects.filter(text="Late.").exists()


def test_reports_are_the_operators(
    client: Client, as_alice: Client, as_bob: Client, published: Showing
) -> None:
    """Strangers sign in; for others, the deck's owner too, the page isn't there."""
    sent = {"report": a_report(published).pk, "act": "withdrawn"}
    assert client.get(DESK).status_code == 302
    asked = client.post(DESK, sent).headers["Location"]
    assert asked.startswith("/account/login/")
    for each in (as_alice, as_bob):
        assert each.get(DESK).status_code == 404
        assert each.post(DESK, sent).status_code == 404
    assert Report.objects.get().decision == ""
    assert Showing.objects.exists()


def test_an_operator_withdraws_a_deck(
    operator: Client, as_alice: Client, client: Client, bob: User, published: Showing
) -> None:
    """Its link and all its reports are closed; who did it and when is kept."""
    other, first = a_report(published), a_report(published, bob, reason="personal")
    page = text_of(operator.get(DESK))
    assert "Badge and gun" in page
    assert "Reported by bob" in page
    assert "Reported without an account" in page
    assert "2 open reports" in text_of(operator.get("/operator/"))

    page = decided(operator, first, "withdrawn", "Please remove the address.")

    assert "There are no open reports." in page
    assert "decided by charlie" in page
    assert not Showing.objects.exists()
    for address in (f"published/{published.pk}", f"shared/{published.key}"):
        assert client.get(f"/decks/{address}/").status_code == 404
    assert "Closed with another" in page
    for report, decision in ((first, "withdrawn"), (other, "closed")):
        report.refresh_from_db()
        assert report.decision == decision
        assert report.decided_by is not None
        assert report.decided_by.username == "charlie"
        assert report.decided_at is not None
    for place in ("", "sharing"):
        seen = text_of(as_alice.get(f"/decks/{published.deck_id}/{place}"))
        assert "Reason: Someone’s personal details." in seen
        assert "The operator wrote: Please remove the address." in seen
        assert "bob" not in seen
        assert "Watches" not in seen


def test_a_deck_published_again_says_no_more_of_it(
    operator: Client, as_alice: Client, published: Showing
) -> None:
    """Its owner may; a new report is open again."""
    decided(operator, a_report(published), "withdrawn")
    deck = Deck.objects.get()
    again = services.publish_deck(deck=deck, number=1, pool=POOL, now=NOW)
    assert "Reason:" not in text_of(as_alice.get(f"/decks/{deck.pk}/"))
    a_report(again)
    assert "1 open report of" in text_of(operator.get("/operator/"))


@pytest.mark.parametrize("kind", Showing.Kind.values)
def test_a_deck_its_owner_made_private_was_not_withdrawn(
    operator: Client, as_alice: Client, published: Showing, kind: str
) -> None:
    """Nor after an earlier withdrawal, once it was shown again."""
    decided(operator, a_report(published), "withdrawn")
    deck = Deck.objects.get()
    if kind == Showing.Kind.LINK:
        services.share_deck(deck=deck, now=NOW)
    else:
        services.publish_deck(deck=deck, number=1, pool=POOL, now=NOW)
    services.withdraw_deck(deck=deck)
    for place in ("", "sharing"):
        assert "Reason:" not in text_of(as_alice.get(f"/decks/{deck.pk}/{place}"))

    again = services.publish_deck(deck=deck, number=1, pool=POOL, now=NOW)
    decided(operator, a_report(again, reason="hate"), "withdrawn")
    assert "Insults or hate" in text_of(as_alice.get(f"/decks/{deck.pk}/"))


@pytest.mark.parametrize("keeps_link", [True, False])
def test_only_what_is_published_is_withdrawn(
    operator: Client, as_alice: Client, published: Showing, keeps_link: bool
) -> None:
    """The owner made it private before the operator decided: its report waits."""
    report, deck = a_report(published), published.deck
    services.unpublish_deck(deck=deck, now=NOW)
    if not keeps_link:
        services.close_link(deck=deck)
    page = decided(operator, report, "withdrawn")
    assert "The deck isn’t published any more." in page
    assert Showing.objects.filter(kind=Showing.Kind.LINK).exists() is keeps_link
    report.refresh_from_db()
    assert (report.decision, report.decided_by) == ("", None)
    assert "Reason:" not in text_of(as_alice.get(f"/decks/{deck.pk}/"))
    services.publish_deck(deck=deck, number=1, pool=POOL, now=NOW)
    assert "Watches." in text_of(operator.get(DESK))


def test_an_operator_dismisses_a_report(
    operator: Client, as_alice: Client, published: Showing
) -> None:
    """The deck and its other reports stay; its owner never learns of it."""
    first, second = a_report(published), a_report(published)
    page = decided(operator, first, "dismissed", "Not for the owner.")
    assert "The report is dismissed." in page
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.decision, first.answer) == (Report.Decision.DISMISSED, "")
    assert second.decision == ""
    assert Showing.objects.exists()
    assert "Reason:" not in text_of(as_alice.get(f"/decks/{published.deck_id}/"))


def test_the_first_decision_holds(operator: Client, published: Showing) -> None:
    """A later one changes nothing, and the page says so."""
    report = a_report(published)
    decided(operator, report, "dismissed")
    page = decided(operator, report, "withdrawn")
    assert "Another operator has decided this report." in page
    assert Showing.objects.exists()
    for wrong in ("", "x", "0", str(report.pk + 1)):
        sent = {"report": wrong, "act": "withdrawn"}
        assert operator.post(DESK, sent).status_code == 404
    for act in ("", "withdraw", "closed"):
        sent = {"report": str(report.pk), "act": act}
        assert operator.post(DESK, sent).status_code == 404


def test_reports_of_hidden_decks_wait(
    operator: Client, alice: User, published: Showing
) -> None:
    """A deck that was made private needs no decision, nor one of a blocked owner."""
    a_report(published)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert "There are no open reports." in text_of(operator.get(DESK))
    User.objects.filter(pk=alice.pk).update(is_active=True)
    assert "Watches." in text_of(operator.get(DESK))
    services.withdraw_deck(deck=published.deck)
    assert "There are no open reports." in text_of(operator.get(DESK))


def test_a_report_outlives_the_accounts_of_others(
    operator: Client, bob: User, charlie: User, published: Showing
) -> None:
    """Who reported and who decided may close their accounts; the owner's takes it."""
    decided(operator, a_report(published, bob), "withdrawn")
    bob.delete()
    charlie.delete()
    kept = Report.objects.get()
    assert (kept.reporter, kept.decided_by) == (None, None)
    User.objects.filter(username="alice").delete()
    assert not Report.objects.exists()
