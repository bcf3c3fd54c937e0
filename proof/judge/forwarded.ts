import type { BookWatch } from './book-watch.ts'
import type { Faults } from './faults.ts'

interface Moved {
  readonly id: bigint
  readonly amount: bigint
  readonly step: string
  readonly fromKind: string
  readonly fromOwner: string
  readonly toKind: string
  readonly toOwner: string
  /** Whether the withdrawal forwards tips to a Lightning Address, so that nobody asked for it. */
  readonly sentOn: number | bigint
}

/** Sources of a member's gift: another member, a pot, a pool, or sats held for the member. */
const GIVERS = ['member', 'pot', 'pool', 'held']

const MOVED = `SELECT m."id", m."amount", e."step", f."kind" AS "fromKind", f."owner" AS "fromOwner",
  t."kind" AS "toKind", t."owner" AS "toOwner", CASE WHEN w."forwarded" THEN 1 ELSE 0 END AS "sentOn"
  FROM "Move" m JOIN "Entry" e ON e."id" = m."entryId" JOIN "Account" f ON f."id" = m."fromId"
  JOIN "Account" t ON t."id" = m."toId" LEFT JOIN "Withdrawal" w ON w."id" = e."operation"
  WHERE m."id" > ? ORDER BY m."id"`

/**
 * Checks that only gifts are forwarded to a member's Lightning Address. It reads the book's moves in order: a gift
 * increases the forwardable sum, money that leaves the balance decreases it first, and unsent sats return to it. So a
 * member's earlier balance and deposits stay.
 */
export class SentOn {
  readonly #faults: Faults
  /** The forwardable sum in msats, of each member who ever named an address. */
  readonly #mayGoOn = new Map<string, bigint>()
  #lastMove = 0n

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** Notes that a member named an address: later gifts may be forwarded. */
  begins(member: string): void {
    if (!this.#mayGoOn.has(member)) this.#mayGoOn.set(member, 0n)
  }

  look(botBook: BookWatch): void {
    for (const move of botBook.rows<Moved>(MOVED, Number(this.#lastMove))) {
      this.#lastMove = BigInt(move.id)
      this.#leave(move)
      this.#arrive(move)
    }
  }

  #leave({ amount, step, fromKind, fromOwner: member, sentOn }: Moved): void {
    const most = this.#mayGoOn.get(member)
    if (fromKind !== 'member' || most === undefined) return
    this.#faults.expect(
      !sentOn || step !== 'reserve' || amount <= most,
      () => `${amount} msats go on for ${member}, and ${most} are left of what they were given`,
    )
    this.#mayGoOn.set(member, most > amount ? most - amount : 0n)
  }

  #arrive({ amount, step, fromKind, fromOwner, toKind, toOwner: member, sentOn }: Moved): void {
    const most = this.#mayGoOn.get(member)
    if (toKind !== 'member' || most === undefined) return
    const isGift = GIVERS.includes(fromKind) && fromOwner !== member && step !== 'void'
    const isBack = sentOn && step === 'void'
    if (isGift || isBack) this.#mayGoOn.set(member, most + amount)
  }
}
