/** The purposes of calls to Discord, the most urgent first. */
export const URGENCIES = ['answer', 'card', 'background'] as const
export type Urgency = (typeof URGENCIES)[number]

/** The number of calls of each urgency that are under way or waiting. */
export type CallsWanted = Readonly<Record<Urgency, number>>

/** A process's report when it requests permits. */
export interface PermitsAsked {
  /**
   * The number of permits that the process still uses. The process has stopped using its other permits before the
   * request.
   */
  readonly keeps: number
  readonly wanted: CallsWanted
  /** The number of the process's invalid calls (401, 403, 429) in the last ten minutes. */
  readonly invalid: number
  /** The number of permits for all processes together. */
  readonly pool: number
}

export interface PermitsGranted {
  /** The number of permits that the book now assigns to this process. */
  readonly granted: number
  /**
   * The number of permits that this process should have. If the number is less than `granted`, the process must stop
   * using the rest, and make another request to give them up.
   */
  readonly target: number
  /** The number of invalid calls that the other processes made in the last ten minutes. */
  readonly invalidOfOthers: number
}

/**
 * The division, among one book's processes, of the calls a second that Discord permits the whole bot. Each call uses a
 * permit, and a process may use at the same time as many permits as the book assigns to it. Therefore, there are never
 * more calls under way than Discord permits, whatever time the processes' clocks show. A dead process's permits become
 * free when the process counts as gone.
 */
export interface CallBudget {
  /**
   * Whether no other process uses the book. In that case, all permits belong to this process, which never requests any.
   */
  readonly alone: boolean
  /** Returns whether no other process can have the permits that this process was granted last. */
  isLive(): boolean
  /**
   * Requests permits. Throws OwnershipLost if another process may have this process's permits, and the database's error
   * if the database is unreachable.
   */
  ask(asked: PermitsAsked): Promise<PermitsGranted>
  /** Runs a function whenever other processes' permits may have become free. Never runs it if this process is alone. */
  afterEachRound(run: () => Promise<void>): void
}
