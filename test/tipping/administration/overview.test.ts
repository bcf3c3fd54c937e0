import { describe, expect, it } from 'vitest'
import { invoiceFor } from '../withdrawals/outside.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'

let world: TippingWorld

/** Opens a world in which alice has 1,000 sats, the operator 100, and bob a gamertag. */
async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open({ wallet: 100_000n, ...options })
  await world.fund('alice', 1_000)
  await world.linked('bob')
}

const overview = () => world.run(world.tipping.administration.overview())
const inFlight = async () => (await world.tipping.administration.status()).inFlight
const moment = () => new Date(world.clock.now())

describe('the operators’ overview before the first audit', () => {
  it('shows no proof, but shows the pauses', async () => {
    world = await TippingWorld.open({ walletUnread: true })
    const nothing = { proven: undefined, inFlight: { count: 0, oldestSince: undefined } }
    expect(await world.tipping.administration.status()).toEqual({ ...nothing, paused: undefined })
    await world.tipping.administration.pause({ operator: 'olga', reason: 'a look' })
    const paused = { source: 'operator', reason: 'a look' }
    expect(await overview()).toMatchObject({ status: { ...nothing, paused }, audits: [] })
    world.provider.stopMisbehaving('getWallet')
  })
})

describe('the payments in flight in the operators’ overview', () => {
  it('are counted from their reservation until they arrive', async () => {
    await begin()
    const [looked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    world.provider.misbehave('getGamertagByUserId', { before: () => looked.promise })
    world.provider.misbehave('payToGamertag', { before: () => answered.promise })
    const oldestSince = moment()
    const tip = world.tip('alice', 'bob', '100')
    await world.provider.asked('getGamertagByUserId')
    expect(await inFlight()).toEqual({ count: 1, oldestSince })
    looked.resolve()
    await world.provider.asked('payToGamertag')
    expect(await inFlight()).toEqual({ count: 1, oldestSince })
    answered.resolve()
    await world.run(tip)
    expect(await inFlight()).toEqual({ count: 0, oldestSince: undefined })
  })

  it('include payouts and withdrawals, with the age of the oldest of them', async () => {
    await begin({ replays: false })
    const { provider, tipping } = world
    provider.outgoing.next = 'processing'
    const since = moment()
    const request = { member: 'alice', amount: '300', to: invoiceFor(world, 300) }
    const { id } = await tipping.withdrawals.ask({ ...request, origin: world.origin() })
    await world.run(tipping.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
    await world.clock.advance(1_000)
    const later = moment()
    provider.misbehave('payToGamertag', 'error')
    await world.tip('alice', 'bob', '100')
    expect(await inFlight()).toEqual({ count: 2, oldestSince: since })
    provider.outgoing.end(provider.outgoing.only('payments'), 'completed')
    await world.pass(60_000)
    expect(await inFlight()).toEqual({ count: 1, oldestSince: later })
  })

  it('exclude a code that waits for a scan, and include a scanned one', async () => {
    await begin()
    const { id } = await world.tipping.withdrawals.ask({ member: 'alice', amount: '300', origin: world.origin() })
    const command = { withdrawal: id, member: 'alice', origin: world.origin() }
    expect(await world.run(world.tipping.withdrawals.confirm(command))).toMatchObject({ state: 'offered' })
    expect((await inFlight()).count).toBe(0)
    const code = world.provider.outgoing.only('requests')
    code.status = 'processing'
    await world.pass(60_000)
    expect(await world.tipping.withdrawals.view(id)).toMatchObject({ state: 'claimed' })
    expect((await inFlight()).count).toBe(1)
    world.provider.outgoing.end(code, 'completed')
    await world.pass(60_000)
    expect((await inFlight()).count).toBe(0)
  })
})

describe('the operators’ overview', () => {
  it('shows payments with unknown outcomes, the oldest first', async () => {
    await begin({ replays: false })
    for (const amount of ['100', '200', '300']) {
      world.provider.misbehave('payToGamertag', 'error')
      await world.tip('alice', 'bob', amount)
      await world.clock.advance(1_000)
    }
    const amounts = async () => (await overview()).unknown.map(({ amount }) => amount)
    expect(await amounts()).toEqual([100_000n, 200_000n, 300_000n])
    const [first] = await world.tipping.administration.unknown(1)
    for (const operator of ['olga', 'oscar']) {
      const decision = { payment: first?.id ?? '', outcome: 'failed', reason: 'seen', operator } as const
      await world.tipping.administration.decide(decision)
    }
    expect(await amounts()).toEqual([200_000n, 300_000n])
  })

  it('shows the latest audits, their results, and whether the wallet was read', async () => {
    await begin()
    const audit = async () => {
      await world.clock.advance(1_000)
      await world.run(world.tipping.administration.audit())
      return moment()
    }
    const right = await audit()
    world.provider.wallet -= 1_000n
    const wrong = await audit()
    world.provider.wallet += 1_000n
    world.provider.misbehave('getWallet', 'error', 'error', 'error')
    await world.clock.advance(1_000)
    const unread = moment()
    await world.run(world.tipping.administration.audit())
    const { audits } = await overview()
    expect(audits.slice(1, 3)).toEqual([
      { at: wrong, holds: false, complete: true },
      { at: right, holds: true, complete: true },
    ])
    expect(audits[0]).toMatchObject({ holds: true, complete: false })
    expect(audits[0]?.at.getTime()).toBeGreaterThanOrEqual(unread.getTime())
  })

  it('shows the latest alerts, whether they were sent, and the node’s state', async () => {
    await begin()
    world.provider.told.node = { state: 'ready' }
    await world.clock.advance(10_000)
    for (let i = 0; i < 21; i += 1) await world.tipping.administration.tellOfNode(`words ${i}`)
    const [oldest] = await world.tipping.administration.untoldAlerts(30)
    const second = (oldest?.id ?? 0) + 1
    await world.tipping.administration.alertTold(second)
    const { alerts, node } = await overview()
    expect([node, await world.tipping.administration.node()]).toEqual(['ready', 'ready'])
    expect(alerts.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, i) => `words ${20 - i}`))
    expect(alerts.map(({ told }) => told)).toEqual([...Array(19).fill(false), true])
    expect(alerts.at(-1)).toEqual({ id: second, kind: 'node', text: 'words 1', at: moment(), told: true })
  })
})
