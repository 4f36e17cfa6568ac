"""The addresses of the account pages."""

from __future__ import annotations

from allauth.mfa.recovery_codes.views import view_recovery_codes
from allauth.mfa.totp.views import activate_totp
from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.views import RevokeTokenView

from arkham.accounts import views
from arkham.accounts.oauth import Authorize, TokensByGrant

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.overview, name="account"),
    path("keys/", views.keys, name="account_keys"),
    path("keys/<int:pk>/revoke/", views.revoke_key, name="account_revoke_key"),
    path("apps/", views.new_app, name="account_new_app"),
    path("apps/<int:pk>/delete/", views.delete_app, name="account_delete_app"),
    path("apps/<int:pk>/revoke/", views.revoke_app, name="account_revoke_app"),
    # These two come before allauth's, which have the same names.
    path("email/", views.email, name="account_email"),
    path("password/reset/", views.password_reset, name="account_reset_password"),
    path("sessions/", views.sessions, name="usersessions_list"),
    # These two show secrets: Back must not show them to the browser's next user.
    path("second-step/totp/activate/", never_cache(activate_totp)),
    path("second-step/recovery-codes/", never_cache(view_recovery_codes)),
    path("second-step/", include("allauth.mfa.urls")),
    path("", include("allauth.account.urls")),
]

# ArkhamDB's addresses; apps send no cookies, which forgery would need.
oauth_urlpatterns: list[URLPattern | URLResolver] = [
    path("auth", Authorize.as_view(), name="oauth_authorize"),
    path("token", csrf_exempt(TokensByGrant.as_view()), name="oauth_token"),
    path("revoke", csrf_exempt(RevokeTokenView.as_view()), name="oauth_revoke"),
]
