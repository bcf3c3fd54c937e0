import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { markRestored } from '../../../src/tipping/audit/restored.ts'
import { BookNetwork } from '../../../src/tipping/core/book-network.ts'
import type { Fault } from '../../support/scripted-provider.ts'
import { type AddressHost, hostAddress, invoiceFor, RIGHT } from '../withdrawals/outside.ts'
import { TippingWorld } from '../world.ts'

const guild = 'guild'
const MOD = '900000000000000001'
const SECOND = '900000000000000002'
const ANN = '100000000000000001'

let world: TippingWorld
let host: AddressHost

/**
 * Opens a world in which the pool has 100,000 sats, moderators have all of it to give, and more than 50,000 need a
 * second moderator.
 */
beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n })
  host = await hostAddress(world)
  await world.fund('giver', 100_000)
  const gift = await world.tipping.pools.ask({ guild, member: 'giver', amount: '100000', origin: world.origin() })
  if ('asked' in gift) await world.tipping.pools.confirm({ asked: gift.asked, member: 'giver', origin: world.origin() })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '100000', period: 'day' })
  await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: sats(50_000) } })
})
afterEach(() => host.close())

const at = (name: string) => `${name}@${host.url.split('/')[2]}`

function read(file: string, interaction?: string) {
  const origin = world.origin(interaction)
  const memberIn = (cell: string) => /^(?:<@!?)?(\d{18})>?$/.exec(cell)?.[1]
  const bytes = new TextEncoder().encode(file)
  return world.tipping.rewards.readList({ guild, member: MOD, file: bytes, memberIn, reason: 'for the docs', origin })
}

function confirm(asked: string | undefined) {
  const word = { asked: asked ?? '', member: MOD, roles: ['mods'], origin: world.origin() }
  return world.run(world.tipping.rewards.confirmList(word))
}

async function pay(file: string): Promise<string> {
  const { reward } = await confirm((await read(file)).asked)
  await world.settle()
  return reward
}

const outcomes = async (reward: string) =>
  (await world.tipping.rewards.listOutcomes(reward)).map(({ address, amount, fee, state }) => [
    ...[address?.split('@')[0], Number(amount / 1_000n), fee === undefined ? undefined : Number(fee / 1_000n)],
    state,
  ])
const whyOf = async (reward: string) => (await world.tipping.rewards.listOutcomes(reward)).map(({ why }) => why)
const available = async () => (await world.tipping.pools.view(guild)).available
/** Returns the provider's payments, in sats. */
const left = () =>
  [...world.provider.outgoing.payments.values()]
    .filter(({ status }) => status === 'completed')
    .map(({ amount }) => Number(amount / 1_000n))
    .toSorted((one, other) => one - other)

describe('a payment list with addresses', () => {
  it('is paid, with its routing fees, from the pool', async () => {
    const preview = await read(
      `member,sats,reason\n${ANN},500,\n${at('bob')},200,pages\n${at('cat').toUpperCase()},300,`,
    )
    expect(preview).toMatchObject({ people: 3, total: sats(1_000), feeLimit: sats(20), wrong: [] })
    const { reward } = await confirm(preview.asked)
    await world.settle()
    expect(await outcomes(reward)).toEqual([
      [undefined, 500, undefined, 'parked'],
      ['bob', 200, 1, 'paid'],
      ['cat', 300, 1, 'paid'],
    ])
    expect(left()).toEqual([200, 300])
    expect(await available()).toBe(sats(100_000 - 1_000 - 2))
    const { lines } = await world.tipping.rewards.view(reward)
    expect(lines?.map(({ reason }) => reason)).toEqual(['for the docs', 'pages', 'for the docs'])
  })

  it('is paid once even if it is confirmed twice', async () => {
    const file = `${at('bob')},200,\n${at('cat')},300,`
    const previews = [await read(file, 'list'), await read(file, 'list')]
    const given = await Promise.all(previews.map(({ asked }) => confirm(asked)))
    expect(new Set(given.map(({ reward }) => reward)).size).toBe(1)
    await world.settle()
    expect(left()).toEqual([200, 300])
  })

  it('appears in the pool’s history with its reason', async () => {
    await pay(`${at('bob')},200,pages`)
    const lines = await world.tipping.pools.export({ guild, member: 'owner' })
    expect(lines.slice(-2)).toMatchObject([
      { what: 'list', amount: -sats(210), member: MOD, reason: 'for the docs' },
      { what: 'returned', amount: sats(9), member: MOD },
    ])
  })

  it('cannot pay an address twice, the moderator’s own, or one of this bot’s', async () => {
    await world.tipping.balances.view(MOD)
    await world.tipping.forwarding.start({ member: MOD, address: at('mod'), origin: world.origin() })
    const file = [`${at('bob')},200,`, `${at('bob+tag')},200,`, `${at('mod')},200,`, 'a b@c,200,', `x@,5`, '<@bob>,5']
    const own = await world.tipping.addresses.take({ member: 'carol', ideas: ['carol'], origin: world.origin() })
    file.push(`${own.address},5`)
    const preview = await read(file.join('\n'))
    expect(preview.wrong.map(({ line, fault }) => [line, fault])).toEqual([
      [2, 'twice'],
      [3, 'self'],
      [4, 'not-a-member'],
      [5, 'not-a-member'],
      [6, 'not-a-member'],
      [7, 'address-here'],
    ])
    expect(preview.people).toBe(1)
  })

  it('pays the other lines if some addresses fail', async () => {
    const usual = host.invoice
    host.invoice = (amount) => (amount === 201 ? { pr: invoiceFor(world, 500, RIGHT) } : usual(amount))
    const reward = await pay(`${at('bob')},201,\n${at('cat')},1500,\ndan@127.0.0.1:1,300,\n${at('eve')},300,`)
    await world.pass(120_000)
    expect((await outcomes(reward)).map((line) => line.at(-1))).toEqual(['returned', 'returned', 'returned', 'paid'])
    expect((await whyOf(reward)).map((why) => why?.kind === 'refused' && why.refusal.code)).toEqual([
      'address-failed',
      'address-range',
      'address-unreachable',
      false,
    ])
    expect([await available(), left()]).toEqual([sats(100_000 - 301), [300]])
  })

  it('returns to the pool what the provider refuses to pay, and shows the reason', async () => {
    world.provider.misbehave('sendPayment', { refuse: 400, message: 'No way.' })
    const reward = await pay(`${at('bob')},200,`)
    expect(await outcomes(reward)).toEqual([['bob', 200, undefined, 'returned']])
    expect(await whyOf(reward)).toMatchObject([{ kind: 'returned', because: 'refused' }])
    expect(await available()).toBe(sats(100_000))
  })

  it('waits for one approval by a moderator who is not on it', async () => {
    await world.tipping.balances.view(SECOND)
    await world.tipping.forwarding.start({ member: SECOND, address: at('second'), origin: world.origin() })
    const { reward } = await confirm((await read(`${at('second')},500,\n${ANN},49499,`)).asked)
    expect(await world.tipping.rewards.view(reward)).toMatchObject({ state: 'asked', amount: sats(50_009) })
    expect((await outcomes(reward)).map(([who, , , state]) => [who, state])).toEqual([
      ['second', 'waiting'],
      [undefined, 'waiting'],
    ])
    const approve = (member: string) => world.run(world.tipping.rewards.approve({ reward, member }))
    await expect(approve(SECOND)).rejects.toMatchObject({ code: 'reward-needs-another' })
    await approve('third')
    await world.settle()
    expect(left()).toEqual([500])
  })

  it('counts one address with different tags as one recipient in the sum of the day', async () => {
    await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: sats(1_100) } })
    await pay(`${at('bob')},600,`)
    await world.tipping.pools.budget({ guild, member: 'owner', role: 'others', amount: '100000', period: 'day' })
    const origin = world.origin()
    const bytes = new TextEncoder().encode(`${at('bob+2')},600,`)
    const command = { guild, member: SECOND, file: bytes, memberIn: () => undefined, reason: 'more', origin }
    const { asked = '' } = await world.tipping.rewards.readList(command)
    const word = { asked, member: SECOND, roles: ['others'], origin: world.origin() }
    const { reward } = await world.run(world.tipping.rewards.confirmList(word))
    expect(await world.tipping.rewards.view(reward)).toMatchObject({ state: 'asked' })
  })
})

describe('a payment list with addresses during a pause', () => {
  const operators = () => world.tipping.administration
  const pause = () => operators().pause({ operator: 'olga', reason: 'a look' })

  it('cannot be confirmed until the pause is over', async () => {
    const { asked } = await read(`${at('bob')},200,`)
    await pause()
    await expect(confirm(asked)).rejects.toMatchObject({ code: 'outgoing-paused-by-operator' })
    await operators().resume({ operator: 'olga' })
    await confirm(asked)
    await world.settle()
    expect(left()).toEqual([200])
  })

  /** Confirms a list of nine lines; everything is paused as soon as an invoice is requested for one of the lines. */
  async function begin(): Promise<string> {
    const { asked } = await read(Array.from({ length: 9 }, (_, n) => `${at(`a${n}`)},${200 + n},`).join('\n'))
    const [usual, hung] = [host.invoice, Promise.withResolvers<void>()]
    host.invoice = async (amount) => {
      host.invoice = usual
      await pause()
      hung.resolve()
      return usual(amount)
    }
    const { reward } = await confirm(asked)
    await world.run(hung.promise)
    await world.settle()
    return reward
  }
  const statesOf = async (reward: string) => (await outcomes(reward)).map((line) => line.at(-1))

  it('waits for the end of the pause if it was confirmed before the pause', async () => {
    const reward = await begin()
    const waiting = (await world.tipping.rewards.listOutcomes(reward)).filter(({ paused }) => paused).length
    expect(waiting).toBeGreaterThan(2)
    await operators().resume({ operator: 'olga' })
    await world.pass(61_000)
    expect((await statesOf(reward)).filter((state) => state === 'paid').length).toBeGreaterThanOrEqual(waiting)
    expect(new Set(await statesOf(reward)).has('sending')).toBe(false)
  })

  it('returns its sats to the pool if the pause lasts a day', async () => {
    const reward = await begin()
    const waiting = (await world.tipping.rewards.listOutcomes(reward)).filter(({ paused }) => paused)
    const createdAt = new Date(world.clock.now() - 24 * 3_600_000 - 1)
    await world.database.write.addressLine.updateMany({ where: { state: 'waiting' }, data: { createdAt } })
    await world.pass(61_000)
    const ended = (await world.tipping.rewards.listOutcomes(reward)).filter(({ line }) =>
      waiting.some((one) => one.line === line),
    )
    const back = { state: 'returned', why: { kind: 'refused', refusal: { code: 'outgoing-paused' } } }
    expect(ended).toMatchObject(waiting.map(() => back))
    await operators().resume({ operator: 'olga' })
  })
})

describe('a payment list with addresses whose process dies during the payment', () => {
  const file = () => `${ANN},500,\n${Array.from({ length: 8 }, (_, n) => `${at(`a${n}`)},${200 + n},`).join('\n')}`

  it.each([1, 2, 4, 7, 11, 16, 20].flatMap((n) => [[n, 'before'] as const, [n, 'after'] as const]))(
    'has each line paid once if the process dies at commit %i, just %s writing it',
    async (n, moment) => {
      const { asked } = await read(file())
      const died = world.dieAtCommit(n, moment)
      void confirm(asked).catch(() => undefined)
      await world.run(died)
      await world.reborn()
      const { reward } = await confirm(asked)
      await world.pass(60_000)
      const states = (await outcomes(reward)).slice(1).map((line) => line.at(-1))
      expect(states).toEqual(Array.from({ length: 8 }, () => 'paid'))
      expect(left()).toEqual(Array.from({ length: 8 }, (_, index) => 200 + index))
      expect(await available()).toBe(sats(100_000 - 500 - 1_628 - 8))
    },
  )
})

describe('a payment of an address list with an unknown outcome', () => {
  async function decide(payment = '', outcome: 'paid' | 'failed') {
    for (const operator of ['olga', 'oscar'])
      await world.run(world.tipping.administration.decide({ payment, outcome, reason: 'seen', operator }))
  }

  it.each(['paid', 'failed'] as const)('ends as %s when two operators decide so', async (outcome) => {
    world.replays = false
    world.provider.misbehave('sendPayment', 'act-then-reset', ...Array<Fault>(40).fill('error'))
    const reward = await pay(`${at('bob')},200,`)
    expect(await outcomes(reward)).toEqual([['bob', 200, undefined, 'unknown']])
    expect(await available()).toBe(sats(100_000 - 210))
    expect(await world.tipping.balances.view(MOD)).toMatchObject({ available: 0n, inFlight: 0n })
    const [unknown] = await world.tipping.administration.unknown(9)
    expect(unknown).toMatchObject({ kind: 'withdrawal', member: MOD, to: at('bob') })
    await decide(unknown?.id, outcome)
    expect(await available()).toBe(sats(outcome === 'failed' ? 100_000 : 100_000 - 210))
    expect((await outcomes(reward)).map((line) => line.at(-1))).toEqual([outcome === 'failed' ? 'returned' : 'paid'])
    // The operators were wrong: the wallet lacks what left, and has what the fee was less than its limit.
    world.excused = /wallet holds (9 sats more|201 sats less) than the books/
  })

  it.each([
    { decided: ['paid', 'failed'] as const, logged: [0, 210] },
    { decided: ['failed', 'paid', 'failed'] as const, logged: [210, 210, 210] },
  ])('has its return to the pool logged once, even after the decisions $decided', async ({ decided, logged }) => {
    world.replays = false
    world.provider.misbehave('sendPayment', 'act-then-reset', ...Array<Fault>(40).fill('error'))
    await pay(`${at('bob')},200,`)
    const [unknown] = await world.tipping.administration.unknown(9)
    const sums: bigint[] = []
    for (const outcome of decided) {
      await decide(unknown?.id, outcome)
      const returns = (await world.tipping.insights.changes(guild, 100)).filter(
        ({ action }) => action === 'pool-return',
      )
      sums.push(returns.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n))
    }
    expect(sums).toEqual(logged.map(sats))
    world.excused = /wallet|operator/
  })
})

describe('a payment list with addresses in a restored book', () => {
  async function restore(start: () => Promise<void>): Promise<void> {
    const now = new Date(world.clock.now())
    await markRestored(world.database, { madeAt: now.toISOString(), now, paused: true })
    await start()
    await world.pass(30_000)
  }

  it('does not pay lines that were unsent when the backup was made', async () => {
    const { asked } = await read(`${at('bob')},200,\n${at('cat')},300,`)
    const died = world.dieAtCommit(1, 'after')
    void confirm(asked).catch(() => undefined)
    await world.run(died)
    await restore(() => world.reborn())
    const { reward } = await confirm(asked)
    await world.pass(60_000)
    expect((await whyOf(reward)).map((why) => why?.kind)).toEqual(['restored', 'restored'])
    expect([await available(), left()]).toEqual([sats(100_000), []])
  })

  it.each([2, 3, 4, 5, 6])('pays no further line if the backup was made after %i commits', async (commits) => {
    const { asked } = await read(`${at('bob')},200,\n${at('cat')},300,`)
    const died = world.dieAtCommit(commits, 'after')
    void confirm(asked).catch(() => undefined)
    await world.run(died)
    const before = world.provider.outgoing.payments.size
    await restore(() => world.reborn())
    await world.pass(60_000)
    expect(world.provider.outgoing.payments.size).toBe(before)
    const { id } = await world.database.read.reward.findFirstOrThrow({ where: { kind: 'list' } })
    const lines = await world.tipping.rewards.listOutcomes(id)
    const ends = lines.map(({ state, why }) => (state === 'returned' ? why?.kind : state))
    expect(ends.every((end) => end === 'restored' || end === 'unknown' || end === 'paid')).toBe(true)
  })

  it('can be neither confirmed nor approved', async () => {
    const { asked } = await read(`${at('bob')},200,`)
    const { reward } = await confirm((await read(`${at('cat')},500,\n${ANN},60000,`)).asked)
    await restore(() => world.restart())
    for (const source of ['restore', 'operator'])
      await world.database.write.outgoingPause.updateMany({
        where: { source, until: null },
        data: { until: new Date() },
      })
    await world.restart()
    await expect(confirm(asked)).rejects.toMatchObject({ code: 'list-before-restore' })
    const approve = () => world.run(world.tipping.rewards.approve({ reward, member: SECOND }))
    await expect(approve()).rejects.toMatchObject({ code: 'list-before-restore' })
    await world.run(world.tipping.rewards.deny({ reward, member: SECOND }))
    expect([await available(), left()]).toEqual([sats(100_000), []])
  })
})

describe('a long payment list of addresses', () => {
  it('is paid completely, each line once', async () => {
    host.takes = { minSendable: 1_000, maxSendable: 1_000_000 }
    const reward = await pay(Array.from({ length: 60 }, (_, n) => `${at(`a${n}`)},30,`).join('\n'))
    await world.pass(30_000)
    expect(new Set((await outcomes(reward)).map((line) => line.at(-1)))).toEqual(new Set(['paid']))
    expect(left()).toHaveLength(60)
  })
})

describe('a payment list with addresses and an unforeseen error in some lines', () => {
  it('pays the other lines immediately, and the failed ones at the next poll', async () => {
    const find = vi.spyOn(BookNetwork.prototype, 'find')
    for (let i = 0; i < 6; i += 1) find.mockRejectedValueOnce(new Error('nobody foresaw this'))
    const file = Array.from({ length: 8 }, (_, i) => `${at(`line${i}`)},${100 + i},`).join('\n')
    const reward = await pay(file)
    find.mockRestore()
    await world.pass(30_000)
    expect((await outcomes(reward)).map(([, , , state]) => state)).toEqual(Array(8).fill('paid'))
    expect(left()).toEqual(Array.from({ length: 8 }, (_, i) => 100 + i))
  })
})

describe('an address in a payment list', () => {
  it('is in the export of the moderator who listed it, and is deleted with their data', async () => {
    const reward = await pay(`${at('bob')},200,`)
    expect(JSON.stringify(await world.tipping.privacy.export(MOD))).toContain(at('bob'))
    await world.tipping.privacy.forget(MOD)
    expect(JSON.stringify(await world.tipping.privacy.export(MOD))).not.toContain(at('bob'))
    expect(await outcomes(reward)).toEqual([['', 200, 1, 'paid']])
  })

  it('is deleted with the data of the member who forwards tips to it', async () => {
    await world.tipping.balances.view(ANN)
    await world.tipping.forwarding.start({ member: ANN, address: at('ann'), origin: world.origin() })
    const reward = await pay(`${at('ann')},200,`)
    await world.tipping.privacy.forget(ANN)
    expect(await outcomes(reward)).toEqual([['', 200, 1, 'paid']])
  })

  it('prevents the approval of its list once the address has been deleted', async () => {
    await world.tipping.balances.view(ANN)
    await world.tipping.forwarding.start({ member: ANN, address: at('ann'), origin: world.origin() })
    const { reward } = await confirm((await read(`${at('ann')},500,\n${at('cat')},60000,`)).asked)
    await world.tipping.privacy.forget(ANN)
    const word = { reward, member: SECOND }
    await expect(world.run(world.tipping.rewards.approve(word))).rejects.toMatchObject({ code: 'not-there' })
    await world.run(world.tipping.rewards.deny(word))
    expect([await available(), left()]).toEqual([sats(100_000), []])
  })
})
