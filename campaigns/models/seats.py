"""The seats of a table: an investigator, a player and a deck."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import LONGEST_SCENARIO, Campaign
from campaigns.models.people import LONGEST_PERSON, Membership
from decks.models import Deck

LONGEST_CODE = 40


class Seat(models.Model):
    """An investigator of a campaign; somebody may have several, or nobody one.

    ``name`` is that of the player as the table says it, where nobody here has the seat.
    ``instead`` is the seat of the investigator whom this one replaces. ``deck_since``
    is when its deck was linked; older seats don't know.
    """

    class Kind(models.TextChoices):
        """Where the deck of a seat is."""

        HERE = "here", _("A deck kept here")
        PAPER = "paper", _("A deck on paper")
        NONE = "none", _("No deck")

    campaign = models.ForeignKey(
        Campaign,
        verbose_name=_("campaign"),
        on_delete=models.CASCADE,
        related_name="seats",
    )
    investigator = models.CharField(_("investigator"), max_length=LONGEST_CODE)
    member = models.ForeignKey(
        Membership,
        verbose_name=_("player"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="seats",
    )
    deck = models.ForeignKey(
        Deck,
        verbose_name=_("deck"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    kind = models.CharField(
        _("kind of deck"), max_length=5, choices=Kind.choices, default=Kind.NONE
    )
    name = models.CharField(_("name"), max_length=LONGEST_PERSON, blank=True)
    instead = models.ForeignKey(
        "self",
        verbose_name=_("takes over from"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="successors",
    )
    made_at = models.DateTimeField(_("made at"))
    deck_since = models.DateTimeField(_("deck linked at"), null=True, blank=True)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["campaign", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "investigator"],
                name="an_investigator_once_a_campaign",
            ),
            models.CheckConstraint(
                condition=models.Q(deck__isnull=True) | models.Q(kind="here"),
                name="a_deck_here_is_kept_here",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.investigator}"


class Settlement(models.Model):
    """What a scenario did to the deck of a seat, and up to which entry that is so.

    ``content`` is what was handed to the deck. When the log takes it back, that is
    booked too and ``taken_back_at`` written here: nothing is lost.
    """

    seat = models.ForeignKey(
        Seat,
        verbose_name=_("seat"),
        on_delete=models.CASCADE,
        related_name="settlements",
    )
    deck = models.ForeignKey(
        Deck, verbose_name=_("deck"), on_delete=models.CASCADE, related_name="+"
    )
    scenario = models.CharField(_("scenario"), max_length=LONGEST_SCENARIO)
    sequence = models.PositiveIntegerField(_("entry"))
    content = models.JSONField(_("content"), default=dict)
    made_at = models.DateTimeField(_("made at"))
    taken_back_at = models.DateTimeField(_("taken back at"), null=True, blank=True)

    class Meta:
        verbose_name = _("settlement")
        verbose_name_plural = _("settlements")
        ordering = ["seat", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["seat", "deck", "scenario"],
                condition=models.Q(taken_back_at__isnull=True),
                name="a_scenario_is_settled_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.seat_id}: {self.scenario}"
