"""Chooses, drops and draws ultimatums, and checks the terms a table agrees on.

Some terms are not the table's to give, and an ultimatum can forbid others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db import transaction

from arkham.accounts.models import User
from arkham.rules.campaign.judging import log_entry, ultimatum_choice
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import UltimatumChosen, effective
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from arkham.rules.ultimatums import UltimatumEffect, under
from campaigns.log import store
from campaigns.log.entries import folded
from campaigns.log.replays import Folded
from campaigns.models import Campaign, Membership
from campaigns.models.log import LONGEST_CAUSE
from campaigns.people import rights
from campaigns.people.rights import EntryRefused
from campaigns.play import plays
from campaigns.services.judging import judge
from campaigns.services.writing import WriteContext, written
from campaigns.settling.terms import TableTerms, orthodoxy, read_terms, terms_data
from decks.models import Collection

CAUSE = "ultimatum drawn"


@transaction.atomic
def choose_ultimatum(
    *,
    campaign: Campaign,
    member: Membership,
    chosen: UltimatumChosen,
    context: WriteContext,
) -> store.Appended:
    """Write down an ultimatum, boon or refraction the whole table has agreed to.

    Raises LogMoved, Forbidden; EntryRefused, also for Orthodoxy while the terms say
    that somebody plays without taboos.
    """

    def make(campaign: Campaign, known: Folded) -> list[UltimatumChosen]:
        rights.require(member, rights.Right.ORGANISE)
        judge(chosen, known)
        if under((chosen.ultimatum,), UltimatumEffect.FOLLOWS_TABOOS) and (
            found := [*orthodoxy(read_terms(campaign.terms))]
        ):
            raise EntryRefused(*found)
        return [chosen]

    return written(campaign, make, member, context, last=chosen)


@transaction.atomic
def draw_ultimatum(
    *,
    campaign: Campaign,
    member: Membership,
    context: WriteContext,
    also: Iterable[str] = (),
) -> store.Appended:
    """Draw what holds for the next game, and write it down with the record of the draw.

    ``also`` are those of ``ultimatum_choice.AFTER_PLAY`` the table leaves in. Raises
    LogMoved, Forbidden; EntryRefused where nothing is to be drawn.
    """

    also = tuple(also)

    def make(campaign: Campaign, known: Folded) -> list[UltimatumChosen]:
        rights.require(member, rights.Right.ORGANISE)
        scenario = next_game(known)
        drawn = ultimatum_choice.draw_ultimatum(
            known.replay.state, plays.next_seed(campaign), also
        )
        chosen = UltimatumChosen(
            scenario, next(iter(drawn.result), ""), "", drawn.as_data()
        )
        found = list(
            log_entry.findings_of(chosen, known.replay, tuple(folded(known.entries)))
        )
        if not scenario or any(
            each.scenario == scenario and each.record
            for each in chosen_ultimatums(known)
        ):
            found = [Finding(_("There is nothing to draw now."), rule="oath.drawn")]
        if found:
            raise EntryRefused(*found)
        return [chosen]

    cause = " ".join((CAUSE, *sorted(also)))[:LONGEST_CAUSE]
    return written(campaign, make, member, context, cause=cause)


def chosen_ultimatums(known: Folded) -> list[UltimatumChosen]:
    """What a table has chosen and not dropped, in the order of its log."""
    return [
        each
        for each in effective(folded(known.entries))
        if isinstance(each, UltimatumChosen)
    ]


def next_game(known: Folded) -> str:
    """The scenario that is played next, or is being set up; "" if there is none."""
    games = known.replay.state.games
    for each in known.replay.scenarios:
        if each.status == "playable":
            return each.id
        game = games.get(each.id)
        is_set_up = game is not None and bool(game.players)
        if each.status == "started" and each.id != SETUP and not is_set_up:
            return each.id
    return ""


def agreed(
    requested: Mapping[str, Any],
    user: User | None,
    campaign: Campaign | None = None,
    known: Folded | None = None,
) -> dict[str, Any]:
    """Requested terms as they are kept; ``known`` has the ultimatums chosen.

    Raises Unreadable; EntryRefused for somebody else's collection, or for decks without
    taboos under Orthodoxy.
    """
    terms = read_terms(dict(requested))
    before = campaign.terms.get("collection") if campaign is not None else None
    found = [*_collection(terms, user, before)]
    chosen = [each.ultimatum for each in chosen_ultimatums(known)] if known else []
    if under(chosen, UltimatumEffect.FOLLOWS_TABOOS):
        found += orthodoxy(terms)
    if found:
        raise EntryRefused(*found)
    return terms_data(terms)


def _collection(
    terms: TableTerms, user: User | None, before: int | None
) -> Iterator[Finding]:
    """Weaknesses come from one's own collection, or the one chosen before."""
    if terms.collection is None or terms.collection == before:
        return
    own = Collection.objects.filter(owner__isnull=False, owner=user)
    if not own.filter(pk=terms.collection).exists():
        yield Finding(
            _("This isn’t one of your collections."),
            rule="terms.collection",
            actual=terms.collection,
        )
