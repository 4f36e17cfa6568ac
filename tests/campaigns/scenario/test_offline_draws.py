"""Tokens that a phone drew without network: recorded as such, checked, undone."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.chaos import Token
from arkham.rules.draws.record import PHONE, commitment_to
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Role
from campaigns.pages.ending import ending_of
from campaigns.play.addresses import LETTERS
from campaigns.play.in_play import Act
from campaigns.views.timeline import desk_of
from tests.campaigns.helpers.tables import NOW, a_member, organiser_of
from tests.campaigns.scenario.helpers import (
    do_at_table,
    kept_play,
    play_as_program,
    scenario_page,
)

pytestmark = pytest.mark.django_db

SKULL, CULTIST, ZERO = (
    LETTERS[each] for each in (Token.SKULL, Token.CULTIST, Token.ZERO)
)
MARK = "drawn on a phone without network"


def test_the_draws_of_a_phone_follow_each_other(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """Each was made without seeing the versions of those before it; all are marked."""
    steps = [
        f"p{SKULL}:/",
        f"p{CULTIST}:{SKULL}/",
        f"e:{SKULL}{CULTIST}/",
        f"s{ZERO}:/",
        f"p{SKULL}:/{ZERO}",
    ]
    for key, step in enumerate(steps):
        done = do_at_table(as_alice, playing, step, seen=0, key=str(key))
        assert done.status_code == 303

    kept = kept_play(playing)
    assert kept.steps == tuple(each.partition(":")[0] for each in steps)
    assert kept.play.bag.revealed == (Token.SKULL,)
    page = scenario_page(as_bob, playing)
    assert page.count(f", {MARK}") == 3
    assert "Drawn on a phone without network" in page.partition('class="tray')[0]
    assert "3 tokens were drawn on phones without network." in page


def test_an_act_sent_twice_is_recorded_once(
    as_alice: Client, playing: Campaign
) -> None:
    """By its key, as every act of a scenario."""
    for _time in range(2):
        sent = do_at_table(as_alice, playing, f"p{SKULL}:/", key="phone")
        assert sent.status_code == 303
    other = do_at_table(as_alice, playing, f"p{CULTIST}:{SKULL}/", key="phone")

    assert other.status_code == 422
    assert kept_play(playing).steps == (f"p{SKULL}",)


@pytest.mark.parametrize(
    ("others", "step", "status", "why"),
    [
        (["d"], f"p{SKULL}:/", 412, "Someone else used the bag first"),
        ([f"s{SKULL}"], f"p{SKULL}:/", 422, "0 skull tokens in the bag"),
        ([f"t{SKULL}"], f"p{SKULL}:/", 422, "0 skull tokens in the bag"),
        (["d"], "e:a/", 412, "Someone else used the bag first"),
        ([f"s{SKULL}"], f"s{ZERO}:/", 412, "Someone else used the bag first"),
        ([], f"p{SKULL}:{ZERO}/", 412, "Someone else used the bag first"),
        ([], "pz:/", 422, "You can’t do this here"),
        ([], "p:/", 422, "You can’t do this here"),
    ],
)
def test_what_does_not_fit_the_bag_by_then_is_refused(
    as_alice: Client,
    as_bob: Client,
    playing: Campaign,
    others: list[str],
    step: str,
    status: int,
    why: str,
) -> None:
    """A token of another test, one that isn't in the bag, one that doesn't exist."""
    for each in others:
        assert do_at_table(as_bob, playing, each).status_code == 303
    refused = do_at_table(as_alice, playing, step)

    assert refused.status_code == status
    assert why in refused.content.decode()
    assert list(kept_play(playing).steps if others else ()) == others


def test_tests_of_others_that_have_ended_refuse_nothing(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """Nor does a blessing: the token is in the bag, and no other is in force."""
    for seen, each in enumerate(["d", "e", "aq", f"s{ZERO}"]):
        do_at_table(as_bob, playing, each, seen=seen)
    assert do_at_table(as_alice, playing, f"p{SKULL}:/").status_code == 303


def test_only_players_send_draws(
    as_charlie: Client, playing: Campaign, charlie: User
) -> None:
    """A spectator is refused."""
    a_member(playing, charlie, Role.SPECTATOR)
    assert do_at_table(as_charlie, playing, f"p{SKULL}:/").status_code == 403


def test_a_draw_of_a_phone_is_undone(as_alice: Client, playing: Campaign) -> None:
    """The token returns; the mark goes with it."""
    do_at_table(as_alice, playing, f"p{SKULL}:/")
    do_at_table(as_alice, playing, "undo", seen=1)

    assert kept_play(playing).steps == ()
    assert MARK not in scenario_page(as_alice, playing)


def test_a_draw_of_a_phone_has_no_seed_and_changes_that_of_the_next(
    as_alice: Client, playing: Campaign
) -> None:
    """It is the first draw: a token that was drawn first and undone isn't the next."""
    do_at_table(as_alice, playing, "d")
    (shown,) = kept_play(playing).seeds
    do_at_table(as_alice, playing, "undo", seen=1)
    do_at_table(as_alice, playing, f"p{SKULL}:/")
    do_at_table(as_alice, playing, f"e:{SKULL}/")
    kept = kept_play(playing)
    draw = kept.play.events[0].draw

    assert draw is not None
    assert (draw.generator, draw.seed, sum(n for _t, n in draw.pool)) == (PHONE, "", 7)
    assert kept.seeds == ("", "")
    assert kept.commitment != commitment_to(shown)


def test_the_last_page_counts_them(as_alice: Client, playing: Campaign) -> None:
    """Drawn and expected, as if the server had drawn them."""
    do_at_table(as_alice, playing, f"p{SKULL}:/")
    do_at_table(as_alice, playing, f"p{CULTIST}:{SKULL}/")
    found = ending_of(playing, replayed(playing), desk_of(organiser_of(playing)))
    by_word = {each.shown.word: each for each in found.tokens}

    assert found.draws == 2
    assert (by_word["Skull"].drawn, by_word["Skull"].expected) == (1, "0.1")
    assert (by_word["0"].drawn, by_word["0"].expected) == (0, "0.3")


def test_a_program_records_them_by_name(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """It sees the bag's version, so that others' draws refuse it; the step is named."""
    body: dict[str, Any] = {"do": "draw_offline", "what": "skull"}
    done = play_as_program(as_alice, playing, **body).json()
    late = play_as_program(as_bob, playing, **body)

    step = {"do": "draw_offline", "token": "skull", "by": "alice", "seed": ""}
    assert done["steps"] == [step]
    assert done["revealed"] == ["skull"]
    assert late.status_code == 412


def test_an_empty_bag_has_no_token_for_a_phone(playing: Campaign) -> None:
    """Seven tokens are drawn; the eighth is refused with the reason."""

    def draw(letter: str, seen: str) -> None:
        services.play(
            campaign=playing,
            member=organiser_of(playing),
            scenario="torch",
            act=Act(f"p{letter}", f"{seen}/"),
            now=NOW,
        )

    kinds = ("0", "-1", "skull", "cultist", "auto_fail", "elder_sign", "frost")
    letters = "".join(LETTERS[Token(kind)] for kind in kinds)
    for place, letter in enumerate(letters):
        draw(letter, letters[:place])
    with pytest.raises(services.EntryRefused) as refused:
        draw(SKULL, letters)

    assert [each.rule for each in refused.value.findings] == ["bag.absent"]
    assert len(kept_play(playing).steps) == len(letters)
