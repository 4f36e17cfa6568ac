"""The examples of the tutorial for programs run as they are written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from pytest_django.live_server_helper import LiveServer

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from campaigns import services as campaigns
from campaigns.models import Guide
from tests.campaigns.helpers.tables import have_our_guides
from tests.conftest import PROJECT
from tests.helpers import NOW

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

TEXT = (PROJECT / "docs" / "programs.md").read_text("utf-8")
BLOCK = re.compile(r"^```(sh|python|js|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MOST_SECONDS = 120  # on a busy machine; a job takes one or two


class Job(NamedTuple):
    """A section of the tutorial: its programs by language, and their output."""

    title: str
    programs: dict[str, str]
    printed: str


def _blocks(section: str) -> dict[str, str]:
    return dict(BLOCK.findall(section))


def _sections() -> dict[str, str]:
    """Return the text under each heading."""
    _before, *parts = re.split(r"^## (.+)$", TEXT, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _jobs() -> list[Job]:
    found = []
    for title, section in _sections().items():
        if title.startswith("Job "):
            programs = _blocks(section)
            printed = programs.pop("text")
            found.append(Job(title, programs, printed))
    return found


JOBS = _jobs()
BEGINNING = _blocks(_sections()["Before the first job"])


@pytest.fixture
def surroundings(live_server: LiveServer, alice: User) -> dict[str, str]:
    """The environment of a program of Alice's, who plays in a campaign."""
    have_our_guides()
    guide = Guide.objects.get(guide_id="core", origin=Guide.Origin.OURS)
    campaigns.start_campaign(organiser=alice, guide=guide, name="Fridays", now=NOW)
    _key, text = accounts.make_key(
        owner=alice, name="tutorial", scope=ApiKey.Scope.WRITE, now=NOW
    )
    return {**os.environ, "ORNE": live_server.url, "ORNE_KEY": text}


def _run(command: list[str], around: dict[str, str], at: Path) -> str:
    """Return a program's output; it must succeed."""
    done = subprocess.run(
        command,
        cwd=at,
        env=around,
        capture_output=True,
        text=True,
        timeout=MOST_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_there_are_six_jobs_each_in_three_languages() -> None:
    assert len(JOBS) == 6
    assert all(job.programs.keys() == {"sh", "python", "js"} for job in JOBS)


def test_no_example_lets_curl_append_a_file_name_to_the_address() -> None:
    """As ``-T`` does if the address ends with a slash."""
    folder = PROJECT / "docs"
    for path in (PROJECT / "README.md", *folder.rglob("*.md")):
        for block in path.read_text("utf-8").split("```")[1::2]:
            for command in block.replace("\\\n", " ").splitlines():
                sent = re.search(r"curl .*-T (?!-).*/(\?|'|\s|$)", command)
                assert sent is None, f"{path.name}: {command}"


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.title)
def test_a_job_runs_in_python(
    job: Job, surroundings: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "job.py").write_text(BEGINNING["python"] + job.programs["python"])
    printed = _run([sys.executable, "job.py"], surroundings, tmp_path)
    assert printed == job.printed


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.title)
def test_a_job_runs_in_javascript(
    job: Job, surroundings: dict[str, str], tmp_path: Path
) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is needed to run programs in JavaScript")
    (tmp_path / "job.mjs").write_text(BEGINNING["js"] + job.programs["js"])
    assert _run(["node", "job.mjs"], surroundings, tmp_path) == job.printed


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.title)
def test_a_job_runs_in_the_shell(
    job: Job, surroundings: dict[str, str], tmp_path: Path
) -> None:
    """Its response contains all that the other programs print."""
    if shutil.which("curl") is None:
        pytest.skip("curl is needed to run the requests in the shell")
    answer = _run(["sh", "-euc", job.programs["sh"]], surroundings, tmp_path)
    assert [line for line in job.printed.splitlines() if line not in answer] == []


def test_nothing_is_deprecated_as_the_policy_says() -> None:
    """Else the policy has to name it, with its end date."""
    description = yaml.safe_load((PROJECT / "docs" / "openapi.yaml").read_text("utf-8"))
    deprecated = [
        operation["operationId"]
        for path in description["paths"].values()
        for operation in path.values()
        if operation.get("deprecated")
    ]
    assert bool(deprecated) is not ("Nothing is deprecated today." in TEXT)
