"""A card that is named in an entry is one that the card pool or the guide knows."""

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
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw, does

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
GIVEN = does(
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
    """The cards an answer is refused for; nothing is written."""
    before = campaign.last
    with pytest.raises(EntryRefused) as refused:
        report(campaign, [given])
    assert {*rules_of(refused.value)} == {"log.card"}
    assert campaign.last == before
    return [each.actual for each in refused.value.findings]


def test_an_open_question_about_cards_is_answered_with_cards(alice: User) -> None:
    """Any card there is, and those the guide lists, whoever knows them."""
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


def test_cards_only_its_players_know_are_taken(alice: User) -> None:
    """Where a campaign of their own asks for cards of its scenario."""
    campaign = a_campaign(alice, guide=a_row(a_game("one", SCENARIOS_OWN)))
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    report(campaign, [Answer("string_choices", "one", "allies", {NOBODYS: ("so",)})])


def test_cards_a_guide_gives_are_known(alice: User) -> None:
    """To the table that plays by it, before it gives them too."""
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
def test_what_is_reported_of_a_deck_names_its_cards(
    upgrading: Campaign, mark: str
) -> None:
    """By code, behind the words that say what is told of them."""
    assert _refused(upgrading, _of_roland(f"{mark}{NOBODYS}")) == [NOBODYS]
    report(upgrading, [_of_roland("xp", f"{mark}{BEAT_COP}")])


def test_what_was_reported_of_a_deck_is_corrected_with_cards(
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
def test_what_is_stated_of_a_card_is_stated_of_one_there_is(
    upgrading: Campaign, effect: do.Effect
) -> None:
    """Whether it comes, goes, is counted, or gives something."""
    fact = Stated("one", effect, (ROLAND,), (), "So it was.")
    with pytest.raises(EntryRefused) as refused:
        services.state_fact(
            campaign=upgrading,
            member=organiser_of(upgrading),
            fact=fact,
            context=write_context(upgrading),
        )
    assert rules_of(refused.value) == ["log.card"]
