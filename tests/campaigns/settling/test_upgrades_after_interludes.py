"""Upgrade steps in an interlude, or before a game: cards of the last game count."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.app_names import BY_CARD
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import Answer, Stated
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from campaigns.settling.cards import at_most_by_cards, card_lines
from campaigns.settling.trauma import killed_with
from decks.models import Revision
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    a_row,
    as_answers,
    organiser_of,
    report,
    sequence_of,
    write_context,
)
from tests.campaigns.settling.helpers import ASCETIC, DEBTS, OBOL, deck_with, table_with
from tests.rules.campaign.helpers.games import a_game, begun, ended, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw, a_scenario

UPGRADE, HOMUNCULUS = "$upgrade_decks", "11068b"
SORTED_OUT = "06160"  # "Let God sort them out..."
REST = a_scenario("rest", type="interlude", setup=[UPGRADE])
STATUS = "$r_R1*investigator_status"


def _game(name: str, *, upgrades: bool) -> Raw:
    """A game, with or without an upgrade step at its end."""
    game = a_game(name)
    for each in game["resolutions"]:
        steps = each.get("steps", ())
        each["steps"] = [step for step in steps if upgrades or step != UPGRADE]
    return game


def _second() -> Raw:
    """A game with an upgrade step before it, as The Vanishing of Elina Harper."""
    game = _game("two", upgrades=False)
    game["setup"] = [UPGRADE, *game["setup"]]
    return game


def _table(alice: User, card: str, *scenarios: Raw) -> Campaign:
    guide = a_row(*scenarios)
    return table_with(alice, deck_with(alice, card), guide=guide)


def _played(outcome: str, *, upgrades: bool) -> list[Raw]:
    raws = won("one", 2, **{ROLAND: outcome, DAISY: "alive"})
    return raws if upgrades else raws[:-1]


def _upgraded(scenario: str) -> Raw:
    return {**won(scenario)[-1], "scenario": scenario}


def _lines(campaign: Campaign) -> list[tuple[str, int]]:
    found = card_lines(campaign, replayed(campaign).replay)
    return [(each.card, each.amount) for each in found]


def _settle(campaign: Campaign, scenario: str) -> None:
    """Upgrade decks at this step, with prefilled fields for their cards."""
    amounts = {
        f"{BY_CARD}{card}": (amount,) for card, amount in _lines(campaign) if amount
    }
    if amounts:
        report(
            campaign,
            [Answer("choice_list", scenario, f"{UPGRADE}#{ROLAND}", amounts)],
        )
    report(campaign, as_answers(_upgraded(scenario)))
    campaign.refresh_from_db()


def _start(campaign: Campaign, scenario: str) -> None:
    report(campaign, as_answers({"type": "start_scenario", "scenario": scenario}))


def _correct(
    campaign: Campaign, outcome: str, target: int = 0, scenario: str = "one"
) -> None:
    raws = won(scenario, 2, **{ROLAND: outcome, DAISY: "alive"})
    raw = next(each for each in raws if each.get("step") == STATUS)
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=target or sequence_of(campaign, STATUS),
        given=as_answers(raw)[0],
        reason="A slip",
        context=write_context(campaign),
    )
    campaign.refresh_from_db()


def _fate(campaign: Campaign) -> Fate:
    return fate_of(replayed(campaign).replay.state, ROLAND)


def _balance(campaign: Campaign) -> int:
    deck = campaign.seats.get(investigator=ROLAND).deck
    assert deck is not None
    return ledger.balance_of(deck)


@pytest.mark.parametrize(
    ("outcome", "fate", "balance"),
    [("alive", Fate.ALIVE, 5), ("physical", Fate.KILLED, 3)],
)
def test_an_interlude_settles_the_game_before_it(
    alice: User, outcome: str, fate: Fate, balance: int
) -> None:
    """As in The Forgotten Age: the Obol pays there, or kills."""
    campaign = _table(alice, OBOL, _game("one", upgrades=False), REST, a_game("two"))
    report(campaign, as_answers(*_played(outcome, upgrades=False)))
    _start(campaign, "rest")
    _settle(campaign, "rest")

    assert (_fate(campaign), _balance(campaign)) == (fate, balance)
    other = "physical" if outcome == "alive" else "alive"
    _correct(campaign, other)
    assert (_fate(campaign), _balance(campaign)) == (
        (Fate.KILLED, 3) if other == "physical" else (Fate.ALIVE, 5)
    )


def test_the_ascetic_forgoes_the_games_experience_in_an_interlude(
    alice: User,
) -> None:
    campaign = _table(alice, ASCETIC, _game("one", upgrades=False), REST, a_game("two"))
    report(campaign, as_answers(*_played("alive", upgrades=False)))
    _start(campaign, "rest")
    assert _lines(campaign) == [(ASCETIC, -3)]
    _settle(campaign, "rest")
    assert _balance(campaign) == 10  # what it gave as the deck was built


def test_a_game_is_settled_once(alice: User) -> None:
    """If decks are upgraded after it and again in the setup of the next."""
    campaign = _table(alice, OBOL, _game("one", upgrades=True), _second())
    report(campaign, as_answers(*_played("alive", upgrades=True)[:-1]))
    _settle(campaign, "one")
    before = _balance(campaign)
    report(campaign, as_answers(*begun("two", ROLAND, DAISY)))

    assert _lines(campaign) == []
    _settle(campaign, "two")
    assert _balance(campaign) == before


def test_a_defeat_in_the_next_game_does_not_affect_its_setup(alice: User) -> None:
    """The Obol kills after that game, where decks are upgraded next."""
    first = _game("one", upgrades=True)
    campaign = _table(alice, OBOL, first, _second(), REST, a_game("three"))
    report(campaign, as_answers(*_played("alive", upgrades=True)[:-1]))
    _settle(campaign, "one")
    report(campaign, as_answers(*begun("two", ROLAND, DAISY)))
    _settle(campaign, "two")
    raws = won("two", 2, **{ROLAND: "alive", DAISY: "alive"})[3:-1]
    report(campaign, as_answers(*raws))
    _start(campaign, "rest")
    _settle(campaign, "rest")
    before, length = _balance(campaign), campaign.last
    asked = {"payload__step": STATUS, "payload__scenario": "two"}
    status = campaign.entries.get(**asked).sequence
    _correct(campaign, "physical", status, "two")

    assert (_fate(campaign), _balance(campaign)) == (Fate.KILLED, before - 2)
    written = campaign.entries.filter(
        sequence__gt=length, payload__step__startswith=UPGRADE
    )
    assert {each.payload["scenario"] for each in written} == {"rest"}


def _without_bonus(game: Raw) -> Raw:
    """A game that gives only the victory display's experience."""
    (counted,) = (each for each in game["steps"] if each["id"] == "victory")
    counted["input"]["effects"][0]["bonus"] = 0
    return game


def _with_daisy(name: str, worth: int, plays: dict[str, str]) -> list[Raw]:
    """A game up to its upgrade step; if Daisy plays alone, no lead is asked for."""
    raws = won(name, worth, **plays, **{DAISY: "alive"})[:-1]
    return [each for each in raws if plays or each.get("step") != "$lead_investigator"]


def _two_games(
    alice: User, first: str, second: str, worth: int = 3, card: str = OBOL
) -> Campaign:
    """Two games before one upgrade, as the two parts of Heart of the Elders.

    Without an outcome Roland sits a game out.
    """
    games = [_without_bonus(_game(each, upgrades=False)) for each in ("one", "two")]
    campaign = _table(alice, card, *games, REST, a_game("three"))
    for name, outcome in (("one", first), ("two", second)):
        plays = {ROLAND: outcome} if outcome else {}
        report(campaign, as_answers(*_with_daisy(name, worth, plays)))
    _start(campaign, "rest")
    return campaign


@pytest.mark.parametrize(
    ("first", "second", "fate", "brought"),
    [
        ("alive", "alive", Fate.ALIVE, 4),
        ("physical", "alive", Fate.KILLED, 2),
        ("alive", "physical", Fate.KILLED, 2),
        ("physical", "physical", Fate.KILLED, 0),
    ],
)
def test_each_of_two_games_before_an_upgrade_counts(
    alice: User, first: str, second: str, fate: Fate, brought: int
) -> None:
    """The FAQ says so of Scenarios V–A and V–B, for Charon's Obol."""
    campaign = _two_games(alice, first, second)
    assert _lines(campaign) == [(OBOL, brought)]
    _settle(campaign, "rest")
    assert (_fate(campaign), _balance(campaign)) == (fate, 6 + brought)


@pytest.mark.parametrize(
    ("first", "second", "fate", "brought"),
    [
        ("alive", "", Fate.ALIVE, 2),
        ("physical", "", Fate.KILLED, 0),
        ("", "alive", Fate.ALIVE, 2),
    ],
)
def test_sitting_out_one_of_two_games_settles_the_other(
    alice: User, first: str, second: str, fate: Fate, brought: int
) -> None:
    """Players may leave between two parts, and keep what they have."""
    campaign = _two_games(alice, first, second)
    pending = replayed(campaign).replay.pending
    assert pending is not None
    assert sorted(pending.codes) == [ROLAND, DAISY]
    assert _lines(campaign) == [(OBOL, brought)]
    _settle(campaign, "rest")
    assert (_fate(campaign), _balance(campaign)) == (fate, 3 + brought)

    report(campaign, as_answers(*_with_daisy("three", 1, {})))
    pending = replayed(campaign).replay.pending
    assert pending is not None
    assert pending.codes == (DAISY,)


def test_a_retired_investigator_upgrades_nothing(alice: User) -> None:
    campaign = _two_games(alice, "alive", "")
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=Stated("two", do.Retire(), (ROLAND,), reason="Moved away"),
        context=write_context(campaign),
    )
    campaign.refresh_from_db()
    pending = replayed(campaign).replay.pending
    assert pending is not None
    assert pending.codes == (DAISY,)


@pytest.mark.parametrize(
    ("second", "hint"),
    [("alive", "−2 per copy and game, if its text says so: add them up."),
     ("", "−2 per copy, if its text says so.")],
)  # fmt: skip
def test_one_number_is_asked_for_several_games(
    alice: User, second: str, hint: str
) -> None:
    """Hospital Debts may take as much after each of them."""
    campaign = _two_games(alice, "alive", second, card=DEBTS)
    (line,) = card_lines(campaign, replayed(campaign).replay)
    assert line.hint == hint


@pytest.mark.parametrize(("second", "most"), [("alive", 2), ("", 1)])
def test_a_cards_maximum_counts_for_each_game(
    alice: User, second: str, most: int
) -> None:
    campaign = _two_games(alice, "alive", second, card=SORTED_OUT)
    replay = replayed(campaign).replay
    seat = campaign.seats.get(investigator=ROLAND)
    assert replay.pending is not None
    assert at_most_by_cards(seat, replay, replay.pending) == most


@pytest.mark.parametrize(
    ("first", "fate"), [("alive", Fate.ALIVE), ("mental", Fate.KILLED)]
)
def test_a_game_may_earn_no_points(alice: User, first: str, fate: Fate) -> None:
    """It still counts as a game in which experience is earned."""
    campaign = _two_games(alice, first, "alive", worth=0)
    assert _lines(campaign) == [(OBOL, 4 if first == "alive" else 2)]
    _settle(campaign, "rest")
    assert _fate(campaign) is fate


@pytest.mark.parametrize("outcome", ["alive", "physical"])
def test_the_obol_is_silent_where_no_experience_is_earned(
    alice: User, outcome: str
) -> None:
    """As in Murder at the Excelsior Hotel, upgraded before it is played again."""
    game = _game("one", upgrades=True)
    (lost,) = (each for each in game["resolutions"] if each["id"] == "no_resolution")
    assert lost["steps"] == ["lost", UPGRADE]
    campaign = _table(alice, OBOL, game, a_game("two"))
    both = {ROLAND: outcome, DAISY: "alive"}
    raws = [*begun("one", ROLAND, DAISY), *ended("one", 0, "no_resolution", **both)]
    report(campaign, as_answers(*raws))
    assert _lines(campaign) == []
    _settle(campaign, "one")
    assert (_fate(campaign), _balance(campaign)) == (Fate.ALIVE, 0)


def test_the_homunculus_kills_in_any_defeat(alice: User) -> None:
    """Its condition is only a defeat."""
    for paid in (True, False):
        played = Revision(list={"slots": {}, "meta": {"transform_into": HOMUNCULUS}})
        (each,) = killed_with(ROLAND, played, paid=paid)
        assert (each.card, each.killed) == (HOMUNCULUS, True)
    with_obol = Revision(list={"slots": {OBOL: 1}})
    assert [each.card for each in killed_with(ROLAND, with_obol, paid=True)] == [OBOL]
    assert list(killed_with(ROLAND, with_obol, paid=False)) == []


def test_the_first_of_two_games_is_corrected(alice: User) -> None:
    campaign = _two_games(alice, "alive", "alive")
    _settle(campaign, "rest")
    asked = {"payload__step": STATUS, "payload__scenario": "one"}
    first = campaign.entries.get(**asked).sequence
    _correct(campaign, "physical", first)
    assert (_fate(campaign), _balance(campaign)) == (Fate.KILLED, 8)
    _correct(campaign, "alive", first)
    assert (_fate(campaign), _balance(campaign)) == (Fate.ALIVE, 10)


def test_the_ascetic_forgoes_experience_without_a_game(alice: User) -> None:
    """As in The Vanishing of Elina Harper, which pays saved experience."""
    earns = {
        "id": "earns",
        "effects": [{"type": "earn_xp", "investigator": "all", "bonus": 4}],
    }
    rest = a_scenario("rest", earns, type="interlude", setup=["earns", UPGRADE])
    first = _game("one", upgrades=True)
    campaign = _table(alice, ASCETIC, first, rest, a_game("two"))
    report(campaign, as_answers(*_played("alive", upgrades=True)[:-1]))
    _settle(campaign, "one")
    before = _balance(campaign)
    _start(campaign, "rest")
    assert _lines(campaign) == [(ASCETIC, -4)]
    _settle(campaign, "rest")
    assert _balance(campaign) == before


@pytest.mark.parametrize("step", ["victory", UPGRADE])
@pytest.mark.parametrize(("card", "balance"), [(OBOL, 5), (ASCETIC, 10)])
def test_a_game_that_waited_is_settled_once(
    alice: User, step: str, card: str, balance: int
) -> None:
    """Not also at the upgrade after it, which covered the game for a while."""
    campaign = _table(alice, card, a_game("one"), REST, a_game("two"))
    report(campaign, as_answers(*_played("alive", upgrades=True)[:-1]))
    _settle(campaign, "one")
    _start(campaign, "rest")
    _settle(campaign, "rest")
    assert _balance(campaign) == balance
    (again,) = (each for each in won("one") if each.get("step") == step)
    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, step),
        context=write_context(campaign),
    )
    report(campaign, as_answers(again))
    assert _balance(campaign) == balance
