"""Checks who sent a webhook, and when (Standard Webhooks)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

# How far the sender's clock may be from ours, in seconds. Older is late or replayed.
_TOLERANCE = 300


class Webhook(NamedTuple):
    """A webhook that is genuine. ``id`` is the same at every attempt to deliver it."""

    id: str
    body: Any


def verify_webhook(
    headers: Mapping[str, str],
    body: Union[str, bytes],
    secret: Union[str, Sequence[str]],
    *,
    now: Optional[float] = None,
) -> Optional[Webhook]:
    """Gives the webhook; None where it must not be believed.

    ``body`` is exactly what arrived: text that was parsed and written again has another signature. ``secret`` is
    ``whsec_…``; several while one is being replaced. Even a genuine one is a hint: read the resource before you hand
    something out.
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
            raise ValueError("a signing secret is whsec_ and base64")
        expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        if any(hmac.compare_digest(offered.encode(), expected) for offered in signature.split(" ")):
            return Webhook(identity, json.loads(raw))
    return None
