import { Sql } from '@prisma/client/runtime/client'
import type { StatementLine } from '../../ledger/ledger.ts'
import type { PaymentsDatabase } from '../core/database.ts'
import type { Charge, GamertagPayment, Invoice, Payment, StaticCharge, WithdrawalRequest } from '../generated/client.ts'

type PaymentRecord = Pick<Payment, 'id' | 'kind' | 'internalId' | 'fee' | 'paymentHash'>
type ClaimRecord = Pick<Payment, 'withdrawalRequestId' | 'paymentHash' | 'status'>
type InvoiceRecord = Pick<Invoice, 'paymentHash' | 'purpose' | 'resourceId'>

/** The records of a page's bookings, by id; invoices by payment hash. */
export interface Records {
  readonly payments: ReadonlyMap<string, PaymentRecord>
  /** The completed payment that claimed a withdrawal request, by the request's id. */
  readonly claims: ReadonlyMap<string, ClaimRecord>
  readonly invoices: ReadonlyMap<string, InvoiceRecord>
  readonly charges: ReadonlyMap<string, Pick<Charge, 'id' | 'internalId'>>
  readonly staticCharges: ReadonlyMap<string, Pick<StaticCharge, 'id' | 'internalId'>>
  readonly gamertagPayments: ReadonlyMap<string, Pick<GamertagPayment, 'id' | 'transactionId'>>
  readonly requests: ReadonlyMap<string, Pick<WithdrawalRequest, 'id' | 'internalId' | 'fee'>>
}

/** Returns the id in an operation's name; undefined if the operation is of another kind. */
export function idOf({ operation }: Pick<StatementLine, 'operation'>, prefix: string): string | undefined {
  return operation.startsWith(`${prefix}:`) ? operation.slice(prefix.length + 1) : undefined
}

/** Reads only the tables that these lines need, without Prisma, which is slower. */
export async function readRecords(
  database: Pick<PaymentsDatabase, 'readRaw' | 'rows'>,
  lines: readonly StatementLine[],
): Promise<Records> {
  const ids = (prefix: string) => [...new Set(lines.flatMap((line) => idOf(line, prefix) ?? []))]
  const requestIds = ids('withdrawal-request')
  const [payments, claims, gamertagPayments, requests] = await Promise.all([
    find<PaymentRecord>(database, PAYMENTS, ids('payment')),
    find<ClaimRecord>(database, CLAIMS, requestIds),
    find<Pick<GamertagPayment, 'id' | 'transactionId'>>(database, GAMERTAG_PAYMENTS, ids('gamertag-payment')),
    find<Pick<WithdrawalRequest, 'id' | 'internalId' | 'fee'>>(database, REQUESTS, requestIds),
  ])
  const paidBy = [...payments.values(), ...claims.values()].map(({ paymentHash }) => paymentHash)
  const invoices = await find<InvoiceRecord>(database, INVOICES, [...new Set([...ids('invoice'), ...paidBy])])
  const of = (purpose: string) =>
    [...invoices.values()].flatMap((each) => (each.purpose === purpose ? [each.resourceId] : []))
  const [charges, staticCharges] = await Promise.all([
    find<Pick<Charge, 'id' | 'internalId'>>(database, CHARGES, of('charge')),
    find<Pick<StaticCharge, 'id' | 'internalId'>>(database, STATIC_CHARGES, of('static-charge')),
  ])
  return { payments, claims, invoices, charges, staticCharges, gamertagPayments, requests }
}

/** The columns that are read from a table, and the column by which rows are found. */
interface Columns {
  readonly table: string
  readonly key: string
  readonly columns: readonly string[]
  /** A further condition of the WHERE. */
  readonly only?: string
}

const PAYMENTS: Columns = { table: 'Payment', key: 'id', columns: ['kind', 'internalId', 'fee', 'paymentHash'] }
const CLAIMS: Columns = {
  table: 'Payment',
  key: 'withdrawalRequestId',
  columns: ['paymentHash', 'status'],
  only: `t."status" = 'completed'`,
}
const GAMERTAG_PAYMENTS: Columns = { table: 'GamertagPayment', key: 'id', columns: ['transactionId'] }
const REQUESTS: Columns = { table: 'WithdrawalRequest', key: 'id', columns: ['internalId', 'fee'] }
const INVOICES: Columns = { table: 'Invoice', key: 'paymentHash', columns: ['purpose', 'resourceId'] }
const CHARGES: Columns = { table: 'Charge', key: 'id', columns: ['internalId'] }
const STATIC_CHARGES: Columns = { table: 'StaticCharge', key: 'id', columns: ['internalId'] }

/** Finds rows by their keys. */
async function find<Row extends object>(
  { readRaw, rows }: Pick<PaymentsDatabase, 'readRaw' | 'rows'>,
  { table, key, columns, only }: Columns,
  keys: readonly string[],
): Promise<Map<string, Row>> {
  if (keys.length === 0) return new Map()
  const wanted = rows.as(
    'wanted',
    [key],
    keys.map((each) => [each]),
  )
  const selected = [key, ...columns].map((column) => `t."${column}"`).join(', ')
  const rest = only === undefined ? '' : ` WHERE ${only}`
  const texts = [`SELECT ${selected} FROM `, ` JOIN "${table}" AS t ON t."${key}" = wanted."${key}"${rest}`]
  const found = await readRaw.$queryRaw<Row[]>(new Sql(texts, [wanted]))
  return new Map(found.map((row) => [String(Reflect.get(row, key)), row]))
}
