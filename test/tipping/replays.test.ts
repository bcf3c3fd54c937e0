import { beforeEach, describe, expect, it } from 'vitest'
import type { Fault } from '../support/scripted-provider.ts'
import { invoiceFor } from './withdrawals/outside.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n, settings: { sweepEveryMs: 60_000 } })
  await world.fund('alice', 10_000)
})

const lost: Fault[] = ['act-then-error', 'act-then-error', 'act-then-error']

const SENDS = {
  'a payout': {
    operation: 'payToGamertag',
    send: async () => {
      await world.linked('bob')
      await world.run(world.tip('alice', 'bob', '100'))
    },
  },
  'a withdrawal by code': { operation: 'createWithdrawalRequest', send: () => withdraw() },
  'a withdrawal to an invoice': { operation: 'sendPayment', send: () => withdraw(invoiceFor(world, 500)) },
  'a voucher': {
    operation: 'createVoucher',
    send: () => world.run(world.tipping.vouchers.create({ member: 'alice', amount: '500', origin: world.origin() })),
  },
  'a redemption': {
    operation: 'redeemVoucher',
    send: async () => {
      const made = world.tipping.vouchers.create({ member: 'alice', amount: '500', origin: world.origin() })
      const { code = '' } = await world.run(made)
      await world.run(world.tipping.vouchers.redeem({ member: 'carol', code, origin: world.origin() }))
    },
  },
} as const
type Kind = keyof typeof SENDS
const KINDS = Object.keys(SENDS) as Kind[]

async function withdraw(to?: string): Promise<void> {
  const request = { member: 'alice', amount: '500', ...(to === undefined ? {} : { to }) }
  const { id } = await world.tipping.withdrawals.ask({ ...request, origin: world.origin() })
  await world.run(world.tipping.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
}

/** Changes whether the provider replays keys, which the bot then learns. */
function providerReplays(replays: boolean): void {
  world.provider.abilities.replays = replays
  world.replays = replays
}

const timesSent = (kind: Kind) => world.provider.count(SENDS[kind].operation)

describe('a stored key', () => {
  it.each<Kind>(['a payout', 'a withdrawal to an invoice'])(
    'is not sent again for %s that was sent before its provider could replay keys',
    async (kind) => {
      providerReplays(false)
      world.provider.misbehave(SENDS[kind].operation, 'act-then-error')
      await SENDS[kind].send()
      const before = world.provider.wallet
      providerReplays(true)
      await world.pass(30 * 60_000)
      expect(timesSent(kind)).toBe(1)
      expect(world.provider.wallet).toBe(before)
    },
  )

  it.each(KINDS)('is sent again for %s whose provider is known to replay keys', async (kind) => {
    world.provider.misbehave(SENDS[kind].operation, ...lost)
    await SENDS[kind].send()
    const before = world.provider.wallet
    await world.pass(60_000)
    expect(timesSent(kind)).toBe(4)
    expect(world.provider.wallet).toBe(before)
  })

  it.each(KINDS)('is not sent again for %s if the provider has since forgotten the key', async (kind) => {
    world.provider.misbehave(SENDS[kind].operation, ...lost)
    await SENDS[kind].send()
    const before = world.provider.wallet
    world.provider.forgetKeys()
    world.provider.abilities.replays = false
    await world.pass(10 * 60_000)
    providerReplays(true)
    await world.pass(10 * 60_000)
    expect(timesSent(kind)).toBe(3)
    expect(world.provider.wallet).toBe(before)
  })

  it('is not sent again if the provider forgot all keys during an outage', async () => {
    world.provider.misbehave('payToGamertag', ...lost)
    await SENDS['a payout'].send()
    await world.provider.down()
    world.provider.forgetKeys()
    providerReplays(false)
    await world.pass(120_000)
    providerReplays(true)
    await world.provider.up()
    await world.pass(30 * 60_000)
    expect(timesSent('a payout')).toBe(3)
  })
})
