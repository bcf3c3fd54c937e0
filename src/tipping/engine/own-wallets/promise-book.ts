import { type Msats, sats } from '../../../lib/money/amount.ts'
import { now } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'
import type { WalletPayment, WalletPromise } from '../../generated/client.ts'
import type { CardKind } from '../cards/cards.ts'
import { pollAgain, schedulePoll } from '../polling/poller.ts'
import type { WalletContext } from './wallet-context.ts'

/**
 * Tips from a wallet to people who have no wallet yet. Nothing moves, and no invoice exists: the giver has agreed, and
 * the giver's wallet is asked as soon as the recipient can be paid. A promise leads to one payment at most: the
 * database allows one payment for each tip and recipient.
 *
 * `promised` → `asked` (it is a payment now) | `revoked` | `lapsed`.
 */

/** The age at which a promise ends, because its giver may have forgotten it. */
const LASTS_MS = 30 * 24 * 3_600_000
/** The largest number of open promises of one giver. */
export const MAX_PROMISES = 10
export const MAX_PROMISED: Msats = sats(100_000)
/** The time until the next attempt: by then, a sleeping wallet may be awake, and a limit may have changed. */
export const TRY_AGAIN_AFTER_MS = 3_600_000

/**
 * Why the giver's wallet was not asked although the recipient can be paid. `restored`: a restored book may lack an
 * earlier request.
 */
export type PromiseHindrance = 'disconnected' | 'budget' | 'insufficient' | 'limits' | 'silent' | 'restored'

export interface NewPromises {
  readonly tip: string
  readonly sender: string
  readonly accountSince: Date | undefined
  readonly shares: readonly { readonly id: string; readonly recipient: string; readonly amount: Msats }[]
  /** The index of the first promise among the tip's shares. */
  readonly from: number
  readonly at: Date
}

/** Stores promises in the transaction of their tip. Throws TippingRefusal `too-many-promises`. */
export async function addPromises(tx: Tx, { tip, sender, accountSince, shares, from, at }: NewPromises): Promise<void> {
  if (shares.length === 0) return
  const open = await tx.walletPromise.aggregate({
    where: { sender, state: 'promised' },
    _count: true,
    _sum: { amount: true },
  })
  const sum = shares.reduce((all, { amount }) => all + amount, open._sum.amount ?? 0n)
  if (open._count + shares.length > MAX_PROMISES || sum > MAX_PROMISED)
    throw new TippingRefusal('too-many-promises', { count: MAX_PROMISES, most: MAX_PROMISED })
  const until = new Date(at.getTime() + LASTS_MS)
  for (const [nth, { id, recipient, amount }] of shares.entries()) {
    const about = { id, tipId: tip, ordinal: from + nth, sender, recipient, amount, accountSince: accountSince ?? null }
    const state = { state: 'promised', hindrance: null, until, createdAt: at, endedAt: null }
    await tx.walletPromise.create({ data: { ...about, ...state } })
    await schedulePoll(tx, { id, kind: 'wallet-promise', bornAt: at }, new Date(at.getTime() + TRY_AGAIN_AFTER_MS))
  }
}

/**
 * Makes all open promises that a member has given or received due for a check now, because a wallet was connected or an
 * address was set.
 */
export async function wakePromises(context: WalletContext, member: string): Promise<void> {
  const where = { state: 'promised', OR: [{ sender: member }, { recipient: member }] }
  const found = await context.database.read.walletPromise.findMany({ where, select: { id: true } })
  if (found.length === 0) return
  const ids = found.map(({ id }) => id)
  await context.commit({ write: (tx) => pollAgain(tx, ids, now(context)) })
  void context.poller.wake()
}

/** Whether a payment came from a promise. */
export async function cameOfPromise(
  client: Pick<Tx, 'walletPromise'>,
  { tipId, recipient }: Pick<WalletPayment, 'tipId' | 'recipient'>,
): Promise<boolean> {
  return (await client.walletPromise.findUnique({ where: { tipId_recipient: { tipId, recipient } } })) !== null
}

/** The cards that notify a promise's giver and recipient of changes that the tip's own card cannot notify them of. */
const TOLD: readonly { readonly kind: CardKind; readonly to: 'sender' | 'recipient' }[] = [
  { kind: 'promise-given', to: 'sender' },
  { kind: 'promise-received', to: 'recipient' },
]

interface PromiseChange {
  readonly state?: 'asked' | 'revoked' | 'lapsed'
  readonly hindrance?: PromiseHindrance | null
}

/**
 * Changes an open promise in the transaction `tx`, and has its cards redrawn. `tells`: whether both people are told
 * privately. Resolves to whether the promise was open.
 */
export async function changePromise(
  context: WalletContext,
  tx: Tx,
  { promise, change, tells = false }: { promise: WalletPromise; change: PromiseChange; tells?: boolean },
): Promise<boolean> {
  const endedAt = change.state === undefined ? {} : { endedAt: now(context) }
  const where = { id: promise.id, state: 'promised' }
  const { count } = await tx.walletPromise.updateMany({ where, data: { ...change, ...endedAt } })
  if (count === 0) return false
  const { card } = await tx.tip.findUniqueOrThrow({ where: { id: promise.tipId } })
  await context.cards.raise(tx, [card])
  for (const { kind, to } of TOLD) {
    const shown = await tx.card.findUnique({ where: { kind_record: { kind, record: promise.id } } })
    if (shown !== null) await context.cards.raise(tx, [shown.id])
    else if (tells) {
      const told = { id: context.entropy.uuid(), kind, record: promise.id, audience: { member: promise[to] } }
      await tx.card.create({ data: context.cards.values(told) })
    }
  }
  return true
}
