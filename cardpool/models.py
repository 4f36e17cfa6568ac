"""Products, cards and their printings, taboo lists, environments.

The rules never see these rows; ``catalog`` turns them into a card pool. The columns
besides ``facts`` repeat what searching and sorting need.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from arkham.jobs.models import Job


class DataVersion(models.Model):
    """The version of the data in all other tables; there is one row at most.

    ``version`` is the version of the card pool. ``layout`` says how the columns were
    derived from the facts: rows of another layout are written again.
    """

    ONLY = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY)
    version = models.CharField(max_length=64)
    layout = models.PositiveSmallIntegerField()
    embedded = models.BooleanField()
    source = models.CharField(max_length=200)
    loaded_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.version


class Cycle(models.Model):
    """A cycle of products, in order of appearance."""

    code = models.CharField(max_length=40, primary_key=True)
    name = models.CharField(max_length=100)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return self.name


class Pack(models.Model):
    """A product; ``holds`` lists the packs that a repackaged product contains."""

    code = models.CharField(max_length=40, primary_key=True)
    name = models.CharField(max_length=100)
    cycle = models.ForeignKey(Cycle, models.CASCADE, related_name="packs")
    position = models.PositiveSmallIntegerField()
    released = models.CharField(max_length=10, blank=True)
    chapter = models.PositiveSmallIntegerField()
    holds = models.JSONField(default=list)
    holds_type = models.CharField(max_length=20, blank=True)

    class Meta:
        ordering = ["cycle__position", "position"]

    def __str__(self) -> str:
        return self.name


class EncounterSet(models.Model):
    """A set of encounter cards; cards name it by its code."""

    code = models.CharField(max_length=60, primary_key=True)
    name = models.CharField(max_length=100)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Scope(models.TextChoices):
    """The audience of a card: encounter and story cards are shown on request."""

    PLAYER = "player", pgettext_lazy("cards", "Player cards")
    STORY = "story", pgettext_lazy("cards", "Story cards")
    ENCOUNTER = "encounter", pgettext_lazy("cards", "Encounter cards")


class Card(models.Model):
    """A card, once, however many products it was printed in.

    ``facts`` is what the rules read (``arkham.rules.snapshot.card_facts``). Lists are
    stored as ``|spell|relic|``; ``folded_names`` has the name and the subtitle.
    ``level`` and ``cost`` are NULL if none is printed; cost X is -2. The five skill
    columns have icons, or an investigator's skills. ``marks`` are values for ``is:``,
    ``owners`` the only investigators who may have the card.
    """

    code = models.CharField(max_length=8, primary_key=True)
    name = models.CharField(max_length=100)
    subname = models.CharField(max_length=100, blank=True)
    folded_name = models.CharField(max_length=100)
    folded_names = models.CharField(max_length=200)
    type = models.CharField(max_length=20)
    type_order = models.PositiveSmallIntegerField()
    scope = models.CharField(max_length=10, choices=Scope.choices)
    hidden = models.BooleanField()
    classes = models.CharField(max_length=60)
    class_order = models.PositiveSmallIntegerField()
    weakness = models.CharField(max_length=10, blank=True)
    level = models.SmallIntegerField(null=True)
    cost = models.SmallIntegerField(null=True)
    willpower = models.SmallIntegerField()
    intellect = models.SmallIntegerField()
    combat = models.SmallIntegerField()
    agility = models.SmallIntegerField()
    wild = models.SmallIntegerField()
    health = models.SmallIntegerField(null=True)
    sanity = models.SmallIntegerField(null=True)
    victory = models.SmallIntegerField(null=True)
    deck_limit = models.SmallIntegerField(null=True)
    slots = models.CharField(max_length=60, blank=True)
    traits = models.CharField(max_length=200, blank=True)
    uses = models.CharField(max_length=30, blank=True)
    tags = models.CharField(max_length=100, blank=True)
    marks = models.CharField(max_length=300, blank=True)
    owners = models.CharField(max_length=100, blank=True)
    bonded_to = models.CharField(max_length=200, blank=True)
    encounter_set = models.CharField(max_length=100, blank=True)
    first_pack = models.ForeignKey(Pack, models.CASCADE, related_name="new_cards")
    first_position = models.PositiveSmallIntegerField()
    facts = models.JSONField()

    class Meta:
        ordering = ["folded_name", "level", "code"]
        indexes = [
            models.Index(fields=["scope", "folded_name", "level", "code"]),
            models.Index(fields=["folded_name"]),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"


class CardText(models.Model):
    """The printed text in a language that was imported; no rule reads it.

    ``name`` and ``subname`` are "" if they are the card's English ones.
    """

    card = models.ForeignKey(Card, models.CASCADE, related_name="printed")
    name = models.CharField(max_length=200, blank=True)
    subname = models.CharField(max_length=200, blank=True)
    text = models.TextField(blank=True)
    back_text = models.TextField(blank=True)
    sheet_text = models.TextField(blank=True)
    folded = models.TextField(blank=True)
    source = models.CharField(max_length=200)
    language = models.CharField(max_length=10, default="en")

    class Meta:
        ordering = ["card", "language"]
        constraints = [
            models.UniqueConstraint(
                fields=["card", "language"], name="one_text_a_language"
            )
        ]

    def __str__(self) -> str:
        return f"{self.card_id} {self.language}"


class Picture(models.Model):
    """A side of a card as a source shows it in a language; its files are in ORNE_DATA.

    ``digest`` is of the source's file, "" if the source has none. ``mark`` is used to
    ask the source if it has another one by now.
    """

    code = models.CharField(max_length=8)
    is_back = models.BooleanField()
    digest = models.CharField(max_length=16, blank=True)
    width = models.PositiveSmallIntegerField(default=0)
    height = models.PositiveSmallIntegerField(default=0)
    source = models.CharField(max_length=200)
    language = models.CharField(max_length=10)
    mark = models.JSONField(default=dict)
    checked_at = models.DateTimeField()

    class Meta:
        ordering = ["code", "is_back", "language"]
        constraints = [
            models.UniqueConstraint(
                fields=["code", "is_back", "language"], name="one_of_a_side"
            )
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.side}"

    @property
    def side(self) -> str:
        """The side, as in the picture's address."""
        return "back" if self.is_back else "front"


class CardImport(Job):
    """A job that imports texts and pictures, with its sources and counts.

    Pictures checked since ``since`` are not requested again: a continued import has the
    ``since`` of the one that stopped. ``language`` may be several, separated by commas.
    A preview imports nothing: its ``report`` says which cards would be added, changed
    and dropped, as an import's says which were.
    """

    KIND, PREVIEW = "cards", "cards-preview"

    class Part(models.TextChoices):
        TEXTS = "texts", _("Texts")
        PICTURES = "pictures", _("Pictures")

    part = models.CharField(max_length=10, choices=Part.choices, default=Part.TEXTS)
    texts_from = models.CharField(max_length=500, blank=True)
    pictures_from = models.CharField(max_length=500, blank=True)
    language = models.CharField(max_length=100, default="en")
    encounter_cards = models.BooleanField(default=False)
    texts = models.PositiveIntegerField(default=0)
    new = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    missing = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    since = models.DateTimeField()
    report = models.JSONField(default=dict)

    @classmethod
    def latest(cls) -> CardImport | None:
        """Return the latest import or preview."""
        return cls.objects.first()

    @property
    def is_preview(self) -> bool:
        """True if nothing is imported."""
        return self.kind == self.PREVIEW

    def is_active(self, now: datetime) -> bool:
        """Return True if it is running; without a sign for long it was cut short."""
        lost_after = LOST_AFTER[self.Part(self.part)]
        return self.state == self.State.RUNNING and now - self.seen_at < lost_after

    def can_continue(self, now: datetime) -> bool:
        """Return True if it stopped before its end."""
        has_ended = self.is_preview or self.state == self.State.DONE
        return not (has_ended or self.is_active(now))

    @property
    def has_news(self) -> bool:
        """True if it is a preview that found cards to add, change or remove."""
        found = any(each["number"] for each in self.report.values())
        return self.is_preview and self.state == self.State.DONE and found


# An import without a sign for this long was cut short: its process has ended.
LOST_AFTER = {
    CardImport.Part.TEXTS: timedelta(minutes=10),  # reads and writes all cards at once
    CardImport.Part.PICTURES: timedelta(minutes=4),
}


class Printing(models.Model):
    """One appearance of a card in a product."""

    code = models.CharField(max_length=8, primary_key=True)
    card = models.ForeignKey(Card, models.CASCADE, related_name="printings")
    pack = models.ForeignKey(Pack, models.CASCADE, related_name="printings")
    position = models.PositiveSmallIntegerField()
    quantity = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["pack__released", "code"]

    def __str__(self) -> str:
        return self.code


class TabooList(models.Model):
    """One edition of the taboo list, complete in itself."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    date = models.CharField(max_length=10)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.date


class TabooEntry(models.Model):
    """The change of one taboo list to one card.

    ``facts`` is what the rules read, ``effects`` are values for ``change:``; ``text``
    is printed text, if it has been imported.
    """

    taboo_list = models.ForeignKey(TabooList, models.CASCADE, related_name="entries")
    card = models.ForeignKey(Card, models.CASCADE, related_name="taboo_entries")
    effects = models.CharField(max_length=100, blank=True)
    facts = models.JSONField()
    text = models.TextField(blank=True)

    class Meta:
        ordering = ["taboo_list", "card"]
        constraints = [
            models.UniqueConstraint(
                fields=["taboo_list", "card"], name="one_entry_a_card_and_list"
            )
        ]

    def __str__(self) -> str:
        return f"{self.card_id} {self.taboo_list_id}"


class PublicCard(models.Model):
    """A card in the format of the ArkhamDB-compatible API, ready to be sent.

    ``record`` is the source's record of this printing; ``body`` is the answer, whose
    address lacks the host, and ``bonded`` the part of it that only the list of all
    cards has. ``place`` is its place in that list.
    """

    code = models.CharField(max_length=8, primary_key=True)
    pack = models.CharField(max_length=40, db_index=True)
    place = models.PositiveIntegerField(db_index=True)
    encounter = models.BooleanField()
    hidden = models.BooleanField()
    body = models.TextField()
    bonded = models.TextField(blank=True)
    record = models.JSONField()

    class Meta:
        ordering = ["place"]

    def __str__(self) -> str:
        return self.code


class PublicList(models.Model):
    """A whole list of that API, ready to be sent: products, or taboos."""

    name = models.CharField(max_length=10, primary_key=True)
    body = models.TextField()
    records = models.JSONField()

    def __str__(self) -> str:
        return self.name


class Environment(models.Model):
    """A named part of the card pool, for groups to choose.

    The terms are those of ``arkham.rules.deck.Environment``: ``date`` for a current
    one, three ``cycles`` for a limited one, ``packs`` for a free list of products.
    """

    class Kind(models.TextChoices):
        LEGACY = "legacy", _("Legacy")
        CURRENT = "current", _("Current")
        LIMITED = "limited", _("Limited")
        PRODUCTS = "products", _("Products")

    slug = models.SlugField(primary_key=True)
    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    date = models.CharField(max_length=10, blank=True)
    cycles = models.ManyToManyField(Cycle, blank=True)
    packs = models.ManyToManyField(Pack, blank=True)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.name
