import { PaymentsError } from '../../../payments-api/payments-api.ts'
import type { Tx } from '../../core/database.ts'
import type { OutgoingContext } from './outgoing.ts'

/**
 * How long a key can be sent again. Afterwards the provider may have forgotten the key, so its payment is only read.
 */
export const REPLAY_WITHIN_MS = 24 * 3_600_000

/** The facts about the provider when an operation is sent. */
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
 * Records that the provider has forgotten keys: no operation that was sent before is sent again, even if the provider
 * replays keys later.
 */
export async function forgetReplays(context: Pick<OutgoingContext, 'commit' | 'outgoingKinds'>): Promise<void> {
  await context.commit({ write: (tx) => forgetReplaysIn(tx, context) })
}

/**
 * Records in a transaction that the provider has forgotten the keys of all sent operations or, with `sent`, only of
 * those to one provider or after a moment of the book's time.
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
 * forgotten nothing that was sent to it before or after that key was stored.
 */
export interface ReplayKeyStore {
  /** Returns the present provider's keys, oldest first. */
  read(): Promise<string[]>
  /**
   * Removes a key for good before it is sent to the provider, because a second request with this key would get the
   * answer to the first. Resolves to false if another bot on the same book has taken the key, which then proves nothing
   * to this bot.
   */
  take(key: string): Promise<boolean>
  /** Stores keys that vouch for every sent operation, newest last. Drops the oldest keys beyond the limit. */
  add(keys: readonly string[]): Promise<void>
  /**
   * Prevents every operation that was sent to this provider before now from being sent again, and replaces the stored
   * keys. The new ones vouch for operations sent from now on.
   */
  startOver(keys: readonly string[]): Promise<void>
}

/** The largest number of stored keys. Several are stored, because a key is worthless if the answer to it gets lost. */
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
