import { beforeEach, describe, expect, it } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import type { PaymentByHand } from '../../../src/tipping/tipping.ts'
import type { ScriptedWallet } from '../../support/scripted-wallets.ts'
import { hostAddress, invoiceFor, RIGHT } from '../withdrawals/outside.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld
let bob: ScriptedWallet
/** Alice's phone: a wallet that is not connected. */
let phone: ScriptedWallet

beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true, settings: { custody: 'none' } })
  bob = await world.connected('bob')
  phone = world.wallets.add('phone')
})

const OVER_MS = 5 * 60_000

/** Sends a tip from alice, who has not connected a wallet. */
function ask(amount: string, { to = 'bob', interaction = `tip of ${amount}` } = {}) {
  const origin = { ...world.origin(), interaction }
  const command = { from: 'alice', to: [{ id: to, bot: false }], amount, origin }
  return world.tipping.invoicedTips.ask({ ...command, announced: { ...origin, reply: '' } })
}

async function shown(amount: string): Promise<PaymentByHand> {
  const given = await ask(amount)
  if (!('invoice' in given)) throw new Error(`no code is shown: ${JSON.stringify(given)}`)
  return given
}

async function payment() {
  await world.settle()
  const [row, ...others] = await world.database.read.walletPayment.findMany({ include: { tip: true } })
  if (row === undefined || others.length > 0) throw new Error(`${others.length} more payments`)
  const card = await world.database.read.card.findUniqueOrThrow({ where: { id: row.tip.card } })
  return { state: row.state, id: row.id, isTold: card.pending || card.shown > 0, channel: card.channel }
}

const invoiceCard = () => world.database.read.card.findFirstOrThrow({ where: { kind: 'wallet-invoice' } })
const seen = async () => world.tipping.ownWallets.byHand((await payment()).id)

describe('in a bot without custody, a giver without a wallet', () => {
  it('sees the recipient’s invoice, while nobody else sees the tip', async () => {
    const { invoice, to, amount, state, wallet, tipCard } = await shown('500')
    expect({ to, amount, state, wallet, tipCard }).toEqual({
      ...{ to: 'bob', amount: 500_000n, state: 'open', wallet: 'none', tipCard: undefined },
    })
    expect(decodeInvoice(invoice).amount).toBe(500_000n)
    expect(await payment()).toMatchObject({ state: 'unknown', isTold: false })
  })

  it('sees the tip as paid, like everybody else, after a wallet has paid the invoice', async () => {
    const { invoice } = await shown('500')
    world.wallets.settle(phone, invoice)
    await world.pass(20_000)
    expect(await payment()).toMatchObject({ state: 'paid', isTold: true, channel: 'channel' })
    expect((await seen()).state).toBe('paid')
    expect(world.wallets.payments).toMatchObject([{ by: ['phone'], to: 'bob', amount: 500_000n }])
    expect(await world.database.read.move.count()).toBe(0)
  })

  it('sees the tip as expired, and nobody else sees it, if nobody pays in time', async () => {
    await shown('500')
    await world.pass(OVER_MS)
    expect(await payment()).toMatchObject({ state: 'failed', isTold: false })
    expect((await seen()).state).toBe('over')
  })

  it('sees the tip as paid even if the recipient’s wallet confirms it a day later', async () => {
    const { invoice } = await shown('500')
    bob.isAway = true
    world.wallets.settle(phone, invoice)
    await world.pass(OVER_MS)
    expect(await payment()).toMatchObject({ state: 'unknown', isTold: false })
    bob.isAway = false
    await world.pass(24 * 3_600_000)
    expect(await payment()).toMatchObject({ state: 'paid', isTold: true })
  })

  it('gets only one invoice, however often the command is delivered', async () => {
    const both = await Promise.all([ask('500'), ask('500')])
    const again = await ask('500')
    const invoices = [...both, again].map((given) => ('invoice' in given ? given.invoice : 'none'))
    expect(new Set(invoices).size).toBe(1)
    await payment()
  })

  it('gets the same invoice if the command is redelivered after the wallets change', async () => {
    const code = await shown('500')
    await world.connected('alice')
    expect(await ask('500')).toEqual(code)
    await world.tipping.ownWallets.disconnect('bob')
    expect(await ask('500')).toEqual({ ...code, state: 'unseen' })
    expect(await payment()).toMatchObject({ isTold: false })
  })

  const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['disconnected their wallet', () => world.tipping.ownWallets.disconnect('bob')],
    ['connected another wallet', () => world.connected('bob')],
    ['had their data deleted', () => world.tipping.privacy.forget('bob')],
  ]

  describe('is warned not to pay after the recipient', () => {
    it.each(ways)('%s', async (_, end) => {
      const { invoice } = await shown('500')
      const before = await invoiceCard()
      await end()
      expect((await seen()).state).toBe('unseen')
      expect((await invoiceCard()).revision).toBeGreaterThan(before.revision)
      // A payment anyway is told of nowhere.
      world.wallets.settle(phone, invoice)
      await world.pass(OVER_MS)
      expect((await seen()).state).toBe('unseen')
      expect(await payment()).toMatchObject({ isTold: false })
    })
  })

  describe('counts as having paid if the payment came before the recipient', () => {
    it.each(ways)('%s', async (_, end) => {
      const { invoice } = await shown('500')
      world.wallets.settle(phone, invoice)
      await end()
      expect(await payment()).toMatchObject({ state: 'paid', isTold: true })
    })
  })

  it('appears in the recipient’s export after the payment, but not before it', async () => {
    const received = async () => (await world.tipping.privacy.export('bob')).paidToOwnWallet
    const { invoice } = await shown('500')
    expect(await received()).toEqual([])
    world.wallets.settle(phone, invoice)
    await world.pass(20_000)
    expect(await received()).toMatchObject([{ sender: 'alice', state: 'paid' }])
  })

  it('can tip a Lightning Address only if its host reports payments', async () => {
    const host = await hostAddress(world)
    try {
      const verify = `${host.url}/verify`
      host.invoice = (amount) => ({ pr: invoiceFor(world, amount, RIGHT), routes: [], verify })
      await world.tipping.forwarding.start({ member: 'dave', address: host.address, origin: world.origin() })
      expect(await ask('500', { to: 'dave' })).toMatchObject({ to: 'dave', state: 'open' })
      host.invoice = (amount) => ({ pr: invoiceFor(world, amount, RIGHT), routes: [] })
      await expect(ask('600', { to: 'dave' })).rejects.toMatchObject({ code: 'own-wallet-needed' })
    } finally {
      await host.close()
    }
  })
})

describe('a giver without a wallet is refused', () => {
  it('if the recipient’s wallet makes no invoice', async () => {
    bob.isAway = true
    await expect(ask('500')).rejects.toMatchObject({ code: 'recipient-no-invoice', facts: { members: ['bob'] } })
    expect(await world.database.read.walletPayment.count()).toBe(0)
    bob.isAway = false
    expect(await ask('500')).toMatchObject({ state: 'open' })
  })

  it('if the recipient’s wallet cannot prove the payment', async () => {
    await world.connected('carol', { methods: ['get_info', 'make_invoice'] })
    await expect(ask('500', { to: 'carol' })).rejects.toMatchObject({ code: 'own-wallet-needed' })
  })

  it('if the amount is outside the limits of the recipient’s address, which are shown', async () => {
    const host = await hostAddress(world)
    try {
      await world.tipping.forwarding.start({ member: 'dave', address: host.address, origin: world.origin() })
      const [smallest, largest] = [100_000n, 1_000_000n]
      await expect(ask('99', { to: 'dave' })).rejects.toMatchObject({ code: 'amount-too-small', facts: { smallest } })
      await expect(ask('1001', { to: 'dave' })).rejects.toMatchObject({ code: 'amount-too-large', facts: { largest } })
    } finally {
      await host.close()
    }
  })

  it('if five invoices are unpaid, even if all commands come at the same time', async () => {
    const asked = await Promise.allSettled(['1', '2', '3', '4', '5', '6', '7'].map((amount) => ask(amount)))
    const refused = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(refused).toMatchObject([{ code: 'too-many-codes' }, { code: 'too-many-codes' }])
    expect(await world.database.read.walletPayment.count()).toBe(5)
  })

  it('until one of five unpaid invoices has expired', async () => {
    for (const amount of ['1', '2', '3', '4', '5']) await ask(amount)
    await expect(ask('6')).rejects.toMatchObject({ code: 'too-many-codes', facts: { most: 5 } })
    await world.pass(OVER_MS)
    expect(await ask('6', { interaction: 'later' })).toMatchObject({ state: 'open' })
  })

  it('beyond the daily limit, towards which an unpaid invoice counts until it expires', async () => {
    const change = { perDay: 1_000_000n as never }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
    await ask('900')
    await expect(ask('200')).rejects.toMatchObject({ code: 'limit-reached' })
    await world.pass(OVER_MS)
    expect(await ask('200', { interaction: 'later' })).toMatchObject({ state: 'open' })
  })
})
