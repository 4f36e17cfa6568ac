"""Who may play by a guide, and who may read its words.

A guide without an owner is there for everybody on this server. What somebody brought is
theirs: others neither see it nor begin with it, but at the tables where it is played
they read along.
"""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, Q, QuerySet

from arkham.rules.campaign.reading.words import Words
from campaigns.guides.opening import NO_WORDS, unpacked, words_of
from campaigns.models import Guide, Membership

Person = AbstractBaseUser | AnonymousUser
LARGE = ("prepared", "words")  # what a list of guides need not read


def for_everybody() -> Q:
    """Nobody's own, and not left to single tables by who brought it."""
    return Q(owner__isnull=True) & ~Q(origin=Guide.Origin.LEFT)


def usable_by(user: Person) -> QuerySet[Guide]:
    """The guides somebody may begin campaigns with: everybody's, and their own."""
    for_all = for_everybody()
    held = for_all | Q(owner=user.pk) if user.is_authenticated else for_all
    return Guide.objects.filter(held)


def readable_by(user: Person) -> QuerySet[Guide]:
    """The guides whose words somebody may read.

    Everybody's, by who has an account here; one's own; and those of the campaigns at
    whose table one sits.
    """
    if not user.is_authenticated:
        return Guide.objects.none()
    tables = Membership.objects.filter(user=user.pk, left_at__isnull=True)
    at_tables = Q(pk__in=tables.values("campaign__guide"))
    held = for_everybody() | Q(owner=user.pk) | at_tables
    return Guide.objects.filter(held)


def listed(guides: QuerySet[Guide]) -> QuerySet[Guide]:
    """For a list: without what is large, and how many campaigns are ``played`` by it.

    Of versions of one guide the newest comes first.
    """
    return guides.annotate(played=Count("campaigns", distinct=True)).defer(*LARGE)


def words_for(guide: Guide, user: Person) -> Words:
    """The words of a guide, if somebody may read them; else none."""
    if not readable_by(user).filter(pk=guide.pk).exists():
        return NO_WORDS
    return words_of(guide)


def words_at(membership: Membership) -> Words:
    """The words of the guide a table plays by, for who sits there; guests as well."""
    if membership.left_at is not None:
        return NO_WORDS
    return words_of(membership.campaign.guide)


def words_text(guide: Guide) -> str:
    """The words of a guide as JSON; whoever calls this has asked who may read them."""
    return unpacked(bytes(guide.words)).decode() if guide.words else "{}"
