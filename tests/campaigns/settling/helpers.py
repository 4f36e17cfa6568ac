"""Changes of a deck in a campaign, by its player and by its campaign."""

from __future__ import annotations

from arkham.accounts.models import User
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.legality import Verdict, check, judge_of
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.models import Campaign, Guide
from cardpool.catalog import current_judge
from decks import services as deck_services
from decks.lists.content import Content
from decks.lists.starter import starter_deck
from decks.models import Deck, Revision
from decks.pages.display import Judged
from decks.services.campaign_changes import current_content
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    as_answers,
    later,
    organiser_of,
    report,
    sequence_of,
    who,
    write_context,
)
from tests.decks.edits import apply
from tests.decks.helpers import latest_of
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw

BEAT_COP, BEAT_COP_2 = "01018", "01028"  # an upgrade costs 2
OBOL, GREAT_WORK, DEBTS, ASCETIC, DELVE = "03308", "11068a", "01011", "11095", "02111"
PETE, DUKE, PETER = "02005", "02014", "02033"
DOG, ACE = "01021", "05040"  # Guard Dog; a card that may be given beyond the limit
SACRIFICED: Raw = {
    "id": "sacrificed",
    "type": "input",
    "input": {
        "type": "card_choice",
        "query": [{"code": [DUKE, PETER, DOG]}],
        "choices": [
            {
                "id": "sacrificed",
                "text": "",
                "effects": [{"type": "remove_card", "card": "$input_value"}],
            }
        ],
    },
}


def check_content(content: Content) -> Verdict:
    """Return the verdict on a deck."""
    asked = content.asked()
    return check(judge_of(embedded_pool()), asked.deck, asked.circumstances)


def retract_entry(campaign: Campaign, sequence: int) -> None:
    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence,
        context=write_context(campaign),
    )


def retract_step(campaign: Campaign, step: str) -> None:
    retract_entry(campaign, sequence_of(campaign, step))


def correct_step(campaign: Campaign, raw: Raw, reason: str = "Miscounted") -> None:
    """Correct the answer to a step, as its new answer names it."""
    (given,) = as_answers(raw)
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, given.step),
        given=given._replace(sequence=0),
        reason=reason,
        context=write_context(campaign),
    )


def correct_victory(campaign: Campaign, count: int) -> None:
    raw = {"type": "count", "step": "victory", "scenario": "one", "count": count}
    correct_step(campaign, raw)


def upgrade_cop(deck: Deck, at: int = 60) -> Revision:
    latest = latest_of(deck)
    content = apply(
        deck_services.opened(latest),
        [("remove", BEAT_COP), ("add", BEAT_COP_2)],
        embedded_pool(),
    )
    return deck_services.upgrade_deck(
        deck=deck, content=content, expected_revision=deck.revision, now=later(at)
    )


def starter_of(owner: User, investigator: str, *changes: tuple[str, str]) -> Deck:
    pool = embedded_pool()
    content = apply(starter_deck(pool, investigator), changes, pool)
    return deck_services.create_deck(owner=owner, content=content, now=NOW)


def deck_with(owner: User, *cards: str) -> Deck:
    """Make Roland's first deck with these additional cards."""
    return starter_of(owner, ROLAND, *(("add", card) for card in cards))


def table_with(
    owner: User, deck: Deck, code: str = ROLAND, guide: Guide | None = None
) -> Campaign:
    """Make a campaign with one linked deck; Daisy's is on paper."""
    campaign = a_campaign(owner, DAISY, guide=guide)
    services.add_seat(
        campaign=campaign,
        member=organiser_of(campaign),
        sitting=services.Sitting(code, deck=deck),
        now=NOW,
    )
    report(campaign, as_answers(who(code, DAISY)))
    return campaign


def game_of(code: str, *more: Raw) -> list[Answer]:
    """Play the first game, after these changes."""
    outcomes = {code: "alive", DAISY: "resigned"}
    begun, *rest = won("one", 2, **outcomes)
    told_of = [{"scenario": "one", **each} for each in more]
    return as_answers(begun, *rest[:2], *told_of, *rest[2:])


def sacrifice(*cards: str) -> Raw:
    return {
        "type": "string_choices",
        "step": "sacrificed",
        "choices": {card: ["sacrificed"] for card in cards},
    }


def content_now(deck: Deck) -> Content:
    deck.refresh_from_db()
    return current_content(deck)


def found_in(deck: Deck) -> list[tuple[str, tuple[str, ...]]]:
    """Return the rules with findings on the deck, and the cards they name."""
    verdict = Judged(content_now(deck), current_judge()).verdict
    return [(each.rule, each.cards) for each in verdict.findings]


def upgrading_decks(alice: User, deck: Deck, roland: str = "alive") -> Campaign:
    """Decks are upgraded after a first game that earned 2, plus 1."""
    campaign = table_with(alice, deck)
    played = won("one", 2, **{ROLAND: roland, DAISY: "alive"})
    report(campaign, as_answers(*played[:-1]))
    return campaign
