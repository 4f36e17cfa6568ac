"""A settlement’s fields are named as pages name them."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0015_campaign_heard'),
    ]

    operations = [
        migrations.AlterField(
            model_name='settlement',
            name='taken_back_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='undone at'),
        ),
    ]
