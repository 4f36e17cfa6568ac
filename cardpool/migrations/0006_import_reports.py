"""Imports of cards keep what they changed."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('cardpool', '0005_imports_are_jobs'),
    ]

    operations = [
        migrations.AddField(
            model_name='cardimport',
            name='report',
            field=models.JSONField(default=dict),
        ),
    ]
