import type { BookWatch } from './book-watch.ts'
import type { Faults } from './faults.ts'
import { mostFee, partOf } from './promises.ts'
import type { ShownWithdrawal } from './shown.ts'

const LAST_MOVE = `SELECT MAX(m."id") AS last FROM "Move" m, "Account" a
  WHERE a."kind" = 'member' AND a."owner" = ? AND (m."fromId" = a."id" OR m."toId" = a."id")`

const MOVES_SINCE = `SELECT m."amount", a."id" = m."fromId" AS "leaves" FROM "Move" m, "Account" a
  WHERE a."kind" = 'member' AND a."owner" = ? AND (m."fromId" = a."id" OR m."toId" = a."id") AND m."id" > ?`

const SAT = 1_000n

/** Checks that the spendable balances shown to members equal the sums of their accounts' moves at that moment. */
export class Balances {
  readonly #faults: Faults

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /**
   * Notes that a member asks for their balance. The returned function takes the shown balance, which counts if nothing
   * moved meanwhile.
   */
  looks(botBook: BookWatch, member: string): (shown: bigint) => void {
    const before = lastMove(botBook, member)
    return (shown) => {
      if (lastMove(botBook, member) !== before) return
      const has = botBook.balance('member', member)
      this.#faults.expect(
        shown === has,
        () => `${member} is shown ${shown} msats to spend, and the book has ${has} for them`,
      )
    }
  }

  /**
   * Notes that a member asks to give part of their balance away. The returned function takes the amount that left, and
   * returns the balance that the member had before; undefined if anything else moved meanwhile, because the balance is
   * then uncertain.
   */
  asks(botBook: BookWatch, member: string): (gave: bigint) => bigint | undefined {
    const since = lastMove(botBook, member) ?? 0n
    const had = botBook.balance('member', member)
    return (gave) => {
      const moves = botBook.rows<{ amount: bigint; leaves: bigint | boolean }>(MOVES_SINCE, member, since)
      const left = moves.reduce((sum, { amount }) => sum + amount, 0n)
      return left === gave && moves.every(({ leaves }) => Boolean(leaves)) ? had : undefined
    }
  }

  /** Checks that each recipient gets the typed part of the giver's balance, if that balance is known. */
  shares(what: string, typed: string, total: bigint, people: number, had: bigint | undefined): void {
    const right = had === undefined ? undefined : partOf(typed, had, people)
    const each = (total / (BigInt(people) * SAT)) * SAT
    this.#faults.expect(
      right === undefined || each === right,
      () => `${what}: ${typed} of ${had} msats for ${people} are ${right} each, and each gets ${each}`,
    )
  }

  /** Checks that a withdrawal of `half` is half of the balance, and that one of `all` leaves room for its fee. */
  withdraws({ id, amount }: ShownWithdrawal, typed: string, had: bigint | undefined): void {
    if (had === undefined) return
    const right =
      typed === 'all'
        ? amount + mostFee(amount) <= had && had < amount + SAT + mostFee(amount + SAT)
        : amount === (partOf(typed, had, 1) ?? amount)
    this.#faults.expect(right, () => `the withdrawal ${id} of ${typed} of ${had} msats is shown as ${amount} msats`)
  }
}

function lastMove(botBook: BookWatch, member: string): bigint | null | undefined {
  return botBook.rows<{ last: bigint | null }>(LAST_MOVE, member)[0]?.last
}
