import { openReader } from '../../lib/database/database.ts'
import { startThread } from '../../lib/thread.ts'
import type { CoreContext } from '../core/context.ts'
import type { TippingDatabase } from '../core/database.ts'
import { type BookProver, Prover } from './book-prover.ts'
import type { ProverJobs } from './prover-thread.ts'

interface Proven {
  readonly database: Pick<TippingDatabase, 'url' | 'variable'>
  readonly clock: CoreContext['clock']
}

/**
 * Returns a prover that works in a separate thread, because reading a million lines takes seconds and would block every
 * answer.
 */
export function proverBeside({ database: { url, variable } }: Proven): BookProver {
  const book = { url, variable, durable: true }
  const thread = startThread<ProverJobs>(new URL('./prover-thread.ts', import.meta.url), book)
  return {
    prove: (how) => thread.ask('prove', how),
    compareGifts: (how) => thread.ask('compareGifts', how),
    plant: (key) => thread.ask('plant', key),
    partsOf: (tree, member) => thread.ask('partsOf', { tree, member }),
    close: () => thread.close(),
  }
}

/** Returns a prover that works in this thread, for small, short-lived books. */
export function proverHere({ database: { url, variable }, clock }: Proven): BookProver {
  return new Prover(() => openReader({ url, variable, durable: true }), clock)
}
