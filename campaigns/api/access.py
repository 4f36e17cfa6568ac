"""The base of the campaigns' API views: visitors, rights, and refusals."""

from __future__ import annotations

from typing import Any, TypeVar

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import generics
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arkham.accounts.authentication import KeyRateThrottle
from arkham.accounts.models import User
from arkham.rest import reading
from arkham.rest.idempotency import HEADER, check_key
from arkham.rest.messages import Message
from arkham.rules.legality.verdict import finding_data
from arkham.rules.notation.reading import Unreadable
from arkham.web.bodies import value_of
from arkham.web.problems import Problem, pointer
from arkham.web.request_limits import AnonThrottle, UserThrottle
from campaigns import queries, services
from campaigns.api.answers import EntryShape
from campaigns.guides.opening import GuideMissing
from campaigns.models import Guest, Membership
from campaigns.people.table import Visitor, visitor_of
from decks.api.bodies import MISSHAPEN, refusal

Body = TypeVar("Body", bound=Message)
Row = TypeVar("Row", bound=Model)


class IsAccountOrGuest(BasePermission):
    """Requires an account, or a guest of some table."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Return whether the visitor has an account or is a known guest."""
        visitor = visitor_of(request)
        if visitor.user is not None:
            return True
        if not visitor.guest:
            return False
        return Guest.objects.filter(digest=visitor.guest).exists()


class TableThrottle(AnonThrottle):
    """Counts guests individually, because a whole table may share an address."""

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return the key of a guest or a stranger's address; None for accounts."""
        visitor = visitor_of(request)
        known = visitor.guest and visitor.user is None
        if known and Guest.objects.filter(digest=visitor.guest).exists():
            return self.cache_format % {"scope": self.scope, "ident": visitor.guest}
        return super().get_cache_key(request, view)


class CampaignView(generics.GenericAPIView[Any]):
    """A view of campaigns; a visitor gets 404 for campaigns they aren't a member of."""

    permission_classes = [IsAccountOrGuest]
    throttle_classes = [TableThrottle, UserThrottle, KeyRateThrottle]
    refuses: tuple[str, ...] = ("409",)

    def handle_exception(self, exc: Exception) -> Response:
        """Turn the errors of services into problems."""
        if isinstance(exc, ObjectDoesNotExist):
            exc = Http404()
        return super().handle_exception(_refused(exc) or exc)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check rights and limits, and the origin of guests' requests."""
        super().initial(request, *args, **kwargs)
        if request.method not in SAFE_METHODS:
            _require_own_origin(request)

    def visitor(self) -> Visitor:
        """Return who asks."""
        return visitor_of(self.request)

    def user(self) -> User:
        """Return the visitor's account; or 403."""
        if not isinstance(self.request.user, User):
            raise Problem(403, _("This needs an account."), kind="account")
        return self.request.user

    def member(self, pk: int) -> Membership:
        """Return the visitor as a member of this table; or 404."""
        found = queries.member_of(pk, self.visitor())
        if found is None:
            raise Http404
        return found

    def parse_body(self, message: type[Body]) -> Body:
        """Return the body as this message; or 422 with every fault."""
        return reading.read(message, value_of(self.request), apart=True)  # type: ignore[no-any-return]


def named(found: QuerySet[Row], pk: int, *place: str | int) -> Row:
    """Return the row whose number is at this place of a body; or 404 with the place."""
    row = found.filter(pk=pk).first()
    if row is None:
        text = _("There is nothing with the number %(number)d, or you can’t use it.")
        raise Problem(404, text % {"number": pk}, pointer=pointer(*place))
    return row


def _require_own_origin(request: Request) -> None:
    """Refuse a guest's cookie that another site's page sends.

    Accounts are protected by a key or a token. A guest has only a cookie, which a
    program may send without naming an origin; browsers always name it.
    """
    visitor = visitor_of(request)
    origin = request.headers.get("Origin")
    if visitor.user is not None or not visitor.guest or origin is None:
        return
    own = f"{request.scheme}://{request.get_host()}"
    if origin != own and origin not in settings.CSRF_TRUSTED_ORIGINS:
        raise Problem(
            403,
            _("Guests can’t change anything from the pages of another site."),
            kind="foreign-origin",
        )


def key_of(request: Request) -> str:
    """Return the idempotency key of a request, or ""; 400 if it isn't valid."""
    key = request.headers.get(HEADER)
    if key is None:
        return ""
    check_key(key)
    return key


def _refused(exc: Exception) -> Exception | None:
    """Return the problem for a service's error; None for other errors."""
    match exc:
        case Unreadable():
            return refusal(exc, MISSHAPEN, "")
        case services.KeyReused():
            return Problem(
                422,
                _(
                    "Another request already used this %(header)s. Give each request "
                    "its own."
                )
                % {"header": HEADER},
                kind="idempotency-key-reused",
            )
        case services.LogFull():
            return Problem(409, _("The log is full."), kind="log-full")
        case services.EntryRefused():
            return Problem(
                422,
                _("This can’t be recorded."),
                kind="refused",
                findings=[finding_data(each) for each in exc.findings],
            )
        case services.Forbidden():
            return Problem(
                403,
                _("Your role at this table doesn’t allow this."),
                kind="role",
                needs=exc.needs,
            )
        case services.LogMoved():
            return Problem(
                409,
                _("Someone else changed the log first.")
                if exc.missed
                else _("“after” is beyond the log’s last entry, %(last)d.")
                % {"last": exc.last},
                kind="log-moved",
                last=exc.last,
                missed=[EntryShape.data(row) for row in exc.missed],
            )
    return _broken(exc)


def _broken(exc: Exception) -> Exception | None:
    match exc:
        case services.LogBroken():
            return Problem(
                409,
                _("We can’t read entry %(sequence)d of the log.")
                % {"sequence": exc.sequence},
                kind="log-broken",
                sequence=exc.sequence,
            )
        case services.InvitationClosed():
            return Problem(
                409, _("This invitation is closed."), kind="invitation-closed"
            )
        case GuideMissing():
            return Problem(409, str(exc), kind="guide-missing")
    return None
