import type { BookWatch } from './book-watch.ts'
import type { KeptByNode } from './evidence.ts'
import type { Faults } from './faults.ts'

/** An operator's view of the service's book beside its node, in msats. */
export interface ShownComparison {
  readonly booked: bigint
  readonly holds: bigint
  readonly short: bigint
  readonly beyond: bigint
}

/** The state of book and node at one moment, according to the records of each, in msats. */
export interface BookAndNode {
  readonly booked: bigint
  readonly held: bigint
  /** Msats in flight, as the node reports them. */
  readonly inFlight: bigint
  /**
   * Msats of the payments, with their highest fees, that the node may have been asked to send and that have not ended
   * according to the book.
   */
  readonly underWay: bigint
}

interface Records {
  readonly serviceBook: BookWatch
  readonly lightning: BookWatch
  readonly shortfalls: KeptByNode
  readonly funded: { readonly all: bigint }
}

/** Reads the present state of book and node. The `missing` msats are those that somebody else took out of the node. */
export function bookAndNode({ serviceBook, lightning, shortfalls, funded }: Records, missing: bigint): BookAndNode {
  const sum = (watch: BookWatch, sql: string) => watch.rows<{ amount: bigint | null }>(sql)[0]?.amount ?? 0n
  const received = sum(lightning, `SELECT SUM(amount) AS amount FROM arrival WHERE payee = 'ours'`)
  const paid = sum(lightning, `SELECT SUM(amount + fee) AS amount FROM payment WHERE payer = 'ours' AND state = 'paid'`)
  return {
    booked: -serviceBook.balance('node', 'node'),
    held: funded.all + received - shortfalls.total - paid - missing,
    inFlight: sum(
      lightning,
      `SELECT SUM(amount + fee) AS amount FROM payment WHERE payer = 'ours' AND state = 'pending'`,
    ),
    underWay: BigInt(
      sum(
        serviceBook,
        `SELECT SUM("amount" + "maxFee") AS amount FROM "Payment" WHERE "status" IN ('sending', 'unknown')`,
      ),
    ),
  }
}

/** Compares what operators are shown about book and node with the records of both. */
export class NodeComparisons {
  readonly #faults: Faults

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** Checks a comparison that an operator was shown. If something moved meanwhile, the exact sum is unknown. */
  shown(found: ShownComparison, before: BookAndNode, after: BookAndNode): void {
    const isStill = (Object.keys(before) as (keyof BookAndNode)[]).every((key) => before[key] === after[key])
    if (!isStill) return
    const { booked, held, inFlight, underWay } = before
    // The node still counts payments in flight in its balance; it may have sent the other payments that the book has
    // under way.
    const mayHaveLeft = underWay > inFlight ? underWay - inFlight : 0n
    const right = {
      booked,
      holds: held,
      short: positive(booked - held - mayHaveLeft),
      beyond: positive(held - booked),
    }
    for (const [name, amount] of Object.entries(right) as [keyof ShownComparison, bigint][])
      this.#faults.expect(
        found[name] === amount,
        () => `an operator is shown ${name} as ${found[name]} msats beside the node, and it is ${amount}`,
      )
  }

  /**
   * Checks the payments and invoices that are shown as differing. `odd` is the one invoice that the node now reports
   * differently.
   */
  disagreements(about: readonly string[], odd: string | undefined): void {
    const wrong = about.filter((id) => id !== odd)
    this.#faults.expect(wrong.length === 0, () => `book and node are said to disagree about ${wrong}, and do not`)
    this.#faults.expect(
      odd === undefined || about.includes(odd),
      () => `the node received other sats than were credited for ${odd}, and no operator is told`,
    )
  }
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}
