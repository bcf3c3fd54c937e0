import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLedger } from '../../src/ledger/ledger.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { PaymentsError } from '../../src/payments-api/payments-api.ts'
import { Activity } from '../../src/tipping/core/activity.ts'
import { CHART } from '../../src/tipping/core/chart-of-accounts.ts'
import type { CoreContext } from '../../src/tipping/core/context.ts'
import type { TippingDatabase, Tx } from '../../src/tipping/core/database.ts'
import { raiseAlert, tellOfOtherAmount, toDecide } from '../../src/tipping/engine/alerts/alerts.ts'
import {
  atPresentProvider,
  isPresent,
  tellIfNotKnown,
  tellOfProviderLeft,
} from '../../src/tipping/engine/alerts/present-provider.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { warmTippingDatabase } from '../support/warm-databases.ts'

const HOUR_MS = 3_600_000
const HERE = { payments: { provider: 'https://here.test#key' } }

/** Opens a book with its alerts; returns the alerts with the log's lines of at least this level, `error` by default. */
async function begin(level: 'info' | 'error' = 'error') {
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
  const clock = new ManualClock()
  const database = await warmTippingDatabase(join(folder, 'tipping.sqlite'))
  const { commit, close } = createLedger<Tx, TippingDatabase['write']>({ database, chart: CHART, clock })
  onTestFinished(async () => {
    await close()
    await database.close()
    rmSync(folder, { recursive: true })
  })
  const log: { alert?: string; about?: string; msg: string }[] = []
  const destination = { write: (line: string) => void log.push(JSON.parse(line)) }
  const logger = createLogger({ level, name: 'bot', destination })
  const parts = { ...HERE, database, commit, clock, logger, activity: new Activity(clock, logger) }
  const alerts = () => database.read.alert.findMany({ orderBy: { id: 'asc' } })
  return { context: parts as unknown as CoreContext, clock, log, alerts }
}

describe('an alert', () => {
  it('is recorded and logged once for each kind and subject', async () => {
    const { context, clock, log, alerts } = await begin()
    const raise = (kind: 'node' | 'clock', about: string, text: string) =>
      context.commit({ write: (tx) => raiseAlert(context, tx, { kind, about, text }) })
    const at = new Date(clock.now())
    await raise('node', 'one', 'first')
    await clock.advance(1_000)
    await raise('node', 'one', 'again')
    await raise('node', 'two', 'second')
    await raise('clock', 'one', 'third')
    const told = [
      { kind: 'node', about: 'one', text: 'first' },
      { kind: 'node', about: 'two', text: 'second' },
      { kind: 'clock', about: 'one', text: 'third' },
    ]
    expect(await alerts()).toMatchObject(told)
    expect((await alerts())[0]).toMatchObject({ at, toldAt: null })
    expect(log.map(({ alert, about, msg }) => ({ kind: alert, about, text: msg }))).toEqual(told)
  })

  it.each([
    ['paused', { level: 'info', news: 'paused' }],
    ['booking-done', { level: 'info', news: 'booking-done' }],
    ['node-back', { level: 'info', news: 'node-back' }],
    ['cover', { level: 'error', alert: 'cover' }],
    ['booking-lapsed', { level: 'error', alert: 'booking-lapsed' }],
  ] as const)('of the kind %s is logged as %o', async (kind, line) => {
    const { context, log } = await begin('info')
    await context.commit({ write: (tx) => raiseAlert(context, tx, { kind, about: 'it', text: 'so it is' }) })
    expect(log).toMatchObject([{ ...line, about: 'it', msg: 'so it is' }])
    expect(log).toHaveLength(1)
    expect('alert' in (log[0] ?? {})).toBe('alert' in line)
  })

  it('states the amount requested, the amount reported, and the operators’ next step', async () => {
    const { context, alerts } = await begin()
    const answer = { about: 'p1', what: 'payout', asked: 5_000n, answered: 7_000n }
    const evidence = 'the provider answers with 7000 msats instead of 5000'
    for (let times = 0; times < 2; times += 1) expect(await tellOfOtherAmount(context, answer)).toBe(evidence)
    const text = `the answer to a payout (p1) is not believed: ${evidence}. Two operators can decide it: /admin unknown`
    expect(await alerts()).toMatchObject([{ kind: 'other-amount', about: 'p1', text }])
  })

  it.each([
    ['It is gone', 'It is gone. Two operators can decide it: /admin unknown'],
    ['It said 1.5 sats.', 'It said 1.5 sats. Two operators can decide it: /admin unknown'],
  ])('has a full stop between %j and the next step', (said, text) => {
    expect(toDecide(said)).toBe(text)
  })
})

describe('the bot’s current provider', () => {
  it.each<[string | null, boolean]>([
    ['https://here.test#key', true],
    ['https://here.test#another', true],
    ['https://here.test/v1#key', false],
    ['https://there.test#key', false],
    [null, false],
  ])('counts as the provider of a record made at %s: %s', (provider, present) => {
    expect(isPresent(HERE, provider)).toBe(present)
  })

  it('is recognized in the book by its URL, whatever the key', () => {
    expect(atPresentProvider(HERE)).toEqual({ startsWith: 'https://here.test#' })
  })

  it('is reported once if it differs from the provider of open operations', async () => {
    const { context, alerts, log } = await begin()
    for (let times = 0; times < 2; times += 1) await tellOfProviderLeft(context, 'https://there.test#key')
    await tellOfProviderLeft(context, null)
    const text = (place: string) =>
      `deposits, payments or codes that have not ended were made at ${place}, but https://here.test is asked now: what ` +
      'becomes of them is not seen, and nothing that is paid to them is credited. Set PAYMENTS_BASE_URL back to it until ' +
      'they have ended'
    expect(await alerts()).toMatchObject([
      { kind: 'provider-left', about: 'https://there.test', text: text('https://there.test') },
      { kind: 'provider-left', about: '', text: text('') },
    ])
    expect(log).toHaveLength(2)
  })

  it('is not reported again if only the key of the earlier provider is different', async () => {
    const { context } = await begin()
    await tellOfProviderLeft(context, 'https://there.test#key')
    const commit = () => Promise.reject(new Error('a write'))
    await tellOfProviderLeft({ ...context, commit }, 'https://there.test#another')
  })
})

describe('a record that the provider does not know', () => {
  const error = (change: object = {}) =>
    new PaymentsError({
      ...({ kind: 'refused', status: 404, operation: 'retrievePayment', message: 'There is none.' } as const),
      ...change,
    })

  it('is reported once, an hour after its creation, with its key', async () => {
    const { context, clock, alerts } = await begin()
    const createdAt = new Date(clock.now())
    const record = { id: 'd1', remoteId: 'charge-1', createdAt }
    await clock.advance(HOUR_MS - 1)
    await tellIfNotKnown(context, error(), record)
    expect(await alerts()).toEqual([])
    await clock.advance(1)
    for (let times = 0; times < 2; times += 1) await tellIfNotKnown(context, error(), record)
    const text =
      `the provider says that it does not know charge-1, which was made for d1 at ${createdAt.toISOString()}: what becomes ` +
      'of it is not seen, and what is paid to it is not credited. PAYMENTS_API_KEY must be a key of the project that made it'
    expect(await alerts()).toMatchObject([{ kind: 'not-known-there', about: 'd1', text }])
  })

  it.each([
    ['the provider refuses for another reason', { status: 403 }],
    ['the answer cannot be understood', { kind: 'protocol', status: 404 }],
  ])('is not reported if %s', async (_, change) => {
    const { context, clock, alerts } = await begin()
    const createdAt = new Date(clock.now() - 2 * HOUR_MS)
    await tellIfNotKnown(context, error(change), { id: 'd1', remoteId: 'charge-1', createdAt })
    expect(await alerts()).toEqual([])
  })
})
