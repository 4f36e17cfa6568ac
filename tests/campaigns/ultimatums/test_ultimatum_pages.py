"""The page of a table's ultimatums: added, drawn and released by organisers only."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.draws.record import DrawRecord, replayed
from campaigns.log.replays import replayed as folded
from campaigns.models import Campaign, Role
from tests.campaigns.helpers.tables import a_campaign, a_member, as_answers, report, who
from tests.rules.campaign.helpers.games import begun
from tests.rules.campaign.helpers.small import DAISY, ROLAND


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """Alice's campaign, with Roland and Daisy, without any answers."""
    return a_campaign(alice, ROLAND, DAISY)


def _at(campaign: Campaign, rest: str = "") -> str:
    return f"/campaigns/{campaign.pk}/ultimatums/{rest}"


def _send(
    browser: Client, campaign: Campaign, rest: str = "", **data: str
) -> tuple[int, str]:
    campaign.refresh_from_db()
    sent = browser.post(_at(campaign, rest), {"after": str(campaign.last), **data})
    campaign.refresh_from_db()
    return sent.status_code, sent.content.decode()


def _in_force(campaign: Campaign) -> list[str]:
    campaign.refresh_from_db()
    return list(folded(campaign).replay.state.ultimatums)


def test_all_of_them_are_listed(campaign: Campaign, as_alice: Client) -> None:
    """Nineteen ultimatums, nine boons, eighteen refractions, none in force."""
    page = as_alice.get(_at(campaign)).content.decode()

    assert len(re.findall(r'id="oath-[a-z-]+"', page)) == 19 + 9 + 18
    assert page.count('name="ultimatum"') == 19 + 9
    assert "Damage and horror go to one card" in page
    assert "No ultimatums or boons chosen." in page


def test_an_ultimatum_is_added_and_released_with_a_reason(
    campaign: Campaign, as_alice: Client
) -> None:
    """Without a reason it stays."""
    assert _send(as_alice, campaign, ultimatum="finality")[0] == 303
    entry = campaign.last
    page = as_alice.get(_at(campaign)).content.decode()
    assert f'id="force-{entry}"' in page
    assert 'id="oath-finality"' not in page
    assert _in_force(campaign) == ["finality"]

    status, refused = _send(as_alice, campaign, f"{entry}/release", reason=" ")
    assert status == 422
    assert "This stays until the end of the campaign." in refused
    assert _in_force(campaign) == ["finality"]
    assert _send(as_alice, campaign, f"{entry}/release", reason="A slip.")[0] == 303
    assert _in_force(campaign) == []


def test_the_same_form_sent_twice_is_written_once(
    campaign: Campaign, as_alice: Client
) -> None:
    """Both additions and releases have a key."""
    before = str(campaign.last)
    for _again in range(2):
        data = {"after": before, "key": "k", "ultimatum": "finality"}
        assert as_alice.post(_at(campaign), data).status_code == 303
    campaign.refresh_from_db()
    entry = campaign.last
    for _again in range(2):
        data = {"after": str(entry), "key": "r", "reason": "A slip."}
        sent = as_alice.post(_at(campaign, f"{entry}/release"), data)
        assert sent.status_code == 303
    campaign.refresh_from_db()

    assert campaign.last == int(before) + 2


def test_a_table_adds_an_ultimatum_of_its_own(
    campaign: Campaign, as_alice: Client
) -> None:
    """By name; a name without letters or digits is refused."""
    assert _send(as_alice, campaign, name="  No   singing ")[0] == 303
    assert "No singing" in as_alice.get(_at(campaign)).content.decode()
    assert _in_force(campaign) == ["own-no-singing"]
    assert _send(as_alice, campaign, name="!!!")[0] == 422
    assert _send(as_alice, campaign)[0] == 400
    status, page = _send(as_alice, campaign, name="No singing")
    assert status == 422
    assert "This is already in use." in page


def test_a_refraction_of_another_campaign_is_refused(
    campaign: Campaign, as_alice: Client
) -> None:
    """A refraction of another campaign."""
    status, page = _send(as_alice, campaign, ultimatum="venom")

    assert status == 422
    assert "Ultimatum of Venom belongs to another campaign." in page
    assert _in_force(campaign) == []


@pytest.mark.parametrize("role", [Role.SPECTATOR, Role.PLAYER, Role.SCRIBE])
def test_only_an_organiser_writes(
    campaign: Campaign, as_alice: Client, bob: User, as_bob: Client, role: str
) -> None:
    """All others read; not even a scribe releases one."""
    a_member(campaign, bob, role)
    _send(as_alice, campaign, ultimatum="finality")
    page = as_bob.get(_at(campaign)).content.decode()
    main = page[page.index("<main") : page.index("</main")]
    assert "<form" not in main
    assert _send(as_bob, campaign, ultimatum="agony")[0] == 403
    assert _send(as_bob, campaign, "draw")[0] == 403
    assert _send(as_bob, campaign, "2/release", reason="Mine.")[0] == 403

    assert _in_force(campaign) == ["finality"]


def test_a_stranger_gets_404(campaign: Campaign, as_charlie: Client) -> None:
    """For the page and its actions."""
    assert as_charlie.get(_at(campaign)).status_code == 404
    for rest in ("", "draw", "1/release"):
        assert _send(as_charlie, campaign, rest, ultimatum="agony")[0] == 404


def test_entries_written_meanwhile_are_reported(
    campaign: Campaign, as_alice: Client
) -> None:
    """409, with those entries."""
    _send(as_alice, campaign, ultimatum="finality")
    late = as_alice.post(_at(campaign), {"after": "1", "ultimatum": "agony"})

    assert late.status_code == 409
    assert "alice, entry 2" in late.content.decode()
    assert _in_force(campaign) == ["finality"]


def test_typed_text_stays_in_the_refused_form(
    campaign: Campaign, as_alice: Client
) -> None:
    """The name of a custom one, and the reason why one was an error."""
    _send(as_alice, campaign, ultimatum="finality")
    entry = campaign.last
    own = {"after": "1", "name": "No “take-backs”"}
    late = as_alice.post(_at(campaign), own)
    assert late.status_code == 409
    page = late.content.decode()
    assert 'name="name" id="own-name" maxlength="80" required value="No “take' in page

    why = {"after": "1", "reason": "A slip."}
    late = as_alice.post(_at(campaign, f"{entry}/release"), why)
    assert late.status_code == 409
    page = late.content.decode()
    assert f'id="reason-{entry}" maxlength="300" required value="A slip."' in page
    assert _in_force(campaign) == ["finality"]


def test_an_ultimatum_is_drawn_for_the_next_game(
    campaign: Campaign, as_alice: Client
) -> None:
    """Once, with a record; it is in force for that game."""
    status, page = _send(as_alice, campaign, "draw")
    assert status == 422
    _send(as_alice, campaign, ultimatum="ultimatums")
    report(campaign, as_answers(who(ROLAND, DAISY)))
    page = as_alice.get(_at(campaign)).content.decode()
    assert "Random ultimatum or boon for" in page
    assert _send(as_alice, campaign, "draw")[0] == 303
    row = campaign.entries.get(sequence=campaign.last)
    record = DrawRecord.from_data(row.payload["record"])
    assert replayed(record) == record
    assert record.result == (row.payload["ultimatum"],)
    assert campaign.secret not in str(row.payload)
    page = as_alice.get(_at(campaign)).content.decode()
    assert "Random ultimatum or boon for" not in page
    assert "only." in page
    assert _send(as_alice, campaign, "draw")[0] == 422

    report(campaign, as_answers(*begun("one", ROLAND, DAISY)))
    assert _in_force(campaign) == ["ultimatums", record.result[0]]


def test_the_table_is_reminded_when_it_matters(
    campaign: Campaign, as_alice: Client
) -> None:
    """Of setup effects before a game, of the others during it."""
    for sworn in ("survival", "hermes"):
        _send(as_alice, campaign, ultimatum=sworn)
    _send(as_alice, campaign, name="No singing")

    def reminded() -> list[str]:
        page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
        part = page.partition('id="oaths-now-title"')[2].partition("</section>")[0]
        return re.findall(r"<h3>([^<]+)</h3>", part)

    report(campaign, as_answers(who(ROLAND, DAISY)))
    assert reminded() == ["Ultimatum of Survival", "No singing"]
    report(campaign, as_answers(*begun("one", ROLAND, DAISY)))
    assert reminded() == ["Boon of Hermes", "No singing"]


@pytest.mark.parametrize("name", [" ", "★ ★"])
def test_a_name_without_letters_is_refused_beside_its_field(
    campaign: Campaign, as_alice: Client, name: str
) -> None:
    """Browsers accept a blank as a name; the typed text stays."""
    status, page = _send(as_alice, campaign, name=name)

    assert status == 422
    assert "The name needs a letter or a digit." in page
    assert f'required value="{name}" aria-invalid="true"' in page
    assert _in_force(campaign) == []
