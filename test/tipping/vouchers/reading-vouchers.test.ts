import { afterEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/logger.ts'
import type { TippingContext } from '../../../src/tipping/engine/tipping-context.ts'
import type { PollJob } from '../../../src/tipping/generated/client.ts'
import { pollVoucher } from '../../../src/tipping/vouchers/poll-voucher.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import type { Fault } from '../../support/scripted-provider.ts'
import { aliceHasSome } from '../funded-world.ts'
import type { TippingWorld } from '../world.ts'

const HOUR_MS = 3_600_000
const LOST: Fault = { refuse: 500, message: 'Out of order.' }

describe('a live voucher at its provider', () => {
  let world: TippingWorld
  const logged: Record<string, unknown>[] = []

  /** Opens a world in which alice has 1,000 sats, and the operator 100. */
  async function begin(): Promise<void> {
    const destination = { write: (line: string) => void logged.push(JSON.parse(line)) }
    world = await aliceHasSome({ logger: createLogger({ level: 'warn', name: 'bot', destination }) })
  }

  afterEach(async () => {
    await world.close()
    logged.length = 0
  })

  const create = () => world.tipping.vouchers.create({ member: 'alice', amount: '100', origin: world.origin() })
  const revoke = (voucher: string) =>
    world.run(world.tipping.vouchers.revoke({ member: 'alice', voucher, origin: world.origin() }))
  const alerts = async () =>
    (await world.tipping.administration.untoldAlerts(9)).map(({ kind, text }) => ({ kind, text }))
  const fail = (...operations: string[]) => {
    for (const operation of operations) world.provider.misbehave(operation, ...Array<Fault>(1_500).fill(LOST))
  }

  it('is named in the alert if the provider reports a different amount for it', async () => {
    await begin()
    const { id } = await create()
    world.provider.misbehave('retrieveVoucher', { answer: { amount: '1', revokedAt: new Date(0).toISOString() } })
    await world.pass(5_000)
    const text = expect.stringContaining(`the answer to a voucher (${id}) is not believed`)
    expect(await alerts()).toEqual([{ kind: 'other-amount', text }])
    expect(await world.available('alice')).toBe(899_000n)
  })

  it('is named in the log if it cannot be read', async () => {
    await begin()
    const { id } = await create()
    fail('retrieveVoucher')
    await world.pass(10_000)
    expect(logged).toContainEqual(
      expect.objectContaining({ voucher: id, reason: 'Out of order.', msg: 'a voucher could not be read' }),
    )
    world.provider.stopMisbehaving('retrieveVoucher')
  })

  it('is reported after an hour, with the reason, if its revocation remains unclear', async () => {
    await begin()
    const [{ id }, other] = [await create(), await create()]
    fail('revokeVoucher', 'retrieveVoucher')
    await revoke(id)
    await world.pass(HOUR_MS - 1)
    expect(await alerts()).toEqual([])
    await world.pass(20_000)
    expect(await alerts()).toMatchObject([{ kind: 'revocation-unknown', text: expect.stringContaining(id) }])
    const { vouchers } = world.tipping
    expect([(await vouchers.view(id)).reason, (await vouchers.view(other.id)).reason]).toEqual([
      'Out of order.',
      undefined,
    ])
    for (const operation of ['revokeVoucher', 'retrieveVoucher']) world.provider.stopMisbehaving(operation)
    await world.pass(60_000)
  })
})

describe('the poll of a voucher', () => {
  const row = {
    ...{ id: 'one', state: 'live', provider: 'http://here#key', createdAt: new Date(0), revoking: true, code: 'CODE' },
    ...{ voucherId: 'remote', amount: 5n },
  }

  /** Polls a voucher, with these answers from the provider, one after the other. */
  function poll(payments: object) {
    const read = { voucher: { findUniqueOrThrow: async () => row } }
    const context = {
      clock: new ManualClock(),
      entropy: { uuid: () => 'unique' },
      database: { read },
      payments: { provider: row.provider, ...payments },
    } as unknown as TippingContext
    return pollVoucher(context, { id: row.id } as PollJob)
  }

  it('rethrows an error in the bot’s own code, and does not take it for an answer', async () => {
    const bug = () => Promise.reject(new TypeError('a bug'))
    await expect(
      poll({ revokeVoucher: bug, retrieveVoucher: () => Promise.resolve({ data: { amount: 5n } }) }),
    ).rejects.toThrow('a bug')
    await expect(poll({ revokeVoucher: async () => ({}), retrieveVoucher: bug })).rejects.toThrow('a bug')
  })

  it('sends a revocation under a new key', async () => {
    const sent: unknown[] = []
    await poll({
      revokeVoucher: async (...request: unknown[]) => void sent.push(...request),
      retrieveVoucher: async () => ({ data: { amount: 5n, revokedAt: null, redeemedAt: null } }),
    })
    expect(sent).toEqual([{ code: 'CODE' }, { idempotencyKey: 'revoke-one-unique' }])
  })
})
