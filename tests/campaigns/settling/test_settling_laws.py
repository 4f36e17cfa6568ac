"""For any series of answers and retractions: decks equal what their log makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arkham.accounts.models import User
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from campaigns.services import EntryRefused, WriteContext
from decks import services as deck_services
from decks.lists.content import Content
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services import ledger
from decks.services.campaign_changes import current_content
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
from tests.decks.edits import apply
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw

GAMES = ("one", "two", "three")
UNDRAWN, WEAKNESS, DOG, PISTOL = "01000", "01097", "01021", "01016"
COP, COP_2 = "01018", "01028"  # an upgrade costs 2
GIVEN, LOST, DRAWN, ERASED, EXILED = range(1, 6)

# One of six things that a game does to a deck.
EFFECTS: list[list[Raw]] = [
    [],
    [{"type": "add_card", "investigator": "all", "card": STORY}],
    [{"type": "remove_card", "card": STORY}],
    [
        {
            "type": "add_card",
            "investigator": "all",
            "card": WEAKNESS,
            "non_story": True,
        },
        {
            "type": "remove_card",
            "investigator": "all",
            "card": UNDRAWN,
            "non_story": True,
        },
    ],
    [{"type": "remove_card", "card": DOG, "exile": True, "non_story": True}],
    [
        {
            "type": "remove_card",
            "investigator": "all",
            "card": PISTOL,
            "exile": True,
            "non_story": True,
        }
    ],
]
WHAT: Raw = {
    "id": "what",
    "type": "input",
    "input": {
        "type": "choose_one",
        "choices": [
            {"id": f"way_{number}", "text": "", "effects": effects}
            for number, effects in enumerate(EFFECTS)
        ],
    },
}


def _play(campaign: Campaign, game: str, way: int) -> None:
    """Win a game in which this happens, and upgrade decks."""
    begun, *rest = won(game)
    what = {"type": "choice", "step": "what", "scenario": game, "choice": way}
    status = {each.id: each.status for each in replayed(campaign).replay.scenarios}
    start = [] if status[game] == "started" else [begun]  # it was restarted
    report(campaign, as_answers(*start, *rest[:2], what, *rest[2:]))


def _ways(campaign: Campaign) -> Iterator[int]:
    """Return what happened in the settled games, by the current log."""
    known = replayed(campaign).replay
    said = {
        (each.scenario, each.step): each.value
        for each in known.used
        if isinstance(each, Answer)
    }
    for each in known.scenarios:
        if each.status == "completed" and each.id in GAMES:
            yield said[each.id, "what"]


def _expected(slots: dict[str, int], ways: list[int], upgrades: int) -> Counter[str]:
    """Return the deck that a table would have made by hand from this log."""
    deck = Counter(slots)
    deck.update({COP: -upgrades, COP_2: upgrades})
    story = False
    for way in ways:
        story = (story or way == GIVEN) and way != LOST
    deck[STORY] += story
    deck[WEAKNESS] += ways.count(DRAWN)
    deck[UNDRAWN] -= min(deck[UNDRAWN], ways.count(DRAWN))
    deck[PISTOL] -= min(deck[PISTOL], ways.count(EXILED))
    deck[DOG] *= ERASED not in ways
    return +deck


def _slots(deck: Deck) -> Counter[str]:
    deck.refresh_from_db()
    return Counter(current_content(deck).deck["slots"])


def _upgraded(deck: Deck) -> bool:
    """Upgrade Beat Cop, if the experience suffices."""
    deck.refresh_from_db()
    latest = deck.revisions.get(number=deck.revision)
    played = latest.played_at is not None or latest.base is not None
    if not played or ledger.balance_of(deck) < 2 or not _slots(deck)[COP]:
        return False
    content = apply(
        current_content(deck), [("remove", COP), ("add", COP_2)], embedded_pool()
    )
    deck_services.upgrade_deck(
        deck=deck,
        content=content,
        expected_revision=deck.revision,
        now=later(60),
        repair="As the table has it",
    )
    return True


@pytest.mark.slow
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    max_examples=12,
    deadline=None,
)
@given(
    undrawn=st.integers(0, 1),
    steps=st.lists(
        st.tuples(
            st.sampled_from(["play", "play", "play", "correct", "undo", "upgrade"]),
            st.integers(0, 2),
            st.integers(0, 5),
        ),
        min_size=3,
        max_size=8,
    ),
)
@pytest.mark.django_db
def test_a_deck_is_what_its_log_makes_of_it(
    alice: User, undrawn: int, steps: list[tuple[str, int, int]]
) -> None:
    """By any sequence of changes; undone to the beginning, it is as it was."""
    with transaction.atomic():
        _tried(alice, undrawn, steps)
        transaction.set_rollback(True)


def _tried(alice: User, undrawn: int, steps: list[tuple[str, int, int]]) -> None:
    base = starter_deck(embedded_pool(), ROLAND)
    slots = {**base.deck["slots"], UNDRAWN: undrawn}
    content = Content({**base.deck, "slots": {k: n for k, n in slots.items() if n}}, {})
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    first = dict(_slots(deck))
    guide = a_row(*(a_game(game, WHAT) for game in GAMES))
    campaign = a_campaign(alice, guide=guide)
    organiser = organiser_of(campaign)
    sitting = services.Sitting(ROLAND, deck=deck)
    services.add_seat(campaign=campaign, member=organiser, sitting=sitting, now=NOW)
    report(campaign, as_answers(who(ROLAND, DAISY)))
    upgrades = 0
    for step, place, way in steps:
        done = len([*_ways(campaign)])
        game = GAMES[min(place, max(done - 1, 0))]
        if step == "play" and done < len(GAMES):
            _play(campaign, GAMES[done], way)
        elif step == "correct" and done:
            _correct(campaign, game, way)
        elif step == "undo" and done:
            _return(campaign, game)
        elif step == "upgrade":
            upgrades += _upgraded(deck)
        now = [*_ways(campaign)]
        assert _slots(deck) == _expected(first, now, upgrades)
        assert ledger.balance_of(deck) == 3 * len(now) - 2 * upgrades
    if [*_ways(campaign)]:
        _return(campaign, "one")
    assert _slots(deck) == _expected(first, [], upgrades)
    assert current_content(deck).circumstances.get("lost_cards") is None


def _correct(campaign: Campaign, game: str, way: int) -> None:
    what = {"type": "choice", "step": "what", "scenario": game, "choice": way}
    rows = [
        each.sequence
        for each in store.entries(campaign)
        if isinstance(each, Answer) and (each.step, each.scenario) == ("what", game)
    ]
    with_target = as_answers(what)[0]._replace(sequence=0)
    context = WriteContext(campaign.last, later(campaign.last))
    for target in reversed(rows):
        try:
            services.correct(
                campaign=campaign,
                member=organiser_of(campaign),
                target=target,
                given=with_target,
                reason="It was not so",
                context=context,
            )
        except EntryRefused:  # that one was undone
            continue
        return
    raise AssertionError(f"nothing was said of {sequence_of(campaign, 'what', game)}")


def _return(campaign: Campaign, game: str) -> None:
    services.return_to_start(
        campaign=campaign,
        member=organiser_of(campaign),
        scenario=game,
        context=WriteContext(campaign.last, later(campaign.last)),
    )
