import { describe, expect, it } from 'vitest'
import { msats } from '../../src/lib/money/amount.ts'
import { PaymentsError } from '../../src/payments-api/payments-api.ts'
import type {
  Outcome,
  OutgoingContext,
  OutgoingKind,
  OutgoingRow,
  ProviderAnswer,
} from '../../src/tipping/engine/outgoing/outgoing.ts'
import { pollOutgoing } from '../../src/tipping/engine/outgoing/poll-outgoing.ts'
import type { PollJob } from '../../src/tipping/generated/client.ts'
import { scriptedOwnership } from '../support/scripted-ownership.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.UTC(2030, 0, 10)

type Kind = OutgoingKind<OutgoingRow, object, object, object>

/** The row of a payment that was sent an hour ago, a minute after its reservation. */
const ROW: OutgoingRow = {
  ...{ id: 'one', member: 'alice', state: 'unknown', card: null, reason: null, key: 'key', process: 'process' },
  ...{ provider: 'https://provider.test#key', replays: true },
  ...{ createdAt: new Date(NOW - 61 * MINUTE), sentAt: new Date(NOW - 60 * MINUTE) },
}

/**
 * Returns a pause that begins after the first check: nothing is paused then, and payments are paused from the second
 * check on.
 */
function pausedFromTheSecondLookOn() {
  let looks = 0
  return async () => {
    looks += 1
    return looks > 1 ? { reason: 'a look' } : undefined
  }
}

const JOB = { id: 'one', kind: 'withdrawal' } as PollJob
const END = { inMs: null }

interface Doing {
  readonly row?: Partial<OutgoingRow> | null
  readonly kind?: Partial<Kind>
  readonly steady?: boolean
  /** The rest of the engine's context. */
  readonly context?: object
  /** Whether the row is found when it is read once more, right before its key is sent again. */
  readonly foundAgain?: (where: object) => boolean
}

/** Polls a row once, at a provider that reports nothing new unless the kind is given a reading. */
async function poll({ row, kind, steady = true, context: also, foundAgain = () => true }: Doing = {}) {
  const commits: unknown[] = []
  const updates: object[] = []
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
    clockWatch: { isSteady: () => steady, now: () => NOW, mostSince: (at: Date) => NOW - at.getTime() },
    ...{ logger: { error: () => undefined }, outgoingSwitch: { pausedIn: async () => undefined } },
    ...{ replaysKeys: () => true, stillReplays: async () => true, outgoingKinds: [] },
    poller: { wake: async () => undefined },
    activity: { closed: false },
    ownership: scriptedOwnership(),
    commit: async ({ write }: { write: (client: object) => Promise<unknown> }) => {
      commits.push(write)
      return await write(tx)
    },
    ...also,
  } as unknown as OutgoingContext
  const some: Kind = {
    ...({ name: 'withdrawal', amountOf: () => msats(1n), remoteIdOf: () => 'remote' } as unknown as Kind),
    table: () => {
      const findFirst = async ({ where }: { where: object }) =>
        row === null || ('replays' in where && !foundAgain(where)) ? null : { ...ROW, ...row }
      const updateMany = async (update: object) => {
        updates.push(update)
        return { count: 1 }
      }
      return { findFirst, updateMany } as never
    },
    reservedOf: () => msats(0n),
    failed: () => ({ data: { state: 'returned' } }),
    open: () => ({ data: { state: 'unknown' } }),
    read: async () => said({ kind: 'unknown', evidence: 'nobody knows' }),
    inDoubt: ({ id }, since) => `${id} is unknown since ${since}`,
    ...kind,
  }
  return { next: await pollOutgoing(context, some, JOB), alerts, commits, updates }
}

function said(outcome: Outcome): ProviderAnswer {
  return { amount: msats(1n), remoteId: 'remote', outcome }
}

describe('a sent operation', () => {
  it('is not polled again if its record is gone', async () => {
    expect((await poll({ row: null })).next).toEqual(END)
  })

  it.each(['reserved', 'sending'])(
    'is polled again soon in state “%s”, as its worker may yet record the outcome',
    async (state) => {
      expect((await poll({ row: { state } })).next).toEqual({ inMs: 2_000 })
    },
  )

  it.each(['paid', 'returned'])(
    'is not polled again in state “%s”, unless its kind treats that state as open',
    async (state) => {
      expect((await poll({ row: { state } })).next).toEqual(END)
      expect((await poll({ row: { state }, kind: { isOpen: () => false } })).next).toEqual(END)
      expect((await poll({ row: { state }, kind: { isOpen: () => true } })).next).toEqual({ inMs: HOUR / 2 })
    },
  )

  it('has its age counted from when it was sent or, if that is unknown, recorded', async () => {
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
  ])('if it was sent %d ms ago, is polled again after another %d ms', async (ageMs, inMs) => {
    expect((await poll({ row: { sentAt: new Date(NOW - ageMs) } })).next).toEqual({ inMs })
  })

  it('is not polled after a day unless its record can be read or the clock has changed', async () => {
    const row = { sentAt: new Date(NOW - 24 * HOUR) }
    expect((await poll({ row })).next).toEqual(END)
    expect((await poll({ row, kind: { endures: () => false } })).next).toEqual(END)
    expect((await poll({ row, kind: { endures: () => true } })).next).toEqual({ inMs: HOUR })
    expect((await poll({ row, steady: false })).next).toEqual({ inMs: HOUR })
    expect((await poll({ row: { sentAt: new Date(NOW - 24 * HOUR + 1) } })).next).toEqual({ inMs: HOUR })
  })

  it('is reported an hour after it was sent, or an hour after it should have ended', async () => {
    const since = new Date(NOW - HOUR).toISOString()
    const text = `one is unknown since ${since}. Two operators can decide it: /admin unknown`
    expect((await poll()).alerts).toMatchObject([{ kind: 'withdrawal-unknown', about: 'one', text }])
    expect((await poll({ row: { sentAt: new Date(NOW - HOUR + 1) } })).alerts).toEqual([])
    const dueAt = (ms: number) => ({ dueAt: () => new Date(NOW - ms) })
    expect((await poll({ kind: dueAt(HOUR - 1) })).alerts).toEqual([])
    expect((await poll({ kind: dueAt(HOUR) })).alerts).toHaveLength(1)
  })
})

describe('the provider’s record of an operation', () => {
  const saying = (outcome: Outcome) => ({ read: async () => said(outcome) })

  it('ends the operation, without an alert or another poll, if it shows an outcome', async () => {
    const { next, alerts, commits } = await poll({ kind: saying({ kind: 'failed', because: 'failed', reason: null }) })
    expect({ next, alerts, commits: commits.length }).toEqual({ next: END, alerts: [], commits: 1 })
  })

  it('is read again at the pace for the operation’s kind while it shows no outcome', async () => {
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
      'is unreachable',
      new PaymentsError({ kind: 'unreachable', operation: 'retrievePayment', message: 'Away.' }),
      { unread: true },
    ],
    ['does not accept the key', refused(401), { unread: true }],
    ['does not know the operation', refused(404), {}],
  ])('does not end the operation if the provider %s', async (_, error, also) => {
    expect((await poll({ kind: throwing(error) })).next).toEqual({ inMs: HOUR / 2, ...also })
  })

  it('is not read at a different provider, and operators are alerted', async () => {
    const kind = { read: () => Promise.reject(new Error('asked')) }
    const { next, alerts } = await poll({ kind, row: { provider: 'https://another.test#key', sentAt: new Date(NOW) } })
    expect(next).toEqual({ inMs: 2_000 })
    expect(alerts).toMatchObject([{ kind: 'provider-left', about: 'https://another.test' }])
  })

  it('does not end the operation if the bot’s code throws, and the error is rethrown', async () => {
    await expect(poll({ kind: throwing(new TypeError('a mistake of ours')) })).rejects.toThrow('a mistake of ours')
  })
})

describe('the replay of an operation under its key', () => {
  const row = { sentAt: new Date(NOW - MINUTE), reason: 'lost' }
  const pace = { inMs: MINUTE / 2 }

  /** Polls a row; the sending of its key again meets this answer or error. */
  async function replay(answer: ProviderAnswer | Error, { kind, context, foundAgain }: Doing = {}) {
    const sent: unknown[] = []
    const request: Kind['request'] = async (_, { key }, body) => {
      sent.push({ key, body })
      if (answer instanceof Error) throw answer
      return answer
    }
    const replayed: Partial<Kind> = {
      ...{ remoteIdOf: () => null, storedBody: () => ({ amount: '1' }), dueToTheFirst: ['own_fault'], request },
      ...kind,
    }
    const again = { ...(context && { context }), ...(foundAgain && { foundAgain }) }
    return { ...(await poll({ row, kind: replayed, ...again })), sent }
  }

  const OVER = said({ kind: 'failed', because: 'failed', reason: null })
  const away = new PaymentsError({ kind: 'unreachable', operation: 'sendPayment', message: 'Away.' })
  const saying = (some: object) =>
    new PaymentsError({ kind: 'refused', operation: 'sendPayment', message: 'No.', status: 400, ...some })

  it('sends the stored request, and its answer ends the operation', async () => {
    const { next, sent } = await replay(OVER)
    expect(next).toEqual(END)
    expect(sent).toEqual([{ key: 'key', body: { amount: '1' } }])
    expect(
      (await replay(OVER, { kind: { read: undefined, remoteIdOf: () => 'remote' } as Partial<Kind> })).next,
    ).toEqual(END)
  })

  it('does not end the operation if the answer shows no outcome', async () => {
    expect((await replay(said({ kind: 'unknown', evidence: 'on its way' }))).next).toEqual(pace)
  })

  it.each<[string, Doing]>([
    ['outgoing payments are paused', { context: { outgoingSwitch: { pausedIn: async () => ({ reason: 'a look' }) } } }],
    ['the provider is not known to replay keys', { context: { replaysKeys: () => false } }],
    ['its request was not stored', { kind: { storedBody: () => undefined } }],
    // While the provider was asked whether it remembers its keys:
    ['another bot has changed the record meanwhile', { foundAgain: () => false }],
    [
      'this bot was frozen, and another one has replaced it',
      { context: { ownership: scriptedOwnership({ isLive: () => false }) } },
    ],
    [
      'operators have paused payments meanwhile',
      { context: { outgoingSwitch: { pausedIn: pausedFromTheSecondLookOn() } } },
    ],
  ])('does not happen if %s', async (_, doing) => {
    const { next, sent } = await replay(OVER, doing)
    expect({ next, sent }).toEqual({ next: pace, sent: [] })
  })

  it('happens only if the record is read once more and its state is still unknown', async () => {
    const looked: object[] = []
    const foundAgain = (where: object) => looked.push(where) > 0
    await replay(OVER, { foundAgain })
    expect(looked).toEqual([{ id: 'one', state: 'unknown', replays: true }])
  })

  it('waits, and does not count as a poll, if the provider’s memory cannot be checked', async () => {
    const { next, sent } = await replay(OVER, { context: { stillReplays: () => Promise.reject(away) } })
    expect({ next, sent }).toEqual({ next: { ...pace, unread: true }, sent: [] })
  })

  it('happens even during a pause if it brings sats in', async () => {
    const context = { outgoingSwitch: { pausedIn: async () => ({ reason: 'a look' }) } }
    expect((await replay(OVER, { context, kind: { comesIn: true } })).next).toEqual(END)
  })

  it.each<[string, object, boolean]>([
    ['a replayed refusal', { replayed: true, code: 'gone' }, true],
    ['a new refusal', { code: 'gone' }, false],
    ['a refusal without a code', { replayed: true }, false],
    ['a refusal that the first attempt may have caused', { replayed: true, code: 'own_fault' }, false],
    ['a replayed failure', { replayed: true, code: 'gone', kind: 'unknown' }, false],
  ])('is judged by its answer: %s', async (_, some, proves) => {
    const { next, updates } = await replay(saying(some))
    if (proves) expect([next, updates.length]).toEqual([END, 1])
    else expect(updates).toEqual([{ where: { id: 'one', state: 'unknown' }, data: { reason: 'No.' } }])
  })

  it('ends the operation as refused, or as the operation’s kind interprets the refusal', async () => {
    const read: Outcome[] = []
    const failed: Kind['failed'] = (_, __, outcome) => {
      read.push(outcome)
      return { data: {} }
    }
    const busy = saying({ replayed: true, code: 'gone', status: 503 })
    await replay(busy, { kind: { failed } })
    const over = { kind: 'failed', because: 'over', reason: null } as const
    await replay(busy, { kind: { failed, failureOf: () => over } })
    expect(read).toEqual([{ kind: 'failed', because: 'refused', reason: 'No.' }, over])
  })

  it('stores an error once, and counts as a poll if the error is an answer', async () => {
    expect((await replay(saying({}))).next).toEqual(pace)
    expect((await replay(saying({ message: 'lost' }))).updates).toEqual([])
    expect((await replay(away)).next).toEqual({ ...pace, unread: true })
    await expect(replay(new TypeError('a mistake of ours'))).rejects.toThrow('a mistake of ours')
  })
})
