import type { BookWatch } from './book-watch.ts'
import type { Faults } from './faults.ts'

const LAST_MOVE = `SELECT MAX(m."id") AS last FROM "Move" m, "Account" a
  WHERE a."kind" = 'member' AND a."owner" = ? AND (m."fromId" = a."id" OR m."toId" = a."id")`

/** What members are shown that they can spend is what the moves of their account make, at that moment. */
export class Balances {
  readonly #faults: Faults

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** A member asks. What they are shown is told to what is given back; it counts where nothing moved meanwhile. */
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
}

function lastMove(botBook: BookWatch, member: string): bigint | null | undefined {
  return botBook.rows<{ last: bigint | null }>(LAST_MOVE, member)[0]?.last
}
