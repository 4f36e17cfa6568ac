"""Two campaigns folded together: each waits for decisions of the other."""

from __future__ import annotations

from arkham.rules.campaign.interpreter import Half, fold_linked, links_of
from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    ROLAND,
    WHO,
    Raw,
    a_guide,
    notes,
    receive,
    receiving,
    records,
    sending,
    starting,
)
from tests.rules.campaign.helpers.table import Table


def campaign(*steps: Raw) -> CampaignGuide:
    """A campaign with these steps as its setup."""
    order = ["who", *(step["id"] for step in steps)]
    return a_guide(setup=order, steps=[WHO, *steps])


DREAM = campaign(sending("sleep", "deep"), receiving("cats", "came", "stayed"))
WAKING = campaign(receiving("sleep", "light", "deep"), sending("cats", "came"))


def test_each_campaign_gets_what_the_other_sends() -> None:
    """In turns, until neither sends anything new."""
    first = Half(DREAM, starting(ROLAND), PEOPLE)
    second = Half(WAKING, starting(DAISY), PEOPLE)
    dream, waking = fold_linked(first, second)

    assert notes(reported(dream)) == ["heard came"]
    assert notes(reported(waking)) == ["heard deep"]
    assert [(a.step, a.value) for a in links_of(dream)] == [("sleep", "deep")]


def test_a_campaign_waits_for_a_decision_of_the_other() -> None:
    """The question names the link."""
    first = Half(DREAM, starting(ROLAND), PEOPLE)
    second = Half(WAKING, records({"type": "start_scenario"}), PEOPLE)
    dream, waking = fold_linked(first, second)

    assert dream.pending is not None
    assert (dream.pending.kind, dream.pending.keys) == ("campaign_link", ("cats",))
    assert waking.pending is not None
    assert waking.pending.step == "who"


def test_a_continued_fold_uses_the_latest_decisions() -> None:
    """A fold with other decisions of the linked campaign is not continued."""
    entries = starting(ROLAND)
    came, stayed = (
        [Answer("campaign_link", "", "cats", each)] for each in ("came", "stayed")
    )
    before = fold(DREAM, entries, PEOPLE, came)
    after = fold(DREAM, entries, PEOPLE, stayed, after=before)

    assert notes(reported(before)) == ["heard came"]
    assert notes(reported(after)) == ["heard stayed"]


def test_linked_campaigns_keep_their_version_and_kind() -> None:
    first = Half(DREAM, starting(ROLAND), PEOPLE, version=1)
    second = Half(WAKING, starting(DAISY), PEOPLE, standalone="$campaign_setup")
    dream, waking = fold_linked(first, second)

    assert (dream.state.version, dream.state.standalone) == (1, False)
    assert (waking.state.version, waking.state.standalone) == (3, True)


def test_only_an_unlinked_table_reads_link_steps() -> None:
    """To tell and to wait for the other group; linked tables don't need to."""
    guide = campaign(sending("sleep", "deep"), receiving("cats"))
    alone = fold(guide, starting(ROLAND), PEOPLE)
    linked = fold(guide, starting(ROLAND), PEOPLE, [])

    read = [each.step for each in alone.state.texts]
    assert read == ["tell_deep", "hear_cats", "$proceed"]
    assert [*linked.state.texts] == []


def test_the_shared_halves_are_played_together() -> None:
    """To the end of both, or to a loss; neither waits for what never comes."""
    library = shared_library()
    tables = [Table(library.guides[name], 3, linked=[]) for name in ("tdea", "tdeb")]
    for _round in range(40):
        for table, other in (tables, reversed(tables)):
            table.linked = links_of(other.replay)
            table.replay = table.folded()
            table.play(400)
    halves = [
        Half(t.guide, t.answers, dict(t.replay.state.investigators)) for t in tables
    ]
    both = fold_linked(halves[0], halves[1])

    for table, replay in zip(tables, both, strict=True):
        assert reported(table.replay) == reported(replay)
        assert replay.pending is None or replay.pending.prompt == "dead_end"


def test_a_linked_campaign_waits_for_the_other() -> None:
    """An unlinked table is asked; in a linked one the other campaign decides."""
    guide = a_guide(setup=["who", "hear"], steps=[*settled_steps(), receive()])
    told = records({"type": "campaign_link", "step": "cats", "decision": "stayed"})
    waiting = fold(guide, starting(ROLAND), PEOPLE, [])
    asked = fold(
        guide,
        starting(ROLAND) + records({"type": "choice", "step": "hear", "choice": 0}),
        PEOPLE,
    )

    assert waiting.pending is not None
    assert waiting.pending.kind == "campaign_link"
    assert notes(reported(asked)) == ["cats came"]
    linked = fold(guide, starting(ROLAND), PEOPLE, told)
    assert notes(reported(linked)) == ["cats stayed"]


def settled_steps() -> list[Raw]:
    """The first steps of every small campaign."""
    return [{"id": "who", "type": "input", "input": {"type": "scenario_investigators"}}]
