"""Every question of a guide can be shown, filled in, and answered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.http import QueryDict

from arkham.rules.campaign.asking import CHOSEN_WEAKNESS, Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.judging import is_volunteered
from arkham.rules.campaign.judging.answers import findings_of
from arkham.rules.campaign.model.guide import SETUP, Ask
from arkham.rules.campaign.model.scenario_steps import (
    CHOOSE_RESOLUTION,
    LEAD_INVESTIGATOR,
    Scopes,
)
from arkham.rules.campaign.policy import BY_THE_RULES
from arkham.rules.campaign.prompts import pending_of
from arkham.rules.campaign.reading.files import Words
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.run import Awaited
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.ledger import WrittenLine
from arkham.rules.campaign.state.sharing import SharedList
from arkham.rules.campaign.state.state import State
from arkham.rules.snapshot import embedded_pool
from campaigns.api.questions import pending_data
from campaigns.questions.asking import answer_of, question_of, refilled
from campaigns.questions.question import (
    FieldOption,
    FormQuestion,
    QuestionContext,
    QuestionField,
)
from campaigns.words.names import CampaignNames
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, scene
from tests.rules.campaign.helpers.table import PEOPLE, WEAKNESSES, Table

SOME = 400  # attempts, if fields depend on each other
TOGETHER = {"answer.once", "answer.supplies", "answer.number", "answer.how-many"}


class Filling(Table):
    """A table that answers by filling in the form it is shown."""

    def asking(self) -> QuestionContext:
        names = CampaignNames(embedded_pool(), self.guide, Words({}))
        return QuestionContext(self.replay, names, (*self.codes, *self.spare))

    def given(self, pending: Pending) -> list[Answer]:
        question = question_of(self.asking())
        assert question is not None
        for _again in range(SOME):
            answer = answer_of(self.asking(), question, self.filled(question))
            if is_volunteered(answer, self.replay):
                break
            found = findings_of(answer, pending, self.replay.state)
            if not {each.rule for each in found} & TOGETHER:
                assert found == ()
                break
        else:
            pytest.fail(f"nothing that may be answered can be filled in: {pending}")
        return [answer]

    def filled(self, question: FormQuestion) -> QueryDict:
        data = QueryDict(mutable=True)
        for field in question.fields:
            data.setlist(field.name, list(self._values(field, question)))
        return data

    def _values(self, field: QuestionField, question: FormQuestion) -> Iterator[str]:
        chance = self.chance
        match field.kind:
            case "number" if field.name == "total":
                yield ""
            case "number" if question.pending.prompt == "supplies":
                yield str(int(field.name.endswith(".provisions")))
            case "number":
                most = min(field.most or 0, (field.least or 0) + 4)
                yield str(chance.randint(field.least or 0, max(field.least or 0, most)))
            case "words":
                yield "Our own words"
            case "card" | "cards":
                if question.pending.prompt in ("weakness", CHOSEN_WEAKNESS):
                    yield chance.choice(WEAKNESSES)
            case "one":
                yield chance.choice(field.options).value
            case "several" if question.pending.prompt == "choose_investigators":
                yield from field.initial.split()
            case "several":
                values = [option.value for option in field.options]
                least = min(field.least or 0, len(values))
                most = len(values) if field.most is None else field.most
                count = chance.randint(least, max(least, min(most, len(values))))
                yield from chance.sample(values, count)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_question_can_be_filled_in(seed: int) -> None:
    """Every prompt has fields, whose values make an answer."""
    for guide in shared_library().guides.values():
        table = Filling(guide, seed)
        table.play(80)
        assert len(table.answers) > 15, guide.id


def test_listed_and_other_cards_are_answered() -> None:
    """Blood on the Altar: five who may be ticked, and allies of the players' own."""
    own = open_own_guide("dwl")
    step = own.guide.scenarios["blood_on_the_altar"].steps["record_sacrificed"]
    assert isinstance(step, Ask)
    state = State(
        own.guide,
        PEOPLE,
        version=2,
        standalone=False,
        linked=False,
        policy=BY_THE_RULES,
    )
    awaited = Awaited(step.id, "string_choices", step.prompt)
    pending = pending_of(state, "blood_on_the_altar", awaited)
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    asking = QuestionContext(Replay(state, (), pending, (), SharedList()), names)
    question = question_of(asking)
    assert question is not None
    data = QueryDict(mutable=True)
    data.update({"answer": "02040", "others": "Duke\nLeo De Luca"})

    assert [(field.label, field.kind) for field in question.fields] == [
        ("Sacrificed", "several"),
        ("Other cards, one per line", "cards"),
    ]
    assert [option.label for option in question.fields[0].options] == [
        "Dr. Francis Morgan",
        "Professor Warren Rice",
        "Dr. Henry Armitage",
        "Zebulon Whateley",
        "Earl Sawyer",
    ]
    answer = answer_of(asking, question, data)
    assert refilled(question, answer, names) == {
        "answer": ["02040"],
        "others": ["Duke\nLeo De Luca"],
    }
    assert answer.value == {
        "02040": ("sacrificed",),
        "02014": ("sacrificed",),
        "01048": ("sacrificed",),
    }


def test_several_of_none_can_be_chosen() -> None:
    field = QuestionField("answer", "Partners", "several", (), 0, 0)
    assert field.how_many == "There is nothing to choose: continue."


@pytest.mark.parametrize(("number", "kind"), [(1, "one"), (2, "several")])
def test_one_card_of_several_is_one_press(number: int, kind: str) -> None:
    """Disappearance at the Twilight Estate: as many as play, exactly."""
    own = open_own_guide("tcu")
    place = "disappearance_at_the_twilight_estate"
    step = own.guide.scenarios[place].steps[f"new_missing_investigators_{number}"]
    assert isinstance(step, Ask)
    state = State(
        own.guide, PEOPLE, version=2, standalone=False, linked=False,
        policy=BY_THE_RULES,
    )  # fmt: skip
    awaited = Awaited(step.id, "string_choices", step.prompt)
    pending = pending_of(state, place, awaited)
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    asking = QuestionContext(Replay(state, (), pending, (), SharedList()), names)
    question = question_of(asking)
    assert question is not None
    (field,) = question.fields
    assert (field.kind, question.is_one_tap) == (kind, number == 1)
    assert field.how_many == ("" if number == 1 else "Exactly 2.")
    data = QueryDict(mutable=True)
    data.setlist("answer", ["05046", "05047"][:number])
    answer = answer_of(asking, question, data)
    assert answer.value == dict.fromkeys(["05046", "05047"][:number], ("chosen",))
    assert refilled(question, answer, names) == dict(data.lists())


@pytest.mark.parametrize("guide_id", ["core", "tcu", "rttcu"])
def test_decks_without_a_weakness_draw_one(guide_id: str) -> None:
    """They are ticked already, also where a prologue comes before the decks."""
    own = open_own_guide(guide_id)
    place = SETUP if guide_id == "core" else own.guide.order[0]
    scenario = own.guide.setup if guide_id == "core" else own.guide.scenarios[place]
    step = scenario.steps["draw_weakness"]
    assert isinstance(step, Ask)
    state = State(
        own.guide, PEOPLE, version=2, standalone=False, linked=False,
        policy=BY_THE_RULES,
    )  # fmt: skip
    asked = Awaited(step.id, "string_choices", step.prompt, ("01001", "01002"))
    pending = pending_of(state, place, asked)
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    asking = QuestionContext(
        Replay(state, (), pending, (), SharedList()), names, drawn=frozenset({"01002"})
    )
    question = question_of(asking)
    assert question is not None
    assert question.fields[0].chosen == ("01001 rbw",)


def test_progress_is_marked_on_tasks_by_name() -> None:
    """Each investigator's own, as the log has it."""
    own = open_own_guide("tdc")
    chosen = {
        "choose_tasks": {ROLAND: ("walk_in_faith",)},
        "choose_tasks#1": {DAISY: ("do_no_harm",)},
    }
    place = "an_offer_you_cant_refuse"
    state = scene(own.guide, place, ["choose_tasks"], given=chosen)
    step = own.guide.core["$ask_completed_task"]
    assert isinstance(step, Ask)
    asked = Awaited(step.id, "string_choices", step.prompt, (ROLAND, DAISY))
    pending = pending_of(state, "the_western_wall", asked)
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    question = question_of(
        QuestionContext(Replay(state, (), pending, (), SharedList()), names)
    )
    assert question is not None
    assert [each.label for each in question.fields[0].options] == [
        "Roland Banks · Walk in Faith",
        "Daisy Walker · Do No Harm",
    ]


def test_a_resolution_reached_only_by_others_is_not_offered() -> None:
    """Resolution 5 of Waking Nightmare comes after each of the others."""
    own = open_own_guide("tdeb")
    state = State(
        own.guide,
        PEOPLE,
        version=own.guide.version,
        standalone=False,
        linked=False,
        policy=BY_THE_RULES,
    )
    scenario = own.guide.scenarios["waking_nightmare"]
    scope = Scopes(own.guide).scope(scenario, standalone=False)
    step = scope.steps[CHOOSE_RESOLUTION]
    assert isinstance(step, Ask)
    awaited = Awaited(step.id, "choice", step.prompt)
    pending = pending_of(state, scenario.id, awaited)
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    question = question_of(
        QuestionContext(Replay(state, (), pending, (), SharedList()), names)
    )
    data = pending_data(pending)
    assert question is not None
    assert data is not None

    offered = [option.value for option in question.fields[0].options]
    assert offered[-4:] == ["R1", "R2", "R3", "R4"]
    hidden = [each["id"] for each in data["offers"] if each["hidden"]]
    assert hidden == ["R5"]


@pytest.mark.parametrize(
    ("kind", "least", "names", "filled"),
    [
        ("several", 2, "ab", "ab"),
        ("several", 1, "ab", ""),
        ("several", None, "a", ""),
        ("one", None, "a", "a"),
        ("one", None, "ab", ""),
    ],
)
def test_the_only_possible_answer_is_filled_in(
    kind: str, least: int | None, names: str, filled: str
) -> None:
    """One press sends it."""
    options = tuple(FieldOption(each, each) for each in names)
    field = QuestionField("it", "", kind, options, least, least)
    assert field.begins_with == [*filled]


def test_departed_investigators_are_not_offered() -> None:
    """Killed, driven insane or retired."""
    table = Filling(open_own_guide("core").guide, 1)
    table.play(1)
    state = table.replay.state.copy()
    state.person("01001").killed = True
    state.person("01002").retired = True
    names = CampaignNames(embedded_pool(), table.guide, Words({}))
    asked = table.replay._replace(state=state)
    question = question_of(QuestionContext(asked, names, ("01001", "01002", "01003")))
    assert question is not None

    assert question.pending.prompt == "choose_investigators"
    assert [each.value for each in question.fields[0].options] == ["01003"]


def test_one_line_texts_have_no_markup() -> None:
    """Headings, choices, resolutions and lines of the log."""
    words = Words(
        {
            "scenarios": {
                "one": {
                    "steps": {
                        "ask": {
                            "prompt": "Continue with <b>Scenario I</b>? [skull]",
                            "choices": {"a": "<i>Stay</i> among the [[Ghoul]]s"},
                        }
                    },
                    "resolutions": {"R1": {"title": "<b>Resolution 1</b>"}},
                }
            },
            "log": {"notes": {"seal": "[seal_a] was set"}},
        }
    )
    guide = Filling(shared_library().guides["core"], 1).guide
    names = CampaignNames(embedded_pool(), guide, words)

    assert names.step("one", "ask") == "Continue with Scenario I? Skull"
    assert names.choice("one", "ask", "a") == "Stay among the Ghouls"
    assert names.resolution("one", "R1") == "Resolution 1"
    assert names.line("notes", WrittenLine("basic", "seal")) == "seal A was set"


@pytest.mark.parametrize("guide", ["tfa", "rttfa"])
def test_the_leader_of_an_expedition_is_the_default_lead(guide: str) -> None:
    """In the first two scenarios of The Forgotten Age; later by seat."""
    own = open_own_guide(guide)
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    replay = Table(own.guide, 1).replay
    offered = {}
    for scenario in own.guide.scenarios:
        pending = Pending(
            scenario,
            LEAD_INVESTIGATOR,
            "string_choices",
            "choose_investigators",
            ("01001", "04002"),
            least=1,
            most=1,
        )
        asked = question_of(QuestionContext(replay._replace(pending=pending), names))
        assert asked is not None
        offered[scenario] = [each.value for each in asked.fields[0].options]
    led = [each for each in offered if offered[each][0] == "04002"]

    assert len(led) == 2
    assert all(each.endswith(("wilds", "eztli")) for each in led)
