import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { changePromise, type PromiseHindrance } from '../engine/own-wallets/promise-book.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { WalletPromise } from '../generated/client.ts'
import type { PromiseView } from './own-wallets.ts'

/** Returns a member's open promises, oldest first. */
export async function openPromisesOf({ database }: ReadonlyBook, member: string): Promise<PromiseView[]> {
  const where = { sender: member, state: 'promised' }
  const found = await database.read.walletPromise.findMany({
    where,
    orderBy: [{ createdAt: 'asc' }, { ordinal: 'asc' }],
  })
  return found.map(viewOf)
}

/** Returns a promise. Throws TippingRefusal `not-there`. */
export async function viewPromise({ database }: ReadonlyBook, id: string): Promise<PromiseView> {
  const promise = await database.read.walletPromise.findUnique({ where: { id } })
  if (promise === null) throw new TippingRefusal('not-there', {})
  return viewOf(promise)
}

/** Revokes a promise for its giver. Throws TippingRefusal `not-there`, `not-yours` or `promise-over`. */
export async function revokePromise(
  context: TippingContext,
  { promise: id, member }: { readonly promise: string; readonly member: string },
): Promise<PromiseView> {
  const promise = await context.database.read.walletPromise.findUnique({ where: { id } })
  if (promise === null) throw new TippingRefusal('not-there', {})
  if (promise.sender !== member) throw new TippingRefusal('not-yours', {})
  // An earlier press has already revoked it.
  const change = { state: 'revoked' } as const
  const wasOpen = await context.commit({ write: (tx) => changePromise(context, tx, { promise, change }) })
  const view = await viewPromise(context, id)
  if (!wasOpen && view.state !== 'revoked') throw new TippingRefusal('promise-over', {})
  return view
}

function viewOf({ id, sender, recipient, amount, until, state, hindrance }: WalletPromise): PromiseView {
  return {
    ...{ id, from: sender, to: recipient, amount: msats(amount), until, state: state as PromiseView['state'] },
    hindrance: (hindrance ?? undefined) as PromiseHindrance | undefined,
  }
}
