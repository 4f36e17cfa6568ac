"""The two halves of The Dream-Eaters by our guides, linked."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.linked import Half, fold_linked, links_of
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
def test_how_links_are_written(step: str, prompt: to.Prompt) -> None:
    """What one half sends, and what the other one waits for."""
    assert step_of(step) == Ask("x", prompt)


def test_a_guide_can_ask_whether_it_is_linked() -> None:
    """Yes or no."""
    found = step_of('if = { campaign = "linked_campaign" }\nyes = ["y"]')
    yes = ConditionOption(True, (), ("y",))

    assert found == Branch(
        "x", CampaignCheck("linked_campaign", ConditionOptions({True: yes}))
    )


class Careful(Table):
    """A table that never begins with a resolution others lead to.

    It takes the other path where there is one.
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
    """Both halves, as far as they come: each tells the other what it decides."""
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
    """The field's guides, without what is wrong with them."""
    found = []
    for half in HALVES:
        guide = shared_library().guides[half]
        mended = {
            name: mend(guide.scenarios[name]) for name, mend in MENDED[half].items()
        }
        found.append(replace(guide, scenarios={**guide.scenarios, **mended}))
    return found


def together(tables: list[Careful], *guides: CampaignGuide) -> list[Replay]:
    """The same answers by some guides, folded together."""
    halves = [
        Half(guide, table.answers, PEOPLE)
        for table, guide in zip(tables, guides, strict=True)
    ]
    return [*fold_linked(*halves)]


@pytest.mark.slow
def test_both_halves_come_to_their_end() -> None:
    """Neither waits for ever; by the field's guides all is the same."""
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
def test_a_half_that_is_linked_is_asked_nothing_about_it(half: str) -> None:
    """Alone it is asked whether another group plays the other half."""
    begins = [Answer(START, "$campaign_setup", "", None)]
    alone = fold(guide_of(half), begins, PEOPLE)
    linked = fold(guide_of(half), begins, PEOPLE, [])

    assert alone.pending is not None
    assert alone.pending.step == "ask_8_part_campaign"
    assert linked.pending is not None
    assert linked.pending.step == "choose_investigators"
    assert linked.state.has_line("hidden", "interconnected_campaign")
