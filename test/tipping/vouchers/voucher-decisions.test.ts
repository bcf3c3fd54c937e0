import { describe, expect, it } from 'vitest'
import type { OutgoingContext } from '../../../src/tipping/engine/outgoing/outgoing.ts'
import type { Decision, Redemption, Voucher } from '../../../src/tipping/generated/client.ts'
import {
  REDEMPTION_DECISIONS,
  REVOCATION_DECISIONS,
  VOUCHER_DECISIONS,
} from '../../../src/tipping/vouchers/voucher-decisions.ts'
import { ManualClock } from '../../support/manual-clock.ts'

const clock = new ManualClock()
const context = { clock, payments: { provider: 'http://here#key' } } as unknown as OutgoingContext
const voucherWith = (some: Partial<Voucher>) => some as Voucher
const redemptionWith = (some: Partial<Redemption>) => some as Redemption
const decisionOf = (outcome: string, amount: bigint | null = null) => ({ outcome, amount }) as Decision

const STATES = ['reserved', 'sending', 'unknown', 'live', 'failed', 'redeemed', 'revoked']
const WORDS = 'seen at the node'

describe('a decision about the creation of a voucher', () => {
  const { endOf, isUnknown, unknown, concerns, particulars, corrected, misplaced } = VOUCHER_DECISIONS

  it('is possible only if the outcome of the creation is unknown', () => {
    expect(unknown(context)).toEqual({ state: 'unknown' })
    expect(STATES.filter((state) => isUnknown(context, voucherWith({ state })))).toEqual(['unknown'])
    expect(STATES.filter((state) => concerns?.(voucherWith({ state })))).toEqual([
      ...['reserved', 'sending', 'unknown', 'failed'],
    ])
  })

  it('is “paid” if the failed voucher has cost a fee, and otherwise “failed”', () => {
    const ends = (fee: bigint | null) => STATES.map((state) => endOf(voucherWith({ state, fee })))
    expect(ends(null)).toEqual([undefined, undefined, undefined, undefined, 'failed', undefined, undefined])
    expect(ends(1n)).toEqual([undefined, undefined, undefined, undefined, 'paid', undefined, undefined])
  })

  it('is shown with the amount, the starting time, and the provider’s id', () => {
    const [createdAt, sentAt, revokeAskedAt] = [new Date(1), new Date(2), new Date(3)]
    const told = (some: Partial<Voucher>) =>
      particulars(voucherWith({ amount: 5n, createdAt, sentAt: null, revokeAskedAt: null, voucherId: null, ...some }))
    expect(told({})).toStrictEqual({ amount: 5n, to: '', since: createdAt, remoteId: undefined })
    expect(told({ sentAt, voucherId: 'remote' })).toMatchObject({ since: sentAt, remoteId: 'remote' })
    expect(told({ sentAt, revokeAskedAt })).toMatchObject({ since: revokeAskedAt })
    expect(told({ revokeAskedAt })).toMatchObject({ since: revokeAskedAt })
  })

  it('stores the operators’ reason, and the fee limit as the fee if a code was made', () => {
    const row = voucherWith({ amount: 5n, feeLimit: 2n, state: 'failed' })
    expect(corrected(row, decisionOf('failed'), WORDS)).toEqual({ reason: WORDS, fee: null })
    expect(corrected(row, decisionOf('paid'), WORDS)).toEqual({ reason: WORDS, fee: 2n })
    expect(misplaced(row, decisionOf('failed'))).toBe(7n)
  })
})

describe('a decision about an existing voucher', () => {
  const { endOf, isUnknown, unknown, concerns } = REVOCATION_DECISIONS

  it('is possible only while the voucher is being revoked, or is at another provider', () => {
    expect(unknown(context)).toEqual({
      state: 'live',
      OR: [{ revoking: true }, { NOT: { provider: { startsWith: 'http://here#' } } }],
    })
    expect(STATES.filter((state) => concerns?.(voucherWith({ state })))).toEqual(['live', 'redeemed', 'revoked'])
    const unknownOf = (row: Partial<Voucher>) =>
      STATES.filter((state) => isUnknown(context, voucherWith({ ...row, state })))
    expect(unknownOf({ revoking: true, provider: 'http://here#other' })).toEqual(['live'])
    expect(unknownOf({ revoking: false, provider: 'http://there#key' })).toEqual(['live'])
    expect(unknownOf({ revoking: false, provider: 'http://here#other' })).toEqual([])
  })

  it('has an outcome once the voucher is redeemed or revoked', () => {
    expect(STATES.map((state) => endOf(voucherWith({ state })))).toEqual([
      ...[undefined, undefined, undefined, undefined, undefined, 'paid', 'failed'],
    ])
  })
})

describe('a decision about the redemption of a code', () => {
  const { endOf, isUnknown, unknown, particulars, corrected, misplaced } = REDEMPTION_DECISIONS
  const states = ['sending', 'unknown', 'redeemed', 'wrong', 'over', 'failed']

  it('is possible only if the outcome is unknown', () => {
    expect(unknown(context)).toEqual({ state: 'unknown' })
    expect(states.filter((state) => isUnknown(context, redemptionWith({ state })))).toEqual(['unknown'])
    expect(states.map((state) => endOf(redemptionWith({ state })))).toEqual([
      ...[undefined, undefined, 'paid', undefined, undefined, 'failed'],
    ])
  })

  it('is shown with the code’s value, if known, and the redemption’s starting time', () => {
    const since = new Date(1)
    const shown = (amount: bigint | null) => particulars(redemptionWith({ amount, createdAt: since }))
    expect(shown(null)).toStrictEqual({ amount: undefined, to: '', since, remoteId: undefined })
    expect(shown(5n)).toStrictEqual({ amount: 5n, to: '', since, remoteId: undefined })
  })

  it('is corrected to the amount that the operators state', () => {
    const row = redemptionWith({ amount: 5n })
    expect(corrected(row, decisionOf('failed'), WORDS)).toEqual({ state: 'failed', reason: WORDS, amount: null })
    expect(corrected(row, decisionOf('paid', 7n), WORDS)).toEqual({ state: 'redeemed', reason: null, amount: 7n })
    expect([misplaced(row, decisionOf('paid', 7n)), misplaced(row, decisionOf('failed'))]).toEqual([7n, 5n])
  })
})

it('each kind of decision has its own words for the operation and both outcomes', () => {
  const told = [VOUCHER_DECISIONS, REVOCATION_DECISIONS, REDEMPTION_DECISIONS].map(({ name, noun, said }) => [
    ...[name, noun, said.paid, said.failed],
  ])
  expect(told).toEqual([
    ['voucher', 'creation of the voucher', 'made a code that nobody here knows', 'made no code'],
    ['revocation', 'voucher', 'was redeemed by somebody', 'was taken back'],
    ['redemption', 'redemption of a code', 'brought its sats', 'brought nothing'],
  ])
})

it('a wrong decision about a voucher is booked to the wallet or the operator', () => {
  const kinds = [VOUCHER_DECISIONS, REVOCATION_DECISIONS, REDEMPTION_DECISIONS]
  expect(kinds.map(({ toTheWallet, isOperators, amountIsSaid }) => [toTheWallet, isOperators, amountIsSaid])).toEqual([
    ['failed', true, undefined],
    ['failed', undefined, undefined],
    ['paid', undefined, true],
  ])
  const { corrected, misplaced } = REVOCATION_DECISIONS
  const row = voucherWith({ amount: 5n, feeLimit: 2n })
  expect(misplaced(row, decisionOf('paid'))).toBe(5n)
  expect(['paid', 'failed'].map((outcome) => corrected(row, decisionOf(outcome), WORDS))).toEqual([
    { state: 'redeemed' },
    { state: 'revoked' },
  ])
})
