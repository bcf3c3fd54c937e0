import type { BookWatch } from './book-watch.ts'
import type { Faults } from './faults.ts'

interface Held {
  /** What is held, as a sentence's subject. */
  readonly what: string
  /** The process that has it. */
  readonly holder: string
}

/**
 * Judges what several services on one book leave to each other: what one of them has open, no other takes as long as
 * the first one’s lease is in the book; nobody delivers a callback before an older one of the same resource; and the
 * cursor of settlements only grows.
 */
export class Neighbours {
  readonly #faults: Faults
  #held = new Map<string, Held>()
  #cursor = 0n

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** To be asked often: what was taken and given back in between is not seen. */
  look(serviceBook: BookWatch): void {
    this.#compareHolders(serviceBook)
    this.#compareOrder(serviceBook)
    this.#compareCursor(serviceBook)
  }

  #compareHolders(serviceBook: BookWatch): void {
    const now = new Map(heldIn(serviceBook).map((held) => [held.what, held]))
    const living = new Set(
      serviceBook
        .rows<{ holder: string }>(`SELECT "holder" FROM "Lease" WHERE "name" LIKE 'process:%'`)
        .map(({ holder }) => holder),
    )
    for (const { what, holder } of now.values()) {
      const before = this.#held.get(what)?.holder
      if (before === undefined || before === holder || !living.has(before)) continue
      this.#faults.add(`${what} was taken over by another service, though the one that had it lives`)
    }
    this.#held = now
  }

  #compareOrder(serviceBook: BookWatch): void {
    const early = serviceBook.rows<{ id: bigint; resource: string }>(
      `SELECT "later"."id", "later"."resource" FROM "Callback" AS "older" JOIN "Callback" AS "later"
       ON "later"."resource" = "older"."resource" AND "later"."id" > "older"."id"
       WHERE "older"."deliveredAt" IS NULL AND "older"."parkedAt" IS NULL AND "later"."deliveredAt" IS NOT NULL`,
    )
    for (const { id, resource } of early) {
      this.#faults.add(`callback ${id} was delivered before an older one of ${resource}`)
    }
  }

  #compareCursor(serviceBook: BookWatch): void {
    const [row] = serviceBook.rows<{ value: string }>('SELECT "value" FROM "Cursor"')
    if (row === undefined) return
    const cursor = BigInt(row.value)
    this.#faults.expect(
      cursor >= this.#cursor,
      () => `the cursor of settlements went back from ${this.#cursor} to ${cursor}`,
    )
    this.#cursor = cursor
  }
}

/** Payments that are open, and deliveries that somebody has claimed. A claim is another one with each attempt. */
function heldIn(serviceBook: BookWatch): Held[] {
  return serviceBook.rows<Held>(
    `SELECT 'payment ' || "id" AS "what", "sender" AS "holder" FROM "Payment"
     WHERE "status" IN ('held', 'sending', 'unknown') AND "sender" IS NOT NULL
     UNION ALL
     SELECT 'attempt ' || "attempts" || ' of callback ' || "id" AS "what", "claimedBy" AS "holder" FROM "Callback"
     WHERE "deliveredAt" IS NULL AND "parkedAt" IS NULL AND "claimedBy" IS NOT NULL`,
  )
}
