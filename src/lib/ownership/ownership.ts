/**
 * Says which process of a book owns a row or a job; one process may work on the book, or several. A row names its owner by id. A job has
 * one owner at a time. When a process dies, another one takes over its rows and jobs. `docs/internals/several-processes.md` says how
 * processes are told apart. `Tx` is a transaction of the book, or its reader.
 */
export interface Ownership<Tx, Job extends string = string> {
  /** The id by which rows name this process. Another one after it was taken for dead: then nothing is its own. */
  readonly me: string
  /** Whether no other process works on the book. */
  readonly alone: boolean
  /** Whether nobody can have taken over what is this process's. Asked right before something that cannot be taken back. */
  isLive(): boolean
  /** The same of a row that names this owner. */
  isMine(owner: string | null): boolean
  /** Whether a job is this process's. */
  has(job: Job): boolean
  /** A number for the time since which a job is this process's; undefined while it is not. */
  tenureOf(job: Job): number | undefined
  /** Resolves once a job is this process's, with what aborts when it is no longer; undefined when `signal` aborts first. */
  untilHas(job: Job, signal: AbortSignal): Promise<AbortSignal | undefined>
  /** In a transaction: throws OwnershipLost unless the book says that this process lives. */
  assertLive(tx: Tx): Promise<void>
  /** In a transaction: throws OwnershipLost unless the book says that a job is this process's, without a break since a tenure where one is named. */
  assertHas(tx: Tx, job: Job, tenure?: number): Promise<void>
  /** The ids of the processes that work on the book. Rows that name any other are nobody's. */
  livingIn(tx: Tx): Promise<string[]>
  /** Selects the rows that are nobody's; `column` names the owner. */
  nobodysIn<Column extends string = 'process'>(tx: Tx, column?: Column): Promise<Nobodys<Column>>
  /** In a transaction that takes rows over: selects those that are nobody's, and makes them this process's. Throws OwnershipLost. */
  takeOverIn<Column extends string = 'process'>(tx: Tx, column?: Column): Promise<TakeOver<Column>>
  /** Runs something each time that this process has seen which others live. Never where it is alone. */
  afterEachLook(run: () => Promise<void>): void
  /** Makes this one of the book's processes, with the jobs that nobody has. To be called once, before anything is begun. */
  start(): Promise<void>
  /** Gives everything back. This process's remaining work must not need it. */
  close(): Promise<void>
}

/** Selects rows by their owner. */
export interface Nobodys<Column extends string> {
  OR: [Record<Column, null>, Record<Column, { notIn: string[] }>]
}

export interface TakeOver<Column extends string> {
  readonly nobodys: Nobodys<Column>
  readonly mine: Record<Column, string>
}

/** Another process may have what this one had: nothing of the change is kept. */
export class OwnershipLost extends Error {
  override name = 'OwnershipLost'
}

export interface OwnershipTimes {
  /** How often a process says that it lives, and looks which others do. */
  readonly renewMs: number
  /** How long after that a process believes that what it has is its own. */
  readonly holdsMs: number
  /** How long a process must have been silent before another takes what it has: longer than it believes to have it. */
  readonly expiresMs: number
}

export const OWNERSHIP_TIMES: OwnershipTimes = { renewMs: 5_000, holdsMs: 20_000, expiresMs: 30_000 }

/** Where a process notes its id, for the process that comes after it. */
export interface LastOwner {
  /** The id of a process that is dead for certain; undefined: none is known. */
  readonly id: string | undefined
  /** Called before the book knows of this one. */
  note(id: string): void
}
