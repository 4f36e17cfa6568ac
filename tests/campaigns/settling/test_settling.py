"""A settled scenario is the decks' at once; what is taken back is taken back there."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Settlement
from campaigns.services import EntryRefused, WriteContext
from decks import services as deck_services
from decks.lists.content import Content
from decks.lists.starter import starter_deck
from decks.models import Deck, Desk
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    NOW,
    STORY,
    a_campaign,
    a_row,
    as_answers,
    later,
    organiser_of,
    report,
    sequence_of,
    who,
)
from tests.campaigns.settling.helpers import (
    BEAT_COP,
    BEAT_COP_2,
    check_content,
    correct_victory,
    retract_entry,
    upgrade_cop,
)
from tests.decks.edits import apply
from tests.decks.helpers import latest_of
from tests.decks.life.helpers import booked_lines
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, does

COLLECTOR, LOST_SOUL = "12181", "03227"  # a reward; a weakness of a story


def test_a_deck_has_its_experience_when_it_is_upgraded(
    campaign: Campaign, deck: Deck
) -> None:
    """Before the table says that decks are done, for they are upgraded now."""
    report(campaign, as_answers(*won("one")[:-2]))
    assert booked_lines(deck) == []
    report(campaign, as_answers(won("one")[-2]))

    assert booked_lines(deck) == [
        ("victory", 2, "Friday: one"),
        ("bonus", 1, "Friday: one"),
    ]
    latest = latest_of(deck)
    assert latest.played_at is not None
    assert latest.aftermath == {"granted": {STORY: 1}}
    report(campaign, as_answers(won("one")[-1]))
    assert ledger.balance_of(deck) == 3
    assert latest_of(deck).number == 1


def test_the_next_game_goes_on_with_the_upgraded_deck(
    campaign: Campaign, deck: Deck
) -> None:
    """An upgrade is paid from what the campaign brought."""
    report(campaign, as_answers(*won("one")))
    upgraded = upgrade_cop(deck)
    report(campaign, as_answers(*won("two", 1)))

    assert upgraded.list["slots"][STORY] == 1
    assert [(kind, amount) for kind, amount, _reason in booked_lines(deck)] == [
        ("victory", 2),
        ("bonus", 1),
        ("spent", -2),
        ("victory", 1),
        ("bonus", 1),
    ]
    assert latest_of(deck).number == upgraded.number
    assert latest_of(deck).played_at is not None


def test_a_game_without_an_upgrade_before_is_a_game_too(
    campaign: Campaign, deck: Deck
) -> None:
    """The deck goes on as the last game left it."""
    report(campaign, as_answers(*won("one"), *won("two")))

    assert latest_of(deck).number == 2
    assert latest_of(deck).list["slots"][STORY] == 1
    assert ledger.balance_of(deck) == 6


def test_what_is_taken_back_is_taken_back_in_the_deck(
    campaign: Campaign, deck: Deck
) -> None:
    """Nothing grew from the game: the deck is as before it."""
    report(campaign, as_answers(*won("one")))
    for step in ("$upgrade_decks", "victory"):
        retract_entry(campaign, sequence_of(campaign, step))

    assert ledger.balance_of(deck) == 0
    assert booked_lines(deck)[-2:] == [
        ("victory", -2, "Friday: one, undone"),
        ("bonus", -1, "Friday: one, undone"),
    ]
    latest = latest_of(deck)
    assert (latest.number, latest.played_at, latest.aftermath) == (1, None, {})


def test_a_settlement_taken_back_and_given_again_is_settled_again(
    campaign: Campaign, deck: Deck
) -> None:
    """Once, whatever happened in between."""
    report(campaign, as_answers(*won("one")))
    retract_entry(campaign, sequence_of(campaign, "$choose_resolution"))
    assert ledger.balance_of(deck) == 0
    retract_entry(campaign, campaign.last)

    assert ledger.balance_of(deck) == 3
    assert latest_of(deck).aftermath == {"granted": {STORY: 1}}
    assert Settlement.objects.filter(taken_back_at=None, scenario="one").count() == 1


def test_a_correction_books_the_difference(campaign: Campaign, deck: Deck) -> None:
    """Up, and down again."""
    report(campaign, as_answers(*won("one")))
    correct_victory(campaign, 5)
    assert booked_lines(deck)[-1] == ("victory", 3, "Friday: one, corrected")
    correct_victory(campaign, 0)

    assert booked_lines(deck)[-1] == ("victory", -5, "Friday: one, corrected")
    assert ledger.balance_of(deck) == 1
    assert ledger.earned_by(deck) == 1


def test_what_was_spent_already_leaves_the_deck_in_debt(
    campaign: Campaign, deck: Deck
) -> None:
    """Nothing is lost: the upgrade stands, and its ledger is below zero."""
    report(campaign, as_answers(*won("one")))
    upgraded = upgrade_cop(deck)
    retract_entry(campaign, sequence_of(campaign, "$choose_resolution"))
    latest = latest_of(deck)

    assert ledger.balance_of(deck) == -2
    assert latest.list["slots"][BEAT_COP_2] == upgraded.list["slots"][BEAT_COP_2]
    assert STORY not in latest.list["slots"]

    report(
        campaign,
        as_answers(
            {
                "type": "choice",
                "step": "$choose_resolution",
                "scenario": "one",
                "choice": 1,
            }
        ),
    )
    assert ledger.balance_of(deck) == 1
    latest = latest_of(deck)
    assert latest.list["slots"][STORY] == 1
    assert deck.revisions.filter(played_at__isnull=False).count() == 1


def test_an_upgrade_under_way_is_not_lost(campaign: Campaign, deck: Deck) -> None:
    """What lies on the desk stays there; only what was brought is booked out."""
    report(campaign, as_answers(*won("one")))
    latest = latest_of(deck)
    content = apply(
        deck_services.opened(latest), [("remove", BEAT_COP)], embedded_pool()
    )
    deck_services.lay_out(
        deck=deck, content=content, window={}, seen=1, expected_version=0, now=NOW
    )
    retract_entry(campaign, sequence_of(campaign, "$choose_resolution"))
    desk = Desk.objects.get(deck=deck)

    assert desk.seen == latest_of(deck).number
    assert desk.list["slots"].get(BEAT_COP) == 1
    assert STORY not in desk.list["slots"]
    assert ledger.balance_of(deck) == 0


def test_return_to_the_start_takes_a_whole_scenario_back(
    campaign: Campaign, deck: Deck
) -> None:
    """What the one before brought stays."""
    report(campaign, as_answers(*won("one"), *won("two")))
    services.return_to_start(
        campaign=campaign,
        member=organiser_of(campaign),
        scenario="two",
        context=WriteContext(campaign.last, later(90)),
    )

    assert ledger.balance_of(deck) == 3
    assert latest_of(deck).played_at is None


def test_everything_or_nothing(
    campaign: Campaign, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a deck cannot be settled, the answer is not written either."""
    report(campaign, as_answers(*won("one")[:-2]))
    last = campaign.last

    def fail(*_arguments: object, **_named: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(ledger, "book", fail)
    with pytest.raises(OSError, match="disk full"):
        report(campaign, as_answers(won("one")[-2]))

    assert Campaign.objects.get(pk=campaign.pk).last == last
    assert campaign.entries.count() == last
    assert latest_of(deck).played_at is None


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
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one"), *won("two")))
    held = latest_of(deck).list["slots"]

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
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one"), *won("two")))

    assert own in (replayed(campaign).replay.state.people[ROLAND].story or ())
    assert own not in latest_of(deck).list["slots"]
    assert not any(row.content["cards"] for row in Settlement.objects.all())


def test_a_side_scenario_is_paid_with_what_the_deck_has(
    campaign: Campaign, deck: Deck
) -> None:
    """Roland has 3 experience; what Daisy has on paper nobody here knows."""
    report(campaign, as_answers(*won("one")))

    def begin(cost: int) -> None:
        (given,) = as_answers(
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
            context=WriteContext(campaign.last, later(campaign.last)),
        )

    with pytest.raises(EntryRefused) as refused:
        begin(4)
    assert [(each.rule, each.cards) for each in refused.value.findings] == [
        ("side.cost", (ROLAND,))
    ]
    begin(3)
    assert ledger.balance_of(deck) == 3


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
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    opened = deck_services.opened(latest_of(deck))
    assert opened.deck["slots"][ADVANCED_COVER_UP] == 1
    assert COVER_UP not in opened.deck["slots"]
    assert opened.circumstances["given_signatures"] == [ADVANCED_COVER_UP]
    upgraded = upgrade_cop(deck)
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
    opened = deck_services.opened(latest_of(deck))
    preview = deck_services.preview_upgrade(deck=deck, content=opened)
    assert "required.versions" not in {each.rule for each in preview.findings}
    verdict = check_content(opened)
    assert "required.versions" not in {each.rule for each in verdict.findings}


@pytest.mark.parametrize("code", [STORY, COLLECTOR, LOST_SOUL])
def test_what_the_campaign_gave_counts_as_earned(
    deck: Deck, alice: User, code: str
) -> None:
    """A story card, a reward or a story weakness: the desk makes no remark on it."""
    who_gets = {"investigator": "$fixed_investigator", "fixed_investigator": ROLAND}
    gives = does({"type": "add_card", "card": code, **who_gets}, step_id="gives")
    guide = a_row(a_game("one", gives), a_game("two"))
    campaign = a_campaign(alice, DAISY, guide=guide)
    services.add_seat(
        campaign=campaign,
        member=organiser_of(campaign),
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    opened = deck_services.opened(latest_of(deck))
    assert code in opened.deck["slots"]
    assert code in opened.circumstances["campaign_cards"]
    assumed = {"access.story", "access.reward"}
    assert not assumed & {each.rule for each in check_content(opened).findings}
    if code == STORY:
        upgraded = upgrade_cop(deck).content
        assert upgraded.circumstances["campaign_cards"] == [STORY]
        assert not assumed & {each.rule for each in check_content(upgraded).findings}
