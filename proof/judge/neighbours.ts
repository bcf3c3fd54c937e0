import type { BookWatch } from './book-watch.ts'
import type { Faults } from './faults.ts'

interface Held {
  /** The work that is held, in words that can be a sentence's subject. */
  readonly what: string
  /** The process that holds the work. */
  readonly holder: string
}

/** A bot's operation that is reserved or being sent. */
interface Going extends Held {
  readonly table: string
  readonly id: string
}

type HeldByName<H extends Held> = ReadonlyMap<string, H>

/**
 * Judges how several processes share one book: no process takes another's open work while that one’s lease is in the
 * book; no service delivers a callback before an older one of the same resource; and the cursor of settlements only
 * grows.
 */
export class Neighbours {
  readonly #faults: Faults
  #held: HeldByName<Held> = new Map()
  #going: HeldByName<Going> = new Map()
  #cursor = 0n

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /**
   * Compares the books with their state at the last call. It must be called often, since it misses work that was taken
   * and returned between two calls.
   */
  look(serviceBook: BookWatch, botBook: BookWatch): void {
    this.#compareServices(serviceBook)
    this.#compareBots(botBook)
    this.#compareOrder(serviceBook)
    this.#compareCursor(serviceBook)
  }

  #compareServices(serviceBook: BookWatch): void {
    const now = byName(heldIn(serviceBook))
    this.#compareHolders(serviceBook, 'service', this.#held, now)
    this.#held = now
  }

  /**
   * Compares the bots' work with that of the last call. A bot that takes an operation over ends it immediately or marks
   * it as unknown, so records that are no longer open are read again.
   */
  #compareBots(botBook: BookWatch): void {
    const now = byName(goingIn(botBook))
    const over = [...this.#going.values()].filter(({ what }) => !now.has(what))
    const ended = over.flatMap((one) => {
      const [row] = botBook.rows<{ holder: string | null }>(
        `SELECT "process" AS "holder" FROM "${one.table}" WHERE "id" = ?`,
        one.id,
      )
      return typeof row?.holder === 'string' ? [{ ...one, holder: row.holder }] : []
    })
    this.#compareHolders(botBook, 'bot', this.#going, byName([...now.values(), ...ended]))
    this.#going = now
  }

  #compareHolders(book: BookWatch, side: 'service' | 'bot', before: HeldByName<Held>, now: HeldByName<Held>): void {
    const moved = [...now.values()].filter(({ what, holder }) => (before.get(what)?.holder ?? holder) !== holder)
    if (moved.length === 0) return
    const living = new Set(
      book
        .rows<{ holder: string }>(`SELECT "holder" FROM "Lease" WHERE "name" LIKE 'process:%'`)
        .map(({ holder }) => holder),
    )
    for (const { what } of moved) {
      if (!living.has(before.get(what)?.holder ?? '')) continue
      this.#faults.add(`${what} was taken over by another ${side}, though the one that had it lives`)
    }
  }

  #compareOrder(serviceBook: BookWatch): void {
    const early = serviceBook.rows<{ id: bigint; resource: string }>(
      `SELECT "later"."id", "later"."resource" FROM "Callback" AS "older" JOIN "Callback" AS "later"
       ON "later"."resource" = "older"."resource" AND "later"."id" > "older"."id"
       WHERE "older"."deliveredAt" IS NULL AND "older"."parkedAt" IS NULL AND "later"."deliveredAt" IS NOT NULL
         AND "later"."url" <> ''`,
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

/** Returns open payments and claimed deliveries. Each delivery attempt is a claim of its own. */
function heldIn(serviceBook: BookWatch): Held[] {
  return serviceBook.rows<Held>(
    `SELECT 'payment ' || "id" AS "what", "sender" AS "holder" FROM "Payment"
     WHERE "status" IN ('held', 'sending', 'unknown') AND "sender" IS NOT NULL
     UNION ALL
     SELECT 'attempt ' || "attempts" || ' of callback ' || "id" AS "what", "claimedBy" AS "holder" FROM "Callback"
     WHERE "deliveredAt" IS NULL AND "parkedAt" IS NULL AND "claimedBy" IS NOT NULL`,
  )
}

function goingIn(botBook: BookWatch): Going[] {
  return botBook.rows<Going>(GOING)
}

/**
 * Selects the operations that a bot is sending or is about to send. Only a bot that takes an operation over writes
 * itself into the row.
 */
const GOING = ['Payout', 'Withdrawal', 'Voucher', 'Redemption']
  .map(
    (table) =>
      `SELECT '${table}' AS "table", "id", '${table.toLowerCase()} ' || "id" AS "what", "process" AS "holder"
       FROM "${table}" WHERE "state" IN ('reserved', 'sending') AND "process" IS NOT NULL`,
  )
  .join(' UNION ALL ')

function byName<H extends Held>(held: readonly H[]): HeldByName<H> {
  return new Map(held.map((each) => [each.what, each]))
}
