"""Names of accounts in lower case, as they are looked up at sign-in."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def lower_names(apps: Apps, _schema: BaseDatabaseSchemaEditor) -> None:
    """Keep each name in lower case; one that another account has stays as it is."""
    users = apps.get_model("accounts", "User").objects
    taken = set(users.values_list("username", flat=True))
    for user in users.all():
        lower = user.username.lower()
        if lower != user.username and lower not in taken:
            taken.add(lower)
            users.filter(pk=user.pk).update(username=lower)


class Migration(migrations.Migration):
    """Changes rows alone."""

    dependencies = [("accounts", "0002_api_keys")]

    operations = [migrations.RunPython(lower_names, migrations.RunPython.noop)]
