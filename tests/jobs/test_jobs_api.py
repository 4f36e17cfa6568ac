"""Jobs for programs and on pages: no one sees another's."""

from __future__ import annotations

import json
import shutil
from unittest.mock import patch

import pytest
from celery import current_app
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from arkham.accounts.models import User
from arkham.jobs import files
from arkham.jobs.models import Chunk, Job
from tests.jobs.helpers import file_of, small_chunks, started

pytestmark = pytest.mark.usefixtures("rows")

JOBS = "/api/v1/jobs/"
LINES = "application/x-ndjson"


class TestPrograms:
    def test_a_job_is_started_followed_and_fetched(self, alices: APIClient) -> None:
        """From the file to the last of its results, page by page."""
        content = file_of(25)
        with small_chunks(10):
            answer = alices.post(
                f"{JOBS}?kind=judge&taboo=none", content, content_type=LINES
            )
        assert answer.status_code == 202, answer.content
        job = answer.json()
        assert (job["state"], job["done"], job["total"], job["ready"]) == (
            *("done", 25, 25),
            25,
        )
        assert alices.get(answer["Location"]).json() == job
        assert [each["id"] for each in alices.get(JOBS).json()["results"]] == [
            job["id"]
        ]

        where, found = f"{job['results']}?limit=12", []
        while where:
            page = alices.get(where)
            assert page["Content-Type"] == LINES
            found += [json.loads(line) for line in page.content.splitlines()]
            link = page.headers.get("Link", "")
            where = link.partition(">")[0].removeprefix("<")
        assert [each["id"] for each in found] == list(range(1, 26))
        assert {each["taboo_id"] for each in found} == {None}

        assert alices.delete(answer["Location"]).status_code == 204
        assert alices.get(answer["Location"]).status_code == 404

    def test_the_latest_is_first(self, alice: User, alices: APIClient) -> None:
        """As the page has them."""
        known = [started(alice, file_of(1)).pk for _each in range(3)]
        found = [each["id"] for each in alices.get(JOBS).json()["results"]]
        assert found == known[::-1]

    def test_what_is_needed_is_said(
        self, alices: APIClient, settings: Settings
    ) -> None:
        """413 with the number that is done without workers."""
        settings.ORNE_JOB_ITEMS_AT_ONCE = 3

        answer = alices.post(f"{JOBS}?kind=judge", file_of(4), content_type=LINES)

        assert answer.status_code == 413
        assert answer.json()["type"] == "urn:orne:problem:needs-workers"
        assert "CELERY_BROKER_URL" in answer.json()["detail"]

    def test_what_makes_no_sense_is_refused(self, alices: APIClient) -> None:
        """An unknown kind, terms nothing can be judged with, no lines, ranges."""
        content = file_of(1)
        assert (
            alices.post(f"{JOBS}?kind=cards", content, content_type=LINES).status_code
            == 422
        )
        assert alices.post(JOBS, content, content_type=LINES).status_code == 422
        for term in ("taboo=1899-01-01", "mode=x", "environment=x", "circumstances=5"):
            terms = f"{JOBS}?kind=judge&taboo=latest&{term}"
            refused = alices.post(terms, content, content_type=LINES)
            assert refused.status_code == 422
            assert refused.json()["parameter"] == term.partition("=")[0]
        assert (
            alices.post(f"{JOBS}?kind=judge", b"", content_type=LINES).status_code
            == 422
        )
        assert alices.post(f"{JOBS}?kind=judge", {}, format="json").status_code == 415
        job = alices.post(f"{JOBS}?kind=judge", content, content_type=LINES).json()
        for query in ("first=0", "first=x", "limit=10001", "first=2"):
            assert alices.get(f"{job['results']}?{query}").status_code == 400

    def test_there_may_be_no_results_yet(self, alice: User, alices: APIClient) -> None:
        """Or none in that part: an empty answer with an ETag, and where to go on."""
        job = started(alice, file_of(2))
        Chunk.objects.filter(job=job.pk).update(done_at=None)
        Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING)
        where = f"{JOBS}{job.pk}/results"
        answer = alices.get(where)
        assert (answer.status_code, answer.content) == (200, b"")
        assert "first=1&" in answer["Link"]
        again = alices.get(where, headers={"If-None-Match": answer["ETag"]})
        assert again.status_code == 304
        assert alices.head(where).status_code == 200

    def test_an_import_has_no_results(self, alice: User, alices: APIClient) -> None:
        """As the job says: it made decks."""
        job = started(alice, file_of(2), "import")
        assert alices.get(f"{JOBS}{job.pk}/").json()["results"] is None
        answer = alices.get(f"{JOBS}{job.pk}/results")
        assert answer.status_code == 404
        assert answer.json()["detail"] == "Jobs of this kind have no results."

    def test_results_deleted_meanwhile_are_gone(
        self, alice: User, alices: APIClient
    ) -> None:
        """Between the look at the job and the look at its files."""
        job = started(alice, file_of(2))
        shutil.rmtree(files.folder_of(job))
        assert alices.get(f"{JOBS}{job.pk}/results").status_code == 404

    def test_a_packed_file_is_refused(self, alices: APIClient) -> None:
        """It isn't taken for a file of unreadable lines."""
        packed = {"Content-Encoding": "gzip"}
        answer = alices.post(
            f"{JOBS}?kind=judge", b"x", content_type=LINES, headers=packed
        )
        assert answer.status_code == 415
        assert not Job.objects.exists()

    def test_a_job_is_its_owners(
        self, alice: User, alices: APIClient, bobs: APIClient
    ) -> None:
        """404 for others, 401 for strangers."""
        job = started(alice, file_of(2))
        for answer in (
            bobs.get(f"{JOBS}{job.pk}/"),
            bobs.get(f"{JOBS}{job.pk}/results"),
            bobs.delete(f"{JOBS}{job.pk}/"),
            bobs.post(f"{JOBS}{job.pk}/cancel"),
            bobs.post(f"{JOBS}{job.pk}/continue"),
        ):
            assert answer.status_code == 404
        assert bobs.get(JOBS).json()["results"] == []
        assert APIClient().get(JOBS).status_code == 401
        assert Job.objects.filter(pk=job.pk).exists()

    def test_starts_are_counted(self, alices: APIClient) -> None:
        """429 above the rate; following is free of it."""
        rates = {"jobs": "2/hour"}
        with patch("arkham.web.limits.JobsOfAccounts.THROTTLE_RATES", rates):
            for status in (202, 202, 429):
                answer = alices.post(
                    f"{JOBS}?kind=judge", file_of(1), content_type=LINES
                )
                assert answer.status_code == status
            assert alices.get(JOBS).status_code == 200


class TestPages:
    def test_a_file_is_judged_and_its_results_are_exported(
        self, as_alice: Client
    ) -> None:
        """A form without JavaScript, a page of the job, a file."""
        sent = {
            "kind": "judge",
            "file": SimpleUploadedFile("decks.jsonl", file_of(5)),
        }
        page = as_alice.post("/jobs/", sent, follow=True)
        text = page.content.decode()
        assert '<h2 id="so-far">Done</h2>' in text
        assert "5 of 5" in text
        job = Job.objects.get()
        file = as_alice.get(f"/jobs/{job.pk}/results.jsonl")
        assert len(b"".join(file).splitlines()) == 5
        assert "Judge decks" in as_alice.get("/jobs/").content.decode()
        as_alice.post(f"/jobs/{job.pk}/", {"act": "delete"})
        assert not Job.objects.exists()

    def test_a_running_job_is_watched_and_cancelled(
        self, alice: User, as_alice: Client, settings: Settings
    ) -> None:
        """It asks for news by itself, with JavaScript and without."""
        settings.CELERY_TASK_ALWAYS_EAGER = False
        with patch.object(current_app, "send_task"):
            job = started(alice, file_of(5))
        page = as_alice.get(f"/jobs/{job.pk}/").content.decode()
        assert 'hx-trigger="every 2s"' in page
        assert '<meta http-equiv="refresh" content="5">' in page
        assert '<progress class="bar" id="progress" max="5" value="0">' in page
        news = as_alice.get(f"/jobs/{job.pk}/", headers={"HX-Request": "true"})
        assert b"<html" not in news.content
        assert "HX-Refresh" not in news.headers

        after = as_alice.post(f"/jobs/{job.pk}/", {"act": "cancel"}, follow=True)

        assert b">Cancelled</h2>" in after.content

    def test_another_account_finds_nothing(self, alice: User, as_bob: Client) -> None:
        """Neither the job nor its results."""
        job = started(alice, file_of(2))

        for place in ("", "results.jsonl"):
            assert as_bob.get(f"/jobs/{job.pk}/{place}").status_code == 404

    def test_a_form_says_what_is_wrong(
        self, as_alice: Client, settings: Settings
    ) -> None:
        """422 with a sentence at the field."""
        settings.ORNE_JOB_ITEMS_AT_ONCE = 1
        for content, taboo, words in (
            (b"", "", "The submitted file is empty."),
            (file_of(2), "", "takes files of up to 1 line"),
            (file_of(1), "x", "taboo"),
        ):
            file = SimpleUploadedFile("a.jsonl", content)
            page = as_alice.post(
                "/jobs/", {"kind": "judge", "file": file, "taboo": taboo}
            )
            assert page.status_code == 422
            assert words in page.content.decode()


class TestSentTwice:
    def test_a_job_is_begun_once_under_a_name(self, alices: APIClient) -> None:
        """The first answer comes again; the file is read, and nothing of it kept."""
        named = {"Idempotency-Key": "one"}
        ask = f"{JOBS}?kind=judge"
        first, again = (
            alices.post(ask, file_of(3), content_type=LINES, headers=named)
            for _time in range(2)
        )

        assert (first.status_code, again.status_code) == (202, 202)
        assert again["Idempotent-Replayed"] == "true"
        assert (first.content, first["Location"]) == (again.content, again["Location"])
        job = Job.objects.get()
        assert (job.state, job.done) == (Job.State.DONE, 3)
        assert [each.name for each in files.folder().iterdir()] == [str(job.pk)]

    def test_another_file_under_the_name_is_refused(self, alices: APIClient) -> None:
        """422; a refusal leaves the name free."""
        named = {"Idempotency-Key": "one"}
        ask = f"{JOBS}?kind=judge"
        empty = alices.post(ask, b"", content_type=LINES, headers=named)
        alices.post(ask, file_of(3), content_type=LINES, headers=named)
        other = alices.post(ask, file_of(2), content_type=LINES, headers=named)

        assert (empty.status_code, other.status_code) == (422, 422)
        assert other.json()["type"] == "urn:orne:problem:idempotency-key-reused"
        assert Job.objects.get().total == 3

    def test_a_name_that_is_none_is_refused_first(self, alices: APIClient) -> None:
        """Before a large file is read."""
        answer = alices.post(
            f"{JOBS}?kind=judge",
            file_of(1),
            content_type=LINES,
            headers={"Idempotency-Key": ""},
        )
        assert answer.status_code == 400
        assert not Job.objects.exists()
