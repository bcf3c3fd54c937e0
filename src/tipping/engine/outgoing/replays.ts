import { PaymentsError } from '../../../payments-api/payments-api.ts'
import type { Tx } from '../../core/database.ts'
import type { OutgoingContext } from './outgoing.ts'

/**
 * A key can be sent again for this long. Afterwards the provider may have forgotten it, so its payment is only read.
 */
export const REPLAY_WITHIN_MS = 24 * 3_600_000

/** What is known of the provider when something is sent. */
export interface SentTo {
  readonly provider: string
  readonly replays: boolean
}

/** Returns the facts about the provider to store with a sent operation, in the transaction that marks it. */
export function sentTo({ payments, replaysKeys }: Pick<OutgoingContext, 'payments' | 'replaysKeys'>): SentTo {
  return { provider: payments.provider, replays: replaysKeys() }
}

/**
 * Whether the key of a sent operation may be sent again to learn its answer. The same provider must have been known to
 * replay keys when the operation was sent, must be known to do so now, and must not have forgotten keys in between. Any
 * other provider would treat the key as new and pay a second time. `sentAt` is in the book's time. `unread`: the
 * provider did not answer.
 */
export async function mayReplay(
  context: OutgoingContext,
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

/**
 * Records that the provider has forgotten keys: no sent operation is sent again, even if the provider replays keys
 * later.
 */
export async function forgetReplays(context: Pick<OutgoingContext, 'commit' | 'outgoingKinds'>): Promise<void> {
  await context.commit({ write: (tx) => forgetReplaysIn(tx, context) })
}

/**
 * Does the same in a transaction, for all sent operations or for some: those to one provider, or after a moment of the
 * book's time.
 */
export async function forgetReplaysIn(
  tx: Tx,
  { outgoingKinds }: Pick<OutgoingContext, 'outgoingKinds'>,
  sent: { readonly provider?: string; readonly sentAt?: { readonly gt: Date } } = {},
): Promise<void> {
  const where = { ...sent, replays: true, state: { in: ['sending', 'unknown'] } }
  for (const kind of outgoingKinds) await kind.table(tx).updateMany({ where, data: { replays: false } })
}

/**
 * Stores harmless keys that the provider has replayed. As long as the provider still replays one of them, it has
 * forgotten nothing that was sent to it since that key was stored, or before.
 */
export interface ReplayKeyStore {
  /** Returns the present provider's keys, oldest first. */
  read(): Promise<string[]>
  /**
   * Removes a key for good before it is sent to the provider, because a second request would get the first one's
   * answer. Resolves to false if another bot on the same book has taken the key, which then proves nothing to this bot.
   */
  take(key: string): Promise<boolean>
  /** Stores keys that vouch for every sent operation, newest last. Drops the oldest beyond the limit. */
  add(keys: readonly string[]): Promise<void>
  /**
   * Prevents everything that this provider was sent from being sent again. These keys vouch for operations sent from
   * now on.
   */
  startOver(keys: readonly string[]): Promise<void>
}

/** Several keys are stored because an answer that gets lost makes its key worthless. */
const MAX_KEYS = 12

export function replayKeysOf(
  context: Pick<OutgoingContext, 'commit' | 'outgoingKinds' | 'payments' | 'database'>,
): ReplayKeyStore {
  const { provider } = context.payments
  const where = { provider }
  const add = async (tx: Tx, keys: readonly string[]) => {
    for (const key of keys) await tx.replayKey.create({ data: { provider, key } })
    const old = await tx.replayKey.findMany({ where, orderBy: { id: 'desc' }, skip: MAX_KEYS })
    await tx.replayKey.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } })
  }
  return {
    async read() {
      const rows = await context.database.read.replayKey.findMany({ where, orderBy: { id: 'asc' } })
      return rows.map(({ key }) => key)
    },
    async take(key) {
      const { count } = await context.commit({ write: (tx) => tx.replayKey.deleteMany({ where: { key } }) })
      return count > 0
    },
    async add(keys) {
      await context.commit({ write: (tx) => add(tx, keys) })
    },
    async startOver(keys) {
      await context.commit({
        write: async (tx) => {
          await forgetReplaysIn(tx, context, { provider })
          await tx.replayKey.deleteMany({ where })
          await add(tx, keys)
        },
      })
    },
  }
}
