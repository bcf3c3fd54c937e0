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

/** Book and node at one moment, by the records of each. */
export interface BookAndNode {
  readonly booked: bigint
  readonly held: bigint
  /** On its way out, as the node says it. */
  readonly inFlight: bigint
  /** Payments that the node may have been asked to send and has not ended, by the book. */
  readonly underWay: bigint
}

interface Records {
  readonly serviceBook: BookWatch
  readonly lightning: BookWatch
  readonly shortfalls: KeptByNode
  readonly funded: { readonly all: bigint }
}

/** Book and node now: `missing` msats were taken out of the node by somebody else. */
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

/** Holds what operators are shown of book and node against the records of both. */
export class NodeComparisons {
  readonly #faults: Faults

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** An operator is shown a comparison; what moved meanwhile is known only where nothing did. */
  shown(found: ShownComparison, before: BookAndNode, after: BookAndNode): void {
    const isStill = (Object.keys(before) as (keyof BookAndNode)[]).every((key) => before[key] === after[key])
    if (!isStill) return
    const { booked, held, inFlight, underWay } = before
    // The node still counts payments under way in its balance; it may have sent the rest of those under way by the
    // book.
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

  /** Payments and invoices that book and node are said to tell differently; `odd`: the one invoice of which the node now says otherwise. */
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
