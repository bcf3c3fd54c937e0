/** A row of the table `BookTime`. */
export interface KeptTime {
  /** The newest time that the book has seen. */
  readonly at: Date
  /** The wall clock's time when an operator confirmed that clock, or null after the book's time has followed it. */
  readonly confirmedAt: Date | null
  /** How often the book's time was set, instead of just running. The number only grows. */
  readonly setNumber: number
  /** The book's time when a process that trusts its wall clock last wrote it. */
  readonly believedAt: Date | null
}

/** The place where a book stores its time. */
export interface TimeStore {
  /** Returns the time; undefined in a new book. */
  read(): Promise<KeptTime | undefined>
  /**
   * Writes the time, but never an earlier one than the book has, and nothing if another process has set it since
   * `setNumber`.
   */
  write(time: { readonly at: Date; readonly believed: boolean; readonly setNumber: number }): Promise<void>
  /**
   * Sets the time, forward or back, and ends the confirmation. Resolves to false, and does nothing, if another process
   * was first.
   */
  set(at: Date, kept: KeptTime): Promise<boolean>
  /**
   * Called after the book's time was set back. Anything that seems to start after `now` started before the time was set
   * back.
   */
  afterSetBack(now: Date): Promise<void>
  /**
   * Returns the database server's time, in milliseconds since 1970. The function is undefined if that is this machine's
   * time.
   */
  readonly serverTime?: (() => Promise<number>) | undefined
  /** Alerts operators to a doubt. */
  tell(doubt: ClockDoubt): Promise<void>
}

/**
 * A wall clock that cannot be trusted: its time, and the newest time that the book has seen, or the database server's.
 */
export type ClockDoubt = { readonly wall: Date } & ({ readonly kept: Date } | { readonly server: Date })

/** The part of the table `BookTime` that its store uses. Both books have such a table. */
export interface TimeTable {
  findUnique(query: { where: { id: number } }): Promise<KeptTime | null>
  create(row: { data: TimeChange & { id: number; at: Date } }): Promise<unknown>
  updateMany(change: { where: TimeFilter; data: TimeChange }): Promise<{ count: number }>
}

interface TimeFilter {
  id: number
  setNumber: number
  at?: { lt: Date }
}

interface TimeChange {
  at?: Date
  confirmedAt?: null
  setNumber?: number
  believedAt?: Date
}

export interface TimeStoreParts<Tx> {
  tableOf(client: Tx): TimeTable
  read: Tx
  /** Runs writes in one transaction. */
  write<T>(run: (tx: Tx) => Promise<T>): Promise<T>
  /** In the transaction that sets the time back, deletes what must not remain afterwards. Default: nothing. */
  setBackIn?(tx: Tx): Promise<void>
  afterSetBack?(now: Date): Promise<void>
  serverTime?: (() => Promise<number>) | undefined
  tell(doubt: ClockDoubt): Promise<void>
}

const id = 1

/** Stores a book's time in its table. */
export function createTimeStore<Tx>(parts: TimeStoreParts<Tx>): TimeStore {
  const { tableOf } = parts
  return {
    read: async () => (await tableOf(parts.read).findUnique({ where: { id } })) ?? undefined,
    write: ({ at, believed, setNumber }) =>
      parts.write(async (tx) => {
        const table = tableOf(tx)
        const where = { id, setNumber }
        const { count } = await table.updateMany({ where: { ...where, at: { lt: at } }, data: { at } })
        if (count === 0 && (await table.findUnique({ where: { id } })) === null)
          await table.create({ data: { id, at } })
        if (believed) await table.updateMany({ where, data: { believedAt: at } })
      }),
    set: (at, kept) =>
      parts.write(async (tx) => {
        const { setNumber } = kept
        const data = { at, believedAt: at, setNumber: setNumber + 1, confirmedAt: null }
        const { count } = await tableOf(tx).updateMany({ where: { id, setNumber }, data })
        if (count > 0 && at < kept.at) await parts.setBackIn?.(tx)
        return count > 0
      }),
    afterSetBack: async (now) => parts.afterSetBack?.(now),
    serverTime: parts.serverTime,
    tell: (doubt) => parts.tell(doubt),
  }
}
