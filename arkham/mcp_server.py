"""Serve Orne to models that call tools, by the Model Context Protocol.

Each tool is a request to the API, made inside this process: the same services answer,
with the same rights and limits, and refusals are problem documents. The package ``mcp``
is required (``requirements-mcp.txt``); only its command imports this.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from inspect import cleandoc
from io import BytesIO
from typing import Annotated, Any
from urllib.parse import quote, unquote, urlencode

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import CallToolResult, TextContent, ToolAnnotations

from arkham.api_settings import DESCRIPTION

INSTRUCTIONS = """\
Orne knows the rules of Arkham Horror: The Card Game. Decks are those of ArkhamDB: an
investigator_code, and slots, the copies of each card by its code; search_cards finds
codes. A verdict names the rules that a deck breaks; search_rules explains them.
Card texts may be missing: quote none from memory."""
LOCAL = "127.0.0.1"
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)

Given = dict[str, Any]
# The type of all answers: an object, described by its schema.
Answer = Annotated[CallToolResult, dict[str, Any]]


@cache
def _application() -> WSGIHandler:
    return WSGIHandler()


def _site() -> tuple[str, str]:
    """Return the scheme and host of the site, as used in addresses."""
    scheme = "https" if settings.SECURE_SSL_REDIRECT else "http"
    if settings.ORNE_LOCAL:
        return scheme, f"{LOCAL}:{os.environ.get('PORT', '8000')}"
    named = [each.lstrip(".") for each in settings.ALLOWED_HOSTS if each != "*"]
    return scheme, named[0] if named else "localhost"


def _request(method: str, path: str, query: str, body: bytes) -> dict[str, Any]:
    """Return a request to the API as a WSGI environment (PEP 3333)."""
    scheme, host = _site()
    return {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote(f"/api/v1/{path}", "iso-8859-1"),
        "QUERY_STRING": query,
        "CONTENT_TYPE": "application/json" if body else "",
        "CONTENT_LENGTH": str(len(body)),
        "SERVER_NAME": host.partition(":")[0],
        "SERVER_PORT": "443" if scheme == "https" else "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_ACCEPT": "application/json",
        "HTTP_HOST": host,
        "HTTP_X_FORWARDED_PROTO": scheme,
        "wsgi.url_scheme": scheme,
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
    }


class Api:
    """The API inside this process, called with our key or each caller's."""

    def __init__(self, key: str = "") -> None:
        self._key = key

    def get(
        self, context: Context[Any], path: str, cursor: str | None = None, **query: str
    ) -> Answer:
        """Return the answer to a GET; a cursor may be encoded, as it is in ``next``."""
        page = {"cursor": unquote(cursor)} if cursor is not None else {}
        return self._ask(context, "GET", path, urlencode(query | page))

    def post(self, context: Context[Any], path: str, body: Given) -> Answer:
        """Return the answer to a POST; members that are None are left out."""
        given = {name: value for name, value in body.items() if value is not None}
        return self._ask(context, "POST", path, "", json.dumps(given).encode())

    def _ask(
        self,
        context: Context[Any],
        method: str,
        path: str,
        query: str,
        body: bytes = b"",
    ) -> Answer:
        """Return the answer to a request; a problem is returned as an error."""
        status = 0

        def start(line: str, _headers: object, _error: object = None) -> None:
            nonlocal status
            status = int(line.split()[0])

        environ = {
            **_request(method, path, query, body),
            **self._caller(context),
        }
        response = _application()(environ, start)  # type: ignore[arg-type]
        try:
            text = b"".join(response).decode()
        finally:
            response.close()  # ends the request and releases its connections
        data = json.loads(text)
        return CallToolResult(
            content=[TextContent(text=text)],
            structured_content=data if isinstance(data, dict) else {"results": data},
            is_error=status >= HTTPStatus.BAD_REQUEST,
        )

    def _caller(self, context: Context[Any]) -> dict[str, str]:
        """Return the caller's key and address: the HTTP request's, else our own key."""
        request = context.request_context.request
        headers: Mapping[str, str] | None = context.headers
        if request is None or headers is None:
            key = f"Bearer {self._key}" if self._key else ""
            return {"REMOTE_ADDR": LOCAL, **_present(HTTP_AUTHORIZATION=key)}
        return {
            "REMOTE_ADDR": request.client.host if request.client else LOCAL,
            **_present(
                HTTP_AUTHORIZATION=headers.get("authorization", ""),
                HTTP_X_FORWARDED_FOR=headers.get("x-forwarded-for", ""),
            ),
        }


def _present(**headers: str) -> dict[str, str]:
    return {name: value for name, value in headers.items() if value}


def make_server(key: str = "") -> MCPServer[Any]:
    """Return the server with its tools; ``key`` is an account's, for private tools."""
    server: MCPServer[Any] = MCPServer(
        "orne",
        title="Orne",
        instructions=INSTRUCTIONS,
        version=DESCRIPTION["VERSION"],  # of the API that its tools call
        log_level="WARNING",
    )
    api = Api(key)
    _add_open_tools(server, api)
    _add_private_tools(server, api)
    for tool in server._tool_manager.list_tools():
        tool.description = cleandoc(tool.description)
        # A misspelt argument must not give a wrong answer.
        known = tool.fn_metadata.arg_model
        known.model_config["extra"] = "forbid"
        known.model_rebuild(force=True)
        tool.parameters = known.model_json_schema(by_alias=True)
    return server


def _add_open_tools(server: MCPServer[Any], api: Api) -> None:
    """Add the tools that need no account."""

    @server.tool(annotations=READS)
    def judge_deck(
        context: Context[Any], deck: Given, circumstances: Given | None = None
    ) -> Answer:
        """Judge a deck: its status, and every finding with its rule and remedy.

        ``deck`` has an investigator_code and slots, as at ArkhamDB. ``circumstances``
        may say mode, experience, taboo and more.
        """
        asked = {"deck": deck, "circumstances": circumstances}
        return api.post(context, "legality", asked)

    @server.tool(annotations=READS)
    def price_upgrade(
        context: Context[Any],
        before: Given,
        after: Given,
        window: Given | None = None,
        circumstances: Given | None = None,
    ) -> Answer:
        """Price a change of deck: experience spent, line by line, at the least cost.

        ``window`` may say what was exiled, granted and taken between the two. Refusals
        point to the decks as ``prev`` and ``next``.
        """
        asked = {"prev": before, "next": after, "window": window}
        asked["circumstances"] = circumstances
        return api.post(context, "upgrades/price", asked)

    @server.tool(annotations=READS)
    def search_cards(
        context: Context[Any], query: str, cursor: str | None = None
    ) -> Answer:
        """Find cards by name or in the search language: "Shotgun", "c:seeker level:2".

        ``cursor`` gets the following page: it is in the address in ``next``.
        """
        return api.get(context, "cards/", q=query, cursor=cursor)

    @server.tool(annotations=READS)
    def read_card(context: Context[Any], code: str) -> Answer:
        """Read all facts of a card by its code."""
        return api.get(context, f"cards/{quote(code, safe='')}/")

    @server.tool(annotations=READS)
    def search_rules(context: Context[Any], query: str) -> Answer:
        """Find rules and terms by words, or by the rule of a finding ("deck.size")."""
        return api.get(context, "rules/", q=query)

    @server.tool(annotations=READS)
    def read_rule(context: Context[Any], slug: str) -> Answer:
        """Read a rule with its sources and what the FAQ changed."""
        return api.get(context, f"rules/{quote(slug, safe='')}/")


def _add_private_tools(server: MCPServer[Any], api: Api) -> None:
    """Add the tools that need an account's key; read access is enough."""

    @server.tool(annotations=READS)
    def list_my_decks(context: Context[Any], cursor: str | None = None) -> Answer:
        """List the decks of your account."""
        return api.get(context, "decks/", cursor=cursor)

    @server.tool(annotations=READS)
    def read_my_deck(context: Context[Any], deck_id: int) -> Answer:
        """Read one of your decks: cards, circumstances, experience, revision."""
        return api.get(context, f"decks/{deck_id}/")

    @server.tool(annotations=READS)
    def list_my_campaigns(context: Context[Any], cursor: str | None = None) -> Answer:
        """List the campaigns you take part in."""
        return api.get(context, "campaigns/", cursor=cursor)

    @server.tool(annotations=READS)
    def read_my_campaign(context: Context[Any], campaign_id: int) -> Answer:
        """Read one of your campaigns: its log so far, and what it asks next."""
        return api.get(context, f"campaigns/{campaign_id}/")


def serve_http(host: str, port: int) -> None:
    """Serve at ``/mcp``; each request may bring the key of its account."""
    make_server().run(
        "streamable-http",
        host=host,
        port=port,
        json_response=True,
        stateless_http=True,  # any process may answer the next request
        transport_security=allowed(host),
    )


def serve_stdio(key: str) -> None:
    """Serve one client over standard input and output."""
    make_server(key).run("stdio")


def allowed(host: str) -> TransportSecuritySettings:
    """Return the accepted hosts and origins: those of the site."""
    names = [each.lstrip(".") for each in settings.ALLOWED_HOSTS]
    if "*" in names:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    hosts = [each for name in {*names, host} for each in (name, f"{name}:*")]
    return TransportSecuritySettings(
        allowed_hosts=hosts,
        allowed_origins=[
            f"{scheme}://{h}" for h in hosts for scheme in ("http", "https")
        ],
    )
