"""Questions of campaigns kept by hand are shown, filled in, and answered."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.http import QueryDict

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.facts import known_campaigns
from arkham.rules.campaign.by_hand.scenarios import OVER
from arkham.rules.campaign.interpreter.replay import START
from arkham.rules.campaign.judging.answers import findings_of
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.prompts import cards as judging
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.snapshot import embedded_pool
from campaigns.questions import display as display_reading
from campaigns.questions.asking import answer_of, question_of, refilled
from campaigns.questions.display import misvalued
from campaigns.questions.question import (
    ANSWER,
    FormQuestion,
    Misfilled,
    QuestionContext,
    QuestionField,
)
from campaigns.services.play import is_drawn
from campaigns.words.names import CampaignNames
from tests.rules.campaign.helpers.by_hand import (
    EXPEDITION,
    FIRST_TEKELI_LI,
    LATEST,
    HandTable,
    Keeping,
    carcosa,
    curtain_call,
    set_up,
    words_by_hand,
)
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS
from tests.rules.campaign.helpers.table import WEAKNESSES

RAW = re.compile(r"[_$]")  # a mark that no name has, but many ids


class Filling(HandTable):
    """A table that fills in the forms it is shown, and checks every text."""

    def __init__(self, campaign: str, seed: int) -> None:
        self.words = words_by_hand(campaign)
        self.seen: set[str] = set()
        super().__init__(campaign, seed)

    def given(self, pending: Pending) -> list[Answer]:
        asking = QuestionContext(
            self.replay,
            CampaignNames(embedded_pool(), self.guide, self.words),
            (*self.codes, *self.spare),
        )
        question = question_of(asking)
        assert question is not None
        self._read(question)
        answer = answer_of(asking, question, self._filled(question))
        if pending.kind != START:
            found = findings_of(answer, pending, self.replay.state)
            self.found += [f"{pending.step}: {each.rule}" for each in found]
        return [answer]

    def _read(self, question: FormQuestion) -> None:
        self.seen |= {question.heading, question.place, question.submit}
        for field in question.fields:
            self.seen |= {field.label, *(each.label for each in field.options)}

    def _filled(self, question: FormQuestion) -> QueryDict:
        data = QueryDict(mutable=True)
        for field in question.fields:
            data.setlist(field.name, list(self._values(field, question)))
        return data

    def _values(self, field: QuestionField, question: FormQuestion) -> Iterator[str]:
        chance = self.chance
        ids = [option.value for option in field.options]
        match field.kind:
            case "menu":
                yield field.initial if chance.random() < 0.5 else chance.choice(ids)
            case "one" if OVER in ids and len(self.replay.scenarios) > LATEST:
                yield OVER
            case "one":
                yield chance.choice(ids)
            case "pick":
                yield chance.choice(["", *ids])
            case "tick":
                yield from ["1"] if chance.random() < 0.3 else []
            case "number" if question.pending.prompt == "card_counts":
                yield field.initial  # all decks together have a limited number
            case "number" if not field.is_needed:
                yield ""
            case "number" if question.pending.prompt == "card_counts":
                yield "1" if field.group == question.fields[0].group else "0"
            case "number":
                least = field.least or 0
                yield str(
                    chance.randint(least, min(field.most or 0, max(least, 0) + 3))
                )
            case "words":
                yield "Our own words"
            case "card":
                yield chance.choice(WEAKNESSES)
            case "several" if question.pending.prompt == "choose_investigators":
                yield from field.initial.split()
            case "several":
                least, most = field.least or 0, min(field.most or len(ids), len(ids))
                yield from chance.sample(ids, chance.randint(least, most))


@pytest.mark.parametrize("campaign", known_campaigns())
def test_every_question_can_be_filled_in(campaign: str) -> None:
    """By the form alone, to the end; no text is an id."""
    table = Filling(campaign, 5)
    replay = table.play(1_500)
    assert (replay.pending, table.found) == (None, [])
    assert sorted(each for each in table.seen if RAW.search(each)) == []


def asking_of(table: Keeping) -> QuestionContext:
    """Return the campaign's question, at a table with Skids."""
    names = CampaignNames(embedded_pool(), table.guide, words_by_hand(table.guide.id))
    return QuestionContext(table.replay, names, (ROLAND, DAISY, SKIDS))


def question(table: Keeping) -> FormQuestion:
    """The same as a question."""
    found = question_of(asking_of(table))
    assert found is not None
    return found


def answered(table: Keeping, **filled: str | list[str]) -> Answer:
    """Return the answer that the form gives."""
    data = QueryDict(mutable=True)
    for name, value in filled.items():
        data.setlist(name.lstrip("_"), value if isinstance(value, list) else [value])
    return answer_of(asking_of(table), question(table), data)


def test_cards_are_ticked_and_their_points_shown() -> None:
    table = curtain_call(carcosa()).says("record", "done")
    fields = question(table).fields
    told = [(each.group, each.label, each.kind, each.hint) for each in fields]
    assert told[0] == ("Enemies", "Royal Emissary", "tick", "2 points")
    places = "Locations in play, revealed and without clues"
    assert (places, "Lighting Box", "tick", "1 point") in told
    assert ("Player cards", "Delve Too Deep", "number", "1 point") in told
    assert [(each.name, each.kind) for each in fields[-3:]] == [
        ("others", "cards"),
        ("total", "number"),
        ("total_reason", "line"),
    ]


def test_the_total_is_counted_unless_given() -> None:
    table = curtain_call(carcosa()).says("record", "done")
    given = answered(table, _03060="1", _02111="2", total="")
    assert given.value == {"02111": (2,), "03060": (1,)}
    names = asking_of(table).names
    assert refilled(question(table), given, names) == {"02111": ["2"], "03060": ["1"]}


def test_another_total_needs_a_reason() -> None:
    """The cards' own total needs none."""
    table = curtain_call(carcosa()).says("record", "done")
    with pytest.raises(Misfilled, match="add up to 2 victory points") as refused:
        answered(table, _03060="1", total="0")
    assert list(refused.value.errors) == ["total_reason"]
    given = answered(table, _03060="1", total="0", total_reason="It healed.")
    assert (given.value, given.reason) == (
        {"03060": (1,), "total": (0,)},
        "It healed.",
    )
    assert refilled(question(table), given, asking_of(table).names) == {
        "03060": ["1"],
        "total": ["0"],
        "total_reason": ["It healed."],
    }
    assert answered(table, _03060="1", total="2").value == {"03060": (1,)}


def test_a_total_alone_is_a_number() -> None:
    table = curtain_call(carcosa()).says("record", "done")
    given = answered(table, total="4")
    assert (given.kind, given.value) == ("count", 4)
    assert refilled(question(table), given, asking_of(table).names) == {"total": ["4"]}


def test_other_cards_are_typed() -> None:
    """Those with victory points, once per copy; spoilers are not suggested."""
    table = curtain_call(carcosa()).says("record", "done")
    given = answered(
        table, others="ghoul priest\nScreeching Byakhee\nScreeching Byakhee"
    )
    assert given.value == {"01116": (1,), "01175": (2,)}
    assert refilled(question(table), given, asking_of(table).names) == {
        "others": ["Ghoul Priest\nScreeching Byakhee\nScreeching Byakhee"]
    }
    for name, reason in (
        ("Machete", "has no victory"),
        ("No such card", "find a card"),
    ):
        with pytest.raises(Misfilled, match=reason):
            answered(table, others=name)


def test_a_card_unknown_to_the_facts_has_its_printed_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in the card pool."""
    table = curtain_call(carcosa()).says("record", "done")
    for module in (judging, display_reading):
        monkeypatch.setattr(module, "printed_points", dict)
    given = answered(table, others="Ghoul Priest")
    assert given.value == {"01116": (1, 2)}
    pending = table.replay.pending
    assert findings_of(given, pending, table.state) == ()
    assert misvalued(given, pending, embedded_pool()) == ()
    wrong = given._replace(value={"01116": (1, 3)})
    assert findings_of(wrong, pending, table.state) == ()
    (found,) = misvalued(wrong, pending, embedded_pool())
    assert (found.rule, found.actual, found.expected) == (
        "answer.display-points",
        3,
        2,
    )


def test_existing_lines_are_crossed_out() -> None:
    table = curtain_call(carcosa())
    table.writes(
        "own_words",
        ("own_words", "own_words.campaign_notes"),
        ("own_words.campaign_notes", "A word of ours"),
    )
    table.says("record", "cross_out")
    (field,) = question(table).fields
    place = "campaign_notes.A word of ours"
    assert [(each.value, each.label) for each in field.options] == [
        (place, "Campaign Notes: A word of ours")
    ]
    given = answered(table, answer=[place])
    assert given.value == {place: ("chosen",)}
    assert refilled(question(table), given, asking_of(table).names) == {ANSWER: [place]}


def test_without_lines_nothing_can_be_crossed_out() -> None:
    (field,) = question(curtain_call(carcosa())).fields
    assert "cross_out" not in [each.value for each in field.options]


def test_possible_records_are_under_headings() -> None:
    asked = question(curtain_call(carcosa()))
    (field,) = asked.fields
    assert (field.kind, field.initial, asked.submit) == (
        "menu",
        "done",
        "Nothing else",
    )
    groups: dict[str, list[str]] = {each.group: [] for each in field.options}
    for each in field.options:
        groups[each.group].append(each.label)
    assert groups == {
        "Campaign log": [
            "Lines",
            "A line of text",
            "Chasing the Stranger",
            "Doubt",
            "Conviction",
        ],
        "Investigators": [
            "Cards earned",
            "Cards lost",
            "A random weakness",
            "Trauma and fates",
            "Experience for all",
            "Experience for each",
        ],
        "Chaos bag": ["Chaos tokens"],
        "What comes next": [
            "Another scenario next",
            "Scenarios left out",
            "The campaign is won",
            "The campaign is lost",
        ],
        "": ["Nothing else"],
    }


def test_records_are_not_drawn_by_chance() -> None:
    pending = curtain_call(carcosa()).replay.pending
    assert pending is not None
    assert not is_drawn(pending)


def test_a_number_is_shown_at_its_current_value() -> None:
    table = curtain_call(carcosa())
    table.writes("number.doubt", ("number.doubt", 4)).says("record", "number.doubt")
    asked = question(table)
    assert (asked.heading, asked.text, asked.fields[0].hint) == (
        "Doubt",
        "<p>How many more? For fewer, enter a number below 0.</p>",
        "4 now",
    )


def test_tokens_stay_by_default() -> None:
    table = curtain_call(carcosa()).says("record", "tokens")
    fields = {each.name: each for each in question(table).fields}
    assert (fields["skull"].label, fields["skull"].hint) == ("Skull", "3 in the bag")
    assert (fields["-4"].label, fields["-4"].kind) == ("−4", "pick")
    given = answered(table, **{"_-4": "one_out", "skull": ""})
    assert given.value == {"-4": ("one_out",)}


def test_a_newcomer_is_ticked_and_an_absentee_is_not() -> None:
    table = curtain_call(carcosa()).shows().begins("the_last_king")
    assert question(table).fields[0].initial.split() == [ROLAND, DAISY, SKIDS]
    table.plays(ROLAND, SKIDS).ends("R1", _01001="alive", _01003="alive").shows()
    table.begins("ptc_interlude1_reprint").done().begins("echoes_of_the_past")
    assert question(table).fields[0].initial.split() == [ROLAND, SKIDS]


def test_supplies_are_packed_for_points_and_used() -> None:
    """The Forgotten Age: ten points alone; what is used up is one less."""
    table = Keeping("tfa")
    table.begins(SETUP).says("players", {ROLAND: ("chosen",)})
    table.says("difficulty", "easy").begins("tfa_prologue").says("record", "pack")
    names = CampaignNames(embedded_pool(), table.guide, words_by_hand("tfa"))
    asked = question_of(QuestionContext(table.replay, names, (ROLAND,)))
    assert asked is not None
    assert asked.text == (
        "<p>Points for each investigator, with 1, 2, 3 or 4 players: 10, 7, 5, 4.</p>"
    )
    provisions = asked.fields[0]
    assert (provisions.group, provisions.budget) == ("Roland Banks", 10)
    assert (provisions.label, provisions.hint) == ("Provisions", "1 point")
    table.says("pack", {ROLAND: {"provisions": 3, "rope": 1}})
    table.writes(
        "supplies",
        ("supplies", "number.supplies.provisions"),
        ("number.supplies.provisions", {ROLAND: (-1,)}),
    )
    packed = table.state.seat_sections["supplies"][ROLAND]
    assert (packed.number("provisions"), packed.number("rope")) == (2, 1)
    assert names.line("supplies", packed.lines[0]) == "Provisions"


def test_keys_are_gained_and_lost() -> None:
    """The Scarlet Keys: who bears which."""
    table = Keeping("tskc")
    table.begins(SETUP).says("players", dict.fromkeys((ROLAND, DAISY), ("chosen",)))
    table.says("difficulty", "standard").begins("riddles_and_rain")
    table.plays(ROLAND, DAISY).ends("R1", _01001="alive", _01002="alive")
    table.writes("keys", ("keys", {DAISY: ("eye_of_ravens",)}))
    table.writes("keys", ("keys", {ROLAND: ("sable_glass",)}))
    table.writes("keys_gone", ("keys_gone", {"sable_glass": ("checked",)}))
    assert table.state.map.keys == (
        ("eye_of_ravens", DAISY, ""),
        ("sable_glass", "", ""),
    )


def test_cards_of_one_name_are_distinguished() -> None:
    """The Circle Undone: seven Witch-Haunted Woods."""
    table = Keeping("tcu")
    table.begins(SETUP).says("players", {ROLAND: ("chosen",)})
    table.says("difficulty", "easy").begins("disappearance_at_the_twilight_estate")
    table.done().begins("the_witching_hour").plays(ROLAND)
    table.ends("R1", _01001="alive").says("record", "done")
    names = CampaignNames(embedded_pool(), table.guide, words_by_hand("tcu"))
    asked = question_of(QuestionContext(table.replay, names, (ROLAND,)))
    assert asked is not None
    labels = [each.label for each in asked.fields]
    assert "Witch-Haunted Woods: The Lonely Tree" in labels
    assert len({*labels}) == len(labels)


def test_a_task_is_shown_with_its_owner() -> None:
    """Others have none."""
    table = set_up("tdc", "tdc_prologue", "one_last_job", "an_offer_you_cant_refuse")
    task = "task_progress.do_no_harm"
    table.writes("tasks", ("tasks", {task: (ROLAND,)})).says("record", "tasks")
    field = question(table).fields[0]
    assert (field.name, field.label, field.hint) == (task, "Do No Harm", "Roland Banks")
    assert [each.label for each in field.options] == [
        "as it is",
        "Roland Banks",
        "Daisy Walker",
        "No one",
    ]
    given = answered(table, **{task: DAISY})
    assert given.value == {task: (DAISY,)}
    names = asking_of(table).names
    assert refilled(question(table), given, names) == {task: [DAISY]}


def test_tekeli_li_cards_are_counted_from_the_known_number() -> None:
    """Only differences are sent, including zero."""
    table = set_up("eoe", *EXPEDITION)
    first = f"{ROLAND}.{FIRST_TEKELI_LI}"
    table.writes("tekeli_li", ("tekeli_li", {ROLAND: {FIRST_TEKELI_LI: 2}}))
    table.says("record", "tekeli_li")
    field = question(table).fields[0]
    assert (field.name, field.group) == (first, "Roland Banks")
    assert (field.label, field.initial) == ("Tekeli-li 223", "2")
    assert answered(table).value == {}
    told = answered(table, **{first: "0", f"{DAISY}.08724": "1"})
    assert told.value == {ROLAND: {FIRST_TEKELI_LI: 0}, DAISY: {"08724": 1}}
    assert refilled(question(table), told, asking_of(table).names) == {
        first: ["0"],
        f"{DAISY}.08724": ["1"],
    }


def test_a_choice_that_leads_to_an_empty_list_has_no_button() -> None:
    """No one loses a story card of Dunwich if no one has any."""
    table = set_up("dwl", "dwl_prologue", "extracurricular_activity")
    (field,) = question(table).fields
    offered = {each.value for each in field.options}

    assert "lines" in offered
    assert "lose_cards" not in offered


def test_no_decks_are_counted_once_all_are_killed() -> None:
    """The form would be empty."""
    table = set_up("eoe", *EXPEDITION)

    def offered() -> set[str]:
        return {each.value for each in question(table).fields[0].options}

    assert "tekeli_li" in offered()
    table.writes("trauma", ("trauma", {ROLAND: ("killed",), DAISY: ("killed",)}))
    assert not offered() & {"tekeli_li", "trauma"}
