"""Scripts of any site may use the API, without credentials."""

from __future__ import annotations

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db

ORIGIN = {"Origin": "https://elsewhere.example"}


def test_a_preflight_is_answered(client: Client) -> None:
    """Before any view, with the allowed methods and headers, without credentials."""
    answer = client.options(
        "/api/v1/legality",
        headers=ORIGIN
        | {
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type",
        },
    )

    assert answer.status_code == 204
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "POST" in answer["Access-Control-Allow-Methods"]
    allowed = answer["Access-Control-Allow-Headers"].split(", ")
    assert {"Content-Type", "If-None-Match", "If-Modified-Since"} <= set(allowed)
    assert "Access-Control-Allow-Credentials" not in answer


@pytest.mark.parametrize(("path", "status"), [("/api/v1/", 200), ("/api/v1/no", 404)])
def test_responses_may_be_read_by_other_sites(
    client: Client, path: str, status: int
) -> None:
    """Refusals too, so that scripts can show the reason."""
    answer = client.get(path, headers=ORIGIN)

    assert answer.status_code == status
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "ETag" in answer["Access-Control-Expose-Headers"]


@pytest.mark.parametrize("path", ["/v1/public/share/1", "/oauth/v2/token"])
def test_a_preflight_is_answered_outside_the_api(client: Client, path: str) -> None:
    """At the addresses of arkham.build's API, and where apps get tokens."""
    asked = ORIGIN | {"Access-Control-Request-Method": "GET"}
    assert client.options(path, headers=asked).status_code == 204


@pytest.mark.parametrize("path", ["/oauth/v2/token", "/oauth/v2/revoke"])
def test_apps_in_a_browser_get_their_tokens(client: Client, path: str) -> None:
    """Refusals can be read as well."""
    assert client.post(path, headers=ORIGIN)["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "path", ["/", "/oauth/v2/auth", "/account/login/", "/api/docs", "/healthz"]
)
def test_pages_may_not_be_read_by_other_sites(client: Client, path: str) -> None:
    """Only the API is open to them."""
    assert "Access-Control-Allow-Origin" not in client.get(path, headers=ORIGIN)


def test_a_request_without_an_origin_gets_no_headers(client: Client) -> None:
    assert "Access-Control-Allow-Origin" not in client.get("/api/v1/")
