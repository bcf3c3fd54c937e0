import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'vitest'
import { createLedger, examineJournal, type Ledger, type Move } from '../../src/ledger/ledger.ts'
import { fileOfUrl, readBook } from '../../src/lib/database/database.ts'
import { isPostgres } from '../../src/lib/database/url-kinds.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { CHART, member, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import type { TippingDatabase, Tx } from '../../src/tipping/core/database.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { spoilTipping } from '../support/postgres/stranger.ts'
import { warmTippingDatabase } from '../support/warm-databases.ts'

/** A separate book for one test, in the bot's schema. */
export interface TestBook {
  readonly database: TippingDatabase
  readonly ledger: Ledger<Tx>
  readonly clock: ManualClock
  /** For every transaction, the number of changes that shared it, and its duration. */
  readonly batches: { changes: number; durationMs: number }[]
  fund(who: string, amount: number): Promise<void>
  send(operation: string, ...moves: Move[]): Promise<void>
  /** Runs SQL behind the ledger's back, without the guards; the book may be unsound afterwards. */
  spoil(sql: string): Promise<void>
  close(): Promise<void>
}

export async function openBook(): Promise<TestBook> {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'))
  const database = await warmTippingDatabase(`${folder}/book.sqlite`)
  const clock = new ManualClock()
  const batches: { changes: number; durationMs: number }[] = []
  const ledger = createLedger<Tx, TippingDatabase['write']>({
    ...{ database, chart: CHART, clock },
    onBatch: (batch) => void batches.push(batch),
  })
  let spoilt = false
  return {
    ...{ database, ledger, clock, batches },
    fund: (who, amount) =>
      ledger.commit({
        entries: [
          { operation: `fund-${who}`, step: 'post', moves: [{ from: WALLET, to: member(who), amount: msats(amount) }] },
        ],
      }),
    send: (operation, ...moves) => ledger.commit({ entries: [{ operation, step: 'post', moves }] }),
    async spoil(sql) {
      spoilt = true
      if (isPostgres(database.url)) return await spoilTipping(database.url, sql)
      const sqlite = new Sqlite(fileOfUrl(database))
      sqlite.pragma('foreign_keys = OFF')
      sqlite.pragma('ignore_check_constraints = ON')
      const triggers = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck().all()
      for (const name of triggers) sqlite.exec(`DROP TRIGGER "${name}"`)
      sqlite.exec(sql)
      sqlite.close()
    },
    async close() {
      const faults = spoilt
        ? []
        : [...(await ledger.prove()).faults, ...(await readBook({ ...database, durable: true }, examineJournal))]
      await ledger.close()
      await database.close()
      rmSync(folder, { recursive: true })
      expect(faults).toEqual([])
    },
  }
}

export function move(from: string, to: string, amount: number): Move {
  return { from: member(from), to: member(to), amount: msats(amount) }
}
