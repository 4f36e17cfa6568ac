"""The folder for all data: database, secret key, uploads. Updates don't touch it."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

FOLDER = Path(
    os.environ.get("ORNE_DATA")
    or Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    / "orne"
).resolve()


def private_file(path: Path, text: str = "") -> None:
    """Create a file that only its owner can read, unless it exists.

    Exits with a one-sentence message if that fails.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
    except FileExistsError:
        return
    except OSError as error:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        raise SystemExit(
            f"Orne can't write to its data folder {path.parent}: {error.strerror}. "
            "Make room, change its owner, or name another folder in ORNE_DATA."
        ) from None


def secret_key(path: Path) -> str:
    """Return the key stored at ``path``, creating it if necessary."""
    private_file(path, secrets.token_urlsafe(64) + "\n")
    return path.read_text().strip()
