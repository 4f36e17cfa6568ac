"""Every question of every guide and side scenario is put in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from arkham.rules.campaign import asking
from arkham.rules.campaign.by_hand.facts import SIDE, campaign_facts, known_campaigns
from arkham.rules.campaign.by_hand.guide import guide_by_hand, sides_beside
from arkham.rules.campaign.by_hand.words import side_words
from arkham.rules.campaign.effects import APPLY
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.interpreter.walking import WALK
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model.guide import SETUP, Ask, CampaignGuide
from arkham.rules.campaign.model.scenario_steps import ScenarioScope, Scopes
from arkham.rules.campaign.policy import BY_THE_RULES
from arkham.rules.campaign.prompts import choices, people
from arkham.rules.campaign.reading.files import Words, words_of
from arkham.rules.campaign.reading.own import open_own_guide, own_guides
from arkham.rules.campaign.run import Run
from arkham.rules.campaign.state.answers import Answers
from arkham.rules.campaign.state.sharing import SharedList
from arkham.rules.campaign.state.state import State
from arkham.rules.snapshot import embedded_pool
from campaigns.questions.asking import question_of
from campaigns.questions.question import FormQuestion, QuestionContext
from campaigns.words import names
from campaigns.words.names import CampaignNames
from tests.rules.campaign.helpers.by_hand import words_by_hand
from tests.rules.campaign.helpers.guides import (
    guides_folder,
    shared_library,
    shared_stems,
)
from tests.rules.campaign.helpers.small import DAISY, PEOPLE, ROLAND

MARK = "⟦"  # prefix of texts that are only an id
# Ids, placeholders, and unknown cards.
RAW = re.compile(rf"{MARK}|\w_\w|\$\w|#\w+#|unknown name|\b\d{{5}}[a-z]?\b")
# Ways to reach no resolution whose ids say everything.
SAID = frozenset({"defeated", "resigned", "act_1", "act_2"})


@pytest.fixture(autouse=True)
def everything_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer each choice whatever its condition, and mark texts made of an id."""
    plain = names.readable
    for module in (asking, choices):
        monkeypatch.setattr(module, "holds", lambda *_: True)
    monkeypatch.setattr(people, "holds_for", lambda *_: True)
    monkeypatch.setattr(
        names,
        "readable",
        lambda each: plain(each) if each in SAID else f"{MARK}{each}",
    )


@pytest.mark.slow
def test_guides_kept_by_hand_have_words() -> None:
    faults = [
        fault
        for campaign in (SIDE, *known_campaigns())
        for fault in faults_of(guide_by_hand(campaign), words_by_hand(campaign))
    ]
    assert faults == []


@pytest.mark.slow
@pytest.mark.parametrize("guide_id", own_guides())
def test_our_own_guides_have_words(guide_id: str) -> None:
    own, side = open_own_guide(guide_id), campaign_facts(SIDE)
    guide = replace(own.guide, side=sides_beside(own.guide, side))
    words = own.words.beside(side_words(guide, side))
    assert [*faults_of(guide, words)] == []


def shared_guides() -> list[str]:
    """Return the ids of the shared guides; none if they are absent."""
    try:
        guides_folder()
    except pytest.skip.Exception:
        return []
    return sorted(shared_library().guides)


@pytest.mark.slow
@pytest.mark.parametrize("guide_id", shared_guides())
def test_imported_guides_have_words(guide_id: str) -> None:
    words = field_words(guide_id).beside(field_words(SIDE))
    assert [*faults_of(shared_library().guides[guide_id], words)] == []


@cache
def field_words(guide_id: str) -> Words:
    """Return the words of a shared guide."""
    (stems,) = (
        each
        for each in shared_stems().values()
        if "campaign" in each and str(each["campaign"]["id"]) == guide_id
    )
    return Words(words_of(stems))


def faults_of(guide: CampaignGuide, words: Words) -> Iterator[str]:
    """Return where a question of a guide, or of its side scenarios, lacks words."""
    known = CampaignNames(embedded_pool(), guide, words)
    asked = 0
    for scenario, step, question in questions(guide, known):
        asked += 1
        for text in texts(question):
            if not text or RAW.search(text):
                yield f"{guide.id} {scenario} {step}: {text!r}"
    assert asked


def questions(
    guide: CampaignGuide, known: CampaignNames
) -> Iterator[tuple[str, str, FormQuestion]]:
    """Yield every question, by its scenario and step."""
    scopes = Scopes(guide)
    # Side scenarios ask the same everywhere, unless a campaign adds to them.
    is_told = guide.side_steps or guide.id in (*own_guides(), "tskc")
    for scenario_id in (SETUP, *guide.scenarios, *(guide.side if is_told else ())):
        scenario = scopes.scenario(scenario_id)
        assert scenario is not None
        seen: set[str] = set()
        for standalone in (False, True):
            scope = scopes.scope(scenario, standalone=standalone)
            for step_id, step in scope.steps.items():
                if isinstance(step, Ask) and step_id not in seen:
                    seen.add(step_id)
                    found = question(guide, known, scope, step_id, standalone)
                    if found is not None:
                        yield scenario_id, step_id, found


def question(
    guide: CampaignGuide,
    known: CampaignNames,
    scope: ScenarioScope,
    step: str,
    standalone: bool,
) -> FormQuestion | None:
    """Return the question of a step for two investigators; None if it asks nothing."""
    state = State(
        guide, PEOPLE, version=guide.version, standalone=standalone,
        linked=False, policy=BY_THE_RULES,
    )  # fmt: skip
    state.scenario = scope.scenario.id
    state.because(scope.scenario.id, "", 0)
    APPLY[course.Players](state, course.Players(), (ROLAND, DAISY), ())
    run = Run(scope, scope.scenario.id, state, Answers(()), None, SharedList())
    run.stack = [step]
    run.go(WALK)
    if run.pending is None:
        return None
    return question_of(
        QuestionContext(Replay(state, (), run.pending, (), run.used), known)
    )


def texts(question: FormQuestion) -> Iterator[str]:
    """Return all texts of a question, except the guide's own story."""
    yield from (question.heading, question.place, question.submit)
    for field in question.fields:
        yield field.label
        yield from (option.label for option in field.options)
        yield from filter(None, (field.group, field.hint))
        yield from filter(None, (option.group for option in field.options))
