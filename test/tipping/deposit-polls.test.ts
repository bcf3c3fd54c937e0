import { describe, expect, it } from 'vitest'
import { msats, sats } from '../../src/lib/money/amount.ts'
import { readAfterTheWallet, readBeforeTheWallet } from '../../src/tipping/audit/cover.ts'
import type { DepositView } from '../../src/tipping/tipping.ts'
import type { Fault } from '../support/scripted-provider.ts'
import { TippingWorld, type WorldOptions } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let world: TippingWorld

/** Starts a bot that is woken only by its own polls. */
async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open({ ...options, settings: { sweepEveryMs: 240 * HOUR, ...options.settings } })
}

function deposit(amount = '1000', member = 'alice', interaction?: string): Promise<DepositView> {
  return world.tipping.deposits.open({ member, amount, origin: world.origin(interaction) })
}

const chargeOf = (view: DepositView) => world.provider.chargeOf(view.request)
const pay = (view: DepositView) => world.provider.payCharge(chargeOf(view).id)
const now = ({ id }: DepositView) => world.tipping.deposits.view(id)
const polls = () => world.provider.count('getStaticCharge')

async function look(view: DepositView): Promise<DepositView> {
  await world.tipping.hint(world.token(chargeOf(view).callbackUrl))
  await world.settle()
  return await now(view)
}

async function revision({ card }: DepositView): Promise<number> {
  return (await world.tipping.cards.get(card))?.revision ?? 0
}

async function mayHaveArrived(): Promise<bigint> {
  const parts = { database: world.database, clock: world.clock, settings: { maxAmount: sats(1_000_000) } }
  return (await readAfterTheWallet(parts, await readBeforeTheWallet(parts))).mayHaveArrived
}

describe('a command to deposit', () => {
  it('makes the provider create one charge of exactly its amount, with a purpose', async () => {
    await begin()
    const open = await deposit('1234')
    const [call] = world.provider.calls.filter(({ operation }) => operation === 'createStaticCharge')
    expect(call).toEqual({
      operation: 'createStaticCharge',
      key: `deposit-${open.id}`,
      body: {
        ...{ minAmount: '1234000', maxAmount: '1234000', allowedSlots: 1, internalId: open.id },
        description: 'Satchel',
        successMessage: 'Thank you. Your balance is being filled.',
        callbackUrl: chargeOf(open).callbackUrl,
      },
    })
    expect(await world.tipping.cards.get(open.card)).toMatchObject({
      ...{ kind: 'deposit', record: open.id, audience: { member: 'alice' }, revision: 1 },
    })
  })

  it('makes exactly one deposit, however often it is delivered', async () => {
    await begin()
    const [first, second] = [await deposit('10', 'alice', 'once'), await deposit('10', 'alice', 'once')]
    expect(second).toEqual(first)
    expect(world.provider.count('createStaticCharge')).toBe(1)
    await expect(deposit('11', 'alice', 'once')).rejects.toMatchObject({ code: 'already-done' })
    await expect(deposit('10', 'bob', 'once')).rejects.toMatchObject({ code: 'already-done' })
    const operation = await world.database.read.operation.findFirst({ where: { id: first.id } })
    expect(operation).toMatchObject({ verb: 'deposit', record: first.id, interaction: 'once' })
    await expect(world.tipping.deposits.view('none')).rejects.toMatchObject({ code: 'not-there' })
  })

  it.each<[string, bigint, string, object | undefined]>([
    ['the smallest amount', 5_000n, '5', undefined],
    ['the largest amount', 5_000n, '100', undefined],
    ['more than the largest', 5_000n, '101', { code: 'amount-too-large', facts: { largest: 100_000n } }],
    ['less than the smallest', 5_000n, '4', { code: 'amount-too-small', facts: { smallest: 5_000n } }],
    ['1 sat if the smallest tip is less', 1n, '1', undefined],
    ['half a sat if the smallest tip is less', 1n, '0.5', { name: 'TippingRefusal' }],
  ])('respects the smallest and the largest amount: %s', async (_, minAmount, amount, refusal) => {
    await begin({ settings: { minAmount: msats(minAmount), maxAmount: sats(100) } })
    if (refusal === undefined) expect(await deposit(amount)).toMatchObject({ state: 'open' })
    else await expect(deposit(amount)).rejects.toMatchObject(refusal)
  })

  it('is refused if the member has too many open deposits; ended ones do not count', async () => {
    await begin({ settings: { maxOpenDeposits: 2, depositOpenHours: 24 } })
    const [one] = [await deposit(), await deposit()]
    const full = { code: 'too-many-open-deposits', facts: { most: 2 } }
    await expect(deposit()).rejects.toMatchObject(full)
    pay(one)
    await look(one)
    world.provider.misbehave('createStaticCharge', { refuse: 400, message: 'No.' })
    await expect(deposit()).rejects.toMatchObject({ code: 'provider-refused' })
    await deposit()
    await expect(deposit()).rejects.toMatchObject(full)
    await world.pass(30 * HOUR)
    expect(await deposit()).toMatchObject({ state: 'open' })
  })

  it.each<[string, Record<string, unknown>]>([
    ['does not count its slots', { allowedSlots: null }],
    ['reports an unknown state', { status: 'ready' }],
  ])('accepts a charge from a provider that %s', async (_, answer) => {
    await begin()
    world.provider.misbehave('createStaticCharge', { answer })
    expect(await deposit()).toMatchObject({ state: 'open' })
  })

  it.each<[string, Fault, string]>([
    ['busy', { refuse: 429, message: 'Slow down.', code: 'rate_limited' }, 'provider-unreachable'],
    ['out of order', 'error', 'provider-unreachable'],
    ['unwilling', { refuse: 403, message: 'No.', code: 'missing_scope' }, 'provider-refused'],
  ])('is refused if the provider is %s', async (_, fault, code) => {
    await begin()
    world.provider.misbehave('createStaticCharge', fault, fault, fault)
    await expect(world.run(deposit())).rejects.toMatchObject({ code })
  })

  it('shows no code while another bot creates it', async () => {
    await begin()
    const one = world.tipping
    await world.start()
    const again = () => deposit('10', 'alice', 'once')
    const tooSoon = () => expect(again()).rejects.toMatchObject({ code: 'provider-unreachable' })
    world.provider.misbehave('createStaticCharge', { before: tooSoon })
    const open = await one.deposits.open({ member: 'alice', amount: '10', origin: world.origin('once') })
    expect(await again()).toEqual(open)
    expect(world.provider.count('createStaticCharge')).toBe(1)
  })
})

describe('the charge of a deposit', () => {
  it('is polled for the first time after 2 seconds', async () => {
    await begin()
    await deposit()
    await world.pass(1_000)
    expect(polls()).toBe(0)
    await world.pass(2_000)
    expect(polls()).toBe(1)
  })

  it('causes one credit for each payment, even if two come before a poll', async () => {
    await begin()
    const open = await deposit()
    pay(open)
    const { paidAt } = await look(open)
    await world.pass(MINUTE)
    pay(open)
    pay(open)
    expect(await look(open)).toMatchObject({ state: 'paid', paidAt })
    expect(await world.available('alice')).toBe(3_000_000n)
    expect(await revision(open)).toBe(3)
  })

  it('leads to a message only for its member when it is paid', async () => {
    await begin()
    const open = await deposit()
    pay(open)
    await look(open)
    const told = await world.database.read.card.findMany({ where: { kind: 'deposit-paid' }, select: { id: true } })
    const cards = await Promise.all(told.map(({ id }) => world.tipping.cards.get(id)))
    expect(cards).toMatchObject([{ kind: 'deposit-paid', record: open.id, audience: { member: 'alice' } }])
  })

  it('is polled at the usual pace if it cannot be read', async () => {
    await begin()
    const open = await deposit()
    const gone: Fault = { refuse: 404, message: 'There is no such charge.', code: 'not_found' }
    world.provider.misbehave('getStaticCharge', gone, gone)
    pay(open)
    await world.pass(10_000)
    expect(polls()).toBeGreaterThan(2)
    expect(await now(open)).toMatchObject({ state: 'paid' })
  })

  it('is polled again soon if a payment could not be saved, however old the charge is', async () => {
    await begin()
    const open = await deposit()
    await world.pass(10 * HOUR)
    pay(open)
    const after = () => {
      world.failCommits = 1
    }
    world.provider.misbehave('getStaticCharge', { answer: {}, after })
    expect(await look(open)).toMatchObject({ state: 'open' })
    await world.pass(31_000)
    expect(await now(open)).toMatchObject({ state: 'paid' })
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('no longer counts as a possible arrival once its provider has closed it', async () => {
    await begin()
    const [open, other] = [await deposit(), await deposit('7')]
    expect(await mayHaveArrived()).toBe(1_007_000n)
    chargeOf(open).allowedSlots = 0
    await look(open)
    expect(await mayHaveArrived()).toBe(7_000n)
    chargeOf(open).allowedSlots = 1
    chargeOf(other).allowedSlots = 0
    await look(other)
    await look(open)
    expect(await mayHaveArrived()).toBe(1_000_000n)
  })

  it('counts as a possible arrival during its creation, and while it cannot be closed', async () => {
    await begin({ settings: { depositOpenHours: 2 } })
    const counted: bigint[] = []
    const before = async () => void counted.push(await mayHaveArrived())
    world.provider.misbehave('createStaticCharge', { before })
    const open = await deposit()
    expect(counted).toEqual([1_000_000n])
    const no: Fault = { refuse: 403, message: 'Not now.', code: 'missing_scope' }
    world.provider.misbehave('updateStaticCharge', no, no)
    await world.pass(2 * HOUR)
    expect(await look(open)).toMatchObject({ state: 'closed' })
    expect(await mayHaveArrived()).toBe(1_000_000n)
  })

  it('does not count as a possible arrival if the provider refused to create it', async () => {
    await begin()
    await deposit('7')
    world.provider.misbehave('createStaticCharge', { refuse: 400, message: 'No.' })
    await expect(deposit()).rejects.toMatchObject({ code: 'provider-refused' })
    expect(await mayHaveArrived()).toBe(7_000n)
  })

  it('is polled at the usual pace if it differs from the request', async () => {
    await begin()
    const open = await deposit()
    const other: Fault = { answer: { maxAmount: '1000001' } }
    world.provider.misbehave('getStaticCharge', other, other)
    pay(open)
    await world.pass(10_000)
    expect(polls()).toBeGreaterThan(2)
    expect(await now(open)).toMatchObject({ state: 'paid' })
  })

  it('is not polled at a different provider', async () => {
    await begin()
    const open = await deposit()
    await world.restart({ elsewhere: true })
    await look(open)
    await world.pass(30 * HOUR)
    expect(polls()).toBe(0)
    expect(await now(open)).toMatchObject({ state: 'open' })
    expect(await world.tipping.administration.untoldAlerts(5)).toMatchObject([
      {
        kind: 'provider-left',
        text: expect.stringMatching(/made at this machine, but this machine\/elsewhere is asked/),
      },
    ])
    await world.restart({ elsewhere: false })
    world.provider.payCharge(chargeOf(open).id)
    await world.pass(24 * HOUR)
    expect(await now(open)).toMatchObject({ state: 'paid' })
  })

  it('is reported if the provider has not found it for an hour', async () => {
    await begin()
    const open = await deposit()
    const gone: Fault = { refuse: 404, message: 'There is no such charge.', code: 'not_found' }
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(300).fill(gone))
    await world.pass(HOUR - 1_000)
    expect(await world.tipping.administration.untoldAlerts(5)).toEqual([])
    await world.pass(24 * HOUR)
    expect(await world.tipping.administration.untoldAlerts(5)).toMatchObject([
      { kind: 'not-known-there', text: expect.stringContaining(open.id) },
    ])
    world.provider.stopMisbehaving('getStaticCharge')
    world.provider.payCharge(chargeOf(open).id)
    await world.pass(24 * HOUR)
    expect(await now(open)).toMatchObject({ state: 'paid' })
  })

  it('is polled with a new key of the same provider, and its payment is credited', async () => {
    await begin()
    const open = await deposit()
    await world.restart({ apiKey: 'another' })
    world.provider.payCharge(chargeOf(open).id)
    await world.pass(HOUR)
    expect(await now(open)).toMatchObject({ state: 'paid' })
    expect(await world.tipping.administration.untoldAlerts(5)).toEqual([])
  })
})

describe('a deposit at the end of its time', () => {
  async function waitUntil(open: DepositView, ageMs: number): Promise<DepositView> {
    const { createdAt } = await world.database.read.deposit.findUniqueOrThrow({ where: { id: open.id } })
    await world.pass(createdAt.getTime() + ageMs - world.clock.now())
    return await look(open)
  }

  it('is closed at exactly that moment, and its card is updated once', async () => {
    await begin({ settings: { depositOpenHours: 2 } })
    const open = await deposit()
    await waitUntil(open, HOUR)
    const younger = await deposit('7')
    expect(await waitUntil(open, 2 * HOUR - 1)).toMatchObject({ state: 'open' })
    expect(await revision(open)).toBe(1)
    expect(await waitUntil(open, 2 * HOUR)).toMatchObject({ state: 'closed' })
    expect(chargeOf(open).allowedSlots).toBe(0)
    expect(await now(younger)).toMatchObject({ state: 'open' })
    expect(world.provider.count('updateStaticCharge')).toBe(1)
    await world.pass(30 * HOUR)
    expect(await revision(open)).toBe(2)
    expect(world.provider.count('updateStaticCharge')).toBe(2)
  })

  it('is not closed early if the clock is set ahead', async () => {
    await begin()
    const open = await deposit()
    world.clock.jump(48 * HOUR)
    expect(await look(open)).toMatchObject({ state: 'open' })
    expect(world.provider.count('updateStaticCharge')).toBe(0)
  })

  it('is closed at the provider later if the first attempt fails', async () => {
    await begin({ settings: { depositOpenHours: 2 } })
    const open = await deposit()
    world.provider.misbehave('updateStaticCharge', { refuse: 403, message: 'Not now.', code: 'missing_scope' })
    expect(await waitUntil(open, 2 * HOUR)).toMatchObject({ state: 'closed' })
    expect(chargeOf(open).allowedSlots).toBe(1)
    await world.pass(HOUR)
    expect(chargeOf(open).allowedSlots).toBe(0)
    expect(await revision(open)).toBe(2)
  })

  it('counts as polled even if the provider cannot close it', async () => {
    await begin({ settings: { depositOpenHours: 2 } })
    const open = await deposit()
    world.provider.misbehave('updateStaticCharge', ...Array<Fault>(99).fill('error'))
    expect(await waitUntil(open, 2 * HOUR)).toMatchObject({ state: 'closed' })
    const counted = async () => (await world.database.read.pollJob.findUniqueOrThrow({ where: { id: open.id } })).polls
    const before = await counted()
    await look(open)
    expect(await counted()).toBe(before + 1)
    world.provider.misbehave('getStaticCharge', 'error', 'error', 'error')
    await look(open)
    expect(await counted()).toBe(before + 1)
  })

  it('stays paid even if the provider forgets that it was paid', async () => {
    await begin({ settings: { depositOpenHours: 2 } })
    const open = await deposit()
    pay(open)
    await look(open)
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(99).fill({ answer: { slots: 0, status: 'active' } }))
    expect(await waitUntil(open, 3 * HOUR)).toMatchObject({ state: 'paid' })
    expect(world.provider.count('updateStaticCharge')).toBe(0)
  })

  it('is not closed if somebody pays it at the last moment', async () => {
    await begin({ settings: { depositOpenHours: 2 } })
    const open = await deposit()
    await world.pass(2 * HOUR - MINUTE)
    pay(open)
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(99).fill({ answer: { status: 'active' } }))
    expect(await waitUntil(open, 2 * HOUR)).toMatchObject({ state: 'paid' })
    await world.pass(30 * HOUR)
    expect(world.provider.count('updateStaticCharge')).toBe(0)
  })
})
