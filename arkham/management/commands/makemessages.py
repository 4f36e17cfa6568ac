"""Makes the catalogue of messages: of code, of templates and of data.

Django's command, which also knows the marks of the rules and adds what stands only in
data.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages

from arkham.management.messages import sentences


class Command(makemessages.Command):
    """``makemessages``, with the words of the rules."""

    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=ngettext_noop:1,2",
    ]

    def process_locale_dir(self, locale_dir: str, files: list[Any]) -> None:
        """Read code and templates as Django does, then add what the data say."""
        super().process_locale_dir(locale_dir, files)
        catalogue = Path(locale_dir) / f"{self.domain}.pot"
        with catalogue.open("a", encoding="utf-8") as file:
            for place, text in sentences():
                file.write(f'\n#. {place}\nmsgid {_quoted(text)}\nmsgstr ""\n')


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
