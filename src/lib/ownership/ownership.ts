/**
 * The ownership of a book's rows and jobs by the processes that use the book, one or several. A row contains its
 * owner's id. A job has one owner at a time. When a process dies, another one takes over its rows and jobs.
 * `docs/internals/several-processes.md` explains how processes are identified. `Tx` is a transaction of the book, or
 * its reader.
 */
export interface Ownership<Tx, Job extends string = string> {
  /**
   * The id of this process in rows. It changes if the process was taken for dead, and nothing belongs to the new id.
   */
  readonly me: string
  /** Whether no other process uses the book. */
  readonly alone: boolean
  /** Whether nobody can have taken over this process's work. Must be called right before an irreversible action. */
  isLive(): boolean
  /** Whether a row with this owner belongs to this process, and nobody can have taken the row over. */
  isMine(owner: string | null): boolean
  /** Whether this process has a job. */
  has(job: Job): boolean
  /**
   * Returns a number that identifies the present period in which this process has a job; undefined while it does not
   * have the job.
   */
  tenureOf(job: Job): number | undefined
  /**
   * Resolves as soon as this process has a job, with a signal that aborts when it loses the job; undefined if `signal`
   * aborts first.
   */
  untilHas(job: Job, signal: AbortSignal): Promise<AbortSignal | undefined>
  /** Throws OwnershipLost unless the book, as this transaction sees it, shows that this process lives. */
  assertLive(tx: Tx): Promise<void>
  /**
   * Throws OwnershipLost unless the book, as this transaction sees it, shows that this process has a job and, if
   * `tenure` is given, that this tenure has not been interrupted.
   */
  assertHas(tx: Tx, job: Job, tenure?: number): Promise<void>
  /** Returns the ids of the processes on the book. A row with any other id has no owner. */
  livingIn(tx: Tx): Promise<string[]>
  /** Returns the condition for rows without an owner. `column` is the column with the owner's id. */
  nobodysIn<Column extends string = 'process'>(tx: Tx, column?: Column): Promise<Nobodys<Column>>
  /**
   * Returns what a transaction needs to take rows over: the condition for rows without an owner, and the data that
   * makes this process their owner. Throws OwnershipLost as `assertLive` does.
   */
  takeOverIn<Column extends string = 'process'>(tx: Tx, column?: Column): Promise<TakeOver<Column>>
  /**
   * Runs a function each time this process has checked which others live. Never runs the function while this process is
   * alone.
   */
  afterEachLook(run: () => Promise<void>): void
  /** Enters this process in the book, with the jobs that nobody has. Must be called once, before any work. */
  start(): Promise<void>
  /** Releases everything that this process owns. This process's remaining work must not need ownership. */
  close(): Promise<void>
}

/** A condition on rows by their owner. */
export interface Nobodys<Column extends string> {
  OR: [Record<Column, null>, Record<Column, { notIn: string[] }>]
}

export interface TakeOver<Column extends string> {
  readonly nobodys: Nobodys<Column>
  readonly mine: Record<Column, string>
}

/** The error of a change that is not stored, because another process may own this one's work. */
export class OwnershipLost extends Error {
  override name = 'OwnershipLost'
}

export interface OwnershipTimes {
  /** How often a process renews its lease, and checks which others do. */
  readonly renewMs: number
  /** How long after a renewal a process trusts that its work is its own. */
  readonly holdsMs: number
  /**
   * How long a process must have been silent before another takes over its work. This time is longer than `holdsMs`.
   */
  readonly expiresMs: number
}

export const OWNERSHIP_TIMES: OwnershipTimes = { renewMs: 5_000, holdsMs: 20_000, expiresMs: 30_000 }

/** The place where a process notes its id for the next process. */
export interface LastOwner {
  /** The id of a process that is certainly dead; undefined if none is known. */
  readonly id: string | undefined
  /** Notes this process's id. Called before the id is written to the book. */
  note(id: string): void
}
