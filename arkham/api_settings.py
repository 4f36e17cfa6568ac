"""Settings of the API: rate limits, and its description."""

from __future__ import annotations

import re
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

DESCRIPTION: dict[str, Any] = {
    "TITLE": "Orne",
    "DESCRIPTION": (
        "Decks and campaigns of Arkham Horror: The Card Game, judged and explained. "
        "Unofficial."
    ),
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "PREPROCESSING_HOOKS": ["arkham.rest.openapi.described_once"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "arkham.rest.openapi.with_components",
    ],
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PUBLIC": True,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "ClassEnum": "arkham.rest.openapi.CLASSES",
        "FaqEnum": "arkham.rules.library.VERSIONS",
        "TokenEnum": "campaigns.api.play.TOKENS",
        "SeatKindEnum": "campaigns.api.people.KINDS",
        "ChangeKindEnum": "campaigns.services.account.KINDS",
        "StateEnum": "arkham.jobs.api.STATES",
    },
}


RATE = re.compile(r"[1-9]\d{0,8}/(s|sec|second|m|min|minute|h|hour|d|day)", re.ASCII)


def rest_framework(env: Any, proxies: int) -> dict[str, Any]:
    """Return the settings of Django REST framework; rates are from the environment."""

    def rate(name: str, default: str) -> str:
        found: str = env.str(name, default=default)
        if RATE.fullmatch(found):
            return found
        raise ImproperlyConfigured(f"{name} is “{found}”. Expected it as {default}.")

    return {
        "DEFAULT_AUTHENTICATION_CLASSES": [
            # The first defines the challenge of a 401.
            "arkham.accounts.authentication.KeyAuthentication",
            "arkham.accounts.authentication.BodilessSessionAuthentication",
        ],
        "DEFAULT_CONTENT_NEGOTIATION_CLASS": "arkham.web.bodies.Negotiation",
        "DEFAULT_METADATA_CLASS": "arkham.web.bodies.MethodsAlone",
        "DEFAULT_PAGINATION_CLASS": "arkham.rest.paging.Pages",
        "DEFAULT_PARSER_CLASSES": ["arkham.web.bodies.StrictJSONParser"],
        "DEFAULT_PERMISSION_CLASSES": [
            "rest_framework.permissions.IsAuthenticatedOrReadOnly"
        ],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_SCHEMA_CLASS": "arkham.rest.openapi.ProblemSchema",
        "DEFAULT_THROTTLE_CLASSES": [
            "arkham.web.request_limits.AnonThrottle",
            "arkham.web.request_limits.UserThrottle",
            "arkham.accounts.authentication.KeyRateThrottle",
        ],
        "DEFAULT_THROTTLE_RATES": {
            "anon": rate("THROTTLE_ANONYMOUS", default="120/min"),
            "user": rate("THROTTLE_ACCOUNT", default="600/min"),
            "key": rate("THROTTLE_KEY", default="300/min"),
            # All addresses of decks on other sites together.
            "addresses": rate("THROTTLE_ADDRESSES", default="30/min"),
            # Verdicts are cheap; a batch counts as twenty.
            "legality": rate("THROTTLE_LEGALITY", default="1200/min"),
            # Clients of ArkhamDB, which has no limit; every answer is fast.
            "public": rate("THROTTLE_PUBLIC", default="1200/min"),
            "odds": rate("THROTTLE_ODDS", default="300/min"),
            # Forms sent on pages: by all strangers at one address, and by one account.
            "pages_anonymous": rate("THROTTLE_PAGES_ANONYMOUS", default="300/min"),
            "pages_account": rate("THROTTLE_PAGES_ACCOUNT", default="600/min"),
            # Drafts, shared verdicts and guests created by strangers at one address.
            "kept_anonymous": rate("THROTTLE_KEPT_ANONYMOUS", default="60/hour"),
            # Reading guides takes seconds.
            "guides": rate("THROTTLE_GUIDES", default="30/hour"),
            # Jobs that one account starts.
            "jobs": rate("THROTTLE_JOBS", default="30/hour"),
            # Published decks that one visitor reports.
            "reports": rate("THROTTLE_REPORTS", default="10/hour"),
            # Messages that one account sends by hand to its webhooks.
            "webhooks": rate("THROTTLE_WEBHOOKS", default="60/hour"),
        },
        "EXCEPTION_HANDLER": "arkham.web.problems.problem_handler",
        "NUM_PROXIES": proxies,
        "PAGE_SIZE": 100,
        "UNICODE_JSON": True,
        "URL_FORMAT_OVERRIDE": None,
    }


HOUR, DAY = 3_600, 86_400

# The scopes of an app, as the consent page describes them.
SCOPES = {
    "read": _("Read your decks, with their notes, experience and earlier versions"),
    "write": _("Make, change, upgrade, publish and delete your decks"),
}

OAUTH2_PROVIDER: dict[str, Any] = {
    "SCOPES": SCOPES,
    # Clients of ArkhamDB request none: they read and write.
    "DEFAULT_SCOPES": list(SCOPES),
    "OAUTH2_VALIDATOR_CLASS": "arkham.accounts.oauth.Validator",
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "ACCESS_TOKEN_EXPIRE_SECONDS": HOUR,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 180 * DAY,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    # Apps register others, including plain HTTP on the local machine.
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https"],
    # Only digests of tokens are stored; challenges must be hashed.
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
}
