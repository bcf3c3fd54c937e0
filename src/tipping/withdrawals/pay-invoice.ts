import { decodeInvoice } from '../../lib/lightning/bolt11.ts'
import { type Msats, msats, ZERO } from '../../lib/money/amount.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import { type CoreContext, now, type ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { operationValues } from '../engine/once-only/once-only.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Invoice, Withdrawal } from '../generated/client.ts'
import { mustBeFree, mustCover } from './conditions.ts'
import { feeLimits } from './fee-limits.ts'
import { mustHaveRoom } from './open-withdrawals.ts'
import { mustLive } from './read-destination.ts'
import { confirmWithdrawal } from './start-withdrawal.ts'
import { viewWithdrawal } from './view-withdrawal.ts'
import type { Withdrawals, WithdrawalView } from './withdrawals.ts'

type Command = Parameters<Withdrawals['pay']>[0]

/**
 * Pays somebody's request for money from a member's balance: immediately, or after a confirmation if the sum is large.
 * A member pays a request once, however often they press.
 */
export async function payInvoice(context: TippingContext, command: Command): Promise<WithdrawalView> {
  const { invoice: about, member, origin } = command
  const id = await context.once.perform(
    { interaction: origin.interaction, verb: 'pay', content: [about, member] },
    async (digest) => (await earlier(context, command))?.id ?? (await begin(context, command, digest)),
  )
  const view = await viewWithdrawal(context, id)
  const { confirmAbove = context.settings.confirmAbove } = await context.preferences.inForce(origin.guild)
  if (view.amount > confirmAbove) return view
  return await confirmWithdrawal(context, { withdrawal: id, member, origin })
}

/**
 * Prepares a payment. If that fails, returns the id of the payment of an earlier press by the same person, which may be
 * the reason for the failure.
 */
async function begin(context: TippingContext, command: Command, digest: string): Promise<string> {
  try {
    return await prepare(context, command, digest)
  } catch (error) {
    const first = await earlier(context, command)
    if (first === null) throw error
    return first.id
  }
}

async function prepare(context: TippingContext, command: Command, digest: string): Promise<string> {
  const { invoice: about, member, origin } = command
  const { request, ...invoice } = await payable(context, command)
  const { text, paymentHash } = decodeInvoice(request)
  const [id, createdAt] = [context.entropy.uuid(), now(context)]
  const amount = msats(invoice.amount)
  const limit = await feeLimitFor(context, invoice.provider, amount)
  mustCover(msats(await context.ledger.balance(memberAccount(member))), amount, limit, 'insufficient-for-invoice')
  await context.commit({
    write: async (tx) => {
      await noteMember(tx, member, createdAt)
      const { interaction } = origin
      await tx.operation.create({
        data: operationValues({ id, verb: 'pay', record: id, interaction, digest, createdAt }),
      })
      await tx.withdrawal.create({
        data: {
          ...{ id, member, kind: 'pay', amount, feeLimit: limit, about, state: 'asked' },
          ...{ invoice: text, paymentHash, key: `withdrawal-${id}`, createdAt },
        },
      })
    },
  })
  return id
}

/**
 * Returns the withdrawal of an earlier press by this member for the same request, unless it was cancelled or returned.
 */
function earlier(
  { database }: ReadonlyBook,
  { invoice: about, member }: Pick<Command, 'invoice' | 'member'>,
): Promise<Withdrawal | null> {
  return database.read.withdrawal.findFirst({
    where: { about, member, state: { notIn: ['cancelled', 'returned'] } },
  })
}

async function payable(
  context: TippingContext,
  { invoice: id, member }: Command,
): Promise<Invoice & { readonly request: string }> {
  const invoice = await context.database.read.invoice.findFirst({ where: { id } })
  if (invoice?.request == null || invoice.state !== 'open') throw new TippingRefusal('invoice-expired', {})
  if (invoice.member === member) throw new TippingRefusal('invoice-own', {})
  context.outgoingSwitch.assertOutgoingEnabled()
  const decoded = decodeInvoice(invoice.request)
  mustLive(context, decoded)
  await mustBeFree(context.database.read, decoded.paymentHash)
  await mustHaveRoom(context, context.database.read, member)
  return { ...invoice, request: invoice.request }
}

/** Returns the fee limit. A request for money at the same provider is paid inside that provider, so it is free. */
async function feeLimitFor(context: CoreContext, provider: string, amount: Msats): Promise<Msats> {
  const inside = context.replaysKeys() && provider === context.payments.provider
  return inside ? ZERO : (await feeLimits(context))(amount)
}
