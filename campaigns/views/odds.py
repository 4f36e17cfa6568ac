"""The odds of a test: a form, a chart, a table. The address keeps it all."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from arkham.rules.chaos.starting import Difficulty, scenarios
from arkham.web.http import page_or_fragment
from campaigns.at_table.odds import told
from campaigns.forms.odds import USUAL, OddsForm, SourceForm, filled, is_asked


@require_safe
def odds(request: HttpRequest) -> HttpResponse:
    """How likely is a test to be passed?

    An address with a scenario fills the form with its bag; one with a test tells the
    odds; one with neither begins with a usual bag.
    """
    asked = request.GET
    source = SourceForm(asked if "scenario" in asked else None)
    scenario, level = scenarios()[USUAL], Difficulty.STANDARD
    if source.is_valid():
        scenario = scenarios()[source.cleaned_data["scenario"]]
        level = Difficulty(source.cleaned_data["level"])
    values, varying = filled(scenario, level)
    if is_asked(asked):
        form = OddsForm(asked, varying=varying if source.is_bound else frozenset())
    else:
        usual = {"skill": 4, "difficulty": 3, "reveal": "1"}
        form = OddsForm({**usual, **values}, varying=varying)
    context: dict[str, Any] = {"form": form, "source": source, "told": None}
    if form.is_valid():
        data = form.cleaned_data
        context["told"] = told(form.test(), data["skill"], data["difficulty"])
        context["skill"], context["difficulty"] = data["skill"], data["difficulty"]
    status = 422 if form.errors or source.errors else 200
    return page_or_fragment(
        request, "campaigns/odds.html", "campaigns/_odds.html", context, status=status
    )
