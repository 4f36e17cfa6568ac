"""Our guides of both halves of The Dream-Eaters, linked."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter import Half, fold_linked, links_of
from arkham.rules.campaign.interpreter.replay import START, Replay, fold
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.conditions import (
    CampaignCheck,
    ConditionOption,
    ConditionOptions,
)
from arkham.rules.campaign.model.guide import Ask, Branch, CampaignGuide
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.dreams import HALVES, MENDED, guide_of
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.own_reading import step_of
from tests.rules.campaign.helpers.small import unreached
from tests.rules.campaign.helpers.table import PEOPLE, Table


@pytest.mark.parametrize(
    ("step", "prompt"),
    [
        (
            'ask = "send"\nlink = "cats"\ndecision = "came"',
            to.SendLink("cats", "came"),
        ),
        (
            'ask = "receive"\nlink = "cats"\nchoices = [{ id = "came" }]',
            to.ReceiveLink("cats", (to.PromptChoice("came"),)),
        ),
        ('ask = "receive"\nlink = "cats"', to.ReceiveLink("cats", ())),
    ],
)
def test_links_are_read(step: str, prompt: to.Prompt) -> None:
    """Decisions that a half sends, and those it waits for."""
    assert step_of(step) == Ask("x", prompt)


def test_a_guide_can_ask_whether_it_is_linked() -> None:
    found = step_of('if = { campaign = "linked_campaign" }\nyes = ["y"]')
    yes = ConditionOption(True, (), ("y",))

    assert found == Branch(
        "x", CampaignCheck("linked_campaign", ConditionOptions({True: yes}))
    )


class Careful(Table):
    """A table that never starts with a resolution reserved for other steps.

    It takes the other path if there is one.
    """

    def _choice(self, pending: Pending) -> int:
        if pending.step == "$choose_resolution":
            found = self.guide.scenarios[pending.scenario].resolutions
            offers = [each for each in pending.offers if not found[each.id].hidden]
            return self.chance.choice(offers).number
        for offer in pending.offers:
            if offer.id == "know_another_path":
                return offer.number
        return super()._choice(pending)


def played(seed: int, *guides: CampaignGuide) -> list[Careful]:
    """Play both halves as far as possible, exchanging their decisions."""
    tables = [
        Careful(guide, 2 * seed + number, linked=[])
        for number, guide in enumerate(guides)
    ]
    answered = [-1]
    while answered != [len(table.answers) for table in tables]:
        answered = [len(table.answers) for table in tables]
        for table, other in (tables, tables[::-1]):
            table.linked = links_of(other.replay)
            table.replay = table.folded()
            table.play(600)
    return tables


@cache
def fields() -> list[CampaignGuide]:
    """The field's guides, with their defects corrected."""
    found = []
    for half in HALVES:
        guide = shared_library().guides[half]
        mended = {
            name: mend(guide.scenarios[name]) for name, mend in MENDED[half].items()
        }
        found.append(replace(guide, scenarios={**guide.scenarios, **mended}))
    return found


def together(tables: list[Careful], *guides: CampaignGuide) -> list[Replay]:
    """Fold the same answers by these guides, linked."""
    halves = [
        Half(guide, table.answers, PEOPLE)
        for table, guide in zip(tables, guides, strict=True)
    ]
    return [*fold_linked(*halves)]


@pytest.mark.slow
def test_both_halves_reach_their_end() -> None:
    """Neither waits forever; with the field's guides everything is the same."""
    ours = [guide_of(half) for half in HALVES]
    results, messages = set(), set()
    for seed in range(30):
        tables = played(seed, *ours)
        replays = [table.replay for table in tables]
        for table, replay in zip(tables, replays, strict=True):
            assert replay.pending is None, seed
            assert unreached(replay, table.answers) == []
            messages.add(replay.state.sent.get("black_cat_decision"))
            messages.add(replay.state.sent.get("a_epilogue"))
        results.add(tuple(replay.state.campaign_result for replay in replays))
        for guides in ((fields()[0], ours[1]), fields()):
            assert [reported(each) for each in together(tables, *guides)] == [
                reported(each) for each in replays
            ]

    assert results >= {("win", "win"), ("", ""), ("lose", "lose")}
    assert messages >= {"threaten_black_cat", "dreamers_traveled_beneath_the_monastery"}


@pytest.mark.parametrize("half", HALVES)
def test_a_linked_half_is_not_asked_whether_it_is_linked(half: str) -> None:
    """A half played alone is asked whether another group plays the other half."""
    begins = [Answer(START, "$campaign_setup", "", None)]
    alone = fold(guide_of(half), begins, PEOPLE)
    linked = fold(guide_of(half), begins, PEOPLE, [])

    assert alone.pending is not None
    assert alone.pending.step == "ask_8_part_campaign"
    assert linked.pending is not None
    assert linked.pending.step == "choose_investigators"
    assert linked.state.has_line("hidden", "interconnected_campaign")
