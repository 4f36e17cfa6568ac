"""Settings are safe by themselves, and a misconfiguration is said plainly."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest
from pytest_django import Settings

from arkham import checks
from tests.house.interpreter import in_fresh_interpreter


def setting(data: Path, name: str, **environment: str) -> str:
    """What a setting is in a fresh interpreter."""
    code = f"from django.conf import settings; print(settings.{name})"
    result = in_fresh_interpreter(
        data, "shell", "--no-imports", "-c", code, **environment
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


@pytest.mark.slow
def test_nothing_configured_is_production(tmp_path: Path) -> None:
    """Django's own deployment checks have nothing to say but about HSTS's reach."""
    result = in_fresh_interpreter(
        tmp_path, "check", "--deploy", CACHE_URL="dbcache://orne_cache"
    )

    assert result.returncode == 0, result.stderr
    named = set(re.findall(r"\((\w+\.[EWC]\d+)\)", result.stderr))
    # Subdomains and browsers' preload lists are the operator's to promise.
    assert named == {"security.W005", "security.W021"}


@pytest.mark.slow
def test_the_secret_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    """Two starts read the same key from a file of mode 0600 in a folder of 0700."""
    data = tmp_path / "data"

    first = setting(data, "SECRET_KEY")
    second = setting(data, "SECRET_KEY")

    assert first == second
    assert len(first) == 86
    assert stat.S_IMODE((data / "secret-key").stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o700


@pytest.mark.slow
def test_a_settings_file_beside_the_data_is_read(tmp_path: Path) -> None:
    """The environment wins over it."""
    (tmp_path / "settings.env").write_text("ORNE_SIGNUP=closed\nTIME_ZONE=Asia/Tokyo\n")

    assert setting(tmp_path, "ORNE_SIGNUP") == "closed"
    assert setting(tmp_path, "ORNE_SIGNUP", ORNE_SIGNUP="open") == "open"
    assert setting(tmp_path, "TIME_ZONE", ORNE_SIGNUP="open") == "Asia/Tokyo"


def test_a_secret_may_stand_in_a_file(tmp_path: Path) -> None:
    """As containers hand them in: NAME_FILE."""
    (tmp_path / "key").write_text("k" * 60)

    assert setting(tmp_path, "SECRET_KEY", SECRET_KEY_FILE=str(tmp_path / "key")) == (
        "k" * 60
    )


@pytest.mark.parametrize(
    ("url", "engine"),
    [
        ("", "django.db.backends.sqlite3"),
        ("postgres://orne:pw@db:5432/orne", "django.db.backends.postgresql"),
    ],
)
def test_the_database_is_sqlite_unless_named(
    tmp_path: Path, url: str, engine: str
) -> None:
    """DATABASE_URL names another; an empty one names none."""
    environment = {"DATABASE_URL": url} if url else {}

    assert setting(tmp_path, "DATABASES['default']['ENGINE']", **environment) == engine


def test_weak_secret_keys_are_refused(settings: Settings) -> None:
    """E001, on a server for others."""
    settings.ORNE_LOCAL = False
    settings.SECRET_KEY = "django-insecure-" + "abcdefghij" * 5

    assert [found.id for found in checks.secret_key_is_secret(None)] == ["arkham.E001"]


def test_a_random_secret_key_is_accepted(settings: Settings) -> None:
    """Silence."""
    settings.ORNE_LOCAL = False
    settings.SECRET_KEY = "N4cYpT8q-mZr0vXwE7uKdLJh2sBfA9gRtQy5iOo1PnVxWzUe3M_k"

    assert checks.secret_key_is_secret(None) == []


def test_a_readable_key_file_is_refused(tmp_path: Path, settings: Settings) -> None:
    """E002; silence once it is closed."""
    settings.DATA_DIR = tmp_path
    file = tmp_path / "secret-key"
    file.write_text("x")
    file.chmod(0o644)
    open_to_all = checks.secret_key_is_secret(None)
    file.chmod(0o600)

    assert [found.id for found in open_to_all] == ["arkham.E002"]
    assert checks.secret_key_is_secret(None) == []


@pytest.mark.parametrize(
    ("name", "identity"), [("settings.env", "E006"), ("orne.sqlite3", "E007")]
)
def test_data_that_others_can_read_is_refused(
    tmp_path: Path, settings: Settings, name: str, identity: str
) -> None:
    """E006, E007; silence in a private folder, and for a private file."""
    settings.DATA_DIR = tmp_path
    tmp_path.chmod(0o755)
    file = tmp_path / name
    file.write_text("x")
    file.chmod(0o644)
    readable = checks.data_is_private(None)
    tmp_path.chmod(0o700)
    in_private = checks.data_is_private(None)
    tmp_path.chmod(0o755)
    file.chmod(0o600)

    assert [found.id for found in readable] == [f"arkham.{identity}"]
    assert in_private == []
    assert checks.data_is_private(None) == []


def test_a_new_database_is_its_owners_alone(tmp_path: Path) -> None:
    """Also in a folder that others can enter."""
    tmp_path.chmod(0o755)
    assert setting(tmp_path, "DEBUG") == "False"
    for name in ("secret-key", "orne.sqlite3"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_a_data_folder_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    """No traceback."""
    (tmp_path / "file").write_text("")
    result = in_fresh_interpreter(tmp_path / "file" / "data", "check")

    assert result.returncode == 1
    assert result.stderr.startswith("Orne can't write to its data folder")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(("debug", "named"), [(True, "DEBUG"), (False, "ORNE_LOCAL")])
def test_local_settings_for_others_are_refused(
    settings: Settings, debug: bool, named: str
) -> None:
    """E003; silence on the machine's own names, and with both settings off."""
    settings.DEBUG, settings.ORNE_LOCAL = debug, True
    settings.ALLOWED_HOSTS = ["127.0.0.1", "orne.example"]
    abroad = checks.local_settings_stay_local(None)
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
    at_home = checks.local_settings_stay_local(None)
    settings.DEBUG = settings.ORNE_LOCAL = False
    settings.ALLOWED_HOSTS = ["orne.example"]

    assert [found.id for found in abroad] == ["arkham.E003"]
    assert abroad[0].msg.startswith(named)
    assert "orne.example" in abroad[0].msg
    assert at_home == []
    assert checks.local_settings_stay_local(None) == []


def test_an_unknown_way_to_sign_up_is_refused(settings: Settings) -> None:
    """E004; silence for the three words."""
    settings.ORNE_SIGNUP = "maybe"
    unknown = checks.signup_is_known(None)
    known = []
    for word in ("open", "invitation", "closed"):
        settings.ORNE_SIGNUP = word
        known += checks.signup_is_known(None)

    assert [found.id for found in unknown] == ["arkham.E004"]
    assert known == []


def test_counters_of_one_process_are_warned_of(settings: Settings) -> None:
    """W001, on a server for others; silence for a shared cache."""
    settings.ORNE_LOCAL = False
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    }
    alone = checks.counters_are_shared(None)
    settings.CACHES = {"default": {"BACKEND": "django_redis.cache.RedisCache"}}

    assert [found.id for found in alone] == ["arkham.W001"]
    assert checks.counters_are_shared(None) == []
