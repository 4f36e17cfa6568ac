"""A settled scenario updates decks at once; undoing it updates them back."""

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
    write_context,
)
from tests.campaigns.settling.helpers import (
    BEAT_COP,
    BEAT_COP_2,
    check_content,
    correct_victory,
    retract_entry,
    table_with,
    upgrade_cop,
)
from tests.decks.edits import apply
from tests.decks.games_and_upgrades.helpers import booked_lines
from tests.decks.helpers import latest_of
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, a_step

COLLECTOR, LOST_SOUL = "12181", "03227"  # a reward; a weakness of a story


def test_a_deck_has_its_experience_at_the_upgrade_step(
    campaign: Campaign, deck: Deck
) -> None:
    """Before the table says that decks are done."""
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


def test_the_next_game_uses_the_upgraded_deck(campaign: Campaign, deck: Deck) -> None:
    """An upgrade is paid from the campaign's experience."""
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


def test_a_game_without_an_upgrade_before_it_counts_too(
    campaign: Campaign, deck: Deck
) -> None:
    """The deck goes on as the last game left it."""
    report(campaign, as_answers(*won("one"), *won("two")))

    assert latest_of(deck).number == 2
    assert latest_of(deck).list["slots"][STORY] == 1
    assert ledger.balance_of(deck) == 6


def test_undoing_a_game_undoes_it_in_the_deck(campaign: Campaign, deck: Deck) -> None:
    """Without later changes the deck is as before it."""
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


def test_a_settlement_undone_and_repeated_counts_once(
    campaign: Campaign, deck: Deck
) -> None:
    """Whatever happened in between."""
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


def test_a_correction_after_spending_leaves_a_debt(
    campaign: Campaign, deck: Deck
) -> None:
    """The upgrade stays, and its ledger is below zero."""
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


def test_an_unfinished_upgrade_is_kept(campaign: Campaign, deck: Deck) -> None:
    """The desk stays; only the experience is booked out."""
    report(campaign, as_answers(*won("one")))
    latest = latest_of(deck)
    content = apply(
        deck_services.opened(latest), [("remove", BEAT_COP)], embedded_pool()
    )
    deck_services.save_desk(
        deck=deck, content=content, window={}, seen=1, expected_version=0, now=NOW
    )
    retract_entry(campaign, sequence_of(campaign, "$choose_resolution"))
    desk = Desk.objects.get(deck=deck)

    assert desk.seen == latest_of(deck).number
    assert desk.list["slots"].get(BEAT_COP) == 1
    assert STORY not in desk.list["slots"]
    assert ledger.balance_of(deck) == 0


def test_restarting_undoes_a_whole_scenario(campaign: Campaign, deck: Deck) -> None:
    """The experience of the one before stays."""
    report(campaign, as_answers(*won("one"), *won("two")))
    services.return_to_start(
        campaign=campaign,
        member=organiser_of(campaign),
        scenario="two",
        context=WriteContext(campaign.last, later(90)),
    )

    assert ledger.balance_of(deck) == 3
    assert latest_of(deck).played_at is None


def test_settling_is_all_or_nothing(
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


def test_a_card_unknown_to_decks_stays_in_the_log(alice: User, deck: Deck) -> None:
    """In a campaign of players' own: the investigator has it, the deck is legal."""
    own = "zoz_00001"
    given = {"type": "add_card", "investigator": "all", "card": own}
    guide = a_row(a_game("one", a_step(given, step_id="own")), a_game("two"))
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


def test_a_side_scenario_is_paid_from_the_decks_balance(
    campaign: Campaign, deck: Deck
) -> None:
    """Roland has 3 experience; Daisy's paper deck is unknown."""
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


def test_an_exchanged_signature_may_be_mixed_with_the_other(
    alice: User, deck: Deck
) -> None:
    """Several side stories give one advanced signature and leave the other as it is."""
    his = {
        "investigator": "$fixed_investigator",
        "fixed_investigator": ROLAND,
        "non_story": True,
    }
    exchange = a_step(
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


def test_without_a_campaign_the_window_has_its_changes(deck: Deck) -> None:
    """The player enters what the guide ordered."""
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
def test_cards_given_by_the_campaign_count_as_earned(
    deck: Deck, alice: User, code: str
) -> None:
    """A story card, a reward or a story weakness: the desk has no remark on it."""
    who_gets = {"investigator": "$fixed_investigator", "fixed_investigator": ROLAND}
    gives = a_step({"type": "add_card", "card": code, **who_gets}, step_id="gives")
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


@pytest.mark.parametrize("way", [0, 1])
def test_a_correction_updates_which_cards_count_as_earned(
    deck: Deck, alice: User, way: int
) -> None:
    """Story cards, after another game as well: the desk has no remark on them."""
    gives = {"type": "add_card", "card": STORY, "investigator": "all"}
    ways = [{"id": f"way_{n}", "text": "", "effects": [gives] * n} for n in (0, 1)]
    asks = {"type": "choose_one", "choices": ways}
    games = (a_game("one", {"id": "what", "type": "input", "input": asks}),)
    campaign = table_with(alice, deck, guide=a_row(*games, a_game("two")))
    said = {"type": "choice", "step": "what", "scenario": "one"}
    begun, *rest = won("one")
    first = [begun, *rest[:2], {**said, "choice": 1 - way}, *rest[2:]]
    report(campaign, as_answers(*first))
    upgrade_cop(deck)
    (given,) = as_answers({**said, "choice": way})
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, "what"),
        given=given._replace(sequence=0),
        reason="It was not so",
        context=write_context(campaign),
    )
    report(campaign, as_answers(*won("two")))
    opened = deck_services.opened(latest_of(deck))
    assert opened.deck["slots"].get(STORY, 0) == way
    assert opened.circumstances.get("campaign_cards", []) == [STORY] * way
    assert "access.story" not in {each.rule for each in check_content(opened).findings}


@pytest.mark.parametrize("is_upgraded", [True, False])
@pytest.mark.parametrize(("undone", "copies"), [("one", 0), ("two", 1)])
def test_a_removed_card_no_longer_counts_as_earned(
    deck: Deck, alice: User, undone: str, copies: int, is_upgraded: bool
) -> None:
    """Nor after both games are undone; if only the second is, it does again."""
    who_has = {"investigator": "$fixed_investigator", "fixed_investigator": ROLAND}
    gives, takes = (
        a_step({"type": f"{each}_card", "card": STORY, **who_has}, step_id=each)
        for each in ("add", "remove")
    )
    guide = a_row(a_game("one", gives), a_game("two", takes), a_game("three"))
    campaign = table_with(alice, deck, guide=guide)
    report(campaign, as_answers(*won("one"), *won("two")))
    opened = deck_services.opened(latest_of(deck))
    assert STORY not in opened.deck["slots"]
    assert "campaign_cards" not in opened.circumstances
    if is_upgraded:
        deck.refresh_from_db()
        upgrade_cop(deck)

    services.return_to_start(
        campaign=campaign,
        member=organiser_of(campaign),
        scenario=undone,
        context=write_context(campaign),
    )
    deck.refresh_from_db()
    opened = deck_services.opened(latest_of(deck))
    assert opened.deck["slots"].get(STORY, 0) == copies
    assert opened.circumstances.get("campaign_cards", []) == [STORY] * copies
