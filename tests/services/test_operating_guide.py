"""The server that docs/operating.md sets up, on real services behind a real nginx."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import httpx
import psycopg
import pytest

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).resolve().parents[2]
FILES = PROJECT / "docs/examples/server"
GUIDE = (PROJECT / "docs/operating.md").read_text()
POSTGRESQL = os.environ.get("ORNE_POSTGRESQL") or "postgres://postgres@127.0.0.1:5432/"
# Of Redis a database of its own for each process of tests: a worker takes what is sent.
_PLACE = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 8
_ANY = os.environ.get("ORNE_REDIS") or "redis://127.0.0.1:6379/15"
REDIS = f"{_ANY.rpartition('/')[0]}/{4 + _PLACE}"
PATIENCE = 120  # seconds
HEADERS = {"Host": "orne.example"}

PLAYER = """
from django.test import Client
from arkham.accounts.models import User
from tests.campaigns.helpers.tables import a_campaign
from tests.rules.campaign.helpers.small import ROLAND
alice = User.objects.create_user("alice")
campaign = a_campaign(alice, ROLAND)
client = Client()
client.force_login(alice)
print(campaign.pk, client.cookies["sessionid"].value)
"""


def free_ports(count: int) -> list[int]:
    with ExitStack() as held:
        found = []
        for _each in range(count):
            tried = held.enter_context(closing(socket.socket()))
            tried.bind(("127.0.0.1", 0))
            found.append(tried.getsockname()[1])
        return found


def set_for(text: str, changes: dict[str, str]) -> str:
    """A file of the guide with what a reader replaces in it; each must occur."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


class Server:
    """What the guide sets up, with a folder, ports and a database of its own."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.data = folder, folder / "data"
        self.data.mkdir()
        self.data.chmod(0o755)
        pages, streams, self.port = free_ports(3)
        self.ports = {":8000": f":{pages}", ":8001": f":{streams}"}
        self.ports |= {"--port 8001": f"--port {streams}"}
        text = set_for(
            (FILES / "orne.env").read_text(),
            {
                "/var/lib/orne": str(self.data),
                "postgres://orne:CHANGE-ME@127.0.0.1:5432/orne": database,
                "rediscache://127.0.0.1:6379/1": REDIS.replace("redis:", "rediscache:"),
                "redis://127.0.0.1:6379/0": REDIS,
                "CHANGE-ME": "a-long-random-text",
            },
        )
        lines = [each for each in text.splitlines() if each[:1] not in ("", "#")]
        self.settings, self.set = text, [each.partition("=")[0] for each in lines]
        kept = {name: os.environ[name] for name in ("PATH", "HOME")}
        self.environment = kept | dict(line.split("=", 1) for line in lines)
        self.started: list[subprocess.Popen[bytes]] = []
        self.held: dict[str, socket.socket] = {}
        self.health = ""

    def run(self, command: str, environment: dict[str, str] | None = None) -> str:
        """What a command of the guide prints, run where the code is."""
        done = subprocess.run(
            shlex.split(command),
            cwd=PROJECT,
            env=self.environment | (environment or {}),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def manage(self, command: str) -> str:
        """What a management command prints, called as the guide says."""
        settings, script = self.folder / "orne.env", self.folder / "orne-manage"
        settings.write_text(self.settings)
        changes = {
            "/etc/orne.env": str(settings),
            "runuser -u orne -- ": "",
            "/srv/orne": str(PROJECT),
        }
        script.write_text(set_for((FILES / "orne-manage").read_text(), changes))
        return self.run(f"sh {script} {command}", dict.fromkeys(self.set, ""))

    def start(self, command: str) -> None:
        log = (self.folder / f"log-{len(self.started)}").open("wb")
        self.started.append(
            subprocess.Popen(
                shlex.split(command),
                cwd=PROJECT,
                env=self.environment,
                stdout=log,
                stderr=log,
                pass_fds=[each.fileno() for each in self.held.values()],
            )
        )

    def start_unit(self, name: str) -> None:
        """What systemd would start."""
        unit = (FILES / f"{name}.service").read_text()
        command = re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)
        assert command is not None
        text = command[1].replace("/srv/orne", str(PROJECT))
        text = text.replace("/var/lib/orne", str(self.data))
        for old, new in self.ports.items():
            text = text.replace(old, new)
        if (FILES / f"{name}.socket").exists():
            text = self.listening(name, text)
        self.start(text)

    def listening(self, name: str, command: str) -> str:
        """The command with a socket that stays, as systemd hands it over."""
        if name not in self.held:
            where = (FILES / f"{name}.socket").read_text()
            assert "ListenStream=127.0.0.1:8000\n" in where
            port = int(self.ports[":8000"][1:])
            self.held[name] = socket.create_server(("127.0.0.1", port), backlog=100)
        number = self.held[name].fileno()
        code = f"exec 3<&{number}; LISTEN_FDS=1 LISTEN_PID=$$ exec {command}"
        return f"bash -c {shlex.quote(code)}"

    def start_nginx(self) -> None:
        """With TLS ended before it, as certbot would have it end in it."""
        site = set_for(
            (FILES / "nginx.conf").read_text(),
            {
                "listen 80;": f"listen 127.0.0.1:{self.port};",
                "listen [::]:80;": "",
                "127.0.0.1:8000": f"127.0.0.1{self.ports[':8000']}",
                "127.0.0.1:8001": f"127.0.0.1{self.ports[':8001']}",
                "/var/lib/orne": str(self.data),
                "$scheme": "https",
            },
        )
        temporary = "".join(
            f"{kind}_temp_path {self.folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;\n" if os.geteuid() == 0 else ""
        conf = self.folder / "nginx.conf"
        conf.write_text(
            f"{user}daemon off;\npid {self.folder}/nginx.pid;\nevents {{}}\n"
            "http {\ninclude /etc/nginx/mime.types;\naccess_log off;\n"
            f"{temporary}{site}\n}}\n"
        )
        self.start(f"nginx -c {conf} -e {self.folder}/nginx-errors")

    def wait(self) -> None:
        """Until all parts are well."""
        token = {"Authorization": "Bearer a-long-random-text"}
        until = time.monotonic() + PATIENCE
        with self.client() as client:
            while True:
                assert time.monotonic() < until, self.health
                with suppress(httpx.TransportError):
                    answer = client.get("/healthz", headers=token)
                    self.health = answer.text
                    if answer.status_code == 200:
                        return
                time.sleep(0.5)

    def stop(self) -> None:
        for each in reversed(self.started):
            each.terminate()
        for each in self.started:
            each.wait(60)
        for held in self.held.values():
            held.close()

    def client(self) -> httpx.Client:
        base = f"http://127.0.0.1:{self.port}"
        return httpx.Client(base_url=base, headers=HEADERS, timeout=30)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Steps 2 to 5 of the guide."""
    if shutil.which("nginx") is None:
        pytest.skip("nginx is missing")
    name = f"orne_guide_{uuid.uuid4().hex[:12]}"
    base = POSTGRESQL.rpartition("/")[0]
    try:
        admin = psycopg.connect(f"{base}/postgres", autocommit=True)
    except psycopg.OperationalError:
        pytest.skip("PostgreSQL does not answer; ORNE_POSTGRESQL names it.")
    with closing(admin):
        admin.execute(f'CREATE DATABASE "{name}"')
        server = Server(tmp_path_factory.mktemp("server"), f"{base}/{name}")
        try:
            steps = re.findall(r"^ {3}orne-manage ([^#\n]*)", GUIDE, re.MULTILINE)
            assert len(steps) == 3
            for step in steps:
                server.manage(step)
            for unit in sorted(FILES.glob("orne-*.service")):
                server.start_unit(unit.stem)
            server.start_nginx()
            server.wait()
            yield server
        finally:
            server.stop()
            admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def test_every_part_is_well(server: Server) -> None:
    """Database, migrations, cache, workers and disk, as the operator sees them."""
    assert '"workers"' in server.health
    until = time.monotonic() + PATIENCE
    while not list(server.data.glob("celerybeat*")):  # the clock has begun
        assert time.monotonic() < until
        time.sleep(0.5)


def test_workers_share_what_is_loaded(server: Server) -> None:
    """Code, templates and cards are in memory once, whichever worker was asked."""
    with server.client() as client:
        for _each in range(20):
            assert client.get("/cards/").status_code == 200
    pages = next(each for each in server.started if b"gunicorn" in command_of(each))
    workers = Path(f"/proc/{pages.pid}/task/{pages.pid}/children").read_text().split()
    assert len(workers) == 2
    for each in workers:
        sizes = Path(f"/proc/{each}/smaps_rollup").read_text()
        shared = re.search(r"^Shared_Dirty: +(\d+) kB$", sizes, re.MULTILINE)
        assert shared is not None
        assert int(shared[1]) > 40_000


def command_of(process: subprocess.Popen[bytes]) -> bytes:
    return Path(f"/proc/{process.pid}/cmdline").read_bytes()


def test_pages_and_their_files(server: Server) -> None:
    """nginx gives files packed, and to be kept; a page links only such that exist."""
    with server.client() as client:
        page = client.get("/")
        assert page.status_code == 200
        files = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text))
        assert files
        for each in files:
            answer = client.get(each, headers={"Accept-Encoding": "gzip"})
            assert answer.status_code == 200, each
            assert "immutable" in answer.headers["Cache-Control"]
        styles = next(each for each in files if each.endswith(".css"))
        packed = client.get(styles, headers={"Accept-Encoding": "gzip"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert client.get("/nowhere").status_code == 404
        assert "Orne" in client.get("/nowhere").text
        other = client.get("/", headers={"Host": "another.example"})
        assert other.status_code == 400


def test_what_nginx_refuses_is_in_our_words(server: Server) -> None:
    """A sentence for people, a problem for programs; never nginx's own page."""
    with server.client() as client:
        far = str(client.base_url.host), client.base_url.port
    for line, kind in (
        (b"GARBAGE", b"text/plain"),
        (b"GET /api/v1/cards HTTP/1.1", b"application/problem+json"),  # names no host
        (b"GET /?" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x", b"text/plain"),
    ):
        with socket.create_connection(far, timeout=PATIENCE) as sent:
            sent.sendall(line + b"\r\n\r\n")
            answer = b"".join(iter(lambda: sent.recv(65_536), b""))
        assert answer.startswith(b"HTTP/1.1 4"), line[:20]
        assert b"Content-Type: " + kind in answer
        assert b"<html>" not in answer


@pytest.mark.parametrize("path", ["/api/v1/decks", "/v1/x", "/oauth/v2/x", "/decks/"])
def test_what_is_too_large_for_nginx_is_called_so(server: Server, path: str) -> None:
    """To programs of other services' addresses too, with the status."""
    with server.client() as client:
        far = str(client.base_url.host), client.base_url.port
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {66 << 20}\r\n\r\n"
    with socket.create_connection(far, timeout=PATIENCE) as sent:
        sent.sendall(head.encode())
        answer = sent.recv(65_536).decode()
    assert answer.startswith("HTTP/1.1 413")
    assert "Retry-After" not in answer
    said = answer.partition("\r\n\r\n")[2]
    if path == "/decks/":
        assert said.startswith("That is too large.")
    else:
        problem = json.loads(said)
        assert (problem["title"], problem["status"]) == ("That is too large", 413)


def test_files_are_only_read(server: Server) -> None:
    """Another method is refused, not called unreadable."""
    with server.client() as client:
        file = re.search(r'href="(/static/[^"]+)"', client.get("/").text)
        assert file is not None
        answer, absent = client.post(file[1]), client.get("/static/any.css")
    assert (answer.status_code, answer.text[:17]) == (405, "Not allowed here.")
    assert (absent.status_code, absent.text[:10]) == (404, "Not found.")


def test_one_address_has_so_many_requests_at_once(server: Server) -> None:
    """The next is refused with 429, and when to come again."""
    with ExitStack() as held, server.client() as client:
        far = str(client.base_url.host), client.base_url.port
        head = b"POST /decks/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"
        for _each in range(200):
            sent = held.enter_context(socket.create_connection(far, timeout=PATIENCE))
            sent.sendall(head)  # nginx waits for the rest
        time.sleep(1)
        answer = client.get("/api/v1/cards")
    assert answer.status_code == 429
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == 429
    assert answer.headers["Retry-After"] == "60"


def test_a_stream_passes_at_once(server: Server) -> None:
    """Through nginx to uvicorn, for a player of the table."""
    python = f"{PROJECT}/.venv/bin/python manage.py shell --no-imports -c"
    path = {"PYTHONPATH": str(PROJECT)}
    said = server.run(f"{python} {shlex.quote(PLAYER)}", path)
    number, session = said.split()
    with server.client() as client:
        client.cookies.set("__Host-sessionid", session)
        client.cookies.set("sessionid", session)
        address = f"/campaigns/{number}/changes"
        with client.stream("GET", address) as answer:
            assert answer.status_code == 200
            assert answer.headers["Content-Type"].startswith("text/event-stream")
            assert next(answer.iter_text())


def test_a_job_is_done_by_the_worker(server: Server) -> None:
    """Its decks are judged in the background."""
    code = """
from io import BytesIO
from django.utils import timezone
from arkham.accounts.models import User
from arkham.jobs import services
from arkham.jobs.models import Job, kind_named
from tests.jobs.helpers import file_of
user = User.objects.create_user("bob")
kind = kind_named("judge")
job = services.start_with_file(kind=kind, owner=user, terms={},
    read=BytesIO(file_of(50)).read, now=timezone.now())
import time
for _each in range(240):
    job.refresh_from_db()
    if job.state != "running":
        break
    time.sleep(0.5)
print(job.state)
"""
    python = f"{PROJECT}/.venv/bin/python manage.py shell --no-imports -c"
    path = {"PYTHONPATH": str(PROJECT)}
    assert server.run(f"{python} {shlex.quote(code)}", path).split()[-1] == "done"


def test_a_restart_fails_no_page(server: Server) -> None:
    """Who asks meanwhile waits."""
    pages = next(each for each in server.started if b"gunicorn" in command_of(each))
    pages.terminate()
    pages.wait(60)
    server.started.remove(pages)
    with ThreadPoolExecutor() as pool, server.client() as client:
        asked = pool.submit(client.get, "/cards/", timeout=PATIENCE)
        time.sleep(0.5)
        assert not asked.done()
        server.start_unit("orne-pages")
        assert asked.result().status_code == 200


def test_an_absent_service_says_when_to_come_again(server: Server) -> None:
    """As while it is being restarted."""
    streams = next(each for each in server.started if b"uvicorn" in command_of(each))
    streams.terminate()
    streams.wait(60)
    server.started.remove(streams)
    with server.client() as client:
        answer = client.get("/campaigns/1/changes")
    server.start_unit("orne-streams")
    assert (answer.status_code, answer.headers["Retry-After"]) == (502, "60")
    assert answer.text.startswith("Away for a moment.")


def test_systemd_reads_the_units(tmp_path: Path) -> None:
    """Each line of them is one that it knows, and it finds each command."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is missing")
    units = sorted(FILES.glob("orne-*.s*"))
    for each in units:
        text = each.read_text().replace("/srv/orne", str(PROJECT))
        (tmp_path / each.name).write_text(text.replace("User=orne", "User=root"))

    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, tmp_path.iterdir())],
        capture_output=True,
        text=True,
    )

    assert len(units) == 5
    assert (done.returncode, done.stderr) == (0, "")
