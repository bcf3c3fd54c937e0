/** Purposes of calls to Discord, the most urgent first. */
export const URGENCIES = ['answer', 'card', 'background'] as const
export type Urgency = (typeof URGENCIES)[number]

/** How many calls of each kind are under way, or wait. */
export type CallsWanted = Readonly<Record<Urgency, number>>

/** A process's report when it asks for permits. */
export interface PermitsAsked {
  /** Number of permits that it cannot do without now. It has given up the others that it had before it asks. */
  readonly keeps: number
  readonly wanted: CallsWanted
  /** Its invalid calls (401, 403, 429) in the last ten minutes. */
  readonly invalid: number
  /** How many permits there are for all processes together. */
  readonly pool: number
}

export interface PermitsGranted {
  /** How many permits are this process's now, in the book. */
  readonly granted: number
  /** How many are to be its own. If fewer than `granted`: it is to do without the rest, and ask again to give them up. */
  readonly target: number
  /** Invalid calls of the other processes in the last ten minutes. */
  readonly invalidOfOthers: number
}

/**
 * The calls that Discord lets the whole bot make in a second, shared out among the processes of one book. A call takes
 * a permit; a process may use as many at once as the book assigns to it. So there are never more under way than Discord
 * allows, whatever the processes' clocks say. A dead process's permits are free once it counts as gone.
 */
export interface CallBudget {
  /** No other process works on the book: all permits are this one's, and nothing is ever asked. */
  readonly alone: boolean
  /** Whether nobody else can get the last granted permits. */
  isLive(): boolean
  /** Throws OwnershipLost when another process may have what this one had, and what the database says when it is away. */
  ask(asked: PermitsAsked): Promise<PermitsGranted>
  /** Runs something whenever permits of others may have become free. Never where this process is alone. */
  afterEachRound(run: () => Promise<void>): void
}
