import { PaymentsError } from '../payments-api/payments-api.ts'
import type { TippingContext } from './context.ts'

/** A key may be sent again this long; after that the provider may have forgotten it, and what was sent is only read. */
export const REPLAY_WITHIN_MS = 24 * 3_600_000

/** What is known of the provider when something is sent. */
export interface SentTo {
  readonly provider: string
  readonly replays: boolean
}

/** To be written down with whatever is sent, in the transaction that marks it. */
export function sentTo({ payments, replaysKeys }: Pick<TippingContext, 'payments' | 'replaysKeys'>): SentTo {
  return { provider: payments.provider, replays: replaysKeys() }
}

/**
 * Whether the key of something that was sent may be sent again, to learn its answer. Only where the same provider was
 * known to replay keys when it was sent, is known to do so now, and has not forgotten in between: to any other the key is
 * new, and it would pay a second time. `sentAt` is of the book's time. `unread`: the provider could not be asked.
 */
export async function mayReplay(
  context: TippingContext,
  sent: { readonly provider: string | null; readonly replays: boolean },
  sentAt: Date,
): Promise<'yes' | 'no' | 'unread'> {
  if (!sent.replays || sent.provider !== context.payments.provider || !context.replaysKeys()) return 'no'
  if (context.clockWatch.mostSince(sentAt) >= REPLAY_WITHIN_MS) return 'no'
  try {
    if (await context.stillReplays()) return 'yes'
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    return 'unread'
  }
  await forgetReplays(context)
  return 'no'
}

/** The provider has forgotten keys: though it may replay again later, nothing that was sent by now is sent again. */
export async function forgetReplays(context: Pick<TippingContext, 'commit' | 'outgoingKinds'>): Promise<void> {
  const change = { where: { replays: true, state: { in: ['sending', 'unknown'] } }, data: { replays: false } }
  await context.commit({
    write: async (tx) => {
      for (const kind of context.outgoingKinds) await kind.table(tx).updateMany(change)
    },
  })
}
