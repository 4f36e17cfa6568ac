"""Prepare the database and serve Orne on this machine."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from io import StringIO
from ipaddress import IPv4Address
from typing import Any

import segno
import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection
from django.utils import autoreload, timezone
from django.utils.translation import gettext as _
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from arkham.accounts import services as accounts
from arkham.accounts.models import User
from arkham.housekeeping import forget_expired
from arkham.rules.vocabulary import is_digits
from arkham.web.quotas import QuotaReached
from campaigns import services as campaigns
from campaigns.guides.keeping import provide_guides
from cardpool import services as cardpool
from decks import services as decks
from decks.tasks import judge_decks_again

HOST = "127.0.0.1"
DEMO = "demo"
ONE_EVENING = timedelta(hours=12)
MOST_CONNECTIONS = 200
LARGEST_HEAD = 64 * 1024  # bytes
HEAD_PATIENCE, STALLED = 10, 60  # seconds
# A documentation address: nothing is sent, but it selects the outgoing route.
ELSEWHERE = ("192.0.2.1", 9)


class Server(uvicorn.Server):
    """Ends the streams when it stops, rather than wait for them in vain."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then stop."""
        from arkham.asgi import streams  # only now, since it needs the settings

        streams.end()
        await super().shutdown(sockets)


class Protocol(H11Protocol):
    """Refuses what isn't HTTP in our words, and doesn't wait long for a head."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._expect_head(None)

    def on_response_complete(self) -> None:
        """Begin to wait for the next head, unless it is here."""
        answered = self.cycle
        super().on_response_complete()
        self._expect_head(answered)

    def _expect_head(self, answered: RequestResponseCycle | None) -> None:
        self.loop.call_later(HEAD_PATIENCE, self._close_without_head, answered)

    def _close_without_head(self, answered: RequestResponseCycle | None) -> None:
        if self.cycle is answered:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Send 400 and close."""
        super().send_400_response("Expected: HTTP/1.1, with a head of 64 KB at most.\n")


class Command(BaseCommand):
    """Migrate, load the card pool if there is none, create the demo, serve."""

    help = "Prepare the database and serve; PORT chooses the port."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options: ``--prepare`` stops before serving.

        ``--reload`` watches the code; ``--lan`` serves the local network too.
        """
        parser.add_argument(
            "--prepare", action="store_true", help="Prepare without serving."
        )
        parser.add_argument(
            "--reload", action="store_true", help="Restart when the code changes."
        )
        parser.add_argument(
            "--lan",
            nargs="?",
            const="",
            metavar="ADDRESS",
            help="Serve the local network, at this address of this machine.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare; unless that was all, serve."""
        network, port = options["lan"], _port()
        listening = None if network is None else _listening(network, port)
        restarted = "RUN_MAIN" in os.environ
        if not restarted:
            try:
                self._prepare()
            except (OSError, OperationalError) as error:
                raise CommandError(_unwritable(error)) from error
        if options["prepare"]:
            return
        if not settings.ORNE_LOCAL:
            raise CommandError(
                _("With ORNE_LOCAL off, serve with gunicorn: gunicorn arkham.wsgi")
            )
        if listening is not None:
            # Only under this address, so that no other site can lead a browser here.
            settings.ALLOWED_HOSTS = [listening.getsockname()[0]]
            return self._serve(listening, self._show_the_way)
        if not restarted:
            self._demo()
        if options["reload"]:
            autoreload.run_with_reloader(lambda: self._serve_in_thread(port))
        else:
            self._serve(_bound(HOST, port))

    def _serve_in_thread(self, port: int) -> None:
        """Serve beside the watcher of the code, which shows no error and never ends."""
        try:
            listening = _bound(HOST, port)
        except CommandError as error:
            self.stderr.write(str(error))
            self.stderr.flush()
            os._exit(1)
        self._serve(listening)

    def _serve(
        self, listening: socket.socket, show_more: Callable[[str], None] | None = None
    ) -> None:
        """Print the address and serve it, with a stream of events for each page."""
        config = uvicorn.Config(
            "arkham.asgi:application",
            http=Protocol,
            h11_max_incomplete_event_size=LARGEST_HEAD,
            access_log=False,
            log_level="warning",
            lifespan="off",
            limit_concurrency=MOST_CONNECTIONS,
            log_config=None,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        host, port = listening.getsockname()
        address = f"http://{host}:{port}/"
        self.stdout.write(
            _("Orne is at %(address)s – Ctrl-C stops it.") % {"address": address}
        )
        if show_more is not None:
            show_more(address)
        self.stdout.flush()  # readers of a pipe wait for it too
        with suppress(KeyboardInterrupt):
            Server(config).run(sockets=[listening])

    def _show_the_way(self, address: str) -> None:
        """Print a QR code of the address, and a code to sign up with."""
        picture = StringIO()
        segno.make(address, micro=False).terminal(picture, border=2, compact=True)
        self.stdout.write(picture.getvalue())
        if settings.ORNE_SIGNUP == "invitation":
            code = accounts.invite(now=timezone.now(), lifetime=ONE_EVENING)
            self.stdout.write(
                _("One person can sign up with this code today: %(code)s")
                % {"code": code}
            )
            self.stdout.write(_("For more codes: ./run manage invite"))
        self.stdout.write(
            _("Friends join a campaign as guests by its link, without a code.")
        )

    def _prepare(self) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        call_command("createcachetable", verbosity=0)
        cardpool.ensure_embedded_pool()
        cardpool.ensure_public_answers()
        provide_guides(now=timezone.now())
        forget_expired(now=timezone.now())
        if decks.are_outdated():
            judge_decks_again.delay()

    def _demo(self) -> None:
        """Create a demo account; only when serving this machine alone.

        It may import cards: only the person who runs this server sees its password.
        """
        owner = User.objects.filter(username=DEMO).first()
        if owner is None:
            password = secrets.token_urlsafe(9)
            owner = User.objects.create_user(DEMO, password=password, is_staff=True)
            self.stdout.write(
                _("Demo account: %(name)s, password: %(password)s (shown only now)")
                % {"name": DEMO, "password": password}
            )
            self.stdout.write(
                _("Card texts and pictures: sign in and open /cards/import/")
            )
        with suppress(QuotaReached):  # of an account that may keep less than these
            decks.ensure_demo_decks(owner=owner)
            campaigns.ensure_demo_campaign(owner=owner, now=timezone.now())


def _unwritable(error: Exception) -> str:
    """Return a sentence on what to do if the data can't be written."""
    is_served = connection.vendor != "sqlite"
    if is_served and isinstance(error, OperationalError):
        return _(
            "Orne can’t use its database (%(why)s): start it, or name another in "
            "DATABASE_URL."
        ) % {"why": str(error).strip()}
    return _(
        "Orne can’t write its data in %(folder)s (%(why)s): make room, change its "
        "owner, or name another folder in ORNE_DATA."
    ) % {"folder": settings.DATA_DIR, "why": error}


def _listening(text: str, port: int) -> socket.socket:
    """Return a socket for the local network, at this address or the default one."""
    if settings.DEBUG or settings.ORNE_SIGNUP == "open":
        raise CommandError(
            _("This isn’t safe with DEBUG on or sign-up open: use ./run --lan.")
        )
    return _bound(_own_address(text), port)


def _bound(address: str, port: int) -> socket.socket:
    """Return a socket that listens there and sends each part of an answer at once.

    Otherwise the second part on a connection that is kept alive waits 40 ms for the
    first to be acknowledged: asyncio changes no socket made without a protocol.
    A reader who has stopped for long loses the connection.
    """
    try:
        listening = socket.create_server((address, port))
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if patience := getattr(socket, "TCP_USER_TIMEOUT", None):  # Linux
            listening.setsockopt(socket.IPPROTO_TCP, patience, STALLED * 1_000)
        return listening
    except OSError as error:
        raise CommandError(
            _("Orne can’t listen at %(address)s, port %(port)d: %(why)s.")
            % {"address": address, "port": port, "why": os.strerror(error.errno or 0)}
        ) from error


def _own_address(text: str) -> str:
    """Return this machine's address in its network, or the given one."""
    if not text:
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                probe.connect(ELSEWHERE)
                text = probe.getsockname()[0]
        except OSError as error:
            raise CommandError(
                _("This machine isn’t on a network: join one, or name its address.")
            ) from error
    try:
        is_private = IPv4Address(text).is_private and text != "0.0.0.0"  # noqa: S104
    except ValueError:
        is_private = False
    if not is_private:
        raise CommandError(
            _(
                "“%(text)s” isn’t an address of a local network. Expected: one of this "
                "machine, such as 192.168.1.20."
            )
            % {"text": text}
        )
    return text


def _port() -> int:
    text = os.environ.get("PORT") or "8000"
    if not (is_digits(text) and 0 < int(text) < 65536):
        raise CommandError(
            _("PORT is “%(text)s”. Expected: a number from 1 to 65535.")
            % {"text": text}
        )
    return int(text)
