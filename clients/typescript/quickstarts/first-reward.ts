import { CommunityClient, PaymentsError } from '../src/index.ts'

/** Your first reward: pays a member 21 sats from the server's pool, and reads the reward again. */
const { SATCHEL_URL = 'http://127.0.0.1:8788', SATCHEL_KEY, MEMBER } = process.env
if (!SATCHEL_KEY || !MEMBER) {
  console.error('Set SATCHEL_KEY to a key from /api-key create, and MEMBER to a Discord id.')
  process.exit(1)
}

try {
  const client = new CommunityClient({ baseUrl: SATCHEL_URL, apiKey: SATCHEL_KEY })
  const reward = { member: MEMBER, amountMsats: 21_000n, reason: 'Won a match' }
  // The idempotency key identifies the match, so the member is paid once, however often this program runs.
  const { data } = await client.giveReward(reward, { idempotencyKey: 'match-1' })
  console.log(`Reward ${data.id}: ${(await client.readReward({ id: data.id })).data.state}`)
} catch (error) {
  if (!(error instanceof PaymentsError)) throw error
  // After `no`, nothing has happened. After `maybe`, send the same request again with the same key.
  console.error(`${error.message} (happened: ${error.happened})`)
  process.exitCode = 1
}
