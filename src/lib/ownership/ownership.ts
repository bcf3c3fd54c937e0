/**
 * Decides which process of a book owns a row or a job, if one or several processes use the book. A row names its owner
 * by id. A job has one owner at a time. When a process dies, another one takes over its rows and jobs.
 * `docs/internals/several-processes.md` explains how processes are identified. `Tx` is a transaction of the book, or
 * its reader.
 */
export interface Ownership<Tx, Job extends string = string> {
  /**
   * The id by which rows name this process. It changes if the process was taken for dead, and then nothing is its own.
   */
  readonly me: string
  /** Whether no other process uses the book. */
  readonly alone: boolean
  /** Whether nobody can have taken over this process's work. Call it right before an irreversible action. */
  isLive(): boolean
  /** Does the same for a row with this owner. */
  isMine(owner: string | null): boolean
  /** Whether this process has a job. */
  has(job: Job): boolean
  /** Returns a number for the time since when this process has a job; undefined while it does not. */
  tenureOf(job: Job): number | undefined
  /**
   * Resolves as soon as this process has a job, with a signal that aborts when it loses the job; undefined if `signal`
   * aborts first.
   */
  untilHas(job: Job, signal: AbortSignal): Promise<AbortSignal | undefined>
  /** In a transaction: throws OwnershipLost unless the book shows that this process lives. */
  assertLive(tx: Tx): Promise<void>
  /**
   * In a transaction: throws OwnershipLost unless the book shows that this process has a job, without interruption
   * since a tenure if one is given.
   */
  assertHas(tx: Tx, job: Job, tenure?: number): Promise<void>
  /** Returns the ids of the processes on the book. Rows that name any other have no owner. */
  livingIn(tx: Tx): Promise<string[]>
  /** Returns the condition for rows without an owner. `column` names the owner. */
  nobodysIn<Column extends string = 'process'>(tx: Tx, column?: Column): Promise<Nobodys<Column>>
  /**
   * In a transaction that takes rows over: returns the condition for rows without an owner, and makes them this
   * process's. Throws OwnershipLost.
   */
  takeOverIn<Column extends string = 'process'>(tx: Tx, column?: Column): Promise<TakeOver<Column>>
  /** Runs a function each time this process has checked which others live. Never runs it if this process is alone. */
  afterEachLook(run: () => Promise<void>): void
  /** Makes this one of the book's processes, with the jobs that nobody has. Call it once, before any work. */
  start(): Promise<void>
  /** Releases everything. This process's remaining work must not need it. */
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

/** Another process may own this one's work, so nothing of the change is stored. */
export class OwnershipLost extends Error {
  override name = 'OwnershipLost'
}

export interface OwnershipTimes {
  /** How often a process renews its lease, and checks which others do. */
  readonly renewMs: number
  /** How long after that a process trusts that its work is its own. */
  readonly holdsMs: number
  /**
   * How long a process must have been silent before another takes its work. It is longer than the process trusts its
   * lease.
   */
  readonly expiresMs: number
}

export const OWNERSHIP_TIMES: OwnershipTimes = { renewMs: 5_000, holdsMs: 20_000, expiresMs: 30_000 }

/** Where a process notes its id for the next one. */
export interface LastOwner {
  /** The id of a process that is certainly dead; undefined if none is known. */
  readonly id: string | undefined
  /** Called before the book gets this process's id. */
  note(id: string): void
}
