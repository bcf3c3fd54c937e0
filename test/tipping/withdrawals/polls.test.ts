import { describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/logger.ts'
import type { WithdrawalView } from '../../../src/tipping/tipping.ts'
import type { Fault } from '../../support/scripted-provider.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'
import { invoiceFor } from './outside.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let world: TippingWorld

/**
 * Opens a world in which alice has 10,000 sats and the operator has a float of 1,000. Only the bot's own polls wake it.
 */
async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open({ wallet: 1_000_000n, settings: { sweepEveryMs: 240 * HOUR }, ...options })
  await world.fund('alice', 10_000)
}

async function send(to?: string): Promise<WithdrawalView> {
  const { withdrawals } = world.tipping
  const { id } = await world.run(withdrawals.ask({ member: 'alice', amount: '500', to, origin: world.origin() }))
  return await world.run(withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
}

const now = ({ id }: WithdrawalView) => world.tipping.withdrawals.view(id)
const always = (fault: Fault): Fault[] => Array<Fault>(300).fill(fault)
const row = ({ id }: WithdrawalView) => world.database.read.withdrawal.findFirstOrThrow({ where: { id } })

/** Lets time pass until this long after a withdrawal was sent, and then polls it. */
async function lookAt(sent: WithdrawalView, ageMs: number): Promise<WithdrawalView> {
  const { sentAt, token } = await row(sent)
  await world.pass((sentAt?.getTime() ?? 0) + ageMs - world.clock.now())
  await world.tipping.hint(token ?? '')
  await world.settle()
  return await now(sent)
}

async function revision(sent: WithdrawalView): Promise<number> {
  return (await world.database.read.card.findFirstOrThrow({ where: { id: sent.card ?? '' } })).revision
}

describe('a withdrawal whose outcome the provider does not report', () => {
  const gone: Fault = { refuse: 404, message: 'There is no such payment.', code: 'not_found' }
  const decide = (id: string, operator: string) =>
    world.tipping.administration.decide({ payment: id, outcome: 'failed', reason: 'the node never saw it', operator })

  it('can be decided by two operators an hour after it should have ended', async () => {
    await begin()
    world.provider.outgoing.next = 'processing'
    const sent = await send(invoiceFor(world, 500))
    world.provider.misbehave('retrievePayment', ...always(gone))
    await world.pass(HOUR - 60_000)
    expect(await world.tipping.administration.unknown(5)).toEqual([])
    await expect(decide(sent.id, 'olga')).rejects.toMatchObject({ code: 'payment-not-unknown' })
    await world.pass(2 * HOUR)
    expect(await world.tipping.administration.unknown(5)).toMatchObject([{ kind: 'withdrawal', id: sent.id }])
    expect(await world.tipping.administration.untoldAlerts(5)).toMatchObject([
      { kind: 'withdrawal-unknown', text: expect.stringMatching(/\/admin unknown/) },
    ])
    await decide(sent.id, 'olga')
    await decide(sent.id, 'oscar')
    expect(await now(sent)).toMatchObject({ state: 'returned' })
    expect(await world.available('alice')).toBe(10_000_000n)
    world.provider.outgoing.end(world.provider.outgoing.only('payments'), 'failed')
  })

  it('can be decided by operators if the provider no longer finds its code', async () => {
    await begin()
    const sent = await send()
    world.provider.misbehave('retrieveWithdrawalRequest', ...always(gone))
    const { expiresAt } = await row(sent)
    await world.pass((expiresAt?.getTime() ?? 0) + 30 * MINUTE - world.clock.now())
    expect(await world.tipping.administration.unknown(5)).toEqual([])
    await world.pass(HOUR)
    expect(await world.tipping.administration.unknown(5)).toMatchObject([{ kind: 'withdrawal', id: sent.id }])
    world.provider.outgoing.end(world.provider.outgoing.only('requests'), 'expired')
    await decide(sent.id, 'olga')
    await decide(sent.id, 'oscar')
    expect(await world.available('alice')).toBe(10_000_000n)
  })
})

describe('a payment in flight', () => {
  it('is polled after 2 seconds, then at growing intervals up to an hour', async () => {
    await begin()
    world.provider.outgoing.next = 'processing'
    await send(invoiceFor(world, 500))
    const polls = () => world.provider.count('retrievePayment')
    await world.pass(1_000)
    expect(polls()).toBe(0)
    await world.pass(2_000)
    expect(polls()).toBe(1)
    await world.pass(HOUR - 3_000)
    expect(polls()).toBeGreaterThan(20)
    expect(polls()).toBeLessThan(40)
    await world.pass(23 * HOUR)
    const before = polls()
    await world.pass(10 * HOUR)
    expect(polls() - before).toBe(10)
  })

  it('changes its card only at its beginning and its end', async () => {
    await begin()
    world.provider.outgoing.next = 'processing'
    const sent = await send(invoiceFor(world, 500))
    await world.pass(10 * MINUTE)
    expect(await revision(sent)).toBe(1)
    world.provider.outgoing.end(world.provider.outgoing.only('payments'), 'completed')
    await world.pass(10 * MINUTE)
    expect(await revision(sent)).toBe(2)
    expect(await now(sent)).toMatchObject({ state: 'paid', reason: undefined, endedAt: expect.any(Date) })
    const polls = world.provider.count('retrievePayment')
    await world.pass(48 * HOUR)
    expect(world.provider.count('retrievePayment')).toBe(polls)
  })

  it('has its card updated once when it is late, and again with its outcome', async () => {
    await begin()
    world.provider.outgoing.next = 'processing'
    const sent = await send(invoiceFor(world, 500))
    await world.pass(14 * MINUTE)
    expect(await now(sent)).toMatchObject({ late: false })
    expect(await revision(sent)).toBe(1)
    await world.pass(5 * MINUTE)
    expect(await now(sent)).toMatchObject({ state: 'sending', late: true })
    expect(await revision(sent)).toBe(2)
    await world.pass(6 * HOUR)
    expect(await revision(sent)).toBe(2)
    expect(await world.available('alice')).toBe(10_000_000n - sent.amount - sent.feeLimit)
    world.provider.outgoing.end(world.provider.outgoing.only('payments'), 'completed')
    await world.pass(HOUR)
    expect(await now(sent)).toMatchObject({ state: 'paid', late: false })
    expect(await revision(sent)).toBe(3)
  })

  it.each<[string, Fault]>([
    ['the provider shows a different payment', { answer: { amount: '1', status: 'completed' } }],
    ['the provider reports an unknown state', { answer: { status: 'resting' } }],
    ['the provider no longer knows it', { refuse: 404, message: 'There is no such payment.', code: 'not_found' }],
    [
      'the provider’s replayed answer is that it does not know it',
      { refuse: 404, message: 'None.', code: 'not_found', replayed: true },
    ],
    ['the provider does not answer', 'error'],
  ])('stays open while %s', async (_, fault) => {
    await begin()
    world.provider.outgoing.next = 'processing'
    const sent = await send(invoiceFor(world, 500))
    world.provider.outgoing.end(world.provider.outgoing.only('payments'), 'completed')
    world.provider.misbehave('retrievePayment', ...always(fault))
    expect(await lookAt(sent, 10 * MINUTE)).toMatchObject({ state: 'sending', reason: undefined })
    world.provider.stopMisbehaving('retrievePayment')
    expect(await lookAt(sent, 11 * MINUTE)).toMatchObject({ state: 'paid' })
  })

  it.each([{ invoice: null }, { invoice: '' }])(
    'counts as paid even if the provider’s answer shows no invoice: %j',
    async (answer) => {
      await begin()
      world.provider.misbehave('sendPayment', { answer })
      expect(await send(invoiceFor(world, 500))).toMatchObject({ state: 'paid' })
    },
  )

  it('keeps its state across a restart', async () => {
    await begin()
    world.provider.outgoing.next = 'processing'
    const sent = await send(invoiceFor(world, 500))
    await world.restart()
    await world.settle()
    expect(await now(sent)).toMatchObject({ state: 'sending', reason: undefined })
    expect(await revision(sent)).toBe(1)
  })

  it('raises no alert if it ended while the bot was off for a long time', async () => {
    await begin()
    world.provider.outgoing.next = 'processing'
    const sent = await send(invoiceFor(world, 500))
    await world.tipping.close()
    world.clock.jump(5 * HOUR)
    world.provider.outgoing.end(world.provider.outgoing.only('payments'), 'completed')
    await world.restart()
    expect(await lookAt(sent, 5 * HOUR + MINUTE)).toMatchObject({ state: 'paid' })
    expect(await world.tipping.administration.untoldAlerts(5)).toEqual([])
  })
})

it('a withdrawal that fails inside the bot is logged, and returned at the next start', async () => {
  const errors: string[] = []
  const destination = { write: (line: string) => void errors.push(line) }
  await begin({ logger: createLogger({ level: 'error', name: 'bot', destination }) })
  await world.tipping.close()
  await world.start({
    callbackUrl: () => {
      throw new Error('broken')
    },
  })
  const sent = await send(invoiceFor(world, 500))
  expect(errors).toEqual([expect.stringMatching(/(?=.*"task":"withdrawal").*broken/)])
  await world.restart()
  expect(await now(sent)).toMatchObject({ state: 'returned', because: 'interrupted' })
})

describe('a withdrawal that has ended', () => {
  it.each<[string, string, string | undefined]>([
    ['paid', 'completed', undefined],
    ['returned', 'expired', 'expired'],
  ])('stays %s even if an older state is read later', async (state, status, because) => {
    const errors: string[] = []
    await begin({
      logger: createLogger({ level: 'error', name: 'bot', destination: { write: (line) => void errors.push(line) } }),
    })
    const offered = await send()
    const { token } = await row(offered)
    const slow = world.tipping
    const another = async () => {
      world.provider.outgoing.end(world.provider.outgoing.only('requests'), status)
      await world.start()
      await world.tipping.hint(token ?? '')
      await world.tipping.settled()
    }
    const older = { before: another, answer: { status: 'pending', fee: null } }
    world.provider.misbehave('retrieveWithdrawalRequest', older as Fault)
    await slow.hint(token ?? '')
    await world.pass(10_000)
    expect(errors).toEqual([])
    expect(await now(offered)).toMatchObject({ state, because, request: undefined })
    expect(await revision(offered)).toBe(3)
    expect((await world.tipping.balances.view('alice')).inFlight).toBe(0n)
  })
})

describe('a payment whose answer was lost', () => {
  const lost = { refuse: 400, message: 'The wallet is empty.', code: 'insufficient_funds' }

  it.each<[string, Fault, string]>([
    ['a replayed refusal of its own request', { ...lost, code: 'self_payment', replayed: true }, 'returned'],
    ['a refusal of a later attempt', { ...lost, code: 'self_payment' }, 'unknown'],
    ['a replayed refusal without a code', { refuse: 400, message: 'No.', replayed: true }, 'unknown'],
    ['a replayed answer that the wallet is empty', { ...lost, replayed: true }, 'unknown'],
    ['a replayed answer that the invoice has expired', { ...lost, code: 'invoice_expired', replayed: true }, 'unknown'],
    ['a replayed failure', { refuse: 500, message: 'No.', code: 'internal', replayed: true }, 'unknown'],
  ])('is judged by a later answer: %s', async (_, fault, state) => {
    await begin()
    world.provider.misbehave('sendPayment', 'reset', 'reset', 'reset', ...always(fault))
    const sent = await send(invoiceFor(world, 500))
    expect(sent).toMatchObject({ state: 'unknown' })
    const message = (fault as { message: string }).message
    const because = state === 'returned' ? 'refused' : undefined
    const { reason } = await lookAt(sent, MINUTE)
    expect(reason?.replace('[self_payment] ', '')).toBe(message)
    expect(await now(sent)).toMatchObject({ state, because })
    expect(await world.available('alice')).toBe(state === 'returned' ? 10_000_000n : 9_490_000n)
  })

  it('is reported to operators with the provider’s latest answer', async () => {
    await begin()
    const ofNow = { ...lost, message: 'The wallet is asleep.' }
    world.provider.misbehave('sendPayment', 'reset', 'reset', 'reset', lost, ...always(ofNow))
    const sent = await send(invoiceFor(world, 500))
    const evidence = async () => (await world.tipping.administration.unknown(1))[0]?.evidence
    await world.pass(3_000)
    expect(await evidence()).toBe('The wallet is empty.')
    await lookAt(sent, 10_000)
    expect(await evidence()).toBe('The wallet is asleep.')
    await lookAt(sent, HOUR)
    const [alert] = await world.tipping.administration.untoldAlerts(1)
    expect(alert?.text).toContain('The wallet is asleep.')
  })

  it('is sent again under its key for at most a day', async () => {
    await begin()
    world.provider.misbehave('sendPayment', 'reset', 'reset', 'reset', ...always(lost))
    const sent = await send(invoiceFor(world, 500))
    const calls = () => world.provider.count('sendPayment')
    await world.pass(24 * HOUR - 10_000)
    const before = calls()
    await lookAt(sent, 24 * HOUR - 1)
    expect(calls()).toBe(before + 1)
    await lookAt(sent, 24 * HOUR)
    await world.pass(10 * HOUR)
    expect(calls()).toBe(before + 1)
    expect(
      new Set(world.provider.calls.flatMap(({ key, operation }) => (operation === 'sendPayment' ? [key] : []))).size,
    ).toBe(1)
    expect(await now(sent)).toMatchObject({ state: 'unknown' })
  })

  it('is not sent again at a different provider', async () => {
    await begin()
    world.provider.misbehave('sendPayment', 'act-then-error', 'act-then-error', 'act-then-error')
    const sent = await send(invoiceFor(world, 500))
    await world.restart({ apiKey: 'another' })
    expect(await lookAt(sent, HOUR)).toMatchObject({ state: 'unknown' })
    expect(world.provider.count('sendPayment')).toBe(3)
    expect(await world.tipping.administration.untoldAlerts(5)).toMatchObject([{ kind: 'withdrawal-unknown' }])
  })

  it('is settled by a later look-up after a failed one if a callback contained its id', async () => {
    await begin({ replays: false })
    world.provider.misbehave('sendPayment', 'act-then-error')
    const sent = await send(invoiceFor(world, 500))
    const { id, body } = world.provider.outgoing.only('payments')
    const gone: Fault = { refuse: 404, message: 'There is no such payment.', code: 'not_found' }
    world.provider.misbehave('retrievePayment', gone)
    const said = { id, internalId: sent.id, amount: '500000', invoice: body.invoice }
    await world.tipping.hint(world.token(body.callbackUrl ?? ''), said)
    await world.settle()
    expect(await now(sent)).toMatchObject({ state: 'unknown', reason: 'Something went wrong.' })
    expect(await lookAt(sent, MINUTE)).toMatchObject({ state: 'paid' })
  })
})

describe('a withdrawal code to scan', () => {
  it('returns its sats within seconds of its expiry', async () => {
    await begin()
    const offered = await send()
    await world.pass(10 * MINUTE - 1_000)
    world.provider.outgoing.end(world.provider.outgoing.only('requests'), 'expired')
    await world.pass(4_000)
    expect(await now(offered)).toMatchObject({ state: 'returned', because: 'expired', request: undefined })
  })

  it('has its card redrawn once for each change of state', async () => {
    await begin()
    const offered = await send()
    const request = world.provider.outgoing.only('requests')
    const shown: [string, boolean, number][] = []
    for (const status of ['pending', 'processing', 'processing', 'pending', 'failed', 'processing', 'completed']) {
      request.status = status
      await world.tipping.hint(world.token(request.body.callbackUrl ?? ''))
      await world.settle()
      const { state, triedInVain } = await now(offered)
      shown.push([state, triedInVain, await revision(offered)])
    }
    // A claim that failed opens it again, and a failure is not an end.
    const [offer, claim] = ['offered', 'claimed']
    expect(shown).toEqual([
      [offer, false, 2],
      [claim, false, 3],
      [claim, false, 3],
      [offer, true, 4],
      [offer, true, 4],
      [claim, false, 5],
      ['paid', false, 6],
    ])
  })

  it('ends exactly an hour after its expiry if it was shown to nobody', async () => {
    await begin({ replays: false })
    world.provider.misbehave('createWithdrawalRequest', 'error')
    const sent = await send()
    expect(await lookAt(sent, 70 * MINUTE - 1)).toMatchObject({ state: 'unknown' })
    const over = { state: 'returned', because: 'never-shown', reason: 'Something went wrong.' }
    expect(await lookAt(sent, 70 * MINUTE)).toMatchObject(over)
  })

  it('can end by time alone, unlike a payment, which stays unknown without an outcome', async () => {
    await begin({ replays: false })
    world.provider.misbehave('sendPayment', 'error')
    const sent = await send(invoiceFor(world, 500))
    expect(await lookAt(sent, 200 * HOUR)).toMatchObject({ state: 'unknown' })
  })

  it('is reported to operators an hour after its expiry if its fee is never stated', async () => {
    await begin()
    const sent = await send()
    world.provider.outgoing.end(world.provider.outgoing.only('requests'), 'completed', null)
    const told = async () => (await world.tipping.administration.untoldAlerts(5)).map(({ text }) => text)
    await lookAt(sent, 70 * MINUTE - 1_000)
    expect(await told()).toEqual([])
    await lookAt(sent, 70 * MINUTE)
    expect(await told()).toEqual([
      expect.stringMatching(
        /\(request\) of 500000 msats is "paid" since 2030-.*: the provider names no fee\. Two operators/,
      ),
    ])
    const decide = (operator: string, outcome: 'paid' | 'failed') =>
      world.tipping.administration.decide({ payment: sent.id, outcome, reason: 'the fee was not named', operator })
    await expect(decide('olga', 'failed')).rejects.toMatchObject({ code: 'payment-not-unknown' })
    await decide('olga', 'paid')
    await decide('oscar', 'paid')
    expect(await now(sent)).toMatchObject({ state: 'paid', fee: 10_000n })
    expect(await world.tipping.balances.view('alice')).toMatchObject({ available: 9_490_000n, inFlight: 0n })
    expect(await world.tipping.administration.unknown(5)).toMatchObject([{ id: sent.id, decided: 'paid' }])
  })
})
