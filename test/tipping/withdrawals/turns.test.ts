import { describe, expect, it } from 'vitest'
import type { WithdrawalView } from '../../../src/tipping/tipping.ts'
import { TippingWorld, type WorldOptions } from '../world.ts'
import { invoiceFor } from './outside.ts'

let world: TippingWorld

/** Opens a world in which alice has 10,000 sats, and payments are sent one at a time. */
async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open({
    wallet: 1_000_000n,
    settings: { maxConcurrentPayouts: 1, payoutTimeoutMs: 0 },
    ...options,
  })
  await world.fund('alice', 10_000)
}

async function send(): Promise<WithdrawalView> {
  const { withdrawals } = world.tipping
  const to = invoiceFor(world, 500)
  const { id } = await withdrawals.ask({ member: 'alice', amount: '500', to, origin: world.origin() })
  return await withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() })
}

const now = ({ id }: WithdrawalView) => world.tipping.withdrawals.view(id)

/** Makes one payment that hangs at the provider, and another that waits for its turn. */
async function oneWaits(): Promise<WithdrawalView> {
  world.provider.misbehave('sendPayment', 'act-then-hang')
  await world.run(send())
  await world.provider.asked('sendPayment')
  return await world.run(send())
}

describe('a withdrawal that waits for its turn', () => {
  it('is returned with the reason if a pause begins while it waits', async () => {
    await begin()
    const waiting = await oneWaits()
    expect(waiting).toMatchObject({ state: 'sending' })
    await world.tipping.administration.pause({ operator: 'olga', reason: 'a look' })
    await world.pass(60_000)
    expect(await now(waiting)).toMatchObject({ state: 'returned', because: 'paused', endedAt: expect.any(Date) })
    expect((await now(waiting)).reason).toContain('a look')
    expect(world.provider.outgoing.payments.size).toBe(1)
  })

  it('is not sent once another process of the bot has returned it', async () => {
    await begin()
    const waiting = await oneWaits()
    await world.start()
    await world.pass(60_000)
    expect(await now(waiting)).toMatchObject({ state: 'returned', because: 'interrupted', reason: undefined })
    expect(world.provider.outgoing.payments.size).toBe(1)
    expect(await world.available('alice')).toBe(9_499_000n)
  })

  it('is not sent if the bot is stopped, and is returned at the next start', async () => {
    await begin()
    const waiting = await oneWaits()
    await world.tipping.close()
    await world.pass(60_000)
    const { state } = await world.database.read.withdrawal.findFirstOrThrow({ where: { id: waiting.id } })
    expect(state).toBe('reserved')
    expect(world.provider.outgoing.payments.size).toBe(1)
    await world.restart()
    expect(await now(waiting)).toMatchObject({ state: 'returned', because: 'interrupted' })
  })
})

describe('a withdrawal whose turn has come', () => {
  it.each<[string, () => unknown, { because: string; reason: string | undefined }]>([
    [
      'an unreachable node',
      () => world.provider.misbehave('sendPayment', ...Array(3).fill('nothing-sent')),
      { because: 'unreachable', reason: '[nothing_sent] The node could not be reached.' },
    ],
    ['an unreachable provider', () => world.provider.down(), { because: 'unreachable', reason: undefined }],
    [
      'a refusal',
      () => world.provider.misbehave('sendPayment', { refuse: 400, message: 'It is yours.', code: 'self_payment' }),
      { because: 'refused', reason: '[self_payment] It is yours.' },
    ],
  ])('is returned immediately because of %s, with any message from the provider', async (_, harm, told) => {
    await begin({ settings: {} })
    await harm()
    expect(await world.run(send())).toMatchObject({ state: 'returned', ...told, fee: undefined })
    expect(await world.tipping.balances.view('alice')).toMatchObject({ available: 10_000_000n, inFlight: 0n })
    if (world.provider.count('sendPayment') === 0) await world.provider.up()
  })

  it('is requested without a callback if the bot has no URL for callbacks', async () => {
    await begin({ settings: {} })
    await world.tipping.close()
    await world.start({ callbackUrl: () => undefined })
    await world.run(send())
    expect(world.provider.outgoing.only('payments').body).not.toHaveProperty('callbackUrl')
  })
})

describe('an open payment', () => {
  it.each(['pending', 'processing', 'unknown'])('counts towards the limit until it ends: %s', async (status) => {
    await begin({ settings: {} })
    const { withdrawals } = world.tipping
    const ask = () => withdrawals.ask({ member: 'alice', amount: '500', origin: world.origin() })
    const confirm = ({ id }: WithdrawalView) =>
      world.run(withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
    const [one, two, three, four] = [await ask(), await ask(), await ask(), await ask()]
    for (const each of [one, two, three]) {
      if (status === 'unknown') world.provider.misbehave('createWithdrawalRequest', ...Array(6).fill('reset'))
      await confirm(each)
    }
    const requests = [...world.provider.outgoing.requests.values()]
    for (const request of requests) request.status = status
    await world.pass(4_000)
    const refusal = { code: 'too-many-withdrawals', facts: { most: 3 } }
    await expect(ask()).rejects.toMatchObject(refusal)
    await expect(confirm(four)).rejects.toMatchObject(refusal)
    expect(await world.tipping.balances.view('alice')).toMatchObject({ available: 8_470_000n, inFlight: 1_530_000n })
    world.provider.stopMisbehaving('createWithdrawalRequest')
    await world.pass(60_000)
    const [first] = world.provider.outgoing.requests.values()
    if (first) world.provider.outgoing.end(first, 'expired')
    await world.pass(60_000)
    expect(await confirm(four)).toMatchObject({ state: 'offered' })
  })
})
