"""The API of campaigns as files, and of backups of the Arkham Cards app.

A campaign is exported and imported whole; a backup is imported campaign by campaign,
and those without a guide yet wait for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from arkham.rest.idempotency import idempotent
from arkham.rest.messages import (
    Count,
    Message,
    MessagePart,
    Number,
    component,
    many,
    source,
)
from arkham.web.bodies import StrictJSONParser, value_of
from campaigns import queries, services
from campaigns.api.access import CampaignView
from campaigns.api.answers import CampaignShape, campaign_data
from campaigns.files.campaign_file import MOST_BYTES, CampaignFileShape
from campaigns.log.replays import replayed
from campaigns.models import WaitingBackup
from decks.pages.notes import translated

TAGS = ["campaigns"]

Json = Mapping[str, Any]
Backed = list[Json] | Annotated[dict[str, Json], component("BackedUpById")]


class BackupShape(Message, is_open=True):
    """A backup as the app writes it.

    Its ``campaigns`` and ``guides``, each a list or an object with ids as keys; the
    rest is only counted.
    """

    campaigns: Backed
    guides: Backed


class RestoredPart(MessagePart):
    """A restored campaign; ``earlier`` are your previous imports of it."""

    campaign: Annotated[Number, source("campaign.pk")]
    name: Annotated[str, source("campaign.name")]
    other_version: Annotated[bool, source("is_other")]
    problems: Annotated[Count, source(lambda each: len(each.problems))]
    earlier: Annotated[list[Number], source(lambda each: [e.pk for e in each.earlier])]


class LeftPart(MessagePart):
    """A campaign left out; ``waiting`` is its number among those that wait."""

    name: str
    reason: Annotated[str, source(lambda left: translated(left.finding)[0])]
    waiting: Annotated[
        Number | None, source(lambda left: getattr(left.waiting, "pk", None))
    ]


class OutcomeShape(Message):
    """The result of an import; ``by_hand`` and ``decks`` can't be imported."""

    restored: list[RestoredPart]
    left: list[LeftPart]
    by_hand: list[str]
    decks: Count


class WaitingBackupShape(Message):
    """A campaign from a backup, waiting for its guide.

    ``missing`` are the guides that still aren't here; if empty, you can import it.
    """

    id: Annotated[Number, source("pk")]
    name: str
    missing: list[str]
    kept_by_hand: Annotated[bool, source("is_by_hand")]
    made_at: datetime


class KeptByHandShape(Message):
    """The campaigns now kept by hand: one, or two halves of one."""

    campaigns: list[Number]


class CampaignExportView(CampaignView):
    """A campaign as one file."""

    @extend_schema(
        operation_id="campaign_export", tags=TAGS, responses=CampaignFileShape
    )
    def get(self, request: Request, pk: int) -> Response:
        """The whole log with authors and times, the guide by digest, the seats, the
        scenario in play, and the linked campaign if you are a member there too. It
        names no account and shows no future draw."""
        return Response(services.export_campaign(member=self.member(pk)))


class FileParser(StrictJSONParser):
    """JSON up to the size limit of files."""

    largest = MOST_BYTES


class CampaignImportView(CampaignView):
    """Imports a campaign from a file."""

    permission_classes = [IsAuthenticated]
    parser_classes = [FileParser]
    largest_body = MOST_BYTES

    @extend_schema(
        operation_id="campaign_import",
        tags=TAGS,
        request={"application/json": CampaignFileShape},
        responses={201: CampaignShape},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Import an exported campaign; you organise it.

        Its guide is the exact version the file names, or else your newest one. The
        linked campaign is linked again if you organise it or the file has it.
        """
        imported = services.import_campaign(
            organiser=self.user(),
            data=value_of(request),
            usable=queries.usable_guides(self.visitor(), standalone=True),
            now=timezone.now(),
        )
        member = self.member(imported.campaign.pk)
        known = replayed(member.campaign)
        answer = Response(campaign_data(member, known), status=201)
        answer["Location"] = reverse(
            "api:campaigns:campaign", [member.campaign_id], request=request
        )
        return answer


class BackupView(CampaignView):
    """The base of the backup views: they need an account."""

    permission_classes = [IsAuthenticated]

    def waiting(self, pk: int) -> WaitingBackup:
        """Return one of the account's waiting backups, or 404."""
        return get_object_or_404(WaitingBackup, pk=pk, user=self.user())


class Backups(BackupView):
    """Backups whose campaigns wait for their guide."""

    pagination_class = None
    parser_classes = [FileParser]
    largest_body = MOST_BYTES

    @extend_schema(
        operation_id="backups", tags=TAGS, responses=many(WaitingBackupShape)
    )
    def get(self, request: Request) -> Response:
        """Campaigns of your backups whose guide was missing on import, on one page."""
        usable = queries.usable_guides(self.visitor(), standalone=True)
        kept = services.waiting_backups(self.user(), usable)
        return Response(
            [
                WaitingBackupShape.data(each, missing=list(missing))
                for each, missing in kept
            ]
        )

    @extend_schema(
        operation_id="backup_import",
        tags=TAGS,
        request={"application/json": BackupShape},
        responses=OutcomeShape,
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Import every campaign of a backup that was played with a guide.

        Each is imported completely, or left out with a reason. Campaigns whose guide is
        missing wait for it.
        """
        found = services.import_backup(
            organiser=self.user(),
            data=value_of(request),
            usable=queries.usable_guides(self.visitor(), standalone=True),
            now=timezone.now(),
        )
        return Response(OutcomeShape.data(found))


class BackupDetail(BackupView):
    """A campaign that waits for its guide."""

    @extend_schema(
        operation_id="backup_waiting", tags=TAGS, responses=WaitingBackupShape
    )
    def get(self, request: Request, pk: int) -> Response:
        """A waiting campaign, and which guides are still missing."""
        kept = self.waiting(pk)
        usable = queries.usable_guides(self.visitor(), standalone=True)
        found = services.waiting_backups(self.user(), usable)
        missing = next(names for each, names in found if each.pk == kept.pk)
        return Response(WaitingBackupShape.data(kept, missing=list(missing)))

    @extend_schema(operation_id="backup_forget", tags=TAGS, responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete the backup; campaigns imported from it stay."""
        self.waiting(pk).delete()
        return Response(status=204)


class BackupImport(BackupView):
    """Restores a campaign that waited."""

    @extend_schema(
        operation_id="backup_import_waiting",
        tags=TAGS,
        request=None,
        responses=OutcomeShape,
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Import a waiting campaign once its guide is here; until then it waits."""
        found = services.import_waiting(
            waiting=self.waiting(pk),
            usable=queries.usable_guides(self.visitor(), standalone=True),
            now=timezone.now(),
        )
        return Response(OutcomeShape.data(found))


class BackupByHand(BackupView):
    """Continues a waiting campaign by hand."""

    @extend_schema(
        operation_id="backup_by_hand",
        tags=TAGS,
        request=None,
        responses={201: KeptByHandShape},
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Continue a waiting campaign by hand; its backup keeps waiting."""
        begun = services.keep_by_hand(
            waiting=self.waiting(pk),
            usable=queries.usable_guides(self.visitor(), standalone=True),
            now=timezone.now(),
        )
        return Response({"campaigns": [each.pk for each in begun]}, status=201)
