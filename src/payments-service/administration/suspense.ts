import { AlreadyWritten, type Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { msats } from '../../lib/money/amount.ts'
import { OPERATOR, SUSPENSE, wallet } from '../core/chart-of-accounts.ts'
import type { PaymentsDatabase, Tx } from '../core/database.ts'
import type { Invoice, UnclaimedReceipt } from '../generated/client.ts'
import { AdministrationRefusal } from './administration-refusal.ts'
import type { SuspenseLine } from './lines.ts'

/** The maximum number of lines in one page of a list. */
const PAGE = 1_000
const MAX_REASON_LENGTH = 500
const CONTROL = /\p{Cc}/u

/** An operator's decision about a sum on the suspense account. */
export interface Gift {
  readonly receiptId: string
  /** The receiver: `user:ID`, `project:ID` or `operator`. */
  readonly to: string
  /** A text, stored forever, on why the sum belongs to that receiver. */
  readonly reason: string
  /** The operator who decides. */
  readonly by: string
}

interface SuspenseParts {
  readonly database: PaymentsDatabase
  readonly ledger: Ledger<Tx>
  readonly clock: Clock
}

/** Creates the operators' actions on the suspense account. */
export function suspense(parts: SuspenseParts) {
  const { database, ledger, clock } = parts
  return {
    listSuspense: async ({ given = false, after }: { readonly given?: boolean; readonly after?: string } = {}) => {
      const last = after === undefined ? undefined : await mustHave(database, after)
      const receipts = await database.read.unclaimedReceipt.findMany({
        where: {
          givenAt: given ? { not: null } : null,
          ...(last && {
            OR: [{ settledAt: { gt: last.settledAt } }, { settledAt: last.settledAt, id: { gt: last.id } }],
          }),
        },
        orderBy: [{ settledAt: 'asc' }, { id: 'asc' }],
        take: PAGE,
      })
      return await lines(database, receipts)
    },
    giveSuspense: async ({ receiptId, to, by, ...gift }: Gift) => {
      const reason = readReason(gift.reason)
      const account = await accountOf(database, to)
      const receipt = await mustHave(database, receiptId)
      // Stryker disable next-line ConditionalExpression: the journal refuses a second gift with the same message.
      if (receipt.givenAt !== null) throw givenBefore(receipt)
      const moves = [{ from: SUSPENSE, to: account, amount: msats(receipt.amount) }]
      const data = { givenTo: to, givenBy: by, givenReason: reason, givenAt: new Date(clock.now()) }
      const id = receiptId
      try {
        await ledger.commit({
          entries: [{ operation: `suspense:${receiptId}`, step: 'post', moves }],
          write: async (tx) => {
            const { count } = await tx.unclaimedReceipt.updateMany({ where: { id, givenAt: null }, data })
            if (count !== 1) throw givenBefore(await tx.unclaimedReceipt.findUniqueOrThrow({ where: { id } }))
          },
        })
      } catch (error) {
        if (!(error instanceof AlreadyWritten)) throw error
        // Another operator was faster, with the same or another decision.
        throw givenBefore(await database.read.unclaimedReceipt.findUniqueOrThrow({ where: { id } }))
      }
      return (await lines(database, [{ ...receipt, ...data }]))[0] as SuspenseLine
    },
  }
}

function readReason(text: string): string {
  const reason = text.trim()
  if (reason !== '' && reason.length <= MAX_REASON_LENGTH && !CONTROL.test(reason)) return reason
  throw new AdministrationRefusal(
    `Say in one line of at most ${MAX_REASON_LENGTH} characters why the sats belong to the recipient: --reason "…". This line is kept with the books.`,
  )
}

async function accountOf({ read }: PaymentsDatabase, to: string) {
  if (to === 'operator') return OPERATOR
  const [kind, id = '', more] = to.split(':')
  if ((kind !== 'user' && kind !== 'project') || id === '' || more !== undefined) {
    throw new AdministrationRefusal(`Give the sats to user:USERID, project:PROJECTID or operator, not to "${to}".`)
  }
  const holder =
    kind === 'user' ? await read.user.findUnique({ where: { id } }) : await read.project.findUnique({ where: { id } })
  if (holder === null) throw new AdministrationRefusal(`There is no ${kind} ${id}. "${kind} list" shows all ${kind}s.`)
  return wallet({ kind, id })
}

async function mustHave({ read }: PaymentsDatabase, id: string): Promise<UnclaimedReceipt> {
  const receipt = await read.unclaimedReceipt.findUnique({ where: { id } })
  if (receipt !== null) return receipt
  throw new AdministrationRefusal(`There is no receipt ${id}. "suspense list" shows the receipts in suspense.`)
}

function givenBefore({ givenTo, givenBy, givenReason }: UnclaimedReceipt): AdministrationRefusal {
  return new AdministrationRefusal(
    `${givenBy} has already given these sats to ${givenTo}, for this reason: ${givenReason}. Nothing moved this time.`,
  )
}

async function lines({ read }: PaymentsDatabase, receipts: readonly UnclaimedReceipt[]): Promise<SuspenseLine[]> {
  const hashes = receipts.map(({ paymentHash }) => paymentHash)
  // Stryker disable next-line ObjectLiteral: avoids reading other rows. The shown row is found among them by its own
  // key.
  const invoices = await read.invoice.findMany({ where: { paymentHash: { in: hashes } } })
  const byHash = new Map(invoices.map((invoice) => [invoice.paymentHash, invoice]))
  return receipts.map((receipt) => {
    const { givenTo, givenBy, givenReason, givenAt } = receipt
    return {
      receiptId: receipt.id,
      amount: `${receipt.amount}`,
      reason: receipt.reason,
      paymentHash: receipt.paymentHash,
      settledAt: receipt.settledAt.toISOString(),
      note: receipt.note,
      invoice: invoiceLine(byHash.get(receipt.paymentHash)),
      given: givenAt && { to: `${givenTo}`, by: `${givenBy}`, reason: `${givenReason}`, at: givenAt.toISOString() },
    }
  })
}

function invoiceLine(invoice: Invoice | undefined): SuspenseLine['invoice'] {
  if (invoice === undefined) return null
  const { purpose, resourceId: resource, payeeKind, payeeId, settledBy } = invoice
  return {
    purpose,
    resource,
    payee: `${payeeKind}:${payeeId}`,
    paidBy: settledBy === 'inside' ? 'inside' : settledBy && 'node',
  }
}
