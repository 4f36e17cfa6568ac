"""New copies of a card by itself are weighed at once: as weighing them one by one."""

from __future__ import annotations

from itertools import product

import pytest

from arkham.rules.deck import DeckList
from arkham.rules.legality import judge_of
from arkham.rules.snapshot import embedded_pool
from arkham.rules.upgrade.newcomers import newcomer_plans
from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.options import Title
from arkham.rules.upgrade.versions import Version, versions_in
from arkham.rules.upgrade.weighing import Weighing

KNIFE, SCAVENGING = "01086", "01073"
CHAINED = 8  # a list of taboos that makes Scavenging dearer


def _version(code: str, taboo: int | None) -> Version:
    judge = judge_of(embedded_pool())
    deck = DeckList("01001", {KNIFE: 1}, taboo=taboo)
    version = versions_in(next(judge.builds(deck)).frame)[code]
    assert version is not None
    return version


@pytest.mark.parametrize(
    ("refills", "swaps", "surcharge"), [*product(range(4), range(3), range(2))]
)
def test_copies_alike_are_had_as_if_each_were_weighed(
    refills: int, swaps: int, surcharge: int
) -> None:
    for code, taboo, chained in product(
        (KNIFE, SCAVENGING), (None, CHAINED), (False, True)
    ):
        version = _version(code, taboo)
        offers = Offers(
            refills=refills, swaps=swaps, surcharge=surcharge, chained=chained
        )
        for copies in (1, 2, 3):
            one_by_one = Weighing(Title({}, {version: copies}, {}), offers).plans()
            at_once = newcomer_plans(version, copies, offers, side=False)
            assert at_once == one_by_one


def test_two_copies_take_what_is_free_and_one_is_bought() -> None:
    plans = newcomer_plans(_version(KNIFE, None), 2, Offers(refills=1), side=False)
    assert [
        (plan.uses.refills, sum(line.paid for line in plan.lines)) for plan in plans
    ] == [(1, 1), (0, 2)]
