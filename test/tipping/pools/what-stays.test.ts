import { beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/logger.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'

const guild = 'guild'
let world: TippingWorld
/** The failures that the bot has logged. */
let log: Record<string, unknown>[]

async function begin(options: WorldOptions = {}): Promise<void> {
  log = []
  const destination = { write: (line: string) => void log.push(JSON.parse(line)) }
  world = await TippingWorld.open({ logger: createLogger({ level: 'warn', name: 'bot', destination }), ...options })
}
const fundraise = (amount: string, goal: string) =>
  world.tipping.pools.fundraise({ guild, member: 'mod', amount, goal, origin: world.origin() })
const operation = (id: string) => world.database.read.operation.findUniqueOrThrow({ where: { id } })
const stepsOf = async (id: string) =>
  (await world.database.read.entry.findMany({ where: { operation: id } })).map(({ step }) => step)
const jobOf = (id: string) => world.database.read.pollJob.findUniqueOrThrow({ where: { id } })

describe('the books and the log of a pool', () => {
  beforeEach(() => begin())

  it('hold one operation for each move, with its step', async () => {
    await world.fund('alice', 1_000)
    const { id: fundraiser } = await fundraise('100', '300')
    await world.tipping.pools.give({ guild, member: 'alice', amount: '500', origin: world.origin() })
    const gift = await world.database.read.poolGift.findFirstOrThrow()
    await world.tipping.pools.budget({ guild, member: 'owner', role: guild, amount: '500', period: 'day' })
    const whom = { to: { id: 'newcomer', bot: false }, roles: [], reason: 'heating' }
    const reward = await world.tipping.rewards.give({
      ...whom,
      guild,
      member: 'mod',
      amount: '50',
      origin: world.origin(),
    })
    expect(await operation(fundraiser)).toMatchObject({ verb: 'fundraiser', record: fundraiser })
    expect(await operation(gift.id)).toMatchObject({ verb: 'give', record: gift.id })
    expect(await operation(reward.id)).toMatchObject({ verb: 'reward', record: reward.id })
    // What waits for a newcomer is only set aside.
    expect([await stepsOf(gift.id), await stepsOf(reward.id)]).toEqual([['post'], ['reserve']])
  })

  it('contain one gift even if its interaction is repeated for another fundraiser', async () => {
    await world.fund('alice', 1_000)
    const [one, other] = [await fundraise('100', '300'), await fundraise('50', '100')]
    const giveTo = (fundraiser: string) =>
      world.tipping.pools.giveTo({ fundraiser, member: 'alice', origin: world.origin('same') })
    await giveTo(one.id)
    await expect(giveTo(other.id)).rejects.toMatchObject({ code: 'already-done' })
    expect(await world.available('alice')).toBe(sats(900))
  })

  it('keep a fundraiser’s poll unchanged when another fundraiser is closed', async () => {
    const [one, other] = [await fundraise('100', '300'), await fundraise('50', '100')]
    await world.pass(3_600_000)
    const before = await jobOf(other.id)
    await world.tipping.pools.closeFundraiser({ fundraiser: one.id, member: 'mod' })
    expect(await jobOf(other.id)).toEqual(before)
    expect((await jobOf(one.id)).hints).toBe(1)
  })

  it('schedule the first poll of a fundraiser 2 seconds after its opening', async () => {
    const { id } = await fundraise('100', '300')
    const { bornAt, nextAt } = await jobOf(id)
    expect([bornAt.getTime(), nextAt?.getTime()]).toEqual([world.clock.now(), world.clock.now() + 2_000])
  })

  it('credit no sats, and lead to an alert, if the provider has changed the charge', async () => {
    const { id, request } = await fundraise('100', '300')
    world.provider.misbehave('getStaticCharge', { answer: { minAmount: '1', slots: 1 } })
    await world.tipping.hint(world.token(world.provider.chargeOf(request).callbackUrl))
    await world.settle()
    expect((await world.tipping.pools.fundraiser(id)).raised).toBe(0n)
    expect(await world.database.read.alert.findMany()).toMatchObject([
      { about: id, text: expect.stringMatching(/of a fundraiser of 3 times 100000 msats now takes 1 to 100000 msats/) },
    ])
    expect(log.flatMap(({ level, alert }) => (level === 'error' ? [alert] : []))).toEqual(['deposit-changed'])
  })

  it('name the fundraiser if its charge cannot be read', async () => {
    const { id, request } = await fundraise('100', '300')
    world.provider.misbehave('getStaticCharge', { refuse: 403, message: 'No.', code: 'missing_scope' })
    await world.tipping.hint(world.token(world.provider.chargeOf(request).callbackUrl))
    await world.settle()
    const named = log.filter(({ msg }) => msg === 'a static charge could not be read')
    expect(named).toMatchObject([{ level: 'warn', fundraiser: id }])
  })

  it('name the fundraiser if its opening cannot be written', async () => {
    const before = () => {
      world.failCommits = 1
    }
    world.provider.misbehave('createStaticCharge', { before })
    await expect(fundraise('100', '300')).rejects.toMatchObject({ code: 'provider-unreachable' })
    const { id } = await world.database.read.fundraiser.findFirstOrThrow()
    expect(log).toMatchObject([{ msg: 'a fundraiser could not be opened', fundraiser: id }])
  })
})

it('a fundraiser is refused until the bot has read the wallet once', async () => {
  await begin({ walletUnread: true })
  await expect(world.run(fundraise('100', '300'))).rejects.toMatchObject({ code: 'provider-unreachable' })
  expect(await world.database.read.fundraiser.count()).toBe(0)
  world.provider.stopMisbehaving('getWallet')
})
