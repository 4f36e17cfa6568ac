"""Guides in our own format are read: every kind of table in them."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.effects import Mark, Tally
from arkham.rules.campaign.model.guide import Ask, Branch, Plain
from arkham.rules.campaign.reading.own import read_own
from tests.rules.campaign.helpers.own_reading import CAMPAIGN, reading_of, step_of


def effect_of(effect: str) -> do.Effect:
    """Return the effect that a table defines."""
    step = step_of(f"does = [{effect}]")
    assert isinstance(step, Plain)
    assert step.batch is not None
    (found,) = step.batch.plain + step.batch.personal
    return found


def prompt_of(step: str) -> to.Prompt:
    """Return the prompt that these lines define."""
    found = step_of(step)
    assert isinstance(found, Ask)
    return found.prompt


def condition_of(condition: str, follows: str = 'yes = ["y"]') -> ask.Condition:
    """Return the condition that these lines define."""
    found = step_of(f"if = {condition}\n{follows}")
    assert isinstance(found, Branch)
    return found.condition


YES = ask.ConditionOptions({True: ask.ConditionOption(True, (), ("y",))})
MET = ask.ConditionOptions({True: ask.ConditionOption(True)})


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ('{ record = "a" }', do.LogLine("campaign_notes", "a")),
        ("{ swap_bag = true }", course.SwapBag(fresh=True)),
        ("{ swap_bag = false }", course.SwapBag()),
        ('{ play_step = "$later" }', course.HubStep("$later")),
        (
            '{ cross_out = "a", section = "hidden" }',
            do.LogLine("hidden", "a", Mark.CROSS_OUT),
        ),
        ('{ restore = "a" }', do.LogLine("campaign_notes", "a", Mark.RESTORE)),
        ('{ circle = "a" }', do.LogLine("campaign_notes", "a", Mark.CIRCLE)),
        ('{ lose_supply = "map" }', do.LoseSupplies("supplies", "map")),
        ('{ resolved = "R1" }', course.ScenarioStatus("resolution", "R1")),
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
            '{ record_cards = "carried", line = "a", section = "carried" }',
            do.LogCards(do.INPUT, "a", do.INPUT),
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
        (
            '{ experience = "all", bonus = 1, pool = "unspect_xp" }',
            do.EarnExperience("all", bonus=1, pool="unspect_xp"),
        ),
        (
            '{ experience = "all", emptied_pool = "unspect_xp" }',
            do.EarnExperience("all", emptied_pool="unspect_xp"),
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
        ('{ add_tokens = "skull -1" }', course.Tokens(("skull", "-1"), 1)),
        ('{ remove_tokens = "skull" }', course.Tokens(("skull",), -1)),
        ('{ clear_tokens = "skull" }', course.Tokens(("skull",) * 99, -1)),
        ('{ result = "win" }', course.SetResult("win")),
        ('{ difficulty = "hard" }', course.SetDifficulty("hard")),
        ('{ order = ["two", "one"] }', course.SetScenarios(("two", "one"))),
        ('{ next = "one", continuation = true }', course.NextScenario("one", True)),
        ('{ skip = "one" }', course.SkipScenario("one")),
        ('{ replay = "one" }', course.ReplayScenario("one")),
        ('{ outcome = "resigned" }', course.Outcome("resigned")),
        ('{ write = "hidden" }', do.LogText("hidden")),
    ],
)
def test_an_effect_is_read(effect: str, expected: do.Effect) -> None:
    """Its kind is given by one key."""
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
        ('{ trauma = "mental" }', ask.TraumaCheck("each", "mental", YES)),
        ('{ supply = "map" }', ask.SuppliesCheck("any", "supplies", "map", YES)),
        (
            '{ supply = "map", who = "all", section = "hidden" }',
            ask.SuppliesCheck("all", "hidden", "map", YES),
        ),
        (
            '{ number = "tally", section = "hidden", equals = 6 }',
            ask.Math(
                "equals",
                ask.LogCountOperand("hidden", "$count"),
                ask.Constant(6),
                YES,
            ),
        ),
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
            '{ any = [{ logged = "a" }, { logged = "b" }], least = 2 }',
            ask.Multi(
                (
                    ask.Multi(
                        tuple(ask.LogCheck("campaign_notes", x, MET) for x in "ab"),
                        2,
                        MET,
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
def test_a_condition_is_read(condition: str, expected: ask.Condition) -> None:
    """A single one, or a combination of several."""
    assert condition_of(condition) == expected


def test_cases_of_a_number_are_read() -> None:
    """Each with its effects and following steps."""
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
    ("key", "operation"), [("plus", "sum"), ("compared_with", "compare")]
)
def test_combinations_of_two_numbers_are_read(key: str, operation: str) -> None:
    """Their sum, or a comparison: −1, 0 or 1."""
    found = condition_of(
        f'{{ number = "tally", section = "hidden", {key} = "players" }}',
        'cases = [{ is = [-1, 0], then = ["y"] }]',
    )

    assert isinstance(found, ask.Math)
    assert found.operation == operation
    assert found.first == ask.LogCountOperand("hidden", "$count")
    assert found.second == ask.PlayersOperand()
    assert [*found.options.by_key] == [-1, 0]


def test_steps_of_every_side_scenario_are_read() -> None:
    """Their texts are used if a side scenario has none."""
    beside = '[side_steps.seen]\ntext = "Seen"\ncites = ["in play"]\n'
    own = reading_of("", campaign=CAMPAIGN + beside).own

    assert own.guide.side_steps == (Plain("seen"),)
    assert own.words.step("elsewhere", "seen")["text"] == "Seen"


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
            'ask = "victory"\ndoes = [{ experience = "01001" }]',
            to.VictoryDisplay(
                (do.batch(do.EarnExperience("fixed", "01001", victory=True)),)
            ),
        ),
        (
            'ask = "victory"\npool = "unspect_xp"',
            to.VictoryDisplay(
                (do.batch(do.EarnExperience("all", pool="unspect_xp", victory=True)),)
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
            'ask = "draw"\nitems = [{ id = "i" }]\nchoices = [{ id = "b" }]',
            to.Randomizer((to.PromptChoice("i"),), (to.PromptChoice("b"),)),
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
        (
            'ask = "upgrade_decks"\nlater = true\npool = "unspect_xp"',
            to.UpgradeDecks("unspect_xp", skip_decks=True),
        ),
        (
            'ask = "supplies"\npoints = [10, 7]\n'
            'items = [{ id = "map", cost = 3 }, '
            '{ id = "medicine", text = "Medicine", cost = 2, many = true }]',
            to.Supplies(
                "supplies", (10, 7), (("map", 3, False), ("medicine", 2, True))
            ),
        ),
        (
            'ask = "use_supplies"\nsupply = "map"\nunused = { then = ["y"] }',
            to.UseSupplies(
                "supplies", "map", "all", None, to.PromptChoice("", steps=("y",))
            ),
        ),
        (
            'ask = "use_supplies"\nsupply = "map"\nwho = "choice"\nleast = 1\n'
            'most = 2\nused = { does = [{ record = "a" }], text = "So" }',
            to.UseSupplies(
                "supplies",
                "map",
                "choice",
                to.PromptChoice(
                    "", batches=(do.batch(do.LogLine("campaign_notes", "a")),)
                ),
                None,
                1,
                2,
            ),
        ),
        (
            'ask = "supplied"\nsupply = "map"\n'
            'choices = [{ id = "b" }, { id = "c", then = ["y"] }]',
            to.SeatSupplies(
                "supplies",
                "map",
                to.PromptChoice("b"),
                to.PromptChoice("c", steps=("y",)),
            ),
        ),
        ('ask = "text"', to.TextBox(())),
        ('ask = "nothing"', to.DeadEnd()),
    ],
)
def test_a_prompt_is_read(step: str, expected: to.Prompt) -> None:
    """Each kind, with its consequences."""
    assert prompt_of(step) == expected


def test_a_guide_may_have_fewer_difficulties() -> None:
    """The step lists them; exactly these have bags."""
    bags = '[bags]\nstandard = "0"\nhard = "-1"'
    few = reading_of('ask = "difficulty"\nonly = ["standard", "hard"]', bags)
    step = few.own.guide.scenarios["one"].steps["x"]

    assert few.flaws == ()
    assert isinstance(step, Ask)
    assert [each.id for each in step.prompt.choices] == [  # type: ignore[union-attr]
        "standard",
        "hard",
    ]
    for wrong, more in (("", bags), ("\nonly = ['standard']", "")):
        reading = reading_of(f'ask = "difficulty"{wrong}', more)
        assert [flaw.rule for flaw in reading.flaws] == ["guide.missing"]


def test_a_scenario_may_have_bags_of_its_own() -> None:
    """They take precedence over those of the campaign."""
    own = '[bags]\neasy = "+1"\nstandard = "0"\nhard = "-1"\nexpert = "-8"'
    step = reading_of('ask = "difficulty"', own).own.guide.scenarios["one"].steps["x"]
    usual = step_of('ask = "difficulty"')

    assert isinstance(step, Ask)
    assert isinstance(usual, Ask)
    assert do.batch(course.SetDifficulty("expert"), course.Tokens(("-8",), 1)) in (
        step.prompt.choices[3].batches  # type: ignore[union-attr]
    )
    assert do.batch(
        course.SetDifficulty("expert"), course.Tokens(("-3", "skull"), 1)
    ) in (
        usual.prompt.choices[3].batches  # type: ignore[union-attr]
    )


def test_a_scenario_can_inherit_from_another() -> None:
    """It takes over what it doesn't define, step by step, except what it leaves out."""
    other = (
        'like = "one"\nwithout = ["cost", "z"]\nname = "Other"\n'
        '[steps.x]\ntext = "Otherwise."\ncites = ["set-up"]\n'
    )
    first = (
        'name = "One"\ncost = 2\nsetup = ["x", "y"]\n'
        '[steps.x]\ntext = "So."\ncites = ["set-up"]\n'
        '[steps.y]\ncites = ["set-up"]\n[steps.z]\ncites = ["set-up"]\n'
    )
    files = {"campaign": CAMPAIGN, "one": first, "other": other}
    reading = read_own("own", {name: text.encode() for name, text in files.items()})
    scenario = reading.own.guide.scenarios["other"]

    assert reading.flaws == ()
    assert (scenario.name, scenario.cost, scenario.setup) == ("Other", None, ("x", "y"))
    assert [*scenario.steps] == ["x", "y"]
    assert reading.own.words.step("other", "x")["text"] == "Otherwise."
    assert reading.own.guide.scenarios["one"].cost == 2


def test_a_map_of_locations_is_read() -> None:
    """Rows of names; anything else is a flaw."""
    reading = reading_of('layout = [["", "Attic"], ["Study", ""]]\nhalf = true')
    assert reading.flaws == ()
    words = reading.own.words.step("one", "x")
    assert (words["layout"], words["half"]) == ([["", "Attic"], ["Study", ""]], True)
    (flaw,) = reading_of('layout = ["Attic"]').flaws
    assert (flaw.rule, flaw.found) == ("guide.wrong-type", "['Attic']")
