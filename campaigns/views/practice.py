"""A bag to practise with. Nothing is kept: the address has the bag and every step."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_safe

from arkham.rules.chaos import ChaosBag, Token
from arkham.rules.chaos.starting import Difficulty, scenarios, starting_bags
from arkham.rules.odds import MOST_OF_A_KIND
from arkham.web.http import page_or_fragment
from campaigns.forms.odds import USUAL
from campaigns.play.bag import practice_of, query_of, read_steps
from decks.draws.drawing import new_seed

LONGEST_SEED = 64


@require_safe
def bag(request: HttpRequest) -> HttpResponse:
    """Draw, return, seal, add and take out.

    An address with a step to take leads to the one that has taken it.
    """
    asked = request.GET
    seed = asked.get("seed", "")[:LONGEST_SEED] or new_seed()
    steps = [*read_steps(asked.get("steps", "")), *read_steps(asked.get("do", ""))]
    practice = practice_of(_start(asked), seed, read_steps(".".join(steps)))
    if "do" in asked or "seed" not in asked:
        query = query_of(practice, practice.steps)
        return HttpResponseRedirect(f"{reverse('odds:bag')}?{query}")
    context = {
        "practice": practice,
        "back": query_of(practice, practice.steps[:-1]),
        "again": query_of(practice, ()),
    }
    return page_or_fragment(
        request, "campaigns/bag.html", "campaigns/_bag.html", context
    )


def _start(asked: QueryDict) -> ChaosBag:
    """The bag the play begins with; a usual one if the address has none."""
    found = {token: _count(asked.get(f"n_{token}", "")) for token in Token}
    if not any(found.values()):
        return starting_bags(scenarios()[USUAL])[Difficulty.STANDARD]
    return ChaosBag.of({token.value: count for token, count in found.items()})


def _count(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 3:
        return min(int(text), MOST_OF_A_KIND)
    return 0
