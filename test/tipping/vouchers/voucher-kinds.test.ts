import { describe, expect, it } from 'vitest'
import type { Msats } from '../../../src/lib/money/amount.ts'
import { PaymentsError } from '../../../src/payments-api/payments-api.ts'
import type { FailedBecause, Outcome, OutgoingContext } from '../../../src/tipping/engine/outgoing/outgoing.ts'
import { END, inMs } from '../../../src/tipping/engine/polling/poller.ts'
import type { Redemption, Voucher } from '../../../src/tipping/generated/client.ts'
import { REDEMPTIONS } from '../../../src/tipping/vouchers/redemption-kind.ts'
import { VOUCHERS } from '../../../src/tipping/vouchers/voucher-kind.ts'
import { ManualClock } from '../../support/manual-clock.ts'

const clock = new ManualClock()
const context = { clock } as unknown as OutgoingContext
const voucherWith = (some: Partial<Voucher>) => some as Voucher
const redemptionWith = (some: Partial<Redemption>) => some as Redemption

const failed = (because: FailedBecause, reason: string | null = 'Not today.') =>
  ({ kind: 'failed', because, reason }) as const

type Made = Outcome<Parameters<typeof VOUCHERS.paid>[2]> & { readonly kind: 'paid' }

/** Returns the provider's answer that the voucher exists, and that wallets receive this much of it. */
function made(withdraw: bigint | null): Made {
  const offer = withdraw === null ? null : { amount: withdraw, request: 'lnurl' }
  return {
    kind: 'paid',
    made: { id: 'remote', code: 'CODE', amount: 500n, fee: 1n, withdraw: offer },
  } as unknown as Made
}

describe('a voucher that is being made', () => {
  it('is requested with its amount and text, and has no id before the answer', () => {
    const row = voucherWith({ amount: 500n, feeLimit: 5n, description: 'thanks' })
    expect(VOUCHERS.prepare(context, row)).toEqual({ amount: '500', description: 'thanks' })
    expect([VOUCHERS.amountOf(row), VOUCHERS.reservedOf(row)]).toEqual([500n, 505n])
    expect(VOUCHERS.remoteIdOf(context, row, {} as never)).toBeNull()
    expect([VOUCHERS.name, REDEMPTIONS.name, VOUCHERS.dueToTheFirst]).toEqual([
      ...['voucher', 'redemption', ['insufficient_funds']],
    ])
    const member = 'alice'
    const words = VOUCHERS.inDoubt(voucherWith({ id: 'one', amount: 500n, member, reason: 'lost' }), 'noon')
    expect(words).toMatch(/^the voucher one of 500 msats by alice may .* since noon: lost$/)
  })

  it('reserves its sats until it is live or failed; once it is sent, they may be gone', async () => {
    const rows = ['reserved', 'sending', 'unknown', 'live', 'failed'].map((state, at) => ({
      state,
      worth: 10n ** BigInt(at),
    }))
    const among = ({ where: { state } }: { where: { state: string | { in: string[] } } }) =>
      rows.filter((row) => (typeof state === 'string' ? row.state === state : state.in.includes(row.state)))
    const aggregate = async (query: Parameters<typeof among>[0]) => ({
      _sum: { amount: among(query).reduce((sum, { worth }) => sum + worth, 0n), feeLimit: null },
    })
    const read = {
      voucher: { aggregate, count: async (query: Parameters<typeof among>[0]) => among(query).length },
    } as never
    expect(await VOUCHERS.held(read)).toBe(111n)
    expect(await VOUCHERS.uncertain({ database: { read } } as never)).toEqual({
      ...{ mayHaveLeft: 110n, mayHaveArrived: 1_000n, open: 3 },
    })
  })

  it('is not requested if its revocation has been requested', async () => {
    const rows = [
      { id: 'wanted', revoking: false },
      { id: 'unwanted', revoking: true },
    ]
    const findFirst = async ({ where }: { where: { id?: string } }) =>
      rows.find(({ id }) => where.id === undefined || id === where.id) ?? null
    const tx = { voucher: { findFirst } } as never
    expect(await VOUCHERS.obstacle?.(tx, voucherWith({ id: 'unwanted' }))).toEqual(failed('called-off', null))
    expect(await VOUCHERS.obstacle?.(tx, voucherWith({ id: 'wanted' }))).toBeUndefined()
  })

  it('is requested again with its stored body, if it has one', () => {
    expect(VOUCHERS.storedBody(voucherWith({ body: null }))).toBeUndefined()
    const body = { amount: '5', description: '' }
    expect(VOUCHERS.storedBody(voucherWith({ body: JSON.stringify(body) }))).toEqual(body)
  })

  it('fails with the provider’s message, or without one during a pause', () => {
    const reasonOf = (because: FailedBecause) => VOUCHERS.failed(context, voucherWith({}), failed(because)).data.reason
    expect([reasonOf('refused'), reasonOf('paused')]).toEqual(['Not today.', null])
  })

  it('is polled soon after it has been made, but not after a failure', () => {
    const next = (outcome: Outcome) => VOUCHERS.nextAfter?.(outcome as never)
    expect(next(made(null))).toEqual(inMs(2_000))
    expect(next({ kind: 'paid', made: null, reason: 'seen' } as Outcome)).toEqual(END)
    expect(next(failed('refused'))).toEqual(END)
  })

  it.each([
    [null, false],
    [-1n, false],
    [0n, false],
    [1n, true],
    [500n, true],
    [501n, false],
  ])('can be claimed by wallets if it pays out 1 to 500 msats (%s: %s)', (amount, can) => {
    const row = voucherWith({ id: 'one', member: 'alice', amount: 500n, feeLimit: 5n, recipient: null })
    const { data } = VOUCHERS.paid(context, row, made(amount))
    expect(data).toMatchObject({ state: 'live', code: 'CODE' })
    expect('walletRequest' in data).toBe(can)
    expect(data.walletAmount).toBe(can ? amount : undefined)
  })
})

describe('a code that is being redeemed', () => {
  it('is sent in the request, and reserves no sats', () => {
    expect(REDEMPTIONS.prepare(context, redemptionWith({ code: 'CODE' }))).toEqual({ code: 'CODE' })
    expect(REDEMPTIONS.prepare(context, redemptionWith({ code: null }))).toEqual({ code: '' })
    expect(REDEMPTIONS.storedBody(redemptionWith({ code: 'CODE' }))).toEqual({ code: 'CODE' })
    expect(REDEMPTIONS.storedBody(redemptionWith({ code: null }))).toBeUndefined()
    expect(REDEMPTIONS.reservedOf(redemptionWith({ worth: 5n }))).toBe(0n)
  })

  it('has a known value if the bot made it', () => {
    expect(REDEMPTIONS.amountOf(redemptionWith({ worth: 5n as Msats }))).toBe(5n)
    expect(REDEMPTIONS.amountOf(redemptionWith({ worth: null }))).toBeUndefined()
  })

  it('has no id at the provider', () => {
    expect(REDEMPTIONS.remoteIdOf(context, redemptionWith({ code: 'CODE' }), {} as never)).toBeNull()
  })

  it.each([
    ['refused', 400, 'no_route', { because: 'refused', reason: '[no_route] No.' }],
    ['refused', 404, 'voucher_not_found', { because: 'wrong', reason: null }],
    ['refused', 503, 'nothing_sent', { because: 'unreachable', reason: null }],
    ['unreachable', undefined, undefined, { because: 'unreachable', reason: null }],
  ] as const)('fails with the right reason if the request is %s (%s, %s)', (kind, status, code, end) => {
    const error = new PaymentsError({ operation: 'redeemVoucher', message: 'No.', kind, status, code })
    expect(REDEMPTIONS.failureOf?.(error)).toMatchObject({ kind: 'failed', ...end })
  })

  it('has its failure shown on its card once the command no longer waits for it', () => {
    const isUntold = (state: string) => REDEMPTIONS.failed(context, redemptionWith({ state }), failed('wrong')).untold
    expect([isUntold('sending'), isUntold('unknown')]).toEqual([true, false])
  })
})
