from django.db import migrations, models

FIELDS = "card_id, text, back_text, sheet_text, folded, source, language"
KEEP = f"""
INSERT INTO cardpool_cardtextinlanguage (name, subname, {FIELDS})
SELECT '', '', {FIELDS} FROM cardpool_cardtext
"""


class Migration(migrations.Migration):
    """A text for each language: the key of its table changes, so it is made again.

    PostgreSQL alters no table with rows whose foreign keys it has yet to check: these
    are made to be checked after the rows are copied.
    """

    dependencies = [
        ('cardpool', '0003_card_imports'),
    ]

    operations = [
        migrations.CreateModel(
            name='CardTextInLanguage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=200)),
                ('subname', models.CharField(blank=True, max_length=200)),
                ('text', models.TextField(blank=True)),
                ('back_text', models.TextField(blank=True)),
                ('sheet_text', models.TextField(blank=True)),
                ('folded', models.TextField(blank=True)),
                ('source', models.CharField(max_length=200)),
                ('language', models.CharField(default='en', max_length=10)),
                ('card', models.ForeignKey(db_constraint=False, on_delete=models.CASCADE, related_name='+', to='cardpool.card')),
            ],
        ),
        migrations.RunSQL(KEEP, migrations.RunSQL.noop),
        migrations.DeleteModel(name='CardText'),
        migrations.RenameModel('CardTextInLanguage', 'CardText'),
        migrations.AlterField(
            model_name='cardtext',
            name='card',
            field=models.ForeignKey(on_delete=models.CASCADE, related_name='printed', to='cardpool.card'),
        ),
        migrations.AlterModelOptions(
            name='cardtext',
            options={'ordering': ['card', 'language']},
        ),
        migrations.AddConstraint(
            model_name='cardtext',
            constraint=models.UniqueConstraint(fields=('card', 'language'), name='one_text_a_language'),
        ),
        migrations.AlterModelOptions(
            name='picture',
            options={'ordering': ['code', 'is_back', 'language']},
        ),
        migrations.RemoveConstraint(
            model_name='picture',
            name='one_of_a_side',
        ),
        migrations.AddConstraint(
            model_name='picture',
            constraint=models.UniqueConstraint(fields=('code', 'is_back', 'language'), name='one_of_a_side'),
        ),
        migrations.AlterField(
            model_name='cardimport',
            name='language',
            field=models.CharField(default='en', max_length=100),
        ),
    ]
