"""The guides this server knows: versions and owners."""

from __future__ import annotations

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
    """Whose account goes leaves the guides that are played to their tables.

    Their owner is forgotten and their words go: those were private. What nobody plays
    by goes with the account. Passed to a foreign key as its ``on_delete``.
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
    """Which of these guides tables play by, or by one that came with them.

    Of ``tables`` alone, where they are given.
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
    """One version of a guide; it never changes, for campaigns are played by it.

    ``digest`` is that of its content, ``guide_id`` its id in the field (``core``,
    ``dwl``; ``side`` for a package of side scenarios). ``side_digest`` names the
    package of side scenarios it came with, or nothing. ``prepared`` is the prepared
    form of ``arkham.rules.campaign.reading``, compressed with zlib; it is empty for
    guides that come with this server. ``words`` are those of the guide (JSON,
    compressed with zlib); ``campaigns.guides.opening`` says who may read them. Without
    an owner it is there for everybody, unless it was ``LEFT`` by who brought it: then
    it is there for the tables that play by it. ``flaws`` are those found when it was
    brought, each a list of rule, place, what was found and what was expected;
    ``serious`` is how many of them matter at the table.
    """

    class Origin(models.TextChoices):
        """Where a guide comes from."""

        OURS = "ours", _("Of this server")
        FACTS = "facts", _("Kept by hand")
        FIELD = "field", _("Brought along")
        LEFT = "left", _("Left by who brought it")

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
                fields=["digest", "side_digest", "owner"],
                name="a_guide_once_an_owner",
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
        """Whether it is there for somebody, or for some tables, alone."""
        return self.owner_id is not None or self.origin == self.Origin.LEFT
