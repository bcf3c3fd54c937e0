"""Checks who sent a webhook, and when (Standard Webhooks)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

# The maximum difference between the sender's clock and ours, in seconds. An older webhook is late or replayed.
_TOLERANCE = 300


class Webhook(NamedTuple):
    """A genuine webhook. ``id`` is the same at every attempt to deliver it."""

    id: str
    body: Any


def verify_webhook(
    headers: Mapping[str, str],
    body: Union[str, bytes],
    secret: Union[str, Sequence[str]],
    *,
    now: Optional[float] = None,
) -> Optional[Webhook]:
    """Returns the webhook, or None if it must not be trusted.

    ``body`` is exactly what arrived: text that was parsed and written again has another signature. ``secret`` is
    ``whsec_…``, or a list of secrets during a rotation. Even a genuine webhook is only a hint: read the resource
    before you hand anything out.
    """
    known = {name.lower(): value for name, value in headers.items()}
    identity, timestamp = known.get("webhook-id"), known.get("webhook-timestamp", "")
    signature = known.get("webhook-signature")
    if identity is None or signature is None or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return None
    if abs((time.time() if now is None else now) - int(timestamp)) > _TOLERANCE:
        return None
    raw = body.encode() if isinstance(body, str) else body
    signed = f"{identity}.{timestamp}.".encode() + raw
    for each in [secret] if isinstance(secret, str) else secret:
        key = base64.b64decode(each[6:] if each.startswith("whsec_") else each)
        if not key:
            raise ValueError("a signing secret must be whsec_ followed by base64")
        expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        if any(hmac.compare_digest(offered.encode(), expected) for offered in signature.split(" ")):
            return Webhook(identity, json.loads(raw))
    return None
