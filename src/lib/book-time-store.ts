/** The row of the table `BookTime`. */
export interface KeptTime {
  /** The newest time that the book has seen. */
  readonly at: Date
  /** When an operator confirmed that the wall clock is right, by that clock; null once the book's time has followed it. */
  readonly confirmedAt: Date | null
  /** How often the book's time was set, and did not only go on. It only grows. */
  readonly setNumber: number
  /** The book's time when a process that believes its wall clock last wrote it. */
  readonly believedAt: Date | null
}

/** Where a book keeps its time. */
export interface TimeStore {
  /** Undefined in a new book. */
  read(): Promise<KeptTime | undefined>
  /** Writes the time down: never an earlier one than the book has, and nothing once another process has set it since `setNumber`. */
  write(time: { readonly at: Date; readonly believed: boolean; readonly setNumber: number }): Promise<void>
  /** Sets the time, also back, and ends the confirmation. Resolves to false, and nothing happens, where another process was first. */
  set(at: Date, kept: KeptTime): Promise<boolean>
  /** The book's time was set back: what was begun later than `now` by its time was begun before that. */
  afterSetBack(now: Date): Promise<void>
  /** The database server's clock, in milliseconds since 1970. Undefined if that is this machine's, too. */
  readonly serverTime?: (() => Promise<number>) | undefined
  /** Tells operators of a doubt. */
  tell(doubt: ClockDoubt): Promise<void>
}

/** A wall clock that cannot be believed: what it says, and the newest time that the book has seen, or what the clock of the database's server says. */
export type ClockDoubt = { readonly wall: Date } & ({ readonly kept: Date } | { readonly server: Date })

/** The table, as far as its time uses it. Both books have it. */
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
  /** In one transaction. */
  write<T>(run: (tx: Tx) => Promise<T>): Promise<T>
  /** In the transaction that sets the time back: what must not outlive that. Left out: nothing. */
  setBackIn?(tx: Tx): Promise<void>
  afterSetBack?(now: Date): Promise<void>
  serverTime?: (() => Promise<number>) | undefined
  tell(doubt: ClockDoubt): Promise<void>
}

const id = 1

/** Keeps a book's time in its table. */
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
