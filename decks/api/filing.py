"""The API for filing decks: folders, the archive and the bin."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest import reading
from arkham.rest.idempotency import idempotent
from arkham.rest.messages import Message, Number, many, source
from arkham.web.bodies import value_of
from decks import queries, services
from decks.api.answers import answer_of
from decks.api.bodies import body_of
from decks.api.decks import TAGS, DeckView
from decks.models import BIN_LIFETIME, LONGEST_FOLDER, Deck, Folder
from decks.serializers.decks import KeptDeckShape
from decks.serializers.judged import Code


class FolderShape(Message):
    """A folder of your decks."""

    id: Annotated[Number, source("pk")]
    name: str


class FolderNameShape(Message):
    """The name of a folder; you can't have two with the same name."""

    name: Annotated[str, reading.text(LONGEST_FOLDER, fewest=1)]


class FilingShape(Message):
    """Where a deck is filed: its folder, and whether it is archived."""

    folder: Annotated[Number | None, "The id of one of your folders; null: in none."]
    archived: bool


class BinnedDeckShape(Message):
    """A deck in the bin."""

    id: Annotated[Number, source("deck.pk")]
    name: Annotated[str, source("deck.name")]
    investigator_code: Annotated[
        Code, source(lambda revision: revision.list["investigator_code"])
    ]
    deleted_at: Annotated[datetime, source("deck.deleted_at")]
    deleted_for_good_at: Annotated[
        datetime, source(lambda revision: revision.deck.deleted_at + BIN_LIFETIME)
    ]


class FolderView(DeckView):
    """Base of the views for folders."""

    def folders(self) -> QuerySet[Folder]:
        """Return the folders of the user."""
        return queries.folders_of(self.request.user)

    def name_in(self, request: Request) -> str:
        """Return the name that was sent; or 422."""
        name: str = body_of(FolderNameShape, value_of(request)).name
        if not name.strip():
            raise ValidationError({"name": _("Give the folder a name.")})
        return name

    def handle_exception(self, exc: Exception) -> Response:
        """Answer 422 if another folder has the name."""
        if isinstance(exc, services.FolderTaken):
            text = _("You already have a folder “%(name)s”.") % {"name": exc.name}
            exc = ValidationError({"name": text})
        return super().handle_exception(exc)


class Folders(FolderView):
    """The folders of the account."""

    has_quota = ("POST",)

    ordering = "id"

    @extend_schema(operation_id="folders", tags=TAGS, responses=many(FolderShape))
    def get(self, request: Request) -> Response:
        """Your folders, the oldest first, a page at a time."""
        page = self.paginate_queryset(self.folders())
        found = [FolderShape.data(each) for each in page or ()]
        return self.get_paginated_response(found)

    @extend_schema(
        operation_id="folder_create",
        tags=TAGS,
        request=FolderNameShape,
        responses={201: FolderShape},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Create a folder."""
        folder = services.make_folder(
            owner=self.actor(), name=self.name_in(request), now=timezone.now()
        )
        return Response(FolderShape.data(folder), status=201)


class FolderDetail(FolderView):
    """One folder of the account."""

    @extend_schema(
        operation_id="folder_rename",
        tags=TAGS,
        request=FolderNameShape,
        responses=FolderShape,
    )
    @idempotent
    def put(self, request: Request, pk: int) -> Response:
        """Rename a folder."""
        folder = get_object_or_404(self.folders(), pk=pk)
        services.rename_folder(folder=folder, name=self.name_in(request))
        return Response(FolderShape.data(folder))

    @extend_schema(operation_id="folder_delete", tags=TAGS, responses={204: None})
    @idempotent
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a folder; its decks stay, without a folder."""
        folder = get_object_or_404(self.folders(), pk=pk)
        services.delete_folder(folder=folder)
        return Response(status=204)


class DeckFiling(DeckView):
    """The folder of a deck, and the archive."""

    @extend_schema(operation_id="deck_filing", tags=TAGS, responses=FilingShape)
    def get(self, request: Request, pk: int) -> Response:
        """The folder of a deck, and whether it is in the archive."""
        return Response(self._filing(pk))

    @extend_schema(
        operation_id="deck_file",
        tags=TAGS,
        request=FilingShape,
        responses=FilingShape,
    )
    @idempotent
    def put(self, request: Request, pk: int) -> Response:
        """Move a deck to a folder or out of it, into the archive or out of it."""
        deck = self.editable(pk).deck
        wanted: Any = body_of(FilingShape, value_of(request))
        folder = None
        if wanted.folder is not None:
            folders = queries.folders_of(request.user)
            folder = folders.filter(pk=wanted.folder).first()
            if folder is None:
                raise ValidationError({"folder": _("You don’t have this folder.")})
        services.move_to_folder(decks=[deck], folder=folder)
        if wanted.archived:
            services.archive_decks(decks=[deck], now=timezone.now())
        else:
            services.unarchive_decks(decks=[deck])
        return Response(self._filing(pk))

    def _filing(self, pk: int) -> dict[str, Any]:
        deck = get_object_or_404(self.decks(), pk=pk)
        return FilingShape.data(
            deck, folder=deck.folder_id, archived=deck.archived_at is not None
        )


class Bin(DeckView):
    """The decks in the bin."""

    ordering = "deck_id"

    @extend_schema(operation_id="bin", tags=TAGS, responses=many(BinnedDeckShape))
    def get(self, request: Request) -> Response:
        """The decks in the bin; you can restore them for 30 days."""
        binned = queries.latest(queries.in_bin(self.actor()).order_by())
        page = self.paginate_queryset(binned)
        found = [BinnedDeckShape.data(each) for each in page or ()]
        return self.get_paginated_response(found)


class BinnedDeck(DeckView):
    """One deck in the bin."""

    @extend_schema(operation_id="bin_delete", tags=TAGS, responses={204: None})
    @idempotent
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a deck from the bin permanently, with all its revisions."""
        if not services.delete_for_good(decks=[binned(self, pk)]):
            raise Http404  # it was restored meanwhile
        return Response(status=204)


class Restoring(DeckView):
    """Restores a deck from the bin."""

    has_quota = ("POST",)

    @extend_schema(
        operation_id="bin_restore", tags=TAGS, request=None, responses=KeptDeckShape
    )
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Restore a deck; it is private and isn't at a table."""
        services.restore_deck(deck=binned(self, pk))
        return answer_of(request, self.latest(pk))


def binned(view: DeckView, pk: int) -> Deck:
    """Return a deck in the user's bin; or 404."""
    return get_object_or_404(queries.in_bin(view.actor()), pk=pk)
