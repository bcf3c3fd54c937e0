import type { StatementLine } from '../../ledger/ledger.ts'
import type { operations, TransactionType, WireOf } from '../../payments-api/payments-api.ts'
import { UNIT } from '../core/chart-of-accounts.ts'
import type { ValueAtItsTime } from './fiat-values.ts'
import { idOf, type Records } from './records.ts'

export type Transaction = WireOf<typeof operations.listTransactions>['data']['transactions'][number]

/** Facts about a booking that the journal does not contain. */
interface About {
  readonly type: TransactionType
  readonly resourceId: string
  readonly internalId: string
  /** The fee in msats. */
  readonly fee: bigint
}

const ADJUSTMENT: About = { type: 'adjustment', resourceId: '', internalId: '', fee: 0n }

/** Converts a booking to the form of List Transactions. */
export function describeTransaction(line: StatementLine, records: Records, value: ValueAtItsTime): Transaction {
  const { type, resourceId, internalId, fee } = aboutOf(line, records)
  const incoming = line.amount > 0n
  return {
    id: String(line.id),
    createdAt: line.at.toISOString(),
    type,
    direction: incoming ? 'in' : 'out',
    unit: UNIT,
    amount: String(incoming ? line.amount : -line.amount),
    fee: String(fee),
    balance: String(line.balance),
    resourceId,
    internalId,
    ...value,
  }
}

/** The operation prefixes of each type of booking. Bookings with any other prefix are adjustments. */
const PREFIXES: Readonly<Record<Exclude<TransactionType, 'adjustment'>, readonly string[]>> = {
  charge: ['invoice', 'payment', 'withdrawal-request'],
  static_charge: ['invoice', 'payment', 'withdrawal-request'],
  payment: ['payment'],
  keysend: ['payment'],
  withdrawal_request: ['withdrawal-request'],
  gamertag_payment: ['gamertag-payment'],
  voucher: ['voucher', 'voucher-batch'],
  transfer: ['transfer'],
}
const KNOWN_PREFIXES = new Set(Object.values(PREFIXES).flat())

/** Whether a booking can be of this type, judged by the journal alone. */
export function mayBe(type: TransactionType, { operation }: StatementLine): boolean {
  const prefix = operation.slice(0, operation.indexOf(':'))
  return type === 'adjustment' ? !KNOWN_PREFIXES.has(prefix) : PREFIXES[type].includes(prefix)
}

function aboutOf(line: StatementLine, records: Records): About {
  const gamertagPayment = records.gamertagPayments.get(idOf(line, 'gamertag-payment') ?? '')
  if (gamertagPayment !== undefined)
    return { ...ADJUSTMENT, type: 'gamertag_payment', resourceId: gamertagPayment.transactionId }
  const voucherId = idOf(line, 'voucher') ?? idOf(line, 'voucher-batch')
  if (voucherId !== undefined) {
    const fee = line.other.kind === 'fee_income' ? -line.amount : 0n
    return { ...ADJUSTMENT, type: 'voucher', resourceId: voucherId, fee }
  }
  const transferId = idOf(line, 'transfer')
  if (transferId !== undefined) return { ...ADJUSTMENT, type: 'transfer', resourceId: transferId }
  return paidOut(line, records) ?? received(line, records) ?? ADJUSTMENT
}

/**
 * Describes the hold or the return of a payment or withdrawal request of the wallet; undefined for any other booking.
 */
function paidOut(line: StatementLine, { payments, requests }: Records): About | undefined {
  // Returned sums were in flight for this wallet. Others were paid to it.
  const comesBack = line.other.kind === 'in_flight' && line.other.owner === line.owner
  if (line.amount > 0n && !comesBack) return undefined
  const once = (fee: bigint | null) => (line.amount < 0n ? (fee ?? 0n) : 0n)
  const payment = payments.get(idOf(line, 'payment') ?? '')
  if (payment !== undefined) {
    const { internalId, fee } = payment
    // Get Payment finds a keysend by its payment's id.
    const type = payment.kind === 'keysend' ? 'keysend' : 'payment'
    return { type, resourceId: payment.id, internalId, fee: once(fee) }
  }
  const request = requests.get(idOf(line, 'withdrawal-request') ?? '')
  if (request === undefined) return undefined
  return { type: 'withdrawal_request', resourceId: request.id, internalId: request.internalId, fee: once(request.fee) }
}

/**
 * Describes income from an invoice of the wallet, through the node or inside the books; undefined for any other
 * booking.
 */
function received(line: StatementLine, { payments, claims, invoices, charges, staticCharges }: Records) {
  const payment = payments.get(idOf(line, 'payment') ?? '') ?? claims.get(idOf(line, 'withdrawal-request') ?? '')
  const invoice = invoices.get(idOf(line, 'invoice') ?? payment?.paymentHash ?? '')
  if (invoice === undefined) return undefined
  const { resourceId } = invoice
  if (invoice.purpose === 'charge')
    return { ...ADJUSTMENT, type: 'charge', resourceId, internalId: charges.get(resourceId)?.internalId ?? '' } as const
  const internalId = staticCharges.get(resourceId)?.internalId ?? ''
  return { ...ADJUSTMENT, type: 'static_charge', resourceId, internalId } as const
}
