"""The addresses of jobs: pages and API."""

from __future__ import annotations

from django.urls import URLPattern, path

from arkham.jobs import api, views

app_name = "jobs"

urlpatterns: list[URLPattern] = [
    path("", views.index, name="index"),
    path("<int:pk>/", views.show, name="show"),
    path("<int:pk>/results.jsonl", views.results, name="results"),
]

# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern] = [
    path("jobs/", api.Jobs.as_view(), name="jobs"),
    path("jobs/<int:pk>/", api.JobDetail.as_view(), name="job"),
    path("jobs/<int:pk>/cancel", api.JobCancelling.as_view(), name="cancel"),
    path("jobs/<int:pk>/continue", api.JobContinuing.as_view(), name="continue"),
    path("jobs/<int:pk>/results", api.JobResults.as_view(), name="results"),
]
