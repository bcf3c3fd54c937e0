/** The purposes of calls to Discord, the most urgent first. */
export const URGENCIES = ['answer', 'card', 'background'] as const
export type Urgency = (typeof URGENCIES)[number]

/** How many calls of each kind are under way or waiting. */
export type CallsWanted = Readonly<Record<Urgency, number>>

/** A process's report when it requests permits. */
export interface PermitsAsked {
  /** The number of permits that it needs now. It has given up its other permits before it asks. */
  readonly keeps: number
  readonly wanted: CallsWanted
  /** Its invalid calls (401, 403, 429) in the last ten minutes. */
  readonly invalid: number
  /** The number of permits for all processes together. */
  readonly pool: number
}

export interface PermitsGranted {
  /** How many permits the book now assigns to this process. */
  readonly granted: number
  /**
   * How many permits this process should have. If fewer than `granted`, it must stop using the rest, and ask again to
   * give them up.
   */
  readonly target: number
  /** How many invalid calls the other processes made in the last ten minutes. */
  readonly invalidOfOthers: number
}

/**
 * Shares the calls a second that Discord permits the whole bot among one book's processes. A call takes a permit, and a
 * process may use as many permits at once as the book assigns to it. So there are never more calls under way than
 * Discord permits, whatever the processes' clocks say. A dead process's permits are free when it counts as gone.
 */
export interface CallBudget {
  /** Whether no other process uses the book: then all permits belong to this one, which never asks. */
  readonly alone: boolean
  /** Whether no other process can have got the permits that were granted last. */
  isLive(): boolean
  /**
   * Requests permits. Throws OwnershipLost if another process may have this one's, and the database's error if it is
   * unreachable.
   */
  ask(asked: PermitsAsked): Promise<PermitsGranted>
  /** Runs a function whenever permits of others may have become free. Never runs it if this process is alone. */
  afterEachRound(run: () => Promise<void>): void
}
