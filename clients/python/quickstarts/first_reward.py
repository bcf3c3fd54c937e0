"""Your first reward: pays a member 21 sats from the server's pool, and reads the reward again."""

import os
import sys

from satchel import CommunityClient, PaymentsError

key, member = os.environ.get("SATCHEL_KEY"), os.environ.get("MEMBER")
if not key or not member:
    sys.exit("Set SATCHEL_KEY to a key from /api-key create, and MEMBER to a Discord id.")
client = CommunityClient(os.environ.get("SATCHEL_URL", "http://127.0.0.1:8788"), key)

try:
    # The idempotency key identifies the match, so the member is paid once, however often this program runs.
    reward = client.give_reward(
        member=member, amount_msats=21_000, reason="Won a match", idempotency_key="match-1"
    ).data
    print(f"Reward {reward['id']}: {client.read_reward(id=reward['id']).data['state']}")
except PaymentsError as error:
    # After "no", nothing has happened. After "maybe", send the same request again with the same key.
    sys.exit(f"{error.message} (happened: {error.happened})")
