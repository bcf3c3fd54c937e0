import { csvOf, harmless } from '../../lib/csv.ts'
import { operations, TRANSACTIONS_A_PAGE } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { listTransactions as listOf } from '../transactions/list-transactions.ts'

/** The columns of the CSV, in order. */
const COLUMNS = [
  ...(['id', 'createdAt', 'type', 'direction', 'amount', 'fee', 'balance', 'unit'] as const),
  ...(['resourceId', 'internalId', 'fiatValue', 'fiatCurrency'] as const),
]

/** List Transactions (additive): lists the project wallet's bookings, newest first, as JSON or CSV. */
export const listTransactions = implement(
  operations.listTransactions,
  async ({ query, caller, parts }) => {
    const wanted = { ...query, limit: query.limit ?? TRANSACTIONS_A_PAGE }
    const page = await listOf(parts, { kind: 'project', id: caller.projectId }, wanted)
    return { message: 'Transactions retrieved.', data: page }
  },
  {
    csv: ({ data: { transactions, next } }) => ({
      text: csvOf(
        COLUMNS,
        transactions.map((each) => COLUMNS.map((column) => harmless(each[column] ?? ''))),
        { bom: false },
      ),
      headers: { ...(next !== null && { 'x-next-cursor': next }) },
    }),
  },
)
