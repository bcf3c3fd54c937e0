import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BookWatch } from '../../proof/judge/book-watch.ts'
import { differences } from '../../proof/judge/differences.ts'
import { BOT_HOLDS, checkHolds } from '../../proof/judge/open-operations.ts'
import { Life } from '../../proof/world/crashing-database.ts'
import { NODE_BROKE } from '../../proof/world/faulty-node.ts'
import { Timeline } from '../../proof/world/timeline.ts'
import { Trace } from '../../proof/world/trace.ts'
import { watchfulLog } from '../../proof/world/watchful-log.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { CHART, held, member, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'

describe('the log of a simulated process', () => {
  function listen(side: 'bot' | 'service') {
    const complaints: string[] = []
    const life = new Life(() => undefined)
    const onComplaint = (what: string) => void complaints.push(what)
    return { complaints, life, log: watchfulLog({ side, life, trace: new Trace(new Timeline()), onComplaint }) }
  }

  it('reports each background error, from any logger, with its stack trace', () => {
    const { complaints, log } = listen('bot')
    log.warn('the provider does not answer')
    log.child({ request: 'r-1' }).error({ err: new TypeError('it is null'), task: 'poller' }, 'a task failed')
    log.fatal('no session')
    expect(complaints).toHaveLength(2)
    expect(complaints[0]).toMatch(/the bot complains: .*a task failed.*TypeError: it is null\n {4}at /s)
    expect(complaints[1]).toContain('no session')
  })

  it('accepts errors that the simulation causes, but reports similar real errors', () => {
    const { complaints, log } = listen('service')
    const settlements = 'settlements cannot be credited just now; they will be'
    log.error({ alert: 'fee_over_limit' }, 'the node took more')
    log.error({ alert: 'unclaimed_receipt', reason: 'second settlement' }, 'it waits')
    log.error({ err: new Error(NODE_BROKE) }, settlements)
    expect(complaints).toEqual([])
    log.error({ err: new Error('database is locked') }, settlements)
    log.error({ alert: 'unclaimed_receipt', reason: 'unknown invoice' }, 'it waits')
    log.error({ alert: 'contradicting_outcome' }, 'the node contradicts itself')
    expect(complaints).toHaveLength(3)
  })

  it('is ignored once the process is dead', () => {
    const { complaints, life, log } = listen('service')
    life.end()
    log.error('the books cannot be written')
    expect(complaints).toEqual([])
  })
})

describe('the watcher of a book', () => {
  let folder: string
  let watch: BookWatch
  /** A connection for editing the file by hand. */
  let hand: Database.Database

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'satchel-watch-'))
    const file = join(folder, 'tipping.sqlite')
    const database = await openTippingDatabase(`file:${file}`)
    const ledger = createLedger({ database, chart: CHART, clock: systemClock })
    const deposit = { from: WALLET, to: member('alice'), amount: msats(5_000n) }
    const reserve = { from: member('alice'), to: held('alice'), amount: msats(2_000n) }
    await ledger.commit({ entries: [{ operation: 'deposit', step: 'slot:1', moves: [deposit] }] })
    await ledger.commit({ entries: [{ operation: 'payout', step: 'reserve', moves: [reserve] }] })
    await ledger.close()
    await database.close()
    watch = new BookWatch('bot', file, CHART)
    hand = new Database(file)
  })

  afterEach(() => {
    hand.close()
    watch.close()
    rmSync(folder, { recursive: true })
  })

  it('reports no fault in a correct book', () => {
    expect(watch.checkTouched()).toEqual([])
    expect(watch.checkAll()).toEqual([])
  })

  it('reports a balance that differs from its moves and a sum that is not 0', () => {
    hand.exec(`UPDATE "Account" SET "balance" = 3001 WHERE "kind" = 'member'`)
    expect(watch.checkTouched()).toEqual(["the bot's member alice shows 3001 msats, but its moves make 3000"])
    expect(watch.checkAll()).toContain("the bot's book sums to 1 msats")
  })

  it('reports sats that are reserved for no open operation', () => {
    expect(checkHolds(watch, ['held', 'pot'], BOT_HOLDS, 'bot')).toEqual([
      "the bot's held:alice holds 2000 msats, but its open operations hold 0",
    ])
  })

  it('reports each person with too many or too few sats', () => {
    expect(differences(new Map([['alice', 3n]]), new Map([['bob', 2n]]), 'the member')).toEqual([
      'the member alice has 3 msats, and should have 0 (3 too many)',
      'the member bob has 0 msats, and should have 2 (-2 too many)',
    ])
  })
})
