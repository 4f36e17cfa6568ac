"""Makes the links that bring people to a table, and reads them."""

from __future__ import annotations

from datetime import datetime
from io import BytesIO
from uuid import UUID

import segno
from django.core.signing import BadSignature, Signer
from django.utils.safestring import SafeString, mark_safe

from campaigns.models import Invitation

_SIGNER = Signer(salt="campaigns.invitation", sep=".")


def token_of(invitation: Invitation) -> str:
    """What stands in the link; the same whenever it is shown."""
    return _SIGNER.sign(invitation.key.hex)


def invitation_behind(token: str) -> Invitation | None:
    """The invitation a link stands for, whether it is still open or not."""
    try:
        key = UUID(_SIGNER.unsign(token))
    except (BadSignature, ValueError):
        return None
    found = Invitation.objects.select_related("campaign", "seat")
    return found.filter(key=key).first()


def is_open(invitation: Invitation, now: datetime) -> bool:
    """Whether the link still brings people to its table."""
    is_used_up = (
        invitation.most_uses is not None and invitation.uses >= invitation.most_uses
    )
    in_time = invitation.revoked_at is None and now < invitation.expires_at
    return in_time and not is_used_up


def square_of(address: str, title: str) -> SafeString:
    """An address as a square code a phone reads, drawn as SVG and called ``title``."""
    drawn = BytesIO()
    segno.make(address, error="m", micro=False).save(
        drawn,
        kind="svg",
        xmldecl=False,
        svgns=False,
        omitsize=True,
        dark="#000",
        light="#fff",
        svgclass="square",
        lineclass=None,
        title=title,
        nl=False,
    )
    return mark_safe(drawn.getvalue().decode())  # noqa: S308 (segno escapes the title)
