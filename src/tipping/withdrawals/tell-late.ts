import type { OutgoingContext } from '../engine/outgoing/outgoing.ts'
import type { Withdrawal } from '../generated/client.ts'
import { overdueSince } from './open-withdrawals.ts'

/**
 * How long Discord lets the answer to a command be edited. After that, a changed card is sent as a private message,
 * which notifies the member.
 */
const TELL_AFTER_MS = 15 * 60_000
/**
 * The states in which the provider has the withdrawal, or may have it. A code that nobody saw does not count, because
 * nobody can have used it.
 */
const LATE_STATES = ['sending', 'unknown', 'offered', 'claimed']

/** Whether a withdrawal is still open and its member was told that it is late. */
export function isLate({ toldLate, state }: Pick<Withdrawal, 'toldLate' | 'state'>): boolean {
  return toldLate && LATE_STATES.includes(state)
}

/** Tells a member, once, that the provider has not reported their withdrawal's outcome. The sats stay reserved. */
export async function tellLate(context: OutgoingContext, withdrawal: Withdrawal): Promise<void> {
  const { id, kind, state, card, expiresAt, toldLate, pool } = withdrawal
  const since = overdueSince(withdrawal)
  const wasShown = kind !== 'request' || expiresAt !== null
  // A list's card shows each of its lines.
  if (pool !== null || toldLate || !LATE_STATES.includes(state) || card === null || since === null || !wasShown) return
  if (context.clock.now() - since.getTime() < TELL_AFTER_MS) return
  await context.commit({
    write: async (tx) => {
      const open = { id, toldLate: false, state: { in: LATE_STATES } }
      const told = await tx.withdrawal.updateMany({ where: open, data: { toldLate: true } })
      if (told.count === 1) await context.cards.raise(tx, [card])
    },
  })
}
