import { describe, expect, it } from 'vitest'
import type { Entropy } from '../../src/lib/entropy.ts'
import { msats } from '../../src/lib/money/amount.ts'
import type { TippingOwnership } from '../../src/tipping/core/ownership.ts'
import type { OutgoingContext } from '../../src/tipping/engine/outgoing/outgoing.ts'
import { feeMoves } from '../../src/tipping/engine/outgoing/record-outcome.ts'
import { PAYOUT_DECISIONS } from '../../src/tipping/engine/payouts/payout-decisions.ts'
import { PAYOUTS } from '../../src/tipping/engine/payouts/payout-kind.ts'
import { type PayoutShown, showPayout } from '../../src/tipping/engine/payouts/payout-shown.ts'
import { reservePayout } from '../../src/tipping/engine/payouts/reserve-payout.ts'
import type { Decision, Payout } from '../../src/tipping/generated/client.ts'
import { scriptedOwnership } from '../support/scripted-ownership.ts'

const HOUR = 3_600_000

const rowWith = (some: Partial<Payout>) => some as Payout

describe('a payout with an unknown outcome', () => {
  it('keeps its known transaction if an answer names none', () => {
    expect(PAYOUTS.unknown?.({ kind: 'unknown', evidence: 'lost' })).toEqual({})
    expect(PAYOUTS.unknown?.({ kind: 'unknown', evidence: 'lost', remoteId: null })).toEqual({})
    expect(PAYOUTS.unknown?.({ kind: 'unknown', evidence: 'lost', remoteId: 'one' })).toEqual({ transactionId: 'one' })
  })

  it('is polled at intervals of half its age, up to an hour (or a day if readable)', () => {
    const pauseMs = (transactionId: string | null, ageMs: number) =>
      PAYOUTS.pauseMs?.({} as OutgoingContext, rowWith({ transactionId }), ageMs)
    expect([pauseMs(null, HOUR), pauseMs('one', HOUR)]).toEqual([HOUR / 2, HOUR / 2])
    expect([pauseMs(null, 30 * HOUR), pauseMs('one', 30 * HOUR)]).toEqual([HOUR, 15 * HOUR])
    expect([pauseMs(null, 90 * HOUR), pauseMs('one', 90 * HOUR)]).toEqual([HOUR, 24 * HOUR])
  })

  it('can be resolved even with a key that is too old, if its transaction is readable', () => {
    expect(PAYOUTS.endures?.(rowWith({ transactionId: null }))).toBe(false)
    expect(PAYOUTS.endures?.(rowWith({ transactionId: 'one' }))).toBe(true)
  })

  it('cannot be sent again if its request was not stored', () => {
    expect(PAYOUTS.storedBody(rowWith({ body: null }))).toBeUndefined()
    expect(PAYOUTS.storedBody(rowWith({ body: '{"amount":"1"}' }))).toEqual({ amount: '1' })
  })
})

it.each([
  [0n, [0n, 10n, 0n]],
  [4n, [4n, 6n, 0n]],
  [10n, [10n, 0n, 0n]],
  [13n, [10n, 0n, 3n]],
])('the member pays a fee of %d msats up to a limit of 10, and the operator the rest', (fee, amounts) => {
  const moves = feeMoves({ member: 'alice', feeLimit: 10n }, msats(fee))
  expect(moves.map(({ amount }) => amount)).toEqual(amounts)
})

it('the outcome of a payout, decided by two operators, can be read and corrected', () => {
  const { endOf, isUnknown, unknown, particulars, misplaced, corrected, toTheWallet } = PAYOUT_DECISIONS
  const context = {} as OutgoingContext
  const states = ['reserved', 'sending', 'unknown', 'paid', 'kept', 'misdirected']
  expect(states.map((state) => endOf(rowWith({ state })))).toEqual([
    ...[undefined, undefined, undefined],
    ...['paid', 'failed', undefined],
  ])
  expect(states.filter((state) => isUnknown(context, rowWith({ state })))).toEqual(['unknown'])
  expect(unknown(context)).toEqual({ state: 'unknown' })
  const [createdAt, sentAt] = [new Date(1), new Date(2)]
  const known = { amount: 5n, lightningId: 'bob', createdAt }
  expect(particulars(rowWith({ ...known, sentAt, transactionId: 'one' }))).toEqual({
    ...{ amount: 5n, to: 'bob', since: sentAt, remoteId: 'one' },
  })
  expect(particulars(rowWith({ ...known, sentAt: null, transactionId: null }))).toEqual({
    ...{ amount: 5n, to: 'bob', since: createdAt, remoteId: undefined },
  })
  expect([misplaced(rowWith(known), {} as Decision), toTheWallet]).toEqual([5n, 'failed'])
  const correctedTo = (outcome: string) => corrected(rowWith(known), { outcome } as Decision, 'seen at the node')
  expect(correctedTo('failed')).toEqual({ state: 'kept', because: 'refused', reason: 'seen at the node' })
  expect(correctedTo('paid')).toEqual({ state: 'paid', because: null, reason: null })
})

it.each<[Partial<Payout> | undefined, PayoutShown]>([
  [undefined, { state: 'credited' }],
  [{ state: 'reserved' }, { state: 'sending' }],
  [{ state: 'sending' }, { state: 'sending' }],
  [{ state: 'unknown', reason: 'lost' }, { state: 'unknown' }],
  [
    { state: 'paid', id: 'one' },
    { state: 'paid', payout: 'one' },
  ],
  [{ state: 'misdirected' }, { state: 'kept', because: 'misdirected' }],
  [
    { state: 'kept', because: 'refused', reason: 'No.' },
    { state: 'kept', because: 'refused', reason: 'No.' },
  ],
  [
    { state: 'kept', because: 'paused', reason: null },
    { state: 'kept', because: 'paused' },
  ],
])('a payout with the record %j is shown as %j', (payout, shown) => {
  const seen = showPayout(payout && rowWith(payout))
  expect(seen).toEqual(shown)
  // What is not known is left out, and not empty.
  expect(JSON.stringify(seen)).toBe(JSON.stringify(shown))
})

it('a reserved payout has its process, a key, and a description that fits an invoice', () => {
  const entropy = { uuid: () => 'one' } as Entropy
  const ownership = scriptedOwnership() as TippingOwnership
  const link = { member: 'bob', lightningId: 'bobs', gamertag: 'bob-tag', frozen: false }
  const at = new Date(0)
  const reserve = (description: string) =>
    reservePayout({ entropy, ownership }, { cause: 'share', card: 'card', link, amount: msats(5n), description, at })
  expect(reserve('thanks')).toEqual({
    id: 'one',
    entry: {
      ...{ operation: 'one', step: 'reserve' },
      moves: [{ from: { kind: 'member', owner: 'bob' }, to: { kind: 'held', owner: 'bob' }, amount: 5n }],
    },
    operation: {
      table: 'Operation',
      values: {
        ...{ id: 'one', verb: 'payout', record: 'share', createdAt: at },
        ...{ interaction: null, ordinal: 0, digest: '' },
      },
    },
    row: {
      table: 'Payout',
      values: {
        ...{ id: 'one', cause: 'share', card: 'card', member: 'bob', lightningId: 'bobs', amount: 5n },
        ...{ description: 'thanks', state: 'reserved', process: 'us', key: 'payout-one', createdAt: at },
      },
    },
  })
  const descriptionOf = (text: string) => reserve(text).row.values.description
  expect(descriptionOf('a'.repeat(639))).toBe('a'.repeat(639))
  expect(descriptionOf('a'.repeat(640))).toBe('a'.repeat(639))
  expect(descriptionOf(`${'a'.repeat(638)}é!`)).toBe('a'.repeat(638))
  expect(descriptionOf('a\0b\ud800c')).toBe('ab\ufffdc')
})
