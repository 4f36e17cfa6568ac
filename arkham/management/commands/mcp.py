"""Serve Orne to models that call tools, by the Model Context Protocol."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from importlib.util import find_spec
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

PORT = 8765


class Command(BaseCommand):
    """Serve over standard input and output, or by HTTP at ``/mcp``."""

    help = (
        "Serve Orne’s tools to assistants by the Model Context Protocol, over standard "
        "input and output (ORNE_KEY holds the key for private data) or by HTTP, where "
        "each request sends its key."
    )
    requires_system_checks: list[str] = []  # standard output is for the protocol

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the transport, host and port."""
        parser.add_argument(
            "--http", action="store_true", help="serve by HTTP at the address /mcp"
        )
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=PORT)

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until the client disconnects or the process is stopped."""
        if find_spec("mcp") is None:
            raise CommandError(
                _("The package mcp is missing: pip install -r requirements-mcp.txt")
            )
        from arkham.mcp_server import serve_http, serve_stdio  # needs the package

        if options["http"]:
            serve_http(options["host"], options["port"])
        else:
            serve_stdio(os.environ.get("ORNE_KEY", ""))
