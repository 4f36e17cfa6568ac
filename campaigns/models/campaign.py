"""A campaign, the guide it follows, and what is stored in addition to its log.

A guide has versions and perhaps an owner. Counters of a scenario in play are kept until
it is over; campaigns of a backup wait for their guide.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.deletion import CASCADE, Collector
from django.utils.translation import gettext_lazy as _

LONGEST_DIGEST = 64  # SHA-256, in hexadecimal digits
LONGEST_GUIDE_ID = 60
LONGEST_GUIDE_NAME = 120


def leave_to_tables(
    collector: Collector, field: Any, found: Iterable[Guide], using: str
) -> None:
    """When an account is deleted, leave its guides that are in use to their tables.

    These guides lose their owner and their private texts. A guide without a campaign is
    deleted with the account. To be passed to a foreign key as ``on_delete``.
    """
    rows = list(found)
    brought = Guide.objects.filter(pk__in=[row.pk for row in rows])
    stays = stay_with_tables(brought)
    left = [row for row in rows if row.pk in stays]
    meta: Any = Guide._meta
    for name, value in (
        ("origin", Guide.Origin.LEFT),
        ("words", None),
        (field.name, None),
    ):
        collector.add_field_update(meta.get_field(name), value, left)
    goes: Any = [row for row in rows if row.pk not in stays]
    CASCADE(collector, field, goes, using)


def stay_with_tables(
    brought: models.QuerySet[Guide], tables: models.QuerySet[Any] | None = None
) -> set[int]:
    """Return the ids of the guides in use, or needed by a guide in use.

    Given ``tables``, only their use counts.
    """
    is_played = models.Q(campaigns__isnull=False)
    if tables is not None:
        is_played = models.Q(campaigns__in=tables)
    played = brought.filter(is_played)
    needed = is_played | models.Q(
        digest__in=played.exclude(side_digest="").values("side_digest")
    )
    return set(brought.filter(needed).values_list("pk", flat=True))


class Guide(models.Model):
    """One version of a guide; it never changes, because campaigns follow it.

    ``digest`` identifies its content, ``guide_id`` is its id in the field (``core``,
    ``dwl``; ``side`` for a package of side scenarios). ``side_digest`` is the digest of
    the package of side scenarios that belongs to it, or empty. ``prepared`` is the
    prepared form of ``arkham.rules.campaign.reading``, compressed with zlib; it is
    empty for guides that come with this server. ``words`` are the texts of the guide
    (JSON, compressed with zlib); ``campaigns.guides.opening`` says who may read them. A
    guide without an owner is there for everyone, unless its importer ``LEFT`` it: then
    only for the tables that follow it. ``flaws`` were found on import, each a list of
    rule, place, what was found and what was expected; ``serious`` is how many of them
    matter at the table.
    """

    class Origin(models.TextChoices):
        """The source of a guide."""

        OURS = "ours", _("Of this server")
        FACTS = "facts", _("Kept by hand")
        FIELD = "field", _("Imported")
        LEFT = "left", _("Importer has left")

    digest = models.CharField(_("digest"), max_length=LONGEST_DIGEST)
    side_digest = models.CharField(
        _("digest of the side scenarios"), max_length=LONGEST_DIGEST, blank=True
    )
    guide_id = models.CharField(_("guide"), max_length=LONGEST_GUIDE_ID)
    name = models.CharField(_("name"), max_length=LONGEST_GUIDE_NAME)
    version = models.PositiveIntegerField(_("version"), default=1)
    origin = models.CharField(_("origin"), max_length=5, choices=Origin.choices)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        on_delete=leave_to_tables,
        null=True,
        blank=True,
        related_name="guides",
    )
    prepared = models.BinaryField(_("prepared form"), default=bytes, blank=True)
    words = models.BinaryField(_("words"), null=True, blank=True)
    scenarios = models.PositiveSmallIntegerField(_("scenarios"), default=0)
    flaws = models.JSONField(_("flaws"), default=list, blank=True)
    serious = models.PositiveIntegerField(_("serious flaws"), default=0)
    brought_at = models.DateTimeField(_("brought at"))

    class Meta:
        verbose_name = _("guide")
        verbose_name_plural = _("guides")
        ordering = ["guide_id", "-brought_at", "-pk"]
        indexes = [models.Index(fields=["guide_id", "owner"])]
        constraints = [
            models.UniqueConstraint(
                fields=["digest", "side_digest", "owner"], name="a_guide_once_an_owner"
            ),
            models.UniqueConstraint(
                fields=["digest", "side_digest"],
                condition=models.Q(owner__isnull=True) & ~models.Q(origin="left"),
                name="a_guide_once_for_everybody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.digest[:8]})"

    @property
    def is_private(self) -> bool:
        """Whether only one person, or only some tables, may use it."""
        return self.owner_id is not None or self.origin == self.Origin.LEFT


LONGEST_NAME = 120
LONGEST_SCENARIO = 80
LONGEST_SEED = 40
LONGEST_HEAD = 64  # SHA-256, in hexadecimal digits
LONGEST_IMPORTED = 32  # hexadecimal digits
SEED_BYTES = 16


def new_secret() -> str:
    """Return a secret that seeds a campaign's draws; it is never shown."""
    return secrets.token_hex(SEED_BYTES)


class Campaign(models.Model):
    """One campaign, or one scenario on its own (``standalone``), at one table.

    Scenarios before ``simulated`` are resolved without being played, and the campaign
    ends after it (STAND-06).

    ``last`` is the sequence of the last log entry, enough to tell whether anything
    changed; ``head`` is a digest of the whole log, so logs with equal heads are equal.
    ``version`` is the guide's version at the start, -1 if it had none. ``terms`` are
    the table's agreed terms, as ``campaigns.settling.terms`` reads them. ``linked`` is
    the other one of two campaigns played side by side, each the other's; ``heard`` maps
    links to decisions of the other after that is deleted. ``fronts`` maps the seats'
    codes to the investigator cards whose fronts their decks play instead. A copy has
    ``branched_from`` and the entry ``branched_at`` after which it diverges.
    ``imported_id`` is the campaign's id in the file it was imported from.
    """

    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    guide = models.ForeignKey(
        Guide,
        verbose_name=_("guide"),
        on_delete=models.PROTECT,
        related_name="campaigns",
    )
    version = models.IntegerField(_("version of the guide"), default=1)
    standalone = models.CharField(
        _("scenario on its own"), max_length=LONGEST_SCENARIO, blank=True
    )
    simulated = models.CharField(
        _("scenario after a simulated campaign"),
        max_length=LONGEST_SCENARIO,
        blank=True,
        default="",
    )
    terms = models.JSONField(_("terms"), default=dict, blank=True)
    last = models.PositiveIntegerField(_("last entry"), default=0)
    head = models.CharField(_("head"), max_length=LONGEST_HEAD, blank=True)
    secret = models.CharField(_("secret"), max_length=LONGEST_SEED, default=new_secret)
    linked = models.OneToOneField(
        "self",
        verbose_name=_("linked campaign"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    heard = models.JSONField(_("heard of the other"), null=True, blank=True)
    fronts = models.JSONField(_("fronts played"), null=True, blank=True)
    branched_from = models.ForeignKey(
        "self",
        verbose_name=_("branched from"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="branches",
    )
    branched_at = models.PositiveIntegerField(
        _("branched after entry"), null=True, blank=True
    )
    imported_id = models.CharField(
        _("id in the file imported"),
        max_length=LONGEST_IMPORTED,
        blank=True,
        default="",
    )
    made_at = models.DateTimeField(_("made at"))
    changed_at = models.DateTimeField(_("changed at"))
    archived_at = models.DateTimeField(_("archived at"), null=True, blank=True)

    class Meta:
        verbose_name = _("campaign")
        verbose_name_plural = _("campaigns")
        ordering = ["-changed_at", "-pk"]

    def __str__(self) -> str:
        return self.name


class PlayState(models.Model):
    """The live bag, counters, notes and ticks of one playing of a scenario.

    ``scenario`` is its id, with a number if it is replayed. ``version`` grows with
    every change; ``content`` is what ``campaigns.play.in_play`` reads.
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
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "scenario"], name="a_scenario_once_in_play"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}/{self.scenario}: {self.version}"


LONGEST_GUIDES = 130  # the ids of two guides


class WaitingBackup(models.Model):
    """A campaign of a backup whose guide is missing, as the app wrote it.

    Two halves of one campaign wait together. ``missing`` are the guides' ids, separated
    by spaces. ``content`` is a backup of these campaigns only (JSON, compressed with
    zlib). It remains when the campaign is kept by hand meanwhile, so all of it can be
    imported once the guide is here.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        related_name="waiting_backups",
    )
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    missing = models.CharField(_("missing guides"), max_length=LONGEST_GUIDES)
    content = models.BinaryField(_("backup"))
    is_by_hand = models.BooleanField(_("kept by hand meanwhile"), default=False)
    made_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("campaign that waits for its guide")
        verbose_name_plural = _("campaigns that wait for their guide")
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.name
