import { systemClock } from '../../lib/clock.ts'
import { openReader } from '../../lib/database/database.ts'
import type { ReadBook } from '../../lib/database/engine/reader.ts'
import { serveThread } from '../../lib/thread.ts'
import { type KeptTree, Prover } from './book-prover.ts'

/** The jobs of a thread that proves a book. */
export type ProverJobs = ReturnType<typeof jobsOn>

function jobsOn(book: ReadBook) {
  const prover = new Prover(() => openReader(book), systemClock)
  return {
    prove: (how: { readonly whole: boolean }) => prover.prove(how),
    compareGifts: (how: { readonly whole: boolean }) => prover.compareGifts(how),
    plant: (key: string) => prover.plant(key),
    partsOf: ({ tree, member }: { readonly tree: KeptTree; readonly member: string }) => prover.partsOf(tree, member),
  }
}

serveThread(jobsOn)
