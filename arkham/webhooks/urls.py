"""The addresses of webhooks: pages and API."""

from __future__ import annotations

from django.urls import URLPattern, path

from arkham.webhooks import api, views

app_name = "webhooks"

urlpatterns: list[URLPattern] = [
    path("", views.index, name="index"),
    path("<int:pk>/", views.show, name="show"),
    path("<int:pk>/delete/", views.delete, name="delete"),
]

_DELIVERY = "webhooks/<int:pk>/deliveries/<int:delivery>"
# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern] = [
    path("webhooks/", api.Webhooks.as_view(), name="webhooks"),
    path("webhooks/<int:pk>/", api.WebhookDetail.as_view(), name="webhook"),
    path("webhooks/<int:pk>/test", api.WebhookTest.as_view(), name="test"),
    path(
        "webhooks/<int:pk>/rotate-secret",
        api.SecretRotation.as_view(),
        name="rotate-secret",
    ),
    path("webhooks/<int:pk>/switch-on", api.SwitchingOn.as_view(), name="switch-on"),
    path("webhooks/<int:pk>/deliveries/", api.Deliveries.as_view(), name="deliveries"),
    path(f"{_DELIVERY}/send-again", api.SendingAgain.as_view(), name="send-again"),
]
