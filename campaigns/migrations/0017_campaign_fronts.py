"""A campaign knows which fronts its decks play."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the fronts; those of decks linked before it follow with their next change."""

    dependencies = [("campaigns", "0016_words_of_settlements")]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="fronts",
            field=models.JSONField(blank=True, null=True, verbose_name="fronts played"),
        ),
    ]
