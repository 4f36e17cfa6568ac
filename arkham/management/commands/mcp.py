"""Serves Orne to models that call tools, by the Model Context Protocol."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from importlib.util import find_spec
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

PORT = 8765


class Command(BaseCommand):
    """Over standard input and output, or by HTTP at ``/mcp``."""

    help = (
        "Serve Orne to models that call tools, by the Model Context Protocol: over "
        "standard input and output, with the key in ORNE_KEY for what is private, or "
        "by HTTP, where each request brings its key."
    )
    requires_system_checks: list[str] = []  # standard output is the protocol's

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How, and where."""
        parser.add_argument(
            "--http", action="store_true", help="serve by HTTP at the address /mcp"
        )
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=PORT)

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until the client goes away or the process is ended."""
        if find_spec("mcp") is None:
            raise CommandError(
                _("The package mcp is missing: pip install -r requirements-mcp.txt")
            )
        from arkham.mcp_server import serve_http, serve_stdio  # needs the package

        if options["http"]:
            serve_http(options["host"], options["port"])
        else:
            serve_stdio(os.environ.get("ORNE_KEY", ""))
