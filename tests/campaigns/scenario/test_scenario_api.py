"""A program takes part in a scenario: it sees and does what phones do."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Campaign
from tests.campaigns.scenario.helpers import kept_play, play_as_program


def test_a_program_takes_part(as_alice: Client, playing: Campaign) -> None:
    """It gets the same state, with an ETag for polling."""
    first = as_alice.get(f"/api/v1/campaigns/{playing.pk}/play")
    drawn = play_as_program(as_alice, playing, do="draw").json()
    play_as_program(as_alice, playing, do="add_token", what="bless")
    play_as_program(as_alice, playing, do="more", what="Doom")
    now = as_alice.get(f"/api/v1/campaigns/{playing.pk}/play")
    same = as_alice.get(
        f"/api/v1/campaigns/{playing.pk}/play", headers={"If-None-Match": now["ETag"]}
    )

    assert (first.json()["version"], drawn["version"]) == (0, 1)
    assert first["ETag"] != now["ETag"]
    begun = [list(each.json()["start"]) for each in (first, now)]
    assert begun[0] == begun[1] == sorted(begun[0])
    assert same.status_code == 304
    assert sum(first.json()["bag"].values()) == 7
    assert sum(drawn["bag"].values()) == 6
    assert len(drawn["revealed"]) == 1
    told = now.json()
    assert told["steps"] == [
        {"do": "draw", "token": "", "by": "alice", "seed": kept_play(playing).seeds[0]},
        {"do": "add_token", "token": "bless", "by": "alice", "seed": ""},
    ]
    assert (told["bag"]["bless"], told["counters"]["Doom"]) == (1, 1)


def test_an_action_has_an_idempotency_key(as_alice: Client, playing: Campaign) -> None:
    """As everywhere: repeated, it is done once; another action is refused with 422."""
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
    assert kept_play(playing).counters[:2] == (("Doom", 1), ("Clues", 0))


def test_a_late_action_gets_the_current_state(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """412; counters are never late."""
    play_as_program(as_alice, playing, do="draw")
    late = play_as_program(as_bob, playing, do="draw")

    assert (late.status_code, late.json()["current"]["version"]) == (412, 1)
    assert play_as_program(as_bob, playing, do="more", what="Doom").status_code == 200


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"do": "dance"}, "/do"),
        ({"do": "seal", "what": "chip"}, "/what"),
        ({}, "/do"),
        ({"do": "draw", "seen": "1"}, "/seen"),
    ],
)
def test_an_empty_body_is_refused(
    as_alice: Client, playing: Campaign, body: Any, pointer: str
) -> None:
    """422 with its place."""
    answer = play_as_program(as_alice, playing, **body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == pointer


def test_a_stranger_gets_404(as_charlie: Client, playing: Campaign) -> None:
    assert play_as_program(as_charlie, playing, do="draw").status_code == 404
