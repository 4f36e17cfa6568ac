"""Which address leads where: the account pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from arkham.accounts import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.overview, name="account"),
    path("keys/", views.keys, name="account_keys"),
    path("keys/<int:pk>/revoke/", views.revoke_key, name="account_revoke_key"),
    # These two stand before allauth's, which answer to the same names.
    path("email/", views.email, name="account_email"),
    path("password/reset/", views.password_reset, name="account_reset_password"),
    path("", include("allauth.account.urls")),
]
