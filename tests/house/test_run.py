"""The one door: what ``./run`` says, prepares and serves."""

from __future__ import annotations

import http.client
import http.cookiejar
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from tests.prepared import prepared_copy

PROJECT = Path(__file__).resolve().parents[2]


def environment(data: Path, **more: str) -> dict[str, str]:
    """A clean one, with data of its own."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME")}
    return kept | {"ORNE_DATA": str(data)} | more


def run(
    data: Path, *arguments: str, where: Path = PROJECT, **more: str
) -> subprocess.CompletedProcess[str]:
    """``./run`` to its end."""
    return subprocess.run(
        [str(where / "run"), *arguments],
        cwd=data,
        env=environment(data, **more),
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    """A data folder with database and cards."""
    return prepared_copy(tmp_path / "data")


def test_help_and_version(tmp_path: Path) -> None:
    """They need no environment and make none."""
    assert "./run [COMMAND]" in run(tmp_path, "help").stdout
    assert run(tmp_path, "--version").stdout == "Orne 0.1.0\n"
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_command_is_named(tmp_path: Path) -> None:
    """Exit code 2, on stderr."""
    result = run(tmp_path, "tset")

    assert (result.returncode, result.stdout) == (2, "")
    assert "There is no command “tset”." in result.stderr


def test_a_missing_venv_module_is_said_in_one_line(tmp_path: Path) -> None:
    """As on a fresh Debian."""
    for name in ("run", "pyproject.toml"):
        shutil.copy(PROJECT / name, tmp_path)
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\ncase "$*" in *ensurepip*) exit 1 ;; esac\n')
    python.chmod(0o755)

    result = run(tmp_path, where=tmp_path, PYTHON=str(python))

    assert result.returncode == 1
    assert result.stderr == (
        "Python's venv module is missing: apt install python3-venv\n"
    )


def test_an_old_python_is_said_in_one_line(tmp_path: Path) -> None:
    """Before anything is made."""
    for name in ("run", "pyproject.toml"):
        shutil.copy(PROJECT / name, tmp_path)
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)

    result = run(tmp_path, where=tmp_path, PYTHON=str(python))

    assert result.returncode == 1
    assert result.stderr == "Orne needs Python 3.11 or later; name one in PYTHON.\n"


def test_preparing_says_nothing_of_what_libraries_do(prepared: Path) -> None:
    """One of them counts what it deletes, none included."""
    result = run(prepared, "manage", "up", "--prepare")

    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("port", ["80a", "0", "65536"])
def test_a_port_that_is_none_is_refused(tmp_path: Path, port: str) -> None:
    """With what was expected, before anything is prepared."""
    result = run(tmp_path, PORT=port)

    assert result.returncode == 1
    assert (tmp_path / "orne.sqlite3").stat().st_size == 0
    assert f"PORT is “{port}”. Expected: a number from 1 to 65535." in result.stderr


@pytest.mark.slow
def test_a_worker_without_a_broker_is_not_needed(prepared: Path) -> None:
    """It says so instead of waiting for ever."""
    result = run(prepared, "worker")

    assert result.returncode == 1
    assert "CELERY_BROKER_URL" in result.stderr


def test_a_data_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    """With the way out."""
    (tmp_path / "file").write_text("")
    result = subprocess.run(
        [str(PROJECT / "run"), "manage", "check"],
        env=environment(tmp_path / "file" / "data"),
        capture_output=True,
        text=True,
    )

    assert result.returncode == 1
    assert result.stderr.splitlines() == [
        f"The data folder {tmp_path}/file/data can’t be made;"
        " name another in ORNE_DATA."
    ]


def test_a_full_data_folder_is_one_sentence(tmp_path: Path) -> None:
    """Here a full disk is a limit on the size of files."""
    command = f'ulimit -f 1; exec "{PROJECT}/run" manage check'
    (tmp_path / "data").mkdir(mode=0o700)
    result = subprocess.run(
        ["bash", "-c", command],
        env=environment(tmp_path / "data"),
        capture_output=True,
        text=True,
    )

    assert result.returncode == 1
    assert "is full or read-only: make room" in result.stderr
    assert "Traceback" not in result.stderr
    assert list((tmp_path / "data").iterdir()) == []


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def served(data: Path, *arguments: str, **more: str) -> Iterator[str]:
    """``./run`` with this data folder: the address it printed, until the block ends."""
    port = free_port()
    log = data / "log"
    start = time.monotonic()
    with log.open("w") as out:
        server = subprocess.Popen(
            [str(PROJECT / "run"), *arguments],
            cwd=data,
            env=environment(data, PORT=str(port), **more),
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}/"
    try:
        while address not in log.read_text():
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < start + 180, log.read_text()
            time.sleep(0.05)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=20)


def get(address: str) -> tuple[int, str]:
    """The status and the text of a page, error pages included."""
    try:
        with urllib.request.urlopen(address) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


@pytest.mark.slow
def test_manage_speaks_only_the_commands_words(prepared: Path) -> None:
    """Preparation, which this start does again, talks on stderr: one can pipe it."""
    result = run(prepared, "manage", "invite")

    assert result.returncode == 0, result.stderr
    assert re.fullmatch(r"[\w-]{16}\n", result.stdout)


@pytest.mark.slow
def test_it_serves_and_shows_the_demo_password_once(tmp_path: Path) -> None:
    """The second start keeps the secret."""
    with served(tmp_path) as address:
        status, page = get(address)
        first = (tmp_path / "log").read_text()
        styles = re.findall(r'href="/(static/[^"]+[.]css)"', page)
        assert styles
        assert {get(address + style)[0] for style in styles} == {200}
    with served(tmp_path):
        second = (tmp_path / "log").read_text()

    assert re.search(r"Demo account: demo, password: [\w-]{12}", first)
    assert "Card texts and pictures: sign in and open /cards/import/" in first
    assert status == 200
    assert "<h1" in page
    assert "password" not in second
    assert "/cards/import/" not in second


@pytest.mark.slow
def test_it_serves_where_an_account_may_keep_less_than_the_demo(prepared: Path) -> None:
    """It has no decks then."""
    (prepared / "settings.env").write_text("QUOTA_DECKS=2\n")
    with served(prepared) as address:
        assert get(address)[0] == 200


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [(), ("--lan", "127.0.0.1")])
def test_small_answers_are_sent_at_once(
    prepared: Path, arguments: tuple[str, ...]
) -> None:
    """Otherwise each on a connection that is kept alive comes 40 ms later."""
    times = []
    with served(prepared, *arguments) as address:
        there = http.client.HTTPConnection(urlsplit(address).netloc)
        for _answer in range(20):
            start = time.monotonic()
            there.request("GET", "/healthz")
            there.getresponse().read()
            times.append(time.monotonic() - start)
        there.close()

    assert sorted(times)[1] < 0.03  # the first answer never waits


@contextmanager
def followed(data: Path, address: str) -> Iterator[http.client.HTTPResponse]:
    """The stream of a campaign of the demo account."""
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    log = (data / "log").read_text()
    form = {"login": "demo", "password": log.split("password: ")[1].split()[0]}
    browser.open(address + "account/login/")
    form["csrfmiddlewaretoken"] = next(
        str(each.value) for each in jar if "csrf" in each.name
    )
    browser.open(address + "account/login/", urlencode(form).encode())
    with browser.open(address + "campaigns/1/changes", timeout=10) as stream:
        yield stream


@pytest.mark.slow
def test_a_change_reaches_another_window_by_a_stream(prepared: Path) -> None:
    """On this machine as in its network: no window waits for its next poll."""
    with served(prepared) as address, followed(prepared, address) as stream:
        kind, first = stream.headers["Content-Type"], stream.readline()

    assert (kind, first) == ("text/event-stream", b"data: changed\n")


@pytest.mark.slow
def test_it_stops_though_a_campaign_is_followed(prepared: Path) -> None:
    """The stream ends as it should, instead of being cancelled."""
    with ExitStack() as stack:
        server = stack.enter_context(ExitStack())
        address = server.enter_context(served(prepared))
        stream = stack.enter_context(followed(prepared, address))
        assert stream.readline() == b"data: changed\n"
        server.close()
        rest = stream.read()  # raises if the stream is cut off

    assert rest.endswith(b"\n")
    assert "Traceback" not in (prepared / "log").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--reload",)])
def test_a_port_in_use_is_one_sentence(prepared: Path, options: tuple[str]) -> None:
    """And the end, also where the code is watched."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        result = run(prepared, *options, PORT=port)

    assert result.returncode == 1
    assert f"Orne can’t listen at 127.0.0.1, port {port}" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.slow
def test_a_server_that_watches_its_code_answers(prepared: Path) -> None:
    """Its address is printed by the process that serves."""
    with served(prepared, "--reload") as address:
        assert get(address)[0] == 200


@pytest.mark.slow
def test_visitors_get_the_site_s_own_error_pages(prepared: Path) -> None:
    """404 and 500 look as everywhere; the traceback is in the log alone."""
    with served(prepared) as address:
        missing = [get(address + path) for path in ("nothing", "cards/00000/", "a/b/c")]
        with sqlite3.connect(prepared / "orne.sqlite3") as database:
            database.execute("DROP TABLE cardpool_card")
        broken = get(address + "cards/?q=machete")
        log = (prepared / "log").read_text()

    for status, page in missing:
        assert status == 404
        assert "/static/arkham/" in page
        assert "urlpatterns" not in page.lower()
    status, page = broken
    assert status == 500
    assert "/static/arkham/" in page
    assert "Traceback" not in page
    assert "Traceback" in log


@pytest.mark.slow
def test_an_evening_on_the_local_network_is_safe(prepared: Path) -> None:
    """Whatever the settings say; and phones can find it and sign up."""
    settings = "DEBUG=true\nORNE_SIGNUP=open\nTRUSTED_PROXIES=1\n"
    (prepared / "settings.env").write_text(settings)
    with served(prepared, "--lan", "127.0.0.1") as address:
        while "guests by its link" not in (prepared / "log").read_text():
            time.sleep(0.05)
        form = address + "account/signup/"
        status, page = get(form)
        with urllib.request.urlopen(form) as answer:  # noqa: S310
            cookies = answer.headers.get_all("Set-Cookie") or []
            headers = answer.headers
        missing, missing_page = get(address + "nothing")
        elsewhere = http.client.HTTPConnection(urlsplit(address).netloc)
        elsewhere.request("GET", "/", headers={"Host": "evil.example"})
        refused = elsewhere.getresponse().status
        elsewhere.close()
        style = re.findall(r'href="/(static/[^"]+[.]css)"', page)[0]
        assert get(address + style)[0] == 200
        log = (prepared / "log").read_text()
        with sqlite3.connect(prepared / "orne.sqlite3") as database:
            accounts = database.execute("SELECT count(*) FROM accounts_user")
            assert accounts.fetchone() == (0,)

    assert (status, missing, refused) == (200, 404, 400)
    assert 'name="invitation"' in page
    assert cookies
    assert not any("secure" in each.lower() for each in cookies)
    assert "Server" not in headers
    assert "urlpatterns" not in missing_page.lower()
    assert re.search(r"One person can sign up with this code today: [\w-]{16}", log)
    assert "▀" in log or "▄" in log
    assert "Demo account" not in log


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("93.184.216.34", "isn’t an address of a local network"),
        ("0.0.0.0", "isn’t an address of a local network"),  # noqa: S104
        ("phone", "isn’t an address of a local network"),
        ("10.255.255.254", "can’t listen at 10.255.255.254, port"),
    ],
)
def test_only_an_address_of_ones_own_network_is_served(
    tmp_path: Path, address: str, why: str
) -> None:
    """In one sentence."""
    result = run(tmp_path, "--lan", address, PORT=str(free_port()))

    assert result.returncode == 1
    assert why in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.slow
def test_the_network_is_not_served_with_debug_pages(prepared: Path) -> None:
    """By the command itself, past ``./run``."""
    result = run(prepared, "manage", "up", "--lan", "127.0.0.1", DEBUG="true")

    assert result.returncode == 1
    assert "This isn’t safe with DEBUG on or sign-up open: use ./run --lan." in (
        result.stderr
    )
