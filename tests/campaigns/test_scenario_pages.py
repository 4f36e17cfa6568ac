"""The page of a scenario: what is laid out, and a bag that several phones share."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.reading.words import Words
from arkham.rules.draws.chance import commitment_to
from arkham.rules.draws.record import draw_replays
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, PlayState, Role
from campaigns.pages.board import board_of
from campaigns.pages.set_up import checklist, in_force, sets_to_gather, steps_to_read
from campaigns.play import in_play
from campaigns.play.in_play import Act, Behind
from campaigns.services import EntryRefused, Forbidden
from campaigns.words.names import CampaignNames
from decks import services as deck_services
from decks.lists.starter import starter_deck
from tests.campaigns.tables import (
    NOW,
    STORY,
    a_campaign,
    a_member,
    a_row,
    later,
    organiser_of,
    report,
    told,
    who,
)
from tests.decks.edits import apply
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.small import DAISY, ROLAND, does

CHARISMA, HALLOWED_MIRROR = "02158", "05313"
BAG = does(
    {
        "type": "add_chaos_token",
        "tokens": ["0", "-1", "skull", "cultist", "auto_fail", "elder_sign", "frost"],
    },
    step_id="bag",
)
HURT = does(
    {"type": "trauma", "investigator": "all", "physical": 1},
    {"type": "add_card", "investigator": "all", "card": STORY},
    step_id="hurt",
)
LEAD = {
    "type": "string_choices",
    "step": "$lead_investigator",
    "scenario": "torch",
    "choices": {DAISY: ["lead"]},
}
START = {"type": "start_scenario", "scenario": "torch"}
PLAYERS = {
    "type": "string_choices",
    "step": "$choose_investigators",
    "scenario": "torch",
    "choices": {ROLAND: ["chosen"], DAISY: ["chosen"]},
}


@pytest.fixture
def campaign(alice: User, bob: User) -> Campaign:
    """Alice's deck is Roland's; Bob writes, and they sit before The Gathering."""
    guide = a_row(
        a_game("torch"),
        a_game("arkham"),
        id="core",
        setup=["who", "bag", "hurt"],
        steps=[{"id": "who", "type": "input",
                "input": {"type": "scenario_investigators"}}, BAG, HURT],
    )  # fmt: skip
    begun = a_campaign(alice, DAISY, guide=guide)
    a_member(begun, bob, Role.SCRIBE)
    content = starter_deck(embedded_pool(), ROLAND)
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    services.add_seat(
        campaign=begun,
        member=organiser_of(begun),
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    report(begun, told(who(ROLAND, DAISY)))
    return begun


@pytest.fixture
def playing(campaign: Campaign) -> Campaign:
    """They play it; Daisy leads."""
    report(campaign, told(START, PLAYERS, LEAD))
    return campaign


def _page(client: Client, campaign: Campaign) -> str:
    return client.get(f"/campaigns/{campaign.pk}/scenario/").content.decode()


def _do(client: Client, campaign: Campaign, do: str, seen: int = 0, **more: Any) -> Any:
    data = {"scenario": "torch", "do": do, "seen": seen, **more}
    return client.post(f"/campaigns/{campaign.pk}/scenario/", data)


def _kept(campaign: Campaign) -> in_play.ScenarioInPlay:
    return in_play.read(PlayState.objects.get(campaign=campaign).content)


def test_what_is_laid_out_is_listed(as_alice: Client, playing: Campaign) -> None:
    """Sets by the names of the pool, lead, trauma, story cards, the bag."""
    page = _page(as_alice, playing)

    for words in (
        "Lead investigator: Daisy Walker",
        "Ghouls",
        "Striking Fear",
        "Put these together: 7 tokens.",
        "Place 1 damage: physical trauma.",
        "Lita Chantler",
    ):
        assert words in page
    assert "Place 1 horror" not in page


def test_before_the_first_scenario_there_is_none(alice: User, as_alice: Client) -> None:
    """The page says where to go on."""
    assert "No scenario yet" in _page(as_alice, a_campaign(alice))


def test_a_stranger_finds_nothing(as_charlie: Client, playing: Campaign) -> None:
    """Neither to see nor to do."""
    address = f"/campaigns/{playing.pk}/scenario/"
    assert as_charlie.get(address).status_code == 404
    assert as_charlie.get(f"{address}news").status_code == 404
    assert _do(as_charlie, playing, "d").status_code == 404
    assert as_charlie.post(f"{address}frost", {"after": 1}).status_code == 404


def test_what_is_ticked_is_ticked_for_all(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """And may be taken back; nothing others did stands against it."""
    assert _do(as_alice, playing, "tick:set:torch").status_code == 303
    assert _do(as_bob, playing, "tick:bag").status_code == 303

    assert _kept(playing).ticked == ("set:torch", "bag")
    assert _page(as_bob, playing).count('aria-pressed="true"') == 2
    _do(as_bob, playing, "untick:set:torch")
    assert _kept(playing).ticked == ("bag",)


def test_a_counter_counts_whoever_counts(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """Though neither saw the other; never below nothing; a key counts once."""
    _do(as_alice, playing, "more:Doom")
    _do(as_bob, playing, "more:Doom")
    _do(as_bob, playing, "more:Doom", key="once")
    _do(as_bob, playing, "more:Doom", key="once")
    _do(as_bob, playing, "less:Clues")

    assert _kept(playing).counters == (("Doom", 3), ("Clues", 0), ("Round", 0))


def test_counters_have_names(as_alice: Client, playing: Campaign) -> None:
    """Of the table's own, twelve in all."""
    _do(as_alice, playing, "add", what="  Ghouls   killed ")
    assert _kept(playing).counters[-1] == ("Ghouls killed", 0)
    for number in range(8):
        _do(as_alice, playing, "add", what=f"c{number}")
    assert _do(as_alice, playing, "add", what="too many").status_code == 422
    assert len(_kept(playing).counters) == 12
    _do(as_alice, playing, "drop:c0")
    assert len(_kept(playing).counters) == 11


def test_a_draw_is_made_in_sight_of_the_bag(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """Who is late is told what was drawn, and draws nothing."""
    assert _do(as_alice, playing, "d").status_code == 303
    late = _do(as_bob, playing, "d")

    assert late.status_code == 412
    assert "alice: revealed" in late.content.decode()
    assert _kept(playing).steps == ("d",)
    assert _do(as_bob, playing, "d", seen=1).status_code == 303
    assert _kept(playing).by == ("alice", "bob")


def test_a_tick_does_not_stand_against_a_draw(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """Only the bag does."""
    _do(as_bob, playing, "tick:bag")
    assert _do(as_alice, playing, "d").status_code == 303


def test_the_same_draw_sent_twice_is_made_once(
    as_alice: Client, playing: Campaign
) -> None:
    """A phone that sends again gets what came of it."""
    _do(as_alice, playing, "d", key="phone")
    assert _do(as_alice, playing, "d", key="phone").status_code == 303
    assert _kept(playing).steps == ("d",)


def test_a_key_is_its_authors_own_and_names_one_act(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """What another does under the same name is done; something else is refused."""
    assert _do(as_alice, playing, "more:Doom", key="1").status_code == 303
    assert _do(as_bob, playing, "more:Clues", key="1").status_code == 303
    other = _do(as_alice, playing, "more:Clues", key="1")

    assert other.status_code == 422
    assert "Something else was written from this form before." in other.content.decode()
    assert _kept(playing).counters[:2] == (("Doom", 1), ("Clues", 1))


def _draw_tokens(campaign: Campaign, number: int) -> list[str]:
    """The commitments shown before each of so many draws."""
    shown = []
    for seen in range(number):
        shown.append(_kept(campaign).commitment if seen else "")
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
    kept = _kept(playing)
    draws = [event.draw for event in kept.play.events if event.draw]

    assert len({each.seed for each in draws}) == 3
    assert [commitment_to(each.seed) for each in draws][1:] == shown[1:]
    assert [*draw_replays(draws[0]), *draw_replays(draws[2])] == []
    assert kept.play.bag.size == 4
    assert len(kept.play.bag.revealed) == 3


def test_nothing_that_is_shown_tells_the_next_draw(
    as_alice: Client, playing: Campaign
) -> None:
    """Neither the campaign's secret nor the bag's, by page or API."""
    _draw_tokens(playing, 2)
    kept = _kept(playing)
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


def test_a_copy_draws_anew(playing: Campaign) -> None:
    """What comes in it says nothing of what will come at the table."""
    copy = services.branch(campaign=playing, member=organiser_of(playing), now=NOW)
    _draw_tokens(playing, 3)
    _draw_tokens(copy, 3)

    assert copy.secret != playing.secret
    assert not set(_kept(copy).seeds) & set(_kept(playing).seeds)


def test_a_play_from_before_keeps_its_tokens_and_has_a_secret_from_here_on(
    playing: Campaign,
) -> None:
    """Its seed was shown: drawn tokens stay, the next one can't be foreseen."""
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


def test_the_eleventh_bless_is_refused(as_alice: Client, playing: Campaign) -> None:
    """Sealed ones counted, whoever added the others; and the ninth frost."""
    for _turn in range(10):
        assert _do(as_alice, playing, "aq").status_code == 303
    assert _do(as_alice, playing, "sq", seen=10).status_code == 303
    refused = _do(as_alice, playing, "aq")

    assert refused.status_code == 422
    assert "0 of 1 bless" in refused.content.decode()
    for _turn in range(7):
        assert _do(as_alice, playing, "as").status_code == 303
    assert _do(as_alice, playing, "as").status_code == 422
    assert _kept(playing).play.bag.size == 7 + 9 + 7


@pytest.mark.parametrize("do", ["tq", "rq", "sq", "zz", "ra", "td", "g2", "add2"])
def test_what_cannot_be_done_is_refused(
    as_alice: Client, playing: Campaign, do: str
) -> None:
    """422; nothing is kept of it."""
    assert _do(as_alice, playing, do).status_code == 422
    assert not PlayState.objects.exclude(version=0).exists()


@pytest.mark.parametrize("data", [{}, {"do": "d"}, {"do": "d", "seen": "x"}])
def test_no_form_of_ours(as_alice: Client, playing: Campaign, data: Any) -> None:
    """400."""
    address = f"/campaigns/{playing.pk}/scenario/"
    assert as_alice.post(address, data).status_code == 400


def test_a_scenario_nobody_came_to(playing: Campaign) -> None:
    """Is not played."""
    with pytest.raises(EntryRefused) as refused:
        services.play(
            campaign=playing,
            member=organiser_of(playing),
            scenario="arkham",
            act=Act("d"),
            now=NOW,
        )
    assert [each.rule for each in refused.value.findings] == ["log.scenario"]


def test_who_looks_on_only_sees(
    as_charlie: Client, charlie: User, playing: Campaign
) -> None:
    """A spectator has no buttons, and is refused."""
    a_member(playing, charlie, Role.SPECTATOR)
    assert "Reveal a token" not in _page(as_charlie, playing)
    assert _do(as_charlie, playing, "d").status_code == 403
    with pytest.raises(Forbidden):
        services.play(
            campaign=playing,
            member=playing.memberships.get(user=charlie),
            scenario="torch",
            act=Act("tick", "bag"),
            now=NOW,
        )


def test_the_notes_of_two_are_both_shown(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """Nothing is written over unseen; who has seen both may put them together."""
    _do(as_alice, playing, "notes", what="The cellar is open.")
    late = _do(as_bob, playing, "notes", what="Lita is in the parlor.")

    assert late.status_code == 412
    shown = late.content.decode()
    assert "The cellar is open." in shown
    assert "Lita is in the parlor." in shown
    assert _kept(playing).notes == "The cellar is open."
    _do(as_bob, playing, "notes", seen=1, what="Both.")
    assert (_kept(playing).notes, _kept(playing).notes_by) == ("Both.", "bob")


def test_a_step_is_taken_back(as_alice: Client, playing: Campaign) -> None:
    """And the same token comes again: nobody draws anew by taking back."""
    _do(as_alice, playing, "d")
    first = _kept(playing).play.bag.revealed
    _do(as_alice, playing, "undo", seen=1)
    assert _kept(playing).steps == ()
    _do(as_alice, playing, "d", seen=2)
    assert _kept(playing).play.bag.revealed == first


def test_a_draw_taken_back_says_nothing_of_one_from_another_bag(
    as_alice: Client, playing: Campaign
) -> None:
    """Its seed was shown; once the bag is changed, the next draw has another."""
    _do(as_alice, playing, "d")
    (shown,) = _kept(playing).seeds
    _do(as_alice, playing, "undo", seen=1)
    assert _kept(playing).commitment == commitment_to(shown)
    _do(as_alice, playing, "aq", seen=2)
    committed = _kept(playing).commitment
    _do(as_alice, playing, "d", seen=3)

    _bless, seed = _kept(playing).seeds
    assert seed != shown
    assert commitment_to(seed) == committed != commitment_to(shown)


def test_a_phone_asks_whether_anything_is_new(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """204 or 304 while there is nothing; else where it is."""
    address = f"/campaigns/{playing.pk}/scenario/news"
    quiet = as_alice.get(f"{address}?mark={playing.last}-0")
    # On its way an answer is compressed, and its ETag is a weak one then.
    same = as_alice.get(address, headers={"If-None-Match": f"W/{quiet['ETag']}"})
    _do(as_bob, playing, "tick:bag")
    new = as_alice.get(f"{address}?mark={playing.last}-0")

    assert (quiet.status_code, same.status_code, new.status_code) == (204, 304, 200)
    assert 'hx-target="#scenario"' in new.content.decode()


def test_the_bag_of_the_campaign_stays_as_it_is(
    as_alice: Client, playing: Campaign
) -> None:
    """Bless leaves; frost is offered to the log, and written when it is asked for."""
    _do(as_alice, playing, "aq")
    assert "frost tokens into the log" not in _page(as_alice, playing)
    _do(as_alice, playing, "as")
    before = dict(replayed(playing).replay.state.bag)

    assert "Write 2 frost tokens into the log" in _page(as_alice, playing)
    assert (before["frost"], before.get("bless", 0)) == (1, 0)
    data = {"after": playing.last, "key": "f", "scenario": "torch"}
    done = as_alice.post(f"/campaigns/{playing.pk}/scenario/frost", data)
    playing.refresh_from_db()

    assert done.status_code == 303
    page = _page(as_alice, playing)
    assert "frost tokens into the log" not in page
    assert "The campaign’s bag was changed" not in page
    report(playing, told(*[each | {"scenario": "torch"} for each in won("torch")[3:]]))
    bag = replayed(playing).replay.state.bag
    assert (bag["frost"], bag.get("bless", 0)) == (2, 0)


def test_what_the_log_does_to_the_bag_is_done_here(playing: Campaign) -> None:
    """When somebody says so: what was drawn and sealed stays."""
    content = in_play.begun({"0": 1, "skull": 2}, "seed")
    drawn = in_play.done(content, Act("d"), by="a", version=1, bag={})
    bag = {"0": 2, "skull": 1}
    made = in_play.done(drawn, Act("renew", seen=1), by="b", version=2, bag=bag)

    assert made.steps == ("d", "ab", "tk")
    assert made.known == bag
    with pytest.raises(Behind):
        in_play.done(made, Act("renew", seen=1), by="a", version=3, bag=bag)


def test_what_is_kept_is_read_again() -> None:
    """As JSON has it."""
    content = in_play.begun({"0": 1}, "seed")
    for act in (Act("d"), Act("more", "Doom"), Act("tick", "bag", key="k")):
        content = in_play.done(content, act, by="a", version=1, bag={})
    assert in_play.read(content.as_data()) == content


def test_the_next_scenario_begins_with_the_campaigns_bag(
    as_alice: Client, playing: Campaign
) -> None:
    """Counters at nothing, no steps, and nothing ticked."""
    _do(as_alice, playing, "d")
    ended = [each | {"scenario": "torch"} for each in won("torch")[3:]]
    report(playing, told(*ended))
    page = _page(as_alice, playing)

    assert "0 steps so far" in page
    assert "7 tokens" in page


def test_what_comes_later_is_shown_to_who_wants_it(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """To nobody else; and hidden again."""
    later_ = f"/campaigns/{playing.pk}/later"
    assert ">arkham<" not in _page(as_alice, playing)
    back = f"/campaigns/{playing.pk}/scenario/"
    shown = as_alice.post(later_, {"show": "yes", "back": back})

    assert shown["Location"] == back
    assert ">arkham<" in _page(as_alice, playing)
    assert ">arkham<" in as_alice.get(f"/campaigns/{playing.pk}/").content.decode()
    assert ">arkham<" not in _page(as_bob, playing)
    as_alice.post(later_, {"show": "no", "back": "https://evil.example/"})
    assert ">arkham<" not in _page(as_alice, playing)


def test_helpers_are_opened_with_what_is_known(
    as_alice: Client, playing: Campaign
) -> None:
    """Trauma is on the play area, the lead at the elimination, the bag in the test."""
    page = _page(as_alice, playing)
    assert f"/table/area/?investigator={DAISY}&amp;damage=1" in page
    assert f"/table/elimination/?investigator={DAISY}&amp;lead=yes" in page
    assert f"/table/test/?investigator={DAISY}&amp;n_0=1&amp;n_-1=1" in page


def test_a_test_counts_the_symbols_of_the_scenario(
    as_alice: Client, playing: Campaign
) -> None:
    """Symbols, difficulty and skills come along; what depends on the game is named."""
    page = unescape(_page(as_alice, playing))
    (address,) = re.findall(rf'"(/table/test/\?investigator={DAISY}[^"]+)"', page)
    query = parse_qs(urlsplit(address).query)
    assert query["m_cultist"] == ["-1"]  # The Gathering, Standard
    assert query["varies"] == ["skull", "elder_sign"]

    answer = as_alice.get(address, follow=True)
    text = " ".join(answer.content.decode().split())
    assert 'aria-label="Intellect 5"' in text
    assert "Depends on the game, counted as: Skull 0, Elder sign +1." in text
    assert parse_qs(answer.redirect_chain[-1][0].partition("?")[2])["varies"]


# --- by API


def _play(client: Client, campaign: Campaign, **body: Any) -> Any:
    return client.post(
        f"/api/v1/campaigns/{campaign.pk}/play",
        {"scenario": "torch", "seen": 0, **body},
        content_type="application/json",
    )


def test_a_program_plays_along(as_alice: Client, playing: Campaign) -> None:
    """It sees what the phones see, and is told by an ETag whether it is new."""
    first = as_alice.get(f"/api/v1/campaigns/{playing.pk}/play")
    drawn = _play(as_alice, playing, do="draw").json()
    _play(as_alice, playing, do="add_token", what="bless")
    _play(as_alice, playing, do="more", what="Doom")
    now = as_alice.get(f"/api/v1/campaigns/{playing.pk}/play")
    same = as_alice.get(
        f"/api/v1/campaigns/{playing.pk}/play", headers={"If-None-Match": now["ETag"]}
    )

    assert (first.json()["version"], drawn["version"]) == (0, 1)
    assert first["ETag"] != now["ETag"]
    assert same.status_code == 304
    assert sum(first.json()["bag"].values()) == 7
    assert sum(drawn["bag"].values()) == 6
    assert len(drawn["revealed"]) == 1
    told = now.json()
    assert told["steps"] == [
        {"do": "draw", "token": "", "by": "alice", "seed": _kept(playing).seeds[0]},
        {"do": "add_token", "token": "bless", "by": "alice", "seed": ""},
    ]
    assert (told["bag"]["bless"], told["counters"]["Doom"]) == (1, 1)


def test_a_program_gives_each_act_a_name_of_its_own(
    as_alice: Client, playing: Campaign
) -> None:
    """As everywhere: the same again is done once, another act is refused with 422."""
    body = {"scenario": "torch", "seen": 0, "do": "more"}
    answers = [
        as_alice.post(
            f"/api/v1/campaigns/{playing.pk}/play",
            {**body, "what": what},
            content_type="application/json",
            headers={"Idempotency-Key": "1"},
        )
        for what in ("Doom", "Doom", "Clues")
    ]

    assert [each.status_code for each in answers] == [200, 200, 422]
    replayed = [each.headers.get("Idempotent-Replayed") for each in answers]
    assert replayed == [None, "true", None]
    assert answers[2].json()["type"] == "urn:orne:problem:idempotency-key-reused"
    assert _kept(playing).counters[:2] == (("Doom", 1), ("Clues", 0))


def test_a_program_that_is_late_is_shown_what_is(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """412, with all as it is now; counting is never late."""
    _play(as_alice, playing, do="draw")
    late = _play(as_bob, playing, do="draw")

    assert (late.status_code, late.json()["current"]["version"]) == (412, 1)
    assert _play(as_bob, playing, do="more", what="Doom").status_code == 200


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"do": "dance"}, "/do"),
        ({"do": "seal", "what": "chip"}, "/what"),
        ({}, "/do"),
        ({"do": "draw", "seen": "1"}, "/seen"),
    ],
)
def test_a_body_that_says_nothing(
    as_alice: Client, playing: Campaign, body: Any, pointer: str
) -> None:
    """422 with its place."""
    answer = _play(as_alice, playing, **body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == pointer


def test_a_stranger_does_not_play(as_charlie: Client, playing: Campaign) -> None:
    """There is no such table."""
    assert _play(as_charlie, playing, do="draw").status_code == 404


# --- what each deck and the table bring


def test_a_deck_lays_out_what_it_begins_with(alice: User, campaign: Campaign) -> None:
    """Permanents in play, bonded cards set aside: each by whose they are."""
    deck = campaign.seats.get(investigator=ROLAND).deck
    assert deck is not None
    pool = embedded_pool()
    changes = [("add", CHARISMA), ("add", HALLOWED_MIRROR)]
    revision = deck.revisions.get(number=deck.revision)
    deck_services.revise_deck(
        deck=deck,
        content=apply(revision.content, changes, pool),
        expected_revision=deck.revision,
        now=NOW,
    )
    report(campaign, told(START, PLAYERS, LEAD))
    parts = checklist(board_of(organiser_of(campaign)), "torch")
    lines = {
        line.says: line.note
        for part in parts
        if part.title == "Roland Banks"
        for line in part.lines
    }

    assert lines["Charisma"] == "begins in play"
    assert lines["3 × Soothing Melody"] == "set aside, by Hallowed Mirror"
    assert lines["Place 1 damage: physical trauma."] == ""
    assert "Lita Chantler" in lines


def test_what_is_sworn_is_shown_where_it_matters(playing: Campaign) -> None:
    """At the set-up what changes it, in play the rest; nothing that was not sworn."""
    board = board_of(organiser_of(playing))
    board.known.replay.state.ultimatums.update({"dread": "", "agony": ""})
    try:
        setting_up = [
            line.says
            for part in checklist(board, "torch")
            if part.title == "Ultimatums and boons"
            for line in part.lines
        ]
        assert setting_up == ["Ultimatum of Dread"]
        sworn = [line.says for line in in_force(board, "torch")]
        assert sworn == ["Ultimatum of Agony"]
    finally:
        board.known.replay.state.ultimatums.clear()


def test_the_guide_is_read_as_far_as_the_table_is(alice: User) -> None:
    """Its steps up to what is asked next, by the branch the log takes; no further."""
    steps: list[dict[str, Any]] = [
        {"id": "before", "text": "Before."},
        {
            "id": "asked",
            "type": "input",
            "input": {
                "type": "choose_one",
                "choices": [{"id": "a", "text": "A"}, {"id": "b", "text": "B"}],
            },
        },
        {"id": "after", "text": "After."},
    ]
    campaign = a_campaign(alice, ROLAND, guide=a_row(a_game("one", *steps)))
    report(campaign, told(who(ROLAND)))
    assert steps_to_read(campaign, replayed(campaign).replay, "one") == []
    begun = {"type": "start_scenario", "scenario": "one"}
    chosen = {**PLAYERS, "scenario": "one", "choices": {ROLAND: ["chosen"]}}
    report(campaign, told(begun, chosen))
    replay = replayed(campaign).replay
    assert replay.pending is not None
    assert replay.pending.step == "asked"
    assert steps_to_read(campaign, replay, "one") == ["before"]
    answer = {"type": "choice", "step": "asked", "scenario": "one", "choice": 0}
    report(campaign, told(answer))
    assert steps_to_read(campaign, replayed(campaign).replay, "one") == [
        "before",
        "after",
    ]


def test_the_page_asks_the_database_little(
    as_alice: Client, playing: Campaign, django_assert_max_num_queries: Any
) -> None:
    """However many lines there are."""
    _page(as_alice, playing)
    with django_assert_max_num_queries(13):
        _page(as_alice, playing)


def test_the_sets_to_gather_are_those_of_the_steps_that_were_told() -> None:
    """Naomi’s Crew follows to Dunwich, or not; facts alone name whatever may be."""
    own = open_own_guide("dwl")
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    bare = CampaignNames(embedded_pool(), own.guide, Words({}))
    altar = "blood_on_the_altar"
    told = ["prologue", "gather_encounter_sets"]
    usual = [
        "Blood on the Altar", "Dunwich", "Whippoorwills", "Nightgaunts",
        "Ancient Evils",
    ]  # fmt: skip

    def gathered(names: CampaignNames, *steps: str) -> list[str]:
        return [str(each.says) for each in sets_to_gather(names, altar, steps)]

    assert gathered(names, *told) == usual
    assert gathered(names, *told, "gather_naomis_crew") == [*usual, "Naomi's Crew"]
    assert gathered(bare, *told) == [*usual, "Naomi's Crew"]


def test_a_deck_at_a_table_takes_its_games_back_there(
    as_alice: Client, alice: User
) -> None:
    """Its own page says so; the campaign tells it what its games bring."""
    content = starter_deck(embedded_pool(), ROLAND)
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    campaign = a_campaign(alice, DAISY)
    services.add_seat(
        campaign=campaign,
        member=organiser_of(campaign),
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    deck_services.mark_played(
        deck=deck, game=deck_services.PlayedGame(), expected_revision=1, now=NOW
    )
    refused = as_alice.get(f"/decks/{deck.pk}/played/take-back")
    assert refused.status_code == 409
    assert "Take the scenario back there" in refused.content.decode()
