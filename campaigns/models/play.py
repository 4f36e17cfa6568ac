"""What is kept while a table plays a scenario, beside the log and until it is over."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import LONGEST_SCENARIO, Campaign


class PlayState(models.Model):
    """The live bag, counters, notes and ticks of one playing of a scenario.

    ``scenario`` is its id, with its number where it is played again. ``version`` grows
    with every change; ``content`` is what ``campaigns.play.in_play`` reads.
    """

    campaign = models.ForeignKey(
        Campaign,
        verbose_name=_("campaign"),
        on_delete=models.CASCADE,
        related_name="plays",
    )
    scenario = models.CharField(_("scenario"), max_length=LONGEST_SCENARIO)
    version = models.PositiveIntegerField(_("version"), default=0)
    content = models.JSONField(_("content"), default=dict)
    changed_at = models.DateTimeField(_("changed at"))

    class Meta:
        verbose_name = _("scenario in play")
        verbose_name_plural = _("scenarios in play")
        ordering = ["campaign", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "scenario"], name="a_scenario_once_in_play"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}/{self.scenario}: {self.version}"
