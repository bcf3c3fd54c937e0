import { token } from '../../lib/entropy.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { commitDurably } from '../core/commit-end.ts'
import { type Book, now } from '../core/context.ts'
import { OUR_NAME } from '../core/our-name.ts'
import { createFixedCharge } from '../engine/incoming/create-charge.ts'
import { ensureOpened } from '../engine/incoming/opening-balance.ts'
import type { StaticCharge } from '../engine/incoming/read-charge.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { OPERATORS_DEPOSITS } from './poll-deposit.ts'

/**
 * Opens a deposit that fills the operator's account instead of a member's balance. This deposit is read, credited and
 * counted like every other, but no card shows it. Resolves to the deposit's id. Throws PaymentsError, or TippingRefusal
 * `provider-refused`.
 */
export async function openOperatorsDeposit(context: TippingContext, amount: Msats): Promise<string> {
  await ensureOpened(context)
  const id = context.entropy.uuid()
  const key = `deposit-${id}`
  await context.commit({
    write: (tx) =>
      tx.deposit.create({
        data: {
          ...{ id, member: OPERATORS_DEPOSITS, amount, state: 'creating', card: id, key },
          ...{ process: context.ownership.me, provider: context.payments.provider, createdAt: now(context) },
        },
      }),
  })
  const callbackToken = token(context.entropy)
  try {
    const charge = await createFixedCharge(context, {
      ...{ id, key, amount, slots: 1, callbackToken },
      description: OUR_NAME,
      successMessage: 'Thank you. The float is being filled.',
    })
    await open(context, { id, callbackToken, charge })
  } catch (error) {
    // Nobody has seen its code, so nobody can pay it.
    await commitDurably(context, {
      write: (tx) => tx.deposit.updateMany({ where: { id, state: 'creating' }, data: { state: 'failed' } }),
    })
    throw error
  }
  void context.poller.wake()
  return id
}

async function open(
  context: Book,
  { id, callbackToken, charge }: { id: string; callbackToken: string; charge: StaticCharge },
): Promise<void> {
  const bornAt = now(context)
  const data = { state: 'open', chargeId: charge.id, request: charge.invoice.request }
  await context.commit({
    write: async (tx) => {
      await tx.deposit.update({ where: { id, state: 'creating' }, data })
      await schedulePoll(tx, { id, kind: 'deposit', bornAt, token: callbackToken }, new Date(bornAt.getTime() + 2_000))
    },
  })
}
