import type { BookWatch } from './book-watch.ts'
import type { Faults } from './faults.ts'

interface Row {
  readonly id: string
  readonly state: string
  readonly requester: string
  readonly recipient: string
  readonly amount: bigint
  readonly budgetKey: string
  /** The hash of the reward's payment, or null if there is none. */
  readonly payment: string | null
  readonly failure: string | null
}

interface Shown {
  readonly to: string
  readonly amount: bigint
}

const ROWS = `SELECT r."id", r."state", r."requester", r."recipient", r."amount", r."budgetKey", w."state" AS payment, w."failure"
  FROM "Reward" r LEFT JOIN "WalletPayment" w ON w."id" = r."id" WHERE r."source" = 'wallet'`

/** Judges the rewards that a server's wallet pays. `OwnWallets` judges that each payment is right and made once. */
export class ServerWallets {
  readonly #faults: Faults
  readonly #shown = new Map<string, Shown>()

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** Notes that somebody was shown a reward from a server's wallet. */
  given(reward: string, shown: Shown): void {
    this.#shown.set(reward, shown)
  }

  /** Judges all rewards from servers' wallets at the end. */
  judge(botBook: BookWatch): void {
    const rows = new Map(botBook.rows<Row>(ROWS).map((row) => [row.id, row]))
    for (const [id, { to, amount }] of this.#shown) {
      const row = rows.get(id)
      const right = row !== undefined && row.recipient === to && row.amount === amount
      this.#faults.expect(right, () => `the reward ${id} of ${amount} to ${to} is not as it was shown`)
    }
    for (const { id, state, payment } of rows.values()) {
      this.#faults.expect(
        (state === 'paid') === (payment !== null),
        () => `the reward ${id} is ${state}, and its payment ${payment}`,
      )
    }
    this.#judgeBudgets(botBook, [...rows.values()])
  }

  /** Checks that the used part of each budget equals the sum of its payments, possible payments and waiting rewards. */
  #judgeBudgets(botBook: BookWatch, rows: readonly Row[]): void {
    for (const key of new Set(rows.map(({ budgetKey }) => budgetKey))) {
      // Requests to a wallet from before a restore may have been paid; nobody can tell.
      const takes = ({ state, payment, failure }: Row) =>
        state === 'asked' || (state === 'paid' && (payment !== 'failed' || failure === 'restored'))
      const taken = rows
        .filter((row) => row.budgetKey === key && takes(row))
        .reduce((sum, { amount }) => sum + amount, 0n)
      const used = botBook
        .rows<{ used: bigint }>('SELECT "used" FROM "Usage" WHERE "key" = ?', key)
        .reduce((sum, row) => sum + row.used, 0n)
      this.#faults.expect(
        used === taken,
        () => `the budget ${key} has lost ${used} msats, and its rewards took ${taken}`,
      )
    }
  }
}
