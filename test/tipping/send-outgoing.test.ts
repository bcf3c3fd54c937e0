import { beforeEach, describe, expect, it } from 'vitest'
import { msats } from '../../src/lib/money/amount.ts'
import { PaymentsError } from '../../src/payments-api/payments-api.ts'
import type { Outcome, OutgoingContext, OutgoingKind, OutgoingRow } from '../../src/tipping/engine/outgoing/outgoing.ts'
import { sendReserved } from '../../src/tipping/engine/outgoing/send-outgoing.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { scriptedOwnership } from '../support/scripted-ownership.ts'

const NOW = Date.UTC(2030, 0, 10)

type Kind = OutgoingKind<OutgoingRow, object, object, object>

const PAUSED = { kind: 'failed', because: 'paused', reason: 'a look' }
const away = new PaymentsError({ kind: 'unreachable', operation: 'sendPayment', message: 'Away.' })
const paid: Outcome = { kind: 'paid' }

/** The row as the book has it. */
let row: { -readonly [Column in keyof OutgoingRow]: OutgoingRow[Column] } & { body?: string }
/** The steps that were run, in order: `prepare`, `mark`, `request`, and the outcome. */
let done: unknown[]
/** The number of further reads that find the database unreachable. */
let unreadable: number
/** The error that those reads throw. */
let outage: Error
let alerts: { kind: string; about: string; text: string }[]

beforeEach(() => {
  row = {
    ...{ id: 'one', member: 'alice', state: 'reserved', card: null, reason: null, key: 'key', process: 'us' },
    ...{ provider: null, replays: false, sentAt: null, createdAt: new Date(NOW - 60_000) },
  }
  done = []
  alerts = []
  unreadable = 0
})

async function send(also: object = {}, some: Partial<Kind> = {}): Promise<unknown[]> {
  const ended = (_: OutgoingContext, __: OutgoingRow, outcome: Outcome) => {
    done.push(outcome)
    return { data: { state: outcome.kind } }
  }
  const findFirst = async ({ where }: { where: { id: string; state?: { in: string[] } } }) => {
    if (unreadable-- > 0) throw outage
    return where.id === row.id && (where.state?.in.includes(row.state) ?? true) ? { ...row } : null
  }
  const updateMany = async (update: { where: Partial<typeof row>; data: Partial<typeof row> }) => {
    const isIt = Object.entries(update.where).every(([column, value]) => row[column as keyof OutgoingRow] === value)
    if (isIt) Object.assign(row, update.data)
    if (update.data.state === 'sending') done.push(isIt ? 'mark' : 'too late')
    return { count: isIt ? 1 : 0 }
  }
  const kind = {
    ...{ name: 'withdrawal', amountOf: () => msats(5n), reservedOf: () => msats(0n), failed: ended, paid: ended },
    ...{ unknown: (outcome: Outcome) => void done.push(outcome), table: () => ({ findFirst, updateMany }) },
    prepare: async () => {
      done.push('prepare')
      return { amount: '5' }
    },
    request: async (_: OutgoingContext, { sentAt, process }: OutgoingRow, body: object) => {
      done.push({ request: body, sentAt, process })
      return { amount: msats(5n), remoteId: 'remote', outcome: paid }
    },
    ...some,
  } as unknown as Kind
  const alert = {
    findUnique: async () => null,
    create: async ({ data }: { data: (typeof alerts)[number] }) => void alerts.push(data),
  }
  const tx = { alert, pollJob: { upsert: async () => undefined } }
  const context = {
    ...{ database: { read: tx }, clock: { now: () => NOW }, clockWatch: { now: () => NOW + 1 } },
    ...{ payments: { provider: 'provider' }, replaysKeys: () => true, askedForReplays: async () => undefined },
    ...{ activity: { closed: false }, poller: { wake: async () => undefined } },
    outgoingSwitch: { open: true, pausedIn: async () => undefined },
    ownership: scriptedOwnership(),
    logger: { error: () => undefined, warn: () => undefined },
    commit: async ({ write }: { write: (client: object) => Promise<unknown> }) => await write(tx),
    ...also,
  } as unknown as OutgoingContext
  await sendReserved(context, kind, 'one')
  return done
}

const failed = (because: string, reason: string | null = null) => ({ kind: 'failed', because, reason })
const REQUEST = { request: { amount: '5' }, sentAt: new Date(NOW + 1), process: 'us' }

describe('a reserved payment', () => {
  it('is prepared, marked with all known facts, sent, and recorded', async () => {
    expect(await send()).toEqual(['prepare', 'mark', REQUEST, paid])
    expect(row).toMatchObject({
      provider: 'provider',
      replays: true,
      body: '{"amount":"5"}',
      sentAt: new Date(NOW + 1),
    })
  })

  it.each(['sending', 'unknown', 'paid', 'failed'])('is not prepared again once its state is “%s”', async (state) => {
    row.state = state
    expect(await send()).toEqual([])
  })

  it.each([
    ['Connection terminated unexpectedly', undefined],
    ['The server cannot be reached.', 'P1001'],
    ['The server does not answer in time.', 'P1002'],
    ['The operation took too long.', 'P1008'],
    ['The server has closed the door.', 'P1017'],
  ])('is retried after the error “%s” until the database is back', async (said, code) => {
    outage = Object.assign(new Error(said), { code })
    const clock = new ManualClock()
    unreadable = 3
    const sent = send({ clock })
    await clock.advance(10_000)
    expect(await sent).toMatchObject(['prepare', 'mark', {}, paid])
  })

  it.each([
    ['a mistake in the bot’s code', new Error('a mistake')],
    [
      'an error that only resembles a database error',
      new PaymentsError({ kind: 'unreachable', operation: 'sendPayment', message: 'connect ECONNREFUSED' }),
    ],
  ])('is not tried again if it fails because of %s', async (_, error) => {
    const broken = { table: () => ({ findFirst: () => Promise.reject(error) }) as never }
    await expect(send({}, broken)).rejects.toBe(error)
  })

  it('is not sent if its record is gone', async () => {
    row.id = 'another'
    expect(await send()).toEqual([])
  })

  it.each<[string, object, unknown[]]>([
    ['outgoing payments are paused', { outgoingSwitch: { open: false, reason: 'a look' } }, [PAUSED]],
    ['outgoing payments are paused without a reason', { outgoingSwitch: { open: false } }, [failed('paused')]],
    [
      'the book contains a pause',
      { outgoingSwitch: { open: true, pausedIn: async () => ({ reason: 'a look' }) } },
      ['prepare', PAUSED],
    ],
    [
      'the provider has not reported whether it replays keys',
      { askedForReplays: () => Promise.reject(away) },
      [failed('unreachable')],
    ],
    ['the bot is stopping', { activity: { closed: true } }, ['prepare']],
    ['another process has taken it over', { ownership: scriptedOwnership({ isLive: () => false }) }, ['prepare']],
    [
      'its process was frozen after it was marked',
      { ownership: scriptedOwnership({ isLive: () => false, assertLive: async () => undefined }) },
      ['prepare', 'mark', failed('interrupted')],
    ],
  ])('is not sent if %s', async (_, context, expected) => {
    expect(await send(context)).toEqual(expected)
  })

  it('is not sent if its kind finds an obstacle or cannot prepare it', async () => {
    const obstacle = failed('unlinked') as never
    expect(await send({}, { obstacle: async () => obstacle })).toEqual(['prepare', obstacle])
    row.state = 'reserved'
    done = []
    expect(await send({}, { prepare: () => Promise.reject(away) })).toEqual([failed('unreachable')])
  })

  it.each([{ process: 'another' }, { state: 'failed' }])(
    'is not sent if another process has changed it during the preparation: %j',
    async (taken) => {
      const prepare = async () => {
        Object.assign(row, taken)
        return {}
      }
      expect(await send({}, { prepare })).toEqual(['too late'])
    },
  )

  it('is sent even during a pause if it brings sats in', async () => {
    const paused = { outgoingSwitch: { open: false, pausedIn: async () => ({ reason: 'a look' }) } }
    expect(await send(paused, { comesIn: true })).toEqual(['prepare', 'mark', REQUEST, paid])
  })

  it('stays reserved if the bot’s own code throws, and the error is rethrown', async () => {
    const ours = new TypeError('a mistake of ours')
    await expect(send({}, { prepare: () => Promise.reject(ours) })).rejects.toThrow(ours)
    const ownership = scriptedOwnership({ assertLive: () => Promise.reject(ours) })
    await expect(send({ ownership })).rejects.toThrow(ours)
    expect(row.state).toBe('reserved')
  })
})

describe('an answer about a payment', () => {
  const answering = (some: object) => ({
    request: async () => ({ amount: msats(5n), remoteId: 'remote', outcome: paid, ...some }),
  })

  it('is not accepted with a different amount, and operators are alerted', async () => {
    const evidence = 'the provider answers with 6 msats instead of 5'
    expect(await send({}, answering({ amount: msats(6n) }))).toContainEqual({
      kind: 'unknown',
      evidence,
      remoteId: 'remote',
    })
    expect(alerts).toMatchObject([{ kind: 'other-amount', about: 'one', text: expect.stringContaining(evidence) }])
  })

  it('is not accepted if the payment’s kind says that it is about another payment', async () => {
    const unlike = { kind: 'unknown', evidence: 'another payment', remoteId: 'remote' }
    expect(await send({}, answering({ unlike: 'another payment' }))).toContainEqual(unlike)
    expect(alerts).toEqual([])
    row.state = 'reserved'
    done = []
    expect(await send({}, answering({ unlike: 'another payment', amount: msats(6n) }))).toContainEqual(unlike)
    expect(alerts).toHaveLength(1)
  })

  it('supplies the amount if the record has none', async () => {
    expect(await send({}, { ...answering({ amount: msats(6n) }), amountOf: () => undefined })).toContainEqual(paid)
  })

  it('if it is lost, leaves the payment’s outcome unknown', async () => {
    const lost = new PaymentsError({ kind: 'unknown', operation: 'sendPayment', message: 'Lost.' })
    expect(await send({}, { request: () => Promise.reject(lost) })).toContainEqual({
      kind: 'unknown',
      evidence: 'Lost.',
    })
    expect(row).toMatchObject({ state: 'unknown', reason: 'Lost.' })
  })
})
