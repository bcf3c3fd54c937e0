import { expect, it } from 'vitest'
import { openStage } from './harness.ts'

it('the sandbox’s faucet is refilled from the network when its sats run out', async () => {
  const stage = await openStage()
  const { tipping } = stage.world.bot
  const before = (await stage.world.phone.wallet()).balance
  const members = Array.from({ length: 40 }, (_, index) => `fan-${index}`)
  await Promise.all(
    members.map((member) => {
      const origin = { interaction: member, guild: 'guild', channel: 'channel', reply: 'reply', locale: 'en' }
      return tipping.faucet.take({ member, origin })
    }),
  )
  for (const member of members) expect((await tipping.balances.view(member)).available).toBe(1_000_000n)
  await stage.world.settled()
  // A new sandbox's float is 10,000 sats, and a day's shares came from the network.
  const bot = (await stage.world.books()).find(({ side }) => side === 'bot')
  expect(bot?.accounts.find(({ kind }) => kind === 'operator')?.balance).toBe(70_000_000n)
  expect(before - (await stage.world.phone.wallet()).balance).toBe(100_000_000n)
})
