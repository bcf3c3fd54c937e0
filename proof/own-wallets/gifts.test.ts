import { describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { NwcWalletError } from '../../src/lib/nostr/wallet-connect/nwc-client.ts'
import type { InvoiceFault, PayFault, ScriptedWallet } from '../../test/support/scripted-wallets.ts'
import { TippingWorld } from '../../test/tipping/world.ts'
import { handOf } from '../judge/own-wallets.ts'
import { Chance } from '../world/chance.ts'
import { GiftsToMany, type GiftToMany } from './gifts-to-many.ts'

/** The number of gifts from wallet to wallet, and the seed of their randomness. */
const GIFTS = Number(process.env.WALLET_GIFTS ?? 2_000)
const SEED = process.env.WALLET_SEED ?? '1'

const OWNERS = 24
/**
 * The number of gifts that are under way simultaneously. Each gift has its own amount, which identifies its payment.
 */
const BATCH_SIZE = 200
/** The number of gifts for each drop or rain that accompanies them. */
const TO_MANY_EVERY = 20
/**
 * The time in ms after which all gifts have ended. A wallet that pays late does so after one minute; invoices live for
 * two, and both sides are polled for some time afterwards.
 */
const OVER_MS = 10 * 60_000

const PAY_FAULTS: readonly PayFault[] = [
  ...(['lost', 'answer-lost', 'late', 'no-preimage', 'wrong-preimage', 'not-paid'] as const),
  ...['PAYMENT_FAILED', 'INTERNAL', 'OTHER'].flatMap((error) => [{ error }, { error, paysFirst: true }]),
  ...['INSUFFICIENT_BALANCE', 'QUOTA_EXCEEDED', 'RATE_LIMITED'].map((error) => ({ error })),
]
/**
 * Refusals by a wallet that pays nevertheless. A refusal with a reason is believed if the receiver's side reports
 * nothing, so that these lies need a receiver's side that reports.
 */
const LIES: readonly PayFault[] = ['INSUFFICIENT_BALANCE', 'QUOTA_EXCEEDED'].map((error) => ({
  error,
  paysFirst: true,
}))
const INVOICE_FAULTS: readonly InvoiceFault[] = [
  ...(['silent', 'other-amount', 'used', 'expired', 'no-invoice'] as const),
  { error: 'RESTRICTED' },
]

interface Gift {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly interaction: string
}

/** The numbers of gifts with each outcome, and of the process's deaths. */
interface Ended {
  gifts: number
  paid: number
  unpaid: number
  unsure: number
  refused: number
  byHand: number
  deaths: number
}

/** Wallets that give to each other, while their requests, answers and processes are lost at random. */
class Community {
  readonly world: TippingWorld
  readonly chance = new Chance(`wallet gifts ${SEED}`)
  readonly wallets: ScriptedWallet[] = []
  readonly ended: Ended = { gifts: 0, paid: 0, unpaid: 0, unsure: 0, refused: 0, byHand: 0, deaths: 0 }
  readonly toMany: GiftsToMany
  readonly #settled = new Set<string>()
  readonly #shown = new Set<string>()
  #shownUntil = new Date(0)
  #begunAt = new Date(0)
  /** Wallets that are connected nowhere. */
  readonly #hands = new Map<string, ScriptedWallet>()
  /** Payments that the bot called failed, if only for a moment, although the giver's wallet had paid. */
  readonly #denied = new Set<string>()

  constructor(world: TippingWorld) {
    this.world = world
    const owners = Array.from({ length: OWNERS }, (_, i) => `owner-${i}`)
    this.toMany = new GiftsToMany(world, this.chance, owners)
  }

  async connect(): Promise<void> {
    this.#watch()
    for (let i = 0; i < OWNERS; i += 1) this.wallets.push(await this.world.connected(`owner-${i}`))
  }

  /**
   * Notes before each commit which paid gifts are called failed: a giver who reads, even briefly, that nothing was paid
   * could give again.
   */
  #watch(): void {
    const { wallets, database } = this.world
    this.world.beforeNextCommit = async () => {
      this.#watch()
      const failed = await database.read.walletPayment.findMany({
        where: { state: 'failed', paymentHash: { not: null }, createdAt: { gte: this.#begunAt } },
        select: { id: true, paymentHash: true, sender: true },
      })
      for (const { id, paymentHash, sender } of failed) {
        if (wallets.find(paymentHash ?? '')?.paidBy.some(({ name }) => name === sender)) this.#denied.add(id)
      }
    }
  }

  /** Plays one batch of gifts to its end, and judges each by the payments in the wallets. */
  async live(size: number): Promise<void> {
    this.#begunAt = new Date(this.world.clock.now())
    const gifts = Array.from({ length: size }, (_, i) => this.#draw(i))
    const toMany = Array.from({ length: Math.ceil(size / TO_MANY_EVERY) }, (_, i) =>
      this.toMany.draw(BigInt(size + i + 1) * 1_000n),
    )
    this.#strike(size)
    await this.#die(gifts, toMany)
    // Discord may redeliver a command, and does so after each death here.
    const given = Promise.all(toMany.map((gift) => this.toMany.give(gift)))
    const tips = await Promise.all(gifts.map((gift) => this.#give(gift)))
    const ids = await given
    await this.#payByHand()
    await this.world.pass(OVER_MS)
    const payments = this.world.wallets.payments.filter(({ paymentHash }) => !this.#settled.has(paymentHash))
    for (const { paymentHash } of payments) this.#settled.add(paymentHash)
    for (const [i, gift] of gifts.entries()) {
      const paid = payments.filter(({ amount }) => amount === gift.amount)
      await this.#judge(gift, tips[i], paid)
    }
    expect([...this.#denied], 'called failed, and paid').toEqual([])
    const isMute = (member: string) =>
      this.wallets.some(({ name, knowsNothing, isAway }) => name === member && (knowsNothing || isAway))
    for (const [i, gift] of toMany.entries()) await this.toMany.judge(gift, ids[i], payments, isMute)
    this.ended.gifts += size
  }

  #draw(i: number): Gift {
    const [from, step] = [this.chance.between(0, OWNERS - 1), this.chance.between(1, OWNERS - 1)]
    return {
      from: `owner-${from}`,
      to: `owner-${(from + step) % OWNERS}`,
      amount: BigInt(i + 1) * 1_000n,
      interaction: `gift-${this.ended.gifts + i}`,
    }
  }

  /** Makes all wallets fail now and then; either some sleep and some report nothing, or all answer and some lie. */
  #strike(size: number): void {
    const { chance } = this
    const mute = chance.happens(0.5) ? 0.05 : 0
    const payFaults = mute > 0 ? PAY_FAULTS : [...PAY_FAULTS, ...LIES]
    for (const wallet of this.wallets) {
      wallet.holds = sats(1_000_000)
      wallet.isAway = chance.happens(mute)
      wallet.knowsNothing = chance.happens(mute)
      wallet.payFaults.length = wallet.invoiceFaults.length = 0
    }
    for (let i = 0; i < size / 3; i += 1) chance.one(this.wallets).payFaults.push(chance.one(payFaults))
    for (let i = 0; i < size / 12; i += 1) chance.one(this.wallets).invoiceFaults.push(chance.one(INVOICE_FAULTS))
  }

  /** Gives these gifts while the process may die at one of its commits. */
  async #die(gifts: readonly Gift[], toMany: readonly GiftToMany[]): Promise<void> {
    if (!this.chance.happens(0.5)) return
    const died = this.world.dieAtCommit(this.chance.between(1, 40), this.chance.one(['before', 'after']))
    const each = [...gifts.map((gift) => this.#give(gift)), ...toMany.map((gift) => this.toMany.give(gift))]
    const given = Promise.all(each).then(() => this.world.settle())
    const hasDied = await Promise.race([died.then(() => true), given.then(() => false)])
    if (hasDied) this.ended.deaths += 1
    await this.world.reborn()
    await this.world.settle()
  }

  /** Gives a tip. Resolves to its id; undefined if it was refused. */
  async #give({ from, to, amount, interaction }: Gift): Promise<string | undefined> {
    try {
      return (await this.world.tip(from, to, String(amount / 1_000n), interaction)).id
    } catch (error) {
      expect(error).toHaveProperty('code')
      return undefined
    }
  }

  /** Lets half of the people who are shown an invoice pay it, while their wallets may still pay it, too. */
  async #payByHand(): Promise<void> {
    const { world, chance } = this
    const cards = await world.database.read.card.findMany({
      where: { kind: 'wallet-invoice', createdAt: { gte: this.#shownUntil } },
      orderBy: { createdAt: 'asc' },
    })
    for (const { record, member, createdAt } of cards) {
      this.#shownUntil = createdAt
      if (this.#shown.has(record)) continue
      this.#shown.add(record)
      const { state, invoice } = await world.tipping.ownWallets.byHand(record)
      if (state !== 'open' || !chance.happens(0.5)) continue
      if (this.#paysByHand(member ?? '', invoice)) this.ended.byHand += 1
    }
  }

  /**
   * Pays an invoice from the member's second wallet. A wallet refuses an invoice that the giver's own wallet has paid,
   * even if the bot does not know that yet.
   */
  #paysByHand(member: string, invoice: string): boolean {
    try {
      this.world.wallets.settle(this.#hands.get(member) ?? this.#hand(member), invoice)
      return true
    } catch (error) {
      expect(error).toBeInstanceOf(NwcWalletError)
      return false
    }
  }

  #hand(member: string): ScriptedWallet {
    const hand = this.world.wallets.add(handOf(member))
    hand.holds = sats(100_000_000)
    this.#hands.set(member, hand)
    return hand
  }

  async #judge(gift: Gift, tip: string | undefined, paid: readonly { by: readonly string[]; to: string }[]) {
    const { world, ended } = this
    const seen = [gift.interaction, paid.map(({ by, to }) => [...by, to])]
    if (paid.length > 0) {
      const payer = paid[0]?.by[0] === handOf(gift.from) ? handOf(gift.from) : gift.from
      expect(seen).toEqual([gift.interaction, [[payer, gift.to]]])
    }
    const state = tip && (await world.tipping.tips.view(tip)).shares[0]?.state
    // If no side reports the payment, the bot says so, and calls it neither paid nor failed.
    const mayBeUnsure = this.wallets.some(({ name, knowsNothing, isAway }) => {
      return (name === gift.from || name === gift.to) && (knowsNothing || isAway)
    })
    const told = paid.length > 0 ? ['direct'] : tip === undefined ? [undefined] : ['unpaid']
    expect(mayBeUnsure ? [...told, 'unsure', 'unconfirmed'] : told, JSON.stringify([seen, state])).toContain(state)
    if (state === 'direct') ended.paid += 1
    else if (state === 'unpaid') ended.unpaid += 1
    else if (state === undefined) ended.refused += 1
    else ended.unsure += 1
  }
}

describe('gifts from wallet to wallet', () => {
  it('are paid at most once, match the bot’s reports and stay off the book', {
    timeout: 7_200_000,
  }, async () => {
    const world = await TippingWorld.open({ ownWallets: true })
    try {
      const community = new Community(world)
      await community.connect()
      const began = performance.now()
      while (community.ended.gifts < GIFTS) {
        await community.live(Math.min(BATCH_SIZE, GIFTS - community.ended.gifts))
        if (community.ended.gifts % 10_000 === 0) console.log(community.ended)
      }
      const seconds = Math.round((performance.now() - began) / 1_000)
      console.log({ seed: SEED, seconds, ...community.ended, ...community.toMany.ended })
      expect(await world.database.read.move.count()).toBe(0)
      expect(community.ended.paid).toBeGreaterThan(GIFTS / 2)
      expect(community.ended.byHand).toBeGreaterThan(0)
      const { drops, rains, sharesPaid } = community.toMany.ended
      expect(sharesPaid).toBeGreaterThan(drops + rains)
    } finally {
      await world.close()
    }
  })
})

/** The number of promises in a round; no promise is kept before its recipient connects a wallet. */
const PROMISES = 20

/** Plays one round of promises. Resolves to the number of kept promises. */
async function livePromises(world: TippingWorld, chance: Chance, round: number): Promise<number> {
  const givers = await Promise.all([0, 1, 2, 3].map((n) => world.connected(`giver-${round}-${n}`)))
  const tips: { readonly id: string; readonly from: string; readonly to: string; readonly amount: bigint }[] = []
  for (let nth = 0; nth < PROMISES; nth += 1) {
    const [from, to] = [`giver-${round}-${nth % givers.length}`, `newcomer-${round}-${nth}`]
    const { id } = await world.tip(from, to, String(nth + 1))
    tips.push({ id, from, to, amount: BigInt(nth + 1) * 1_000n })
  }
  for (const giver of givers) {
    giver.holds = sats(1_000_000)
    giver.payFaults.push(...[0, 1].map(() => chance.one(PAY_FAULTS)))
  }
  const died = chance.happens(0.5)
    ? world.dieAtCommit(chance.between(1, 60), chance.one(['before', 'after']))
    : new Promise<never>(() => undefined)
  // Nobody has their promised sats yet; then all connect simultaneously, and some twice.
  const people = tips.flatMap(({ to }) => (chance.happens(0.2) ? [to, to] : [to]))
  const connecting = Promise.allSettled(people.map((to) => world.connected(to))).then(() => world.settle())
  await Promise.race([died, connecting])
  // A death that has not happened yet would leave no process for the rest.
  await world.reborn()
  // A dying process may have missed a connection; each promise is polled again within a day.
  await world.pass(25 * 3_600_000)
  let kept = 0
  for (const { id, from, to, amount } of tips) {
    const paid = world.wallets.payments.filter((each) => each.to === to)
    const state = (await world.tipping.tips.view(id)).shares[0]?.state
    expect(paid.map(({ by, amount: sent }) => [...by, sent])).toEqual(paid.length === 0 ? [] : [[from, amount]])
    expect(paid.length > 0 ? ['direct'] : ['promised', 'unpaid'], `${id} ${state}`).toContain(state)
    kept += paid.length
  }
  return kept
}

describe('promises to people without a wallet', () => {
  it('are paid at most once even if answers get lost and processes are killed', { timeout: 3_600_000 }, async () => {
    const world = await TippingWorld.open({ ownWallets: true, settings: { custody: 'none' } })
    const chance = new Chance(`wallet promises ${SEED}`)
    const rounds = Math.ceil(GIFTS / 1_000)
    try {
      let kept = 0
      for (let round = 0; round < rounds; round += 1) kept += await livePromises(world, chance, round)
      console.log({ promises: rounds * PROMISES, kept })
      expect(kept).toBeGreaterThan((rounds * PROMISES) / 2)
      expect(await world.database.read.move.count()).toBe(0)
    } finally {
      await world.close()
    }
  })
})
