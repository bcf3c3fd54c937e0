import { isFile } from '../../lib/database/url-kinds.ts'
import { startThread } from '../../lib/thread.ts'
import type { CoreContext } from '../core/context.ts'
import type { ExportedLine } from '../history/history.ts'
import { exportHistory } from '../history/read-history.ts'
import { poolHistory } from '../pools/pool-history.ts'
import type { PoolLine } from '../pools/pools.ts'
import { exportData } from '../privacy/export-data.ts'
import type { Asked, ExportJobs } from './export-thread.ts'

/** The data that somebody may download, whatever its size. */
export interface Exports {
  /** Returns a member's bookings and gifts from wallet to wallet, oldest first. */
  history(member: string): Promise<readonly ExportedLine[]>
  /** Returns everything about a member, grouped by the names of the records. */
  data(member: string): Promise<Readonly<Record<string, unknown>>>
  /** Returns the moves of a server's pool, newest first. */
  pool(guild: string): Promise<readonly PoolLine[]>
  close(): Promise<void>
}

/**
 * Creates the reader of exports. With `beside`, exports from a book in a file are read in a thread, so that other work
 * continues; the thread passes some hundred rows at a time. A book on a database server is read without a thread.
 */
export function createExports(context: CoreContext, beside: boolean): Exports {
  return beside && isFile(context.database.url) ? inThread(context) : inThisThread(context)
}

function inThisThread(context: CoreContext): Exports {
  return {
    history: (member) => exportHistory(context, member),
    data: (member) => exportData(context, member),
    pool: (guild) => poolHistory(context, guild, new Date(0)),
    close: async () => {},
  }
}

function inThread({ database: { url }, clock, rates }: CoreContext): Exports {
  const thread = startThread<ExportJobs>(new URL('./export-thread.ts', import.meta.url), { url })
  const asked = (about: string): Asked => ({ about, now: clock.now(), currency: rates.currency })
  async function* batches(job: 'history' | 'data' | 'pool', about: string): AsyncGenerator<unknown> {
    const { id, many } = await thread.ask(job, asked(about))
    for (let nth = 0; nth < many; nth += 1) yield await thread.ask('take', id)
  }
  async function rows<Row>(job: 'history' | 'pool', about: string): Promise<Row[]> {
    const all: Row[] = []
    for await (const batch of batches(job, about)) all.push(...(batch as Row[]))
    return all
  }
  return {
    history: (member) => rows<ExportedLine>('history', member),
    pool: (guild) => rows<PoolLine>('pool', guild),
    async data(member) {
      const all: Record<string, unknown> = {}
      for await (const [name, part] of batches('data', member) as AsyncGenerator<readonly [string, unknown]>) {
        const before = all[name]
        all[name] = Array.isArray(before) ? [...before, ...(part as unknown[])] : part
      }
      return all
    },
    close: () => thread.close(),
  }
}
