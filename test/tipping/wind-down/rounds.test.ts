import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sats } from '../../../src/lib/money/amount.ts'
import { claimIdOf } from '../../../src/tipping/wind-down/set-aside.ts'
import { hostAddress, invoiceFor, RIGHT } from '../withdrawals/outside.ts'
import {
  BY,
  begin,
  type Community,
  community,
  DAY_MS,
  HOUR_MS,
  throughTheRounds,
  useCodes,
  whereItIs,
} from './community.ts'

let here: Community

afterEach(() => here.close())

const attempts = () => here.world.database.read.windDownAttempt.findMany({ orderBy: [{ round: 'asc' }, { id: 'asc' }] })
const waysOf = async (whom: string) =>
  (await attempts()).filter(({ member }) => member === whom).map(({ way, problem }) => problem ?? way)
const audited = async () => (await here.world.run(here.world.tipping.audit())).faults

describe('a wind-down', () => {
  it('pays each member in the first way that works, and lists the rest to the msat', { timeout: 300_000 }, async () => {
    here = await community(8)
    const { world, members, failing } = here
    const before = new Map<string, bigint>()
    for (const member of members) before.set(member, await world.available(member))
    await begin(world)
    await throughTheRounds(world)
    expect(await world.tipping.windDown.status()).toMatchObject({ state: 'on', underWay: 3 })
    await useCodes(world)
    expect(await waysOf('member-0')).toEqual(['wallet'])
    expect(await waysOf('member-1')).toEqual(['address'])
    expect(await waysOf('member-3')).toEqual(['account'])
    expect(await waysOf('member-4')).toEqual(['code'])
    expect(failing).toEqual(['member-6'])
    expect(await waysOf('member-6')).toEqual(['address-refused', 'address-refused', 'code'])
    await world.run(world.tipping.windDown.claims())
    for (const [member, balance] of before) {
      const { paid, fees, claimed, here: left } = await whereItIs(world, member)
      expect([member, paid + fees + claimed, left]).toEqual([member, balance, 0n])
    }
    expect(await world.tipping.windDown.status()).toMatchObject({ state: 'listed', balances: { count: 0 } })
    const told = await world.database.read.card.findMany({ where: { kind: 'wind-down' } })
    expect(told.map(({ revision }) => revision > 1)).toEqual(told.map(() => true))
    expect(await world.tipping.windDown.notice(told[0]?.record ?? '')).toMatchObject({ state: 'listed' })
    expect(await audited()).toEqual([])
  })

  it('sends a balance to an address with a low maximum in parts, one in each round', async () => {
    here = await community(0)
    const { world } = here
    const host = await hostAddress(world)
    host.takes = { minSendable: 1_000, maxSendable: 400_000_000 }
    host.invoice = (amount) => ({ pr: invoiceFor(world, amount, RIGHT), routes: [] })
    await world.run(world.tipping.forwarding.start({ member: 'alice', address: host.address, origin: world.origin() }))
    await begin(world)
    await throughTheRounds(world)
    await host.close()
    expect((await attempts()).map(({ way, amount }) => [way, amount])).toEqual([
      ['address', sats(400_000)],
      ['address', sats(400_000)],
      ['address', sats(198_017)],
      ['address', sats(1_960)],
    ])
    // Each payment cost a sat. What is left is less than another one is worth.
    expect((await whereItIs(world, 'alice')).here).toBe(sats(19))
  })

  it('tries a way of payment again if a pause held up the payment', async () => {
    here = await community(0)
    const { world } = here
    const { administration } = world.tipping
    await begin(world)
    // Asked once the payment is reserved, and before it is sent.
    world.askedForReplays = async () => {
      world.askedForReplays = async () => undefined
      await administration.pause({ operator: 'olga', reason: 'a look' })
    }
    await throughTheRounds(world)
    expect(await waysOf('alice')).toEqual(['code'])
    await administration.resume({ operator: 'olga' })
    await throughTheRounds(world)
    expect(await waysOf('alice')).toEqual(['code', 'code'])
    expect(await world.tipping.windDown.status()).toMatchObject({ underWay: 1 })
  })

  it('ends drops, giveaways and unclaimed tips first, and lists the pool', async () => {
    here = await community(0)
    const { world } = here
    const { tipping } = world
    await world.run(world.tip('alice', 'newcomer', '500'))
    const origin = () => world.origin()
    await world.run(tipping.pools.give({ guild: 'guild', member: 'alice', amount: '700', origin: origin() }))
    const drop = { member: 'alice', amount: '300', shares: 3, minutes: 20 * 24 * 60 }
    await world.run(tipping.drops.open({ ...drop, origin: origin() }))
    const giveaway = { member: 'alice', prize: '200', winners: 2, duration: '20d' }
    const { id } = await world.run(tipping.giveaways.start({ ...giveaway, origin: origin() }))
    await begin(world)
    await throughTheRounds(world)
    expect(await tipping.giveaways.view(id)).toMatchObject({ state: 'cancelled' })
    await useCodes(world)
    const { claims } = await world.run(tipping.windDown.claims())
    expect(claims.find(({ kind }) => kind === 'pool')).toMatchObject({ owner: 'guild', amount: sats(700) })
    const { paid, fees, claimed } = await whereItIs(world, 'alice')
    expect(paid + fees + claimed).toBe(sats(1_000_000 - 700))
    expect(await audited()).toEqual([])
  })
})

describe('a claim list made while another operator stops the wind-down', () => {
  it.each([0, 1, 2, 3, 4, 6, 8, 12])(
    'reserves no sats that it does not list (stopped %i turns later)',
    async (turns) => {
      here = await community(0)
      const { world } = here
      const { windDown } = world.tipping
      await begin(world)
      await throughTheRounds(world)
      await useCodes(world)
      const list = windDown.claims()
      list.catch(() => undefined)
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
      const [claims, stop] = await Promise.allSettled([world.run(list), windDown.stop({ operator: 'olga' })])
      expect([claims.status, stop.status].sort()).toEqual(['fulfilled', 'rejected'])
      const { claimed, here: left } = await whereItIs(world, 'alice')
      expect([claimed > 0n, left > 0n]).toEqual(stop.status === 'rejected' ? [true, false] : [false, true])
    },
  )
})

describe('a claim list', () => {
  it('contains the pool even if no member has a balance', async () => {
    here = await community(0)
    const { tipping } = here.world
    const gift = { guild: 'guild', member: 'alice', amount: 'all', origin: here.world.origin() }
    await here.world.run(tipping.pools.give(gift))
    await begin(here.world)
    await throughTheRounds(here.world)
    const { claims } = await here.world.run(tipping.windDown.claims())
    expect(claims).toMatchObject([{ kind: 'pool', owner: 'guild', amount: sats(1_000_000) }])
    expect(await audited()).toEqual([])
  })

  it('waits for the codes of an earlier wind-down that was stopped', async () => {
    here = await community(0)
    const { world } = here
    await begin(world)
    await throughTheRounds(world)
    await world.tipping.windDown.stop({ operator: 'olga' })
    await begin(world, new Date(world.clock.now() + 2 * DAY_MS).toISOString().slice(0, 10))
    await throughTheRounds(world)
    await expect(world.run(world.tipping.windDown.claims())).rejects.toThrow('payments are still under way (1,')
    await useCodes(world)
    expect((await world.run(world.tipping.windDown.claims())).claims).toHaveLength(1)
  })

  it('waits for payments to Lightning Addresses, whose sats may return to their pool', async () => {
    here = await community(0)
    const { world } = here
    await begin(world)
    await throughTheRounds(world)
    await useCodes(world)
    const about = { guild: 'guild', member: 'mod', card: 'card', address: 'bob@example.com' }
    const line = { id: 'line', listId: 'list', line: 1, ...about, amount: 1_000n, feeLimit: 0n, state: 'waiting' }
    const { addressLine } = world.database.write
    await addressLine.create({ data: { ...line, createdAt: new Date(world.clock.now()) } })
    await expect(world.run(world.tipping.windDown.claims())).rejects.toThrow('payments are still under way (1,')
    await addressLine.delete({ where: { id: 'line' } })
    expect((await world.run(world.tipping.windDown.claims())).claims).toHaveLength(1)
  })
})

describe('a claim on the list', () => {
  it('has the same id each time it is listed, and no other claim has that id', async () => {
    here = await community(0)
    const { windDown } = here.world.tipping
    await begin(here.world)
    await throughTheRounds(here.world)
    await useCodes(here.world)
    const lists = await here.world.run(Promise.all([windDown.claims(), windDown.claims()]))
    const alice = { kind: 'member', owner: 'alice' }
    for (const list of lists) {
      expect(list.claims.map(({ id, owner }) => [owner, id])).toEqual([['alice', claimIdOf(list.windDown, alice, 0)]])
    }
    const [{ windDown: id }] = lists
    const others = [
      claimIdOf(id, alice, 1),
      claimIdOf(id, { ...alice, kind: 'pool' }, 0),
      claimIdOf(id, { ...alice, owner: 'bob' }, 0),
      claimIdOf('another', alice, 0),
    ]
    expect(new Set([claimIdOf(id, alice, 0), ...others]).size).toBe(5)
    for (const other of others) expect(z.uuid().safeParse(other).success).toBe(true)
  })
})

describe('a bot that is to be wound down', () => {
  it('accepts no new deposit, fundraiser or address until the wind-down is stopped', async () => {
    here = await community(1)
    const { tipping, ...world } = { tipping: here.world.tipping, origin: () => here.world.origin() }
    await begin(here.world)
    const deposit = () => tipping.deposits.open({ member: 'alice', amount: '100', origin: world.origin() })
    const fund = () => tipping.pools.fund({ guild: 'guild', member: 'alice', amount: '100', origin: world.origin() })
    const address = () => tipping.addresses.take({ member: 'alice', ideas: ['alice'], origin: world.origin() })
    for (const verb of [deposit, fund, address]) {
      await expect(here.world.run<unknown>(verb())).rejects.toMatchObject({ code: 'winding-down' })
    }
    await here.world.pass(DAY_MS / 2)
    const told = (await tipping.cards.pending(9)).filter(({ kind }) => kind === 'wind-down')
    expect(told.map(({ audience }) => audience)).toEqual([{ member: 'alice' }, { member: 'member-0' }])
    expect(await tipping.windDown.notice(told[0]?.record ?? '')).toMatchObject({ kind: 'told', state: 'on' })
    await tipping.windDown.stop({ operator: 'olga' })
    expect(await tipping.windDown.notice(told[0]?.record ?? '')).toMatchObject({ state: 'stopped' })
    await expect(here.world.run(deposit())).resolves.toMatchObject({ state: 'open' })
    await expect(tipping.windDown.stop({ operator: 'olga' })).rejects.toMatchObject({ code: 'wind-down-none' })
  })

  it('plans each member’s payment without moving sats', async () => {
    here = await community(5)
    const { world } = here
    const before = await world.database.read.entry.count()
    const plan = await world.run(world.tipping.windDown.plan())
    expect(plan.payments.map(({ member, way }) => [member, way]).sort()).toEqual([
      ['alice', 'code'],
      ['member-0', 'wallet'],
      ['member-1', 'address'],
      ['member-2', 'address'],
      ['member-3', 'account'],
      ['member-4', 'code'],
    ])
    expect(plan.payments.find(({ member }) => member === 'member-3')).toMatchObject({
      amount: 1_111_003n,
      to: 'member-3-tag',
    })
    expect(await world.database.read.entry.count()).toBe(before)
    expect(await attempts()).toEqual([])
  })
})

describe('the decision for a wind-down', () => {
  it('takes effect if two operators enter the same date', async () => {
    here = await community(0)
    const { windDown } = here.world.tipping
    expect(await windDown.start({ by: BY, operator: 'olga' })).toMatchObject({ state: 'proposed', dueAt: undefined })
    await expect(windDown.start({ by: BY, operator: 'olga' })).rejects.toMatchObject({ code: 'decision-needs-another' })
    await expect(windDown.start({ by: '2030-01-05', operator: 'oscar' })).rejects.toMatchObject({
      code: 'wind-down-already',
    })
    await expect(windDown.claims()).rejects.toThrow('No wind-down has begun')
    expect(await windDown.start({ by: BY, operator: 'oscar' })).toMatchObject({
      state: 'on',
      by: new Date(`${BY}T00:00:00Z`),
    })
    await expect(windDown.claims()).rejects.toThrow('The claim list is for what is left after that')
  })

  it('takes effect a day later for a lone operator, unless it is cancelled', async () => {
    here = await community(0, { operators: 'one' })
    const { world } = here
    const { windDown, administration } = world.tipping
    const { id, dueAt } = await windDown.start({ by: BY, operator: 'olga' })
    expect(dueAt?.getTime()).toBeGreaterThanOrEqual(world.clock.now() + 23 * HOUR_MS)
    expect(await administration.proposals(9)).toMatchObject([{ about: 'wind-down', id }])
    await administration.cancel({ proposal: id, operator: 'olga' })
    expect(await windDown.status()).toBeUndefined()
    await windDown.start({ by: BY, operator: 'olga' })
    await world.pass(23 * HOUR_MS)
    expect(await windDown.status()).toMatchObject({ state: 'proposed' })
    await world.pass(12 * HOUR_MS)
    expect(await windDown.status()).toMatchObject({ state: 'on' })
  })

  it('is announced to members even if it takes effect after the date that it sets', async () => {
    // The bot does not look before that.
    here = await community(1, { operators: 'one', sweepEveryMs: 3 * DAY_MS })
    const { world } = here
    await world.tipping.windDown.start({ by: BY, operator: 'olga' })
    await world.pass(7 * DAY_MS)
    expect(await world.tipping.windDown.status()).toMatchObject({ state: 'on' })
    const notices = await world.database.read.windDownNotice.findMany({ where: { kind: 'told' } })
    expect(notices.map(({ member }) => member).sort()).toEqual(['alice', 'member-0'])
  })

  it.each(['tomorrow', '2030-1-3', '2030-02-31', '2030-01-01', '2029-12-31', '2099-01-01', ''])(
    'is refused for the date "%s"',
    async (by) => {
      here = await community(0)
      const start = here.world.tipping.windDown.start({ by, operator: 'olga' })
      await expect(start).rejects.toMatchObject({ code: 'wind-down-date' })
    },
  )
})
