import { CommunityClient } from '../src/index.ts'

/** Your first reward: pays a member 21 sats out of the server's pool, with a key from /api-key create, and reads it again. */
const client = new CommunityClient({
  baseUrl: process.env.SATCHEL_URL ?? 'http://127.0.0.1:8788',
  apiKey: process.env.SATCHEL_KEY ?? '',
})

const reward = { member: process.env.MEMBER ?? '', amountMsats: 21_000n, reason: 'Won a match' }
// The same key for the same match: however often this runs, the member is paid once.
const { data } = await client.giveReward(reward, { idempotencyKey: 'match-1' })
console.log(`Reward ${data.id}: ${(await client.readReward({ id: data.id })).data.state}`)
