"""How guides of our own are read: every kind of table, and everything that is wrong."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.effects import Mark, Tally
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.reading.cursor import Flaw
from arkham.rules.campaign.reading.lint import lint_own
from arkham.rules.campaign.reading.own import OwnReading, own_files, read_own

CAMPAIGN = """
name = "Ours"
version = 1
scenarios = ["one"]
setup = ["who"]

[bags]
easy = "0 skull"
standard = "-1 skull"
hard = "-2 skull"
expert = "-3 skull"

[sections.campaign_notes]
title = "Notes"

[sections.hidden]
title = "Hidden"
hidden = true

[lines.campaign_notes]
a = "a was written"

[encounter_sets]
rats = "Rats"

[steps.who]
ask = "investigators"
cites = ["set-up"]
"""


def reading_of(step: str, more: str = "", campaign: str = CAMPAIGN) -> OwnReading:
    """A campaign of one scenario, of one step with these lines."""
    scenario = (
        f'name = "One"\nsetup = ["x", "$play_scenario"]\n{more}\n'
        f'[steps.x]\ncites = ["set-up"]\n{step}\n'
    )
    return read_own("own", {"campaign": campaign.encode(), "one": scenario.encode()})


def step_of(step: str) -> to.Step:
    """The step these lines make, with nothing wrong."""
    reading = reading_of(step)
    assert reading.flaws == ()
    return reading.own.guide.scenarios["one"].steps["x"]


def effect_of(effect: str) -> do.Effect:
    """The effect a table makes."""
    step = step_of(f"does = [{effect}]")
    assert isinstance(step, to.Plain)
    assert step.batch is not None
    (found,) = step.batch.plain + step.batch.personal
    return found


def prompt_of(step: str) -> to.Prompt:
    """The prompt these lines make."""
    found = step_of(step)
    assert isinstance(found, to.Ask)
    return found.prompt


def condition_of(condition: str, follows: str = 'yes = ["y"]') -> ask.Condition:
    """The condition these lines make."""
    found = step_of(f"if = {condition}\n{follows}")
    assert isinstance(found, to.Branch)
    return found.condition


YES = ask.ConditionOptions({True: ask.ConditionOption(True, (), ("y",))})
MET = ask.ConditionOptions({True: ask.ConditionOption(True)})


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ('{ record = "a" }', do.LogLine("campaign_notes", "a")),
        (
            '{ cross_out = "a", section = "hidden" }',
            do.LogLine("hidden", "a", Mark.CROSS_OUT),
        ),
        ('{ restore = "a" }', do.LogLine("campaign_notes", "a", Mark.RESTORE)),
        ('{ circle = "a" }', do.LogLine("campaign_notes", "a", Mark.CIRCLE)),
        ('{ erase = "carried" }', do.LogLine("campaign_notes", do.INPUT, Mark.REMOVE)),
        (
            '{ cross_out_section = "hidden" }',
            do.LogLine("hidden", "", Mark.CROSS_OUT),
        ),
        (
            '{ record_cards = "carried", section = "hidden" }',
            do.LogCards("hidden", do.INPUT),
        ),
        ('{ record_cards = "01117" }', do.LogCards("campaign_notes", "01117")),
        (
            '{ record_cards = "01117 01118", line = "a" }',
            do.LogCards("campaign_notes", "a", "$fixed_codes", ("01117", "01118")),
        ),
        (
            '{ cross_out_cards = "lead", line = "a" }',
            do.LogCards(
                "campaign_notes", "a", "$lead_investigator", (), Mark.CROSS_OUT
            ),
        ),
        (
            '{ add = 2, line = "a", section = "hidden" }',
            do.LogCount("hidden", "a", Tally.ADD, 2),
        ),
        ("{ set = 0, least = 0 }", do.LogCount("campaign_notes", "", Tally.SET, 0, 0)),
        (
            '{ set_carried = "a" }',
            do.LogCount("campaign_notes", "a", Tally.SET_INPUT),
        ),
        ('{ experience = "all", bonus = 2 }', do.EarnExperience("all", bonus=2)),
        ('{ experience = "carried" }', do.EarnExperience("input")),
        (
            '{ experience = "01001", times = 2 }',
            do.EarnExperience("fixed", "01001", scale=2),
        ),
        ('{ trauma = "lead", mental = 1 }', do.Trauma("lead", mental=1)),
        ('{ trauma = "all", either = 1 }', do.Trauma("all", either=1)),
        ('{ kill = "not_resigned" }', do.Trauma("not_resigned", killed=True)),
        ('{ drive_insane = "all" }', do.Trauma("all", insane=True)),
        ('{ earn_card = "01117" }', do.AddCard("choice", "01117")),
        (
            '{ earn_card = "01117", who = "lead", optional = true }',
            do.AddCard("lead", "01117", optional=True),
        ),
        ('{ lose_card = "01117" }', do.RemoveCard("01117")),
        (
            '{ lose_card = "carried", who = "carried", exile = true }',
            do.RemoveCard(do.INPUT, "input", exile=True),
        ),
        (
            '{ replace_card = "01117", by = "01118" }',
            do.ReplaceCard("01117", "01118"),
        ),
        (
            '{ weakness = "all", traits = ["Madness"] }',
            do.AddWeakness("all", traits=("Madness",)),
        ),
        ('{ add_tokens = "skull -1" }', do.Tokens(("skull", "-1"), 1)),
        ('{ remove_tokens = "skull" }', do.Tokens(("skull",), -1)),
        ('{ result = "win" }', do.SetResult("win")),
        ('{ difficulty = "hard" }', do.SetDifficulty("hard")),
        ('{ next = "one", continuation = true }', do.NextScenario("one", True)),
        ('{ skip = "one" }', do.SkipScenario("one")),
        ('{ replay = "one" }', do.ReplayScenario("one")),
        ('{ outcome = "resigned" }', do.Outcome("resigned")),
        ('{ write = "hidden" }', do.LogText("hidden")),
    ],
)
def test_effects(effect: str, expected: do.Effect) -> None:
    """One key names each."""
    assert effect_of(effect) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ('{ logged = "a" }', ask.LogCheck("campaign_notes", "a", YES)),
        (
            '{ logged = "a", section = "hidden" }',
            ask.LogCheck("hidden", "a", YES),
        ),
        ('{ cards_logged = "a" }', ask.LogCardsCheck("campaign_notes", "a", YES)),
        ('{ section = "hidden" }', ask.SectionCheck("hidden", YES)),
        ('{ has_card = "01117" }', ask.HasCard("any", "01117", YES)),
        ('{ fate = "killed" }', ask.TraumaCheck("lead", "killed", YES)),
        ('{ outcome = "resigned" }', ask.OutcomeCheck("resigned", "", YES)),
        (
            '{ completed = "one" }',
            ask.CampaignCheck("scenario_completed", YES, "one"),
        ),
        ('{ campaign = "standalone" }', ask.CampaignCheck("standalone", YES)),
        (
            '{ number = "players", is = [3, 4] }',
            ask.Multi(
                (
                    ask.PlayerCount(
                        ask.ConditionOptions(
                            {3: ask.ConditionOption(3), 4: ask.ConditionOption(4)}
                        )
                    ),
                ),
                1,
                YES,
            ),
        ),
        (
            '{ number = "line", line = "a", at_least = "players" }',
            ask.Multi(
                (
                    ask.Math(
                        "compare",
                        ask.LogCountOperand("campaign_notes", "a"),
                        ask.PlayersOperand(),
                        ask.ConditionOptions(
                            {0: ask.ConditionOption(0), 1: ask.ConditionOption(1)}
                        ),
                    ),
                ),
                1,
                YES,
            ),
        ),
        (
            '{ any = [{ logged = "a" }, { logged = "b", not = true }] }',
            ask.Multi(
                (
                    ask.Multi(
                        (
                            ask.LogCheck("campaign_notes", "a", MET),
                            ask.LogCheck(
                                "campaign_notes",
                                "b",
                                ask.ConditionOptions(
                                    {False: ask.ConditionOption(False)}
                                ),
                            ),
                        ),
                        1,
                        MET,
                    ),
                ),
                1,
                YES,
            ),
        ),
    ],
)
def test_conditions(condition: str, expected: ask.Condition) -> None:
    """Yes or no, of one question or of several."""
    assert condition_of(condition) == expected


def test_cases() -> None:
    """Of a number or a word, each with what it does and what then follows."""
    follows = (
        'cases = [{ is = [1, 2], then = ["y"] }, '
        '{ is = 3, does = [{ record = "a" }] }]\notherwise = ["z"]'
    )
    found = condition_of('{ number = "lines", section = "hidden" }', follows)

    assert isinstance(found, ask.LogCountCheck)
    assert (found.section, found.id) == ("hidden", "$num_entries")
    assert found.options.by_key[1].steps == found.options.by_key[2].steps == ("y",)
    assert found.options.by_key[3].batches == (
        do.batch(do.LogLine("campaign_notes", "a")),
    )
    assert found.options.default == ask.ConditionOption(None, (), ("z",))


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (
            'ask = "victory"\nbonus = 2',
            to.VictoryDisplay(
                (do.batch(do.EarnExperience("all", bonus=2, victory=True)),)
            ),
        ),
        (
            'ask = "number"\nmost = "players"',
            to.Counter((), ask.Constant(0), ask.PlayersOperand()),
        ),
        ('ask = "numbers"\nleast = 0\nmost = 3', to.SeatCounter((), 0, 3)),
        (
            'ask = "yes_or_no"\nchoice = "go"\nthen = ["y"]',
            to.ChooseOne((to.PromptChoice("go", steps=("y",)),)),
        ),
        (
            'ask = "one"\nchoices = [{ id = "b", when = { logged = "a" } }]',
            to.ChooseOne(
                (to.PromptChoice("b", ask.LogCheck("campaign_notes", "a", MET)),)
            ),
        ),
        (
            'ask = "each"\nwho = "resigned"\nchoices = [{ id = "b" }]',
            to.SeatChoice("resigned", (to.PromptChoice("b"),), optional=True),
        ),
        (
            'ask = "checklist"\nmost = 1\nchoices = [{ id = "b" }]',
            to.Checklist((to.PromptChoice("b"),), None, 1),
        ),
        (
            'ask = "list"\nitems = [{ id = "i" }]\nchoices = [{ id = "b" }]',
            to.ChoiceList((to.PromptChoice("i"),), (to.PromptChoice("b"),)),
        ),
        (
            'ask = "cards"\ncodes = ["01117"]\nchoices = [{ id = "b" }]',
            to.CardChoice((to.CardQuery(("01117",)),), (to.PromptChoice("b"),)),
        ),
        (
            'ask = "cards"\ncards = [{ from = "deck", traits = ["ally"] }, '
            '{ codes = ["01117"] }]\nchoices = [{ id = "b" }]',
            to.CardChoice(
                (
                    to.CardQuery(source="deck", traits=("ally",)),
                    to.CardQuery(("01117",)),
                ),
                (to.PromptChoice("b"),),
            ),
        ),
        (
            'ask = "play"\nchoices = [{ id = "b" }]\nonly_resolution = "R1"',
            to.PlayScenario((to.PromptChoice("b"),), single_resolution="R1"),
        ),
        (
            'ask = "investigators"\nif_nobody = ["y"]',
            to.ChooseInvestigators(None, ("y",)),
        ),
        ('ask = "save_decks"\ntrauma = true', to.SaveDecks(True)),
        ('ask = "upgrade_decks"', to.UpgradeDecks()),
        ('ask = "text"', to.TextBox(())),
        ('ask = "nothing"', to.DeadEnd()),
    ],
)
def test_prompts(step: str, expected: to.Prompt) -> None:
    """Each kind, with what follows."""
    assert prompt_of(step) == expected


def test_a_scenario_may_have_bags_of_its_own() -> None:
    """They go before those of the campaign."""
    own = '[bags]\neasy = "+1"\nstandard = "0"\nhard = "-1"\nexpert = "-8"'
    step = reading_of('ask = "difficulty"', own).own.guide.scenarios["one"].steps["x"]
    usual = step_of('ask = "difficulty"')

    assert isinstance(step, to.Ask)
    assert isinstance(usual, to.Ask)
    assert do.batch(do.SetDifficulty("expert"), do.Tokens(("-8",), 1)) in (
        step.prompt.choices[3].batches  # type: ignore[union-attr]
    )
    assert do.batch(do.SetDifficulty("expert"), do.Tokens(("-3", "skull"), 1)) in (
        usual.prompt.choices[3].batches  # type: ignore[union-attr]
    )


@pytest.mark.parametrize(
    ("step", "flaw"),
    [
        ("dance = 1", Flaw("guide.unknown-key", "own/one · x.dance", "'dance'")),
        (
            "text = 5",
            Flaw("guide.wrong-type", "own/one · x.text", "5", "text"),
        ),
        (
            "does = 5",
            Flaw("guide.wrong-type", "own/one · x.does", "5", "a list of objects"),
        ),
        (
            'does = [{ record = "a", trauma = "all" }]',
            Flaw(
                "guide.unknown-kind",
                "own/one · x.does[0]",
                "{'record': 'a', 'trauma': 'all'}",
            ),
        ),
        (
            'does = [{ record = "a", who = "all" }]',
            Flaw("guide.unknown-key", "own/one · x.does[0].who", "'who'"),
        ),
        (
            'does = [{ kill = "everyone" }]',
            Flaw("guide.unknown-kind", "own/one · x.does[0].kill", "'everyone'"),
        ),
        (
            'does = [{ add_tokens = "skulls" }]',
            Flaw("guide.unknown-kind", "own/one · x.does[0].add_tokens", "'skulls'"),
        ),
        ('ask = "dance"', Flaw("guide.unknown-kind", "own/one · x.ask", "'dance'")),
        (
            'ask = "one"\nchoices = [{ text = "b" }]',
            Flaw("guide.missing", "own/one · x.choices[0].id", "None", "an id"),
        ),
        (
            'if = { dance = 1 }\nyes = ["x"]',
            Flaw("guide.unknown-kind", "own/one · x.if", "{'dance': 1}"),
        ),
        (
            'if = { logged = "a" }',
            Flaw("guide.missing", "own/one · x.yes", "None", "yes, no or cases"),
        ),
        (
            'if = { number = "players" }\nyes = []',
            Flaw(
                "guide.missing",
                "own/one · x.cases",
                "None",
                "is, at_least, at_most or cases",
            ),
        ),
        (
            'if = { number = "players" }\ncases = [{ is = "many", then = [] }]',
            Flaw("guide.wrong-type", "own/one · x.cases[0].is", "'many'", "int"),
        ),
    ],
)
def test_what_is_wrong_with_a_step(step: str, flaw: Flaw) -> None:
    """The rule, the path, and what was found there."""
    found = reading_of(step).flaws[0]

    assert found._replace(expected=flaw.expected or "") == flaw
    assert found.expected or flaw.rule == "guide.unknown-key"


def test_a_step_without_a_citation_is_told() -> None:
    """Each says where it stands."""
    steps = '[steps.y]\ntext = "Nothing."'

    assert reading_of("", more=steps).flaws == (
        Flaw("guide.missing", "own/one · y.cites", "None", "where it stands"),
    )


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"name = ", "guide.unreadable"),
        (b"name = '\xff'", "guide.unreadable"),
        (b"steps = 5", "guide.wrong-type"),
        (b"[steps]\nx = 5", "guide.wrong-type"),
        (b"resolutions = []", "guide.wrong-type"),
        (b"x = " + b"[" * 5_000, "guide.unreadable"),
        (b"kind = 'dance'", "guide.unknown-kind"),
        (b"[resolutions.R1]\noutcomes = ['gone']", "guide.unknown-kind"),
        (b"[bags]\neasier = '0'", "guide.unknown-key"),
    ],
)
def test_a_scenario_that_is_no_scenario(content: bytes, rule: str) -> None:
    """Told, and nothing else is the worse for it."""
    reading = read_own("own", {"campaign": CAMPAIGN.encode(), "one": content})

    assert rule in {flaw.rule for flaw in reading.flaws}
    assert all(flaw.at.startswith("own/one") for flaw in reading.flaws)
    assert reading.own.guide.setup.id == SETUP
    assert set(reading.own.guide.scenarios) == {"one"}


def test_conditions_can_be_too_deep() -> None:
    """One that is never met is read instead."""
    deep = '{ any = [{ logged = "a" }] }'
    for _ in range(30):
        deep = f"{{ any = [{deep}] }}"

    assert [flaw.rule for flaw in reading_of(f'if = {deep}\nyes = ["x"]').flaws] == [
        "guide.too-deep"
    ]


def test_a_guide_without_a_campaign() -> None:
    """Nothing can be played, and that is told."""
    reading = read_own("own", {})

    assert [flaw.rule for flaw in reading.flaws] == ["guide.missing"]
    assert reading.own.guide.order == ()


@pytest.mark.parametrize(
    ("step", "flaw"),
    [
        ('then = ["y"]', Flaw("guide.unknown-step", "own/one · x", "y", "a step's id")),
        ('resolve = "R9"', Flaw("guide.unknown-resolution", "own/one · x", "R9")),
        (
            'does = [{ next = "two" }]',
            Flaw("guide.unknown-scenario", "own/one · x", "two", "one"),
        ),
        (
            'does = [{ record = "b" }]',
            Flaw("guide.untold-line", "own/one · x", "campaign_notes.b"),
        ),
        ('gather = ["cats"]', Flaw("guide.unnamed-set", "own/one · x", "cats")),
    ],
)
def test_what_leads_nowhere(step: str, flaw: Flaw) -> None:
    """Steps, resolutions, scenarios, lines of the log, encounter sets."""
    reading = reading_of(step)

    assert reading.flaws == ()
    assert lint_own(reading) == [flaw]


def test_nothing_is_said_of_what_is_as_it_should_be() -> None:
    """Lines with words, hidden ones without, sets with names."""
    step = 'does = [{ record = "a" }, { record = "b", section = "hidden" }]'

    assert lint_own(reading_of(f'{step}\ngather = ["rats"]')) == []


@pytest.mark.parametrize("junk", ["5", "1.5", "true", '"x"', "[]", "[5]", "{}", "[{}]"])
def test_whatever_a_key_says_the_rest_is_read(junk: str) -> None:
    """Every third key of a real scenario: a flaw, or nothing wrong; never a crash."""
    files = own_files("core")
    lines = files["torch"].decode().splitlines()
    told = 0
    for number, line in enumerate(lines):
        key, is_key, _ = line.partition(" = ")
        if is_key and number % 3 == 0:
            changed = [*lines[:number], f"{key} = {junk}", *lines[number + 1 :]]
            reading = read_own("core", {**files, "torch": "\n".join(changed).encode()})
            told += bool(lint_own(reading))
            assert set(reading.own.guide.scenarios) == {"torch", "arkham", "tentacles"}
    assert told > 3
