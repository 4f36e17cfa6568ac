"""What gunicorn's workers share, loaded once before them, and how they refuse.

That is code, templates, cards and what describes the API. gunicorn reads this in the
folder it is started in; its command line comes first. A worker has nothing to load when
it begins, and what they share takes memory once. New code needs a restart: a reload
(HUP) keeps the old.
"""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

from gunicorn.http.message import Request
from gunicorn.http.parser import RequestParser
from gunicorn.workers.gthread import ThreadWorker

preload_app = True
# Else a header SCRIPT_NAME of any sender on this machine would change all addresses.
forwarder_headers = ""


class Asked(Request):  # type: ignore[misc]
    """Adds itself to the errors that reading it raises: its address may be known."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Read the head."""
        try:
            super().__init__(*arguments, **options)
        except Exception as error:
            error.req = self  # type: ignore[attr-defined]
            raise


RequestParser.mesg_class = Asked


class Worker(ThreadWorker):  # type: ignore[misc]
    """Refuses what isn't HTTP, or too large, as Orne refuses."""

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Any) -> None:
        """Send our answer with gunicorn's status; gunicorn writes the log."""
        written = Written()
        super().handle_error(req, written, addr, exc)
        status, _space, phrase = written.status.partition(" ")
        asked = req or getattr(exc, "req", None)
        path, method = getattr(asked, "path", "") or "", getattr(asked, "method", None)
        accept = dict(getattr(asked, "headers", ())).get("ACCEPT", "")
        try:
            answer = refusal(int(status), phrase, path, accept)
        except Exception:
            self.log.exception("a refusal couldn't be made")
            head = f"HTTP/1.1 {status} {phrase}\r\nConnection: close\r\n"
            answer = f"{head}Content-Length: 0\r\n\r\n".encode("latin-1")
        if method == "HEAD":
            answer = answer.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
        try:
            client.sendall(answer)
        except OSError:
            self.log.debug("the sender of a bad request is gone")


class Written:
    """Takes what gunicorn would send, for its status."""

    status = "500 Internal Server Error"

    def gettimeout(self) -> float:
        """Return 0: nothing blocks."""
        return 0.0

    def sendall(self, answer: bytes) -> None:
        """Keep the status, as "431 Request Header Fields Too Large"."""
        self.status = answer.decode("latin-1").partition("\r\n")[0].partition(" ")[2]


def refusal(status: int, phrase: str, path: str, accept: str) -> bytes:
    """Return a whole answer.

    A problem for programs, a page for those who accept one, else a line of text.
    """
    from django.template.loader import render_to_string
    from django.utils.translation import gettext as _

    from arkham.web.errors import is_for_programs
    from arkham.web.problems import CONTENT_TYPE, document

    detail = _("The request isn’t HTTP as we read it, or its head is too large.")
    if status >= 500 and status != 501:  # 501: another Transfer-Encoding than ours
        detail = _("The server couldn’t answer. Try again.")
    if is_for_programs(path) or "json" in accept:
        kind, body = CONTENT_TYPE, json.dumps(document(status, detail, path))
    elif "text/html" in accept:
        context = {"title": _("We can’t read this request"), "detail": detail}
        kind, body = "text/html; charset=utf-8", render_to_string("error.html", context)
    else:
        kind, body = "text/plain; charset=utf-8", f"{detail}\n"
    content = body.encode()
    head = (
        f"HTTP/1.1 {status} {phrase}",
        "Connection: close",
        f"Content-Type: {kind}",
        f"Content-Length: {len(content)}",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        "Content-Security-Policy: default-src 'none'; style-src 'self'; "
        "font-src 'self'; img-src 'self'; frame-ancestors 'none'",
    )
    return "\r\n".join((*head, "", "")).encode("latin-1") + content


worker_class = Worker


def when_ready(server: Any) -> None:
    """Load what every worker needs, just before the first one is made of this process.

    Connections aren't shared: they are closed again. A database that isn't there yet
    is no reason not to start, since pages say so themselves.
    """
    from django.core.cache import caches
    from django.db import DatabaseError, connections
    from django.template import TemplateSyntaxError, engines
    from django.urls import reverse

    from arkham.api import load_descriptions
    from cardpool.catalog import current_judge

    reverse("home")  # for which all addresses are read, and so all views
    pages = engines["django"]
    for folder in map(Path, pages.dirs):
        for each in folder.rglob("*.html"):
            try:
                pages.get_template(str(each.relative_to(folder)))
            except TemplateSyntaxError as error:
                server.log.warning("%s: %s", each, error)
    load_descriptions()
    try:
        current_judge()
    except DatabaseError as error:
        server.log.warning("no cards loaded: %s", error)
    connections.close_all()
    caches.close_all()
    gc.collect()
    gc.freeze()  # else looking for garbage would copy all of it into each worker
