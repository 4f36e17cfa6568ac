"""Settings: everything that varies comes from the environment.

Variables may also be set in ``$ORNE_DATA/settings.env``, one ``NAME=value`` per line;
the environment takes precedence. ``NAME_FILE`` names a file with the value. With
``DEBUG`` and ``ORNE_LOCAL`` off, which is the default, every setting is the safe one.
"""

from __future__ import annotations

from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from arkham import api_settings, log
from arkham.data_folder import FOLDER, private_file, secret_key

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = FOLDER
env = environ.FileAwareEnv()
if (DATA_DIR / "settings.env").is_file():
    env.read_env(DATA_DIR / "settings.env")

# --- Core -------------------------------------------------------------------------

# Django's debug pages, for work on Orne itself: they show code and settings.
DEBUG = env.bool("DEBUG", default=False)
# Serving on one's own machine: plain HTTP, static files straight from the source, the
# demo account. What visitors see is the same as elsewhere, errors included.
ORNE_LOCAL = env.bool("ORNE_LOCAL", default=DEBUG)
SECRET_KEY = env.str("SECRET_KEY", default="") or secret_key(DATA_DIR / "secret-key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

ROOT_URLCONF = "arkham.urls"
FORM_RENDERER = "arkham.web.forms.Renderer"
WSGI_APPLICATION = "arkham.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "arkham.apps.ArkhamConfig",
    "arkham.accounts.apps.AccountsConfig",
    "arkham.jobs.apps.JobsConfig",
    "arkham.webhooks.apps.WebhooksConfig",
    "cardpool.apps.CardpoolConfig",
    "decks.apps.DecksConfig",
    "campaigns.apps.CampaignsConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "oauth2_provider",
    "rest_framework",
]

MIDDLEWARE = [
    "arkham.web.measuring.MeasuringMiddleware",
    "campaigns.middleware.NewsMiddleware",
    "arkham.web.http.Utf8FormsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "arkham.web.http.PackingMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "arkham.web.http.PrivateByDefaultMiddleware",
    "arkham.web.http.CrossOriginMiddleware",
    "arkham.web.request_limits.RateLimitMiddleware",
    "arkham.web.http.ConditionalApiMiddleware",
    "arkham.rest.parameters.KnownParametersMiddleware",
    "arkham.web.http.PolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "cardpool.languages.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "arkham.web.request_limits.BodyLimitMiddleware",
    "arkham.web.errors.ParametersOfLibrariesMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "arkham.web.limits.LimitsMiddleware",
    "arkham.accounts.authentication.SignedOutMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "arkham.web.http.FragmentCacheMiddleware",
    "arkham.offline.OfflineCopyMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "arkham.web.errors.WrongMethodMiddleware",
    "arkham.web.errors.DeletedMeanwhileMiddleware",
    "decks.views.desk.InPlayMiddleware",
    "campaigns.middleware.UnreadableCampaigns",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["arkham.templatetags.arkham"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "arkham.accounts.preferences.for_templates",
            ],
        },
    },
]

# --- Database ---------------------------------------------------------------------
# SQLite unless DATABASE_URL names another. Writers queue from the start of their
# transaction (IMMEDIATE) instead of failing at its end; readers never wait (WAL).

DATABASES = {
    "default": env.db_url(
        "DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'orne.sqlite3'}"
    )
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    if DATABASES["default"]["NAME"] == str(DATA_DIR / "orne.sqlite3"):
        private_file(DATA_DIR / "orne.sqlite3")
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": (
            "PRAGMA journal_mode=WAL;"
            "PRAGMA synchronous=NORMAL;"
            "PRAGMA temp_store=MEMORY;"
            "PRAGMA mmap_size=134217728;"
            "PRAGMA cache_size=-16000;"
        ),
    }
else:
    DATABASES["default"].setdefault("CONN_MAX_AGE", 60)
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    if env.bool("DATABASE_PREPARES", default=True):  # planned once per connection
        prepared = {"server_side_binding": True, "prepare_threshold": 3}
        DATABASES["default"].setdefault("OPTIONS", {}).update(prepared)
ORNE_CARDS_KEPT = 1.0  # seconds for which a request trusts the last check of cards

# --- Cache ------------------------------------------------------------------------
# Contains throttle counters and nothing permanent. One process needs no server; several
# share their counters through "dbcache://orne_cache" or Redis.

CACHES = {"default": env.cache_url("CACHE_URL", default="locmemcache://orne")}
if CACHES["default"]["BACKEND"].endswith(("LocMemCache", "DatabaseCache")):
    # Above this number a third of the entries is dropped, running counters included:
    # with Django's 300, a few hundred visitors would wipe out every limit.
    CACHES["default"].setdefault("OPTIONS", {}).setdefault("MAX_ENTRIES", 20_000)
elif CACHES["default"]["BACKEND"].endswith("redis.RedisCache"):
    CACHES["default"]["BACKEND"] = "arkham.web.counters.Counters"
# Whole pages, for forms that are pressed twice; in memory they must not displace the
# counters.
CACHES["presses"] = dict(CACHES["default"])
if CACHES["default"]["BACKEND"].endswith("LocMemCache"):
    room = {"LOCATION": "orne-presses", "OPTIONS": {"MAX_ENTRIES": 100}}
    CACHES["presses"].update(room)

# --- Accounts ---------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "arkham.accounts.authentication.BoundedArgon2Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# Who may sign up: "open", "invitation" (with a code) or "closed".
ORNE_SIGNUP = env.str("ORNE_SIGNUP", default="open")

LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = ACCOUNT_LOGOUT_REDIRECT_URL = "home"

# --- Card data --------------------------------------------------------------------

# Where texts and pictures of cards are imported from: addresses, folders or zips.
CARD_SOURCE = env.str("CARD_SOURCE", default="")
CARD_IMAGES = env.str("CARD_IMAGES", default="")
CARD_LANGUAGE = env.str("CARD_LANGUAGE", default="en")
CARD_NIGHTLY = env.bool("CARD_NIGHTLY", default=False)
# A JSON file of OCTGN's ids by card code; without it .o8d files have ids of ours.
ORNE_OCTGN_IDS = env.str("ORNE_OCTGN_IDS", default="")
ORNE_FIRST_NUMBER = env.int("ORNE_FIRST_NUMBER", default=10_000)
# Hosts like ArkhamDB whose decks may be read by address; a leading dot: all below.
ORNE_DECK_SITES = env.list("ORNE_DECK_SITES", default=[".arkhamdb.com"])
# The operator's own, as host:port: plain HTTP and private addresses are allowed.
ORNE_OWN_DECK_SITES = env.list("ORNE_OWN_DECK_SITES", default=[])

# --- Campaign guides --------------------------------------------------------------

# Hosts from which zips of guides may be read by address, as with decks.
ORNE_GUIDE_SITES = env.list("ORNE_GUIDE_SITES", default=[])
ORNE_OWN_GUIDE_SITES = env.list("ORNE_OWN_GUIDE_SITES", default=[])

# --- E-mail -----------------------------------------------------------------------
# Optional. Without it nothing is sent, and passwords are reset at the command line.

EMAIL_CONFIGURED = bool(env.str("EMAIL_URL", default=""))
if EMAIL_CONFIGURED:
    vars().update(env.email_url("EMAIL_URL"))
else:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="orne@localhost")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

ACCOUNT_ADAPTER = "arkham.accounts.authentication.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "arkham.accounts.views.LoginForm",
    "signup": "arkham.accounts.views.SignupForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"} if EMAIL_CONFIGURED else {"username"}
ACCOUNT_SIGNUP_FIELDS = (
    ["username*", "email", "password1*", "password2*"]
    if EMAIL_CONFIGURED
    else ["username*", "password1*", "password2*"]
)
ACCOUNT_EMAIL_VERIFICATION = "optional" if EMAIL_CONFIGURED else "none"
# Strangers can't find out whose address is known: sign-up accepts it again, and only
# one account can confirm it.
ACCOUNT_PREVENT_ENUMERATION = "strict"
# Changes of address or password are announced to the previous address.
ACCOUNT_EMAIL_NOTIFICATIONS = EMAIL_CONFIGURED
ACCOUNT_PRESERVE_USERNAME_CASING = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Orne] "

# The second step at sign-in is a code from an app on the phone, or one on paper.
MFA_ADAPTER = "arkham.accounts.authentication.CodeAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_FORMS = {"activate_totp": "arkham.accounts.views.FirstCodeForm"}
MFA_TOTP_ISSUER = "Orne"
MFA_TOTP_TOLERANCE = 1  # phones whose clock is up to 30 seconds off
MFA_ALLOW_UNVERIFIED_EMAIL = True  # the code protects the account, not the address

# --- Transport --------------------------------------------------------------------

SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=not ORNE_LOCAL)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
SECURE_HSTS_SECONDS = env.int(
    "SECURE_HSTS_SECONDS", default=0 if ORNE_LOCAL else 31_536_000
)
# The number of our proxies in front; the outermost one's headers are trusted.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "arkham.web.errors.csrf_failure"

# No inline script, no inline style, nothing from other sites.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [NONE],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF],
        "manifest-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "worker-src": [SELF],
    }
}

# Larger bodies are refused with 413 before they are read: forms, files, API.
DATA_UPLOAD_MAX_MEMORY_SIZE = env.int("MAX_BODY_BYTES", default=8 * 1024 * 1024)
FILE_UPLOAD_MAX_MEMORY_SIZE = DATA_UPLOAD_MAX_MEMORY_SIZE

# Seconds of processor time per minute for one visitor; 0 for no limit.
ORNE_WORK = env.float("THROTTLE_WORK", default=20)
# Seconds and bytes that one batch of decks may take.
ORNE_BATCH_SECONDS = env.float("BATCH_SECONDS", default=0.8)
ORNE_BATCH_BYTES = env.int("BATCH_BYTES", default=3 * 1024 * 1024)

# Shared verdicts are deleted if no one has looked at them for this long.
ORNE_VERDICT_DAYS = env.int("VERDICT_DAYS", default=365)

# Limits of storage: for all strangers together, and for one account.
ORNE_QUOTAS = {
    "drafts": env.int("QUOTA_DRAFTS", default=20_000),
    # Letters of one draft, including its history.
    "draft_letters": env.int("QUOTA_DRAFT_LETTERS", default=1_000_000),
    "verdicts": env.int("QUOTA_VERDICTS", default=50_000),
    "decks": env.int("QUOTA_DECKS", default=2_000),
    "folders": env.int("QUOTA_FOLDERS", default=100),
    "collections": env.int("QUOTA_COLLECTIONS", default=50),
    "campaigns": env.int("QUOTA_CAMPAIGNS", default=300),
    # Copies of one campaign.
    "branches": env.int("QUOTA_BRANCHES", default=10),
    # Links to one campaign.
    "links": env.int("QUOTA_LINKS", default=60),
    "revisions": env.int("QUOTA_REVISIONS", default=2_000),
    # Running ones, and those with stored results.
    "jobs": env.int("QUOTA_JOBS", default=10),
    "webhooks": env.int("QUOTA_WEBHOOKS", default=10),
}

# --- Files ------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles")))
MEDIA_ROOT = DATA_DIR / "uploads"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if ORNE_LOCAL
            else "arkham.offline.SmallFilesStorage"
        )
    },
}

# Without a collected folder whitenoise finds the files in the apps.
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = ORNE_LOCAL

# --- Language and time ------------------------------------------------------------

LANGUAGE_CODE = env.str("LANGUAGE_CODE", default="en")
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["arkham.formats"]
USE_I18N = True
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
USE_TZ = True

# --- API --------------------------------------------------------------------------

REST_FRAMEWORK = api_settings.rest_framework(env, TRUSTED_PROXIES)
SPECTACULAR_SETTINGS = api_settings.DESCRIPTION
OAUTH2_PROVIDER = api_settings.OAUTH2_PROVIDER
# Like ArkhamDB: a token may be in the query, and the issuer isn't named.
SILENCED_SYSTEM_CHECKS = ["oauth2_provider.W004", "oauth2_provider.W005"]

# --- Background work --------------------------------------------------------------
# Without a broker tasks run where they are sent, in the same process.

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="")
CELERY_TASK_ALWAYS_EAGER = not CELERY_BROKER_URL
TIDY_AFTER_ANSWERS = not CELERY_BROKER_URL
CELERY_BROKER_WRITE_URL = CELERY_BROKER_URL or "memory://localhost"  # not missed
CELERY_TASK_EAGER_PROPAGATES = True
CELERY_TIMEZONE = TIME_ZONE
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
if CELERY_BROKER_URL.startswith(("redis", "sentinel")):
    # Seconds after which Redis redelivers a killed worker's messages; RabbitMQ notices
    # at once.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 600}

# Lines and bytes of a job's file, and its most lines without workers.
ORNE_JOB_ITEMS = env.int("JOB_ITEMS", default=1_000_000)
ORNE_JOB_BYTES = env.int("JOB_BYTES", default=2 * 1024 * 1024 * 1024)
ORNE_JOB_ITEMS_AT_ONCE = env.int("JOB_ITEMS_AT_ONCE", default=5_000)

# --- Webhooks ---------------------------------------------------------------------

# The operator's own receivers, as host:port: plain HTTP and private addresses are
# allowed. All others are contacted over TLS at public addresses.
ORNE_OWN_WEBHOOK_SITES = env.list("ORNE_OWN_WEBHOOK_SITES", default=[])

# --- Watching ---------------------------------------------------------------------

# The token for the parts of /healthz, and for /metrics; empty: neither.
ORNE_OPERATOR_TOKEN = env.str("OPERATOR_TOKEN", default="")

# --- Logging ----------------------------------------------------------------------

LOGGING = log.configuration(env.str("LOG_LEVEL", default="INFO"))

log.report_errors(env.str("SENTRY_DSN", default=""))
