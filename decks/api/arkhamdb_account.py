"""ArkhamDB's OAuth 2 API: apps that sync decks with that site can sync them here.

Addresses, parameters and answers are those of the site; changes go through the services
that pages and our own API use. A refusal is ``{"success": false, "msg": …}`` with
status 200, as there, so that apps show it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.db import transaction
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException, NotAuthenticated
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arkham.accounts.models import User
from arkham.accounts.oauth import AppThrottle, TokenAuthentication, TokenRefused
from arkham.rules.notation.reading import Unreadable, read_json
from arkham.rules.vocabulary import is_digits
from arkham.web.quotas import QuotaReached
from arkham.web.request_limits import UserThrottle
from cardpool.catalog import current_judge, current_pool
from cardpool.public.answers import AnyAccept
from decks import queries, services
from decks.api.sharing import problem_of
from decks.interchange.arkhamdb import (
    DeckVersion,
    deck_of_step,
    step_number,
    steps_data,
    steps_of_deck,
)
from decks.lists.content import Content, read_content
from decks.lists.starter import required_deck
from decks.models import Revision
from decks.services.ledger import AlreadyPlayed, Earned, Stale
from decks.services.sharing import DeckLabels, labels_of, save_labels

MOST_EXPERIENCE = 999
LONGEST_NUMBER = 4  # digits of it
SHORTEST_DESCRIPTION = 50
LOCKED = "Deck is locked."
NOT_OWNER = "You are not allowed to edit this deck, you are not the owner."


class Refused(Exception):
    """The request is refused; the message says why."""


class SyncView(APIView):
    """Takes a token and form data, and refuses as the site does."""

    authentication_classes = [TokenAuthentication]
    permission_classes = [AllowAny]  # without a token, authentication refuses
    throttle_classes = [UserThrottle, AppThrottle]
    parser_classes = [FormParser, MultiPartParser]
    content_negotiation_class = AnyAccept

    def handle_exception(self, exc: Exception) -> Response:
        """Answer every refusal in the format of the site."""
        said = _said(exc)
        if said is not None:
            return Response({"success": False, "msg": said})
        response = super().handle_exception(exc)
        if isinstance(exc, NotAuthenticated):
            response.data = {
                "error": "access_denied",
                "error_description": "OAuth2 authentication required",
            }
        elif isinstance(exc, TokenRefused):
            named = {"error": "invalid_grant", "error_description": str(exc.detail)}
            response.data = named
        elif isinstance(exc, Http404):
            response.data = {"error": {"code": 404, "message": "Not Found"}}
        elif isinstance(exc, APIException):
            response.data = {"success": False, "msg": response.data["detail"]}
        response.content_type = "application/json"
        return response

    def user(self) -> User:
        """Return the account that the app acts for."""
        assert isinstance(self.request.user, User)
        return self.request.user

    def value(self, name: str) -> str:
        """Return a parameter of the form or the query string; "" if it is missing."""
        form: Any = self.request.data
        sent = form.get(name)
        if not isinstance(sent, str):
            sent = self.request.query_params.get(name, "")
        return sent.replace("\x00", "?")

    def has(self, name: str) -> bool:
        """Return True if a parameter was sent."""
        return name in self.request.data or name in self.request.query_params

    def latest(self, number: int) -> Revision:
        """Return the latest revision of the deck that has a step of this number."""
        mine = queries.editable_by(self.request.user)
        latest = queries.latest_of_one(mine, deck_of_step(number))
        if latest is None:
            raise Refused(NOT_OWNER)
        return latest

    def last_step(self, number: int) -> DeckVersion:
        """Return the step of this number, which must be the last of its deck."""
        last = steps_of_deck(self.latest(number))[-1]
        if last.number != number:
            raise Refused(LOCKED)
        return last


def _said(exc: Exception) -> str | None:
    """Return why something was refused, in words; None for other exceptions."""
    match exc:
        case Refused():
            return str(exc)
        case QuotaReached():
            return str(exc)
        case services.Closed():
            return str(exc.closing.reason)
        case Stale() | services.LabelsMoved() | services.DeskMoved():
            return _("The deck was changed meanwhile. Load it again.")
        case AlreadyPlayed() | services.NotPlayed():
            return LOCKED
        case services.UpgradeRefused():
            return " ".join(str(each.text) for each in exc.preview.findings)
        case Unreadable():
            return str(exc)
    return None


class OwnDecks(SyncView):
    """The decks of the account."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        """Return every deck in all its steps, as the site has them."""
        mine = queries.latest(queries.editable_by(request.user))
        pool = current_pool()
        decks = [
            data
            for revision in mine
            for _step, data in steps_data(revision, _problem, pool)
        ]
        return Response(decks)


def _problem(verdict: Any) -> str | None:
    return problem_of(verdict) or None


class LoadDeck(SyncView):
    """One deck of the account."""

    @extend_schema(exclude=True)
    def get(self, request: Request, number: int) -> Response:
        """Return a step of a deck by its number."""
        try:
            latest = self.latest(number)
        except Refused:
            raise Http404 from None
        for step, data in steps_data(latest, _problem, current_pool()):
            if step.number == number:
                return Response(data)
        raise Http404


class NewDeck(SyncView):
    """Creates a deck."""

    @extend_schema(exclude=True)
    def post(self, request: Request) -> Response:
        """Create a deck of its required cards; answer with its number."""
        pool = current_pool()
        card = pool.get_card(self.value("investigator"))
        if card is None or card.investigator is None:
            raise Refused("investigator is required to build a new deck.")
        meta = _object(self, "meta") or {}
        begun = {"investigator_code": card.code, "slots": {}, "meta": meta}
        content = required_deck(pool, read_content(begun))
        content = _with_taboo(content, self.value("taboo"))
        deck = services.create_deck(
            owner=self.user(),
            content=content,
            now=timezone.now(),
            name=self.value("name"),
        )
        return _done(deck.pk)


class SaveDeck(SyncView):
    """Changes a deck."""

    @extend_schema(exclude=True)
    @transaction.atomic
    def put(self, request: Request, number: int) -> Response:
        """Replace cards, name, notes and tags; after a game this is an upgrade."""
        step = self.last_step(number)
        deck, now = step.revision.deck, timezone.now()
        content = self.content(step.content)
        seen = step.revision.number
        if step.is_bought and step.revision.base is None:
            services.revise_deck(
                deck=deck,
                content=content,
                expected_revision=seen,
                now=now,
                actor=self.user(),
            )
        elif content != step.content:
            services.upgrade_deck(
                deck=deck,
                content=content,
                expected_revision=seen,
                now=now,
                actor=self.user(),
            )
        before = labels_of(deck)
        sent = (self.value(each) for each in ("name", "description_md", "tags"))
        pairs = zip(sent, before, strict=True)
        save_labels(deck, DeckLabels(*(new or old for new, old in pairs)), now)
        return _done(number)

    def content(self, before: Content) -> Content:
        """Return the new content; what is not sent stays, except for the taboo list."""
        slots = _object(self, "slots")
        if slots is None:
            raise Refused("Slots missing")
        listed = {**before.deck, "slots": slots}
        side, ignored = _object(self, "side"), _object(self, "ignored")
        if side is not None:
            listed["sideSlots"] = side
        listed["ignoreDeckLimitSlots"] = ignored or {}
        with suppress(Refused):  # the site keeps the old one as well
            meta = _object(self, "meta")
            listed["meta"] = before.deck["meta"] if meta is None else meta
        content = read_content(
            {"deck": listed, "circumstances": dict(before.circumstances)}
        )
        return _with_taboo(content, self.value("taboo"))


class UpgradeDeck(SyncView):
    """Records a game."""

    @extend_schema(exclude=True)
    def put(self, request: Request, number: int) -> Response:
        """Book experience and exile cards; answer with the number of the next step.

        Purchases are saved in that step.
        """
        step = self.last_step(number)
        xp = self.value("xp") or "0"
        if not is_digits(xp, LONGEST_NUMBER) or int(xp) > MOST_EXPERIENCE:
            raise Refused(f"xp must be an integer from 0 to {MOST_EXPERIENCE}.")
        exiled: dict[str, int] = {}
        for code in filter(None, self.value("exiles").split(",")):
            exiled[code] = exiled.get(code, 0) + 1
        for code, copies in exiled.items():
            if copies > step.content.deck["slots"].get(code, 0):
                raise Refused(f"Not enough count to exile: {code}")
        earned = (Earned("victory", int(xp)),)
        game = services.PlayedGame(earned, {"exiled": exiled} if exiled else {})
        write = services.mark_played if step.is_bought else services.play_again
        played = write(
            deck=step.revision.deck,
            game=game,
            expected_revision=step.revision.number,
            now=timezone.now(),
            actor=self.user(),
        )
        return _done(step_number(played.deck_id, played.number))


class PublishDeck(SyncView):
    """Publishes a deck."""

    @extend_schema(exclude=True)
    @transaction.atomic
    def put(self, request: Request, number: int) -> Response:
        """Publish the deck as it is; answer with the number of the decklist."""
        step = self.last_step(number)
        notes = self.value("description_md")
        if len(notes) < SHORTEST_DESCRIPTION:
            raise Refused("Description too short")
        deck, now = step.revision.deck, timezone.now()
        labels = labels_of(deck)._replace(notes=notes)
        if name := self.value("name"):
            labels = labels._replace(name=name)
        save_labels(deck, labels, now)
        showing = services.publish_deck(
            deck=deck, number=step.revision.number, pool=current_judge().pool, now=now
        )
        return _done(showing.pk)


class DeleteDeck(SyncView):
    """Deletes a deck."""

    @extend_schema(exclude=True)
    def delete(self, request: Request, number: int) -> Response:
        """Move the deck, with all its steps, to the bin for 30 days.

        The last step alone can't be deleted: undo games on the page instead.
        """
        try:
            latest = self.latest(number)
        except Refused:
            return _refused(404, "The deck could not be found")
        steps = steps_of_deck(latest)
        if steps[-1].number != number:
            return _refused(401, "You can only delete the latest deck.")
        if len(steps) > 1 and not self.has("all"):
            return _refused(
                401,
                _("Undo the game in Orne, or delete all versions of the deck."),
            )
        services.delete_deck(
            deck=latest.deck, expected_revision=latest.number, now=timezone.now()
        )
        return Response({"success": True})


def _done(number: int) -> Response:
    return Response({"success": True, "msg": number})


def _refused(status: int, said: str) -> Response:
    return Response({"success": False, "msg": said}, status=status)


def _object(view: SyncView, name: str) -> dict[str, Any] | None:
    """Return a parameter that is a JSON object; None if it was not sent."""
    text = view.value(name)
    if not text:
        return None
    try:
        found = read_json(text)
    except Unreadable:
        raise Refused(_INVALID[name]) from None
    if found == []:  # an empty object, as PHP writes it
        return {}
    if not isinstance(found, dict):
        raise Refused(_INVALID[name])
    return found


_INVALID = {
    "slots": "Slots invalid",
    "side": "Side Slots invalid",
    "ignored": "Ignored slots invalid",
    "meta": "Meta invalid",
}


def _with_taboo(content: Content, text: str) -> Content:
    """Return the content with the taboo list of this number; with none for ""."""
    if text and not is_digits(text, LONGEST_NUMBER):
        raise Refused("Taboo invalid")
    deck = {**content.deck, "taboo_id": int(text) if text else None}
    return read_content({"deck": deck, "circumstances": dict(content.circumstances)})


VIEWS: dict[str, Callable[..., Any]] = {
    "save": SaveDeck.as_view(),
    "upgrade": UpgradeDeck.as_view(),
    "publish": PublishDeck.as_view(),
    "delete": DeleteDeck.as_view(),
    "load": LoadDeck.as_view(),
}
