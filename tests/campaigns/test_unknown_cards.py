"""A card named in an entry must be known to the card pool or the guide."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.answers import Answer, Stated
from campaigns import services
from campaigns.models import Campaign
from campaigns.services import EntryRefused
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_row,
    as_answers,
    organiser_of,
    report,
    rules_of,
    sequence_of,
    who,
    write_context,
)
from tests.rules.campaign.helpers.games import a_game, begun, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw, a_step

pytestmark = pytest.mark.django_db
BEAT_COP, LITA, NOBODYS, OF_THE_GUIDE = "01018", "01117", "99999", "our_own"
UPGRADE = f"$upgrade_decks#{ROLAND}"
ALLIES: Raw = {
    "id": "allies",
    "type": "input",
    "input": {
        "type": "card_choice",
        "query": [{"source": "deck", "traits": ["ally"]}, {"code": [OF_THE_GUIDE]}],
        "choices": [{"id": "so", "text": "So", "effects": []}],
    },
}


SCENARIOS_OWN: Raw = {
    **ALLIES,
    "input": {**ALLIES["input"], "query": [{"source": "scenario"}]},
}
GIVEN = a_step(
    {"type": "add_card", "investigator": "all", "card": OF_THE_GUIDE}, step_id="given"
)


@pytest.fixture
def upgrading(alice: User) -> Campaign:
    """A scenario was won, and decks are brought up to date."""
    campaign = a_campaign(alice)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one"))[:-1])
    return campaign


def _of_roland(*cards: str) -> Answer:
    return Answer("choice_list", "one", UPGRADE, dict.fromkeys(cards, (1,)))


def _refused(campaign: Campaign, given: Answer) -> Sequence[object]:
    """Return the cards for which an answer is refused; nothing is written."""
    before = campaign.last
    with pytest.raises(EntryRefused) as refused:
        report(campaign, [given])
    assert {*rules_of(refused.value)} == {"log.card"}
    assert campaign.last == before
    return [each.actual for each in refused.value.findings]


def test_an_open_question_accepts_known_cards(alice: User) -> None:
    """Those of the card pool, and those the guide lists."""
    campaign = a_campaign(alice, guide=a_row(a_game("one", ALLIES)))
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    named = {BEAT_COP: ("so",), OF_THE_GUIDE: ("so",)}
    wrong = Answer("string_choices", "one", "allies", named | {NOBODYS: ("so",)})

    assert _refused(campaign, wrong) == [NOBODYS]
    report(campaign, [wrong._replace(value=named)])
    with pytest.raises(EntryRefused) as refused:
        services.correct(
            campaign=campaign,
            member=organiser_of(campaign),
            target=sequence_of(campaign, "allies"),
            given=wrong,
            reason="",
            context=write_context(campaign),
        )
    assert rules_of(refused.value) == ["log.card"]


def test_custom_cards_are_accepted(alice: User) -> None:
    """If a players' own campaign asks for cards of its scenario."""
    campaign = a_campaign(alice, guide=a_row(a_game("one", SCENARIOS_OWN)))
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    report(campaign, [Answer("string_choices", "one", "allies", {NOBODYS: ("so",)})])


def test_cards_given_by_a_guide_are_known(alice: User) -> None:
    """To tables with that guide, even before it gives them."""
    campaign = a_campaign(alice, guide=a_row(a_game("one", GIVEN, ALLIES)))
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    fact = Stated("one", do.RemoveCard(OF_THE_GUIDE, "input"), (ROLAND,), (), "Lost.")
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=fact,
        context=write_context(campaign),
    )


@pytest.mark.parametrize("mark", ["", "xp#", "story#"])
def test_a_report_on_a_deck_names_known_cards(upgrading: Campaign, mark: str) -> None:
    """By code, behind the report's keyword."""
    assert _refused(upgrading, _of_roland(f"{mark}{NOBODYS}")) == [NOBODYS]
    report(upgrading, [_of_roland("xp", f"{mark}{BEAT_COP}")])


def test_a_report_on_a_deck_is_corrected_with_known_cards(
    upgrading: Campaign,
) -> None:
    report(upgrading, [_of_roland("xp")])
    with pytest.raises(EntryRefused) as refused:
        services.correct(
            campaign=upgrading,
            member=organiser_of(upgrading),
            target=sequence_of(upgrading, UPGRADE),
            given=_of_roland(NOBODYS),
            reason="",
            context=write_context(upgrading),
        )
    assert rules_of(refused.value) == ["log.card"]


@pytest.mark.parametrize(
    "effect",
    [
        do.AddCard("input", NOBODYS),
        do.RemoveCard(NOBODYS, "input"),
        do.ReplaceCard(LITA, NOBODYS),
        do.ReplaceCard(NOBODYS, LITA),
        do.CardCount(NOBODYS, 1),
        do.Banish(NOBODYS),
        do.EarnExperience("input", bonus=1, card=NOBODYS),
    ],
)
def test_a_change_by_hand_names_known_cards(
    upgrading: Campaign, effect: do.Effect
) -> None:
    """Whether a card comes, goes, is counted, or gives something."""
    fact = Stated("one", effect, (ROLAND,), (), "So it was.")
    with pytest.raises(EntryRefused) as refused:
        services.state_fact(
            campaign=upgrading,
            member=organiser_of(upgrading),
            fact=fact,
            context=write_context(upgrading),
        )
    assert rules_of(refused.value) == ["log.card"]
