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
from decks.models.filing import LONGEST_NAME, FiledDeck, InBin, OutOfBin

LONGEST_NOTES = 100_000
LONGEST_TAGS = 250
KEY_BYTES = 24  # 192 bits, so that no one can guess it
LONGEST_KEY = 40
LONGEST_FOLDED = 600  # folding may turn one letter into two
LONGEST_REASON = 300
LONGEST_SCENARIO = 120
LONGEST_AUTHOR = 150  # as long as a username
LONGEST_ADDRESS = 200
# A draft that has not been changed for this long is deleted.
DRAFT_LIFETIME = timedelta(days=90)


def new_key() -> str:
    """Return an unguessable key for an address."""
    return secrets.token_urlsafe(KEY_BYTES)


class Deck(FiledDeck):
    """One deck with all its revisions.

    It has an owner, or it is a draft without one, opened by anyone who knows its
    ``key``. ``revision`` is the number of its latest revision; ``notes`` are Markdown
    and ``tags`` are separated by blanks, as imported. ``noted_at`` is when something
    else changed that programs follow, such as the ledger or the visibility.
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
    noted_at = models.DateTimeField(_("noted at"), null=True, blank=True)

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

    def note_change(self) -> None:
        """Note a change for programs that may leave the list as it was."""
        Deck.everything.filter(pk=self.pk).update(noted_at=timezone.now())

    @property
    def is_draft(self) -> bool:
        """True if no account owns the deck; an abandoned draft is deleted."""
        return self.key is not None

    @property
    def ends_at(self) -> datetime | None:
        """When a draft is deleted unless it is changed or saved; None for others."""
        return self.changed_at + DRAFT_LIFETIME if self.is_draft else None


class Cause(models.TextChoices):
    """Why a revision was made."""

    BUILT = "built", _("Built")
    EDITED = "edited", _("Edited")
    UPGRADED = "upgraded", _("Upgraded")
    REPAIRED = "repaired", _("Repaired")
    RESTORED = "restored", _("Restored")


class Revision(models.Model):
    """A deck as it was at one time; numbers run from 1 without a gap.

    ``restores`` is the number of the earlier revision with the same list, if this one
    restores it, or only records a change of the ledger. ``played_at`` is when a
    scenario was played with it, ``scenario`` its name, and ``aftermath`` its results
    that the next upgrade needs, in the JSON of a window. An upgrade starts from the
    played revision ``base``; ``window`` is the time between the games as the upgrade
    used it, ``invoice`` what it cost. ``reason`` is the player's reason for a repair:
    an upgrade made in spite of findings.
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
        """A short text that identifies the game played with it, "" if there is none."""
        return f"{self.played_at.timestamp():.6f}" if self.played_at else ""


class Showing(models.Model):
    """How a deck is shown to others; a deck without this row is private.

    A published deck is shown as in ``revision``, until its owner publishes another. A
    link, made from ``key``, shows the latest revision (``revision`` is None). A
    published deck may also have such a link (``keeps_link``), and show its earlier
    versions (``shows_history``). Deleting the row withdraws the deck and ends its link.
    The other columns serve the search among published decks.
    """

    class Kind(models.TextChoices):
        """The visibility."""

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
        """True if a private link opens the deck, published or not."""
        return self.keeps_link or self.kind == self.Kind.LINK

    def by_link(self) -> Showing:
        """Return a copy of this row as the link shows it; don't save it."""
        seen = copy(self)
        seen.kind, seen.revision, seen.keeps_link = self.Kind.LINK, None, False
        seen.shows_history = False
        return seen


class Source(models.Model):
    """The deck that a deck was copied from: its name and owner at that time.

    ``showing`` is None once that deck was withdrawn; the other columns stay.
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
        """True if that deck is still shown: not withdrawn, its owner not blocked."""
        owner = self.showing.deck.owner if self.showing else None
        return owner is not None and owner.is_active


class SharedVerdict(models.Model):
    """A verdict shared by its address, with the deck that was judged.

    ``verdict`` is in the format of all answers (``Verdict.as_data``). It never changes,
    though later rules may lead to another one. A verdict that no one has viewed for
    long (``seen_at``) is deleted.
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
    """The latest verdict on a deck, and the versions of rules and cards it is from.

    ``revision`` is the number of the revision judged; ``findings`` are in the format of
    all answers (``arkham.rules.legality.finding_data``).
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
    """A change of the verdict on a deck that was not changed itself.

    The rules, the cards or their taboos changed from the ``before`` versions to the
    ``after`` ones. ``appeared`` and ``gone`` are findings, as in :class:`Judgement`.
    ``is_serious``: more than advice changed. The row never changes, except that the
    owner dismisses it once.
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
    """The number of published decks with a card, by investigator; counted once a day.

    Investigator and card are codes of the card pool. The row without a card has the
    number of decks.
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
