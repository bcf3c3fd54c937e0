import { describe, expect, it } from 'vitest'
import type { Fault } from '../../support/scripted-provider.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

const HOUR_MS = 3_600_000

/** Opens a world in which alice has 1,000 sats, and the operator 100. */
async function begin(): Promise<void> {
  world = await TippingWorld.open({ wallet: 100_000n })
  await world.fund('alice', 1_000)
}

interface Said {
  readonly amount?: string
  readonly by?: string
}

function decide(payment: string, outcome: 'paid' | 'failed', { amount, by = 'olga' }: Said = {}) {
  return world.run(world.tipping.administration.decide({ payment, outcome, amount, reason: 'seen', operator: by }))
}

async function decideByTwo(payment: string, outcome: 'paid' | 'failed', amount?: string) {
  await decide(payment, outcome, amount === undefined ? {} : { amount })
  return await decide(payment, outcome, amount === undefined ? { by: 'oscar' } : { amount, by: 'oscar' })
}

function audit() {
  return world.run(world.tipping.administration.audit())
}

async function open() {
  return await world.tipping.administration.unknown(10)
}

/** Creates a voucher of 500 sats; the request is never answered, and the provider has forgotten its key. */
async function unknownVoucher(arrived: boolean): Promise<string> {
  await begin()
  const fault: Fault = arrived ? 'act-then-error' : 'error'
  world.provider.misbehave('createVoucher', fault, fault, fault)
  const asked = { member: 'alice', amount: '500', origin: world.origin() }
  const { id } = await world.run(world.tipping.vouchers.create(asked))
  await world.restart({ apiKey: 'another' })
  await world.settle()
  return id
}

/** Redeems a code worth 70 sats for bob; the answer is lost, and the provider has changed since. */
async function unknownRedemption(arrived: boolean): Promise<string> {
  await begin()
  const { code } = world.provider.vouchers.foreign(70_000n)
  const fault: Fault = arrived ? 'act-then-error' : 'error'
  world.provider.misbehave('redeemVoucher', fault, fault, fault)
  const { id } = await world.run(world.tipping.vouchers.redeem({ member: 'bob', code, origin: world.origin() }))
  await world.restart({ apiKey: 'another' })
  await world.settle()
  return id
}

describe('a voucher with an unknown outcome', () => {
  it('is reported to operators after an hour, without its request’s key or body', async () => {
    const id = await unknownVoucher(true)
    await world.pass(2 * HOUR_MS)
    const [alert] = await world.tipping.administration.untoldAlerts(10)
    expect(alert).toMatchObject({ kind: 'voucher-unknown', text: expect.stringContaining(id) })
    const { key, body } = await world.database.read.voucher.findUniqueOrThrow({ where: { id } })
    for (const secret of [key, body ?? '']) expect(alert?.text).not.toContain(secret)
    const since = expect.any(Date)
    const evidence = 'Something went wrong.'
    expect(await open()).toEqual([{ kind: 'voucher', id, member: 'alice', amount: 500_000n, to: '', since, evidence }])
  })

  it('returns its sats to its maker if two operators decide that it was never made', async () => {
    const id = await unknownVoucher(false)
    expect(await decide(id, 'failed')).toMatchObject({ state: 'proposed', kind: 'voucher' })
    expect(await world.available('alice')).toBe(495_000n)
    expect(await decide(id, 'failed', { by: 'oscar' })).toMatchObject({ state: 'done' })
    expect(await world.available('alice')).toBe(1_000_000n)
    expect(await world.tipping.vouchers.view(id)).toMatchObject({ state: 'failed' })
    expect(await open()).toMatchObject([{ id, decided: 'failed' }])
    expect(await audit()).toMatchObject({ holds: true, operator: 100_000n, openOperations: 0 })
  })

  it('returns its sats at the operator’s expense if two operators decide it was made', async () => {
    const id = await unknownVoucher(true)
    await decideByTwo(id, 'paid')
    expect(await world.available('alice')).toBe(1_000_000n)
    const { operator, openOperations } = await audit()
    // The limit of its fee was 5 sats, of which it cost 1.
    expect({ operator, openOperations }).toEqual({ operator: -405_000n, openOperations: 0 })
    world.excused = /operator's account stands at|4 sats more/
  })

  it('leaves its maker’s balance unchanged when operators correct a wrong decision', async () => {
    const id = await unknownVoucher(false)
    await decideByTwo(id, 'paid')
    expect(await world.available('alice')).toBe(1_000_000n)
    await decideByTwo(id, 'failed')
    expect(await world.available('alice')).toBe(1_000_000n)
    expect(await audit()).toMatchObject({ holds: true, operator: 100_000n })
  })
})

describe('a voucher whose revocation got no readable answer', () => {
  async function revoking(): Promise<{ id: string; code: string }> {
    await begin()
    const asked = { member: 'alice', amount: '500', origin: world.origin() }
    const made = await world.run(world.tipping.vouchers.create(asked))
    const lost: Fault = { refuse: 500, message: 'Out of order.' }
    world.provider.misbehave('revokeVoucher', ...Array<Fault>(1_000).fill(lost))
    world.provider.misbehave('retrieveVoucher', ...Array<Fault>(1_000).fill(lost))
    const command = { member: 'alice', voucher: made.id, origin: world.origin() }
    expect(await world.run(world.tipping.vouchers.revoke(command))).toMatchObject({ state: 'revoking' })
    return { id: made.id, code: made.code ?? '' }
  }

  it('is reported to operators after an hour, with the provider’s answer and no code', async () => {
    const { id, code } = await revoking()
    await world.pass(HOUR_MS + 20_000)
    const [alert] = await world.tipping.administration.untoldAlerts(10)
    expect(alert).toMatchObject({ kind: 'revocation-unknown', text: expect.stringContaining('Out of order.') })
    const [unknown] = await open()
    expect(unknown).toMatchObject({ kind: 'revocation', id, evidence: 'Out of order.' })
    expect(
      JSON.stringify([alert, unknown], (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    ).not.toContain(code)
  })

  it('returns its amount only once when two operators decide, even after later polls', async () => {
    const { id, code } = await revoking()
    world.provider.wallet += 500_000n
    const voucher = world.provider.vouchers.all.find((each) => each.code === code)
    if (voucher) voucher.revoked = true
    await decideByTwo(id, 'failed')
    expect(await world.tipping.vouchers.view(id)).toMatchObject({ state: 'revoked', code: undefined })
    await world.pass(2 * HOUR_MS)
    expect(await world.available('alice')).toBe(999_000n)
    expect(await audit()).toMatchObject({ holds: true, openOperations: 0 })
  })

  it('leaves its sats with its maker, at the operator’s expense, if it was redeemed', async () => {
    const { id } = await revoking()
    await decideByTwo(id, 'failed')
    await decideByTwo(id, 'paid')
    expect(await world.available('alice')).toBe(999_000n)
    expect(await audit()).toMatchObject({ operator: -400_000n })
    await decideByTwo(id, 'failed')
    expect(await world.available('alice')).toBe(999_000n)
    await decideByTwo(id, 'paid')
    world.excused = /operator's account stands at/
  })

  it('moves no sats if two operators decide that somebody redeemed it', async () => {
    const { id } = await revoking()
    await decideByTwo(id, 'paid')
    expect(await world.tipping.vouchers.view(id)).toMatchObject({ state: 'redeemed' })
    expect(await world.available('alice')).toBe(499_000n)
    expect(await audit()).toMatchObject({ holds: true, mayHaveArrived: 0n })
  })

  it('can be decided even if it was made at a provider that the bot no longer uses', async () => {
    await begin()
    const { id } = await world.tipping.vouchers.create({ member: 'alice', amount: '500', origin: world.origin() })
    await world.restart({ elsewhere: true })
    await world.pass(2 * HOUR_MS)
    const [alert] = await world.tipping.administration.untoldAlerts(10)
    expect(alert).toMatchObject({ kind: 'revocation-unknown', text: expect.stringMatching(/not this one any more/) })
    await decideByTwo(id, 'paid')
    expect(await audit()).toMatchObject({ holds: true, mayHaveArrived: 0n })
  })

  it('moves no sats if two operators decide while it is being read', async () => {
    const { id, code } = await revoking()
    for (const operation of ['revokeVoucher', 'retrieveVoucher']) world.provider.stopMisbehaving(operation)
    const { decide } = world.tipping.administration
    const redeemed = { payment: id, outcome: 'paid', reason: 'seen' } as const
    const before = async () => {
      for (const operator of ['olga', 'oscar']) await decide({ ...redeemed, operator })
    }
    world.provider.misbehave('retrieveVoucher', { before })
    await world.pass(60_000)
    expect(world.provider.vouchers.all.find((each) => each.code === code)).toMatchObject({ revoked: true })
    expect(await world.tipping.vouchers.view(id)).toMatchObject({ state: 'redeemed' })
    expect(await world.available('alice')).toBe(499_000n)
    world.excused = /500 sats more/
  })

  it('can be decided only in that state, not while it is live', async () => {
    await begin()
    const { id } = await world.tipping.vouchers.create({ member: 'alice', amount: '500', origin: world.origin() })
    await expect(decide(id, 'failed')).rejects.toMatchObject({ code: 'payment-not-unknown' })
  })
})

describe('a code whose redemption was not answered', () => {
  it('is credited to its member with the amount that both operators enter', async () => {
    const id = await unknownRedemption(true)
    expect((await open())[0]).toMatchObject({ kind: 'redemption', id, member: 'bob', amount: undefined })
    for (const said of [{}, { amount: '' }, { amount: ' ' }])
      await expect(decide(id, 'paid', said)).rejects.toMatchObject({ code: 'decision-needs-amount' })
    await expect(decide(id, 'paid', { amount: '$5' })).rejects.toMatchObject({ code: 'amount-needs-rate' })
    await decide(id, 'paid', { amount: '70' })
    expect(await world.database.read.alert.findFirst({ where: { kind: 'decision-proposed' } })).toMatchObject({
      text: expect.stringMatching(/^olga says that the .* of unknown msats by bob .* \(70000 msats\): seen\. /),
    })
    expect((await open())[0]?.proposal).toMatchObject({ outcome: 'paid', amount: 70_000n, by: 'olga' })
    expect(await decide(id, 'paid', { amount: '71', by: 'oscar' })).toMatchObject({
      state: 'proposed',
      amount: 71_000n,
    })
    expect(await world.available('bob')).toBe(0n)
    await decideByTwo(id, 'paid', '70')
    expect(await world.available('bob')).toBe(70_000n)
    expect(await world.tipping.vouchers.redemption(id)).toMatchObject({ state: 'redeemed', amount: 70_000n })
    expect(await audit()).toMatchObject({ holds: true, mayHaveArrived: 0n, openOperations: 0 })
  })

  it('no longer counts as a possible arrival once operators decide it has no value', async () => {
    const id = await unknownRedemption(false)
    expect((await audit()).mayHaveArrived).toBeGreaterThan(0n)
    await decideByTwo(id, 'failed')
    expect(await world.tipping.vouchers.redemption(id)).toMatchObject({ state: 'failed' })
    expect(await audit()).toMatchObject({ holds: true, mayHaveArrived: 0n, openOperations: 0 })
  })

  it('leaves the sats with the member, at the operator’s expense, if wrongly credited', async () => {
    const id = await unknownRedemption(false)
    await decideByTwo(id, 'paid', '70')
    await decideByTwo(id, 'failed')
    expect(await world.available('bob')).toBe(70_000n)
    expect(await audit()).toMatchObject({ holds: true, operator: 30_000n })
  })

  it('shows the answer “redeemed” as evidence, and can be decided by two operators', async () => {
    await begin()
    const { code } = world.provider.vouchers.foreign(70_000n)
    const forgets = 'act-forget-then-error'
    world.provider.misbehave('redeemVoucher', forgets, forgets, forgets)
    const command = { member: 'bob', code, origin: world.origin() }
    const { id } = await world.run(world.tipping.vouchers.redeem(command))
    await world.pass(2 * HOUR_MS)
    expect((await open())[0]).toMatchObject({ id, evidence: 'It has been redeemed.' })
    expect((await world.tipping.administration.untoldAlerts(10)).map(({ kind }) => kind)).toContain(
      'redemption-unknown',
    )
    await decideByTwo(id, 'paid', '70')
    expect(await world.available('bob')).toBe(70_000n)
    expect((await audit()).holds).toBe(true)
  })
})
