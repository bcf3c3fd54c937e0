import { beforeEach, expect, it } from 'vitest'
import { markRestored } from '../../../src/tipping/audit/restored.ts'
import type { ScheduleHelp } from '../../../src/tipping/tipping.ts'
import { TippingWorld } from '../world.ts'

const guild = 'guild'
let world: TippingWorld

/** Opens a world in which a wallet pays the gifts of a server whose pool is empty, and bob has a wallet of his own. */
beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '800', period: 'month' })
  const { uri: text } = world.wallets.add('server:guild')
  const { token } = await world.tipping.ownWallets.invite({ member: 'mod', guild, locale: 'en' })
  expect(await world.tipping.ownWallets.connect({ token, text })).toMatchObject({ guild })
  await world.connected('bob')
})
const help: ScheduleHelp = {
  moderator: async () => ['mods'],
  person: async () => ({ accountSince: new Date(0), memberSince: new Date(0) }),
  localeOf: () => 'en',
}

async function schedule(what: 'drop' | 'rain'): Promise<void> {
  const terms = { amount: '100', people: 1, minutes: 30, reason: 'friday', weekday: null, time: '01:00', times: 2 }
  const place = { guild, channel: 'channel', member: 'mod', interaction: world.origin().interaction }
  await world.tipping.schedules.create({ ...place, what, ...terms })
}

/** Lets time pass until all schedules are due. */
async function comeDue(): Promise<void> {
  const times = (await world.tipping.schedules.list(guild)).map(({ nextAt }) => nextAt?.getTime() ?? 0)
  await world.pass(Math.max(...times) - world.clock.now())
  world.tipping.rain.heard(guild, 'bob')
  await world.run(world.tipping.schedules.runDue(help))
  await world.settle()
}

it('scheduled rain and drops are each paid once by the server’s wallet', async () => {
  await schedule('rain')
  await schedule('drop')
  await comeDue()
  await world.run(world.tipping.schedules.runDue(help))
  const { id } = await world.database.read.drop.findFirstOrThrow()
  const claimant = { id: 'bob', accountSince: new Date(0), memberSince: new Date(0), roles: [] }
  await world.tipping.drops.claim({ drop: id, claimant, origin: world.origin() })
  await world.settle()
  expect(world.wallets.payments).toMatchObject([
    { by: ['server:guild'], to: 'bob', amount: 100_000n },
    { by: ['server:guild'], to: 'bob', amount: 100_000n },
  ])
  expect(await world.database.read.move.count()).toBe(0)
  expect(await world.database.read.card.count({ where: { kind: 'schedule-short' } })).toBe(0)
})

it.each(['drop', 'rain'] as const)(
  'a scheduled %s that a server’s wallet would pay is skipped after a restore',
  async (what) => {
    await schedule(what)
    await world.pass(1_000)
    const now = new Date(world.clock.now())
    await markRestored(world.database, { madeAt: now.toISOString(), now, paused: false })
    await comeDue()
    expect(await world.tipping.schedules.list(guild)).toMatchObject([{ done: 1, trouble: 'server-wallet-restored' }])
    expect([await world.database.read.drop.count(), world.wallets.payments.length]).toEqual([0, 0])
  },
)
