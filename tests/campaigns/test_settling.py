"""A settled scenario is the decks' at once; what is taken back is taken back there."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from arkham.accounts.models import User
from arkham.rules.campaign.state.answers import Answer, Changes
from arkham.rules.legality import Verdict, check, judge_of
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Seat, Settlement
from campaigns.services import EntryRefused, Forbidden, WriteContext
from decks import services as deck_services
from decks.lists.content import Content
from decks.lists.starter import starter_deck
from decks.models import Deck, Desk, Revision
from decks.services import ledger
from decks.services.ledger import Earned
from tests.campaigns.tables import (
    NOW,
    STORY,
    a_campaign,
    a_member,
    a_row,
    later,
    organiser_of,
    report,
    sequence_of,
    told,
    who,
)
from tests.decks.edits import apply
from tests.rules.campaign.helpers.games import a_game, begun, won
from tests.rules.campaign.small import DAISY, ROLAND, SKIDS, does

BEAT_COP, BEAT_COP_2 = "01018", "01028"  # an upgrade costs 2


@pytest.fixture
def deck(alice: User) -> Deck:
    """Roland's first deck."""
    content = starter_deck(embedded_pool(), ROLAND)
    return deck_services.create_deck(owner=alice, content=content, now=NOW)


@pytest.fixture
def campaign(alice: User, deck: Deck) -> Campaign:
    """Alice plays Roland with her deck; Daisy's is on paper."""
    begun = a_campaign(alice, DAISY)
    organiser = organiser_of(begun)
    services.add_seat(
        campaign=begun,
        member=organiser,
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    report(begun, told(who(ROLAND, DAISY)))
    return begun


def check_content(content: Content) -> Verdict:
    """The verdict on a deck."""
    asked = content.asked()
    return check(judge_of(embedded_pool()), asked.deck, asked.circumstances)


def _booked(deck: Deck) -> list[tuple[str, int, str]]:
    return list(deck.ledger.order_by("number").values_list("kind", "amount", "reason"))


def _latest(deck: Deck) -> Revision:
    deck.refresh_from_db()
    return deck.revisions.get(number=deck.revision)


def _retract(campaign: Campaign, sequence: int) -> None:
    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence,
        sight=WriteContext(campaign.last, later(campaign.last)),
    )


def _correct(campaign: Campaign, count: int) -> None:
    (given,) = told(
        {"type": "count", "step": "victory", "scenario": "one", "count": count}
    )
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, "victory"),
        given=given._replace(sequence=0),
        reason="Miscounted",
        sight=WriteContext(campaign.last, later(campaign.last)),
    )


def _upgrade(deck: Deck) -> Revision:
    latest = _latest(deck)
    content = apply(
        deck_services.opened(latest),
        [("remove", BEAT_COP), ("add", BEAT_COP_2)],
        embedded_pool(),
    )
    return deck_services.upgrade_deck(
        deck=deck, content=content, expected_revision=deck.revision, now=later(60)
    )


def test_a_deck_has_its_experience_when_it_is_upgraded(
    campaign: Campaign, deck: Deck
) -> None:
    """Before the table says that decks are done, for they are upgraded now."""
    report(campaign, told(*won("one")[:-2]))
    assert _booked(deck) == []
    report(campaign, told(won("one")[-2]))

    assert _booked(deck) == [
        ("victory", 2, "Friday: one"),
        ("bonus", 1, "Friday: one"),
    ]
    latest = _latest(deck)
    assert latest.played_at is not None
    assert latest.aftermath == {"granted": {STORY: 1}}
    report(campaign, told(won("one")[-1]))
    assert ledger.balance_of(deck) == 3
    assert _latest(deck).number == 1


def test_the_next_game_goes_on_with_the_upgraded_deck(
    campaign: Campaign, deck: Deck
) -> None:
    """An upgrade is paid from what the campaign brought."""
    report(campaign, told(*won("one")))
    upgraded = _upgrade(deck)
    report(campaign, told(*won("two", 1)))

    assert upgraded.list["slots"][STORY] == 1
    assert [(kind, amount) for kind, amount, _reason in _booked(deck)] == [
        ("victory", 2),
        ("bonus", 1),
        ("spent", -2),
        ("victory", 1),
        ("bonus", 1),
    ]
    assert _latest(deck).number == upgraded.number
    assert _latest(deck).played_at is not None


def test_a_game_without_an_upgrade_before_is_a_game_too(
    campaign: Campaign, deck: Deck
) -> None:
    """The deck goes on as the last game left it."""
    report(campaign, told(*won("one"), *won("two")))

    assert _latest(deck).number == 2
    assert _latest(deck).list["slots"][STORY] == 1
    assert ledger.balance_of(deck) == 6


def test_what_is_taken_back_is_taken_back_in_the_deck(
    campaign: Campaign, deck: Deck
) -> None:
    """Nothing grew from the game: the deck is as before it."""
    report(campaign, told(*won("one")))
    for step in ("$upgrade_decks", "victory"):
        _retract(campaign, sequence_of(campaign, step))

    assert ledger.balance_of(deck) == 0
    assert _booked(deck)[-2:] == [
        ("victory", -2, "Friday: one, taken back"),
        ("bonus", -1, "Friday: one, taken back"),
    ]
    latest = _latest(deck)
    assert (latest.number, latest.played_at, latest.aftermath) == (1, None, {})


def test_a_settlement_taken_back_and_given_again_is_settled_again(
    campaign: Campaign, deck: Deck
) -> None:
    """Once, whatever happened in between."""
    report(campaign, told(*won("one")))
    _retract(campaign, sequence_of(campaign, "$choose_resolution"))
    assert ledger.balance_of(deck) == 0
    _retract(campaign, campaign.last)

    assert ledger.balance_of(deck) == 3
    assert _latest(deck).aftermath == {"granted": {STORY: 1}}
    assert Settlement.objects.filter(taken_back_at=None, scenario="one").count() == 1


def test_a_correction_books_the_difference(campaign: Campaign, deck: Deck) -> None:
    """Up, and down again."""
    report(campaign, told(*won("one")))
    _correct(campaign, 5)
    assert _booked(deck)[-1] == ("victory", 3, "Friday: one, put right")
    _correct(campaign, 0)

    assert _booked(deck)[-1] == ("victory", -5, "Friday: one, put right")
    assert ledger.balance_of(deck) == 1
    assert ledger.earned_by(deck) == 1


def test_what_was_spent_already_leaves_the_deck_in_debt(
    campaign: Campaign, deck: Deck
) -> None:
    """Nothing is lost: the upgrade stands, and its ledger is below zero."""
    report(campaign, told(*won("one")))
    upgraded = _upgrade(deck)
    _retract(campaign, sequence_of(campaign, "$choose_resolution"))
    latest = _latest(deck)

    assert ledger.balance_of(deck) == -2
    assert latest.list["slots"][BEAT_COP_2] == upgraded.list["slots"][BEAT_COP_2]
    assert STORY not in latest.list["slots"]

    report(
        campaign,
        told(
            {
                "type": "choice",
                "step": "$choose_resolution",
                "scenario": "one",
                "choice": 1,
            }
        ),
    )
    assert ledger.balance_of(deck) == 1
    latest = _latest(deck)
    assert latest.list["slots"][STORY] == 1
    assert deck.revisions.filter(played_at__isnull=False).count() == 1


def test_an_upgrade_under_way_is_not_lost(campaign: Campaign, deck: Deck) -> None:
    """What lies on the desk stays there; only what was brought is booked out."""
    report(campaign, told(*won("one")))
    latest = _latest(deck)
    content = apply(
        deck_services.opened(latest), [("remove", BEAT_COP)], embedded_pool()
    )
    deck_services.lay_out(
        deck=deck, content=content, window={}, seen=1, expected_version=0, now=NOW
    )
    _retract(campaign, sequence_of(campaign, "$choose_resolution"))
    desk = Desk.objects.get(deck=deck)

    assert desk.seen == _latest(deck).number
    assert desk.list["slots"].get(BEAT_COP) == 1
    assert STORY not in desk.list["slots"]
    assert ledger.balance_of(deck) == 0


def test_return_to_the_start_takes_a_whole_scenario_back(
    campaign: Campaign, deck: Deck
) -> None:
    """What the one before brought stays."""
    report(campaign, told(*won("one"), *won("two")))
    services.return_to_start(
        campaign=campaign,
        member=organiser_of(campaign),
        scenario="two",
        sight=WriteContext(campaign.last, later(90)),
    )

    assert ledger.balance_of(deck) == 3
    assert _latest(deck).played_at is None


def test_everything_or_nothing(
    campaign: Campaign, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a deck cannot be settled, the answer is not written either."""
    report(campaign, told(*won("one")[:-2]))
    last = campaign.last

    def fail(*_arguments: object, **_named: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(ledger, "book", fail)
    with pytest.raises(OSError, match="disk full"):
        report(campaign, told(won("one")[-2]))

    assert Campaign.objects.get(pk=campaign.pk).last == last
    assert campaign.entries.count() == last
    assert _latest(deck).played_at is None


# --- decks and seats


def test_a_new_deck_gets_what_the_campaign_brought_so_far(alice: User) -> None:
    """It has never been played: it is what its investigator plays from now on."""
    campaign = a_campaign(alice, ROLAND)
    report(campaign, told(who(ROLAND, DAISY), *won("one")))
    content = starter_deck(embedded_pool(), ROLAND)
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    services.link_deck(
        seat=campaign.seats.get(), member=organiser_of(campaign), deck=deck, now=NOW
    )

    assert ledger.balance_of(deck) == 3


def test_a_deck_that_was_played_has_what_it_was_brought(
    alice: User, deck: Deck
) -> None:
    """Its games are in its own ledger; only a difference is booked later."""
    deck_services.mark_played(
        deck=deck,
        game=deck_services.PlayedGame(earned=(Earned("victory", 3),)),
        expected_revision=1,
        now=NOW,
    )
    campaign = a_campaign(alice, ROLAND)
    report(campaign, told(who(ROLAND, DAISY), *won("one")))
    services.link_deck(
        seat=campaign.seats.get(), member=organiser_of(campaign), deck=deck, now=NOW
    )
    assert ledger.balance_of(deck) == 3
    _correct(campaign, 3)

    assert ledger.balance_of(deck) == 4


def test_a_deck_sits_at_one_table_and_is_its_investigators(
    alice: User, campaign: Campaign, deck: Deck
) -> None:
    """Everything that is wrong is said at once."""
    other = a_campaign(alice, DAISY, guide=campaign.guide)
    with pytest.raises(EntryRefused) as refused:
        services.link_deck(
            seat=other.seats.get(), member=organiser_of(other), deck=deck, now=NOW
        )

    assert [each.rule for each in refused.value.findings] == [
        "seat.investigator",
        "seat.one-table",
    ]


def test_a_deck_leaves_a_table_that_was_put_away(
    alice: User, campaign: Campaign, deck: Deck
) -> None:
    """Taken out again, that table plays without it: no deck is at two tables."""
    report(campaign, told(*won("one")))
    services.archive(campaign=campaign, member=organiser_of(campaign), now=NOW)
    other = a_campaign(alice, ROLAND, guide=campaign.guide)
    services.link_deck(
        seat=other.seats.get(), member=organiser_of(other), deck=deck, now=NOW
    )
    services.archive(campaign=campaign, member=organiser_of(campaign), now=None)
    report(campaign, told(*won("two")))

    assert Seat.objects.get(deck=deck).campaign == other
    assert campaign.seats.get(investigator=ROLAND).kind == Seat.Kind.NONE
    assert ledger.balance_of(deck) == 3


def test_a_campaign_that_is_over_frees_its_decks(
    alice: User, campaign: Campaign, deck: Deck, as_alice: Client
) -> None:
    """They may sit at another table; one that is going on keeps them."""
    other = a_campaign(alice, ROLAND, guide=campaign.guide)
    seat, member = other.seats.get(), organiser_of(other)
    for games in (("one",), ("two", "three")):
        with pytest.raises(EntryRefused):
            services.link_deck(seat=seat, member=member, deck=deck, now=NOW)
        report(campaign, told(*(each for game in games for each in won(game))))
    page = as_alice.get(reverse("campaigns:table", args=[campaign.pk]))
    assert "The decks of this table are free" in page.content.decode()
    services.link_deck(seat=seat, member=member, deck=deck, now=NOW)

    assert Seat.objects.get(deck=deck).campaign == other


def test_the_question_who_plays_leads_to_a_replacement(
    alice: User, campaign: Campaign, as_alice: Client
) -> None:
    """For one killed, until somebody takes over; then nowhere any more."""
    killed = {ROLAND: "alive", DAISY: "alive"}
    report(campaign, told(*won("one", 2, **killed)))
    gone = Changes(((DAISY, 9, 9, True, False),), ())
    report(campaign, [Answer("inter_scenario", "one", "", gone)])
    report(campaign, told(begun("two", ROLAND)[0]))
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


@pytest.mark.parametrize("is_killed", [True, False])
def test_where_nobody_is_left_everybody_is_replaced(
    alice: User, campaign: Campaign, as_alice: Client, is_killed: bool
) -> None:
    """Killed or driven insane: the question who plays leads to each replacement."""
    report(campaign, told(*won("one", 2, **{ROLAND: "alive", DAISY: "alive"})))
    trauma = (
        {ROLAND: (9, 0), DAISY: (5, 0)}
        if is_killed
        else {ROLAND: (0, 5), DAISY: (0, 9)}
    )
    lost = tuple(
        (code, *each, is_killed, not is_killed) for code, each in trauma.items()
    )
    report(campaign, [Answer("inter_scenario", "one", "", Changes(lost, ()))])
    report(campaign, told(begun("two", ROLAND)[0]))

    page = as_alice.get(reverse("campaigns:table", args=[campaign.pk]))
    for seat in campaign.seats.all():
        way = reverse("campaigns:sit", args=[campaign.pk]) + f"?instead={seat.pk}"
        assert way in page.content.decode()
    assert ("Killed" if is_killed else "Driven insane") in page.content.decode()


def test_nobody_links_the_deck_of_another(
    campaign: Campaign, deck: Deck, bob: User
) -> None:
    """Not even for their own seat."""
    member = a_member(campaign, bob)
    seat = campaign.seats.get(investigator=ROLAND)
    Seat.objects.filter(pk=seat.pk).update(member=member, deck=None)
    seat.refresh_from_db()
    with pytest.raises(Forbidden):
        services.link_deck(seat=seat, member=member, deck=deck, now=NOW)


def test_a_deck_that_goes_keeps_what_it_was_brought(
    campaign: Campaign, deck: Deck
) -> None:
    """And is brought nothing more."""
    report(campaign, told(*won("one")))
    seat = campaign.seats.get(investigator=ROLAND)
    services.unlink_deck(seat=seat, member=organiser_of(campaign), kind=Seat.Kind.PAPER)
    report(campaign, told(*won("two")))

    assert ledger.balance_of(deck) == 3
    services.link_deck(seat=seat, member=organiser_of(campaign), deck=deck, now=NOW)
    assert ledger.balance_of(deck) == 3


def test_a_story_card_makes_no_room_for_itself(alice: User) -> None:
    """A weakness still to be drawn stays to be drawn."""
    base = starter_deck(embedded_pool(), ROLAND)
    slots = {**base.deck["slots"], "01000": 1}
    content = Content({**base.deck, "slots": slots}, base.circumstances)
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    campaign = a_campaign(alice)
    services.add_seat(
        campaign=campaign,
        member=organiser_of(campaign),
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    report(campaign, told(who(ROLAND, DAISY), *won("one"), *won("two")))
    held = _latest(deck).list["slots"]

    assert (held[STORY], held["01000"]) == (1, 1)


def test_a_card_no_deck_can_name_stays_in_the_log(alice: User, deck: Deck) -> None:
    """Of a campaign of players' own: the investigator has it, the deck is legal."""
    own = "zoz_00001"
    given = {"type": "add_card", "investigator": "all", "card": own}
    guide = a_row(a_game("one", does(given, step_id="own")), a_game("two"))
    campaign = a_campaign(alice, guide=guide)
    services.add_seat(
        campaign=campaign,
        member=organiser_of(campaign),
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    report(campaign, told(who(ROLAND, DAISY), *won("one"), *won("two")))

    assert own in (replayed(campaign).replay.state.people[ROLAND].story or ())
    assert own not in _latest(deck).list["slots"]
    assert not any(row.content["cards"] for row in Settlement.objects.all())


def test_a_side_scenario_is_paid_with_what_the_deck_has(
    campaign: Campaign, deck: Deck
) -> None:
    """Roland has 3 experience; what Daisy has on paper nobody here knows."""
    report(campaign, told(*won("one")))

    def begin(cost: int) -> None:
        (given,) = told(
            {
                "type": "start_side_scenario",
                "scenario": "own-1",
                "previousScenarioId": "one",
                "sideScenarioType": "custom",
                "name": "A night out",
                "xpCost": cost,
            }
        )
        services.answer(
            campaign=campaign,
            member=organiser_of(campaign),
            given=given._replace(sequence=0),
            sight=WriteContext(campaign.last, later(campaign.last)),
        )

    with pytest.raises(EntryRefused) as refused:
        begin(4)
    assert [(each.rule, each.cards) for each in refused.value.findings] == [
        ("side.cost", (ROLAND,))
    ]
    begin(3)
    assert ledger.balance_of(deck) == 3


def test_the_table_shows_the_way_to_the_desk(
    campaign: Campaign, deck: Deck, as_alice: Client
) -> None:
    """To whoever owns the deck, with what is to spend; not before it was played."""
    desk = reverse("decks:desk", args=[deck.pk])
    table = reverse("campaigns:table", args=[campaign.pk])
    assert desk not in as_alice.get(table).content.decode()
    report(campaign, told(*won("one")[:-1]))
    page = as_alice.get(table).content.decode()
    asked = page[page.index('class="desks ') :]
    assert desk in asked
    assert "3 experience to spend" in asked[: asked.index(desk)]


COVER_UP, ADVANCED_COVER_UP = "01007", "90031"


def test_a_signature_that_a_guide_exchanges_may_stand_beside_the_other(
    alice: User, deck: Deck
) -> None:
    """Several side stories give one advanced signature and leave the other as it is."""
    his = {
        "investigator": "$fixed_investigator",
        "fixed_investigator": ROLAND,
        "non_story": True,
    }
    exchange = does(
        {"type": "remove_card", "card": COVER_UP, **his},
        {"type": "add_card", "card": ADVANCED_COVER_UP, **his},
        step_id="exchange",
    )
    campaign = a_campaign(
        alice, DAISY, guide=a_row(a_game("one", exchange), a_game("two"))
    )
    services.add_seat(
        campaign=campaign,
        member=organiser_of(campaign),
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    report(campaign, told(who(ROLAND, DAISY), *won("one")))
    opened = deck_services.opened(_latest(deck))
    assert opened.deck["slots"][ADVANCED_COVER_UP] == 1
    assert COVER_UP not in opened.deck["slots"]
    assert opened.circumstances["given_signatures"] == [ADVANCED_COVER_UP]
    upgraded = _upgrade(deck)
    assert upgraded.reason == ""
    verdict = check_content(upgraded.content)
    assert "required.versions" not in {each.rule for each in verdict.findings}


def test_without_a_campaign_the_window_says_so(deck: Deck) -> None:
    """The table tells of the game what the guide ordered."""
    deck_services.mark_played(
        deck=deck,
        game=deck_services.PlayedGame(
            aftermath={"taken": {COVER_UP: 1}, "granted": {ADVANCED_COVER_UP: 1}}
        ),
        expected_revision=deck.revision,
        now=NOW,
    )
    opened = deck_services.opened(_latest(deck))
    preview = deck_services.preview_upgrade(deck=deck, content=opened)
    assert "required.versions" not in {each.rule for each in preview.findings}
    verdict = check_content(opened)
    assert "required.versions" not in {each.rule for each in verdict.findings}
