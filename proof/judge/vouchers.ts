import type { BookWatch } from './book-watch.ts'
import type { Faults } from './faults.ts'
import type { Holdings } from './holdings.ts'
import { voucherFee } from './promises.ts'
import type { Shown, ShownVoucher } from './shown.ts'
import { amountOf, type Exchange, REDEMPTION, REVOCATION, VOUCHER, type Wire } from './wire.ts'

export interface VoucherEvidence {
  readonly faults: Faults
  readonly wire: Wire
  readonly botBook: BookWatch
  readonly serviceBook: BookWatch
  readonly holdings: Holdings
  readonly decidedPaid: ReadonlySet<string>
  /** The value of each code, as its maker typed it. */
  readonly codes: ReadonlyMap<string, bigint>
  /** The drops as shown to their owners. */
  readonly drops: ReadonlyMap<string, { readonly owner: string; readonly share: bigint; readonly shares: bigint }>
}

/** The costs of the codes that the bot had made. */
export interface VoucherCosts {
  /**
   * The sums of codes that nobody ever saw: those that were really lost, and those that may have been lost according to
   * the books.
   */
  readonly real: bigint
  readonly booked: bigint
  /** The fees for making all codes. */
  readonly fees: bigint
}

/** Judges the codes that were made, revoked and redeemed. */
export function judgeVouchers(shown: Shown, evidence: VoucherEvidence): VoucherCosts {
  const { wire, decidedPaid } = evidence
  const back = new Set(
    wire
      .at(REVOCATION)
      .filter((exchange) => isTakenBack(exchange, evidence))
      .map(({ body }) => String(body.code)),
  )
  const made = wire.at(VOUCHER).filter(({ data, key }) => data !== undefined || decidedPaid.has(key))
  const unexplained = new Set(made)
  for (const voucher of shown.vouchers) {
    const exchange = made.find(({ key }) => key.endsWith(voucher.id))
    if (exchange !== undefined) unexplained.delete(exchange)
    judgeVoucher(voucher, exchange, back, evidence)
  }
  const ofDrops = new Map<string, number>()
  for (const exchange of unexplained) judgeCodeOfDrop(exchange, back, ofDrops, evidence)
  judgeRedemptions(shown, evidence)
  const lost = made
    .filter((exchange) => isLost(exchange, decidedPaid))
    .map((exchange) => amountOf(exchange, 'amount', 'body') ?? 0n)
  return {
    real: lost.reduce((sum, amount) => sum + amount + voucherFee(amount), 0n),
    booked: lost.reduce((sum, amount) => sum + amount + mostVoucherFee(amount), 0n),
    fees: made.reduce((sum, exchange) => sum + voucherFee(amountOf(exchange, 'amount', 'body') ?? 0n), 0n),
  }
}

/**
 * Whether a request to take a code back was carried out, according to the provider's own book if the answer was lost.
 */
function isTakenBack({ data, body }: Exchange, { serviceBook }: VoucherEvidence): boolean {
  if (data !== undefined) return true
  const sql = 'SELECT "id" FROM "Voucher" WHERE "code" = ? AND "revokedAt" IS NOT NULL'
  return serviceBook.rows(sql, String(body.code)).length > 0
}

/** Whether the code of a request is lost: the bot never received the code, or operators decided that it was made. */
function isLost({ data, key }: Exchange, decidedPaid: ReadonlySet<string>): boolean {
  return data === undefined || decidedPaid.has(key)
}

/** Returns the reserve for a voucher's fee until the fee is known: one percent, rounded up to a sat. */
function mostVoucherFee(amount: bigint): bigint {
  const sat = 1_000n
  return ((voucherFee(amount) + sat - 1n) / sat) * sat
}

function judgeVoucher(
  { id, member, amount, fee, state }: ShownVoucher,
  exchange: Exchange | undefined,
  back: ReadonlySet<string>,
  { faults, holdings, decidedPaid }: VoucherEvidence,
): void {
  const say = (what: string) => faults.add(`the voucher ${id} of ${member}, ${amount} msats, ${what}`)
  if (exchange?.data === undefined || isLost(exchange, decidedPaid)) {
    if (state !== 'failed') say(`is shown as ${state}, and was never made`)
    return
  }
  const sent = amountOf(exchange, 'amount', 'body')
  if (sent !== amount) say(`was asked for as one of ${sent}`)
  if (fee !== amountOf(exchange, 'fee') || fee !== voucherFee(amount))
    say(`is shown as one that cost ${fee}; it took ${amountOf(exchange, 'fee')}, and should cost ${voucherFee(amount)}`)
  const revoked = back.has(String(exchange.data.code))
  if (revoked !== (state === 'revoked')) say(`is shown as ${state}, and was ${revoked ? '' : 'not '}taken back`)
  if (!['live', 'redeemed', 'revoked'].includes(state)) say(`is shown as ${state}, and was made`)
  holdings.give(member, -(amount + fee) + (revoked ? amount : 0n))
}

/**
 * Checks the code of a drop, which only the records identify: the code must have one share's value, and there must be
 * no more codes than shares.
 */
function judgeCodeOfDrop(
  exchange: Exchange,
  back: ReadonlySet<string>,
  ofDrops: Map<string, number>,
  { botBook, faults, holdings, drops, decidedPaid }: VoucherEvidence,
): void {
  const [row] = botBook.rows<{ dropId: string | null }>('SELECT "dropId" FROM "Voucher" WHERE "key" = ?', exchange.key)
  const drop = drops.get(row?.dropId ?? '')
  const amount = amountOf(exchange, 'amount', 'body') ?? 0n
  if (drop === undefined || amount !== drop.share) {
    faults.add(`${exchange.key} made a code of ${amount} msats that nobody asked for`)
    return
  }
  const id = row?.dropId as string
  ofDrops.set(id, (ofDrops.get(id) ?? 0) + 1)
  faults.expect(
    BigInt(ofDrops.get(id) ?? 0) <= drop.shares,
    () => `the drop ${id} has more codes than ${drop.shares} shares`,
  )
  if (exchange.data === undefined || isLost(exchange, decidedPaid)) return
  const revoked = back.has(String(exchange.data.code))
  holdings.give(drop.owner, -(amount + voucherFee(amount)) + (revoked ? amount : 0n))
}

/** Checks that the redeemer of a code has the sum that its maker typed, once. */
function judgeRedemptions(
  { redemptions }: Shown,
  { wire, faults, holdings, codes, decidedPaid }: VoucherEvidence,
): void {
  const unexplained = new Set(wire.at(REDEMPTION).filter(({ data, key }) => data !== undefined || decidedPaid.has(key)))
  const used = new Set<string>()
  for (const { id, member, state, amount } of redemptions) {
    const exchange = [...unexplained].find(({ key }) => key.endsWith(id))
    const say = (what: string) => faults.add(`the redemption ${id} by ${member} ${what}`)
    if ((exchange !== undefined) !== (state === 'redeemed'))
      say(`is shown as ${state}, and ${exchange ? 'was' : 'was not'} carried out`)
    if (exchange === undefined) continue
    unexplained.delete(exchange)
    const code = String(exchange.body.code)
    if (used.has(code)) say(`is the second of the code ${code}`)
    used.add(code)
    if (amount !== codes.get(code)) say(`gave ${amount} msats, and its code is worth ${codes.get(code)}`)
    holdings.give(member, amount ?? 0n)
  }
  for (const { key } of unexplained) faults.add(`${key} redeemed a code, and nobody is shown that it did`)
}
