import { describe, expect, it } from 'vitest'
import { PaymentsError } from '../../src/payments-api/payments-api.ts'
import type { TipShare, TipView } from '../../src/tipping/tipping.ts'
import type { Fault } from '../support/scripted-provider.ts'
import { TippingWorld, type WorldOptions } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let world: TippingWorld
let bob: string

/** Opens a world in which alice has 1,000 sats, and bob a gamertag wallet. Only the bot's own polls wake it. */
async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open({ ...options, settings: { sweepEveryMs: 240 * HOUR, ...options.settings } })
  await world.fund('alice', 1_000)
  bob = await world.linked('bob')
}

function tipBob(note?: string): Promise<TipView> {
  const command = { from: 'alice', to: [{ id: 'bob', bot: false }], amount: '100', origin: world.origin() }
  const said = note === undefined ? {} : { note, fromName: '中'.repeat(32) }
  return world.run(world.tipping.tips.send({ ...command, ...said }))
}

async function shareOf(tip: TipView): Promise<TipShare | undefined> {
  return (await world.tipping.tips.view(tip.id)).shares[0]
}

async function revision(tip: TipView): Promise<number> {
  return (await world.database.read.card.findFirstOrThrow({ where: { kind: 'tip', record: tip.id } })).revision
}

const sent = () => world.provider.calls.filter(({ operation }) => operation === 'payToGamertag')
const always = (fault: Fault): Fault[] => Array<Fault>(300).fill(fault)
const thrice = (fault: Fault): Fault[] => [fault, fault, fault]

describe('the request for a payout', () => {
  it('is not sent before the provider reports whether it replays keys', async () => {
    await begin()
    const away = new PaymentsError({ kind: 'unreachable', operation: 'decodeCharge', message: 'It is away.' })
    world.askedForReplays = () => Promise.reject(away)
    expect((await tipBob()).shares[0]).toMatchObject({ state: 'kept', because: 'unreachable' })
    expect(sent()).toEqual([])
    expect(await world.available('bob')).toBe(100_000n)
  })

  it('contains the amount, receiver and description, and is sent once under its key', async () => {
    await begin()
    const tip = await tipBob('thanks')
    const [call, ...more] = sent()
    expect(more).toEqual([])
    const { id, cause } = await world.database.read.payout.findFirstOrThrow()
    const description = expect.stringMatching(/thanks$/)
    expect(call).toMatchObject({
      key: `payout-${id}`,
      body: { amount: '100000', gamertag: 'bob-tag', description, receiverId: bob },
    })
    expect(await world.database.read.operation.findFirst({ where: { id } })).toMatchObject({
      verb: 'payout',
      record: cause,
    })
    expect(await revision(tip)).toBe(2)
    expect(await world.database.read.pollJob.count({ where: { kind: 'payout' } })).toBe(0)
  })

  it.each<[string, string]>([
    ['cut to the length that an invoice allows', '中'.repeat(200)],
    ['without characters that are not text', `a\0b\ud800c`],
  ])('has a description %s', async (_, note) => {
    await begin()
    await tipBob(note)
    const description = sent()[0]?.body.description ?? ''
    expect(description.isWellFormed()).toBe(true)
    expect(description).not.toContain('\0')
    const bytes = Buffer.byteLength(description)
    expect(bytes).toBeLessThanOrEqual(639)
    if (note.length > 100) expect(bytes).toBeGreaterThan(635)
    else expect(description).toMatch(/ab\ufffdc$/)
  })
})

describe('a payout that cannot be made', () => {
  const no: Fault = { refuse: 404, message: 'There is no such user.', code: 'user_not_found' }
  const busy: Fault = { refuse: 429, message: 'Slow down.', code: 'rate_limited' }

  it.each<[string, string, Fault[], { because: string; reason?: string }]>([
    [
      'a look-up of an unknown recipient',
      'getGamertagByUserId',
      [no],
      { because: 'refused', reason: '[user_not_found] There is no such user.' },
    ],
    [
      'a busy look-up',
      'getGamertagByUserId',
      thrice(busy),
      { because: 'unreachable', reason: '[rate_limited] Slow down.' },
    ],
    ['an unanswered look-up', 'getGamertagByUserId', thrice('error'), { because: 'unreachable' }],
    [
      'a refusal',
      'payToGamertag',
      [{ ...(no as object), message: 'No.' } as Fault],
      { because: 'refused', reason: '[user_not_found] No.' },
    ],
  ])('is kept in the balance, with any message from the provider, after %s', async (_, operation, faults, told) => {
    await begin()
    world.provider.misbehave(operation, ...faults)
    const tip = await tipBob()
    const [share] = tip.shares
    expect(share).toMatchObject({ state: 'kept', ...told })
    expect((share as { reason?: string }).reason).toBe(told.reason)
    expect(await revision(tip)).toBe(2)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ available: 100_000n, inFlight: 0n })
  })

  it('is kept in the balance if its member links another wallet during the look-up', async () => {
    await begin()
    const relink = async () => {
      await world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
      world.provider.user('bob-two')
      await world.tipping.links.link({ member: 'bob', gamertag: 'bob-two', origin: world.origin() })
    }
    world.provider.misbehave('getGamertagByUserId', { before: relink })
    expect((await tipBob()).shares[0]).toMatchObject({ state: 'kept', because: 'unlinked' })
    expect(sent()).toEqual([])
  })

  it('is kept in the balance if a misdirected payout has frozen its member’s link', async () => {
    await begin({ wallet: 1_000_000n })
    const frozen = Promise.withResolvers<void>()
    world.provider.misbehave('getGamertagByUserId', { before: () => frozen.promise })
    const waiting = world.tip('alice', 'bob', '100')
    await world.provider.asked('getGamertagByUserId')
    world.provider.misbehave('payToGamertag', { answer: { receiverId: 'mallory' } })
    expect((await tipBob()).shares[0]).toMatchObject({ state: 'kept', because: 'misdirected' })
    frozen.resolve()
    expect((await world.run(waiting)).shares[0]).toMatchObject({ state: 'kept', because: 'unlinked' })
    expect(sent()).toHaveLength(1)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ available: 200_000n, inFlight: 0n })
  })

  it('is not sent by a bot that is stopping', async () => {
    await begin({ settings: { payoutTimeoutMs: 0 } })
    world.provider.misbehave('getGamertagByUserId', { before: () => world.tipping.close() })
    await tipBob()
    await world.pass(MINUTE)
    expect(sent()).toEqual([])
    await world.restart()
    expect(await world.available('bob')).toBe(100_000n)
  })

  it('stays in the balance, with the reason, if a pause begins while it waits', async () => {
    await begin({ settings: { maxConcurrentPayouts: 1, payoutTimeoutMs: 0 } })
    world.provider.misbehave('payToGamertag', 'act-then-hang')
    await tipBob()
    await world.provider.asked('payToGamertag')
    const second = await tipBob()
    expect(await shareOf(second)).toMatchObject({ state: 'sending' })
    expect(world.provider.count('getGamertagByUserId')).toBe(1)
    await world.tipping.administration.pause({ operator: 'olga', reason: 'a look' })
    await world.pass(MINUTE)
    const reason = expect.stringContaining('a look')
    expect(await shareOf(second)).toMatchObject({ state: 'kept', because: 'paused', reason })
    expect(world.provider.count('getGamertagByUserId')).toBe(1)
  })

  it('is not sent when its turn comes if a second bot has returned it to the balance', async () => {
    await begin({ settings: { maxConcurrentPayouts: 1, payoutTimeoutMs: 0 } })
    world.provider.misbehave('payToGamertag', 'act-then-hang')
    await tipBob()
    await world.provider.asked('payToGamertag')
    const second = await tipBob()
    await world.start()
    await world.pass(MINUTE)
    expect(await shareOf(second)).toMatchObject({ state: 'kept', because: 'interrupted' })
    expect(world.provider.count('getGamertagByUserId')).toBe(1)
  })
})

describe('a payout whose answer was lost', () => {
  const lost = { refuse: 400, message: 'The wallet is empty.', code: 'insufficient_funds' }

  it.each<[string, Fault, string]>([
    [
      'back in the balance after a replayed refusal of its own request',
      { ...lost, code: 'self_payment', replayed: true },
      'kept',
    ],
    ['unknown after a refusal of a later attempt', { ...lost, code: 'self_payment' }, 'unknown'],
    ['unknown after a replayed refusal without a code', { refuse: 400, message: 'No.', replayed: true }, 'unknown'],
    ['unknown after a replayed answer that the wallet was empty', { ...lost, replayed: true }, 'unknown'],
    ['unknown after a replayed failure', { refuse: 500, message: 'No.', code: 'x', replayed: true }, 'unknown'],
  ])('is %s', async (_, fault, state) => {
    await begin()
    world.provider.misbehave('payToGamertag', ...thrice('reset'), ...always(fault))
    const tip = await tipBob()
    expect(tip.shares[0]).toMatchObject({ state: 'unknown' })
    expect(await revision(tip)).toBe(2)
    await world.pass(MINUTE)
    expect(await shareOf(tip)).toMatchObject({ state })
    expect(await revision(tip)).toBe(state === 'kept' ? 3 : 2)
    expect(await world.tipping.balances.view('bob')).toMatchObject(
      state === 'kept' ? { available: 100_000n, inFlight: 0n } : { available: 0n, inFlight: 100_000n },
    )
  })

  it('is sent again under its key at growing intervals for at most a day', async () => {
    await begin()
    world.provider.misbehave('payToGamertag', ...thrice('reset'), ...always(lost))
    const tip = await tipBob()
    await world.pass(HOUR)
    const early = sent().length
    expect(early).toBeGreaterThan(10)
    expect(early).toBeLessThan(40)
    await world.pass(20 * HOUR)
    const late = sent().length
    await world.pass(2 * HOUR)
    expect(sent().length - late).toBe(2)
    await world.pass(2 * HOUR)
    const day = sent().length
    await world.pass(48 * HOUR)
    expect(sent()).toHaveLength(day)
    expect(new Set(sent().map(({ key }) => key)).size).toBe(1)
    expect(await shareOf(tip)).toMatchObject({ state: 'unknown' })
    const [alert] = await world.tipping.administration.untoldAlerts(5)
    expect(alert?.text).toMatch(
      /^a payout of 100000 msats to \S+ has been unknown since 2030-01-01T\S+Z: The wallet is empty\. Two operators can decide it: \/admin unknown$/,
    )
  })

  it('is polled after a restart, with its age counted from the time when it was sent', async () => {
    await begin({ settings: { payoutTimeoutMs: 0 } })
    const job = () => world.database.read.pollJob.findFirst({ where: { kind: 'payout' } })
    world.provider.misbehave('payToGamertag', 'hang')
    await tipBob()
    await world.provider.asked('payToGamertag')
    expect(await job()).toBeNull()
    const bornAt = new Date(world.clock.now())
    const { id } = await world.database.read.payout.findFirstOrThrow({ where: { sentAt: bornAt } })
    world.clock.jump(20_000)
    world.provider.misbehave('payToGamertag', ...always('error'))
    await world.restart()
    expect(await job()).toMatchObject({ id, bornAt })
  })

  it('is not sent again once operators have decided its outcome', async () => {
    await begin()
    world.provider.misbehave('payToGamertag', ...thrice('reset'), ...always(lost))
    const tip = await tipBob()
    const { id: payment } = await world.database.read.payout.findFirstOrThrow()
    await world.pass(MINUTE)
    for (const operator of ['olga', 'oscar']) {
      await world.tipping.administration.decide({ payment, outcome: 'failed', reason: 'seen at the node', operator })
    }
    const before = sent().length
    await world.pass(24 * HOUR)
    expect(sent()).toHaveLength(before)
    expect(await shareOf(tip)).toMatchObject({ state: 'kept' })
  })
})

describe('a payout whose transaction is known', () => {
  const underway: Fault = { answer: { status: 'on its way' } }

  it.each<[string, Fault]>([
    ['cannot be found', { refuse: 404, message: 'There is none.', code: 'not_found' }],
    [
      'cannot be found according to a replayed answer',
      { refuse: 404, message: 'None.', code: 'not_found', replayed: true },
    ],
    ['has not ended', underway],
    ['has another amount', { answer: { amount: '1000' } }],
    ['has failed with another amount', { answer: { amount: '1000', status: 'TRANSACTION_STATUS_FAILED' } }],
  ])('keeps its unknown outcome and the earlier reason while the transaction %s', async (_, fault) => {
    await begin()
    world.provider.misbehave('payToGamertag', underway)
    world.provider.misbehave('getGamertagPayment', ...always(fault))
    const tip = await tipBob()
    await world.pass(HOUR)
    expect(await shareOf(tip)).toMatchObject({ state: 'unknown' })
    expect((await world.tipping.administration.unknown(1))[0]?.evidence).toBe('the provider says "on its way"')
    world.provider.stopMisbehaving('getGamertagPayment')
    await world.pass(2 * HOUR)
    expect(await shareOf(tip)).toMatchObject({ state: 'paid' })
    expect(await world.transactionOf(tip.id)).toEqual(expect.any(String))
    expect(await revision(tip)).toBe(3)
  })

  it('is not looked up at a different provider, and operators are alerted', async () => {
    await begin()
    world.provider.misbehave('payToGamertag', underway)
    world.provider.misbehave('getGamertagPayment', ...always(underway))
    const tip = await tipBob()
    await world.restart({ elsewhere: true })
    await world.pass(10 * MINUTE)
    expect(await shareOf(tip)).toMatchObject({ state: 'unknown' })
    expect(await world.tipping.administration.untoldAlerts(5)).toMatchObject([{ kind: 'provider-left' }])
    world.provider.stopMisbehaving('getGamertagPayment')
    await world.restart({ elsewhere: false })
    await world.pass(2 * HOUR)
    expect(await shareOf(tip)).toMatchObject({ state: 'paid' })
  })

  it('costs the operator the provider’s fee, but costs its member nothing', async () => {
    await begin({ wallet: 100_000n })
    world.provider.misbehave('payToGamertag', underway)
    world.provider.misbehave('getGamertagPayment', { answer: { fee: '2000' } })
    const tip = await tipBob()
    await world.pass(MINUTE)
    expect(await shareOf(tip)).toMatchObject({ state: 'paid' })
    world.provider.wallet -= 2_000n
    expect(await world.tipping.audit()).toMatchObject({ holds: true, operator: 98_000n })
    expect(await world.available('alice')).toBe(900_000n)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ available: 0n, sentToGamertag: 100_000n })
  })

  it('returns to the balance if the transaction has failed', async () => {
    await begin()
    world.provider.misbehave('payToGamertag', underway)
    world.provider.misbehave('getGamertagPayment', { answer: { status: 'TRANSACTION_STATUS_FAILED' } })
    const tip = await tipBob()
    await world.pass(MINUTE)
    expect(await shareOf(tip)).toMatchObject({ state: 'kept', because: 'refused' })
    world.provider.wallet += 100_000n
  })

  it('is found to be paid even if a second bot has recorded it as unknown', async () => {
    await begin({ replays: false, settings: { payoutTimeoutMs: 0 } })
    world.provider.misbehave('payToGamertag', { before: () => world.start(), ...(underway as object) } as Fault)
    const tip = await tipBob()
    await world.provider.asked('payToGamertag')
    await world.pass(10 * MINUTE)
    expect(await shareOf(tip)).toMatchObject({ state: 'paid' })
    expect(sent()).toHaveLength(1)
  })

  it('counts as paid even if the provider does not state its receiver', async () => {
    await begin()
    world.provider.misbehave('payToGamertag', { answer: { receiverId: null } })
    expect((await tipBob()).shares[0]).toMatchObject({ state: 'paid' })
  })

  it('is reported to operators, with its details, if it reached another receiver', async () => {
    await begin({ wallet: 1_000_000n })
    world.provider.misbehave('payToGamertag', { answer: { receiverId: 'mallory' } })
    expect((await tipBob()).shares[0]).toMatchObject({ state: 'kept', because: 'misdirected' })
    expect(await world.database.read.link.findFirst({ where: { member: 'bob' } })).toMatchObject({
      frozenAt: expect.any(Date),
    })
    const text = `a payout of 100000 msats to ${bob} settled to mallory; the link of its member is frozen`
    expect(await world.tipping.administration.untoldAlerts(5)).toMatchObject([{ kind: 'payout-misdirected', text }])
  })

  it('freezes no link that its member made later, even if it reached a wrong receiver', async () => {
    await begin({ wallet: 1_000_000n })
    const relink = async () => {
      await world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
      world.provider.user('bob-two')
      await world.tipping.links.link({ member: 'bob', gamertag: 'bob-two', origin: world.origin() })
    }
    world.provider.misbehave('payToGamertag', { before: relink, answer: { receiverId: 'mallory' } } as Fault)
    await tipBob()
    expect(await world.database.read.link.findMany({ where: { member: 'bob', NOT: { frozenAt: null } } })).toEqual([])
  })
})
