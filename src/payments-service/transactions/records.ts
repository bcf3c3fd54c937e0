import type { StatementLine } from '../../ledger/ledger.ts'
import type { PaymentsDatabase } from '../core/database.ts'
import type { Charge, GamertagPayment, Invoice, Payment, StaticCharge, WithdrawalRequest } from '../generated/client.ts'

/** What the bookings of a page belong to, by id; invoices by payment hash. */
export interface Records {
  readonly payments: ReadonlyMap<string, Payment>
  /** The payment that claimed a withdrawal request, by the request. */
  readonly claims: ReadonlyMap<string, Payment>
  readonly invoices: ReadonlyMap<string, Invoice>
  readonly charges: ReadonlyMap<string, Charge>
  readonly staticCharges: ReadonlyMap<string, StaticCharge>
  readonly gamertagPayments: ReadonlyMap<string, GamertagPayment>
  readonly requests: ReadonlyMap<string, WithdrawalRequest>
}

/** The id in an operation's name, if it is of this kind. */
export function idOf({ operation }: Pick<StatementLine, 'operation'>, prefix: string): string | undefined {
  return operation.startsWith(`${prefix}:`) ? operation.slice(prefix.length + 1) : undefined
}

/** Reads what is needed to describe these lines, and no table that none of them is about. */
export async function readRecords(
  { read }: Pick<PaymentsDatabase, 'read'>,
  lines: readonly StatementLine[],
): Promise<Records> {
  const ids = (prefix: string) => [...new Set(lines.flatMap((line) => idOf(line, prefix) ?? []))]
  const requestIds = ids('withdrawal-request')
  const [payments, claims, gamertagPayments, requests] = await Promise.all([
    ifAny(ids('payment'), (id) => read.payment.findMany({ where: { id: { in: id } } })),
    ifAny(requestIds, (id) =>
      read.payment.findMany({ where: { withdrawalRequestId: { in: id }, status: 'completed' } }),
    ),
    ifAny(ids('gamertag-payment'), (id) => read.gamertagPayment.findMany({ where: { id: { in: id } } })),
    ifAny(requestIds, (id) => read.withdrawalRequest.findMany({ where: { id: { in: id } } })),
  ])
  const hashes = [...ids('invoice'), ...[...payments, ...claims].map((payment) => payment.paymentHash)]
  const invoices = await ifAny(hashes, (hash) => read.invoice.findMany({ where: { paymentHash: { in: hash } } }))
  const of = (purpose: string) => invoices.flatMap((each) => (each.purpose === purpose ? [each.resourceId] : []))
  const [charges, staticCharges] = await Promise.all([
    ifAny(of('charge'), (id) => read.charge.findMany({ where: { id: { in: id } } })),
    ifAny(of('static-charge'), (id) => read.staticCharge.findMany({ where: { id: { in: id } } })),
  ])
  return {
    payments: byId(payments),
    claims: new Map(claims.map((claim) => [claim.withdrawalRequestId ?? '', claim])),
    invoices: new Map(invoices.map((invoice) => [invoice.paymentHash, invoice])),
    charges: byId(charges),
    staticCharges: byId(staticCharges),
    gamertagPayments: byId(gamertagPayments),
    requests: byId(requests),
  }
}

async function ifAny<Row>(ids: readonly string[], read: (ids: string[]) => PromiseLike<Row[]>): Promise<Row[]> {
  return ids.length === 0 ? [] : await read([...ids])
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}
