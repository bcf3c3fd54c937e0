import { networksOf } from '../../../lib/http/public-address.ts'
import type { CoreParts } from '../../core/core-parts.ts'
import type { Tx } from '../../core/database.ts'
import { ServiceRefusal } from '../../core/service-refusal.ts'

const WINDOW_MS = 600_000
/** The most rows that one commit deletes, few enough that no payment waits long behind it. */
const BATCH_SIZE = 200

/**
 * A caller who tries codes. Within ten minutes, a user may try ten wrong codes. A project's key, or a wallet's address
 * (for IPv6 its /64), may try 300, because many people may use it.
 */
export type Guesser = { readonly user: string } | { readonly apiKey: string } | { readonly address: string }

/**
 * Keeps guessers of voucher codes out. The book counts the wrong codes of the last ten minutes of its own time, so
 * several services share the count. Each of these methods throws ServiceRefusal (too_many_wrong_codes) after too many
 * wrong codes.
 */
export interface WrongCodes {
  /** Checks the guesser; call it before a code is looked up. */
  refuse(guesser: Guesser): Promise<void>
  /**
   * Checks the guesser again in the transaction that uses a correct code, so that the earlier of many simultaneous
   * guesses count.
   */
  refuseIn(tx: Tx, guesser: Guesser): Promise<void>
  /** Counts a wrong code; call it before the answer is sent. */
  count(guesser: Guesser): Promise<void>
}

export function createWrongCodes({
  database,
  ledger,
  bookClock,
}: Pick<CoreParts, 'database' | 'ledger' | 'bookClock'>): WrongCodes {
  async function refuseIn(tx: Pick<Tx, 'wrongCode'>, about: Guesser): Promise<void> {
    const { guesser, most } = limitOf(about)
    const now = bookClock.now()
    // Rows from a clock that was far ahead do not count.
    const at = { gt: new Date(now - WINDOW_MS), lte: new Date(now + WINDOW_MS) }
    // The guess that must be deleted before another is possible.
    const oldest = await tx.wrongCode.findFirst({ where: { guesser, at }, orderBy: { at: 'desc' }, skip: most - 1 })
    if (oldest !== null) throw lockedOut(oldest.at.getTime() + WINDOW_MS - now)
  }
  return {
    refuseIn,
    refuse: (guesser) => refuseIn(database.read, guesser),
    async count(about) {
      const at = new Date(bookClock.now())
      await ledger.commit({
        write: async (tx) => {
          await refuseIn(tx, about)
          await tx.wrongCode.create({ data: { guesser: limitOf(about).guesser, at } })
        },
      })
    },
  }
}

/** Deletes some wrong codes that no longer count. Resolves to whether there may be more. */
export async function forgetWrongCodes({ database, ledger, bookClock }: CoreParts): Promise<boolean> {
  const where = { at: { lte: new Date(bookClock.now() - WINDOW_MS) } }
  const found = await database.read.wrongCode.findMany({ where, select: { id: true }, take: BATCH_SIZE })
  if (found.length === 0) return false
  const id = { in: found.map((wrong) => wrong.id) }
  await ledger.commit({ write: async (tx) => void (await tx.wrongCode.deleteMany({ where: { id } })) })
  return found.length === BATCH_SIZE
}

function limitOf(guesser: Guesser): { readonly guesser: string; readonly most: number } {
  if ('user' in guesser) return { guesser: `user:${guesser.user}`, most: 10 }
  if ('apiKey' in guesser) return { guesser: `key:${guesser.apiKey}`, most: 300 }
  return { guesser: `address:${networksOf(guesser.address)[0] ?? guesser.address}`, most: 300 }
}

function lockedOut(waitMs: number): ServiceRefusal {
  const seconds = Math.ceil(waitMs / 1_000)
  return new ServiceRefusal(
    'too_many_wrong_codes',
    `Too many wrong voucher codes. Try again in ${Math.ceil(seconds / 60)} min.`,
    { 'retry-after': String(seconds) },
  )
}
