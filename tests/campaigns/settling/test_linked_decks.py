"""Linking a deck to a campaign and unlinking it: its experience, and who may."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import Answer, Changes, Stated
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, Seat
from campaigns.services import EntryRefused, Forbidden
from decks import services as deck_services
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services import ledger
from decks.services.ledger import Earned
from tests.campaigns.files.helpers import exported, import_as
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    as_answers,
    later,
    organiser_of,
    report,
    who,
    write_context,
)
from tests.campaigns.settling.helpers import correct_victory, starter_of, table_with
from tests.decks.edits import apply
from tests.decks.helpers import text_of
from tests.rules.campaign.helpers.games import a_game, begun, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS


def test_a_new_deck_gets_the_campaigns_experience(alice: User) -> None:
    """It was never played: its investigator plays it from now on."""
    campaign = a_campaign(alice, ROLAND)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    content = starter_deck(embedded_pool(), ROLAND)
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    services.link_deck(
        seat=campaign.seats.get(), member=organiser_of(campaign), deck=deck, now=NOW
    )

    assert ledger.balance_of(deck) == 3


def test_a_played_deck_has_its_experience_already(alice: User, deck: Deck) -> None:
    """Its games are in its own ledger; only later differences are booked."""
    deck_services.mark_played(
        deck=deck,
        game=deck_services.PlayedGame(earned=(Earned("victory", 3),)),
        expected_revision=1,
        now=NOW,
    )
    campaign = a_campaign(alice, ROLAND)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    services.link_deck(
        seat=campaign.seats.get(), member=organiser_of(campaign), deck=deck, now=NOW
    )
    assert ledger.balance_of(deck) == 3
    correct_victory(campaign, 3)

    assert ledger.balance_of(deck) == 4


@pytest.mark.parametrize(
    ("mode", "bought", "balance", "said"),
    [
        ("campaign", 2, 0, "the 3 earned so far should be in it already"),
        ("campaign", 0, 3, "The deck got what was earned so far: +3 experience."),
        ("start", 0, 3, "The deck got what was earned so far: +3 experience."),
        ("start", 2, 3, "The deck got what was earned so far: +3 experience."),
    ],
)
def test_a_deck_that_came_with_bought_cards_has_its_experience_already(
    as_alice: Client, alice: User, mode: str, bought: int, balance: int, said: str
) -> None:
    """As from a backup, all of it spent; a first deck pays for its cards itself."""
    campaign = a_campaign(alice, ROLAND)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    content = starter_deck(embedded_pool(), ROLAND)
    slots = content.deck["slots"] | ({"01027": bought} if bought else {})
    content = replace(
        content,
        deck=content.deck | {"slots": slots},
        circumstances=content.circumstances | {"mode": mode},
    )
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    seat = campaign.seats.get()
    page = as_alice.post(
        f"/campaigns/{campaign.pk}/people/seats/{seat.pk}",
        {"deck": f"deck:{deck.pk}"},
        follow=True,
    )

    assert said in text_of(page)
    assert ledger.balance_of(deck) == balance


def test_a_deck_has_one_campaign_and_its_investigators_seat(
    alice: User, campaign: Campaign, deck: Deck
) -> None:
    """All faults are reported at once."""
    other = a_campaign(alice, DAISY, guide=campaign.guide)
    with pytest.raises(EntryRefused) as refused:
        services.link_deck(
            seat=other.seats.get(), member=organiser_of(other), deck=deck, now=NOW
        )

    assert [each.rule for each in refused.value.findings] == [
        "seat.investigator",
        "seat.one-table",
    ]


def test_a_deck_leaves_an_archived_campaign(
    alice: User, campaign: Campaign, deck: Deck
) -> None:
    """Restored, that campaign goes on without it: no deck is in two."""
    report(campaign, as_answers(*won("one")))
    services.archive(campaign=campaign, member=organiser_of(campaign), now=NOW)
    other = a_campaign(alice, ROLAND, guide=campaign.guide)
    services.link_deck(
        seat=other.seats.get(), member=organiser_of(other), deck=deck, now=NOW
    )
    services.archive(campaign=campaign, member=organiser_of(campaign), now=None)
    report(campaign, as_answers(*won("two")))

    assert Seat.objects.get(deck=deck).campaign == other
    assert campaign.seats.get(investigator=ROLAND).kind == Seat.Kind.NONE
    assert ledger.balance_of(deck) == 3


def test_an_ended_campaign_frees_its_decks(
    alice: User, campaign: Campaign, deck: Deck, as_alice: Client
) -> None:
    """They may join another; a campaign in progress keeps them."""
    other = a_campaign(alice, ROLAND, guide=campaign.guide)
    seat, member = other.seats.get(), organiser_of(other)
    for games in (("one",), ("two", "three")):
        with pytest.raises(EntryRefused):
            services.link_deck(seat=seat, member=member, deck=deck, now=NOW)
        report(campaign, as_answers(*(each for game in games for each in won(game))))
    page = as_alice.get(reverse("campaigns:table", args=[campaign.pk]))
    assert (
        "You can play the decks of this table in another campaign"
        in page.content.decode()
    )
    services.link_deck(seat=seat, member=member, deck=deck, now=NOW)

    assert Seat.objects.get(deck=deck).campaign == other


def test_the_question_who_plays_links_to_a_replacement(
    alice: User, campaign: Campaign, as_alice: Client
) -> None:
    """For a killed investigator, until one follows."""
    killed = {ROLAND: "alive", DAISY: "alive"}
    report(campaign, as_answers(*won("one", 2, **killed)))
    gone = Changes(((DAISY, 5, 9, True, False),), ())
    report(campaign, [Answer("inter_scenario", "one", "", gone)])
    report(campaign, as_answers(begun("two", ROLAND)[0]))
    dead = campaign.seats.get(investigator=DAISY)
    table, people = (
        reverse(f"campaigns:{name}", args=[campaign.pk]) for name in ("table", "people")
    )
    way = reverse("campaigns:sit", args=[campaign.pk]) + f"?instead={dead.pk}"
    for page in (table, people):
        assert way in as_alice.get(page).content.decode()
    sat = as_alice.post(
        reverse("campaigns:sit", args=[campaign.pk]),
        {"instead": dead.pk, "seat": f"code:{SKIDS}", "kind": "none", "player": ""},
    )
    assert sat.status_code == 303, sat.content.decode()
    assert sat["Location"] == table
    assert campaign.seats.get(investigator=SKIDS).instead == dead
    for page in (table, people):
        assert way not in as_alice.get(page).content.decode()
    organiser = organiser_of(campaign)
    copy = services.branch(campaign=campaign, member=organiser, now=NOW)
    sent = import_as(alice, exported(campaign)).campaign
    for twin in (copy, sent):
        newcomer = twin.seats.get(investigator=SKIDS)
        assert newcomer.instead == twin.seats.get(investigator=DAISY)


@pytest.mark.parametrize("is_killed", [True, False])
def test_every_investigator_is_replaced_if_none_is_left(
    alice: User, campaign: Campaign, as_alice: Client, is_killed: bool
) -> None:
    """Killed or driven insane: the question who plays links to each replacement."""
    report(campaign, as_answers(*won("one", 2, **{ROLAND: "alive", DAISY: "alive"})))
    trauma = (
        {ROLAND: (9, 0), DAISY: (5, 0)}
        if is_killed
        else {ROLAND: (0, 5), DAISY: (0, 9)}
    )
    lost = tuple(
        (code, *each, is_killed, not is_killed) for code, each in trauma.items()
    )
    report(campaign, [Answer("inter_scenario", "one", "", Changes(lost, ()))])
    report(campaign, as_answers(begun("two", ROLAND)[0]))

    page = as_alice.get(reverse("campaigns:table", args=[campaign.pk]))
    for seat in campaign.seats.all():
        way = reverse("campaigns:sit", args=[campaign.pk]) + f"?instead={seat.pk}"
        assert way in page.content.decode()
    assert ("Killed" if is_killed else "Driven insane") in page.content.decode()


def test_no_one_links_a_deck_of_others(
    campaign: Campaign, deck: Deck, bob: User
) -> None:
    """Not even to their own seat."""
    member = a_member(campaign, bob)
    seat = campaign.seats.get(investigator=ROLAND)
    Seat.objects.filter(pk=seat.pk).update(member=member, deck=None)
    seat.refresh_from_db()
    with pytest.raises(Forbidden):
        services.link_deck(seat=seat, member=member, deck=deck, now=NOW)


@pytest.mark.parametrize("elsewhere", ["", "played", "corrected"])
def test_a_returning_deck_gets_what_it_missed(
    campaign: Campaign, deck: Deck, elsewhere: str
) -> None:
    """It keeps what it had, including experience earned elsewhere meanwhile."""
    report(campaign, as_answers(*won("one")))
    seat, member = campaign.seats.get(investigator=ROLAND), organiser_of(campaign)
    services.unlink_deck(seat=seat, member=member, kind=Seat.Kind.PAPER)
    report(campaign, as_answers(*won("two")))
    assert ledger.balance_of(deck) == 3

    deck.refresh_from_db()
    if elsewhere == "played":
        game = deck_services.PlayedGame(earned=(Earned("victory", 1),))
        deck_services.play_again(
            deck=deck, game=game, expected_revision=deck.revision, now=later(90)
        )
    elif elsewhere == "corrected":
        entry = Earned("correction", 1, "on paper")
        ledger.book(deck, [entry], revision=deck.revision, author=None, now=later(90))
    services.link_deck(seat=seat, member=member, deck=deck, now=later(99))
    had = ledger.balance_of(deck)
    assert had == (4 if elsewhere else 6)

    services.return_to_start(
        campaign=campaign,
        member=member,
        scenario="two",
        context=write_context(campaign),
    )
    assert ledger.balance_of(deck) == had - 3


def _handed_on(campaign: Campaign) -> int:
    """At the upgrade step the table gives Roland 1 more."""
    game = won("one")
    said = {"type": "choice_list", "step": f"$upgrade_decks#{ROLAND}"}
    more = {**said, "scenario": "one", "choices": {"xp": [1]}}
    report(campaign, as_answers(*game[:-1], more, game[-1]))
    return 4


def _returned(campaign: Campaign) -> int:
    """Restart the first game, which is then played without the deck."""
    _handed_on(campaign)
    services.return_to_start(
        campaign=campaign,
        member=organiser_of(campaign),
        scenario="one",
        context=write_context(campaign),
    )
    return 0


@pytest.mark.parametrize("changed", [_handed_on, _returned])
def test_the_tables_corrections_are_not_earned_elsewhere(
    campaign: Campaign, deck: Deck, changed: Callable[[Campaign], int]
) -> None:
    """A deck that leaves after one gets what it missed, too."""
    had = changed(campaign)
    assert ledger.balance_of(deck) == had
    seat, member = campaign.seats.get(investigator=ROLAND), organiser_of(campaign)
    services.unlink_deck(seat=seat, member=member, kind=Seat.Kind.PAPER)
    missed = won("two") if had else won("one")[1:]
    report(campaign, as_answers(*missed))
    services.link_deck(seat=seat, member=member, deck=deck, now=later(99))

    assert ledger.balance_of(deck) == had + 3


def test_the_table_links_to_the_desk(
    campaign: Campaign, deck: Deck, as_alice: Client
) -> None:
    """For the deck's owner, with the balance, after a game; and back."""
    desk = reverse("decks:desk", args=[deck.pk])
    table = reverse("campaigns:table", args=[campaign.pk])
    assert desk not in as_alice.get(table).content.decode()
    report(campaign, as_answers(*won("one")[:-1]))
    page = as_alice.get(table).content.decode()
    asked = page[page.index('class="desks ') :]
    assert desk in asked
    assert "3 experience to spend" in asked[: asked.index(desk)]
    assert f'<a href="{table}">' in as_alice.get(desk).content.decode()


OTHER_FRONT = "90001"  # Daisy's front with sanity 7 instead of 9


def _hurt(campaign: Campaign, mental: int) -> None:
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=Stated("one", do.Trauma("input", mental=mental), (DAISY,), (), "A sight"),
        context=write_context(campaign),
    )


def _fate(campaign: Campaign) -> Fate:
    campaign = Campaign.objects.get(pk=campaign.pk)
    return fate_of(replayed(campaign).replay.state, DAISY)


def test_trauma_is_limited_by_the_decks_front(alice: User) -> None:
    """In copies and files too; a deck with the seat's own front counts as printed."""
    campaign = a_campaign(alice, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    _hurt(campaign, 7)
    assert _fate(campaign) is Fate.ALIVE
    plain = starter_deck(embedded_pool(), DAISY)
    other = apply(plain, [("choose", f"front:{OTHER_FRONT}")], embedded_pool())
    deck = deck_services.create_deck(owner=alice, content=other, now=NOW)
    member = organiser_of(campaign)
    seat = campaign.seats.get()
    services.link_deck(seat=seat, member=member, deck=deck, now=NOW)

    assert _fate(campaign) is Fate.DRIVEN_INSANE
    campaign.refresh_from_db()
    copy = services.branch(campaign=campaign, member=member, now=NOW)
    assert _fate(copy) is Fate.DRIVEN_INSANE
    file = services.export_campaign(member=member)
    guides = Guide.objects.all()
    brought = services.import_campaign(
        organiser=alice, data=file, usable=guides, now=NOW
    )
    assert _fate(brought.campaign) is Fate.DRIVEN_INSANE

    own = deck_services.create_deck(owner=alice, content=plain, now=NOW)
    services.link_deck(seat=seat, member=member, deck=own, now=NOW)
    assert _fate(campaign) is Fate.ALIVE


def test_a_file_with_another_investigators_front_changes_nothing(
    alice: User,
) -> None:
    """Nor does one with unknown codes; only the investigator's own fronts count."""
    campaign = a_campaign(alice, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    _hurt(campaign, 7)
    file = services.export_campaign(member=organiser_of(campaign))
    assert isinstance(file, dict)
    for front, fate in (
        (OTHER_FRONT, Fate.DRIVEN_INSANE),
        (ROLAND, Fate.ALIVE),  # sanity 5
        ("01016", Fate.ALIVE),
        ("none", Fate.ALIVE),
    ):
        brought = services.import_campaign(
            organiser=alice,
            data={**file, "fronts": {DAISY: front, "none": DAISY}},
            usable=Guide.objects.all(),
            now=NOW,
        )
        assert _fate(brought.campaign) is fate, front


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of rows that are locked, in order; once for each query."""
    found: list[str] = []
    fetch = QuerySet._fetch_all

    def fetch_all(rows: QuerySet[Any]) -> None:
        if rows.query.select_for_update and rows._result_cache is None:
            fetch(rows)
            keys: list[Any] = [getattr(each, "pk", each) for each in list(rows)]
            found.append(f"{rows.model.__name__} {keys}")
        fetch(rows)

    monkeypatch.setattr(QuerySet, "_fetch_all", fetch_all)
    return found


@pytest.mark.parametrize("way", ["page", "many", "service"])
def test_a_table_is_locked_before_a_deck_that_is_deleted(
    as_alice: Client, alice: User, locked: list[str], way: str
) -> None:
    """As when it settles: else the two could wait for each other."""
    deck = starter_of(alice, ROLAND)
    campaign = table_with(alice, deck, ROLAND, a_row(a_game("one")))
    deck.refresh_from_db()
    del locked[:]
    if way == "service":
        seen = deck.revision
        deck_services.delete_deck(deck=deck, expected_revision=seen, now=NOW)
    elif way == "page":
        sent = {"revision": str(deck.revision)}
        as_alice.post(f"/decks/{deck.pk}/delete", sent)
    else:
        chosen = f"{deck.pk}.{deck.revision}"
        sent = {"do": "delete", "sure": "1", "deck": chosen}
        as_alice.post("/decks/many", sent)

    assert not Deck.objects.filter(pk=deck.pk).exists()
    rows = f"Campaign [{campaign.pk}]", f"Deck [{deck.pk}]"
    assert [each for each in dict.fromkeys(locked) if each in rows] == [*rows]
    assert locked[0] == rows[0]


def test_tables_that_a_deck_leaves_are_locked_with_the_one_it_joins(
    alice: User, locked: list[str]
) -> None:
    """In the order of their keys, before the deck; a seat after its table."""
    deck = starter_of(alice, ROLAND)
    old = table_with(alice, deck, ROLAND, a_row(a_game("one")))
    Campaign.objects.filter(pk=old.pk).update(archived_at=NOW)
    new = a_campaign(alice, ROLAND)
    seat, member = new.seats.get(), organiser_of(new)
    del locked[:]
    services.link_deck(seat=seat, member=member, deck=deck, now=NOW)
    assert not old.seats.filter(deck=deck).exists()
    assert locked[:2] == [f"Campaign [{old.pk}, {new.pk}]", f"Deck [{deck.pk}]"]
    del locked[:]
    services.unlink_deck(seat=seat, member=member)
    assert locked == [f"Campaign [{new.pk}]"]
