import { msats } from '../../lib/money/amount.ts'
import { now } from '../core/context.ts'
import { boundsOf } from '../core/gift-limits.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { restoredSince } from '../engine/outgoing/outgoing-payments-switch.ts'
import { allows, type Receiver, receiversOf, walletThatPays } from '../engine/own-wallets/connections.ts'
import { isTheirs } from '../engine/own-wallets/invoice-of-receiver.ts'
import { changePromise, type PromiseHindrance, TRY_AGAIN_AFTER_MS } from '../engine/own-wallets/promise-book.ts'
import { addPayments, startPayments, type WalletGift } from '../engine/own-wallets/wallet-gift.ts'
import { END, inMs, type Next } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { PollJob, WalletConnection, WalletPromise } from '../generated/client.ts'

/**
 * The longest time between checks of a promise. A recipient who becomes payable also triggers a check, but a process
 * that ended meanwhile may have missed that.
 */
const LOOK_AGAIN_AFTER_MS = 24 * 3_600_000
/** How long an expiring promise waits while the clocks disagree. */
const UNSTEADY_MS = 60_000

/**
 * Asks the giver's wallet to fulfil a promise if the recipient can now be paid. A promise whose time is over lapses.
 */
export async function pollPromise(context: TippingContext, { id }: PollJob): Promise<Next> {
  const { database, clock, clockWatch } = context
  const promise = await database.read.walletPromise.findUnique({ where: { id } })
  if (promise?.state !== 'promised') return END
  const leftMs = promise.until.getTime() - clock.now()
  // While the clock is doubted, no promise lapses, and one that may have lapsed is not paid.
  if (leftMs <= 0) return clockWatch.isSteady() ? await lapse(context, promise) : inMs(UNSTEADY_MS)
  // A restored book may lack its payment.
  if (await restoredSince(database.read, promise.createdAt)) return await lapse(context, promise, 'restored')
  const step = await takeStep(context, promise)
  if (step === 'asked') return END
  return inMs(Math.min(step === 'hindered' ? TRY_AGAIN_AFTER_MS : LOOK_AGAIN_AFTER_MS, Math.max(leftMs, 1_000)))
}

async function lapse(context: TippingContext, promise: WalletPromise, hindrance?: 'restored'): Promise<Next> {
  const change = { state: 'lapsed' as const, ...(hindrance && { hindrance }) }
  await context.commit({ write: (tx) => changePromise(context, tx, { promise, change, tells: true }) })
  return END
}

/**
 * The result of an attempt to fulfil a promise. `waiting`: the recipient cannot be paid. `asked`: the promise is no
 * longer open.
 */
type Step = 'waiting' | 'hindered' | 'asked'

/** Asks the giver's wallet to pay, or tells both people what prevents the payment. */
async function takeStep(context: TippingContext, promise: WalletPromise): Promise<Step> {
  const { read } = context.database
  const receiver = (await receiversOf(read, [promise.recipient])).get(promise.recipient)
  if (receiver === undefined) return 'waiting'
  const own = await walletThatPays(read, promise.sender)
  if (own === undefined) return await hinder(context, promise, 'disconnected')
  const hindrance = await hindranceOf(context, own, promise)
  if (hindrance !== undefined) return await hinder(context, promise, hindrance)
  try {
    await ask(context, promise, { own, receiver })
    return 'asked'
  } catch (error) {
    if (!(error instanceof TippingRefusal)) throw error
    return await hinder(context, promise, 'limits')
  }
}

async function hinder(context: TippingContext, promise: WalletPromise, hindrance: PromiseHindrance): Promise<Step> {
  if (promise.hindrance === hindrance) return 'hindered'
  await context.commit({ write: (tx) => changePromise(context, tx, { promise, change: { hindrance }, tells: true }) })
  return 'hindered'
}

/** Returns what prevents a payment, after reading the wallet's budget and balance as far as its connection permits. */
async function hindranceOf(
  context: TippingContext,
  own: WalletConnection,
  { amount }: WalletPromise,
): Promise<PromiseHindrance | undefined> {
  const wallet = await context.wallets.connections.wallet(own.id)
  if (wallet === undefined) return 'disconnected'
  try {
    const budget = allows(own, 'get_budget') ? await wallet.budget() : undefined
    if (budget !== undefined && budget.left < amount) return 'budget'
    const holds = allows(own, 'get_balance') ? await wallet.balance() : undefined
    return holds !== undefined && holds < amount ? 'insufficient' : undefined
  } catch (error) {
    if (isTheirs(error)) return 'silent'
    throw error
  }
}

interface Parties {
  readonly own: WalletConnection
  readonly receiver: Receiver
}

/**
 * Turns a promise into a payment, in one change, subject to the present limits and allowances. Throws TippingRefusal.
 */
async function ask(context: TippingContext, promise: WalletPromise, { own, receiver }: Parties): Promise<void> {
  const { tipId, sender: member, recipient, accountSince } = promise
  const [at, amount] = [now(context), msats(promise.amount)]
  const { guild } = await context.database.read.tip.findUniqueOrThrow({ where: { id: tipId } })
  const limits = await context.limits.limitsFor(guild)
  // Throws if it exceeds the present limit of a tip.
  readAmount(`${amount} msats`, boundsOf(context, limits))
  const gift: WalletGift = {
    ...{ tip: tipId, payer: member, at },
    route: { connection: own.id, receivers: new Map([[recipient, receiver]]) },
    // A new id, because the promise's own is polled already.
    shares: [{ id: context.entropy.uuid(), recipient, amount }],
  }
  const isOpen = await context.commit({
    write: async (tx) => {
      if (!(await changePromise(context, tx, { promise, change: { state: 'asked', hindrance: null } }))) return false
      const spending = { member, guild, amount, limits, accountSince: accountSince ?? undefined }
      await spendAllowance(context, tx, spending)
      await addPayments(tx, gift)
      return true
    },
  })
  if (isOpen) startPayments(context, gift)
}
