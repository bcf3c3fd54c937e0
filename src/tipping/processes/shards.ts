/** A session at Discord's gateway that this or another process may resume. */
export interface ShardSession {
  readonly id: string
  /** The address at which Discord wants it resumed. */
  readonly resumeUrl: string
  /** The number of the last received event. Discord repeats later events. */
  readonly sequence: number
  /** The session's intents as a bit field. They are fixed for the session. */
  readonly intents: number
}

/** Sessions by shard. Undefined: none to resume. */
export type ShardSessions = ReadonlyMap<number, ShardSession | undefined>

/** Shards that a process runs. */
export interface ShardsTaken {
  /** The number of shards of all processes. */
  readonly count: number
  /** This process's shards, with the sessions that the book last stored. */
  readonly own: ShardSessions
  /** The shards beyond this process's share, which must be ended and released. */
  readonly surplus: readonly number[]
}

/**
 * Shares the shards of Discord's gateway among one book's bots. Each shard belongs to the process that its row names,
 * for as long as that process lives. A process that releases it, or dies, leaves the session to the next.
 */
export interface Shards {
  /**
   * Takes this process's share of free shards. `recommended` is Discord's number. That number applies only if no living
   * process has a shard, because all running processes share one number. Throws OwnershipLost if another process may
   * own this one's shards.
   */
  take(recommended: number): Promise<ShardsTaken>
  /** Stores the sessions of this process's shards. Leaves other processes' sessions as they are. */
  save(sessions: ShardSessions): Promise<void>
  /** Releases shards, with their sessions. */
  giveBack(sessions: ShardSessions): Promise<void>
  /** Releases all of this process's shards with these sessions, and requests no more. */
  leave(sessions: ShardSessions): Promise<void>
  /**
   * Takes the turn to start a shard's session. Shards whose numbers have the same remainder by `concurrency` share one
   * turn every five seconds, whichever process runs them. Returns the milliseconds to wait before asking again; 0: it
   * is this process's turn. Throws OwnershipLost if another process may own this one's shards.
   * https://docs.discord.com/developers/events/gateway#sharding-max-concurrency
   */
  turn(shard: number, concurrency: number): Promise<number>
  /**
   * Runs a function whenever shards of others may have become free. Never runs it if no other process uses the book.
   */
  whenFree(run: () => Promise<void>): void
}
