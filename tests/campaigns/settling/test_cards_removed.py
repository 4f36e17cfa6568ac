"""Cards that a campaign permanently removes from decks, and gives back."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import UltimatumChosen
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.models import Guide, Seat
from campaigns.services import WriteContext
from decks import services as deck_services
from decks.lists.content import Content
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    NOW,
    STORY,
    a_campaign,
    a_member,
    a_row,
    a_seat,
    as_answers,
    later,
    organiser_of,
    report,
    sequence_of,
    who,
    write_context,
)
from tests.campaigns.settling.helpers import (
    ACE,
    DOG,
    DUKE,
    PETE,
    PETER,
    SACRIFICED,
    content_now,
    found_in,
    game_of,
    retract_step,
    sacrifice,
    starter_of,
    table_with,
)
from tests.decks.edits import apply
from tests.rules.campaign.helpers.games import a_game
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw, a_step

MILAN = "01033"  # Dr. Milan Christopher


@pytest.fixture
def altar() -> Guide:
    """A guide whose first game asks who was sacrificed."""
    return a_row(a_game("one", SACRIFICED), a_game("two"))


def test_a_sacrificed_card_leaves_the_deck_permanently(
    alice: User, altar: Guide
) -> None:
    """All copies of a player's own card; it is neither buyable nor required."""
    deck = starter_of(alice, PETE, ("add", PETER))
    before = content_now(deck)
    campaign = table_with(alice, deck, PETE, altar)
    report(campaign, game_of(PETE, sacrifice(DUKE, PETER)))
    after = content_now(deck)

    assert before.deck["slots"].keys() - after.deck["slots"].keys() == {DUKE, PETER}
    assert after.circumstances["lost_cards"] == [DUKE, PETER]
    assert "required.signatures" not in dict(found_in(deck))
    bought = apply(after, [("add", "02035")], embedded_pool())  # Peter Sylvestre (2)
    with pytest.raises(deck_services.UpgradeRefused) as refused:
        deck_services.upgrade_deck(
            deck=deck,
            content=bought,
            expected_revision=deck.revision,
            now=later(60),
        )
    findings = {each.rule: each for each in refused.value.preview.findings}
    lost = findings["campaign.lost"]
    assert lost.cards == ("02035",)
    assert lost.remedy is not None
    assert (lost.remedy.action, lost.remedy.codes) == ("remove", ("02035",))

    retract_step(campaign, "sacrificed")
    assert content_now(deck).deck == before.deck
    assert "lost_cards" not in content_now(deck).circumstances


def test_a_corrected_sacrifice_affects_the_other_card(
    alice: User, altar: Guide
) -> None:
    """The first returns and the second leaves, after an upgrade too."""
    deck = starter_of(alice, PETE, ("add", PETER))
    campaign = table_with(alice, deck, PETE, altar)
    report(campaign, game_of(PETE, sacrifice(DUKE)))
    deck_services.upgrade_deck(
        deck=deck,
        content=apply(content_now(deck), [("add", "01030")], embedded_pool()),
        expected_revision=deck.revision,
        now=later(60),
        repair="The table had it so",
    )
    (given,) = as_answers({"scenario": "one", **sacrifice(PETER)})
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, "sacrificed"),
        given=given._replace(sequence=0),
        reason="It was he",
        context=write_context(campaign),
    )
    now = content_now(deck)

    assert DUKE in now.deck["slots"]
    assert PETER not in now.deck["slots"]
    assert now.circumstances["lost_cards"] == [PETER]
    assert "01030" in now.deck["slots"]


def test_a_deck_without_the_card_gets_none_back(alice: User, altar: Guide) -> None:
    """None was removed; the deck still records that the card is lost."""
    deck = starter_of(alice, ROLAND, ("remove", f"{DOG}:2"))
    before = content_now(deck)
    campaign = table_with(alice, deck, ROLAND, altar)
    report(campaign, game_of(ROLAND, sacrifice(DOG)))
    assert content_now(deck).deck == before.deck
    assert content_now(deck).circumstances["lost_cards"] == [DOG]
    retract_step(campaign, "sacrificed")

    assert content_now(deck).deck == before.deck
    assert "lost_cards" not in content_now(deck).circumstances


def test_a_deck_linked_later_has_lost_it_too(alice: User, altar: Guide) -> None:
    """The one before it keeps its record, and gets no new ones."""
    deck = starter_of(alice, ROLAND)
    campaign = table_with(alice, deck, ROLAND, altar)
    report(campaign, game_of(ROLAND, sacrifice(DOG)))
    other = starter_of(alice, ROLAND)
    seat = campaign.seats.get(investigator=ROLAND)
    services.link_deck(
        seat=seat, member=organiser_of(campaign), deck=other, now=later(80)
    )
    assert DOG not in content_now(other).deck["slots"]
    retract_step(campaign, "sacrificed")

    assert content_now(other).deck["slots"][DOG] == 2
    assert DOG not in content_now(deck).deck["slots"]


def test_a_deck_that_left_catches_up_on_corrections(
    alice: User, bob: User, altar: Guide
) -> None:
    """Once it is linked again."""
    deck = starter_of(bob, ROLAND)
    campaign = a_campaign(alice, DAISY, guide=altar)
    member = a_member(campaign, bob)
    seat = a_seat(campaign, ROLAND, member)
    services.link_deck(seat=seat, member=member, deck=deck, now=NOW)
    report(campaign, as_answers(who(ROLAND, DAISY)))
    report(campaign, game_of(ROLAND, sacrifice(DOG)))
    services.leave(member=member, now=later(50))
    seat.refresh_from_db()
    assert (seat.deck, seat.kind) == (None, Seat.Kind.NONE)
    retract_step(campaign, "sacrificed")
    assert DOG not in content_now(deck).deck["slots"]
    member.left_at = None
    member.save()
    services.give_seat(seat=seat, member=member, actor=organiser_of(campaign))
    services.link_deck(seat=seat, member=member, deck=deck, now=later(99))

    assert content_now(deck).deck["slots"][DOG] == 2
    assert ledger.balance_of(deck) == 0


def test_a_card_removed_from_an_unfinished_upgrade_returns_to_it(
    alice: User, altar: Guide
) -> None:
    """The other changes on the desk stay."""
    deck = starter_of(alice, ROLAND)
    campaign = table_with(alice, deck, ROLAND, altar)
    report(campaign, game_of(ROLAND, sacrifice(DOG))[:-1])
    content = apply(content_now(deck), [("add", "01030")], embedded_pool())
    deck_services.save_desk(
        deck=deck,
        content=content,
        window={},
        seen=deck.revision,
        expected_version=0,
        now=NOW,
    )
    retract_step(campaign, "sacrificed")
    deck.refresh_from_db()

    assert deck.desk.list["slots"][DOG] == 2
    assert deck.desk.list["slots"]["01030"] == 1
    assert "lost_cards" not in deck.desk.circumstances


# --- ultimatums


def test_decks_get_the_terms_they_are_judged_by(alice: User, as_alice: Client) -> None:
    """An ally lost to The Scream leaves them after the game, and is a finding there."""
    deck = starter_of(alice, ROLAND, ("add", PETER))
    campaign = table_with(alice, deck, ROLAND, a_row(a_game("one"), a_game("two")))
    organiser = organiser_of(campaign)
    services.choose_ultimatum(
        campaign=campaign,
        member=organiser,
        chosen=UltimatumChosen(SETUP, "scream"),
        context=write_context(campaign),
    )
    assert content_now(deck).circumstances["ultimatums"] == ["scream"]
    report(campaign, game_of(ROLAND)[:3])
    stating = reverse("campaigns:fact", args=[campaign.pk])
    fact = {"kind": "lost", "scenario": "one", "card": PETER, "reason": "Defeated"}
    answer = as_alice.post(stating, {**fact, "after": campaign.last, "key": "lost"})
    assert answer.status_code == 303
    campaign.refresh_from_db()
    stated = campaign.last
    assert content_now(deck).deck["slots"][PETER] == 1
    report(campaign, game_of(ROLAND)[3:-1])  # decks are upgraded now
    assert PETER not in content_now(deck).deck["slots"]
    assert content_now(deck).circumstances["banned_titles"] == ["Peter Sylvestre"]
    assert f'value="{PETER}"' not in as_alice.get(stating).content.decode()
    services.retract(
        campaign=campaign,
        member=organiser,
        target=stated,
        context=WriteContext(campaign.last, later(90)),
    )

    assert content_now(deck).deck["slots"][PETER] == 1
    assert content_now(deck).circumstances["ultimatums"] == ["scream"]
    assert "banned_titles" not in content_now(deck).circumstances


def test_a_table_kept_by_hand_records_sacrificed_cards(
    alice: User, as_alice: Client
) -> None:
    """Unique cards in linked decks; without The Scream they are just lost."""
    deck = starter_of(alice, PETE, ("add", PETER))
    campaign = table_with(alice, deck, PETE, a_row(a_game("one"), a_game("two")))
    report(campaign, game_of(PETE))
    stating = reverse("campaigns:fact", args=[campaign.pk])
    page = as_alice.get(stating).content.decode()
    assert f'value="{PETER}"' in page
    assert 'value="01018"' not in page  # there are many Beat Cops
    fact = {"kind": "lost", "scenario": "one", "card": DUKE, "reason": "Sacrificed"}
    as_alice.post(stating, {**fact, "after": campaign.last, "key": "lost"})

    assert DUKE not in content_now(deck).deck["slots"]
    assert content_now(deck).circumstances["lost_cards"] == [DUKE]
    log_page = reverse("campaigns:log", args=[campaign.pk])
    assert "Removed from the campaign" in as_alice.get(log_page).content.decode()
    timeline = reverse("campaigns:timeline", args=[campaign.pk])
    assert "Duke is out of the campaign" in as_alice.get(timeline).content.decode()


def test_a_unique_card_of_a_second_deck_is_lost_as_well(
    alice: User, as_alice: Client
) -> None:
    """It can be named, and leaves that deck."""
    deck = starter_of(alice, PETE, ("side-add", MILAN))
    campaign = table_with(alice, deck, PETE, a_row(a_game("one"), a_game("two")))
    report(campaign, game_of(PETE))
    stating = reverse("campaigns:fact", args=[campaign.pk])
    assert f'value="{MILAN}"' in as_alice.get(stating).content.decode()
    fact = {"kind": "lost", "scenario": "one", "card": MILAN, "reason": "Sacrificed"}
    as_alice.post(stating, {**fact, "after": campaign.last, "key": "lost"})

    assert not content_now(deck).asked().deck.side_deck


def test_a_players_own_records_are_kept(alice: User, altar: Guide) -> None:
    """Only those of the campaign are undone."""
    base = starter_of(alice, ROLAND)
    content = Content(content_now(base).deck, {"lost_cards": [DOG]})
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    campaign = table_with(alice, deck, ROLAND, altar)
    report(campaign, game_of(ROLAND, sacrifice(DOG, PETER)))
    retract_step(campaign, "sacrificed")

    assert content_now(deck).circumstances["lost_cards"] == [DOG]


def test_another_campaign_is_not_affected(alice: User, altar: Guide) -> None:
    """A deck may have the card there again (CAMP-12); lost cards aren't required."""
    deck = starter_of(alice, PETE, ("add", PETER))
    campaign = table_with(alice, deck, PETE, altar)
    report(campaign, game_of(PETE, sacrifice(DUKE, PETER)))
    seat = campaign.seats.get(investigator=PETE)
    begun = services.transfer_campaign(
        campaign=campaign,
        member=organiser_of(campaign),
        guide=altar,
        going=[services.SeatTransfer(seat)],
        now=later(99),
    )
    report(begun, as_answers(who(PETE)))

    assert Seat.objects.get(deck=deck).campaign == begun
    assert content_now(deck).circumstances["lost_cards"] == [DUKE]
    assert PETER not in content_now(deck).deck["slots"]


# --- cards given


def test_a_card_given_beyond_the_limit_does_not_count(alice: User) -> None:
    """It is recorded in the list; undoing restores the list exactly."""
    given = {
        "type": "add_card",
        "investigator": "all",
        "card": ACE,
        "ignore_deck_limit": True,
    }
    deck = starter_of(alice, ROLAND)
    before = content_now(deck)
    guide = a_row(a_game("one", a_step(given, step_id="given")), a_game("two"))
    campaign = table_with(alice, deck, ROLAND, guide)
    report(campaign, game_of(ROLAND))
    assert content_now(deck).deck["slots"][ACE] == 1
    assert content_now(deck).deck["ignoreDeckLimitSlots"] == {ACE: 1}
    assert "deck.size" not in dict(found_in(deck))
    retract_step(campaign, "$choose_resolution")

    assert content_now(deck).deck == before.deck


def test_a_corrected_gift_moves_to_the_other_deck(alice: User) -> None:
    """The upgrade in between stays."""
    given = {"type": "add_card", "investigator": "choice", "card": STORY}
    guide = a_row(a_game("one", a_step(given, step_id="given")), a_game("two"))
    decks = {code: starter_of(alice, code) for code in (ROLAND, DAISY)}
    campaign = a_campaign(alice, guide=guide)
    for code, deck in decks.items():
        sitting = services.Sitting(code, deck=deck)
        services.add_seat(
            campaign=campaign, member=organiser_of(campaign), sitting=sitting, now=NOW
        )
    report(campaign, as_answers(who(ROLAND, DAISY)))
    step = "given_effects_investigator"

    def gets(code: str) -> Raw:
        return {"type": "string_choices", "step": step, "choices": {code: ["1"]}}

    def holding() -> list[int]:
        return [
            content_now(deck).deck["slots"].get(STORY, 0) for deck in decks.values()
        ]

    report(campaign, game_of(ROLAND, gets(ROLAND)))
    assert holding() == [1, 0]
    rolands = decks[ROLAND]
    content = apply(
        content_now(rolands), [("remove", "01018"), ("add", "01028")], embedded_pool()
    )
    deck_services.upgrade_deck(
        deck=rolands,
        content=content,
        expected_revision=rolands.revision,
        now=later(60),
    )
    (put_right,) = as_answers({"scenario": "one", **gets(DAISY)})
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, step),
        given=put_right._replace(sequence=0),
        reason="She took it",
        context=write_context(campaign),
    )

    assert holding() == [0, 1]
    assert content_now(rolands).deck["slots"]["01028"] == 1
    assert ledger.balance_of(rolands) == 1
