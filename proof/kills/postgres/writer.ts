import {
  AlreadyWritten,
  createLedger,
  InsufficientFunds,
  type Ledger,
  type LedgerChange,
  LedgerUnavailable,
} from '../../../src/ledger/ledger.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { msats } from '../../../src/lib/money/amount.ts'
import { CHART } from '../../../src/tipping/core/chart-of-accounts.ts'
import {
  openTippingDatabase,
  type TippingClient,
  type TippingDatabase,
  type Tx,
} from '../../../src/tipping/core/database.ts'

/** A client's question to a writer. */
export type Question =
  | { readonly id: number; readonly kind: 'change'; readonly change: ChangeQuestion }
  | { readonly id: number; readonly kind: 'reading'; readonly account: string }
  | { readonly id: number; readonly kind: 'snapshot' }

/** A question that has no number yet. */
export type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

/** A change in the oracle's terms: an account is identified by its kind and its owner. */
export interface ChangeQuestion {
  readonly operation: string
  readonly from: string
  readonly to: string
  readonly amount: number
  /** A member whose row the change reads, adds one millisecond to, and writes back. */
  readonly counter?: string | undefined
}

export interface WriterAnswer {
  readonly id: number
  /**
   * The outcome of a question: `unavailable` if nothing was written and the client can ask again, `failed` for any
   * other error.
   */
  readonly outcome: 'written' | 'again' | 'short' | 'unavailable' | 'read' | 'failed'
  readonly value?: number
  readonly why?: string
}

export function accountNamed(name: string): { kind: string; owner: string } {
  const [kind = '', owner = ''] = name.split(' ')
  return { kind, owner }
}

/** Answers requests with a ledger on the bot's book. */
export class Writer {
  readonly #database: TippingDatabase
  readonly #ledger: Ledger<Tx>

  constructor(database: TippingDatabase) {
    this.#database = database
    this.#ledger = createLedger<Tx, TippingClient>({ database, chart: CHART, clock: systemClock, maxBatch: 64 })
  }

  async answer(question: Question): Promise<WriterAnswer> {
    const { id } = question
    try {
      if (question.kind === 'change') {
        await this.#ledger.commit(changeOf(question.change))
        return { id, outcome: 'written' }
      }
      const value = await (question.kind === 'reading' ? this.#balance(question.account) : this.#sum())
      return { id, outcome: 'read', value: Number(value) }
    } catch (error) {
      if (error instanceof AlreadyWritten) return { id, outcome: 'again' }
      if (error instanceof InsufficientFunds) return { id, outcome: 'short' }
      // A query changes nothing, so the client may repeat it.
      if (error instanceof LedgerUnavailable || question.kind !== 'change') return { id, outcome: 'unavailable' }
      return { id, outcome: 'failed', why: String(error) }
    }
  }

  async close(): Promise<void> {
    await this.#ledger.close()
    await this.#database.close()
  }

  #balance(account: string): Promise<bigint> {
    return this.#ledger.balance(accountNamed(account))
  }

  async #sum(): Promise<bigint> {
    const accounts = await this.#database.read.account.findMany({ select: { balance: true } })
    return accounts.reduce((sum, { balance }) => sum + balance, 0n)
  }
}

function changeOf({ operation, from, to, amount, counter }: ChangeQuestion): LedgerChange<Tx> {
  const move = { from: accountNamed(from), to: accountNamed(to), amount: msats(amount) }
  const entries = [{ operation, step: 'post', moves: [move] }]
  if (counter === undefined) return { entries }
  return {
    entries,
    // The row is read, then written, which is right only if nobody else writes in between.
    async write(tx) {
      const { seenAt } = await tx.member.findUniqueOrThrow({ where: { id: counter } })
      await tx.member.update({ where: { id: counter }, data: { seenAt: new Date(seenAt.getTime() + 1) } })
    },
  }
}

/** Runs a writer as a process of its own, which answers its parent and ends with its parent. */
async function main(url: string): Promise<void> {
  const writer = new Writer(await openTippingDatabase(url))
  let answers: WriterAnswer[] = []
  process.on('disconnect', () => process.exit())
  process.on('message', (questions: readonly Question[]) => {
    for (const question of questions) {
      void writer.answer(question).then((answer) => {
        answers.push(answer)
        if (answers.length > 1) return
        setImmediate(() => {
          process.send?.(answers)
          answers = []
        })
      })
    }
  })
  process.send?.([])
}

const [url] = process.argv.slice(2)
if (import.meta.main && url !== undefined) {
  await main(url).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  })
}
