import { AlreadyWritten, InsufficientFunds, type Ledger, type Move } from '../../ledger/ledger.ts'
import { formatSats, type Msats, msats, ZERO } from '../../lib/money/amount.ts'
import { OPERATOR, wallet } from '../core/chart-of-accounts.ts'
import type { PaymentsDatabase, Tx } from '../core/database.ts'
import { AdministrationRefusal } from './administration-refusal.ts'

interface CoverParts {
  readonly database: PaymentsDatabase
  readonly ledger: Ledger<Tx>
}

/**
 * Creates the actions that return to the operator's account what it bore for others, from the operators' own float in a
 * project's wallet.
 */
export function coverOperator({ database, ledger }: CoverParts) {
  interface Taking {
    readonly projectId: string
    readonly amount: Msats
    readonly operation: string
    /** A check in the transaction that moves the sats. It throws to refuse the move. */
    readonly unless?: (tx: Tx) => Promise<void>
  }

  async function take({ projectId, amount, operation, unless }: Taking): Promise<void> {
    const moves: Move[] = [{ from: wallet({ kind: 'project', id: projectId }), to: OPERATOR, amount }]
    try {
      await ledger.commit({ entries: [{ operation, step: 'post', moves }], ...(unless && { write: unless }) })
    } catch (error) {
      if (!(error instanceof InsufficientFunds)) throw error
      const holds = formatSats(msats(error.balance))
      throw new AdministrationRefusal(
        `The wallet of project ${projectId} holds ${holds} sats, which is too little. Pay more in first, with "project deposit SATS".`,
      )
    }
  }
  return {
    coverOperator: async (projectId: string, amount: Msats) => {
      const holder = { kind: 'project', id: projectId } as const
      if ((await database.read.project.findUnique({ where: { id: projectId } })) === null) {
        throw new AdministrationRefusal(`There is no project ${projectId}. "project list" shows all projects.`)
      }
      const operatorNow = await database.read.account.findUnique({ where: { kind_owner: OPERATOR } })
      const { balance: float, lastMoveId } = operatorNow ?? { balance: 0n, lastMoveId: null }
      const lacks = -float
      // Operators type whole sats, but fees have fractions.
      if (lacks <= 0n || amount >= lacks + 1_000n) {
        const how = lacks > 0n ? `lacks ${lacks} msats` : 'lacks nothing'
        throw new AdministrationRefusal(
          `The operator's account ${how}. An excess could not be taken out again, so nothing moved.`,
        )
      }
      const changed = () =>
        new AdministrationRefusal(
          "The operator's account has just changed. Nothing moved. Run npm run audit, then try again.",
        )
      // Income may arrive between the reading and the move, and an excess could not be returned. A change's conditions
      // run before everything else in its transaction. This one is alone there, because the ledger is the command's
      // own.
      const unless = async (tx: Tx) => {
        const operator = await tx.account.findUniqueOrThrow({ where: { kind_owner: OPERATOR } })
        if (operator.lastMoveId !== lastMoveId) throw changed()
      }
      // The figures that were read are part of the key, so only one of two commands that read the same moves sats.
      await take({ projectId, amount, operation: `cover:${lastMoveId}`, unless }).catch((error: unknown) => {
        throw error instanceof AlreadyWritten ? changed() : error
      })
      const [operator, balance] = await Promise.all([ledger.balance(OPERATOR), ledger.balance(wallet(holder))])
      return { projectId, covered: `${amount}`, operator: `${operator}`, balance: `${balance}` }
    },
    bearShort: async (paymentHash: string) => {
      const invoice = await database.read.invoice.findUnique({ where: { paymentHash } })
      const [face, received] = [invoice?.amount ?? 0n, invoice?.receivedAmount ?? null]
      if (invoice?.payeeKind !== 'project' || received === null || received >= face) return ZERO
      const short = msats(face - received)
      try {
        await take({ projectId: invoice.payeeId, amount: short, operation: `short:${paymentHash}` })
      } catch (error) {
        if (!(error instanceof AlreadyWritten)) throw error
      }
      return short
    },
  }
}
