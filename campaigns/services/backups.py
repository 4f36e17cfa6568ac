"""Import the campaigns of a backup of the Arkham Cards app, as their tables left them.

Two halves of one campaign are imported together and linked. Campaigns whose guide is
missing wait for it, and can be kept by hand meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from arkham.accounts.models import User
from arkham.rules.campaign.by_hand.facts import SIDE
from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.policy import AS_THE_APP, BY_THE_RULES, Policy
from arkham.rules.campaign.records import Refold, translated
from arkham.rules.campaign.run import Problem
from arkham.rules.campaign.settlement import ReplayDifference, settlement
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from arkham.web.quotas import lock_owner
from campaigns import queries
from campaigns.files import backups
from campaigns.files.backups import (
    BackedUp,
    MissingGuide,
    Spoiled,
    WholeCampaign,
    backup_of,
    fitting_guide,
    link_answers,
    missing_guides,
    wholes_of,
)
from campaigns.files.backups_by_hand import entries_by_hand
from campaigns.guides import opening
from campaigns.log import store
from campaigns.log.replays import Folded, printed_cards, replayed
from campaigns.models import Campaign, Guide, Seat, WaitingBackup
from campaigns.models.campaign import LONGEST_GUIDES, LONGEST_NAME
from campaigns.people.rights import EntryRefused, LogFull
from campaigns.services.files import count_as_changed, made, no_scenario
from cardpool.catalog import current_pool

MOST_WAITING = 60  # campaigns of one account that wait for their guides
_MISSING = _("This campaign needs a guide that isn’t here: {guides}.")


class Restored(NamedTuple):
    """A campaign restored from a backup.

    ``is_other`` is true if its guide has another version than it was played with;
    ``ruled`` is where the rules differ from the app, ``problems`` what is impossible by
    the rules; ``earlier`` are previous imports of the same campaign, latest first.
    """

    campaign: Campaign
    is_other: bool
    ruled: ReplayDifference
    problems: tuple[Problem, ...]
    earlier: tuple[Campaign, ...] = ()


class NotImported(NamedTuple):
    """A campaign of a backup that was not imported, and the reason.

    ``waiting`` is what was stored of it if it waits for its guide; ``details`` says
    where the file can't be read.
    """

    name: str
    finding: Finding
    waiting: WaitingBackup | None = None
    details: str = ""


class BackupOutcome(NamedTuple):
    """The outcome of an import; what else the backup contains can't be imported."""

    restored: tuple[Restored, ...]
    left: tuple[NotImported, ...]
    by_hand: tuple[str, ...] = ()
    decks: int = 0


class _Half(NamedTuple):
    """A campaign to restore, its guide, and the answers of the other half."""

    backed_up: BackedUp
    guide: Guide
    from_linked: tuple[Answer, ...] | None


@transaction.atomic
def import_backup(
    *, organiser: User, data: object, usable: QuerySet[Guide], now: datetime
) -> BackupOutcome:
    """Restore every campaign of a backup that was played with a guide.

    Each is restored whole, or left with a reason. Raises Unreadable for the file;
    EntryRefused if it contains no campaign with a guide.
    """
    backup = backups.read_backup(data)
    if not backup.campaigns and not backup.by_hand:
        raise EntryRefused(
            Finding(_("There is no campaign in this file."), rule="backup.empty")
        )
    restored: list[Restored] = []
    left = [_spoiled(each) for each in backup.campaigns if isinstance(each, Spoiled)]
    whole = [each for each in backup.campaigns if isinstance(each, BackedUp)]
    for each in wholes_of(whole):
        found = _restored(organiser, each, usable, now)
        if isinstance(found, NotImported):
            left.append(found)
        else:
            restored += found
    count_as_changed(organiser, now)
    return BackupOutcome(tuple(restored), tuple(left), backup.by_hand, backup.decks)


def _spoiled(campaign: Spoiled) -> NotImported:
    """Report a campaign that can't be read, with the place of the first fault."""
    fault = campaign.faults[0]
    finding = Finding(_("We can’t read part of it."), rule="backup.unreadable")
    details = f"{fault.pointer or '/'}: {fault.expected}"
    return NotImported(campaign.name, finding, details=details)


def _restored(
    organiser: User, whole: WholeCampaign, usable: QuerySet[Guide], now: datetime
) -> list[Restored] | NotImported:
    halves: list[_Half] = []
    name = " · ".join(each.name or each.guide for each in whole)
    missing = missing_guides(whole, usable)
    for index, each in enumerate(whole):
        guide = fitting_guide(each.guide, usable)
        if guide is None or any(each.guide == other.guide for other in missing):
            continue
        opened = opening.opened(guide)
        if each.standalone and each.standalone not in opened.scenarios:
            return NotImported(name, no_scenario(each.standalone))
        from_linked = link_answers(whole[1 - index]) if len(whole) > 1 else None
        halves.append(_Half(each, guide, from_linked))
    if missing:
        return _waits(organiser, whole, missing, now)
    try:
        with transaction.atomic():
            return _linked([_begun(organiser, each, now) for each in halves], halves)
    except EntryRefused as refusal:
        return NotImported(name, refusal.findings[0])


# --- restoring


def _begun(organiser: User, half: _Half, now: datetime) -> Campaign:
    """Create the campaign of a half, with its log."""
    backed_up, guide = half.backed_up, half.guide
    if len(backed_up.answers) > store.MOST_ENTRIES:
        raise LogFull
    version = guide.version if backed_up.version is None else backed_up.version
    campaign = made(
        organiser,
        guide,
        name=backed_up.name,
        rows=(),
        seats=(),
        now=now,
        version=version,
        standalone=backed_up.standalone,
        imported_id=backed_up.source,
    )
    as_recorded = _refold(campaign, half, AS_THE_APP)
    answers = translated(backed_up.answers, as_recorded, _refold(campaign, half))
    member = campaign.memberships.get(user=organiser)
    store.append(campaign, answers, after=0, author=member, now=now, cause="backup")
    return campaign


def _refold(campaign: Campaign, half: _Half, policy: Policy = BY_THE_RULES) -> Refold:
    """Return a function that folds a half's answers, knowing the other half's."""
    guide, scopes = opening.in_use(campaign.guide)
    cards = printed_cards(current_pool())

    def refold(answers: Sequence[Answer], after: Replay | None) -> Replay:
        return fold(
            guide,
            answers,
            cards,
            half.from_linked,
            version=campaign.version,
            standalone=campaign.standalone,
            policy=policy,
            scopes=scopes,
            after=after,
        )

    return refold


def _linked(campaigns: list[Campaign], halves: Sequence[_Half]) -> list[Restored]:
    """Link the campaigns if they are halves, and settle each."""
    if len(campaigns) > 1:
        for one, other in (campaigns, campaigns[::-1]):
            Campaign.objects.filter(pk=one.pk).update(linked=other)
        for each in campaigns:
            each.refresh_from_db()
    return [_settled(*pair) for pair in zip(campaigns, halves, strict=True)]


def _settled(campaign: Campaign, half: _Half) -> Restored:
    known = replayed(campaign)
    _sit(campaign, known)
    recorded = _refold(campaign, half, AS_THE_APP)(half.backed_up.answers, None)
    is_other = half.backed_up.version not in (None, half.guide.version)
    ruled = settlement(recorded, known.replay)
    earlier = queries.imported_before(campaign) if campaign.imported_id else ()
    return Restored(campaign, is_other, ruled, known.replay.problems, earlier)


def _sit(campaign: Campaign, known: Folded) -> None:
    """Make the person who imports a campaign the player of every investigator in it."""
    member, state = campaign.memberships.get(), known.replay.state
    for code in dict.fromkeys((*state.people, *state.players)):
        if code in state.investigators:
            Seat.objects.create(
                campaign=campaign,
                investigator=code,
                member=member,
                made_at=campaign.made_at,
            )


# --- waiting for a guide


def _waits(
    organiser: User,
    whole: WholeCampaign,
    missing: Sequence[MissingGuide],
    now: datetime,
) -> NotImported:
    """Store a campaign that waits for a guide; imported again, it is stored once."""
    name = " · ".join(each.name or each.guide for each in whole)[:LONGEST_NAME]
    values = (("guides", ", ".join(each.name for each in missing)),)
    finding = Finding(_MISSING, rule="campaign.guide", values=values)
    content = opening.packed(json.dumps(backup_of(whole)).encode())
    lock_owner(organiser)
    kept = WaitingBackup.objects.filter(user=organiser)
    waiting = next((each for each in kept if bytes(each.content) == content), None)
    if waiting is None:
        if kept.count() >= MOST_WAITING:
            return NotImported(name, finding)
        waiting = WaitingBackup.objects.create(
            user=organiser,
            name=name,
            missing=" ".join(each.guide for each in missing)[:LONGEST_GUIDES],
            content=content,
            made_at=now,
        )
    return NotImported(name, finding, waiting)


def waiting_backups(
    user: User, usable: QuerySet[Guide]
) -> list[tuple[WaitingBackup, list[str]]]:
    """Return an account's waiting backups, each with the names of missing guides."""
    kept = WaitingBackup.objects.filter(user=user)
    return [(each, _still_missing(each, usable)) for each in kept.defer("content")]


def _still_missing(waiting: WaitingBackup, usable: QuerySet[Guide]) -> list[str]:
    """Return the names of the guides without which a campaign can't be imported.

    The campaign itself is read only if its guide is here: then its side scenarios
    decide.
    """
    away = [
        MissingGuide(each)
        for each in waiting.missing.split()
        if each != SIDE and fitting_guide(each, usable) is None
    ]
    if not away:
        read = backups.read_backup(_content(waiting)).campaigns
        whole = [each for each in read if isinstance(each, BackedUp)]
        away = [*missing_guides(whole, usable)]
    return [each.name for each in away]


@transaction.atomic
def import_waiting(
    *, waiting: WaitingBackup, usable: QuerySet[Guide], now: datetime
) -> BackupOutcome:
    """Restore a waiting campaign; it stays waiting if a guide is still missing."""
    found = import_backup(
        organiser=waiting.user, data=_content(waiting), usable=usable, now=now
    )
    if found.restored:
        waiting.delete()
    return found


def _content(waiting: WaitingBackup) -> Any:
    return json.loads(opening.unpacked(bytes(waiting.content)))


@transaction.atomic
def keep_by_hand(
    *, waiting: WaitingBackup, usable: QuerySet[Guide], now: datetime
) -> tuple[Campaign, ...]:
    """Start campaigns by hand from where the backup left them; the backup stays.

    Raises EntryRefused if no facts about the campaign are known, or the second time.
    """
    still = WaitingBackup.objects.filter(pk=waiting.pk, is_by_hand=False)
    if not still.update(is_by_hand=True):
        raise EntryRefused(
            Finding(_("You keep it by hand already."), rule="backup.kept")
        )
    found = tuple(
        _by_hand(waiting.user, each, usable, now)
        for each in backups.read_backup(_content(waiting)).campaigns
        if isinstance(each, BackedUp)
    )
    count_as_changed(waiting.user, now)
    return found


def _by_hand(
    organiser: User, backed_up: BackedUp, usable: QuerySet[Guide], now: datetime
) -> Campaign:
    facts = queries.usable_by_hand(usable, backed_up.guide)
    message = _("We can’t keep this campaign by hand: we don’t know it.")
    if backed_up.standalone:
        message = _("A standalone scenario needs its guide. Import the guide first.")
    if backed_up.standalone or facts is None or backed_up.guide == SIDE:
        finding = Finding(message, rule="campaign.guide", actual=backed_up.guide)
        raise EntryRefused(finding)
    campaign = made(
        organiser,
        facts,
        name=backed_up.name,
        rows=(),
        seats=(),
        now=now,
        version=facts.version,
        imported_id=backed_up.source,
    )
    entries = entries_by_hand(opening.opened(facts), backed_up, current_pool())
    member = campaign.memberships.get(user=organiser)
    store.append(campaign, entries, after=0, author=member, now=now, cause="backup")
    _sit(campaign, replayed(campaign))
    return campaign
