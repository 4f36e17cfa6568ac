"""Campaigns, who sits at them, their log, and the guides they follow."""

import campaigns.models.campaign
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models

COLUMNS = (
    "campaign_id, sequence, kind, version, payload, cause, author_name, recorded_at, key"
)
REFUSAL = "The log of a campaign is only ever added to."
STANDS = {
    "sqlite": [
        f"CREATE TRIGGER campaigns_log_stands BEFORE UPDATE OF {COLUMNS}"
        " ON campaigns_logentry BEGIN"
        f" SELECT RAISE(ABORT, '{REFUSAL}'); END"
    ],
    "postgresql": [
        "CREATE FUNCTION campaigns_log_stands() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN RAISE EXCEPTION '{REFUSAL}'"
        " USING ERRCODE = 'integrity_constraint_violation'; END $$",
        f"CREATE TRIGGER campaigns_log_stands BEFORE UPDATE OF {COLUMNS}"
        " ON campaigns_logentry FOR EACH ROW EXECUTE FUNCTION campaigns_log_stands()",
    ],
}
FALLS = {
    "sqlite": ["DROP TRIGGER campaigns_log_stands"],
    "postgresql": [
        "DROP TRIGGER campaigns_log_stands ON campaigns_logentry",
        "DROP FUNCTION campaigns_log_stands()",
    ],
}


def let_the_log_stand(apps, schema_editor):
    """The database refuses to change what stands in a log, the author's row aside.

    SQLite forgets this where a later migration makes the table anew.
    """
    for statement in STANDS.get(schema_editor.connection.vendor, []):
        schema_editor.execute(statement)


def let_the_log_fall(apps, schema_editor):
    for statement in FALLS.get(schema_editor.connection.vendor, []):
        schema_editor.execute(statement)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('decks', '0006_publishing'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Campaign',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('version', models.PositiveIntegerField(default=1, verbose_name='version of the guide')),
                ('standalone', models.CharField(blank=True, max_length=80, verbose_name='scenario on its own')),
                ('terms', models.JSONField(blank=True, default=dict, verbose_name='terms')),
                ('last', models.PositiveIntegerField(default=0, verbose_name='last entry')),
                ('head', models.CharField(blank=True, max_length=64, verbose_name='head')),
                ('seed', models.CharField(default=campaigns.models.campaign.new_secret, max_length=40, verbose_name='seed')),
                ('branched_at', models.PositiveIntegerField(blank=True, null=True, verbose_name='branched after entry')),
                ('made_at', models.DateTimeField(verbose_name='made at')),
                ('changed_at', models.DateTimeField(verbose_name='changed at')),
                ('archived_at', models.DateTimeField(blank=True, null=True, verbose_name='archived at')),
                ('branched_from', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='branches', to='campaigns.campaign', verbose_name='branched from')),
                ('linked', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='campaigns.campaign', verbose_name='linked campaign')),
            ],
            options={
                'verbose_name': 'campaign',
                'verbose_name_plural': 'campaigns',
                'ordering': ['-changed_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Guest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('digest', models.CharField(max_length=64, unique=True, verbose_name='digest')),
                ('made_at', models.DateTimeField(verbose_name='made at')),
            ],
            options={
                'verbose_name': 'guest',
                'verbose_name_plural': 'guests',
            },
        ),
        migrations.CreateModel(
            name='Snapshot',
            fields=[
                ('campaign', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='snapshot', serialize=False, to='campaigns.campaign', verbose_name='campaign')),
                ('up_to', models.PositiveIntegerField(verbose_name='up to entry')),
                ('engine', models.CharField(max_length=40, verbose_name='version of the rules')),
                ('state', models.JSONField(verbose_name='state')),
            ],
            options={
                'verbose_name': 'snapshot',
                'verbose_name_plural': 'snapshots',
            },
        ),
        migrations.CreateModel(
            name='Guide',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, verbose_name='digest')),
                ('side_digest', models.CharField(blank=True, max_length=64, verbose_name='digest of the side scenarios')),
                ('guide_id', models.CharField(max_length=60, verbose_name='guide')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('version', models.PositiveIntegerField(default=1, verbose_name='version')),
                ('origin', models.CharField(choices=[('ours', 'Of this server'), ('facts', 'Kept by hand'), ('field', 'Imported')], max_length=5, verbose_name='origin')),
                ('prepared', models.BinaryField(blank=True, default=bytes, verbose_name='prepared form')),
                ('words', models.BinaryField(blank=True, null=True, verbose_name='words')),
                ('brought_at', models.DateTimeField(verbose_name='brought at')),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='guides', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
            ],
            options={
                'verbose_name': 'guide',
                'verbose_name_plural': 'guides',
                'ordering': ['guide_id', '-brought_at', '-pk'],
            },
        ),
        migrations.AddField(
            model_name='campaign',
            name='guide',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='campaigns', to='campaigns.guide', verbose_name='guide'),
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('organiser', 'Organiser'), ('scribe', 'Scribe'), ('player', 'Player'), ('spectator', 'Spectator')], max_length=10, verbose_name='role')),
                ('joined_at', models.DateTimeField(verbose_name='joined at')),
                ('left_at', models.DateTimeField(blank=True, null=True, verbose_name='left at')),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='campaigns.campaign', verbose_name='campaign')),
                ('guest', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='campaigns.guest', verbose_name='guest')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL, verbose_name='account')),
            ],
            options={
                'verbose_name': 'member',
                'verbose_name_plural': 'members',
                'ordering': ['campaign', 'joined_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='LogEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sequence', models.PositiveIntegerField(verbose_name='sequence')),
                ('kind', models.CharField(max_length=40, verbose_name='kind')),
                ('version', models.PositiveSmallIntegerField(verbose_name='version')),
                ('payload', models.JSONField(verbose_name='payload')),
                ('cause', models.CharField(blank=True, max_length=120, verbose_name='cause')),
                ('author_name', models.CharField(blank=True, max_length=80, verbose_name='name of the author')),
                ('recorded_at', models.DateTimeField(verbose_name='recorded at')),
                ('key', models.CharField(blank=True, max_length=120, null=True, verbose_name='key')),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='campaigns.campaign', verbose_name='campaign')),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='campaigns.membership', verbose_name='author')),
            ],
            options={
                'verbose_name': 'log entry',
                'verbose_name_plural': 'log entries',
                'ordering': ['campaign', 'sequence'],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('investigator', models.CharField(max_length=40, verbose_name='investigator')),
                ('kind', models.CharField(choices=[('here', 'A deck kept here'), ('paper', 'A deck on paper'), ('none', 'No deck')], default='none', max_length=5, verbose_name='kind of deck')),
                ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                ('made_at', models.DateTimeField(verbose_name='made at')),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='campaigns.campaign', verbose_name='campaign')),
                ('deck', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='decks.deck', verbose_name='deck')),
                ('member', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='seats', to='campaigns.membership', verbose_name='player')),
            ],
            options={
                'verbose_name': 'seat',
                'verbose_name_plural': 'seats',
                'ordering': ['campaign', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, unique=True, verbose_name='key')),
                ('role', models.CharField(choices=[('organiser', 'Organiser'), ('scribe', 'Scribe'), ('player', 'Player'), ('spectator', 'Spectator')], default='player', max_length=10, verbose_name='role')),
                ('uses', models.PositiveIntegerField(default=0, verbose_name='uses')),
                ('made_at', models.DateTimeField(verbose_name='made at')),
                ('expires_at', models.DateTimeField(verbose_name='expires at')),
                ('revoked_at', models.DateTimeField(blank=True, null=True, verbose_name='revoked at')),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='campaigns.campaign', verbose_name='campaign')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='campaigns.membership', verbose_name='made by')),
                ('seat', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='campaigns.seat', verbose_name='seat')),
            ],
            options={
                'verbose_name': 'invitation',
                'verbose_name_plural': 'invitations',
                'ordering': ['campaign', '-made_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Settlement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scenario', models.CharField(max_length=80, verbose_name='scenario')),
                ('sequence', models.PositiveIntegerField(verbose_name='entry')),
                ('content', models.JSONField(default=dict, verbose_name='content')),
                ('ledger', models.JSONField(default=list, verbose_name='ledger entries')),
                ('made_at', models.DateTimeField(verbose_name='made at')),
                ('taken_back_at', models.DateTimeField(blank=True, null=True, verbose_name='taken back at')),
                ('deck', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='decks.deck', verbose_name='deck')),
                ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='settlements', to='campaigns.seat', verbose_name='seat')),
            ],
            options={
                'verbose_name': 'settlement',
                'verbose_name_plural': 'settlements',
                'ordering': ['seat', 'pk'],
            },
        ),
        migrations.AddIndex(
            model_name='guide',
            index=models.Index(fields=['guide_id', 'owner'], name='campaigns_g_guide_i_7df04e_idx'),
        ),
        migrations.AddConstraint(
            model_name='guide',
            constraint=models.UniqueConstraint(fields=('digest', 'side_digest', 'owner'), name='a_guide_once_an_owner'),
        ),
        migrations.AddConstraint(
            model_name='guide',
            constraint=models.UniqueConstraint(condition=models.Q(('owner__isnull', True)), fields=('digest', 'side_digest'), name='a_guide_once_for_everybody'),
        ),
        migrations.AddConstraint(
            model_name='guide',
            constraint=models.CheckConstraint(condition=models.Q(('owner__isnull', False), ('words__isnull', True), _connector='OR'), name='words_are_for_their_owner'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.CheckConstraint(condition=models.Q(('user__isnull', True), ('guest__isnull', True), _connector='XOR'), name='a_member_is_a_person_or_a_guest'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(condition=models.Q(('user__isnull', False)), fields=('campaign', 'user'), name='a_person_once_at_a_table'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(condition=models.Q(('guest__isnull', False)), fields=('campaign', 'guest'), name='a_guest_once_at_a_table'),
        ),
        migrations.AddConstraint(
            model_name='logentry',
            constraint=models.UniqueConstraint(fields=('campaign', 'sequence'), name='one_entry_a_sequence'),
        ),
        migrations.AddConstraint(
            model_name='logentry',
            constraint=models.UniqueConstraint(condition=models.Q(('key__isnull', False)), fields=('campaign', 'key'), name='one_entry_a_key'),
        ),
        migrations.AddConstraint(
            model_name='logentry',
            constraint=models.CheckConstraint(condition=models.Q(('sequence__gte', 1)), name='sequences_begin_with_one'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('campaign', 'investigator'), name='an_investigator_once_a_campaign'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('deck__isnull', True), ('kind', 'here'), _connector='OR'), name='a_deck_here_is_kept_here'),
        ),
        migrations.AddConstraint(
            model_name='settlement',
            constraint=models.UniqueConstraint(condition=models.Q(('taken_back_at__isnull', True)), fields=('seat', 'deck', 'scenario'), name='a_scenario_is_settled_once'),
        ),
        migrations.RunPython(let_the_log_stand, let_the_log_fall),
    ]
