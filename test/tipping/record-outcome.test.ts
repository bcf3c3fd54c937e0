import { beforeEach, describe, expect, it } from 'vitest'
import { type Msats, msats } from '../../src/lib/money/amount.ts'
import { WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import { Overtaken } from '../../src/tipping/core/commit-end.ts'
import type { Tx } from '../../src/tipping/core/database.ts'
import type {
  Outcome,
  OutcomeRecord,
  OutgoingContext,
  OutgoingKind,
  OutgoingRow,
} from '../../src/tipping/engine/outgoing/outgoing.ts'
import { changeForOutcome } from '../../src/tipping/engine/outgoing/record-outcome.ts'

const NOW = Date.UTC(2030, 0, 10)
const SENT_AT = new Date(NOW - 60_000)
const ALICE = { kind: 'member', owner: 'alice' }
const HELD = { kind: 'held', owner: 'alice' }

type Kind = OutgoingKind<OutgoingRow, object, object, object>

const FAILED: Outcome = { kind: 'failed', because: 'refused', reason: null }
const UNKNOWN: Outcome = { kind: 'unknown', evidence: 'lost', remoteId: null }
const PAID: Outcome = { kind: 'paid' }
const OPEN: Outcome = { kind: 'open' }

/** The row as the book has it. */
let row: { -readonly [Column in keyof OutgoingRow]: OutgoingRow[Column] }
let raised: string[]
let jobs: { id: string; kind: string; bornAt: Date; nextAt: Date }[]

beforeEach(() => {
  row = {
    ...{ id: 'one', member: 'alice', state: 'sending', card: 'card', reason: null, key: 'key', process: 'us' },
    ...{ provider: 'provider', replays: true, sentAt: SENT_AT, createdAt: new Date(NOW - 120_000) },
  }
  raised = []
  jobs = []
})

/** Records an outcome of the row as this process last read it; resolves to the entries. */
async function record(outcome: Outcome, some: Partial<Kind> = {}, known: Partial<OutgoingRow> = {}) {
  const kind = {
    name: 'withdrawal',
    reservedOf: () => msats(7n),
    failed: () => ({ data: { state: 'returned' } }),
    paid: () => ({ data: { state: 'paid' } }),
    open: () => ({ data: { state: 'open' } }),
    table: () => ({
      findFirst: async ({ where }: { where: { state: { in: string[] }; process?: string } }) =>
        where.state.in.includes(row.state) && (where.process ?? row.process) === row.process ? { ...row } : null,
      updateMany: async ({ data }: { data: Partial<OutgoingRow> }) => void Object.assign(row, data),
    }),
    ...some,
  } as unknown as Kind
  const context = {
    clock: { now: () => NOW },
    cards: { raise: async (_: Tx, cards: string[]) => void raised.push(...cards) },
  } as unknown as OutgoingContext
  const upsert = async ({ create }: { create: (typeof jobs)[number] }) => void jobs.push(create)
  const { entries, write } = changeForOutcome(context, kind, { ...row, ...known }, outcome)
  await write({ pollJob: { upsert } } as unknown as Tx)
  return entries
}

describe('the outcome of a payment', () => {
  const STATES = ['reserved', 'sending', 'unknown', 'open', 'paid', 'returned']

  it.each<[Outcome, string[]]>([
    [UNKNOWN, ['sending', 'unknown']],
    [FAILED, ['reserved', 'sending', 'unknown', 'open']],
    [PAID, ['sending', 'unknown', 'open']],
    [OPEN, ['sending', 'unknown', 'open']],
  ])('is recorded only if the payment’s state permits it: %j', async (outcome, from) => {
    const recorded: string[] = []
    for (const state of STATES) {
      row.state = state
      const written = await record(outcome, { openStates: ['open'] }).catch((error: unknown) => error)
      if (written instanceof Overtaken) expect(row.state).toBe(state)
      else recorded.push(state)
    }
    expect(recorded).toEqual(from)
  })

  it('is not recorded in a state that the payment’s kind does not treat as open', async () => {
    row.state = 'open'
    await expect(record(PAID)).rejects.toThrow(Overtaken)
  })

  it('is recorded as failed only by the payment’s process, but as paid by any process', async () => {
    await expect(record(FAILED, {}, { process: 'another' })).rejects.toThrow(Overtaken)
    await record(PAID, {}, { process: 'another' })
    expect(row.state).toBe('paid')
  })
})

describe('the bookings for an outcome', () => {
  const move = (amount: bigint) => ({ from: HELD, to: WALLET, amount: msats(amount) }) as never

  it('return the reserve if the payment failed', async () => {
    expect(await record(FAILED)).toEqual([
      { operation: 'one', step: 'void', moves: [{ from: HELD, to: ALICE, amount: 7n as Msats }] },
    ])
  })

  it('are made by the payment’s kind, in the step `post` or one that the kind names', async () => {
    const paid = (some: Partial<OutcomeRecord<OutgoingRow>>) => ({ paid: () => ({ data: {}, ...some }) })
    expect(await record(PAID, paid({ moves: [move(5n), move(0n)] }))).toEqual([
      { operation: 'one', step: 'post', moves: [move(5n)] },
    ])
    expect(await record(PAID, paid({ moves: [move(5n)], step: 'fee' }))).toMatchObject([{ step: 'fee' }])
    expect(await record(PAID, paid({ moves: [move(0n)] }))).toEqual([])
    expect(await record(UNKNOWN)).toEqual([])
  })

  it('are refused for the outcome “open” if the payment’s kind has no such outcome', async () => {
    await expect(record(OPEN, { open: undefined } as unknown as Kind)).rejects.toThrow(
      'a withdrawal cannot have the outcome "open"',
    )
  })
})

describe('the next poll after an outcome', () => {
  const job = { id: 'one', kind: 'withdrawal', nextAt: new Date(NOW + 2_000) }

  it('comes 2 seconds after an unknown outcome, with the age counted from the sending', async () => {
    await record(UNKNOWN)
    row.sentAt = null
    await record(UNKNOWN)
    expect(jobs).toMatchObject([
      { ...job, bornAt: SENT_AT },
      { ...job, bornAt: new Date(NOW) },
    ])
    expect(row).toMatchObject({ state: 'unknown', reason: 'lost' })
  })

  it('is not scheduled if the outcome is final', async () => {
    await record(FAILED)
    row.state = 'sending'
    await record(PAID)
    await record(FAILED, { openStates: ['paid'], nextAfter: () => undefined })
    expect(jobs).toEqual([])
  })

  it('is scheduled even after a payment if the kind defines further polls', async () => {
    await record(PAID, { nextAfter: () => ({ inMs: 60_000 }) })
    row.state = 'sending'
    await record(PAID, { nextAfter: () => undefined })
    expect(jobs).toMatchObject([job, job])
  })
})

describe('the card of an outcome', () => {
  it('is redrawn only if there is something new to see', async () => {
    await record(UNKNOWN)
    expect(raised).toEqual(['card'])
    await record(UNKNOWN)
    expect(raised).toEqual(['card'])
    await record(PAID, { paid: () => ({ data: { reason: null } }) })
    expect(raised).toEqual(['card'])
    await record(PAID, { paid: () => ({ data: { fee: 1n } as Partial<OutgoingRow> }) })
    expect(raised).toEqual(['card', 'card'])
  })

  it('is not redrawn if people see no difference, or if there is no card', async () => {
    await record(PAID, { paid: () => ({ data: { state: 'paid' }, untold: true }) })
    row = { ...row, state: 'sending', card: null }
    await record(PAID)
    expect(raised).toEqual([])
  })
})

it('other writes for an outcome are part of the same transaction', async () => {
  const written: string[] = []
  const write = async () => void written.push('also')
  await record(PAID, { paid: () => ({ data: {}, write }), unknown: () => ({ key: 'another' }) })
  await record(UNKNOWN, { unknown: () => ({ key: 'another' }) })
  expect(written).toEqual(['also'])
  expect(row.key).toBe('another')
})
