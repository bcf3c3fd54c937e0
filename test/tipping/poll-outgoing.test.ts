import { describe, expect, it } from 'vitest'
import { msats } from '../../src/lib/money/amount.ts'
import { PaymentsError } from '../../src/payments-api/payments-api.ts'
import type { PollJob } from '../../src/tipping/generated/client.ts'
import type {
  Outcome,
  OutgoingContext,
  OutgoingKind,
  OutgoingRow,
  ProviderAnswer,
} from '../../src/tipping/machines/outgoing/outgoing.ts'
import { pollOutgoing } from '../../src/tipping/machines/outgoing/poll-outgoing.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.UTC(2030, 0, 10)

type Kind = OutgoingKind<OutgoingRow, object, object, object>

/** Something that was sent an hour and a minute ago, a minute after it was reserved. */
const ROW: OutgoingRow = {
  ...{ id: 'one', member: 'alice', state: 'unknown', card: null, reason: null, key: 'key', process: 'process' },
  ...{ provider: 'https://provider.test#key', replays: true },
  ...{ createdAt: new Date(NOW - 61 * MINUTE), sentAt: new Date(NOW - 60 * MINUTE) },
}

const JOB = { id: 'one', kind: 'withdrawal' } as PollJob
const END = { inMs: null }

interface Doing {
  readonly row?: Partial<OutgoingRow> | null
  readonly kind?: Partial<Kind>
  readonly steady?: boolean
}

/** Polls a row of some kind once, at a provider that tells nothing new unless the kind reads something. */
async function poll({ row, kind, steady = true }: Doing = {}) {
  const commits: unknown[] = []
  const alerts: { kind: string; text: string }[] = []
  const tx = {
    pollJob: { upsert: async () => undefined },
    alert: {
      findUnique: async () => null,
      create: async ({ data }: { data: { kind: string; text: string } }) => void alerts.push(data),
    },
  }
  const context = {
    ...{ database: { read: tx }, clock: { now: () => NOW }, payments: { provider: 'https://provider.test#key' } },
    ...{ clockWatch: { isSteady: () => steady, now: () => NOW }, logger: { error: () => undefined } },
    poller: { wake: async () => undefined },
    activity: { closed: false },
    commit: async ({ write }: { write: (client: object) => Promise<unknown> }) => {
      commits.push(write)
      return await write(tx)
    },
  } as unknown as OutgoingContext
  const some: Kind = {
    ...({ name: 'withdrawal', amountOf: () => msats(1n), remoteIdOf: () => 'remote' } as unknown as Kind),
    table: () => {
      const findFirst = async () => (row === null ? null : { ...ROW, ...row })
      return { findFirst, updateMany: async () => ({ count: 1 }) } as never
    },
    reservedOf: () => msats(0n),
    failed: () => ({ data: { state: 'returned' } }),
    open: () => ({ data: { state: 'unknown' } }),
    read: async () => said({ kind: 'unknown', evidence: 'nobody knows' }),
    inDoubt: ({ id }, since) => `${id} is unknown since ${since}`,
    ...kind,
  }
  return { next: await pollOutgoing(context, some, JOB), alerts, commits }
}

function said(outcome: Outcome): ProviderAnswer {
  return { amount: msats(1n), remoteId: 'remote', outcome }
}

describe('something that was sent', () => {
  it('and is not there any more is not looked at again', async () => {
    expect((await poll({ row: null })).next).toEqual(END)
  })

  it.each(['reserved', 'sending'])('and is %s is looked at soon: its worker may record any moment', async (state) => {
    expect((await poll({ row: { state } })).next).toEqual({ inMs: 2_000 })
  })

  it.each(['paid', 'returned'])(
    'and is %s is not looked at again, unless its kind says that it is open',
    async (state) => {
      expect((await poll({ row: { state } })).next).toEqual(END)
      expect((await poll({ row: { state }, kind: { isOpen: () => false } })).next).toEqual(END)
      expect((await poll({ row: { state }, kind: { isOpen: () => true } })).next).toEqual({ inMs: HOUR / 2 })
    },
  )

  it('is as old as its sending, or where that is not known, as its record', async () => {
    const ages: number[] = []
    const kind: Partial<Kind> = {
      pauseMs: (_, row, ageMs) => {
        expect(NOW - (row.sentAt?.getTime() ?? 0)).toBe(ageMs)
        ages.push(ageMs)
        return 7_000
      },
    }
    expect((await poll({ kind })).next).toEqual({ inMs: 7_000 })
    await poll({ kind, row: { sentAt: null } })
    expect(ages).toEqual([60 * MINUTE, 61 * MINUTE])
  })

  it.each([
    [1_000, 2_000],
    [MINUTE, MINUTE / 2],
    [10 * HOUR, HOUR],
  ])('%d ms ago is looked at again after %d ms', async (ageMs, inMs) => {
    expect((await poll({ row: { sentAt: new Date(NOW - ageMs) } })).next).toEqual({ inMs })
  })

  it('a day ago is not looked at again, unless its kind can still be read, or the clock was set', async () => {
    const row = { sentAt: new Date(NOW - 24 * HOUR) }
    expect((await poll({ row })).next).toEqual(END)
    expect((await poll({ row, kind: { endures: () => false } })).next).toEqual(END)
    expect((await poll({ row, kind: { endures: () => true } })).next).toEqual({ inMs: HOUR })
    expect((await poll({ row, steady: false })).next).toEqual({ inMs: HOUR })
    expect((await poll({ row: { sentAt: new Date(NOW - 24 * HOUR + 1) } })).next).toEqual({ inMs: HOUR })
  })

  it('is told to operators an hour after it was sent, or after it should have ended', async () => {
    const since = new Date(NOW - HOUR).toISOString()
    const text = `one is unknown since ${since}. Two operators can decide it: /admin unknown`
    expect((await poll()).alerts).toMatchObject([{ kind: 'withdrawal-unknown', about: 'one', text }])
    expect((await poll({ row: { sentAt: new Date(NOW - HOUR + 1) } })).alerts).toEqual([])
    const dueAt = (ms: number) => ({ dueAt: () => new Date(NOW - ms) })
    expect((await poll({ kind: dueAt(HOUR - 1) })).alerts).toEqual([])
    expect((await poll({ kind: dueAt(HOUR) })).alerts).toHaveLength(1)
  })
})

describe('a provider that is read', () => {
  const saying = (outcome: Outcome) => ({ read: async () => said(outcome) })

  it('and knows its end has ended it: nobody is told, and it is not looked at again', async () => {
    const { next, alerts, commits } = await poll({ kind: saying({ kind: 'failed', because: 'failed', reason: null }) })
    expect({ next, alerts, commits: commits.length }).toEqual({ next: END, alerts: [], commits: 1 })
  })

  it('and has it open is asked again when its kind says so, or at the usual pace', async () => {
    const open = saying({ kind: 'open' })
    const next = async (nextAfter: Kind['nextAfter']) =>
      (await poll({ kind: { ...open, nextAfter } as Partial<Kind> })).next
    expect(await next(() => ({ inMs: 5_000 }))).toEqual({ inMs: 5_000 })
    expect(await next(() => undefined)).toEqual({ inMs: HOUR / 2 })
    expect(await next(undefined)).toEqual(END)
  })

  const throwing = (error: Error) => ({ read: () => Promise.reject(error) })
  const refused = (status: number) =>
    new PaymentsError({ kind: 'refused', operation: 'retrievePayment', message: 'No.', status })

  it.each<[string, PaymentsError, object]>([
    [
      'is away',
      new PaymentsError({ kind: 'unreachable', operation: 'retrievePayment', message: 'Away.' }),
      { unread: true },
    ],
    ['does not know our key', refused(401), { unread: true }],
    ['does not know it', refused(404), {}],
  ])('and %s has shown nothing; only an answer counts', async (_, error, also) => {
    expect((await poll({ kind: throwing(error) })).next).toEqual({ inMs: HOUR / 2, ...also })
  })

  it('is not asked about what was made at another one: operators are told', async () => {
    const kind = { read: () => Promise.reject(new Error('asked')) }
    const { next, alerts } = await poll({ kind, row: { provider: 'https://another.test#key', sentAt: new Date(NOW) } })
    expect(next).toEqual({ inMs: 2_000 })
    expect(alerts).toMatchObject([{ kind: 'provider-left', about: 'https://another.test' }])
  })

  it('by mistaken code of ours is no news of it: the mistake is thrown on', async () => {
    await expect(poll({ kind: throwing(new TypeError('a mistake of ours')) })).rejects.toThrow('a mistake of ours')
  })
})
