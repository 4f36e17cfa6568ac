"""All addresses: pages, the API, health."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import view_recovery_codes
from allauth.mfa.totp.views import activate_totp
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.models import AccessToken, Grant, IDToken, RefreshToken
from oauth2_provider.views import RevokeTokenView

from arkham import api, health, offline, views
from arkham.accounts import views as accounts
from arkham.accounts.oauth import Authorize, TokensByGrant
from arkham.jobs import views as jobs
from arkham.library import views as library
from arkham.webhooks import views as webhooks
from campaigns.urls import closing_urlpatterns, odds_urlpatterns, table_urlpatterns
from cardpool.urls import arkhamdb_urlpatterns as arkhamdb_cards
from decks.urls import arkhamdb_urlpatterns as arkhamdb_decks
from decks.views import account, decks, investigators, verdicts

# Staff sign in like everyone: with the same limits on guessing passwords.
admin.site.login = secure_admin_login(  # type: ignore[method-assign]
    admin.site.login
)

# These are created and revoked on account pages; edited by hand they would break.
admin.site.unregister(
    [AccessToken, Authenticator, Grant, IDToken, RefreshToken, UserSession]
)

ACCOUNT: list[URLPattern | URLResolver] = [
    path("", accounts.overview, name="account"),
    path("keys/", accounts.keys, name="account_keys"),
    path("keys/<int:pk>/revoke/", accounts.revoke_key, name="account_revoke_key"),
    path("apps/", accounts.new_app, name="account_new_app"),
    path("apps/<int:pk>/delete/", accounts.delete_app, name="account_delete_app"),
    path("apps/<int:pk>/revoke/", accounts.revoke_app, name="account_revoke_app"),
    # These two come before allauth's, which have the same names.
    path("email/", accounts.email, name="account_email"),
    path("password/reset/", accounts.password_reset, name="account_reset_password"),
    path("sessions/", accounts.sessions, name="usersessions_list"),
    # These two show secrets: Back must not show them to the browser's next user.
    path("second-step/totp/activate/", never_cache(activate_totp)),
    path("second-step/recovery-codes/", never_cache(view_recovery_codes)),
    path("second-step/", include("allauth.mfa.urls")),
    path("", include("allauth.account.urls")),
]

# ArkhamDB's addresses; apps send no cookies, which forgery would need.
OAUTH = [
    path("auth", Authorize.as_view(), name="oauth_authorize"),
    path("token", csrf_exempt(TokensByGrant.as_view()), name="oauth_token"),
    path("revoke", csrf_exempt(RevokeTokenView.as_view()), name="oauth_revoke"),
]

RULES = [
    path("", library.index, name="index"),
    path("<slug:slug>/", library.entry, name="entry"),
]
WEBHOOKS = [
    path("", webhooks.index, name="index"),
    path("<int:pk>/", webhooks.show, name="show"),
    path("<int:pk>/delete/", webhooks.delete, name="delete"),
]
JOBS = [
    path("", jobs.index, name="index"),
    path("<int:pk>/", jobs.show, name="show"),
    path("<int:pk>/results.jsonl", jobs.results, name="results"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", decks.home, name="home"),
    # Before the others: programs ask most, and addresses are tried in this order.
    path("api/", include(api, namespace="api")),
    path("api", api.unknown_address),
    path("rules/", include((RULES, "library"))),
    path("cards/", include("cardpool.urls")),
    path("decks/", include("decks.urls")),
    path("investigators/", investigators.index, name="investigators"),
    path("verdicts/<slug:key>/", verdicts.shared_verdict, name="verdict"),
    path("", include(arkhamdb_cards)),
    path("", include(arkhamdb_decks)),
    re_path(r"^v1(?:/|$)", api.unknown_address),  # of arkham.build's addresses
    path("campaigns/", include("campaigns.urls")),
    path("odds/", include((odds_urlpatterns, "odds"))),
    path("table/", include((table_urlpatterns, "table"))),
    path("account/close/", include((closing_urlpatterns, "closing"))),
    path("account/preferences/", account.preferences, name="account_preferences"),
    path("account/webhooks/", include((WEBHOOKS, "webhooks"))),
    path("account/", include(ACCOUNT)),
    path("jobs/", include((JOBS, "jobs"))),
    path("oauth/v2/", include(OAUTH)),
    path("operator/", views.index, name="operator"),
    path("operator/accounts/", views.people, name="operator_accounts"),
    path("operator/reports/", views.reports, name="operator_reports"),
    path("admin/", admin.site.urls),
    path("search/", views.search, name="search"),
    path("favicon.ico", views.favicon),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("offline/", include((offline.offline_urlpatterns, "offline"))),
    path("sw.js", offline.worker, name="worker"),
    path("healthz", health.healthz, name="healthz"),
    path("metrics", health.metrics, name="metrics"),
]

handler400 = "arkham.web.errors.bad_request"
handler403 = "arkham.web.errors.forbidden"
handler404 = "arkham.web.errors.not_found"
handler500 = "arkham.web.errors.server_error"
