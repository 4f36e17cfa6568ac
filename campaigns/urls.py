"""The addresses of the campaigns app: pages and API."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponseBase
from django.urls import URLPattern, URLResolver, path

from campaigns.api import account, entering, entries, odds, people, play, tables
from campaigns.api import achievements as achievements_api
from campaigns.api import files as files_api
from campaigns.api import guides as guides_api
from campaigns.api import invitations as invitations_api
from campaigns.api import ultimatums as ultimatums_api
from campaigns.views import (
    at_table,
    ending,
    facts,
    files,
    invitations,
    live,
    reach,
    scenario,
    seating,
    settings,
    starting,
    table,
    timeline,
)
from decks.views.reach import register_saved_draft

app_name = "campaigns"
register_saved_draft(invitations.play_saved_draft)


def at_a_table(
    place: str, view: Callable[..., HttpResponseBase], name: str
) -> URLPattern:
    """Return a page under the number of a campaign."""
    return path(f"<int:pk>/{place}", view, name=name)


urlpatterns: list[URLPattern | URLResolver] = [
    path("", starting.index, name="index"),
    path("new/", starting.new, name="new"),
    path("new/scenario/", starting.single, name="single"),
    path("statistics/", ending.statistics, name="statistics"),
    at_a_table("", table.table, name="table"),
    at_a_table("enter/", starting.enter, name="enter"),
    at_a_table("take-back", table.take_back, name="take-back"),
    at_a_table("news", table.news, name="news"),
    at_a_table("changes", live.changes, name="changes"),
    at_a_table("people/", seating.people, name="people"),
    at_a_table("people/sit/", seating.sit, name="sit"),
    at_a_table("people/members/<int:other>/role", seating.change_role, name="role"),
    at_a_table("people/members/<int:other>/go", seating.go, name="go"),
    at_a_table("people/seats/<int:seat>", seating.change_seat, name="change-seat"),
    at_a_table("people/seats/<int:seat>/retire", seating.retire, name="retire"),
    at_a_table("people/transfer/", seating.transfer, name="transfer"),
    at_a_table("people/invite", invitations.invite, name="invite"),
    at_a_table("people/links/<int:made>/", invitations.invitation, name="invitation"),
    at_a_table("people/links/<int:made>/revoke", invitations.revoke, name="revoke"),
    at_a_table("ultimatums/", facts.ultimatums, name="ultimatums"),
    at_a_table("ultimatums/draw", facts.draw, name="draw-ultimatum"),
    at_a_table("ultimatums/<int:entry>/release", facts.drop, name="release"),
    path("join/<str:token>/", invitations.join, name="join"),
    path("claim", invitations.claim, name="claim"),
    at_a_table("ending/", ending.ending, name="ending"),
    at_a_table("ending/picture.svg", ending.picture, name="picture"),
    at_a_table("log/", timeline.log_page, name="log"),
    at_a_table("achievements/", ending.achievements, name="achievements"),
    at_a_table("timeline/", timeline.timeline, name="timeline"),
    at_a_table("timeline/<int:sequence>/", timeline.entry, name="entry"),
    at_a_table("fact/", facts.fact, name="fact"),
    at_a_table("between/", facts.between, name="between"),
    at_a_table("settings/", settings.settings, name="settings"),
    at_a_table("begin-again", timeline.begin_again, name="begin-again"),
    at_a_table("experience.csv", files.experience, name="experience"),
    at_a_table("campaign.json", files.export, name="export"),
    path("bring/", files.bring, name="bring"),
    path("bring/<int:pk>/", files.waiting, name="waiting"),
    at_a_table("draw", scenario.draw, name="draw"),
    at_a_table("counted", table.counted, name="counted"),
    at_a_table("later", reach.later, name="later"),
    at_a_table("scenario/", scenario.scenario, name="scenario"),
    at_a_table("scenario/area/<slug:code>/", scenario.area, name="area"),
    at_a_table("scenario/news", scenario.news, name="scenario-news"),
    at_a_table("scenario/reveal", scenario.reveal, name="reveal"),
    at_a_table("scenario/place", scenario.draw_place, name="draw-place"),
    at_a_table("scenario/frost", scenario.keep_frost, name="keep-frost"),
    path("guides/", files.guides, name="guides"),
    path("guides/<int:pk>/", files.guide, name="guide"),
    path("guides/<int:pk>/remove", files.remove, name="remove-guide"),
]

# Mounted under /account/close/: closing needs to know about campaigns.
closing_urlpatterns: list[URLPattern | URLResolver] = [
    path("", settings.close, name="close")
]

# Mounted under /odds/: the chaos bag tools, for everyone.
odds_urlpatterns: list[URLPattern | URLResolver] = [
    path("", at_table.odds, name="test"),
    path("bag/", at_table.bag, name="bag"),
]

# Mounted under /table/: helpers for play, for everyone.
table_urlpatterns: list[URLPattern | URLResolver] = [
    path("", at_table.index, name="index"),
    path("round/", at_table.game_round, name="round"),
    path("elimination/", at_table.elimination, name="elimination"),
    path("test/", at_table.skill_test, name="test"),
    path("area/", at_table.play_area, name="area"),
    path("deck/", at_table.pile, name="deck"),
]

# Mounted under /api/v1/.
api_urlpatterns: list[URLPattern | URLResolver] = [
    path("me/", account.AccountView.as_view(), name="account"),
    path("changes", account.AccountChanges.as_view(), name="changes"),
    path("odds", odds.TestOdds.as_view(), name="odds"),
    path("campaigns/", tables.Campaigns.as_view(), name="campaigns"),
    path("campaigns/join", invitations_api.Joining.as_view(), name="join"),
    path("campaigns/claim", invitations_api.Claiming.as_view(), name="claim"),
    path(
        "campaigns/statistics",
        achievements_api.CampaignStatistics.as_view(),
        name="statistics",
    ),
    path("campaigns/import", files_api.CampaignImportView.as_view(), name="import"),
    path("campaigns/backups/", files_api.Backups.as_view(), name="backups"),
    path(
        "campaigns/backups/<int:pk>/", files_api.BackupDetail.as_view(), name="backup"
    ),
    path(
        "campaigns/backups/<int:pk>/import",
        files_api.BackupImport.as_view(),
        name="backup-import",
    ),
    path(
        "campaigns/backups/<int:pk>/by-hand",
        files_api.BackupByHand.as_view(),
        name="backup-by-hand",
    ),
    path(
        "campaigns/<int:pk>/export",
        files_api.CampaignExportView.as_view(),
        name="export",
    ),
    path("campaigns/<int:pk>/", tables.CampaignDetail.as_view(), name="campaign"),
    path("campaigns/<int:pk>/entries/", entries.Entries.as_view(), name="entries"),
    path(
        "campaigns/<int:pk>/corrections/",
        entries.CorrectionsView.as_view(),
        name="corrections",
    ),
    path(
        "campaigns/<int:pk>/retractions/",
        entries.Retractions.as_view(),
        name="retractions",
    ),
    path("campaigns/<int:pk>/play", play.Play.as_view(), name="play"),
    path("campaigns/<int:pk>/draws/", play.DrawsView.as_view(), name="draws"),
    path("campaigns/<int:pk>/preview", entries.Previews.as_view(), name="preview"),
    path("campaigns/<int:pk>/branches/", tables.Branches.as_view(), name="branches"),
    path("campaigns/<int:pk>/linked", tables.LinkedView.as_view(), name="linked"),
    path(
        "campaigns/<int:pk>/guides/<int:guide>/",
        tables.OtherGuide.as_view(),
        name="other-guide",
    ),
    path(
        "campaigns/<int:pk>/achievements/",
        achievements_api.Achievements.as_view(),
        name="achievements",
    ),
    path("campaigns/<int:pk>/faq", achievements_api.FaqPin.as_view(), name="faq"),
    path(
        "campaigns/<int:pk>/standing",
        entering.PaperCampaignView.as_view(),
        name="standing",
    ),
    path(
        "campaigns/<int:pk>/oaths/",
        ultimatums_api.UltimatumsView.as_view(),
        name="oaths",
    ),
    path(
        "campaigns/<int:pk>/oaths/drawn",
        ultimatums_api.UltimatumDrawView.as_view(),
        name="drawn",
    ),
    path(
        "campaigns/<int:pk>/seats/<int:seat>/retirement",
        ultimatums_api.Retirement.as_view(),
        name="retirement",
    ),
    path(
        "campaigns/<int:pk>/transfers/",
        ultimatums_api.Transfers.as_view(),
        name="transfers",
    ),
    path("campaigns/<int:pk>/members/", people.Members.as_view(), name="members"),
    path(
        "campaigns/<int:pk>/members/<int:member>/",
        people.MemberDetail.as_view(),
        name="member",
    ),
    path("campaigns/<int:pk>/seats/", people.Seats.as_view(), name="seats"),
    path(
        "campaigns/<int:pk>/seats/<int:seat>/", people.SeatDetail.as_view(), name="seat"
    ),
    path(
        "campaigns/<int:pk>/invitations/",
        invitations_api.Invitations.as_view(),
        name="invitations",
    ),
    path(
        "campaigns/<int:pk>/invitations/<int:invitation>/",
        invitations_api.InvitationDetail.as_view(),
        name="invitation",
    ),
    path("guides/", guides_api.Guides.as_view(), name="guides"),
    path("guides/<int:pk>/", guides_api.GuideDetail.as_view(), name="guide"),
    path("guides/<int:pk>/words", guides_api.GuideWords.as_view(), name="words"),
]
