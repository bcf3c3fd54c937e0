import { InsufficientFunds } from '../../ledger/ledger.ts'
import { token } from '../../lib/entropy.ts'
import { decodeAnyInvoice } from '../../lib/lightning/bolt12.ts'
import { msats } from '../../lib/money/amount.ts'
import { type CoreContext, now, type ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { FIRST_POLL_MS, reserveEntry } from '../engine/outgoing/record-outcome.ts'
import { sendReserved } from '../engine/outgoing/send-outgoing.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Withdrawal } from '../generated/client.ts'
import { mustBeFree } from './conditions.ts'
import { type FetchedInvoice, fetchInvoice } from './fetch-invoice.ts'
import { mustHaveRoom } from './open-withdrawals.ts'
import { mustLive, readDestination } from './read-destination.ts'
import { viewWithdrawal } from './view-withdrawal.ts'
import { WITHDRAWALS } from './withdrawal-kind.ts'
import type { Decision, WithdrawalView } from './withdrawals.ts'

/** The error when another press has already confirmed or cancelled the withdrawal. */
class NotAsked extends Error {}

/** Confirms a withdrawal: reserves amount and fee limit, and sends it. A second confirmation moves nothing. */
export async function confirmWithdrawal(context: TippingContext, decision: Decision): Promise<WithdrawalView> {
  const withdrawal = await decidable(context, decision)
  if (withdrawal.state !== 'asked') return await viewWithdrawal(context, withdrawal.id)
  context.outgoingSwitch.assertOutgoingEnabled()
  try {
    await reserve(context, withdrawal, decision, await payableOf(context, withdrawal))
  } catch (error) {
    // An earlier press may have caused this failure by confirming first.
    if ((await decidable(context, decision)).state === 'asked') throw explained(error, withdrawal)
    return await viewWithdrawal(context, withdrawal.id)
  }
  await context.payouts.run('withdrawal', [() => sendReserved(context, WITHDRAWALS, withdrawal.id)])
  return await viewWithdrawal(context, withdrawal.id)
}

function explained(error: unknown, { kind, amount, feeLimit }: Withdrawal): unknown {
  if (!(error instanceof InsufficientFunds)) return error
  return new TippingRefusal(kind === 'pay' ? 'insufficient-for-invoice' : 'insufficient-with-fee', {
    balance: msats(error.balance),
    needed: msats(amount + feeLimit),
    missing: msats(error.missing),
    feeLimit: msats(feeLimit),
  })
}

/** Cancels an unconfirmed withdrawal. Does not affect payments under way. */
export async function cancelWithdrawal(context: CoreContext, decision: Decision): Promise<WithdrawalView> {
  const { id } = await decidable(context, decision)
  await context.commit({
    write: (tx) =>
      tx.withdrawal.updateMany({
        where: { id, state: 'asked' },
        data: { state: 'cancelled', endedAt: now(context) },
      }),
  })
  return await viewWithdrawal(context, id)
}

async function decidable({ database }: ReadonlyBook, { withdrawal: id, member }: Decision): Promise<Withdrawal> {
  const withdrawal = await database.read.withdrawal.findFirst({ where: { id } })
  if (withdrawal === null) throw new TippingRefusal('withdrawal-over', {})
  if (withdrawal.member !== member) throw new TippingRefusal('not-yours', {})
  if (withdrawal.state === 'cancelled') throw new TippingRefusal('withdrawal-over', {})
  return withdrawal
}

export interface PayableWithdrawal {
  readonly invoice: string
  readonly paymentHash: string
  /** The action after the payment (LUD-09), as JSON. */
  readonly successAction?: string
}

/**
 * Resolves to the invoice to be paid; undefined for a code to scan. If only an address is known, fetches an invoice
 * now.
 */
async function payableOf(context: CoreContext, withdrawal: Withdrawal): Promise<PayableWithdrawal | undefined> {
  const { invoice, paymentHash, destination, member } = withdrawal
  if (invoice !== null && paymentHash !== null) {
    mustLive(context, decodeAnyInvoice(invoice))
    return { invoice, paymentHash }
  }
  if (destination === null) return undefined
  const address = readDestination(context, destination)
  if (address.kind !== 'address')
    throw new Error(`the destination of withdrawal ${withdrawal.id} is not an address: ${destination}`)
  return payableBy(await fetchInvoice(context, { ...address, member }, msats(withdrawal.amount)))
}

/** Returns the fields of a fetched invoice that its withdrawal stores. */
export function payableBy({ invoice, successAction }: FetchedInvoice): PayableWithdrawal {
  const said = successAction === undefined ? {} : { successAction: JSON.stringify(successAction) }
  return { invoice: invoice.text, paymentHash: invoice.paymentHash, ...said }
}

async function reserve(
  context: TippingContext,
  withdrawal: Withdrawal,
  { origin }: Decision,
  payable: PayableWithdrawal | undefined,
): Promise<void> {
  const { id, member } = withdrawal
  const [card, callbackToken, at] = [context.entropy.uuid(), token(context.entropy), now(context)]
  await context.commit({
    entries: [reserveEntry(withdrawal, WITHDRAWALS.reservedOf(withdrawal))],
    rows: [context.cards.row({ id: card, kind: 'withdrawal', record: id, audience: { member }, origin })],
    write: async (tx) => {
      await mustHaveRoom(context, tx, member)
      if (payable !== undefined) await mustBeFree(tx, payable.paymentHash)
      const { count } = await tx.withdrawal.updateMany({
        where: { id, state: 'asked' },
        data: { ...payable, state: 'reserved', card, token: callbackToken, process: context.ownership.me },
      })
      if (count !== 1) throw new NotAsked()
      const first = new Date(at.getTime() + FIRST_POLL_MS)
      await schedulePoll(tx, { id, kind: 'withdrawal', bornAt: at, token: callbackToken }, first)
    },
  })
}
