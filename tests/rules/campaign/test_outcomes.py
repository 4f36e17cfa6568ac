"""What follows from a game by the rulebook alone."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.outcomes import (
    ENDING_RULES,
    Ending,
    Outcome,
    Reported,
    Standing,
    Trauma,
    findings_of,
    standings,
    trauma_of,
    victory_points,
)
from arkham.rules.campaign.settlement import Fate
from tests.rules.campaign.guides import PROJECT
from tests.rules.campaign.small import DAISY, PEOPLE, ROLAND

DISPLAY = (("01116", 2), ("01113", 1))  # a ghoul priest, and an attic


def ending(*reported: Reported, **more: object) -> Ending:
    """A game of investigators who had nothing before."""
    return Ending(reported, {}, PEOPLE, DISPLAY)._replace(**more)  # type: ignore[arg-type]


def rules(found: Ending) -> list[str]:
    """The rules that speak."""
    return [finding.rule for finding in findings_of(found)]


@pytest.mark.parametrize(
    ("report", "trauma"),
    [
        (Reported(ROLAND, Outcome.SURVIVED), (0, 0)),
        (Reported(ROLAND, Outcome.RESIGNED), (0, 0)),
        (Reported(ROLAND, Outcome.DAMAGE), (1, 0)),
        (Reported(ROLAND, Outcome.HORROR), (0, 1)),
        (Reported(ROLAND, Outcome.BOTH, Trauma.MENTAL), (0, 1)),
        (Reported(ROLAND, Outcome.BOTH, Trauma.PHYSICAL), (1, 0)),
        (Reported(ROLAND, Outcome.CARD), (0, 0)),
        (Reported(ROLAND, Outcome.CARD, physical=2), (2, 0)),
        (Reported(ROLAND, Outcome.RESIGNED, mental=1), (0, 1)),
    ],
)
def test_trauma_of_a_defeat(report: Reported, trauma: tuple[int, int]) -> None:
    """One for damage or horror; none for resigning or by a card, unless it says so."""
    assert trauma_of(report) == trauma


def test_everybody_earns_the_whole_display() -> None:
    """Defeated and resigned ones too; a bonus for all, and one for Daisy alone."""
    found = standings(
        ending(
            Reported(ROLAND, Outcome.DAMAGE),
            Reported(DAISY, Outcome.RESIGNED, bonus=2),
            bonus=1,
        )
    )

    assert found == {ROLAND: Standing(1, 0, 4), DAISY: Standing(0, 0, 6)}


def test_a_corrected_total_holds() -> None:
    """With its reason; without one it is asked for."""
    right = ending(corrected=(4, "The attic was 2."))

    assert victory_points(right) == 4
    assert rules(right) == []
    assert rules(right._replace(corrected=(4, " "))) == ["ending.reason"]
    assert rules(right._replace(corrected=(3, ""))) == []


@pytest.mark.parametrize(
    ("before", "report", "fate"),
    [
        (Standing(4, 0), Reported(DAISY, Outcome.DAMAGE), Fate.KILLED),
        (Standing(3, 0), Reported(DAISY, Outcome.DAMAGE), Fate.ALIVE),
        (Standing(0, 8), Reported(DAISY, Outcome.HORROR), Fate.DRIVEN_INSANE),
        (
            Standing(),
            Reported(DAISY, Outcome.CARD, fate=Fate.DRIVEN_INSANE),
            Fate.DRIVEN_INSANE,
        ),
    ],
)
def test_printed_values_decide_who_goes_on(
    before: Standing, report: Reported, fate: Fate
) -> None:
    """Daisy has 5 health and 9 sanity; who is gone earns nothing."""
    found = standings(ending(report, before={DAISY: before}))[DAISY]

    assert found.fate is fate
    assert found.experience == (3 if fate is Fate.ALIVE else 0)


def test_under_finality_a_defeat_is_the_end() -> None:
    """By damage, by horror, by both as chosen; not by a card."""
    reports = (
        Reported(ROLAND, Outcome.DAMAGE),
        Reported(DAISY, Outcome.HORROR),
        Reported("01003", Outcome.CARD, physical=1),
        Reported("01004", Outcome.BOTH, Trauma.PHYSICAL),
        Reported("01005", Outcome.BOTH, Trauma.MENTAL),
    )
    found = standings(ending(*reports, ultimatums=frozenset({"finality"})))

    assert [each.fate for each in found.values()] == [
        Fate.KILLED,
        Fate.DRIVEN_INSANE,
        Fate.ALIVE,
        Fate.KILLED,
        Fate.DRIVEN_INSANE,
    ]


@pytest.mark.parametrize(
    ("sworn", "outcome", "experience"),
    [
        ("persephone", Outcome.DAMAGE, 6),
        ("persephone", Outcome.CARD, 6),
        ("persephone", Outcome.RESIGNED, 3),
        ("persephone finality", Outcome.DAMAGE, 0),
        ("persephone induction", Outcome.DAMAGE, 0),
        ("induction", Outcome.SURVIVED, 0),
    ],
)
def test_boons_and_ultimatums_change_what_is_earned(
    sworn: str, outcome: Outcome, experience: int
) -> None:
    """The display is worth 3."""
    found = ending(Reported(ROLAND, outcome), ultimatums=frozenset(sworn.split()))

    assert standings(found)[ROLAND].experience == experience


def test_osiris_prevents_a_defeat_but_not_its_trauma() -> None:
    """The investigator goes on, and may still survive."""
    report = Reported(ROLAND, Outcome.SURVIVED, prevented=Trauma.PHYSICAL)
    found = ending(report, ultimatums=frozenset({"osiris"}))

    assert standings(found)[ROLAND] == Standing(1, 0, 3)
    assert rules(found) == []
    assert rules(ending(report)) == ["ending.osiris"]


def test_a_replay_pays_nothing() -> None:
    """And says so."""
    found = ending(Reported(ROLAND, Outcome.SURVIVED), replayed=True)

    assert standings(found)[ROLAND].experience == 0
    assert rules(found) == ["ending.replayed"]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (ending(Reported(ROLAND, Outcome.SURVIVED)), []),
        (ending(Reported(ROLAND, Outcome.BOTH)), ["ending.choice-of-trauma"]),
        (ending(Reported("99999", Outcome.SURVIVED)), ["ending.values-known"]),
        (ending(Reported(ROLAND, Outcome.CARD)), ["ending.defeat"]),
        (
            ending(
                Reported(ROLAND, Outcome.SURVIVED), Reported(ROLAND, Outcome.RESIGNED)
            ),
            ["ending.once"],
        ),
        (
            ending(
                Reported(ROLAND, Outcome.SURVIVED),
                before={ROLAND: Standing(fate=Fate.KILLED)},
            ),
            ["ending.gone"],
        ),
    ],
)
def test_what_is_wrong_or_missing(found: Ending, expected: list[str]) -> None:
    """Exactly these rules speak."""
    assert rules(found) == expected


def test_each_rule_stands_in_the_docs() -> None:
    """With its sentence, rows and a citation."""
    page = (PROJECT / "docs" / "guides.md").read_text(encoding="utf-8")

    for rule in ENDING_RULES:
        assert f"| `{rule.id}` | {rule.sentence} |" in page
    assert all(rule.rows and rule.cites for rule in ENDING_RULES)
