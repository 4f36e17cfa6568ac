"""Cards and lists as the public API gives them."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('cardpool', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='PublicCard',
            fields=[
                ('code', models.CharField(max_length=8, primary_key=True, serialize=False)),
                ('pack', models.CharField(db_index=True, max_length=40)),
                ('place', models.PositiveIntegerField(db_index=True)),
                ('encounter', models.BooleanField()),
                ('hidden', models.BooleanField()),
                ('body', models.TextField()),
                ('bonded', models.TextField(blank=True)),
                ('record', models.JSONField()),
            ],
            options={
                'ordering': ['place'],
            },
        ),
        migrations.CreateModel(
            name='PublicList',
            fields=[
                ('name', models.CharField(max_length=10, primary_key=True, serialize=False)),
                ('body', models.TextField()),
                ('records', models.JSONField()),
            ],
        ),
    ]
