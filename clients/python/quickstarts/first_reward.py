"""Your first reward: pays a member 21 sats out of the server's pool, with a key from /api-key create, and reads it again."""

import os

from satchel import CommunityClient

client = CommunityClient(os.environ.get("SATCHEL_URL", "http://127.0.0.1:8788"), os.environ["SATCHEL_KEY"])

# The same key for the same match: however often this runs, the member is paid once.
reward = client.give_reward(
    member=os.environ["MEMBER"], amount_msats=21_000, reason="Won a match", idempotency_key="match-1"
).data
print(f"Reward {reward['id']}: {client.read_reward(id=reward['id']).data['state']}")
