import { readHistory } from '../../ledger/ledger.ts'
import { serveThread } from '../../lib/thread.ts'
import { inspectTippingDatabase, type Tx } from '../core/database.ts'
import type { ExportReading } from '../engine/export-reading.ts'
import { exportHistory } from '../history/read-history.ts'
import { poolHistory } from '../pools/pool-history.ts'
import { exportData } from '../privacy/export-data.ts'

/** A request for an export: its subject, and the time and currency of the requesting process. */
export interface Asked {
  readonly about: string
  readonly now: number
  readonly currency: string
}

/** The jobs of a thread that reads exports. */
export type ExportJobs = ReturnType<typeof jobsOn>

/** How many rows are passed at a time. Receiving that many takes a few milliseconds. */
const ROWS_AT_ONCE = 500

function jobsOn({ url }: { readonly url: string }) {
  const database = inspectTippingDatabase(url)
  const left = new Map<number, unknown[]>()
  let asked = 0

  /** Reads from a snapshot, so that everything is as of one moment. */
  async function read<T>({ now, currency }: Asked, look: (reading: ExportReading) => Promise<T>): Promise<T> {
    return await (await database).snapshot((tx) => look(readingOf(tx, now, currency)))
  }

  function keep(batches: unknown[]): { readonly id: number; readonly many: number } {
    asked += 1
    left.set(asked, batches)
    return { id: asked, many: batches.length }
  }

  return {
    history: async (export_: Asked) =>
      keep(slices(await read(export_, (reading) => exportHistory(reading, export_.about)))),
    pool: async (export_: Asked) =>
      keep(slices(await read(export_, (reading) => poolHistory(reading, export_.about, new Date(0))))),
    data: async (export_: Asked) => {
      const all = await read(export_, (reading) => exportData(reading, export_.about))
      return keep(
        Object.entries(all).flatMap(([name, part]): unknown[] =>
          Array.isArray(part) && part.length > 0 ? slices(part).map((slice) => [name, slice]) : [[name, part]],
        ),
      )
    },
    /** Returns an export's next rows. */
    take: async (id: number): Promise<unknown> => {
      const batches = left.get(id) ?? []
      const batch = batches.shift()
      if (batches.length === 0) left.delete(id)
      return batch
    },
  }
}

function readingOf(tx: Tx, now: number, currency: string): ExportReading {
  return {
    database: { read: tx },
    ledger: {
      balance: async (account) => (await tx.account.findUnique({ where: { kind_owner: account } }))?.balance ?? 0n,
      history: (account, page) => readHistory(tx, account, page),
    },
    rates: { currency },
    clock: { now: () => now },
  }
}

function slices<Row>(rows: readonly Row[]): Row[][] {
  const all: Row[][] = []
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) all.push(rows.slice(at, at + ROWS_AT_ONCE))
  return all
}

serveThread(jobsOn)
