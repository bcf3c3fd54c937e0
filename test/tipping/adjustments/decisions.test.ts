import { afterEach, describe, expect, it } from 'vitest'
import { TippingWorld } from '../world.ts'

let world: TippingWorld
let payment: string

/** A payout of 100 sats whose answer was lost, at a provider that cannot be asked. It did, or did not, arrive. */
async function begin(arrived: boolean): Promise<void> {
  world = await TippingWorld.open({ replays: false })
  await world.fund('alice', 1_000)
  await world.linked('bob')
  world.provider.misbehave('payToGamertag', arrived ? 'act-then-error' : 'error')
  await world.tip('alice', 'bob', '100')
  const [unknown] = await world.tipping.administration.unknown(10)
  expect(unknown).toMatchObject({ kind: 'payout', member: 'bob', amount: 100_000n, decided: undefined })
  expect(unknown?.evidence).not.toBe('')
  payment = unknown?.id ?? ''
}

afterEach(() => world.close())

function decide(operator: string, outcome: 'paid' | 'failed', reason = 'seen in the log') {
  return world.tipping.administration.decide({ payment, outcome, reason, operator })
}

async function holds(): Promise<boolean> {
  return (await world.tipping.administration.audit()).holds
}

describe('an unknown payment', () => {
  it('is decided by two different operators, with their reasons on the record', async () => {
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
    expect(await decide('oscar', 'paid', 'bob has it')).toMatchObject({
      state: 'done',
      proposedBy: 'olga',
      secondedBy: 'oscar',
    })
    expect(await world.tipping.balances.view('bob')).toMatchObject({
      available: 0n,
      inFlight: 0n,
      sentToGamertag: 100_000n,
    })
    expect(await world.database.read.decision.findMany()).toMatchObject([
      { proposedReason: 'the wallet shows it', secondedReason: 'bob has it', outcome: 'paid', state: 'done' },
    ])
    expect(await holds()).toBe(true)
  })

  it.each([
    ['paid', 'was paid'],
    ['failed', 'did not leave'],
  ] as const)('decided to be %s is told to operators in words: it %s', async (outcome, said) => {
    await begin(outcome === 'paid')
    await decide('olga', outcome, 'seen there')
    await decide('oscar', outcome, 'seen too')
    const it = `the payout ${payment} of 100000 msats by bob ${said}`
    const alerts = await world.database.read.alert.findMany({ orderBy: { id: 'asc' } })
    expect(alerts.map(({ kind, text }) => [kind, text])).toEqual([
      ['decision-proposed', expect.stringContaining(`operator olga says that ${it}: seen there.`)],
      ['decision-done', expect.stringContaining(`operators olga and oscar have decided that ${it}: decided by two`)],
    ])
  })

  it('that did not leave goes back to the balance', async () => {
    await begin(false)
    await decide('olga', 'failed')
    await decide('oscar', 'failed')
    expect(await world.available('bob')).toBe(100_000n)
    expect(await holds()).toBe(true)
  })

  it('waits for a confirmation when the two do not say the same', async () => {
    await begin(true)
    await decide('olga', 'failed')
    expect(await decide('oscar', 'paid')).toMatchObject({ state: 'proposed', proposedBy: 'oscar' })
    expect(await world.available('bob')).toBe(0n)
    expect(await decide('olga', 'paid')).toMatchObject({ state: 'done' })
    expect(await holds()).toBe(true)
  })

  it('decided wrongly to have failed is put right at the operator’s cost', async () => {
    await begin(true)
    await decide('olga', 'failed')
    await decide('oscar', 'failed')
    expect(await holds()).toBe(false)
    await decide('olga', 'paid', 'it was paid after all')
    expect(await decide('oscar', 'paid')).toMatchObject({ state: 'done' })
    expect(await world.available('bob')).toBe(100_000n)
    expect((await world.tipping.administration.audit()).operator).toBe(-100_000n)
    world.excused = /operator's account stands at -100000/
  })

  it('decided wrongly to be paid is given back', async () => {
    await begin(false)
    await decide('olga', 'paid')
    await decide('oscar', 'paid')
    await decide('oscar', 'failed')
    expect(await decide('olga', 'failed')).toMatchObject({ state: 'done' })
    expect(await world.available('bob')).toBe(100_000n)
    expect((await world.tipping.administration.unknown(10))[0]).toMatchObject({ id: payment, decided: 'failed' })
    expect(await holds()).toBe(true)
  })

  it('decided back and forth gives its sats to nobody twice', async () => {
    await begin(false)
    for (const outcome of ['failed', 'paid', 'failed'] as const) {
      await decide('olga', outcome)
      await decide('oscar', outcome)
    }
    expect(await world.available('bob')).toBe(100_000n)
    expect((await world.tipping.administration.audit()).operator).toBe(0n)
    expect(await holds()).toBe(true)
  })

  it('is not decided when it is none', async () => {
    await begin(true)
    const { decide: ask } = world.tipping.administration
    await expect(ask({ payment: 'none', outcome: 'paid', reason: 'x', operator: 'olga' })).rejects.toMatchObject({
      code: 'payment-not-found',
    })
    await world.tip('alice', 'bob', '50')
    const paid = await world.database.read.payout.findFirst({ where: { state: 'paid' } })
    await expect(
      ask({ payment: paid?.id ?? '', outcome: 'failed', reason: 'x', operator: 'olga' }),
    ).rejects.toMatchObject({ code: 'payment-not-unknown' })
  })

  it('the database itself refuses one person as two', async () => {
    await begin(true)
    const { id } = await decide('olga', 'paid')
    const data = { state: 'done', secondedBy: 'olga', secondedReason: 'x', secondedAt: new Date() }
    await expect(world.database.write.decision.update({ where: { id }, data })).rejects.toThrow()
  })
})

describe('operators', () => {
  it('pause what leaves and let it go on; an audit does not end their pause', async () => {
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

  it('hear of every alert until they have been told', async () => {
    world = await TippingWorld.open()
    await world.tipping.administration.pause({ operator: 'olga', reason: 'a look' })
    const [alert] = await world.tipping.administration.untoldAlerts(10)
    expect(alert?.text).toContain('a look')
    await world.tipping.administration.alertTold(alert?.id ?? 0)
    expect(await world.tipping.administration.untoldAlerts(10)).toEqual([])
  })
})
