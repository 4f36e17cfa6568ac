"""The bag that several phones share: drawn from, committed to, undone."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.chaos import Token
from arkham.rules.draws.record import commitment_to, draw_replays
from arkham.web.language import word_of
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, PlayState, Role
from campaigns.play import in_play
from campaigns.play.addresses import LETTERS
from campaigns.play.in_play import Act, Behind
from tests.campaigns.helpers.tables import NOW, as_answers, later, organiser_of, report
from tests.campaigns.scenario.helpers import do_at_table, kept_play, scenario_page
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY


def test_a_draw_needs_the_current_bag(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """A late one draws nothing and gets what was drawn."""
    assert do_at_table(as_alice, playing, "d").status_code == 303
    late = do_at_table(as_bob, playing, "d")

    assert late.status_code == 412
    assert "alice: revealed" in late.content.decode()
    assert kept_play(playing).steps == ("d",)
    assert do_at_table(as_bob, playing, "d", seen=1).status_code == 303
    assert kept_play(playing).by == ("alice", "bob")


def test_a_tick_does_not_make_a_draw_late(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """Only changes of the bag do."""
    do_at_table(as_bob, playing, "tick:bag")
    assert do_at_table(as_alice, playing, "d").status_code == 303


def test_a_repeated_draw_is_made_once(as_alice: Client, playing: Campaign) -> None:
    """A phone that sends it again gets the same result."""
    do_at_table(as_alice, playing, "d", key="phone")
    assert do_at_table(as_alice, playing, "d", key="phone").status_code == 303
    assert kept_play(playing).steps == ("d",)


def test_a_key_belongs_to_its_author_and_one_action(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """Another's action with the same key is done; a different action is refused."""
    assert do_at_table(as_alice, playing, "more:Doom", key="1").status_code == 303
    assert do_at_table(as_bob, playing, "more:Clues", key="1").status_code == 303
    other = do_at_table(as_alice, playing, "more:Clues", key="1")

    assert other.status_code == 422
    assert "This form was already sent" in other.content.decode()
    assert kept_play(playing).counters[:2] == (("Doom", 1), ("Clues", 1))


def _draw_tokens(campaign: Campaign, number: int) -> list[str]:
    """Return the commitments shown before each of so many draws."""
    shown = []
    for seen in range(number):
        shown.append(kept_play(campaign).commitment if seen else "")
        services.play(
            campaign=campaign,
            member=organiser_of(campaign),
            scenario="torch",
            act=Act("d", seen=seen),
            now=later(seen),
        )
    return shown


def test_every_draw_has_the_seed_that_was_committed_to(playing: Campaign) -> None:
    """Anyone can check that, and draw the tokens again."""
    shown = _draw_tokens(playing, 3)
    kept = kept_play(playing)
    draws = [event.draw for event in kept.play.events if event.draw]

    assert len({each.seed for each in draws}) == 3
    assert [commitment_to(each.seed) for each in draws][1:] == shown[1:]
    assert [*draw_replays(draws[0]), *draw_replays(draws[2])] == []
    assert kept.play.bag.size == 4
    assert len(kept.play.bag.revealed) == 3


def test_no_response_reveals_the_next_draw(as_alice: Client, playing: Campaign) -> None:
    """Neither the campaign's secret nor the bag's, by page or API."""
    _draw_tokens(playing, 2)
    kept = kept_play(playing)
    pages = [
        as_alice.get(f"/campaigns/{playing.pk}/scenario/").content.decode(),
        as_alice.get(f"/campaigns/{playing.pk}/").content.decode(),
        as_alice.get(f"/api/v1/campaigns/{playing.pk}/play").content.decode(),
        as_alice.get(f"/api/v1/campaigns/{playing.pk}/").content.decode(),
        as_alice.get(f"/api/v1/campaigns/{playing.pk}/export").content.decode(),
        as_alice.get(f"/api/v1/campaigns/{playing.pk}/entries/").content.decode(),
    ]
    for page in pages:
        assert kept.secret not in page
        assert playing.secret not in page
    assert kept.commitment in pages[0]
    assert kept.commitment in pages[2]
    assert all(seed in pages[0] for seed in kept.seeds)


def test_a_copy_draws_differently(playing: Campaign) -> None:
    """Its draws predict nothing of the original's."""
    copy = services.branch(campaign=playing, member=organiser_of(playing), now=NOW)
    _draw_tokens(playing, 3)
    _draw_tokens(copy, 3)

    assert copy.secret != playing.secret
    assert not set(kept_play(copy).seeds) & set(kept_play(playing).seeds)


def test_a_scenario_of_an_older_version_gets_a_secret(
    playing: Campaign,
) -> None:
    """Its seed was shown: drawn tokens stay, the next one can't be predicted."""
    start = {"0": 3, "-1": 3, "skull": 3}
    old = in_play.ScenarioInPlay(
        start, start, "shown/bag/torch/14", ("d", "d"), ("a", "a")
    )
    before = [event.draw for event in old.play.events]
    new = in_play.with_secret(old, "secret")
    after = in_play.done(new, Act("d"), by="a", version=3, bag={})

    assert [event.draw for event in new.play.events] == before
    assert new.seeds == ("shown/bag/torch/14/1", "shown/bag/torch/14/2")
    assert after.seeds[:2] == new.seeds
    assert commitment_to(after.seeds[2]) == new.commitment
    assert not after.seeds[2].startswith("shown")
    assert in_play.with_secret(new, "other") == new


def test_an_eleventh_bless_is_refused(as_alice: Client, playing: Campaign) -> None:
    """Sealed ones counted, no matter who added the others; and a ninth frost."""
    for _turn in range(10):
        assert do_at_table(as_alice, playing, "aq").status_code == 303
    assert do_at_table(as_alice, playing, "sq", seen=10).status_code == 303
    refused = do_at_table(as_alice, playing, "aq")

    assert refused.status_code == 422
    assert "0 of 1 bless" in refused.content.decode()
    for _turn in range(7):
        assert do_at_table(as_alice, playing, "as").status_code == 303
    assert do_at_table(as_alice, playing, "as").status_code == 422
    assert kept_play(playing).play.bag.size == 7 + 9 + 7


def test_a_step_is_undone(as_alice: Client, playing: Campaign) -> None:
    """The same token is drawn again: undoing is no second chance."""
    do_at_table(as_alice, playing, "d")
    first = kept_play(playing).play.bag.revealed
    do_at_table(as_alice, playing, "undo", seen=1)
    assert kept_play(playing).steps == ()
    do_at_table(as_alice, playing, "d", seen=2)
    assert kept_play(playing).play.bag.revealed == first


def test_an_undone_draw_predicts_nothing_of_another_bag(
    as_alice: Client, playing: Campaign
) -> None:
    """Its seed was shown; once the bag is changed, the next draw has another."""
    do_at_table(as_alice, playing, "d")
    (shown,) = kept_play(playing).seeds
    do_at_table(as_alice, playing, "undo", seen=1)
    assert kept_play(playing).commitment == commitment_to(shown)
    do_at_table(as_alice, playing, "aq", seen=2)
    committed = kept_play(playing).commitment
    do_at_table(as_alice, playing, "d", seen=3)

    _bless, seed = kept_play(playing).seeds
    assert seed != shown
    assert commitment_to(seed) == committed != commitment_to(shown)


def test_the_campaigns_bag_stays_as_it_is(as_alice: Client, playing: Campaign) -> None:
    """Bless leaves; frost is offered to the log, and written on request."""
    do_at_table(as_alice, playing, "aq")
    assert "frost tokens in the log" not in scenario_page(as_alice, playing)
    do_at_table(as_alice, playing, "as")
    before = dict(replayed(playing).replay.state.bag)

    assert "Record 2 frost tokens in the log" in scenario_page(as_alice, playing)
    assert (before["frost"], before.get("bless", 0)) == (1, 0)
    data = {"after": playing.last, "key": "f", "scenario": "torch"}
    done = as_alice.post(f"/campaigns/{playing.pk}/scenario/frost", data)
    playing.refresh_from_db()

    assert done.status_code == 303
    page = scenario_page(as_alice, playing)
    assert "frost tokens in the log" not in page
    assert "The campaign’s chaos bag has changed" not in page
    report(
        playing,
        as_answers(*[each | {"scenario": "torch"} for each in won("torch")[3:]]),
    )
    bag = replayed(playing).replay.state.bag
    assert (bag["frost"], bag.get("bless", 0)) == (2, 0)


def test_changes_of_the_bag_by_the_log_are_applied(playing: Campaign) -> None:
    """On request: drawn and sealed tokens stay."""
    content = in_play.begun({"0": 1, "skull": 2}, "seed")
    drawn = in_play.done(content, Act("d"), by="a", version=1, bag={})
    bag = {"0": 2, "skull": 1}
    made = in_play.done(drawn, Act("renew", seen=1), by="b", version=2, bag=bag)

    assert made.steps == ("d", "ab", "tk")
    assert made.known == bag
    with pytest.raises(Behind):
        in_play.done(made, Act("renew", seen=1), by="a", version=3, bag=bag)


def test_the_next_scenario_begins_with_the_campaigns_bag(
    as_alice: Client, playing: Campaign
) -> None:
    """Counters at zero, no steps, no ticks."""
    do_at_table(as_alice, playing, "d")
    ended = [each | {"scenario": "torch"} for each in won("torch")[3:]]
    report(playing, as_answers(*ended))
    page = scenario_page(as_alice, playing)

    assert "History: 0 steps" in page
    assert "7 tokens" in page


def test_a_skill_test_counts_the_symbols_of_the_scenario(
    as_alice: Client, playing: Campaign
) -> None:
    """Symbols, difficulty and skills come along; what depends on the game is named."""
    page = unescape(scenario_page(as_alice, playing))
    (address,) = re.findall(rf'"(/table/test/\?investigator={DAISY}[^"]+)"', page)
    query = parse_qs(urlsplit(address).query)
    assert query["m_cultist"] == ["-1"]  # The Gathering, Standard
    assert query["m_elder_sign"] == ["0"]  # hers, which also draws cards
    assert query["varies"] == ["skull"]

    answer = as_alice.get(address, follow=True)
    text = " ".join(answer.content.decode().split())
    assert 'aria-label="Intellect 5"' in text
    assert "<h1>Skill test: Daisy Walker</h1>" in text
    back = f'href="/campaigns/{playing.pk}/scenario/#bag"'
    assert back in text
    assert "These tokens vary. In this test they count as:" in text
    at = answer.redirect_chain[-1][0]
    assert parse_qs(at.partition("?")[2])["varies"]
    drawn = as_alice.get(f"{at}&do=draw", follow=True).content.decode()
    assert back in drawn
    assert 'href="/table/"' not in drawn.partition("<main")[2].partition("<footer")[0]


def test_a_skill_test_of_a_scenario_counts_what_the_table_revealed(
    as_alice: Client, playing: Campaign
) -> None:
    """It reveals no tokens of its own, which the other phones wouldn't see."""

    def tested() -> str:
        page = unescape(scenario_page(as_alice, playing))
        (address,) = re.findall(rf'"(/table/test/\?investigator={DAISY}[^"]+)"', page)
        return as_alice.get(address, follow=True).content.decode()

    before = tested()
    assert "Reveal at the table" in before
    assert 'value="draw"' not in before
    assert 'class="result' not in before
    do_at_table(as_alice, playing, "d")
    after = tested()
    (token,) = kept_play(playing).play.bag.revealed
    assert after.count('<li class="chip">') == 1
    assert word_of(token) in after
    assert "7 tokens in this bag." in after


def _reveal_for(client: Client, campaign: Campaign, test: str) -> dict[str, list[str]]:
    """Press “Reveal at the table” on the page of a test; return the next address."""
    answer = client.post(f"/campaigns/{campaign.pk}/scenario/reveal", {"test": test})
    assert answer.status_code == 303
    path, _mark, query = answer.headers["Location"].partition("?")
    assert path == "/table/test/"
    return parse_qs(query)


def test_a_token_revealed_for_a_test_keeps_its_numbers(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """A token that another phone revealed meanwhile counts; a second press too."""
    test = "investigator=01002&skill=5&difficulty=2&n_0=2&seed=s&do=skill%2B"
    asked = _reveal_for(as_alice, playing, test)
    (token,) = kept_play(playing).play.bag.revealed
    assert asked["drawn"] == [LETTERS[token]]
    assert (asked["skill"], asked["difficulty"]) == (["5"], ["2"])
    assert "do" not in asked

    assert _reveal_for(as_alice, playing, test)["drawn"] == asked["drawn"]
    assert _reveal_for(as_bob, playing, "seed=b")["drawn"] == asked["drawn"]
    assert kept_play(playing).steps == ("d",)
    chain = _reveal_for(as_alice, playing, f"{test}&drawn={LETTERS[token]}")
    assert len(chain["drawn"][0]) == 2


def test_tokens_chosen_by_hand_stay_beside_those_of_the_table(
    as_alice: Client, playing: Campaign
) -> None:
    """A press reveals the next one, unless another phone did so meanwhile."""
    bless = LETTERS[Token.BLESS]
    for _time in range(3):  # the table reveals at most two of them
        do_at_table(as_alice, playing, f"a{bless}")
    test = f"n_bless=3&n_0=2&seed=s&campaign={playing.pk}&do=token.{bless}"
    answer = as_alice.get(f"/table/test/?{test}")
    chosen = answer.headers["Location"].partition("?")[2]

    asked = _reveal_for(as_alice, playing, chosen)
    (first,) = kept_play(playing).play.bag.revealed
    assert asked["drawn"] == [LETTERS[first] + bless]
    assert _reveal_for(as_alice, playing, chosen)["drawn"] == asked["drawn"]
    assert kept_play(playing).steps[-1:] == ("d",)

    page = as_alice.get("/table/test/", asked | {"do": "skill+"})
    again = page.headers["Location"].partition("?")[2]
    (drawn,) = _reveal_for(as_alice, playing, again)["drawn"]
    assert (len(drawn), drawn[-1]) == (3, bless)


def test_a_token_that_the_table_reveals_is_no_longer_chosen(as_alice: Client) -> None:
    """The bag has one of them."""
    bless = LETTERS[Token.BLESS]
    test = f"n_bless=1&n_0=2&seed=s&drawn={bless * 2}&chosen=1&do=skill%2B"
    page = as_alice.get(f"/table/test/?{test}")
    asked = parse_qs(page.headers["Location"].partition("?")[2])
    assert asked["drawn"] == [bless]
    assert "chosen" not in asked


def test_a_token_added_since_the_test_was_shown_counts(
    as_alice: Client, playing: Campaign
) -> None:
    """And those that were taken away don't."""
    do_at_table(as_alice, playing, f"a{LETTERS[Token.BLESS]}")
    asked = _reveal_for(as_alice, playing, "n_0=2&n_frost=3&seed=s")
    assert (asked["n_bless"], asked["n_frost"]) == (["1"], ["1"])
    page = as_alice.get("/table/test/", asked | {"campaign": playing.pk})
    assert "8 tokens in this bag." in page.content.decode()
    assert page.content.decode().count('<li class="chip">') == 1


def test_a_spectator_reveals_no_token_for_a_test(
    bob: User, as_bob: Client, playing: Campaign
) -> None:
    """They see the scenario instead."""
    playing.memberships.filter(user=bob).update(role=Role.SPECTATOR)
    answer = as_bob.post(f"/campaigns/{playing.pk}/scenario/reveal", {"test": "seed=b"})
    assert answer.headers["Location"] == f"/campaigns/{playing.pk}/scenario/#bag"
    assert not PlayState.objects.exists()


def test_every_helper_leads_back_to_the_scenario(
    as_alice: Client, playing: Campaign
) -> None:
    """Also after its steps, and an elimination doesn't ask for the campaign."""
    page = unescape(scenario_page(as_alice, playing))
    back = f'href="/campaigns/{playing.pk}/scenario/"'
    links = re.findall(r'href="(/table/(?!test)[^"]+campaign=[^"]+)"', page)
    assert {urlsplit(each).path for each in links} == {
        "/table/elimination/",
        "/table/round/",
    }
    links.append(f"/table/deck/?kind=exploration&campaign={playing.pk}")
    for address in links:
        main = as_alice.get(address, follow=True).content.decode().partition("<main")[2]
        assert back in main
        assert 'id="setting"' not in main
    for asked in (
        f"elimination/?how=resigned&lead=no&left=1&step=7&campaign={playing.pk}",
        f"round/?round=2&at=3&campaign={playing.pk}",
        f"deck/?kind=exploration&locations=Camp&begin=&campaign={playing.pk}",
    ):
        main = as_alice.get(f"/table/{asked}", follow=True).content.decode()
        assert back in main
        assert 'href="/table/"' not in main.partition("<main")[2].partition("<foot")[0]
        assert main.count(f"campaign={playing.pk}") + main.count('name="campaign"')


def test_the_main_action_after_a_token_ends_the_test(
    as_alice: Client, playing: Campaign
) -> None:
    """It replaces the button for a token; before, there is no test to end."""
    page = scenario_page(as_alice, playing)
    assert 'value="e" hidden' in page
    do_at_table(as_alice, playing, "d")
    page = scenario_page(as_alice, playing)
    ends, draws = page.index('value="e"'), page.index('name="do" value="d"')
    assert ends < draws
    assert '<button form="play" class="button main" id="end"' in page
    assert '<button form="play" class="button" id="draw"' in page
    (token,) = kept_play(playing).play.bag.revealed
    assert f"<small>Revealed: {word_of(token)}</small>" in page  # in sight everywhere
