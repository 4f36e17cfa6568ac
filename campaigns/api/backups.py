"""The API's door to backups of the app: importing one, and what waits for its guide."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.idempotency import idempotent
from arkham.web.bodies import value_of
from campaigns import queries, services
from campaigns.api.access import CampaignView
from campaigns.files.campaign_file import MOST_BYTES
from campaigns.models import WaitingBackup
from campaigns.serializers.backups import (
    BackupShape,
    KeptByHandShape,
    OutcomeShape,
    WaitingBackupShape,
    outcome_data,
    waiting_data,
)

TAGS = ["campaigns"]


class BackupView(CampaignView):
    """What these share: they are for those with an account."""

    permission_classes = [IsAuthenticated]
    kind = WaitingBackup

    def waiting(self, pk: int) -> WaitingBackup:
        """One's own, or 404."""
        return get_object_or_404(WaitingBackup, pk=pk, user=self.user())


class Backups(BackupView):
    """Which campaigns of backups wait for their guide?"""

    pagination_class = None
    largest_body = MOST_BYTES

    @extend_schema(
        operation_id="backups",
        tags=TAGS,
        responses=WaitingBackupShape(many=True),
    )
    def get(self, request: Request) -> Response:
        """Those of your backups whose guide is not here, and is missing or came since.

        There are never more than a few, so they come on one page.
        """
        usable = queries.usable_guides(self.visitor(), standalone=True)
        kept = services.waiting_backups(self.user(), usable)
        return Response([waiting_data(each, missing) for each, missing in kept])

    @extend_schema(
        operation_id="backup_import",
        tags=TAGS,
        request={"application/json": BackupShape},
        responses=OutcomeShape,
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Restore every campaign of a backup that was played by a guide.

        Each is whole, or left out with the reason. One whose guide is not here waits
        until the guide comes.
        """
        found = services.import_backup(
            organiser=self.user(),
            data=value_of(request),
            usable=queries.usable_guides(self.visitor(), standalone=True),
            now=timezone.now(),
        )
        return Response(outcome_data(found))


class BackupDetail(BackupView):
    """A campaign that waits for its guide."""

    @extend_schema(
        operation_id="backup_waiting", tags=TAGS, responses=WaitingBackupShape
    )
    def get(self, request: Request, pk: int) -> Response:
        """Which one it is, and which guides are still missing."""
        kept = self.waiting(pk)
        usable = queries.usable_guides(self.visitor(), standalone=True)
        found = services.waiting_backups(self.user(), usable)
        missing = next(names for each, names in found if each.pk == kept.pk)
        return Response(waiting_data(kept, missing))

    @extend_schema(operation_id="backup_forget", tags=TAGS, responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Let it go; campaigns made of it stay."""
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
        """Restore it by its guide, now that it came; it goes on waiting until then."""
        found = services.import_waiting(
            waiting=self.waiting(pk),
            usable=queries.usable_guides(self.visitor(), standalone=True),
            now=timezone.now(),
        )
        return Response(outcome_data(found))


class BackupByHand(BackupView):
    """Keeps a campaign that waits by hand meanwhile."""

    @extend_schema(
        operation_id="backup_by_hand",
        tags=TAGS,
        request=None,
        responses={201: KeptByHandShape},
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Begin it by hand where the backup left it; the backup goes on waiting."""
        begun = services.keep_by_hand(
            waiting=self.waiting(pk),
            usable=queries.usable_guides(self.visitor(), standalone=True),
            now=timezone.now(),
        )
        return Response({"campaigns": [each.pk for each in begun]}, status=201)
