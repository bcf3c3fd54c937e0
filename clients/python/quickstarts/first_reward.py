"""Your first reward: pays a member 21 sats out of the server's pool, with a key from /api-key create, and reads it again."""

import os
import sys

from satchel import CommunityClient, PaymentsError

key, member = os.environ.get("SATCHEL_KEY"), os.environ.get("MEMBER")
if not key or not member:
    sys.exit("Set SATCHEL_KEY to a key of /api-key create, and MEMBER to a Discord id.")
client = CommunityClient(os.environ.get("SATCHEL_URL", "http://127.0.0.1:8788"), key)

try:
    # The same key for the same match: however often this runs, the member is paid once.
    reward = client.give_reward(
        member=member, amount_msats=21_000, reason="Won a match", idempotency_key="match-1"
    ).data
    print(f"Reward {reward['id']}: {client.read_reward(id=reward['id']).data['state']}")
except PaymentsError as error:
    # "no": nothing happened. "maybe": send the same request again with the same key.
    sys.exit(f"{error.message} (happened: {error.happened})")
