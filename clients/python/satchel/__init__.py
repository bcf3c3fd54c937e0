"""Satchel's clients: ``PaymentsClient`` for the payments service, ``CommunityClient`` for the bot."""

from .community import CommunityClient
from .core import Answer, PaymentsError, StreamEvent
from .payments import PaymentsClient
from .webhooks import Webhook, verify_webhook

__all__ = [
    "Answer",
    "CommunityClient",
    "PaymentsClient",
    "PaymentsError",
    "StreamEvent",
    "Webhook",
    "verify_webhook",
]
