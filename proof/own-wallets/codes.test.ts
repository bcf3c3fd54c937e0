import { expect, it } from 'vitest'
import { NwcWalletError } from '../../src/lib/nostr/wallet-connect/nwc-client.ts'
import { TippingRefusal } from '../../src/tipping/tipping.ts'
import type { ScriptedWallet } from '../../test/support/scripted-wallets.ts'
import { TippingWorld } from '../../test/tipping/world.ts'
import { Chance } from '../world/chance.ts'

/** The number of tips that are paid by code, and the seed of their randomness. */
const CODES = Math.ceil(Number(process.env.WALLET_GIFTS ?? 2_000) / 20)
const SEED = process.env.WALLET_SEED ?? '1'

const BATCH_SIZE = 20
const RECEIVERS = 4
/**
 * The time in ms after which all invoices have ended: they live for two minutes, and the receiver's side is polled for
 * some time afterwards.
 */
const OVER_MS = 10 * 60_000
const A_DAY_MS = 24 * 3_600_000

/**
 * Givers without a connected wallet, who tip by codes that are paid once, twice, late or never, while processes die.
 */
class Codes {
  readonly world: TippingWorld
  readonly chance = new Chance(`codes ${SEED}`)
  readonly receivers: ScriptedWallet[]
  readonly phones: readonly ScriptedWallet[]
  readonly ended = { codes: 0, paid: 0, unpaid: 0, refused: 0, deaths: 0 }

  constructor(world: TippingWorld, receivers: ScriptedWallet[]) {
    this.world = world
    this.receivers = receivers
    this.phones = [0, 1].map((n) => world.wallets.add(`phone-${n}`))
  }

  async live(round: number): Promise<void> {
    const { world, chance } = this
    for (const receiver of this.receivers) receiver.isAway = chance.happens(0.1)
    const asked = Array.from({ length: BATCH_SIZE }, (_, nth) => this.#ask(round, nth))
    if (chance.happens(0.5)) {
      const died = world.dieAtCommit(chance.between(1, 3 * BATCH_SIZE), chance.one(['before', 'after']))
      await Promise.race([died, Promise.allSettled(asked).then(() => world.settle())])
      this.ended.deaths += 1
    } else await Promise.allSettled(asked)
    await world.reborn()
    // Discord redelivers commands that were not answered.
    const shown = await Promise.all(Array.from({ length: BATCH_SIZE }, (_, nth) => this.#ask(round, nth)))
    for (const invoice of shown) if (invoice !== undefined) this.#scan(invoice)
    for (const receiver of this.receivers) if (chance.happens(0.1)) receiver.isAway = true
    await world.pass(OVER_MS)
    for (const receiver of this.receivers) receiver.isAway = false
    await world.pass(A_DAY_MS)
    this.ended.codes += BATCH_SIZE
    this.ended.refused += shown.filter((invoice) => invoice === undefined).length
  }

  /**
   * Requests a tip, and resolves to the invoice that the giver is shown; undefined if the receiver's wallet made none.
   */
  async #ask(round: number, nth: number): Promise<string | undefined> {
    const { world } = this
    const origin = { ...world.origin(), interaction: `code ${round} ${nth}` }
    const to = `receiver-${nth % RECEIVERS}`
    const command = { from: `giver-${round}-${nth}`, to: [{ id: to, bot: false }], amount: String(nth + 1), origin }
    try {
      const given = await world.tipping.invoicedTips.ask({ ...command, announced: { ...origin, reply: '' } })
      if (!('invoice' in given)) throw new Error('a tip without a wallet is no code')
      return given.invoice
    } catch (error) {
      if (error instanceof TippingRefusal && error.code === 'recipient-no-invoice') return undefined
      throw error
    }
  }

  /** Lets one person pay the invoice, or two simultaneously, or nobody. */
  #scan(invoice: string): void {
    const { chance, phones, world } = this
    for (const phone of phones) {
      if (!chance.happens(0.6)) continue
      try {
        world.wallets.settle(phone, invoice)
      } catch (error) {
        // The invoice is already paid.
        if (!(error instanceof NwcWalletError)) throw error
      }
    }
  }

  /** Checks that each tip has the state that the wallets report, and is announced only where it was paid. */
  async judge(): Promise<void> {
    const { world } = this
    const paid = new Map(world.wallets.payments.map((payment) => [payment.paymentHash, payment]))
    expect(world.wallets.payments.filter(({ by }) => by.length !== 1)).toEqual([])
    const rows = await world.database.read.walletPayment.findMany({ include: { tip: true } })
    const cards = new Map((await world.database.read.card.findMany()).map((card) => [card.id, card]))
    for (const { paymentHash, state, amount, recipient, tip } of rows) {
      const payment = paid.get(paymentHash ?? '')
      const card = cards.get(tip.card)
      const isTold = card?.pending === true || (card?.shown ?? 0) > 0
      expect({ state, isTold, amount: payment?.amount ?? amount, to: payment?.to ?? recipient }).toEqual({
        ...{ state: payment === undefined ? 'failed' : 'paid', isTold: payment !== undefined },
        ...{ amount, to: recipient },
      })
      paid.delete(paymentHash ?? '')
    }
    expect([...paid.values()], 'paid for no tip').toEqual([])
    this.ended.paid = rows.filter(({ state }) => state === 'paid').length
    this.ended.unpaid = rows.length - this.ended.paid
    const tips = rows.map(({ tip }) => `${tip.sender} ${tip.total}`)
    expect(new Set(tips).size).toBe(tips.length)
    expect(await world.database.read.move.count()).toBe(0)
  }
}

it('despite crashes, a tip by code is paid at most once and announced only if paid', {
  timeout: 3_600_000,
}, async () => {
  const world = await TippingWorld.open({ ownWallets: true, settings: { custody: 'none' } })
  try {
    const receivers = []
    for (let n = 0; n < RECEIVERS; n += 1) receivers.push(await world.connected(`receiver-${n}`))
    const codes = new Codes(world, receivers)
    for (let round = 0; round < CODES / BATCH_SIZE; round += 1) await codes.live(round)
    await codes.judge()
    console.log(codes.ended)
    expect(codes.ended.paid).toBeGreaterThan(codes.ended.codes / 2)
    expect(codes.ended.unpaid).toBeGreaterThan(0)
  } finally {
    await world.close()
  }
})
