/** A session at Discord's gateway that this or another process may resume. */
export interface ShardSession {
  readonly id: string
  /** The address at which Discord wants the session resumed. */
  readonly resumeUrl: string
  /** The number of the last received event. Discord repeats later events. */
  readonly sequence: number
  /** The session's intents as a bit field. They are fixed for the session. */
  readonly intents: number
}

/** The sessions by shard; undefined for a shard without a session to resume. */
export type ShardSessions = ReadonlyMap<number, ShardSession | undefined>

/** Shards that a process runs. */
export interface ShardsTaken {
  /** The number of shards of all processes together. */
  readonly count: number
  /** This process's shards, with the sessions that the book last stored. */
  readonly own: ShardSessions
  /** The shards beyond this process's share, which must be ended and released. */
  readonly surplus: readonly number[]
}

/**
 * The division of the shards of Discord's gateway among one book's bots. Each shard belongs to the process in its row,
 * for as long as that process lives. A process that releases a shard, or dies, leaves the shard's session to the next
 * process.
 */
export interface Shards {
  /**
   * Takes this process's share of free shards. `recommended` is the number of shards that Discord recommends. That
   * number applies only if no living process has a shard, because all running processes use the same number. Throws
   * OwnershipLost if another process may own this process's shards.
   */
  take(recommended: number): Promise<ShardsTaken>
  /** Stores the sessions of this process's shards. Leaves other processes' sessions as they are. */
  save(sessions: ShardSessions): Promise<void>
  /** Releases shards, and stores their sessions. */
  giveBack(sessions: ShardSessions): Promise<void>
  /**
   * Stores these sessions, and releases all of this process's shards. The process no longer counts as one that wants
   * shards.
   */
  leave(sessions: ShardSessions): Promise<void>
  /**
   * Takes the turn to start a shard's session. Shards whose numbers have the same remainder when divided by
   * `concurrency` share one turn every five seconds, no matter which processes run them. Returns the milliseconds to
   * wait before the next attempt, or 0 if it is this process's turn. Throws OwnershipLost if another process may own
   * this process's shards. https://docs.discord.com/developers/events/gateway#sharding-max-concurrency
   */
  turn(shard: number, concurrency: number): Promise<number>
  /**
   * Runs a function whenever other processes' shards may have become free. Never runs it if no other process uses the
   * book.
   */
  whenFree(run: () => Promise<void>): void
}
