import { beforeEach, describe, expect, it } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import type { PaymentByHand, TipView } from '../../../src/tipping/tipping.ts'
import type { PayFault, ScriptedWallet } from '../../support/scripted-wallets.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld
let alice: ScriptedWallet
let bob: ScriptedWallet
/** A wallet of alice's that is not connected. */
let phone: ScriptedWallet

beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true })
  alice = await world.connected('alice')
  bob = await world.connected('bob')
  phone = world.wallets.add('phone')
})

async function shareOf({ id }: Pick<TipView, 'id'>) {
  await world.settle()
  return (await world.tipping.tips.view(id)).shares[0]
}

const cards = () => world.database.read.card.findMany({ where: { kind: 'wallet-invoice' } })

/** Returns the only payment by hand, with the invoice that its giver is shown. */
async function offered(): Promise<PaymentByHand> {
  const [card, ...others] = await cards()
  expect([card?.member, others]).toEqual(['alice', []])
  return await world.tipping.ownWallets.byHand(card?.record ?? '')
}

const OVER_MS = 5 * 60_000

describe('a giver whose wallet does not prove that it has paid', () => {
  it('is shown the tip’s invoice after 10 seconds', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    alice.beforePaying = promise
    const tip = await world.tip('alice', 'bob', '500')
    await world.pass(9_000)
    expect(await cards()).toEqual([])
    await world.pass(2_000)
    const { state, wallet, to, amount, tipCard } = await offered()
    expect({ state, wallet, to, amount }).toEqual({ state: 'open', wallet: 'silent', to: 'bob', amount: 500_000n })
    expect(tipCard).toBe(tip.card)
    resolve()
    expect(await shareOf(tip)).toMatchObject({ state: 'direct' })
    expect(world.wallets.payments).toMatchObject([{ by: ['alice'] }])
  })

  it('can pay the tip’s invoice by hand, in which case the wallet does not pay it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    alice.beforePaying = promise
    const tip = await world.tip('alice', 'bob', '500')
    await world.pass(11_000)
    const { invoice } = await offered()
    const { paymentHash } = await world.database.read.walletPayment.findFirstOrThrow()
    expect(decodeInvoice(invoice).paymentHash).toBe(paymentHash)
    world.wallets.settle(phone, invoice)
    await world.pass(5_000)
    expect((await world.tipping.tips.view(tip.id)).shares[0]).toMatchObject({ state: 'direct' })
    expect((await offered()).state).toBe('paid')
    resolve()
    expect(await shareOf(tip)).toMatchObject({ state: 'direct' })
    expect(world.wallets.payments).toMatchObject([{ by: ['phone'], to: 'bob', amount: 500_000n }])
    expect(bob.asked.filter((method) => method === 'make_invoice')).toHaveLength(1)
  })

  const late: [string, PayFault][] = [
    ['never received the request', 'lost'],
    ['tries to pay a minute later', 'late'],
    ['says that the payment failed', { error: 'PAYMENT_FAILED' }],
  ]

  it.each(late)('pays by hand, and only once, even if the wallet %s', async (_, fault) => {
    alice.payFaults.push(fault)
    const tip = await world.tip('alice', 'bob', '500')
    await world.settle()
    world.wallets.settle(phone, (await offered()).invoice)
    await world.pass(OVER_MS)
    expect(await shareOf(tip)).toMatchObject({ state: 'direct' })
    expect(world.wallets.payments).toMatchObject([{ by: ['phone'] }])
  })

  it('is offered no invoice while the wallet says, without proof, that it has paid', async () => {
    alice.payFaults.push('not-paid')
    expect(await shareOf(await world.tip('alice', 'bob', '500'))).toMatchObject({ state: 'unsure' })
    expect(await cards()).toEqual([])
  })

  it('is offered the invoice only once, even if the wallet later reports a failure', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    alice.beforePaying = promise
    alice.payFaults.push({ error: 'PAYMENT_FAILED' })
    await world.tip('alice', 'bob', '500')
    await world.pass(11_000)
    resolve()
    await world.settle()
    expect((await offered()).state).toBe('open')
  })

  it('sees the invoice as paid if the wallet pays it late, and the tip counts', async () => {
    alice.payFaults.push('late')
    const tip = await world.tip('alice', 'bob', '500')
    await world.settle()
    expect((await offered()).state).toBe('open')
    await world.pass(90_000)
    expect((await offered()).state).toBe('paid')
    expect(await shareOf(tip)).toMatchObject({ state: 'direct' })
  })

  it('sees the invoice and the tip as expired if nobody has paid in time', async () => {
    alice.isAway = true
    const tip = await world.tip('alice', 'bob', '500')
    await world.settle()
    await world.pass(OVER_MS)
    expect((await offered()).state).toBe('over')
    expect(await shareOf(tip)).toMatchObject({ state: 'unpaid', failure: 'expired' })
  })
})

describe('a giver whose wallet refuses to pay', () => {
  const refusals = ['INSUFFICIENT_BALANCE', 'QUOTA_EXCEEDED', 'UNAUTHORIZED', 'RESTRICTED'].map((error) => ({ error }))

  it.each(refusals)('can pay by hand, and the tip then counts like any other: $error', async (fault) => {
    await world.tipping.preferences.changeServer({
      guild: 'guild',
      member: 'mod',
      change: { perDay: 1_000_000n as never },
    })
    alice.payFaults.push(fault)
    const tip = await world.tip('alice', 'bob', '900')
    expect(await shareOf(tip)).toMatchObject({ state: 'unpaid' })
    expect(await offered()).toMatchObject({ state: 'open', wallet: 'refused' })
    world.wallets.settle(phone, (await offered()).invoice)
    await world.pass(20_000)
    expect(await shareOf(tip)).toMatchObject({ state: 'direct' })
    await expect(world.tip('alice', 'bob', '200')).rejects.toMatchObject({ code: 'limit-reached' })
  })

  it('sees the tip as paid once the recipient’s wallet is back and confirms it', async () => {
    alice.payFaults.push({ error: 'QUOTA_EXCEEDED' })
    const tip = await world.tip('alice', 'bob', '500')
    await world.settle()
    bob.isAway = true
    world.wallets.settle(phone, (await offered()).invoice)
    await world.pass(OVER_MS)
    expect(await shareOf(tip)).toMatchObject({ state: 'unsure' })
    bob.isAway = false
    await world.pass(6 * 3_600_000)
    expect(await shareOf(tip)).toMatchObject({ state: 'direct' })
  })

  it('uses up allowance for the tip even if the recipient’s wallet is disconnected', async () => {
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { perDay: sats(1_000) } })
    alice.payFaults.push({ error: 'QUOTA_EXCEEDED' })
    const tip = await world.tip('alice', 'bob', '900')
    await world.settle()
    await world.tipping.ownWallets.disconnect('bob')
    world.wallets.settle(phone, (await offered()).invoice)
    await world.pass(OVER_MS)
    await world.connected('bob')
    await expect(world.tip('alice', 'bob', '200')).rejects.toMatchObject({ code: 'limit-reached' })
    await world.pass(26 * 3_600_000)
    expect(await shareOf(tip)).toMatchObject({ state: 'unconfirmed' })
  })

  it('uses up no allowance for the tip if nobody pays the invoice', async () => {
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { perDay: sats(1_000) } })
    alice.payFaults.push({ error: 'QUOTA_EXCEEDED' })
    const tip = await world.tip('alice', 'bob', '900')
    await world.settle()
    bob.isAway = true
    await world.pass(OVER_MS)
    bob.isAway = false
    await world.pass(6 * 3_600_000)
    expect(await shareOf(tip)).toMatchObject({ state: 'unpaid' })
    expect(await shareOf(await world.tip('alice', 'bob', '900'))).toMatchObject({ state: 'direct' })
  })

  it('is offered no invoice if the recipient’s wallet cannot report the payment', async () => {
    await world.connected('bob', { methods: ['get_info', 'make_invoice'] })
    alice.payFaults.push({ error: 'QUOTA_EXCEEDED' })
    expect(await shareOf(await world.tip('alice', 'bob', '500'))).toMatchObject({ state: 'unpaid' })
    expect(await cards()).toEqual([])
  })

  it('is offered no payment by hand if the recipient’s wallet makes no invoice', async () => {
    bob.invoiceFaults.push('silent')
    expect(await shareOf(await world.tip('alice', 'bob', '500'))).toMatchObject({ failure: 'receiver' })
    expect(await cards()).toEqual([])
  })
})

describe('the invoice of a tip that the giver’s wallet is to pay', () => {
  it('is shown to nobody if the wallet pays it', async () => {
    expect(await shareOf(await world.tip('alice', 'bob', '500'))).toMatchObject({ state: 'direct' })
    expect(await cards()).toEqual([])
    const { id } = await world.database.read.walletPayment.findFirstOrThrow()
    await expect(world.tipping.ownWallets.byHand(id)).rejects.toMatchObject({ code: 'not-there' })
  })

  it('is offered for payment by hand after the process has died, and is paid once', async () => {
    const { promise } = Promise.withResolvers<void>()
    alice.beforePaying = promise
    const tip = await world.tip('alice', 'bob', '500')
    await world.pass(5_000)
    void world.dieAtCommit(1, 'before')
    await world.reborn()
    await world.pass(70_000)
    world.wallets.settle(phone, (await offered()).invoice)
    await world.pass(OVER_MS)
    expect(await shareOf(tip)).toMatchObject({ state: 'direct' })
    expect(world.wallets.payments).toMatchObject([{ by: ['phone'] }])
  })
})
