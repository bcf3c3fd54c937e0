import { describe, expect, it } from 'vitest'
import { invoiceFor } from '../withdrawals/outside.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld
let payment: string

/**
 * Makes a payout of 100 sats whose answer was lost, at a provider that cannot report its outcome. The payout did, or
 * did not, arrive.
 */
async function begin(arrived: boolean, { besideOthers = false } = {}): Promise<void> {
  world = await TippingWorld.open({ replays: false, besideOthers })
  await world.fund('alice', 1_000)
  await world.linked('bob')
  world.provider.misbehave('payToGamertag', arrived ? 'act-then-error' : 'error')
  await world.tip('alice', 'bob', '100')
  const [unknown] = await world.tipping.administration.unknown(10)
  expect(unknown).toMatchObject({ kind: 'payout', member: 'bob', amount: 100_000n, decided: undefined })
  expect(unknown?.evidence).not.toBe('')
  payment = unknown?.id ?? ''
}

function decide(operator: string, outcome: 'paid' | 'failed', reason = 'seen in the log') {
  return world.tipping.administration.decide({ payment, outcome, reason, operator })
}

const inWords = ({ proposedBy, outcome, state }: { proposedBy: string; outcome: string; state: string }) =>
  `${proposedBy}: ${outcome}, ${state}`

async function holds(): Promise<boolean> {
  return (await world.tipping.administration.audit()).holds
}

describe('a payment with an unknown outcome', () => {
  it('is decided by two different operators, whose reasons are recorded', async () => {
    await begin(true)
    expect(await decide('olga', 'paid', 'the wallet shows it')).toMatchObject({
      state: 'proposed',
      secondedBy: undefined,
    })
    expect((await world.tipping.administration.unknown(10))[0]?.proposal).toEqual({
      outcome: 'paid',
      by: 'olga',
      reason: 'the wallet shows it',
    })
    await expect(decide('olga', 'paid')).rejects.toMatchObject({ code: 'decision-needs-another' })
    const decision = await decide('oscar', 'paid', 'bob has it')
    expect(decision).toEqual({
      ...{ id: decision.id, kind: 'payout', payment, outcome: 'paid', amount: 100_000n },
      ...{ state: 'done', proposedBy: 'olga', secondedBy: 'oscar' },
    })
    expect(await world.tipping.balances.view('bob')).toMatchObject({
      available: 0n,
      inFlight: 0n,
      sentToGamertag: 100_000n,
    })
    await expect(decide('otto', 'paid')).rejects.toMatchObject({ code: 'payment-not-unknown' })
    // What the provider said when nobody knew its end is not said of one that was paid.
    expect(await world.tipping.administration.unknown(10)).toMatchObject([{ decided: 'paid', evidence: '' }])
    expect(await world.database.read.decision.findMany()).toMatchObject([
      { proposedReason: 'the wallet shows it', secondedReason: 'bob has it', outcome: 'paid', state: 'done' },
    ])
    expect(await holds()).toBe(true)
  })

  it.each([
    ['paid', 'was paid'],
    ['failed', 'did not leave'],
  ] as const)('that operators declare %s is announced with the words “%s”', async (outcome, said) => {
    await begin(outcome === 'paid')
    await decide('olga', outcome, 'seen there')
    await decide('oscar', outcome, 'seen too')
    const it = `the payout ${payment} of 100000 msats by bob ${said}`
    const confirm = 'It needs the confirmation of a second operator: /admin decide'
    const together = 'decided by two operators: seen there; seen too'
    const alerts = await world.database.read.alert.findMany({ orderBy: { id: 'asc' } })
    expect(alerts.map(({ kind, text }) => [kind, text])).toEqual([
      ['decision-proposed', `olga says that ${it}: seen there. ${confirm}`],
      ['decision-done', `olga and oscar have decided that ${it}: ${together}`],
    ])
  })

  it('is decided once, with one answer, if two operators confirm at the same time', async () => {
    await begin(false)
    await decide('olga', 'failed')
    const both = await Promise.all(['oscar', 'otto'].map((operator) => decide(operator, 'failed')))
    expect(both).toMatchObject(Array(2).fill({ state: 'done', secondedBy: 'oscar' }))
    expect(await world.available('bob')).toBe(100_000n)
    expect((await world.database.read.decision.findMany()).map(({ state }) => state)).toEqual(['done'])
  })

  it('has as its proposer the operator whose decision is written first', async () => {
    await begin(true, { besideOthers: true })
    const otherBot = world.tipping
    await world.start()
    type Word = readonly [operator: string, outcome: 'paid' | 'failed']
    /** Records the first decision only when the second, which has already read the book, is about to be written. */
    const atOnce = async (first: Word, [operator, outcome]: Word) => {
      const before = { payment, operator: first[0], outcome: first[1], reason: `${first[0]} looked` }
      world.beforeNextCommit = async () => expect(await otherBot.administration.decide(before)).toBeDefined()
      return await world.run(decide(operator, outcome, `${operator} looked`))
    }
    const waiting = async () => (await world.tipping.administration.unknown(1))[0]?.proposal

    await expect(atOnce(['olga', 'paid'], ['olga', 'paid'])).rejects.toMatchObject({ code: 'decision-needs-another' })
    expect(await waiting()).toMatchObject({ by: 'olga', outcome: 'paid' })
    // Otto confirms what olga herself no longer says: his is a word of its own.
    expect(await atOnce(['olga', 'failed'], ['otto', 'paid'])).toMatchObject({ state: 'proposed', proposedBy: 'otto' })
    // Of two who both say otherwise, the second confirms the first.
    expect(await atOnce(['oscar', 'failed'], ['olga', 'failed'])).toMatchObject({
      ...{ state: 'done', outcome: 'failed', proposedBy: 'oscar', secondedBy: 'olga' },
    })
    expect(await world.available('bob')).toBe(100_000n)
    // What nobody had said before is confirmed by the second, too.
    expect(await atOnce(['otto', 'paid'], ['olga', 'paid'])).toMatchObject({ state: 'done', proposedBy: 'otto' })
    expect((await world.database.read.decision.findMany()).map(inWords).sort()).toEqual([
      'olga: failed, replaced',
      'olga: paid, replaced',
      'oscar: failed, done',
      'otto: paid, done',
      'otto: paid, replaced',
    ])
    world.excused = /operator's account stands at -100 sats/
  })

  it('stays undecided if the decision cannot be written, and can be decided again', async () => {
    await begin(false)
    await decide('olga', 'failed')
    world.failCommits = 1
    await expect(decide('oscar', 'failed')).rejects.toThrow('nothing happened')
    expect(await world.available('bob')).toBe(0n)
    expect(await decide('oscar', 'failed')).toMatchObject({ state: 'done' })
    expect(await world.available('bob')).toBe(100_000n)
  })

  it('can be decided only with reasons of at most 300 characters', async () => {
    await begin(false)
    await expect(decide('olga', 'failed', 'x'.repeat(301))).rejects.toMatchObject({
      ...{ code: 'text-too-long', facts: { what: 'reason', most: 300 } },
    })
    expect(await decide('olga', 'failed', ` ${'x'.repeat(300)}\n`)).toMatchObject({ state: 'proposed' })
    expect((await world.tipping.administration.unknown(1))[0]?.proposal?.reason).toBe('x'.repeat(300))
  })

  it('ends as the provider reports, if the provider answers during the confirmation', async () => {
    world = await TippingWorld.open({ wallet: 1_000_000n, besideOthers: true })
    await world.fund('alice', 1_000)
    const polls = world.tipping
    await world.start()
    world.provider.misbehave('sendPayment', 'act-then-error', 'act-then-error', 'act-then-error')
    const request = { member: 'alice', amount: '500', to: invoiceFor(world, 500) }
    const { id } = await polls.withdrawals.ask({ ...request, origin: world.origin() })
    const confirmed = polls.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() })
    expect(await world.run(confirmed)).toMatchObject({ state: 'unknown' })
    payment = id
    await decide('olga', 'failed')
    const { token } = await world.database.read.withdrawal.findFirstOrThrow()
    world.beforeNextCommit = async () => {
      await polls.hint(token ?? '')
      await polls.settled()
    }
    expect(await world.run(decide('oscar', 'failed'))).toMatchObject({
      ...{ kind: 'withdrawal', payment, outcome: 'failed', amount: 500_000n },
      ...{ state: 'overtaken', proposedBy: 'olga', secondedBy: undefined },
    })
    expect(await world.tipping.withdrawals.view(id)).toMatchObject({ state: 'paid' })
    expect(await world.database.read.decision.findMany()).toMatchObject([{ state: 'overtaken', secondedBy: null }])
    await expect(decide('otto', 'failed')).rejects.toMatchObject({ code: 'payment-not-unknown' })
  })

  it('returns to the balance if operators decide that it did not leave', async () => {
    await begin(false)
    await decide('olga', 'failed')
    await decide('oscar', 'failed')
    expect(await world.available('bob')).toBe(100_000n)
    expect(await holds()).toBe(true)
  })

  it('needs another confirmation if the two operators disagree', async () => {
    await begin(true)
    await decide('olga', 'failed')
    expect(await decide('oscar', 'paid')).toMatchObject({ state: 'proposed', proposedBy: 'oscar' })
    expect(await world.available('bob')).toBe(0n)
    expect(await decide('olga', 'paid')).toMatchObject({ state: 'done' })
    expect(await holds()).toBe(true)
  })

  it('is corrected at the operator’s expense if it was wrongly decided to have failed', async () => {
    await begin(true)
    await decide('olga', 'failed')
    await decide('oscar', 'failed')
    expect(await holds()).toBe(false)
    await decide('olga', 'paid', 'it was paid after all')
    expect(await decide('oscar', 'paid')).toMatchObject({ state: 'done' })
    expect(await world.available('bob')).toBe(100_000n)
    expect((await world.tipping.administration.audit()).operator).toBe(-100_000n)
    world.excused = /operator's account stands at -100 sats/
  })

  it('is returned when operators correct the decision that it was paid', async () => {
    await begin(false)
    await decide('olga', 'paid')
    await decide('oscar', 'paid')
    await decide('oscar', 'failed')
    expect(await decide('olga', 'failed')).toMatchObject({ state: 'done' })
    expect(await world.available('bob')).toBe(100_000n)
    expect((await world.tipping.administration.unknown(10))[0]).toMatchObject({ id: payment, decided: 'failed' })
    expect(await holds()).toBe(true)
  })

  it('is returned after a correction, whatever was decided about other payments', async () => {
    await begin(false)
    const first = payment
    world.provider.misbehave('payToGamertag', 'error')
    await world.tip('alice', 'bob', '30')
    const [, other] = await world.tipping.administration.unknown(10)
    payment = other?.id ?? ''
    for (const operator of ['olga', 'oscar']) await decide(operator, 'failed')
    payment = first
    for (const operator of ['olga', 'oscar']) await decide(operator, 'paid')
    await world.clock.advance(1_000)
    const endedAt = new Date(world.clock.now())
    const corrected = await decide('olga', 'failed')
    await decide('oscar', 'failed')
    expect(await world.available('bob')).toBe(130_000n)
    expect(await world.database.read.payout.findUnique({ where: { id: first } })).toMatchObject({ endedAt })
    const { entry } = world.database.read
    expect(await entry.findMany({ where: { operation: corrected.id } })).toMatchObject([{ step: 'post' }])
    expect(await holds()).toBe(true)
  })

  it('has its card redrawn when operators correct its outcome', async () => {
    world = await TippingWorld.open({ wallet: 100_000n, replays: false })
    await world.fund('alice', 1_000)
    world.provider.misbehave('sendPayment', 'error')
    const request = { member: 'alice', amount: '500', to: invoiceFor(world, 500) }
    const { id } = await world.tipping.withdrawals.ask({ ...request, origin: world.origin() })
    const command = { withdrawal: id, member: 'alice', origin: world.origin() }
    const { card } = await world.run(world.tipping.withdrawals.confirm(command))
    payment = id
    for (const operator of ['olga', 'oscar']) await decide(operator, 'paid')
    const revision = async () =>
      (await world.database.read.card.findUniqueOrThrow({ where: { id: card ?? '' } })).revision
    const before = await revision()
    for (const operator of ['olga', 'oscar']) await decide(operator, 'failed')
    expect(await revision()).toBe(before + 1)
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('is returned once even after three contradictory decisions', async () => {
    await begin(false)
    for (const outcome of ['failed', 'paid', 'failed'] as const) {
      await decide('olga', outcome)
      await decide('oscar', outcome)
    }
    expect(await world.available('bob')).toBe(100_000n)
    expect((await world.tipping.administration.audit()).operator).toBe(0n)
    expect(await holds()).toBe(true)
  })

  it('cannot be decided if it does not exist or its outcome is known', async () => {
    await begin(true)
    const { decide: ask } = world.tipping.administration
    await expect(ask({ payment: 'none', outcome: 'paid', reason: 'x', operator: 'olga' })).rejects.toMatchObject({
      code: 'payment-not-found',
    })
    // That another one was decided does not make it one that may be put right.
    for (const operator of ['olga', 'oscar']) await decide(operator, 'paid')
    await world.tip('alice', 'bob', '50')
    const paid = await world.database.read.payout.findFirst({ where: { state: 'paid', id: { not: payment } } })
    await expect(
      ask({ payment: paid?.id ?? '', outcome: 'failed', reason: 'x', operator: 'olga' }),
    ).rejects.toMatchObject({ code: 'payment-not-unknown' })
  })

  it('cannot be decided by one person as both operators', async () => {
    await begin(true)
    const { id } = await decide('olga', 'paid')
    const data = { state: 'done', secondedBy: 'olga', secondedReason: 'x', secondedAt: new Date() }
    await expect(world.database.write.decision.update({ where: { id }, data })).rejects.toThrow()
  })
})

describe('the lists of payments for operators', () => {
  it('show undecided payments, oldest first, and decided ones, latest first', async () => {
    world = await TippingWorld.open({ wallet: 100_000n, replays: false })
    await world.fund('alice', 1_000)
    await world.linked('bob')
    world.provider.misbehave('sendPayment', 'error')
    const request = { member: 'alice', amount: '50', to: invoiceFor(world, 50) }
    const { id } = await world.tipping.withdrawals.ask({ ...request, origin: world.origin() })
    await world.run(world.tipping.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
    for (const amount of ['100', '110', '120']) {
      await world.clock.advance(1_000)
      world.provider.misbehave('payToGamertag', 'error')
      await world.tip('alice', 'bob', amount)
    }
    const listed = async (limit: number) =>
      (await world.tipping.administration.unknown(limit)).map(({ amount, decided }) => [
        Number(amount) / 1_000,
        decided,
      ])
    const open = (amount: number) => [amount, undefined]
    expect(await listed(10)).toEqual([open(50), open(100), open(110), open(120)])
    expect(await listed(3)).toEqual([open(50), open(100), open(110)])
    const ids = (await world.tipping.administration.unknown(10)).map((unknown) => unknown.id)
    for (const each of [ids[2], ids[1]]) {
      payment = each ?? ''
      await world.clock.advance(1_000)
      for (const operator of ['olga', 'oscar']) await decide(operator, 'failed')
    }
    await decide('olga', 'paid')
    expect(await listed(10)).toEqual([open(50), open(120), [100, 'failed'], [110, 'failed']])
    // That one operator has spoken decides nothing.
    const decision = { payment: ids[3] ?? '', outcome: 'paid', reason: 'seen', operator: 'olga' } as const
    await world.tipping.administration.decide(decision)
    expect(await listed(10)).toEqual([open(50), open(120), [100, 'failed'], [110, 'failed']])
    expect(await listed(3)).toEqual([open(50), open(120), [100, 'failed']])
    expect((await world.tipping.administration.unknown(10)).map(({ proposal }) => proposal?.outcome)).toEqual([
      ...[undefined, 'paid', 'paid', undefined],
    ])
    // What is decided a second time is listed once.
    await decide('oscar', 'paid')
    expect(await listed(10)).toEqual([open(50), open(120), [100, 'paid'], [110, 'failed']])
    world.excused = /operator's account stands at|more than the books/
  })
})

describe('the operators', () => {
  it('can pause and resume outgoing payments, and no audit ends their pause', async () => {
    world = await TippingWorld.open()
    await world.fund('alice', 1_000)
    const bob = await world.linked('bob')
    await world.tipping.administration.pause({ operator: 'olga', reason: 'looking into something' })
    await world.tipping.administration.audit()
    await world.restart()
    expect((await world.tip('alice', 'bob', '100')).shares[0]?.state).toBe('credited')
    expect((await world.tipping.administration.status()).paused).toEqual({
      source: 'operator',
      reason: 'looking into something',
    })
    expect(await world.tipping.administration.resume({ operator: 'oscar' })).toBeUndefined()
    expect((await world.tip('alice', 'bob', '100')).shares[0]?.state).toBe('paid')
    expect(world.received(bob)).toBe(100_000n)
  })

  it('get each alert until it is marked as sent', async () => {
    world = await TippingWorld.open()
    await world.tipping.administration.pause({ operator: 'olga', reason: 'a look' })
    const [alert] = await world.tipping.administration.untoldAlerts(10)
    expect(alert?.text).toContain('a look')
    await world.tipping.administration.alertTold(alert?.id ?? 0)
    expect(await world.tipping.administration.untoldAlerts(10)).toEqual([])
  })
})
