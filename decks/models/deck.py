"""Decks, their revisions and verdicts, and what others see."""

from __future__ import annotations

import secrets
import uuid
from copy import copy
from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from decks.lists.content import Content
from decks.models.filing import LONGEST_NAME, Filed, InBin, OutOfBin

LONGEST_NOTES = 100_000
LONGEST_TAGS = 250
KEY_BYTES = 24  # 192 bits: nobody guesses it
LONGEST_KEY = 40
LONGEST_FOLDED = 600  # folding may make two letters of one
LONGEST_REASON = 300
LONGEST_SCENARIO = 120
LONGEST_AUTHOR = 150  # as of a name to sign in with
LONGEST_ADDRESS = 200
# A draft that nobody has changed for so long is deleted.
DRAFT_LIFETIME = timedelta(days=90)


def new_key() -> str:
    """An unguessable word for an address."""
    return secrets.token_urlsafe(KEY_BYTES)


class Deck(Filed):
    """One deck through all its revisions.

    It has an owner, or it is a draft of nobody's, opened by whoever knows its
    ``key``. ``revision`` is the number of its latest revision; ``notes`` are Markdown
    and ``tags`` words parted by blanks, as people brought them along.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="decks",
    )
    key = models.CharField(
        _("key"), max_length=LONGEST_KEY, unique=True, null=True, blank=True
    )
    name = models.CharField(_("name"), max_length=LONGEST_NAME, blank=True)
    notes = models.TextField(_("notes"), max_length=LONGEST_NOTES, blank=True)
    tags = models.CharField(_("tags"), max_length=LONGEST_TAGS, blank=True)
    revision = models.PositiveIntegerField(_("revision"), default=0)
    made_at = models.DateTimeField(_("made at"))
    changed_at = models.DateTimeField(_("changed at"))

    objects: ClassVar[models.Manager[Deck]] = OutOfBin()
    binned: ClassVar[models.Manager[Deck]] = InBin()
    everything: ClassVar[models.Manager[Deck]] = models.Manager()

    class Meta:
        verbose_name = _("deck")
        verbose_name_plural = _("decks")
        ordering = ["-changed_at", "-pk"]
        indexes = [models.Index(fields=["owner", "-changed_at"])]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(owner__isnull=True) ^ models.Q(key__isnull=True),
                name="deck_has_an_owner_or_a_key",
            )
        ]

    def __str__(self) -> str:
        return self.name or str(self.pk)

    @property
    def is_draft(self) -> bool:
        """Whether no account has it: it goes when it is left alone too long."""
        return self.key is not None

    @property
    def ends_at(self) -> datetime | None:
        """When a draft is deleted unless it is changed or saved; None for others."""
        return self.changed_at + DRAFT_LIFETIME if self.is_draft else None


class Cause(models.TextChoices):
    """Why there is a revision."""

    BUILT = "built", _("Built")
    EDITED = "edited", _("Edited")
    UPGRADED = "upgraded", _("Upgraded")
    REPAIRED = "repaired", _("Repaired")
    RESTORED = "restored", _("Restored")


class Revision(models.Model):
    """A deck as it stood once; numbers run from 1 without a gap.

    ``restores`` is the number of the earlier revision whose list this one has again:
    it was brought back, or what the ledger holds changed.
    ``played_at`` is when a scenario was played with it, ``scenario`` its name, and
    ``aftermath`` what of that its next upgrade has to know, as a window between two
    games is written in JSON.

    An upgrade grew from the played revision ``base``; ``window`` is that time between
    two games as it was used, ``invoice`` what was paid in it. ``reason`` says why a
    revision was repaired: made as the player wants it, whatever the rules find.
    """

    deck = models.ForeignKey(
        Deck,
        verbose_name=_("deck"),
        on_delete=models.CASCADE,
        related_name="revisions",
    )
    number = models.PositiveIntegerField(_("number"))
    list = models.JSONField(_("list"))
    circumstances = models.JSONField(_("circumstances"), default=dict)
    cause = models.CharField(
        _("cause"), max_length=10, choices=Cause.choices, default=Cause.EDITED
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("made by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    restores = models.PositiveIntegerField(_("restores"), null=True, blank=True)
    base = models.PositiveIntegerField(_("base"), null=True, blank=True)
    window = models.JSONField(_("window"), default=dict, blank=True)
    invoice = models.JSONField(_("invoice"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON, blank=True)
    played_at = models.DateTimeField(_("played at"), null=True, blank=True)
    scenario = models.CharField(
        _("scenario"), max_length=LONGEST_SCENARIO, blank=True, default=""
    )
    aftermath = models.JSONField(_("aftermath"), default=dict, blank=True)
    made_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering = ["deck_id", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["deck", "number"], name="one_revision_a_number"
            )
        ]

    def __str__(self) -> str:
        return f"{self.deck_id}/{self.number}"

    @property
    def content(self) -> Content:
        """The deck and its circumstances."""
        return Content(self.list, self.circumstances)

    @property
    def game_mark(self) -> str:
        """A short word for the game played with it, "" if there was none."""
        return f"{self.played_at.timestamp():.6f}" if self.played_at else ""


class Showing(models.Model):
    """That a deck is shown to others; one without is private.

    A published deck is shown as it was in ``revision``, until its owner shows another.
    Whoever has the link of a deck, made of ``key``, sees its latest revision
    (``revision`` is None). A published deck may have such a link as well
    (``keeps_link``), and show the versions it grew from (``shows_history``). To
    withdraw it is to remove this: a link given away opens nothing any more. The rest is
    what published decks are searched by.
    """

    class Kind(models.TextChoices):
        """Its visibility."""

        LINK = "link", _("Shared by a link")
        PUBLISHED = "published", _("Published")

    deck = models.OneToOneField(
        Deck, verbose_name=_("deck"), on_delete=models.CASCADE, related_name="showing"
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    key = models.UUIDField(_("key"), unique=True, default=uuid.uuid4)
    keeps_link = models.BooleanField(_("published, and has a link"), default=False)
    shows_history = models.BooleanField(
        _("published with earlier versions"), default=False
    )
    revision = models.PositiveIntegerField(_("revision"), null=True, blank=True)
    investigator = models.CharField(_("investigator"), max_length=8, blank=True)
    folded_name = models.CharField(max_length=LONGEST_FOLDED, blank=True)
    folded_tags = models.CharField(max_length=LONGEST_FOLDED, blank=True)
    since = models.DateTimeField(_("since"))
    changed_at = models.DateTimeField(_("changed at"))

    class Meta:
        verbose_name = _("showing")
        verbose_name_plural = _("showings")
        ordering = ["-since", "-pk"]
        indexes = [models.Index(fields=["kind", "-since"])]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind="link", revision__isnull=True)
                | models.Q(kind="published", revision__isnull=False),
                name="what_is_published_is_a_revision",
            )
        ]

    def __str__(self) -> str:
        return f"{self.deck_id}: {self.kind}"

    @property
    def has_link(self) -> bool:
        """Whether a private link opens the deck, published or not."""
        return self.keeps_link or self.kind == self.Kind.LINK

    def by_link(self) -> Showing:
        """The same deck as those see it who have its link; not to be written."""
        seen = copy(self)
        seen.kind, seen.revision, seen.keeps_link = self.Kind.LINK, None, False
        seen.shows_history = False
        return seen


class Source(models.Model):
    """Which deck of somebody a deck was copied from: as it was called then, and whose.

    ``showing`` is None once that deck was withdrawn; what is written here stays.
    """

    deck = models.OneToOneField(
        Deck, verbose_name=_("deck"), on_delete=models.CASCADE, related_name="source"
    )
    showing = models.ForeignKey(
        Showing,
        verbose_name=_("showing"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="copies",
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Showing.Kind.choices)
    name = models.CharField(_("name"), max_length=LONGEST_NAME, blank=True)
    author = models.CharField(_("author"), max_length=LONGEST_AUTHOR)
    address = models.CharField(_("address"), max_length=LONGEST_ADDRESS)
    copied_at = models.DateTimeField(_("copied at"))

    class Meta:
        verbose_name = _("source")
        verbose_name_plural = _("sources")

    def __str__(self) -> str:
        return self.name or self.address

    @property
    def is_shown(self) -> bool:
        """Whether that deck is shown still: neither withdrawn nor its owner blocked."""
        owner = self.showing.deck.owner if self.showing else None
        return owner is not None and owner.is_active


class SharedVerdict(models.Model):
    """A verdict given away by its address: what was judged, and what came of it.

    ``verdict`` is what every door answers with (``Verdict.as_data``). It stays as it
    was found; under later rules another verdict may be reached. One that nobody has
    looked at for long (``seen_at``) is forgotten.
    """

    key = models.CharField(
        _("key"), max_length=LONGEST_KEY, unique=True, default=new_key
    )
    name = models.CharField(_("name"), max_length=LONGEST_NAME, blank=True)
    list = models.JSONField(_("list"))
    circumstances = models.JSONField(_("circumstances"), default=dict)
    verdict = models.JSONField(_("verdict"))
    rules_version = models.CharField(_("rules version"), max_length=40)
    pool_version = models.CharField(_("card pool version"), max_length=80)
    made_at = models.DateTimeField(_("made at"))
    seen_at = models.DateTimeField(_("seen at"), default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("shared verdict")
        verbose_name_plural = _("shared verdicts")
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return self.name or self.key[:8]

    @property
    def content(self) -> Content:
        """The deck and its circumstances."""
        return Content(self.list, self.circumstances)


class Judgement(models.Model):
    """What was found of a deck when it was last judged, and by which rules and cards.

    ``revision`` is the number of the revision judged; ``findings`` are as every door
    gives them (``arkham.rules.legality.finding_data``).
    """

    deck = models.OneToOneField(
        Deck, verbose_name=_("deck"), on_delete=models.CASCADE, primary_key=True
    )
    revision = models.PositiveIntegerField(_("revision"))
    rules_version = models.CharField(_("rules version"), max_length=40)
    pool_version = models.CharField(_("card pool version"), max_length=80)
    status = models.CharField(_("status"), max_length=10)
    experience = models.IntegerField(_("experience required"))
    findings = models.JSONField(_("findings"), default=list)

    class Meta:
        verbose_name = _("judgement")
        verbose_name_plural = _("judgements")

    def __str__(self) -> str:
        return f"{self.deck_id}/{self.revision}: {self.status}"


class Notice(models.Model):
    """What the rules find of a deck now and did not before, though it was not changed.

    The rules, the cards or their taboos changed from the ``before`` versions to the
    ``after`` ones. ``appeared`` and ``gone`` are findings, as in :class:`Judgement`.
    ``is_serious``: more than advice changed. What is written stays, but that
    the owner dismisses it once.
    """

    deck = models.ForeignKey(
        Deck, verbose_name=_("deck"), on_delete=models.CASCADE, related_name="notices"
    )
    revision = models.PositiveIntegerField(_("revision"))
    rules_before = models.CharField(_("rules before"), max_length=40)
    rules_after = models.CharField(_("rules after"), max_length=40)
    pool_before = models.CharField(_("card pool before"), max_length=80)
    pool_after = models.CharField(_("card pool after"), max_length=80)
    status_before = models.CharField(_("status before"), max_length=10)
    status_after = models.CharField(_("status after"), max_length=10)
    experience_before = models.IntegerField(_("experience before"))
    experience_after = models.IntegerField(_("experience after"))
    appeared = models.JSONField(_("findings that appeared"), default=list)
    gone = models.JSONField(_("findings that are gone"), default=list)
    is_serious = models.BooleanField(_("is serious"))
    made_at = models.DateTimeField(_("made at"))
    dismissed_at = models.DateTimeField(_("dismissed at"), null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ["deck_id", "pk"]
        indexes = [
            models.Index(
                fields=["deck"],
                name="notices_to_be_read",
                condition=models.Q(dismissed_at=None, is_serious=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.deck_id}: {self.status_before} → {self.status_after}"


class PlayedCard(models.Model):
    """In how many published decks of an investigator a card is; counted once a day.

    The investigator and the card by the codes of the card pool. The row without a card
    has the number of decks.
    """

    investigator = models.CharField(max_length=8)
    card = models.CharField(max_length=8, blank=True)
    decks = models.PositiveIntegerField()

    class Meta:
        ordering = ["investigator", "-decks", "card"]
        constraints = [
            models.UniqueConstraint(
                fields=["investigator", "card"], name="played_card_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.card or 'all'}: {self.decks} decks of {self.investigator}"
