"""Every action in a campaign, by every role: allowed or refused.

Each request is complete and would succeed for those who may, so that a refusal can
only be due to the role. Changes are rolled back at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import ApiKey, User
from arkham.accounts.services import make_key
from campaigns import services
from campaigns.models import Campaign, Membership, Role
from campaigns.people.table import token_of
from tests.campaigns.helpers.shown_forms import ShownForm, forms_in
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    a_seat,
    as_answers,
    organiser_of,
    report,
    who,
)
from tests.campaigns.helpers.visitors import At, all_of_it
from tests.rules.campaign.helpers.games import a_game, begun
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS

pytestmark = pytest.mark.django_db

# Those who sit at the table, and as what; each plays the investigator after "of".
SITTING = (
    "organiser",
    "scribe",
    "player of Roland",
    "player of Daisy",
    "spectator",
    "guest, player of Daisy",
    "guest, spectator",
)
OUTSIDE = (
    "who has left",
    "stranger",
    "organiser of another table",
    "key of another table",
    "guest of another table",
    "guest by a revoked link",
    "guest by a link that is over",
    "nobody",
)
ALL = frozenset(SITTING)
ORGANISER = frozenset({"organiser"})
WRITERS = frozenset({"organiser", "scribe"})
OF_ROLAND = frozenset({"player of Roland"})
OF_DAISY = frozenset({"player of Daisy", "guest, player of Daisy"})
PLAYING = ALL - {"spectator", "guest, spectator"}


class Act(NamedTuple):
    """A request of a program, and the roles that may send it.

    ``done`` is the status for those who may: 422 if the rules forbid it just then.
    """

    method: str
    path: str
    may: frozenset[str]
    body: dict[str, Any] | None = None
    done: tuple[int, ...] = (200, 201, 204)
    refused: int = 403


def _entry(kind: str, **payload: Any) -> dict[str, Any]:
    return {"after": "AFTER", "entry": {"kind": kind, "payload": payload}}


def _earned(code: str) -> dict[str, Any]:
    effect = {"effect": "earn_experience", "who": "input", "bonus": 1}
    return _entry(
        "stated", scenario="one", effect=effect, codes=[code], numbers=[], reason="So"
    )


FINISH = {"scenario": "one", "step": "$play_scenario", "value": -2, "choice": "$finish"}
WHO = {
    "kind": "string_choices",
    "payload": {
        "scenario": "$campaign_setup",
        "step": "who",
        "value": [[ROLAND, ["chosen"]], [DAISY, ["chosen"]], [SKIDS, ["chosen"]]],
    },
}
ACTS: dict[str, Act] = {
    "read it": Act("get", "", ALL),
    "read the log": Act("get", "entries/", ALL),
    "read who sits there": Act("get", "members/", ALL),
    "read the seats": Act("get", "seats/", ALL),
    "read the play": Act("get", "play", ALL),
    "read achievements": Act("get", "achievements/", ALL),
    "read the FAQ": Act("get", "faq", ALL),
    "read oaths": Act("get", "oaths/", ALL),
    "save it": Act("get", "export", ALL),
    "read the links": Act("get", "invitations/", ORGANISER),
    "rename it": Act("patch", "", ORGANISER, {"name": "Else"}),
    "put it away": Act("patch", "", ORGANISER, {"archived": True}),
    "delete it": Act("delete", "", ORGANISER),
    "answer for the table": Act(
        "post", "entries/", PLAYING, _entry("choice", **FINISH)
    ),
    "assert of Roland": Act(
        "post",
        "entries/",
        WRITERS | OF_ROLAND,
        _entry("asserted", scenario="one", what="experience", which=ROLAND, value=0),
    ),
    "assert of Daisy": Act(
        "post",
        "entries/",
        WRITERS | OF_DAISY,
        _entry("asserted", scenario="one", what="experience", which=DAISY, value=0),
    ),
    "assert of the table": Act(
        "post",
        "entries/",
        WRITERS,
        _entry("asserted", scenario="one", what="token", which="skull", value=2),
    ),
    "put right": Act(
        "post",
        "corrections/",
        WRITERS,
        {"after": "AFTER", "target": 2, "entry": WHO},
    ),
    "take back": Act(
        "post", "retractions/", WRITERS, {"after": "AFTER", "target": "AFTER"}
    ),
    "take a scenario back": Act(
        "post", "retractions/", WRITERS, {"after": "AFTER", "scenario": "one"}
    ),
    "foresee": Act(
        "post", "preview", ALL, {"entry": {"kind": "choice", "payload": FINISH}}
    ),
    "reveal a token": Act(
        "post",
        "play",
        PLAYING,
        {"scenario": "one", "do": "notes", "what": "x", "seen": 0},
    ),
    "copy it": Act("post", "branches/", ALL, {}),
    "change a role": Act("patch", "members/OTHER/", ORGANISER, {"role": "scribe"}),
    "send somebody": Act("delete", "members/OTHER/", ORGANISER),
    "seat somebody": Act(
        "post",
        "seats/",
        ORGANISER,
        {"investigator": SKIDS, "mine": False},
        (422,),  # not during a game
    ),
    "give a seat": Act(
        "put",
        "seats/ROLAND/",
        ORGANISER,
        {"member": "OTHER", "kind": "none", "deck": None},
    ),
    "retire Roland": Act(
        "post",
        "seats/ROLAND/retirement",
        ORGANISER | OF_ROLAND,
        {"after": "AFTER", "reason": "So"},
        (422,),  # not during a game
    ),
    "invite": Act("post", "invitations/", ORGANISER, {"role": "player", "hours": 2}),
    "revoke a link": Act("delete", "invitations/LINK/", ORGANISER),
    "pin the FAQ": Act("post", "faq", ORGANISER, {"after": "AFTER", "faq": "2.0"}),
    "swear": Act("post", "oaths/", ORGANISER, {"after": "AFTER", "ultimatum": "dread"}),
    "link it": Act("post", "linked", ORGANISER, {"campaign": "ALSO"}, refused=404),
}


class Table(NamedTuple):
    """A campaign in play, another one beside it, and a browser for each role."""

    campaign: Campaign
    also: Campaign
    other: Membership
    link: int

    def filled(self, value: Any) -> Any:
        """Return the body, with ids of this campaign's things."""
        names = {
            "AFTER": self.campaign.last,
            "OTHER": self.other.pk,
            "LINK": self.link,
            "ALSO": self.also.pk,
            "ROLAND": self.campaign.seats.get(investigator=ROLAND).pk,
        }
        if isinstance(value, dict):
            return {key: self.filled(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.filled(each) for each in value]
        if isinstance(value, str) and "/" in value:
            return "/".join(str(names.get(part, part)) for part in value.split("/"))
        return names.get(value, value) if isinstance(value, str) else value

    def asked(self, browser: Client, act: Act, head: dict[str, str]) -> int:
        """Return the status of an action; its changes are rolled back."""
        path = f"/api/v1/campaigns/{self.campaign.pk}/{self.filled(act.path)}"
        sent: dict[str, Any] = {}
        if act.method != "get":
            sent = {"content_type": "application/json"}
            sent["data"] = self.filled(act.body or {})
        with transaction.atomic():
            status = getattr(browser, act.method)(path, headers=head, **sent)
            transaction.set_rollback(True)
        self.campaign.refresh_from_db()
        return int(status.status_code)


def _user(name: str) -> User:
    return User.objects.create_user(name, password="not-guessed-1926")


def _seated(campaign: Campaign, name: str, code: str) -> Membership:
    member = a_member(campaign, _user(name))
    campaign.seats.filter(investigator=code).update(member=member)
    return member


@pytest.fixture
def table(alice: User) -> Table:
    """Alice organises; Rex plays Roland, Dan Daisy; the first game is in progress."""
    row = a_row(a_game("one"), a_game("two"))
    campaign, also = a_campaign(alice, guide=row), a_campaign(alice, guide=row)
    for code in (ROLAND, DAISY):
        a_seat(campaign, code)
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    _seated(campaign, "rex", ROLAND)
    _seated(campaign, "dan", DAISY)
    other = a_member(campaign, _user("eve"))
    link = services.invite(campaign=campaign, member=organiser_of(campaign), now=NOW)
    return Table(campaign, also, other, link.pk)


def _by_link(campaign: Campaign, role: str, *, code: str = "", **more: Any) -> Client:
    """Return a guest who joined by a link and has a seat."""
    organiser = campaign.memberships.get(role=Role.ORGANISER)
    now = timezone.now()
    link = services.invite(
        campaign=campaign, member=organiser, role=Role(role), now=now, **more
    )
    if more:
        link.expires_at = now - timedelta(hours=1)
        link.save()
    browser = Client()
    browser.post(f"/campaigns/join/{token_of(link)}/", {"name": "Dora"})
    if code:
        guest = campaign.memberships.get(guest__isnull=False)
        campaign.seats.filter(investigator=code).update(member=guest)
    return browser


def _signed_in(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def comes(table: Table, who_asks: str) -> tuple[Client, dict[str, str]]:
    """Return a person's browser, and what it sends with every request."""
    campaign, head = table.campaign, dict[str, str]()
    named = {
        "organiser": "alice",
        "player of Roland": "rex",
        "player of Daisy": "dan",
    }
    if who_asks in named:
        return _signed_in(User.objects.get(username=named[who_asks])), head
    if who_asks == "guest, player of Daisy":
        return _by_link(campaign, "player", code=DAISY), head
    if who_asks == "guest, spectator":
        return _by_link(campaign, "spectator"), head
    if who_asks == "guest of another table":
        return _by_link(table.also, "organiser"), head
    if who_asks == "guest by a link that is over":
        return _by_link(campaign, "organiser", lifetime=timedelta(hours=1)), head
    if who_asks == "guest by a revoked link":
        return _by_a_revoked_link(campaign), head
    if who_asks == "nobody":
        return Client(), head
    user = _user("somebody")
    if who_asks in ("scribe", "spectator"):
        a_member(campaign, user, who_asks)
    if who_asks == "who has left":
        services.leave(member=a_member(campaign, user, Role.SCRIBE), now=NOW)
    if "another table" in who_asks:
        a_campaign(user, guide=campaign.guide)
    if who_asks.startswith("key"):
        scope = ApiKey.Scope.WRITE
        _key, text = make_key(owner=user, name="k", scope=scope, now=timezone.now())
        return Client(), {"Authorization": f"Bearer {text}"}
    return _signed_in(user), head


def _by_a_revoked_link(campaign: Campaign) -> Client:
    organiser = campaign.memberships.get(role=Role.ORGANISER)
    now = timezone.now()
    link = services.invite(campaign=campaign, member=organiser, now=now)
    services.revoke_invitation(invitation=link, member=organiser, now=now)
    browser = Client()
    browser.post(f"/campaigns/join/{token_of(link)}/", {"name": "Dora"})
    return browser


@pytest.mark.parametrize("who_asks", SITTING)
def test_an_action_is_done_for_permitted_roles_only(
    table: Table, who_asks: str
) -> None:
    """403 to other members; the same request would succeed for permitted ones."""
    browser, head = comes(table, who_asks)
    found = {name: table.asked(browser, act, head) for name, act in ACTS.items()}
    wrong = {
        name: status
        for name, status in found.items()
        if status
        not in (
            ACTS[name].done if who_asks in ACTS[name].may else (ACTS[name].refused,)
        )
    }
    assert wrong == {}


@pytest.mark.parametrize("who_asks", OUTSIDE)
def test_outsiders_get_404(table: Table, who_asks: str) -> None:
    """Or 401 without any identity; expired links give none."""
    browser, head = comes(table, who_asks)
    before = all_of_it(table.campaign)
    found = {table.asked(browser, act, head) for act in ACTS.values()}
    anonymous = who_asks in (
        "nobody",
        "guest by a revoked link",
        "guest by a link that is over",
    )
    assert found == ({401} if anonymous else {404})
    assert all_of_it(table.campaign) == before


def test_things_of_another_campaign_are_not_reachable(
    table: Table,
) -> None:
    """Its people, seats, links and entries, by the path of an organised campaign."""
    mallory = _user("mallory")
    own = a_campaign(mallory, guide=table.campaign.guide)
    browser = _signed_in(mallory)
    seat = table.campaign.seats.get(investigator=ROLAND).pk
    a_seat(own, ROLAND)
    before = all_of_it(table.campaign)
    address = f"/api/v1/campaigns/{own.pk}"
    kind = "application/json"
    mine = organiser_of(own).pk
    for method, path, body in (
        ("patch", f"members/{table.other.pk}/", {"role": "spectator"}),
        ("delete", f"members/{table.other.pk}/", {}),
        ("put", f"seats/{seat}/", {"member": mine, "kind": "none", "deck": None}),
        ("post", f"seats/{seat}/retirement", {"after": own.last, "reason": "So"}),
        ("delete", f"invitations/{table.link}/", {}),
        ("post", "invitations/", {"seat": seat}),
        ("post", "linked", {"campaign": table.campaign.pk}),
        (
            "post",
            "transfers/",
            {"guide": own.guide_id, "going": [{"seat": seat, "unspent": 9}]},
        ),
    ):
        answer = getattr(browser, method)(f"{address}/{path}", body, content_type=kind)
        assert answer.status_code == 404, (method, path, answer.content)
    assert all_of_it(table.campaign) == before


def _forms(at: At, pages: tuple[str, ...]) -> Iterator[ShownForm]:
    for page in pages:
        shown = at.browser.get(at.path(page))
        if shown.status_code == 200:
            yield from forms_in(shown.content.decode(), at.path(page))


PAGES = (
    "",
    "scenario/",
    "timeline/2/",
    "fact/",
    "between/",
    "people/",
    "ultimatums/",
    "achievements/",
    "settings/",
    "begin-again?scenario=one",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "who_asks",
    ["scribe", "player of Daisy", "guest, spectator", "organiser of another table"],
)
def test_an_organisers_form_does_nothing_for_others(
    table: Table, who_asks: str
) -> None:
    """Unless their own pages show it too; knowing the address is not enough."""
    browser, head = comes(table, who_asks)
    mine = At(comes(table, "organiser")[0], table.campaign)
    own = {
        (form.action, form.button)
        for form in _forms(At(browser, table.campaign), PAGES)
    }
    before = all_of_it(table.campaign)
    sure = {"sure": ["yes"], "confirm": ["yes"]}
    statuses, leaks = [], []
    for form in _forms(mine, PAGES):
        if (form.action, form.button) in own:
            continue
        with transaction.atomic():
            answer = browser.post(form.action, form.data | sure, headers=head)
            after = all_of_it(table.campaign)
            transaction.set_rollback(True)
        statuses.append(answer.status_code)
        if after != before or answer.status_code >= 500:
            leaks.append((form.action, form.button, answer.status_code))
    assert leaks == []
    assert {403, 404, 302} & {*statuses}
    if who_asks in OUTSIDE:
        assert {*statuses} <= {404, 302, 405}
