import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { confirmClock } from '../../../src/assembly/confirm-clock.ts'
import { createLedger, type Ledger } from '../../../src/ledger/ledger.ts'
import { BookClock, ClocksApart } from '../../../src/lib/book-clock.ts'
import { createLogger } from '../../../src/lib/logger.ts'
import { CHART } from '../../../src/payments-service/core/chart-of-accounts.ts'
import type { PaymentsDatabase, Tx } from '../../../src/payments-service/core/database.ts'
import { timeOfBook } from '../../../src/payments-service/timekeeping.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { warmPaymentsDatabase } from '../../support/warm-databases.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const NOON = Date.UTC(2030, 0, 1, 12)

/** One of the processes that keep the book's time, with its own clocks. */
interface Keeper {
  readonly book: BookClock
  readonly clock: ManualClock
  /** The alerts that the process has sent to operators. */
  readonly alerts: string[]
}

let folder: string
let database: PaymentsDatabase
let ledger: Ledger<Tx>
let seen: number[]
let journeyMs: number
let passedMs: number
/** Advances the clock of the newest process during a round trip to the server. */
let atJourney: () => void

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'book-time-'))
  database = await warmPaymentsDatabase(join(folder, 'payments.sqlite'))
  ledger = createLedger<Tx, PaymentsDatabase['read']>({ database, chart: CHART, clock: new ManualClock() })
  seen = []
  journeyMs = 0
  passedMs = 0
})

afterEach(async () => {
  await ledger.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

/** Starts a process on a machine whose clock shows `wall`. The database server may run on another machine. */
async function start(wall: number, { serverTime }: { serverTime?: () => Promise<number> } = {}): Promise<Keeper> {
  const clock = new ManualClock(wall)
  atJourney = () => clock.freeze(journeyMs / 2)
  const alerts: string[] = []
  const destination = { write: (line: string) => void alerts.push(line) }
  const logger = createLogger({ level: 'error', name: 'test', destination })
  const book = new BookClock(clock)
  await book.load(timeOfBook({ database, ledger, logger }, serverTime))
  return { book, clock, alerts }
}

/**
 * Lets time pass for these processes. In this order, each keeps the book's time once a minute, or every quarter of an
 * hour if more than an hour passes.
 */
async function pass(ms: number, ...keepers: Keeper[]): Promise<void> {
  const stepMs = ms > HOUR_MS ? HOUR_MS / 4 : MINUTE_MS
  for (let passed = 0; passed < ms; passed += stepMs) {
    passedMs += stepMs
    for (const { clock } of keepers) clock.freeze(stepMs)
    for (const { book } of keepers) {
      await book.keep()
      seen.push(await kept())
    }
  }
}

/** Lets a minute pass for these processes, which then keep the book's time simultaneously. */
async function together(...keepers: Keeper[]): Promise<void> {
  for (const { clock } of keepers) clock.freeze(MINUTE_MS)
  await Promise.all(keepers.map(({ book }) => book.keep()))
}

const kept = async () => (await database.read.bookTime.findFirstOrThrow()).at.getTime()
const timesSet = async () => (await database.read.bookTime.findFirstOrThrow()).setNumber
const beliefs = (...keepers: Keeper[]) => keepers.map(({ book }) => book.isSteady())

/** Returns how often the book's time went back while time passed. */
const timesBack = () => seen.filter((at, i) => at < (seen[i - 1] ?? at)).length

/** Has an operator confirm the clock of this process's machine. */
const confirm = ({ clock }: Keeper) =>
  confirmClock(
    {
      provider: undefined,
      service: { databaseUrl: database.url, lightning: { kind: 'sandbox' } } as never,
      dataFolder: folder,
      tippingDatabaseUrl: `file:${folder}/none.sqlite`,
    },
    clock,
  )

/** Creates a book that was last written at noon, by a process that has ended. */
const writtenAtNoon = async () => void (await start(NOON))

describe('the confirmation of a clock', () => {
  it('is accepted by every process that uses the book', async () => {
    await writtenAtNoon()
    const [a, b, c] = [
      await start(NOON + 9 * HOUR_MS),
      await start(NOON + 9 * HOUR_MS),
      await start(NOON + 9 * HOUR_MS),
    ]
    await pass(MINUTE_MS, a, b, c)
    expect(beliefs(a, b, c)).toEqual([false, false, false])
    await confirm(b)
    await pass(MINUTE_MS, a, b, c)
    await pass(MINUTE_MS, a, b, c)
    expect(beliefs(a, b, c)).toEqual([true, true, true])
    expect([a, b, c].map(({ book, clock }) => book.now() - clock.now())).toEqual([0, 0, 0])
    expect(beliefs(await start(NOON + 9 * HOUR_MS + 3 * MINUTE_MS))).toEqual([true])
  })

  it('sets the book’s time back once, and no process restores the later time', async () => {
    await writtenAtNoon()
    const [a, b] = [await start(NOON - 3 * HOUR_MS), await start(NOON - 3 * HOUR_MS)]
    await pass(5 * MINUTE_MS, a, b)
    await confirm(a)
    await pass(HOUR_MS, b, a)
    expect([timesBack(), await timesSet()]).toEqual([1, 1])
    expect(beliefs(a, b)).toEqual([true, true])
    expect(await kept()).toBe(a.clock.now())
  })

  it('does not cover another machine’s clock, which its process reports as wrong', async () => {
    await writtenAtNoon()
    const ahead = await start(NOON + 3 * HOUR_MS)
    const right = await start(NOON)
    await pass(2 * MINUTE_MS, ahead, right)
    await confirm(right)
    await pass(HOUR_MS, ahead, right)
    expect(beliefs(ahead, right)).toEqual([false, true])
    expect(await kept()).toBe(right.clock.now())
    expect(ahead.alerts.map((line) => JSON.parse(line))).toMatchObject([
      { alert: 'clock', msg: expect.stringMatching(/says 2030-01-01T15.*written at 2030-01-01T12/) },
    ])
  })

  it('does not cover a clock that is changed between the confirmation and the check', async () => {
    await writtenAtNoon()
    const a = await start(NOON + 9 * HOUR_MS)
    await confirm(a)
    a.clock.jump(HOUR_MS)
    await pass(5 * MINUTE_MS, a)
    expect(beliefs(a)).toEqual([false])
  })

  it('sets the book’s time only once, so a slow clock is doubted at a later start', async () => {
    await writtenAtNoon()
    const a = await start(NOON - 3 * HOUR_MS)
    await confirm(a)
    await pass(2 * HOUR_MS, a)
    expect(beliefs(await start(a.clock.now() - HOUR_MS))).toEqual([false])
  })
})

describe('two processes that share a book', () => {
  it('do not let a slow clock set the book’s time back', async () => {
    await writtenAtNoon()
    const right = await start(NOON)
    const behind = await start(NOON - 3 * HOUR_MS)
    await pass(3 * DAY_MS, right, behind)
    expect([timesBack(), await timesSet()]).toEqual([0, 0])
    expect(beliefs(right, behind)).toEqual([true, false])
    expect(behind.alerts).toHaveLength(1)
    expect(behind.book.now()).toBeGreaterThanOrEqual(right.clock.now() - MINUTE_MS)
  })

  it('send one alert and doubt the first clock if the second clock is ahead', async () => {
    await writtenAtNoon()
    const first = await start(NOON)
    const ahead = await start(NOON + 3 * HOUR_MS)
    await pass(3 * DAY_MS, first, ahead)
    expect(beliefs(first)).toEqual([false])
    expect(first.alerts).toHaveLength(1)
    expect(timesBack()).toBe(0)
  })

  it('agree on the later time if their clocks differ by at most 20 seconds', async () => {
    await writtenAtNoon()
    const [a, b] = [await start(NOON + 20_000), await start(NOON)]
    await pass(2 * DAY_MS, a, b)
    expect([timesBack(), beliefs(a, b), a.alerts, b.alerts]).toEqual([0, [true, true], [], []])
    expect(b.book.now()).toBe(a.book.now())
  })

  it('keep the later time if they write at the same moment', async () => {
    await writtenAtNoon()
    const b = await start(NOON)
    const a = await start(NOON + 20_000)
    await together(a, b)
    expect(await kept()).toBe(a.clock.now())
  })

  it('do not restore the later time while one of them sets the book’s time back', async () => {
    await writtenAtNoon()
    const ahead = await start(NOON + 3 * HOUR_MS)
    const right = await start(NOON)
    await pass(2 * MINUTE_MS, ahead, right)
    await confirm(right)
    await together(right, ahead)
    expect(await kept()).toBe(right.clock.now())
  })

  it('let only one of them set the book’s time, and the other distrusts its clock', async () => {
    await writtenAtNoon()
    const [a, b] = [await start(NOON - 9 * HOUR_MS), await start(NOON + 9 * HOUR_MS)]
    for (const { clock } of [a, b]) clock.freeze(DAY_MS)
    await together(a, b)
    await pass(5 * MINUTE_MS, a, b)
    expect([timesBack(), await timesSet(), beliefs(a, b)]).toEqual([0, 1, [true, false]])
  })

  it('accept their clocks a day after doubting them, and set the book’s time once', async () => {
    await writtenAtNoon()
    const [a, b] = [await start(NOON + 9 * HOUR_MS), await start(NOON + 9 * HOUR_MS)]
    await pass(DAY_MS - HOUR_MS, a, b)
    expect(beliefs(a, b)).toEqual([false, false])
    await pass(1.5 * HOUR_MS, a, b)
    expect([beliefs(a, b), await timesSet()]).toEqual([[true, true], 1])
    expect(await kept()).toBe(b.clock.now())
  })

  it('trust a corrected clock again after a day if the other clock was steady', async () => {
    await writtenAtNoon()
    const [a, b] = [await start(NOON), await start(NOON)]
    b.clock.jump(HOUR_MS)
    await pass(MINUTE_MS, a, b)
    b.clock.jump(-HOUR_MS)
    await pass(DAY_MS - HOUR_MS, a, b)
    expect(beliefs(a, b)).toEqual([true, false])
    await pass(2 * HOUR_MS, a, b)
    expect([beliefs(a, b), await timesSet()]).toEqual([[true, true], 0])
  })
})

describe('the clock of the database server', () => {
  /** Creates a server's clock that is `aheadMs` ahead of noon plus the elapsed time. */
  function server(aheadMs = 0) {
    const it = { aheadMs }
    const serverTime = async () => {
      atJourney()
      const ms = NOON + passedMs + it.aheadMs
      atJourney()
      return ms
    }
    return { it, serverTime }
  }

  it('causes an error with both times if a starting process’s clock is minutes off', async () => {
    await writtenAtNoon()
    for (const aheadMs of [-3 * MINUTE_MS, 3 * MINUTE_MS]) {
      const apart = await start(NOON, server(aheadMs)).catch((error: unknown) => error)
      expect(apart).toBeInstanceOf(ClocksApart)
      expect(String(apart)).toMatch(
        /clock of the machine \S+ says 2030-01-01T12:00.* server says 2030-01-01T1.*Correct the wrong clock.*start again/,
      )
    }
    expect(await kept()).toBe(NOON)
  })

  it('lets a process start if the two clocks are a minute apart or the query is slow', async () => {
    await writtenAtNoon()
    expect(beliefs(await start(NOON, server(MINUTE_MS)))).toEqual([true])
    journeyMs = 10 * MINUTE_MS
    expect(beliefs(await start(NOON, server()))).toEqual([true])
  })

  it('makes a process doubt its drifting clock, even if confirmed, and warn only once', async () => {
    await writtenAtNoon()
    const its = server()
    const a = await start(NOON, its)
    await pass(MINUTE_MS, a)
    expect(beliefs(a)).toEqual([true])
    its.it.aheadMs = 5 * MINUTE_MS
    await pass(3 * MINUTE_MS, a)
    expect(beliefs(a)).toEqual([false])
    await confirm(a)
    await pass(MINUTE_MS, a)
    expect(beliefs(a)).toEqual([false])
    expect(a.alerts.map((line) => JSON.parse(line))).toMatchObject([
      {
        alert: 'clock',
        msg: expect.stringMatching(/server says 2030-01-01T12.*Correct the wrong clock.*nothing expires/),
      },
    ])
  })

  it('lets a process trust its clock after a confirmation, or after a day of agreement', async () => {
    await writtenAtNoon()
    const its = server()
    const a = await start(NOON, its)
    its.it.aheadMs = 5 * MINUTE_MS
    await pass(HOUR_MS, a)
    its.it.aheadMs = 0
    await pass(DAY_MS - HOUR_MS, a)
    expect(beliefs(a)).toEqual([false])
    await pass(2 * HOUR_MS, a)
    expect(beliefs(a)).toEqual([true])
    its.it.aheadMs = 5 * MINUTE_MS
    await pass(HOUR_MS, a)
    its.it.aheadMs = 0
    await confirm(a)
    await pass(HOUR_MS / 4, a)
    expect(beliefs(a)).toEqual([true])
  })
})
