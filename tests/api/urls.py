"""Addresses for the tests: a view for every way to refuse."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arkham.accounts.models import User
from arkham.rest.idempotency import idempotent
from arkham.urls import handler400, handler403, handler404, handler500, urlpatterns
from arkham.web.http import etag, require_match
from arkham.web.problems import Problem

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


class Entry(serializers.Serializer[object]):
    """A code and a count."""

    code = serializers.CharField(max_length=5)
    quantity = serializers.IntegerField(min_value=1)


class Body(serializers.Serializer[object]):
    """A name and entries."""

    name = serializers.CharField()
    entries = Entry(many=True, required=False)


class Echo(APIView):
    """Responds with the validated body."""

    permission_classes = [AllowAny]

    def post(self, request: Request) -> Response:
        """Return the body, validated."""
        body = Body(data=request.data)
        body.is_valid(raise_exception=True)
        return Response(body.validated_data)


class Raw(APIView):
    """Responds with the parsed body."""

    permission_classes = [AllowAny]

    def post(self, request: Request) -> Response:
        """Return the body."""
        return Response(request.data)


class Raises(APIView):
    """Fails in the requested way."""

    permission_classes = [AllowAny]

    def get(self, request: Request, how: str) -> Response:
        """Never return."""
        match how:
            case "404":
                raise Http404
            case "403":
                raise PermissionDenied
            case "suspicious":
                raise SuspiciousOperation("odd")
            case "query":
                raise serializers.ValidationError({"page_size": ["Not a number."]})
            case "problem":
                raise Problem(
                    409, "Already there.", kind="twice", title="Twice", findings=[1]
                )
        raise RuntimeError("a bug")


class Revisioned(APIView):
    """Can be changed only with revision 3."""

    permission_classes = [AllowAny]

    def put(self, request: Request) -> Response:
        """Return 204 if the revision matches."""
        require_match(request, etag(7, 3), current={"name": "what is there"})
        return Response(status=204)


class Who(APIView):
    """Responds with the name of the request's user."""

    def get(self, request: Request) -> Response:
        """Return the name."""
        return Response(request.user.get_username())

    post = put = patch = delete = get


class Asked(Who):
    """Changes nothing, whatever the method."""

    only_reads = True


class Counted(APIView):
    """Counts how often it was carried out; can fail in the requested ways."""

    times = 0

    @extend_schema(parameters=[OpenApiParameter("b", int)])
    @idempotent
    def post(self, request: Request) -> HttpResponseBase:
        """Return the count as JSON with headers; or a refusal; or an empty response."""
        Counted.times += 1
        assert isinstance(request.user, User)
        assert isinstance(request.data, dict)
        request.user.first_name = str(Counted.times)
        request.user.save()
        match request.data.get("how"):
            case "raise":
                raise Problem(409, "Already there.")
            case "refuse":
                return Response({"status": 409}, status=409)
            case "plain":
                return HttpResponse("plainly", content_type="text/plain")
            case "nothing":
                return Response(status=204)
        answer = {"b": Counted.times, "a": "é"}
        headers = {"ETag": etag(Counted.times), "Location": "/there"}
        return Response(answer, status=201, headers=headers)

    delete = post


urlpatterns = [
    path("api/v1/counted", Counted.as_view()),
    path("api/v1/counted/too", Counted.as_view()),
    path("api/v1/who", Who.as_view()),
    path("api/v1/who/asked", Asked.as_view()),
    path("api/v1/echo", Echo.as_view()),
    path("api/v1/raw", Raw.as_view()),
    path("api/v1/raises/<str:how>", Raises.as_view()),
    path("api/v1/revisioned", Revisioned.as_view()),
    *urlpatterns,
]
